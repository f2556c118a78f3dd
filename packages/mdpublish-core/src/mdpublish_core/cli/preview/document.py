"""The rendered document, reloaded after changes."""

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from threading import Lock

from mdpublish_core.cli.configuration import UNCONFIGURED, ConfiguredDefaults
from mdpublish_core.cli.images import ImageEmbedder, parse_document
from mdpublish_core.cli.inputs import ParseOptions, read_css, read_markdown, read_output_name, read_template
from mdpublish_core.cli.options import StyleOptions, default_title, render_output
from mdpublish_core.cli.preview.watch import FileStamp, WatchedFile
from mdpublish_core.css.user_css import user_css
from mdpublish_core.errors import UnknownThemeMode
from mdpublish_core.lru_cache import LruCache
from mdpublish_core.nodes import Document
from mdpublish_core.notices import Notice, shorten
from mdpublish_core.templates import CATEGORIES, THEME_MODES, ThemeMode, get_template, list_templates
from mdpublish_core.writers.document_defaults import DEFAULT_TEMPLATE, defaults_of
from mdpublish_core.writers.outputs import DESTINATIONS, FILES, Output, get_destination

_MAX_CACHED = 8


@dataclass(frozen=True, slots=True)
class Choices:
    """What to show."""

    destination: str
    template: str
    theme_mode: ThemeMode


@dataclass(frozen=True, slots=True)
class GivenChoices:
    """Choices on the command line; where one is None, the front matter chooses, then the configuration."""

    destination: str | None
    template: str | None
    theme_mode: ThemeMode | None
    configured: Choices

    def complete(self, source: "ParsedSource") -> Choices:
        defaults = defaults_of(source.parsed)
        return Choices(
            get_destination(self.destination or source.destination or self.configured.destination).name,
            self.template or defaults.template_id or self.configured.template,
            self.theme_mode or defaults.theme_mode or self.configured.theme_mode,
        )


@dataclass(frozen=True, slots=True)
class RenderedPreview:
    """A response body, and the error in a newer version."""

    media_type: str
    body: bytes
    notices: tuple[Notice, ...]
    problem: str | None
    version: str


class ParsedSource:
    """A version of the document, with and without embedded images."""

    def __init__(self, file: str, parsing: ParseOptions) -> None:
        self._markdown = read_markdown(file)
        self._file = file
        self._parsing = parsing
        self.parsed, _ = parse_document(file, self._markdown, parsing, embed_images=False)
        self.destination, self.invalid = read_output_name(self._markdown)
        self._embedding: tuple[Document, ImageEmbedder | None] | None = None
        self._lock = Lock()

    def document(self, target: Output) -> tuple[Document, ImageEmbedder | None]:
        if not target.embeds_images:
            return self.parsed, None
        with self._lock:
            if self._embedding is None:
                self._embedding = parse_document(self._file, self._markdown, self._parsing, embed_images=True)
            return self._embedding


class PreviewDocument:
    """A file and the styles to show it in.

    The constructor raises the errors of `mdpublish convert`; later, the last valid version is shown.
    """

    def __init__(
        self,
        file: str,
        *,
        to: str | None = None,
        template: str | None = None,
        theme_mode: ThemeMode | None = None,
        css_file: str | None = None,
        parsing: ParseOptions = ParseOptions(),  # noqa: B008  (immutable)
        configured: ConfiguredDefaults = UNCONFIGURED,
    ) -> None:
        self.name = Path(file).name
        self.folder = Path(file).absolute().parent
        default = configured.template or DEFAULT_TEMPLATE
        chosen = template or default
        theme_file = chosen if chosen.endswith(".toml") else None
        self._theme_name = Path(theme_file).name if theme_file else None
        self._given = GivenChoices(
            to,
            self._theme_name or template if template else None,
            theme_mode,
            Choices(
                configured.to or "generic",
                default if template else self._theme_name or default,
                "dark" if configured.theme_mode == "dark" else "light",
            ),
        )
        self._source = WatchedFile(Path(file), lambda: ParsedSource(file, parsing))
        self._theme = WatchedFile(Path(theme_file), lambda: read_template(theme_file)) if theme_file else None
        self._css = WatchedFile(Path(css_file), lambda: _checked(read_css(css_file))) if css_file else None
        self._cache: LruCache[tuple[str, Choices], RenderedPreview] = LruCache(_MAX_CACHED)
        self.rendered(self.defaults)

    @property
    def defaults(self) -> Choices:
        return self._given.complete(self._source.current().value)

    def version(self) -> str:
        return _digest([reading.stamp() for reading in (self._source, self._theme, self._css) if reading])

    def choices(self, query: Mapping[str, str]) -> Choices:
        defaults = self.defaults
        destination = query.get("to", defaults.destination)
        template = query.get("template", defaults.template)
        requested = query.get("mode", defaults.theme_mode)
        theme_mode = next((mode for mode in THEME_MODES if mode == requested), None)
        # Messages repeat the value.
        get_destination(shorten(destination))
        if template != self._theme_name:
            get_template(shorten(template))
        if theme_mode is None:
            raise UnknownThemeMode(shorten(requested), THEME_MODES)
        return Choices(destination, template, theme_mode)

    def rendered(self, choices: Choices) -> RenderedPreview:
        source = self._source.current()
        theme = self._theme and self._theme.current()
        css = self._css and self._css.current()
        version = _digest([read.stamp for read in (source, theme, css) if read])
        if cached := self._cache.get((version, choices)):
            return cached
        custom_theme = theme if choices.template == self._theme_name else None
        template = custom_theme.value if custom_theme else get_template(choices.template)
        problems = [read.problem for read in (source, custom_theme, css) if read and read.problem]
        style = StyleOptions(template, choices.theme_mode, css.value if css else None)
        output = _shown(choices.destination)
        body, notices = self._render(source.value, output, style)
        media_type = f"{output.media_type}; charset=utf-8"
        result = RenderedPreview(media_type, body, notices, "\n".join(problems) or None, version)
        self._cache.put((version, choices), result)
        return result

    def available_choices(self) -> dict[str, object]:
        defaults = self.defaults
        groups = [
            {"name": category, "templates": [{"id": each.id, "name": each.name} for each in list_templates(category)]}
            for category in CATEGORIES
        ]
        custom = (
            [{"name": "your own", "templates": [{"id": self._theme_name, "name": self._theme_name}]}]
            if self._theme_name
            else []
        )
        return {
            "file": self.name,
            "destinations": [
                {"name": each.name, "summary": each.summary, "styled": each.is_styled} for each in DESTINATIONS.values()
            ],
            "groups": [*custom, *(group for group in groups if group["templates"])],
            "modes": list(THEME_MODES),
            "defaults": {"to": defaults.destination, "template": defaults.template, "mode": defaults.theme_mode},
        }

    def _render(self, source: ParsedSource, output: Output, style: StyleOptions) -> tuple[bytes, tuple[Notice, ...]]:
        document, images = source.document(output)
        conversion = render_output(document, output, {"default_title": default_title(self.name)}, style)
        notices = (*source.invalid, *conversion.notices)
        return conversion.to_bytes(), images.merge_notices(notices) if images else notices


def _shown(destination: str) -> Output:
    """Return the page that is made for a destination, if there is one: a part of a page has no background."""
    pages = (each for each in FILES.values() if each.is_page and each.destination == destination)
    return next(pages, None) or get_destination(destination)


def _checked(css: str | None) -> str | None:
    user_css(css)
    return css


def _digest(stamps: list[FileStamp]) -> str:
    return sha256(repr(stamps).encode()).hexdigest()[:16]
