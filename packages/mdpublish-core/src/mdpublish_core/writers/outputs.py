"""Outputs: what a document is written as. `outputs.tsv` is the table of destinations, of files made for them, and the tree.

The module of a destination has `render(document, context)`, that of another output `write(document, request)`. The
library, the command, the service and the reference read the table: nothing compares with a name.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from importlib import import_module
from typing import Any, cast, get_args

from mdpublish_core import nodes
from mdpublish_core.arguments import require_type, type_name
from mdpublish_core.data_files import read_fields, read_table
from mdpublish_core.errors import InvalidArgument, MdpublishError, PluginError, UnknownOutput
from mdpublish_core.figures.results import FigureForm, MathForm
from mdpublish_core.options.styles import THEME_MODES, PageThemeMode, ThemeMode
from mdpublish_core.plugins import describe, find_plugin, load_plugin, plugin_names
from mdpublish_core.resources.characters import replace_surrogates
from mdpublish_core.writers.context import RenderContext
from mdpublish_core.writers.options import options_class, settable_options
from mdpublish_core.writers.options.declared import Option
from mdpublish_core.writers.renderer import Renderer


@dataclass(frozen=True, slots=True)
class Output:
    """What a document is written as: what it is called, what it can show, and what writes it.

    One of your own has a `renderer`; those that are built in have a module.
    """

    name: str
    """Its name, as in `to` and in the entry point of a plug-in."""

    summary: str
    """What it is, in some words."""

    figure_form: FigureForm = "text"
    """How diagrams and charts arrive: `svg`, `png`, `text`, or `source`, as code."""

    math_form: MathForm = "text"
    """How formulas arrive: `mathml`, `omml`, `png`, `styled`, `text` or `source`."""

    is_standalone: bool = True
    """Whether it is read away from the document's folder, where relative URLs lead nowhere."""

    is_text: bool = False
    """Whether it is text, without images, not HTML or a file of another kind."""

    is_styled: bool = True
    """Whether a template changes the output beyond its figures."""

    white_page_modes: tuple[ThemeMode, ...] = ()
    """Theme modes in which figures are rendered for a white page."""

    theme_modes: tuple[PageThemeMode, ...] = THEME_MODES
    """Theme modes it can have."""

    attaches_media: bool = False
    """Whether images are attached by default, as in an email."""

    renderer: type[Renderer] | None = None
    """The class that writes it, derived from one in `mdpublish_core.renderers`; None for those that are built in."""

    delivery: Mapping[str, str] = field(default_factory=dict, hash=False)
    """Forms in which constructs arrive, if not as they are, such as `{"table": "monospaced"}`; for one of your own."""

    suffix: str = ""
    """Suffix of its files; by default `.txt` for text, otherwise `.html`."""

    media_type: str = ""
    """Media type of its files; by default `text/plain` for text, otherwise `text/html`."""

    def __post_init__(self) -> None:
        for argument in ("name", "summary", "suffix", "media_type"):
            require_type(f"{argument} of an Output", getattr(self, argument), str)
        _require_choice("figure_form", self.figure_form, get_args(FigureForm))
        _require_choice("math_form", self.math_form, get_args(MathForm))
        for pair in self.delivery.items():
            from mdpublish_core.writers.forms import words

            for value, choices in zip(pair, ("constructs", "forms"), strict=True):
                _require_choice("delivery", value, tuple(words()[choices]))
        renderer: object = self.renderer
        if renderer is not None and not (isinstance(renderer, type) and issubclass(renderer, Renderer)):
            problem = f"must be a class derived from mdpublish_core.renderers.Renderer (got {type_name(renderer)})"
            raise InvalidArgument("renderer of an Output", problem)
        suffix, media_type = (".txt", "text/plain") if self.is_text else (".html", "text/html")
        object.__setattr__(self, "suffix", self.suffix or suffix)
        object.__setattr__(self, "media_type", self.media_type or media_type)

    # Of those that are built in, a `WrittenOutput` has others.

    @property
    def module(self) -> str:
        """Module of this package that writes it, if not the one of its name as a destination."""
        return ""

    @property
    def destination(self) -> str:
        """Name of the destination that the file is for."""
        return ""

    @property
    def also_for(self) -> str:
        """Name of another destination that the file is for."""
        return ""

    @property
    def is_file(self) -> bool:
        """Whether people save it as a file of its suffix."""
        return False

    @property
    def is_page(self) -> bool:
        """Whether it is a page of a folder of pages, with an index, breadcrumbs and a URL."""
        return False

    @property
    def is_binary(self) -> bool:
        """Whether it fits no JSON."""
        return False

    @property
    def embeds_images(self) -> bool:
        """Whether the command embeds image files by default."""
        return self.is_standalone and not self.is_text

    @property
    def options_class(self) -> type[Any] | None:
        """The class of its options."""
        return cast("type[Any] | None", options_class(self.name))

    @property
    def flags(self) -> Mapping[str, Option]:
        """Its options that people set, by the names of their fields."""
        return settable_options(self.name)

    def options_from(self, values: Mapping[str, Any]) -> Any:
        """Return its options with those of the values that they have; None if it has no options."""
        kind = self.options_class
        return kind and kind(**{each.name: values[each.name] for each in fields(kind) if each.name in values})

    def render(self, document: nodes.Document, context: RenderContext) -> str:
        """Return the document as HTML or text. Raises `PluginError` if the class of a plug-in fails."""
        if self.renderer is None:
            return cast("str", load_writer(f"{self.name.replace('-', '_')}:render")(document, context))
        label = f"the output {self.name!r}"
        try:
            output: object = self.renderer.render(document, context)
        except (MdpublishError, MemoryError):
            raise
        except Exception as error:
            raise PluginError(label, f"raised {describe(error)}") from error
        if not isinstance(output, str):
            raise PluginError(label, f"must return a str (got {type_name(output)})")
        return replace_surrogates(output)


