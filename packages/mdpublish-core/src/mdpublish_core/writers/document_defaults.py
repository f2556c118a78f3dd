"""What the front matter of a document says about its output, where the caller says nothing."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import NoneType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast

from mdpublish_core.arguments import require_type
from mdpublish_core.errors import PluginError, UnknownTemplate
from mdpublish_core.front_matter import FrontMatter, kind_of
from mdpublish_core.nodes import Document
from mdpublish_core.notices import Notice, shorten
from mdpublish_core.options.styles import THEME_MODES, ThemeMode
from mdpublish_core.strings.lazy_patterns import compile_lazily
from mdpublish_core.writers.options.declared import Option

if TYPE_CHECKING:
    from mdpublish_core.templates import Template

_Options = TypeVar("_Options")

DEFAULT_TEMPLATE = "swiss"
"""Id of the template of a document that names none."""

_LINE_ENDS = compile_lazily(r"[ \t]*[\r\n][ \t\r\n]*")


class DocumentDefaults(NamedTuple):
    """Valid values of the front matter; None if it has none."""

    title: str | None = None
    description: str | None = None
    lang: str | None = None
    template_id: str | None = None
    theme_mode: ThemeMode | None = None
    subject: str | None = None
    """Of an email, on one line."""
    properties: Mapping[str, str | None] = {}
    """Of a file: `author`, `date` and `keywords`."""
    options: Mapping[str, Any] = {}
    """Values of outputs' options, the first three fields among them."""
    notices: tuple[Notice, ...] = ()
    """Values that are not valid."""


_NONE = DocumentDefaults()


def defaults_of(document: Document) -> DocumentDefaults:
    """Return the defaults in a document's front matter."""
    return document.cached(_read) if document.front_matter else _NONE


def completed(options: _Options, defaults: DocumentDefaults) -> _Options:
    """Return an output's options with the values of the front matter where they are None."""
    given = {name: value for name, value in defaults.options.items() if getattr(options, name, value) is None}
    return cast("_Options", replace(cast("Any", options), **given))


def title_of(document: Document) -> str | None:
    """Return the title in the front matter, else the first heading."""
    return defaults_of(document).title or document.title


def language_of(document: Document, chosen: str | None = None) -> str | None:
    """Return the caller's language, else the front matter's, else that of the text; None if nothing tells it."""
    from mdpublish_core.writers.language import detect_language

    return chosen or defaults_of(document).lang or document.cached(detect_language)


_MAX_PROPERTY = 255

_PROPERTIES = {"author": ("author", "authors"), "date": ("date",), "keywords": ("keywords", "tags")}
"""Of a file, with the keys of the front matter that tell them; the first that has a value counts."""

_READ_ELSEWHERE = ("draft", "nav_title", "slug")
"""Read by sites and the service."""

_OF_OTHER_PROGRAMS = frozenset({"tags"})


def chosen_template_id(template: "str | Template | None", defaults: DocumentDefaults) -> str:
    """Return the id of `chosen_template`, without loading the default one. Raises `UnknownTemplate`."""
    if template is None and defaults.template_id is None:
        return DEFAULT_TEMPLATE
    return chosen_template(template, defaults).id


def chosen_template(template: "str | Template | None", defaults: DocumentDefaults) -> "Template":
    """Return the caller's template, else the front matter's, else the default. Raises `UnknownTemplate`."""
    from mdpublish_core.templates import Template, get_template

    if isinstance(template, Template):
        return template
    require_type("template", template, str, NoneType, expected="the id of a template, a Template or None")
    return get_template(template or defaults.template_id or DEFAULT_TEMPLATE)


def _read(document: Document) -> DocumentDefaults:
    from mdpublish_core.writers.options import declared_options

    reader = _Reader(document.front_matter)
    template_key = "template" if "template" in document.front_matter else "template_id"
    written = (each for each in declared_options().values() if each.is_written)
    options = {each.name: reader.read(each.name, _reader_of(each)) for each in written}
    subject = reader.read("subject", lambda value: " ".join(value.split()))
    for key in _READ_ELSEWHERE:
        reader.read(key, str)
    return DocumentDefaults(
        title=options["title"],
        description=options["description"],
        lang=options["lang"],
        template_id=reader.read(template_key, _template),
        theme_mode=cast("ThemeMode | None", reader.read("theme_mode", _one_of(THEME_MODES))),
        subject=subject,
        properties={name: reader.read_property(keys) for name, keys in _PROPERTIES.items()},
        options={name: value for name, value in options.items() if value is not None},
        notices=tuple(sorted(reader.notices, key=lambda notice: notice.line or 0)),
    )


class _Reader:
    def __init__(self, values: FrontMatter) -> None:
        self._values = values
        self.notices: list[Notice] = []

    def read(self, key: str, check: Callable[[str], Any]) -> Any:
        """Return a valid value; add a notice about another. An empty one is as if left out."""
        value = self._values.get(key, "")
        try:
            if isinstance(value, str):
                return check(value) if value.strip() else None
            problem = f"must be one value (got {kind_of(value)})"
        except ValueError as error:
            problem = str(error)
        self.notices.append(ignored_notice(self._values, key, problem))
        return None

    def read_property(self, keys: tuple[str, ...]) -> str | None:
        """Return the first value of some keys, lists on one line."""
        for key in keys:
            value = self._values.get(key, "")
            if value and kind_of(value) in {"text", "a list"}:
                return (value if isinstance(value, str) else ", ".join(map(str, value)))[:_MAX_PROPERTY].strip() or None
            if value and key not in _OF_OTHER_PROGRAMS:
                problem = f"must be text or a list of texts (got {kind_of(value)})"
                self.notices.append(ignored_notice(self._values, key, problem))
        return None


def ignored_notice(values: FrontMatter, key: str, problem: str) -> Notice:
    """Return the notice that a value is not used; `problem` continues the key's name."""
    return Notice("front-matter-ignored", f"`{key}` {problem}; it is ignored", *values.position_of(key))


def _plain(value: str) -> str:
    return _LINE_ENDS.sub(" ", value).strip()


def _template(value: str) -> str:
    from mdpublish_core.templates import get_template

    try:
        return get_template(value).id
    except UnknownTemplate:
        raise ValueError(f"must be the id of a built-in template (got {shorten(value)!r})") from None
    except PluginError as error:
        raise ValueError(f"cannot be used: {error}") from None


def _reader_of(declared: Option) -> Callable[[str], Any]:
    """Return the function that reads an option's value from its text."""
    if declared.is_switch:
        return lambda value: _one_of(("true", "false"))(value) == "true"

    def read(value: str) -> Any:
        bounds, plain = declared.bounds, value if declared.choices else _plain(value)
        # Neither `007` nor digits of other scripts.
        read_value = int(plain) if bounds and plain in map(str, bounds) else plain
        if problem := declared.problem(read_value):
            raise ValueError(problem)
        return read_value

    return read


def _one_of(choices: tuple[str, ...]) -> Callable[[str], str]:
    return _reader_of(Option(choices=choices))
