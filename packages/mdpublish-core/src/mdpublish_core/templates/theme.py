"""The contents of a validated theme file."""

from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, get_args

from mdpublish_core.css.colors import MIN_TEXT_CONTRAST
from mdpublish_core.data_files import read_fields, read_names
from mdpublish_core.templates.colors import Colors

Numbering = Literal["none", "decimal", "roman", "legal"]

NUMBERINGS: tuple[Numbering, ...] = get_args(Numbering)

_TABLES = read_names(__file__, "theme.tsv")


class Layout(NamedTuple):
    """What a page needs for a layout below its title, beside the stylesheet of its name."""

    has_sections: bool = False
    """Whether it arranges sections."""

    full_width: int = 1050
    """Width in px that a full-width page leaves its text in a window of 1280 px; 0 if pages have one width."""

    has_side_notes: bool = False
    """Whether footnotes may stand beside the text."""

    has_two_sides: bool = True
    """Whether the text has room on both sides, as it has without a layout."""

    has_room_for_contents: bool = True
    """Whether contents may stand before the text, where a theme has a `contents_window`."""


LAYOUTS = {name: Layout(**read_fields(fields)) for name, fields in _TABLES["layout"].items()}

Category = Literal["free", "business", "academic", "developer", "creative", "dark", "productivity", "special"]
"""Category of a template."""

CATEGORIES: tuple[Category, ...] = get_args(Category)
"""Categories, in the order of the catalog."""

THEME_VERSION = 2
"""Version of the format of theme files. Version 1 had no slots, and no key that says so."""

TYPOGRAPHY_RULES = _TABLES["type check"]
SLOT_RULES = _TABLES["slot check"]
CHECKS = {**TYPOGRAPHY_RULES, **SLOT_RULES}
"""Checks that a theme may break on purpose."""

SERIF, MONOSPACE = "serif", "monospace"

GENERIC_FAMILIES = (SERIF, "sans-serif", MONOSPACE, "cursive", "fantasy", "system-ui")


class FontStacks(NamedTuple):
    """Font stacks by purpose; each ends in a generic family."""

    body: tuple[str, ...]
    heading: tuple[str, ...]
    mono: tuple[str, ...]


class FontNames(NamedTuple):
    """One font by purpose, under a program's name."""

    body: str
    heading: str
    mono: str


class HostedFonts(NamedTuple):
    """Web fonts by purpose, loaded from the page's server."""

    body: str | None = None
    heading: str | None = None
    mono: str | None = None


class Fonts(NamedTuple):
    """Fonts by reader."""

    web: FontStacks
    email: FontStacks
    docs: FontNames
    word: FontNames
    hosted: HostedFonts = HostedFonts()


class Typography(NamedTuple):
    """Sizes and distances, limited by `RANGES`."""

    size: float
    """Text size in px. Pages show text an eighth larger, at most 20 px, in windows from 1,200 px on."""

    leading: float
    """Line height in text sizes."""

    measure: float
    """Width of a standard page in em."""

    rhythm: float
    """Space between paragraphs in em; other blocks have half as much again."""

    scale: tuple[float, ...]
    """Sizes of h1 to h6 in text sizes: six numbers, or one of `SCALES` by name."""

    weight: int
    """Weight of headings, in hundreds."""

    tracking: float
    """Letter spacing of headings in em."""

    email_measure: float | None = None
    """Width of emails in em; None: that of a standard page. Tables need more room than lines of text."""

    wide_measure: float | None = None
    """Width in em of tables wider than the text, in a window of 1280 px; None: that of 80 columns of code."""

    full_measure: float | None = None
    """Width in em of the text of a full-width page in a window of 1280 px; None: what the layout leaves, else 1050 px.

    Layouts that leave no more room on wider pages, such as columns, set it to `measure`.
    """

    print_size: float = 11
    """Text size on paper, in points."""

    title: float | None = None
    """Size of h1 in text sizes, instead of the first of the scale."""