@dataclass(frozen=True, slots=True)
class WrittenOutput(Output):
    """An output that is built in, and is no destination with a module of its name alone."""

    module: str = ""
    destination: str = ""
    also_for: str = ""
    is_file: bool = False
    is_page: bool = False
    is_binary: bool = False


def _require_choice(argument: str, value: object, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise InvalidArgument(f"{argument} of an Output", f"must be one of {', '.join(choices)} (got {value!r})")


def load_writer(reference: str) -> Callable[..., Any]:
    """Return a function or class of `mdpublish_core.writers`: `module:name`. Its module is imported when it is used."""
    module, _, name = reference.partition(":")
    return cast("Callable[..., Any]", getattr(import_module(f"mdpublish_core.writers.{module}"), name))


def _read_outputs(kind: str) -> Iterator[Output]:
    """Yield the outputs of a kind in `outputs.tsv`."""
    for of_kind, name, summary, cell in read_table(__file__, "outputs.tsv"):
        if of_kind == kind:
            described = read_fields(cell)
            yield (WrittenOutput if kind == "file" or "is_text" in described else Output)(name, summary, **described)


CONTRACT_DESTINATIONS = {each.name: each for each in _read_outputs("destination")}
"""Destinations that the contract of the service's API names."""

DESTINATIONS = CONTRACT_DESTINATIONS | {each.name: each for each in _read_outputs("place")}
"""Outputs that are pasted, mailed or posted as they are, by name."""

FILES = {each.name: each for each in _read_outputs("file")}
"""Other outputs, by name."""

OUTPUTS = DESTINATIONS | FILES
"""All outputs that are built in, by name."""

SAVED = {each.suffix: each for each in (FILES | DESTINATIONS).values() if each.is_file}
"""Outputs that people save, by the suffix of their files."""

BY_SUFFIX = {each.suffix: each for each in (*FILES.values(), *SAVED.values())}
"""Outputs by the suffix of a file that asks for them."""

_OTHER_SUFFIXES = {".htm": ".html", ".markdown": ".md"}


def output_of_suffix(suffix: str) -> Output | None:
    """Return the output of files with a lower-case suffix such as `.html` or `.htm`; None if no output has it."""
    return BY_SUFFIX.get(_OTHER_SUFFIXES.get(suffix, suffix))


def list_outputs() -> tuple[Output, ...]:
    """Return the outputs that are built in, destinations first."""
    return tuple(OUTPUTS.values())


def get_output(to: str | Output) -> Output:
    """Return an output by its name: one that is built in, else one of an installed package.

    Raises `UnknownOutput`, `PluginError`.
    """
    if isinstance(to, Output):
        return to
    require_type("to", to, str, expected="a name or an Output")
    if to in OUTPUTS:
        return OUTPUTS[to]
    if (plugin := find_plugin("output", to)) is None:
        raise UnknownOutput(to, output_names())
    loaded = load_plugin(plugin)
    if not isinstance(loaded, Output) or loaded.renderer is None:
        raise PluginError(plugin.label, f"must be an Output with a renderer (got {type_name(loaded)})")
    if loaded.name != to:
        raise PluginError(plugin.label, f"must have the name of its entry point (got {loaded.name!r})")
    return loaded


def get_destination(to: str | Output) -> Output:
    """Return an output that is pasted, mailed or posted as it is; for a file, the one that it is made for.

    Raises `UnknownOutput`, `PluginError`.
    """
    try:
        output = get_output(to)
    except UnknownOutput as error:
        raise UnknownOutput(error.choice, destination_names()) from None
    if output.destination:
        return OUTPUTS[output.destination]
    if output.module:
        raise UnknownOutput(output.name, destination_names())
    return output


def output_names() -> tuple[str, ...]:
    """Return the names of all outputs: those that are built in, then those of installed packages."""
    return (*OUTPUTS, *(name for name in plugin_names("output") if name not in OUTPUTS))


def destination_names() -> tuple[str, ...]:
    """Return the names of the outputs that are pasted, mailed or posted as they are."""
    return tuple(name for name in output_names() if name not in FILES)


def complete_file_of(output: Output) -> Output | None:
    """Return the file with the images that an output attaches, so that it does not show them alone."""
    files = (each for each in FILES.values() if each.is_file and each.destination == output.name)
    return next(files, None) if output.attaches_media else None
