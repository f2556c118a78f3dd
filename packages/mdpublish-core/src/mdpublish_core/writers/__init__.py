"""Registry of destinations, each a module with a `render` function, and destinations of one's own.

A destination is a renderer class with a method for each class of nodes. Destinations that are alike share code by subclassing, and what
two of them decide alike stands below both: in `structure`, `figures`, `table_fit` and `styled`.

One set of rules serves all. A template's rules select the markup of `generic`. Where no stylesheet survives, as in emails and word
processors, a renderer moves a cursor through the same rules while it writes: it enters `blockquote` or `div.callout.note` as the
document is structured, whatever it writes (a cell, for example), and gets the computed style. Renderers say which child is the last
when they enter it, since the cursor cannot look ahead. Marks of headings and ornaments are characters, since `content` of CSS
is lost in email and on the clipboard.

What is pasted cannot change the color of a page in Google Docs, Word or OneNote, and light text is unreadable on white. So a dark
theme has its colors in cells there, and those of light mode on the page, by two cursors in parallel; OneNote's page is one cell.

Images are never fetched. One on a server stays a URL, and a `data:` URL of a type that cannot run code becomes an attachment in an
email. Results that destinations share, such as anchors, grids of tables and highlighted code, are computed once for a document.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import Any, cast, get_args

from mdpublish_core import nodes
from mdpublish_core.arguments import require_type, type_name
from mdpublish_core.errors import InvalidArgument, MdpublishError, PluginError, UnknownDestination
from mdpublish_core.figures.results import FigureForm, MathForm
from mdpublish_core.notices import Notice, shorten
from mdpublish_core.options.styles import PAGE_THEME_MODES, THEME_MODES, PageThemeMode, ThemeMode
from mdpublish_core.plugins import describe, find_plugin, load_plugin, plugin_names
from mdpublish_core.resources.characters import replace_surrogates
from mdpublish_core.resources.urls import has_scheme
from mdpublish_core.writers.context import RenderContext, render_figures_for
from mdpublish_core.writers.renderer import Renderer

__all__ = [
    "DESTINATIONS",
    "Destination",
    "RenderContext",
    "destination_names",
    "destination_notices",
    "get_destination",
    "load_writer",
    "render_figures_for",
]


@dataclass(frozen=True, slots=True)
class Destination:
    """A destination: what it is called, what it can show, and the class that writes it."""

    name: str
    """Its name, as in the entry point of a plug-in."""

    summary: str
    """What it is, in some words."""

    figure_form: FigureForm = "text"
    """How diagrams and charts arrive: `svg`, `png`, `text`, or `source`, as code."""

    math_form: MathForm = "text"
    """How formulas arrive: `mathml`, `omml`, `png`, `styled`, `text` or `source`."""

    is_standalone: bool = True
    """Whether it is read away from the document's folder, where relative URLs lead nowhere."""

    allows_raw_html: bool = True
    """Whether raw HTML of trusted authors (`raw_html="keep"`) is written, not shown as text."""

    is_text: bool = False
    """Whether the output is text, not HTML."""

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

    def __post_init__(self) -> None:
        for argument in ("name", "summary"):
            require_type(f"{argument} of a Destination", getattr(self, argument), str)
        _require_choice("figure_form", self.figure_form, get_args(FigureForm))
        _require_choice("math_form", self.math_form, get_args(MathForm))
        renderer: object = self.renderer
        if renderer is not None and not (isinstance(renderer, type) and issubclass(renderer, Renderer)):
            problem = f"must be a class derived from mdpublish_core.renderers.Renderer (got {type_name(renderer)})"
            raise InvalidArgument("renderer of a Destination", problem)

    @property
    def embeds_images(self) -> bool:
        """Whether the command embeds image files by default."""
        return self.is_standalone and not self.is_text

    def render(self, document: nodes.Document, context: RenderContext) -> str:
        """Return the document as HTML or text. Raises `PluginError` if the class of a plug-in fails."""
        if self.renderer is None:
            return cast("str", load_writer(f"{self.name.replace('-', '_')}:render")(document, context))
        label = f"the destination {self.name!r}"
        try:
            output: object = self.renderer.render(document, context)
        except (MdpublishError, MemoryError):
            raise
        except Exception as error:
            raise PluginError(label, f"raised {describe(error)}") from error
        if not isinstance(output, str):
            raise PluginError(label, f"must return a str (got {type_name(output)})")
        return replace_surrogates(output)


