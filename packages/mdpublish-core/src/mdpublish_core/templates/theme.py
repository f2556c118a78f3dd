"""What a template is: its names, fonts, sizes, forms and colours, and its own rules, all of them checked.

`loader` makes one of a theme file.
"""

from dataclasses import dataclass, field, fields
from typing import Literal, get_args

from mdpublish_core.figures.colors import MIN_TEXT_CONTRAST
from mdpublish_core.templates.colors import Colors

__all__ = [
    "CATEGORIES",
    "TYPOGRAPHY_RULES",
    "Category",
    "Colors",
    "FontNames",
    "FontStacks",
    "Fonts",
    "HostedFonts",
    "Template",
    "Typography",
    "Variants",
]

Numbering = Literal["none", "decimal", "roman", "legal"]
"""How the sections of a document are numbered."""

NUMBERINGS: tuple[Numbering, ...] = get_args(Numbering)

Category = Literal["free", "business", "academic", "developer", "creative", "dark", "productivity", "special"]

CATEGORIES: tuple[Category, ...] = get_args(Category)

TYPOGRAPHY_RULES = {
    "size": "text of 16 px or more",
    "leading": "a leading of 1.45 to 1.7",
    "measure": "60 to 75 characters on a line of a standard page",
    "phone": "30 characters or more on a line of a telephone 320 px wide",
    "gap": "half a line to one line between paragraphs, or an indent",
    "scale": "h1 of 1.6 to 2.8 text sizes, and every level smaller than the one before",
    "space": "more space above a heading than below, half as much again or more",
}
"""The checks of good typography that a theme may say it breaks, and why."""

GENERIC_FAMILIES = ("serif", "sans-serif", "monospace", "cursive", "fantasy", "system-ui")


@dataclass(frozen=True, slots=True)
class FontStacks:
    """Font families by what they are for, each a list in the order of preference that ends in a generic family."""

    body: tuple[str, ...]
    heading: tuple[str, ...]
    mono: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FontNames:
    """One font family for each purpose, by the name that it has in a certain program."""

    body: str
    heading: str
    mono: str


@dataclass(frozen=True, slots=True)
class HostedFonts:
    """The hosted family for each purpose that a published page may load, where its server has them; None for none."""

    body: str | None = None
    heading: str | None = None
    mono: str | None = None


@dataclass(frozen=True, slots=True)
class Fonts:
    """The fonts of web pages, and those to ask for in mails, Google Docs and Word; and those that a page may load."""

    web: FontStacks
    email: FontStacks
    docs: FontNames
    word: FontNames
    hosted: HostedFonts = field(default_factory=HostedFonts)


@dataclass(frozen=True, slots=True)
class Typography:
    """Sizes and distances; each number is within its `RANGES`."""

    size: float
    """The text's size in px."""

    leading: float
    """The line height in text sizes."""

    measure: float
    """The width of a standard page in em."""

    rhythm: float
    """The gap between paragraphs in em; other blocks stand half as much again apart."""

    scale: tuple[float, ...]
    """Six sizes, of h1 to h6, in text sizes."""

    weight: int
    """The weight of headings, in hundreds."""

    tracking: float
    """What the letters of headings are set apart in em."""


@dataclass(frozen=True, slots=True)
class Variants:
    """Which of its variants each element has; the variants that there are stand in `stylesheets`."""

    h1: str
    paragraph: str
    quote: str
    callout: str
    code: str
    table: str
    rule: str
    list: str
    h2: str | None = None
    """None: it looks as the variant of h1 says."""

    def named(self) -> dict[str, str]:
        """Return the name of each element's variant, by element; h2 only where it has one of its own."""
        names = {entry.name: getattr(self, entry.name) for entry in fields(self)}
        return {element: name for element, name in names.items() if name}


@dataclass(frozen=True, slots=True)
class Template:
    """A style for documents: who it is, and what its theme file says."""

    id: str
    """What it is asked for by."""

    name: str
    """What people call it."""

    category: Category
    """The category it is listed under."""

    description: str
    """What it looks like, and what it is good for, in one line."""

    fonts: Fonts = field(repr=False)
    """Its fonts, by reader."""

    type: Typography = field(repr=False)
    """Its sizes and distances."""

    variants: Variants = field(repr=False)
    """The form of each element."""

    light: Colors = field(repr=False)
    """Its colours in the light theme mode."""

    dark: Colors = field(repr=False)
    """Its colours in the dark theme mode."""

    ornament: str = field(default="* * *", repr=False)
    """The text that stands for a rule of the variant `asterism`."""

    list_mark: str = field(default="•", repr=False)
    """The mark of lists of the variant `mark`, on web pages."""

    numbering: Numbering = field(default="none", repr=False)
    """How sections are numbered: `1.1`, as papers do with `I.` and `A.`, or as contracts do with `1.`, `1.1` and `(a)`."""

    has_sections: bool = field(default=False, repr=False)
    """Whether web pages have each heading of the second level, and what follows it, in a `section` of the class `part`."""

    contrast: float = field(default=MIN_TEXT_CONTRAST, repr=False)
    """The least contrast of all text to what it stands on."""

    css: str = field(default="", repr=False)
    """Rules of its own, for every destination with a style."""

    web_css: str = field(default="", repr=False)
    """Rules of its own, for web pages alone."""

    exceptions: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    """The checks that the design breaks, each with its reason."""


# Least and greatest value of each number, which keep a slip of the pen from making an unreadable page.
RANGES = {
    "size": (9, 40),
    "leading": (1.0, 2.5),
    "measure": (15, 80),
    "rhythm": (0.3, 2.0),
    "scale": (0.5, 8.0),
    "weight": (100, 900),
    "tracking": (-0.1, 0.5),
}

CONTRASTS = (MIN_TEXT_CONTRAST, 12)
"""Least and greatest contrast that a theme may ask for."""
