"""How elements look in Word: what the template's rules come to in their places, in Word's terms.

Word has named styles for paragraphs (`Normal`, `Heading 1` …), takes everything about letters from runs of text, and
shading from paragraphs and cells. What becomes of a look, as a paragraph's style or a cell's, is said in `styles`.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import ceil

from mdpublish_core.figures.colors import is_dark
from mdpublish_core.templates.cascade import Computed, in_points, pt
from mdpublish_core.templates.matcher import Project
from mdpublish_core.templates.theme import Fonts

TEXT_WIDTH = 600
"""The width of a page's text in px: what A4 and US Letter both have between margins of an inch, to be on the safe side."""

SIDES = ("top", "right", "bottom", "left")

CALLOUT = "callout"
"""What a callout's `div` is called here, to tell it from others, which are no cells."""

WEIGHTS = {"400": "normal", "700": "bold"}
"""Word's words for weights; it takes others for one of the two."""

HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")

# Elements that begin another of Word's styles for the paragraphs in them.
_STYLE_NAMES = {
    **{heading: f"Heading {heading[1]}" for heading in HEADINGS},
    **dict.fromkeys(("&", CALLOUT, "td", "th", "dt", "dd", "details", "summary", "figure"), "Normal"),
    **dict.fromkeys(("caption", "figcaption"), "Caption"),
    "blockquote": "Quote",
    "hr": "Spacer",
    "pre": "Code",
    "section": "Footnote Text",
}

_CELLS = frozenset({"th", "td", "pre", CALLOUT})
"""Elements that are cells, or that are written as cells: their borders, padding and ground are the cell's."""

_CONTAINERS = frozenset({"&", "blockquote", "div", "dl", "ul", "ol", "section", "details", "figure"})
_TABLE_PARTS = frozenset({"table", "thead", "tbody", "tr"})

BOXES = _CELLS | _CONTAINERS | _TABLE_PARTS
"""Elements whose margins, borders and padding are no paragraph's, though a paragraph may be written in their name."""

_PARAGRAPHS = frozenset({*HEADINGS, "p", "li", "dt", "dd", "summary", "figcaption", "caption", "hr"})

# Elements whose ground shows behind all that stands in them; that of others shows behind their own letters.
_GROUNDED = BOXES | _PARAGRAPHS

_OF_RUNS = (
    *("font-family", "font-size", "font-weight", "font-style", "font-variant", "color"),
    *("text-decoration", "letter-spacing", "text-transform"),
)

# What the elements that are written mean by themselves.
_IMPLIED: Mapping[str, Mapping[str, str]] = {
    "em": {"font-style": "italic"},
    "strong": {"font-weight": "700"},
    "del": {"text-decoration": "line-through"},
    "ins": {"text-decoration": "underline"},
}

# What has to be said of links, which Word and browsers give colours and lines of their own.
_ALWAYS_SAID: Mapping[str, frozenset[str]] = {"a": frozenset({"color", "text-decoration"})}

# Word makes raised and lowered letters smaller by itself.
_UNSAID: Mapping[str, frozenset[str]] = dict.fromkeys(("sub", "sup"), frozenset({"font-size"}))

_COLOR = re.compile(r"#[0-9a-f]{6}", re.IGNORECASE)
_SHORT_COLOR = re.compile(r"#[0-9a-f]{3}", re.IGNORECASE)
_NUMBER = re.compile(r"\d+\.?\d*|\.\d+")
_WIDTH = re.compile(r"(\d+\.?\d*|\.\d+)px")

# Word draws no border that is wider, in px.
_WIDEST_BORDER = 8.0

# The forms of bullets that Word has; whatever else a template asks for is a disc.
_BULLETS = frozenset({"circle", "square", "none"})


@dataclass(frozen=True)
class Look:
    """How an element looks in its place.

    `style_name` is Word's style for paragraphs in it, `ground` the colour behind its text, `painted` the colour that is
    surely there already, on the page or in a cell; `paints` tells whether a cell has to be painted. `run` is the style of a
    run of text in the element, where it stands in its parent's.
    """

    tag: str
    style_name: str
    computed: Computed
    font_family: str
    ground: str
    painted: str | None
    paints: bool
    run: str

    @cached_property
    def _hash(self) -> int:
        return hash((self.tag, self.style_name, self.computed, self.ground, self.painted, self.run))

    def __hash__(self) -> int:
        """Return a number that is found once, since what is made of a look is looked up for each paragraph."""
        return self._hash

    def length(self, name: str) -> float:
        """Return a length in px; one in percent is of the text's width."""
        value = self.computed.get(name)
        if value.endswith("%"):
            share = value.removesuffix("%")
            return float(share) * TEXT_WIDTH / 100 if _NUMBER.fullmatch(share) else 0.0
        return self.computed.px(name)

    @cached_property
    def top(self) -> float:
        """The margin above it, in px."""
        return max(0.0, self.length("margin-top"))

    @cached_property
    def bottom(self) -> float:
        """The margin below it, in px."""
        return max(0.0, self.length("margin-bottom"))

    @cached_property
    def left(self) -> float:
        """How far its text stands from the left, in px."""
        if self.tag == "hr":
            return self._beside("left", "right")
        return max(0.0, self.length("margin-left")) + self.length("padding-left") + self.border_width("left")

    @cached_property
    def right(self) -> float:
        """How far its text stands from the right, in px."""
        if self.tag == "hr":
            return self._beside("right", "left")
        return max(0.0, self.length("margin-right")) + self.length("padding-right") + self.border_width("right")

    def _beside(self, side: str, other: str) -> float:
        """Return the space beside a rule, which has a width of its own, at a side that may be as wide as it takes."""
        if self.computed.get(f"margin-{side}") != "auto":
            return max(0.0, self.length(f"margin-{side}"))
        room = max(0.0, TEXT_WIDTH - (self.length("width") or TEXT_WIDTH))
        return room / 2 if self.computed.get(f"margin-{other}") == "auto" else room - self.length(f"margin-{other}")

    def border(self, side: str) -> str | None:
        """Return the border of a side, in points, if it can be seen."""
        return self._borders[side][0]

    def border_width(self, side: str) -> float:
        """Return the width of a side's border, in px."""
        return self._borders[side][1]

    @cached_property
    def _borders(self) -> Mapping[str, tuple[str | None, float]]:
        """The borders of the sides, and their widths."""
        return {side: _border(self.computed.get(f"border-{side}")) for side in SIDES}

    @cached_property
    def unseen_border(self) -> str:
        """A border of the ground's own colour."""
        return f"0.5pt solid {self.ground}" if _COLOR.fullmatch(self.ground) else "none"

    @cached_property
    def line_height(self) -> float:
        """The height of a line, in px."""
        value = self.computed.get("line-height")
        return float(value) * self.computed.font_size if _NUMBER.fullmatch(value) else self.computed.px("line-height")

    @cached_property
    def run_attributes(self) -> tuple[tuple[str, str], ...]:
        """The attributes of a run; none where it looks like its parent."""
        return (("style", self.run),) if self.run else ()

    @cached_property
    def bullet(self) -> str:
        """The form of a list's marks, as Word knows it."""
        value = self.computed.get("list-style-type")
        if self.tag == "ol":
            return value if value != "0" else "decimal"
        return value if value in _BULLETS else "disc"


