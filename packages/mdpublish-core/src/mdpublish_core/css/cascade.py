"""CSS cascade for the stylesheets' small grammar: shorthands, inheritance, lengths in px, `style` attributes.

There is no browser stylesheet: an element without rules has no declarations.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Self, TypeVar

from mdpublish_core.data_files import read_names

V = TypeVar("V")

_PROPERTIES = read_names(__file__, "properties.tsv")

INHERITED = frozenset(_PROPERTIES["inherited"])
INITIAL: Mapping[str, str] = _PROPERTIES["initial"]

SIDES = ("top", "right", "bottom", "left")

KEYWORDS: Mapping[str, Sequence[str]] = {name: words.split() for name, words in _PROPERTIES["keywords"].items()}
"""Keywords that every destination knows; those of users are rewritten into these."""

_SIDE_INDEXES = {1: (0, 0, 0, 0), 2: (0, 1, 0, 1), 3: (0, 1, 2, 1), 4: (0, 1, 2, 3)}

_EM = re.compile(r"(-?(?:\d+\.?\d*|\.\d+))em\b")
_NUMBER = re.compile(r"-?(?:\d+\.?\d*|\.\d+)")

_BORDER = re.compile(rf"(\d+\.?\d*|\.\d+)px ({'|'.join(KEYWORDS['border-style'])}) (#[0-9a-f]{{6}})")

_WEIGHTS = {"normal": "400", "bold": "700"}

# https://www.w3.org/TR/css-fonts-4/#font-style-matching
_MIN_BOLD_WEIGHT = 600


def parse_declarations(declarations: str) -> dict[str, str]:
    """Parse a rule, with `margin`, `padding` and `border` expanded to sides."""
    declared: dict[str, str] = {}
    for declaration in declarations.split(";"):
        name, colon, value = declaration.partition(":")
        if colon:
            declared.update(_longhands(name.strip().lower(), value.strip()))
    return declared


def _longhands(name: str, value: str) -> Iterator[tuple[str, str]]:
    if name in {"margin", "padding"}:
        for side, each in zip(SIDES, four_sides(value.split()), strict=True):
            yield f"{name}-{side}", each
    elif name == "border":
        for side in SIDES:
            yield f"border-{side}", value
    elif name == "font-weight":
        yield name, _WEIGHTS.get(value, value)
    else:
        yield name, value


def four_sides(values: Sequence[V]) -> list[V]:
    """Return the values of `SIDES`, of which a shorthand gives one to four."""
    return [values[index] for index in _SIDE_INDEXES[len(values)]]


class Border(NamedTuple):
    """A visible border; `width` is in px, `color` is `#rrggbb`."""

    width: float
    style: str
    color: str


@dataclass(slots=True)
class ComputedValues:
    """An element's computed values: em lengths in px, decorations merged with the parent's. They must not be changed.

    `items` are sorted; `font_size` is in px.
    """

    items: tuple[tuple[str, str], ...]
    font_size: float
    values: Mapping[str, str] = field(init=False, compare=False, repr=False)
    _hash: int = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        self.values = dict(self.items)
        # Caches of what follows from them ask for it often.
        self._hash = hash((self.items, self.font_size))

    def __hash__(self) -> int:
        return self._hash

    def get(self, name: str) -> str:
        """Return the value or its initial value; "0" for lengths and borders."""
        return self.values.get(name) or INITIAL.get(name, "0")

    def px(self, name: str, whole: float = 0.0) -> float:
        """Return a length in px; percentages are of `whole`."""
        value = self.values.get(name, "0")
        if value.endswith("%"):
            return float(value.removesuffix("%")) * whole / 100
        return float(value.removesuffix("px")) if _NUMBER.fullmatch(value.removesuffix("px")) else 0.0

    def border(self, side: str) -> Border | None:
        border = _BORDER.fullmatch(self.get(f"border-{side}"))
        return Border(float(border[1]), border[2], border[3]) if border and float(border[1]) else None

    @property
    def is_bold(self) -> bool:
        weight = self.get("font-weight")
        return weight.isdecimal() and int(weight) >= _MIN_BOLD_WEIGHT

    @classmethod
    def compute(cls, declared: Mapping[str, str], parent: Self | None) -> Self:
        inherited = parent.values if parent else {}
        size = _font_size(declared.get("font-size", "1em"), parent.font_size if parent else 16.0)
        values = {name: value for name, value in inherited.items() if name in INHERITED}
        for name, value in declared.items():
            values[name] = _resolved(name, value, size)
        values["font-size"] = px(size)
        if not _NUMBER.fullmatch(values.get("line-height", "1")):
            values["line-height"] = _line_height_factor(values["line-height"], size)
        if parent and "text-decoration" in declared:
            values["text-decoration"] = _decorations(values["text-decoration"], inherited.get("text-decoration"))
        return cls(tuple(sorted(values.items())), size)


def computed_values(_element: str, declared: Mapping[str, str], parent: ComputedValues | None) -> ComputedValues:
    """Return computed values alone, as the style of an element."""
    return ComputedValues.compute(declared, parent)


def px(length: float) -> str:
    return f"{length:.2f}".rstrip("0").rstrip(".") + "px" if abs(length) >= 0.005 else "0"


def pt(length: float) -> str:
    points = f"{length * 0.75:.1f}".removesuffix(".0")
    return "0" if points in {"0", "-0"} else f"{points}pt"


def px_to_pt(value: str) -> str:
    return re.sub(r"(-?[\d.]+)px\b", lambda length: pt(float(length[1])), value)


def style_attribute(declared: Iterable[tuple[str, str]]) -> str:
    values = dict(declared)
    written: list[str] = []
    for name, value in values.items():
        group, _, side = name.rpartition("-")
        sides = [values.get(f"{group}-{each}") for each in SIDES] if group in {"margin", "padding", "border"} else []
        if not sides or None in sides or (group == "border" and len(set(sides)) > 1):
            written.append(f"{name}:{value}")
        elif side == "top":
            written.append(f"{group}:{_shorthand([each or '0' for each in sides])}")
    return ";".join(written)


def _shorthand(sides: list[str]) -> str:
    top, right, bottom, left = sides
    if left != right:
        return " ".join(sides)
    if top != bottom:
        return f"{top} {right} {bottom}"
    return top if top == right else f"{top} {right}"


def _font_size(value: str, parent: float) -> float:
    if value.endswith("em"):
        return float(value.removesuffix("em")) * parent
    if value.endswith("%"):
        return float(value.removesuffix("%")) * parent / 100
    return float(value.removesuffix("px"))


def _resolved(name: str, value: str, font_size: float) -> str:
    if name == "font-family" or "em" not in value:
        return value
    return _EM.sub(lambda length: px(float(length[1]) * font_size), value)


def _line_height_factor(line_height: str, font_size: float) -> str:
    pixels = (
        font_size * float(line_height[:-1]) / 100
        if line_height.endswith("%")
        else float(line_height.removesuffix("px"))
    )
    return f"{pixels / font_size:.4g}" if font_size else "1"


def _decorations(value: str, inherited: str | None) -> str:
    if not inherited or inherited == "none":
        return value
    return inherited if value in {"none", inherited} else f"{inherited} {value}"
