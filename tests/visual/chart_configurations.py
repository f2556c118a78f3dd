"""Our chart configurations, option by option along Chart.js's documentation."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

KINDS = (
    "bar",
    "line",
    "pie",
    "doughnut",
    "radar",
    "polar_area",
    "scatter",
    "bubble",
    "mixed",
    "time",
    "axes",
    "legends_and_titles",
)

CARTESIAN_SIZE = 640, 320
"""CSS pixels, for charts with axes."""

ROUND_SIZE = 400, 400
"""CSS pixels, for radial charts."""

_ROUND_TYPES = frozenset({"pie", "doughnut", "radar", "polarArea"})

_FOLDER = Path(__file__).parent / "charts"

_FENCE = re.compile(r"^## (.+)\n\n(?:[^#`\n].*\n+)*```chart\n((?:.*\n)*?)```$", re.MULTILINE)


@dataclass(frozen=True)
class Configuration:
    kind: str
    name: str
    source: str

    @cached_property
    def json(self) -> dict[str, Any]:
        read: dict[str, Any] = json.loads(self.source)
        return read

    @property
    def size(self) -> tuple[int, int]:
        """CSS pixels; `aspectRatio` determines the height."""
        width, height = ROUND_SIZE if self.json.get("type") in _ROUND_TYPES else CARTESIAN_SIZE
        ratio = self.json.get("options", {}).get("aspectRatio")
        return width, round(width / ratio) if ratio else height

    def __str__(self) -> str:
        return f"{self.kind}: {self.name}"


@cache
def configurations() -> tuple[Configuration, ...]:
    return tuple(configuration for kind in KINDS for configuration in _read(kind))


def _read(kind: str) -> Iterator[Configuration]:
    path = _FOLDER / f"{kind}.md"
    markdown = path.read_text("utf-8")
    result = [Configuration(kind, fence[1], fence[2]) for fence in _FENCE.finditer(markdown)]
    assert len(result) == markdown.count("\n## ") == markdown.count("```chart\n"), (
        f"{path.name}: a heading without a fence, or more"
    )
    yield from result