def _require_choice(argument: str, value: object, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise InvalidArgument(f"{argument} of a Destination", f"must be one of {', '.join(choices)} (got {value!r})")


def load_writer(reference: str) -> Callable[..., Any]:
    """Return a function of this package: `module:function`. Its module is imported when it is used."""
    module, _, function = reference.partition(":")
    return cast("Callable[..., Any]", getattr(import_module(f"{__name__}.{module}"), function))


_DESTINATIONS = (
    Destination(
        "google-docs",
        "the HTML that Google Docs puts on the clipboard, for pasting",
        figure_form="png",
        math_form="styled",
        allows_raw_html=False,
        white_page_modes=("light", "dark"),
    ),
    Destination(
        "word",
        "a document in Word's HTML dialect, for pasting or opening",
        figure_form="png",
        math_form="omml",
        white_page_modes=("dark",),
    ),
    Destination(
        "slack",
        "a Slack message in mrkdwn",
        figure_form="text",
        math_form="text",
        allows_raw_html=False,
        is_styled=False,
        is_text=True,
    ),
    Destination(
        "onenote",
        "a OneNote page in the HTML that Microsoft Graph accepts",
        figure_form="png",
        math_form="styled",
        allows_raw_html=False,
        white_page_modes=("light",),
    ),
    Destination(
        "email",
        "a complete HTML email for all major clients",
        figure_form="png",
        math_form="styled",
        attaches_media=True,
    ),
    Destination(
        "plain-text",
        "plain text that keeps the document's structure",
        figure_form="text",
        math_form="text",
        is_standalone=False,
        allows_raw_html=False,
        is_styled=False,
        is_text=True,
    ),
    Destination(
        "generic",
        "a semantic HTML fragment with the template's CSS",
        figure_form="svg",
        math_form="mathml",
        is_standalone=False,
        theme_modes=PAGE_THEME_MODES,
    ),
    Destination(
        "html",
        "unstyled HTML as in the CommonMark and GFM reference implementations",
        figure_form="source",
        math_form="source",
        is_standalone=False,
        is_styled=False,
    ),
)

DESTINATIONS = {destination.name: destination for destination in _DESTINATIONS}


def get_destination(destination: str | Destination) -> Destination:
    """Return a destination by its name: one that is built in, else one of an installed package.

    Raises `UnknownDestination`, `PluginError`.
    """
    if isinstance(destination, Destination):
        return destination
    require_type("destination", destination, str, expected="a name or a Destination")
    if destination in DESTINATIONS:
        return DESTINATIONS[destination]
    plugin = find_plugin("destination", destination)
    if plugin is None:
        raise UnknownDestination(destination, destination_names())
    loaded = load_plugin(plugin)
    if not isinstance(loaded, Destination) or loaded.renderer is None:
        raise PluginError(plugin.label, f"must be a Destination with a renderer (got {type_name(loaded)})")
    if loaded.name != destination:
        raise PluginError(plugin.label, f"must have the name of its entry point (got {loaded.name!r})")
    return loaded


def destination_names() -> tuple[str, ...]:
    """Return the names of all destinations: those that are built in, then those of installed packages."""
    return (*DESTINATIONS, *(name for name in plugin_names("destination") if name not in DESTINATIONS))


def destination_notices(document: nodes.Document, destination: Destination) -> Iterator[Notice]:
    if destination.is_standalone:
        yield from _relative_image_notices(document)
    if document.trusted and not destination.allows_raw_html:
        yield from _raw_html_notices(document)


def _relative_image_notices(document: nodes.Document) -> Iterator[Notice]:
    relative = [image for image in document.images if image.src and not has_scheme(image.src)]
    if relative:
        number = f"{len(relative)} images have relative URLs" if len(relative) > 1 else "an image has a relative URL"
        message = f"{number}, {shorten(relative[0].src)!r}: readers see the alt text"
        yield Notice("missing-image", message, *document.position_of(relative[0]))


def _raw_html_notices(document: nodes.Document) -> Iterator[Notice]:
    html = next((token for token in nodes.walk(document) if isinstance(token, nodes.HtmlBlock | nodes.HtmlSpan)), None)
    if html:
        yield Notice(
            "unsupported-html",
            "raw HTML is not supported by this destination; it is shown as text",
            *document.position_of(html),
        )