def _border(value: str) -> tuple[str | None, float]:
    """Return a border in points, and its width in px; None and 0 where it cannot be seen."""
    width = _WIDTH.search(value)
    if not width or not float(width[1]) or "none" in value or "transparent" in value:
        return None, 0.0
    if float(width[1]) > _WIDEST_BORDER:
        return in_points(value.replace(width[0], f"{_WIDEST_BORDER}px")), _WIDEST_BORDER
    return in_points(value), float(width[1])


def points(length: float) -> str:
    """Return a length of so many px in points; LibreOffice reads a bare 0 as if nothing were there."""
    written = pt(length)
    return "0pt" if written == "0" else written


def letter_points(size: float) -> str:
    """Return a size of letters, in px, in points: Word counts these in halves."""
    return f"{ceil(size * 1.5 - 0.5) / 2:g}pt"


@lru_cache(maxsize=512)
def project_for(fonts: Fonts) -> Project[Look]:
    """Return what makes the looks of a template's elements."""
    return _Projection(fonts)


class _Projection:
    """Makes the looks of elements; where a font is not there, another of its kind takes its place."""

    def __init__(self, fonts: Fonts) -> None:
        named, generic = fonts.word, fonts.web
        families = ((named.body, generic.body), (named.heading, generic.heading), (named.mono, generic.mono))
        self._families = {f'"{name}"' if " " in name else name: f"'{name}',{stack[-1]}" for name, stack in families}

    def __call__(self, element: str, declared: Mapping[str, str], parent: Look | None) -> Look:
        tag = CALLOUT if element.startswith("div.callout") else element.partition(".")[0]
        computed = Computed.of(declared, parent.computed if parent else None)
        own = _long(declared.get("background-color", "transparent"))
        is_grounded = tag in _GROUNDED and own != "transparent"
        ground = own if is_grounded or parent is None else parent.ground
        painted = parent.painted if parent else (None if _is_dark(ground) else ground)
        return Look(
            tag=tag,
            style_name=_style_name(tag, parent),
            computed=computed,
            font_family=self._family(computed.get("font-family")),
            ground=ground,
            painted=ground if tag in _CELLS else painted,
            paints=ground != painted,
            run=self._run(tag, computed, parent, own) if parent else "",
        )

    def _run(self, tag: str, computed: Computed, parent: Look, ground: str) -> str:
        """Return what tells a run from the text around it."""
        implied, said, unsaid = _IMPLIED.get(tag, {}), _ALWAYS_SAID.get(tag, ()), _UNSAID.get(tag, ())
        declared = []
        for name in _OF_RUNS:
            value = computed.get(name)
            differs = value != (implied.get(name) or parent.computed.get(name))
            if name in said or (differs and name not in unsaid):
                declared.append(f"{name}:{self._value(name, value, computed)}")
        if tag not in _GROUNDED:
            declared += [f"background:{ground}"] if ground != "transparent" else []
            borders = {computed.get(f"border-{side}") for side in SIDES}
            if len(borders) == 1 and _WIDTH.search(border := borders.pop()):
                declared.append(f"border:{in_points(border)};mso-border-alt:{in_points(border)}")
        return ";".join(declared)

    def _value(self, name: str, value: str, computed: Computed) -> str:
        if name == "font-family":
            return self._family(value)
        if name == "font-weight":
            return WEIGHTS.get(value, value)
        if name == "font-size":
            return letter_points(computed.font_size)
        return in_points(value)

    def _family(self, value: str) -> str:
        return self._families.get(value, value.replace('"', "'"))


def _style_name(tag: str, parent: Look | None) -> str:
    above = parent.style_name if parent else "Normal"
    if tag == "li":
        return above if above == "Footnote Text" else "List Paragraph"
    return _STYLE_NAMES.get(tag, above)


def _long(color: str) -> str:
    """Return a colour of three digits with six."""
    return f"#{''.join(digit * 2 for digit in color[1:])}" if _SHORT_COLOR.fullmatch(color) else color


def _is_dark(ground: str) -> bool:
    return bool(_COLOR.fullmatch(ground)) and is_dark(ground.lower())
