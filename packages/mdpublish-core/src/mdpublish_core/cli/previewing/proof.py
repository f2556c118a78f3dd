"""A proof: the document in the form that its destination shows, in the look that was chosen, as its file stands now.

The document, and the theme and stylesheet of the user's own, are read again once they changed. What is shown is what
`mdpublish convert` writes, for `generic` with `--page`.
"""

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from threading import Lock

from mdpublish_core.cli.outputs import Look, make_html, make_page
from mdpublish_core.cli.pictures import EmbeddedPictures
from mdpublish_core.cli.previewing.readings import Reading, Stamp
from mdpublish_core.cli.reading import read_css, read_template, read_text, whole
from mdpublish_core.convert import parse
from mdpublish_core.destinations import DESTINATIONS, Destination, get_destination
from mdpublish_core.errors import UnknownThemeMode
from mdpublish_core.extensions import RawHtml
from mdpublish_core.nodes import Document
from mdpublish_core.notices import Notice, shortened
from mdpublish_core.page import PageOptions
from mdpublish_core.templates import CATEGORIES, THEME_MODES, ThemeMode, get_template, list_templates
from mdpublish_core.templates.overlay import overlay_rules

UNSTYLED = frozenset({"html", *(each.name for each in DESTINATIONS.values() if each.is_text)})
"""The destinations for which neither template nor theme mode changes anything."""

# A page asks twice for what it shows: for its notices, and for itself. Some pages may be open at once.
_MOST_KEPT = 8


@dataclass(frozen=True, slots=True)
class Choices:
    """What to show: a destination's name, a template's id or the name of the user's theme file, and a theme mode."""

    destination: str
    template: str
    theme_mode: ThemeMode


@dataclass(frozen=True, slots=True)
class Shown:
    """What is shown: bytes and their media type, what the author is told, and what keeps a newer version from being shown."""

    media_type: str
    body: bytes
    notices: tuple[Notice, ...]
    problem: str | None
    version: str


class Draft:
    """A version of the text, parsed once without the pictures that its files hold, and once with them."""

    def __init__(self, file: str, raw_html: RawHtml) -> None:
        self._text = read_text(file)
        self._folder = Path(file).parent
        self._raw_html = raw_html
        self._plain = parse(self._text, raw_html=raw_html), None
        self._embedding: tuple[Document, EmbeddedPictures] | None = None
        self._lock = Lock()

    def document(self, goal: Destination) -> tuple[Document, EmbeddedPictures | None]:
        """Return what `mdpublish convert` makes for a destination, and the pictures that it took along."""
        if not goal.embeds_images:
            return self._plain
        with self._lock:
            if self._embedding is None:
                pictures = EmbeddedPictures(self._folder)
                document = parse(self._text, raw_html=self._raw_html, resolve=pictures)
                self._embedding = document, pictures
            return self._embedding


class Proof:
    """A file, and the looks that it may be shown in.

    `template` is what the command was given: a template's id, or the path of a theme file. What cannot be read or is
    refused at first raises, as in `mdpublish convert`; later on it is told with what is shown instead.
    """

    def __init__(
        self,
        file: str,
        *,
        destination: str = "generic",
        template: str = "swiss",
        theme_mode: ThemeMode = "light",
        css_file: str | None = None,
        raw_html: RawHtml = "sanitize",
    ) -> None:
        self.name = Path(file).name
        self.folder = Path(file).absolute().parent
        self._own = Path(template).name if template.endswith(".toml") else None
        self.defaults = Choices(destination, self._own or template, theme_mode)
        self._draft = Reading(Path(file), lambda: Draft(file, raw_html))
        self._theme = Reading(Path(template), lambda: read_template(template)) if self._own else None
        self._css = Reading(Path(css_file), lambda: _checked(read_css(css_file))) if css_file else None
        self._kept: OrderedDict[tuple[str, Choices], Shown] = OrderedDict()
        self._lock = Lock()
        self.show(self.defaults)

    def version(self) -> str:
        """Return a word that changes whenever one of the files does."""
        return _word([reading.stamp() for reading in (self._draft, self._theme, self._css) if reading])

    def choices(self, query: Mapping[str, str]) -> Choices:
        """Return what an address asks for, the defaults where it says nothing.

        Raises `UnknownDestination`, `UnknownTemplate` and `UnknownThemeMode`.
        """
        destination = query.get("to", self.defaults.destination)
        template = query.get("template", self.defaults.template)
        wanted = query.get("mode", self.defaults.theme_mode)
        theme_mode = next((mode for mode in THEME_MODES if mode == wanted), None)
        # An address may be as long as it likes, and messages repeat it.
        get_destination(shortened(destination))
        if template != self._own:
            get_template(shortened(template))
        if theme_mode is None:
            raise UnknownThemeMode(shortened(wanted), THEME_MODES)
        return Choices(destination, template, theme_mode)

    def show(self, choices: Choices) -> Shown:
        """Return what is shown of the newest version that can be read; raises what `render` does."""
        draft = self._draft.current()
        theme = self._theme and self._theme.current()
        css = self._css and self._css.current()
        version = _word([read.stamp for read in (draft, theme, css) if read])
        with self._lock:
            kept = self._kept.get((version, choices))
        if kept:
            return kept
        own = theme if choices.template == self._own else None
        template = own.value if own else get_template(choices.template)
        problems = [read.problem for read in (draft, own, css) if read and read.problem]
        look = Look(template, choices.theme_mode, css.value if css else None)
        body, notices = self._made(draft.value, choices, look)
        shown = Shown(_media_type(choices), body, notices, "\n".join(problems) or None, version)
        with self._lock:
            self._kept[version, choices] = shown
            if len(self._kept) > _MOST_KEPT:
                self._kept.popitem(last=False)
        return shown

    def offered(self) -> dict[str, object]:
        """Return what the page offers to choose from, for its script to read."""
        groups = [
            {"name": category, "templates": [{"id": each.id, "name": each.name} for each in list_templates(category)]}
            for category in CATEGORIES
        ]
        own = [{"name": "your own", "templates": [{"id": self._own, "name": self._own}]}] if self._own else []
        return {
            "file": self.name,
            "destinations": [
                {"name": each.name, "summary": each.summary, "styled": each.name not in UNSTYLED}
                for each in DESTINATIONS.values()
            ],
            "groups": [*own, *(group for group in groups if group["templates"])],
            "modes": list(THEME_MODES),
            "defaults": {
                "to": self.defaults.destination,
                "template": self.defaults.template,
                "mode": self.defaults.theme_mode,
            },
        }

    def _made(self, draft: Draft, choices: Choices, look: Look) -> tuple[bytes, tuple[Notice, ...]]:
        document, pictures = draft.document(get_destination(choices.destination))
        if choices.destination == "generic":
            return make_page(look, document, PageOptions(title=document.title or whole(Path(self.name).stem)))
        made, notices = make_html(look, document, choices.destination)
        return made, pictures.told_with(notices) if pictures else notices


def _checked(css: str | None) -> str | None:
    """Return a stylesheet in which nothing is refused; raises `InvalidStylesheet`."""
    overlay_rules(css)
    return css


def _media_type(choices: Choices) -> str:
    return f"text/{'plain' if get_destination(choices.destination).is_text else 'html'}; charset=utf-8"


def _word(stamps: list[Stamp]) -> str:
    return sha256(repr(stamps).encode()).hexdigest()[:16]
