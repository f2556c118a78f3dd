"""The templates' fonts: families, files and metrics; `nox -s fonts` writes the data and the font files."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

FONT_FOLDER = Path(__file__).parents[1] / "themes" / "fonts"
"""The files, each family with its license."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricOverrides:
    """CSS metric overrides of a fallback font, in percent."""

    size_adjust: float
    ascent: float
    descent: float
    line_gap: float


@dataclass(frozen=True, slots=True, kw_only=True)
class HostedStyle:
    """A style of a family, and its fallback's metrics."""

    weight: int
    is_italic: bool
    latin: str
    """Western European text."""

    extended: str | None
    """`extended_unicode_range`."""

    mixed_case: MetricOverrides

    all_caps: MetricOverrides

    @property
    def files(self) -> tuple[str, ...]:
        return (self.latin,) if self.extended is None else (self.latin, self.extended)


@dataclass(frozen=True, slots=True, kw_only=True)
class HostedFamily:
    """A family and its fallback."""

    name: str
    fallback: str
    styles: tuple[HostedStyle, ...]


@cache
def hosted_families() -> Mapping[str, HostedFamily]:
    return {name: _family(name, entry) for name, entry in _data()["families"].items()}


def extended_unicode_range() -> str:
    unicode_range: str = _data()["extended_range"]
    return unicode_range


@dataclass(frozen=True, slots=True)
class FormulaFont:
    """The font of formulas, in parts that browsers load as a page needs them."""

    name: str
    parts: tuple[tuple[str, str], ...]
    """File and `unicode-range`; the first is enough for most formulas."""


@cache
def formula_font() -> FormulaFont:
    entry = _data()["formulas"]
    parts = ((entry[part]["file"], entry[part]["range"]) for part in ("frequent", "rare"))
    return FormulaFont(entry["name"], tuple(parts))


def license_file(family: str) -> str:
    return f"{family.lower().replace(' ', '-')}.OFL.txt"


def hosted_files() -> frozenset[str]:
    """Return the names of all font files."""
    styles = (style for family in hosted_families().values() for style in family.styles)
    return frozenset(name for style in styles for name in style.files) | {name for name, _ in formula_font().parts}


@cache
def _data() -> dict[str, Any]:
    import json

    content = Path(__file__).with_name("hosted_fonts.json").read_text("utf-8")
    data: dict[str, Any] = json.loads(content)
    return data


def _family(name: str, entry: dict[str, Any]) -> HostedFamily:
    return HostedFamily(name=name, fallback=entry["fallback"], styles=tuple(map(_style, entry["styles"])))


def _style(entry: dict[str, Any]) -> HostedStyle:
    names = entry["files"]
    return HostedStyle(
        weight=entry["weight"],
        is_italic=entry["is_italic"],
        latin=names["latin"],
        extended=names.get("extended"),
        mixed_case=MetricOverrides(**entry["letters"]),
        all_caps=MetricOverrides(**entry["capitals"]),
    )
