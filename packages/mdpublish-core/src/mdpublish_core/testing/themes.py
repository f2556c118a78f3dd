"""Hypothesis strategies for valid themes. Colors are random, regardless of contrast."""

import json
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from mdpublish_core.css.colors import CHART_COLORS
from mdpublish_core.figures.patterns import PATTERNS
from mdpublish_core.templates import CATEGORIES, Template
from mdpublish_core.templates.colors import REQUIRED_ROLES, ROLES
from mdpublish_core.templates.loader import parse_theme
from mdpublish_core.templates.stylesheet import variants_of
from mdpublish_core.templates.theme import GENERIC_FAMILIES, LAYOUTS, NUMBERINGS, THEME_VERSION, Variants

_PURPOSES = ("body", "heading", "mono")

_THEME_CSS = (
    "",
    "h1 { color: $accent; }",
    "blockquote > p { padding-left: 1em; border-left: 2px solid $rule; }",
    ".callout.note > .title { text-transform: uppercase; }",
    "h2 + p, li ~ li { margin-top: 0.5em; }",
    "th:first-child { font-style: italic; }",
)

_colors = st.integers(0, 0xFFFFFF).map("#{:06x}".format)
_families = st.sampled_from(("Georgia", "Helvetica Neue", "Courier New", "Inter", "-apple-system"))
_stacks = st.builds(
    lambda names, last: [*names, last], st.lists(_families, max_size=3), st.sampled_from(GENERIC_FAMILIES)
)


@st.composite
def theme_files(draw: DrawFn) -> str:
    """Generate valid theme files."""
    font = {purpose: draw(_stacks) for purpose in _PURPOSES}
    names = {program: {purpose: draw(_families) for purpose in _PURPOSES} for program in ("docs", "word")}
    theme = {
        "version": THEME_VERSION,
        "id": draw(st.from_regex(r"[a-z]{1,8}(-[a-z0-9]{1,4})?", fullmatch=True)),
        "name": "A theme",
        "category": draw(st.sampled_from(CATEGORIES)),
        "description": "Drawn by chance.",
        "keywords": ["report", "calm"],
        "numbering": draw(st.sampled_from(NUMBERINGS)),
        "sections": draw(st.booleans()),
        "layout": draw(st.sampled_from(tuple(LAYOUTS))),
        "list_mark": draw(st.sampled_from(("•", "❧", "»"))),
        "contrast": draw(st.sampled_from((4.5, 7))),
        "css": draw(st.sampled_from(_THEME_CSS)),
        "font": {**font, **names},
        "type": draw(_types()),
        "variants": draw(_variants()),
        "light": draw(_roles()),
        "dark": draw(_roles()),
    }
    if draw(st.booleans()):
        theme["patterns"] = [draw(st.sampled_from(PATTERNS)) for _ in range(CHART_COLORS)]
    return _toml(theme)


def themes() -> SearchStrategy[Template]:
    """Generate templates with any combination of variants, sizes and colors."""
    return theme_files().map(lambda content: parse_theme(content, "theme"))


@st.composite
def _variants(draw: DrawFn) -> dict[str, str]:
    chosen = {name: draw(st.sampled_from(variants_of(name))) for name in Variants._fields}
    if draw(st.booleans()):
        del chosen["h2"]
    return chosen


@st.composite
def _types(draw: DrawFn) -> dict[str, Any]:
    def number(minimum: float, maximum: float) -> float:
        return round(draw(st.floats(minimum, maximum)), 2)

    return {
        "size": number(9, 40),
        "leading": number(1, 2.5),
        "measure": number(15, 80),
        "rhythm": number(0.3, 2),
        "scale": [number(0.5, 8) for _ in range(6)],
        "weight": 100 * draw(st.integers(1, 9)),
        "tracking": number(-0.1, 0.5),
    }


@st.composite
def _roles(draw: DrawFn) -> dict[str, Any]:
    optional = [role for role in ROLES if role not in REQUIRED_ROLES and role != "chart"]
    named = [*REQUIRED_ROLES, *draw(st.lists(st.sampled_from(optional), unique=True, max_size=4))]
    roles: dict[str, Any] = {role: draw(_colors) for role in named}
    if draw(st.booleans()):
        roles["chart"] = [draw(_colors) for _ in range(CHART_COLORS)]
    return roles


def _toml(table: dict[str, Any], name: str = "") -> str:
    """Serialize as TOML, whose strings, numbers and lists are written as in JSON."""
    lines = [f"{key} = {json.dumps(value)}" for key, value in table.items() if not isinstance(value, dict)]
    for key, value in table.items():
        if isinstance(value, dict):
            full = f"{name}.{key}" if name else key
            lines += ["", f"[{full}]", _toml(value, full)]
    return "\n".join(lines)