def _numbers(kind: str) -> dict[str, tuple[float, ...]]:
    return {
        name: tuple(float(each) if "." in each else int(each) for each in cell.split())
        for name, cell in _TABLES[kind].items()
    }


SCALES = _numbers("scale")
"""Sizes of h1 to h6 by role."""


class Variants(NamedTuple):
    """The variant of each element."""

    h1: str
    paragraph: str
    quote: str
    callout: str
    code: str
    table: str
    rule: str
    list: str
    h2: str | None = None
    """None: derived from h1's variant."""

    dress: str = "solid"
    """Form of charts and diagrams, unless `figures` says otherwise, and the rules of tables."""

    def named(self) -> dict[str, str]:
        return {element: name for element, name in self._asdict().items() if name}


@dataclass(frozen=True, slots=True)
class Template:
    """A style for documents, as its theme file defines it."""

    id: str
    """The id, for use as `template`."""

    name: str
    """The display name."""

    category: Category
    """The category."""

    description: str
    """What it looks like and what it suits, in one line."""

    fonts: Fonts = field(repr=False)
    """Fonts by reader."""

    type: Typography = field(repr=False)
    """Sizes and distances."""

    variants: Variants = field(repr=False)
    """Variants of elements."""

    light: Colors = field(repr=False)
    """Colors in the light theme mode."""

    dark: Colors = field(repr=False)
    """Colors in the dark theme mode."""

    keywords: tuple[str, ...] = field(default=(), repr=False)
    """What it suits, and its moods: what a search finds it by."""

    example: str = field(default="proposal", repr=False)
    """The document that shows what it is made for, the name of a file in `gallery/examples`."""

    ornament: str = field(default="* * *", repr=False)
    """Text of a thematic break in the variant `asterism`."""

    list_mark: str = field(default="•", repr=False)
    """Bullet of lists in the variant `mark`, on web pages."""

    numbering: Numbering = field(default="none", repr=False)
    """Section numbers: `decimal` (1.1), `roman` (I., A.) or `legal` (1., 1.1, (a))."""

    has_sections: bool = field(default=False, repr=False)
    """Whether web pages wrap each level 2 heading and its content in a `section` of class `part`."""

    has_dates: bool = field(default=False, repr=False)
    """Whether emphasis or code at the end of a level 3 heading is a date, which Word files have at the right edge."""

    layout: str | None = field(default=None, repr=False)
    """How web pages are laid out below the title, one of `LAYOUTS`; None: in a single column."""

    contents_window: float = field(default=0, repr=False)
    """Width in em of the window from which on a standard page has its contents beside the text; 0: below the title."""

    contents_away: float = field(default=32, repr=False)
    """Room in px between the text and the contents beside it, with what a theme has there, such as a sheet's edge."""

    contrast: float = field(default=MIN_TEXT_CONTRAST, repr=False)
    """Minimum contrast of all text to its background."""

    patterns: tuple[str, ...] = field(default=(), repr=False)
    """Patterns of the chart colors, by name; empty if colors alone tell series apart."""

    figures: tuple[tuple[str, Any], ...] = field(default=(), repr=False)
    """Form of figures: the fields of `FigureDress` that the theme sets."""

    emblem: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    """Shapes above the title of social images, each a color, `#rrggbb` or `$role`, and an SVG path in px."""

    css: str = field(default="", repr=False)
    """The theme's rules for every destination with styles."""

    web_css: str = field(default="", repr=False)
    """The theme's rules for web pages."""

    exceptions: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    """Failed checks that the design accepts, each with its reason."""


MAX_CSS_BYTES = 4096
"""Size of `css` and `web_css` together."""

RANGES = _numbers("range")

CONTRASTS = (MIN_TEXT_CONTRAST, 12)

CONTENTS_WINDOWS = (75, 200)

CONTENTS_AWAY = (16, 600)
