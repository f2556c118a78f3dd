"""Hosted fonts: the families that a published page may load from where it is served, with their files and measures.

The facts stand in `hosted_fonts.json`, which `nox -s fonts` writes together with the files; those come with the server.
What a template makes of them is `web_fonts`'s affair.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricOverrides:
    """What makes a font that everybody has as wide and as high as another, in per cent, as CSS names it."""

    size_adjust: float
    ascent: float
    descent: float
    line_gap: float


@dataclass(frozen=True, slots=True, kw_only=True)
class HostedStyle:
    """One style of a family: its files, and how the family's fallback fits it."""

    weight: int
    is_italic: bool
    latin: str
    """The file for what Western Europe writes."""

    extended: str | None
    """The file for the further letters of `extended_unicode_range`, if there is one."""

    mixed_case: MetricOverrides
    """For text as it is mostly written."""

    all_caps: MetricOverrides
    """For text in capitals alone: some families have narrow ones, others wide ones."""

    @property
    def files(self) -> tuple[str, ...]:
        """The names of its files."""
        return (self.latin,) if self.extended is None else (self.latin, self.extended)


@dataclass(frozen=True, slots=True, kw_only=True)
class HostedFamily:
    """A family, by the name that CSS has for it, and the font that stands in for it until it is there."""

    name: str
    fallback: str
    styles: tuple[HostedStyle, ...]


@cache
def hosted_families() -> Mapping[str, HostedFamily]:
    """Return the families that are hosted, by name, in the order of their names."""
    return {name: _family(name, entry) for name, entry in _data()["families"].items()}


def extended_unicode_range() -> str:
    """Return the letters of the second file of a style, as CSS writes a range."""
    unicode_range: str = _data()["extended_range"]
    return unicode_range


@cache
def _data() -> dict[str, Any]:
    content = (files("mdpublish_core") / "templates" / "hosted_fonts.json").read_text("utf-8")
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
