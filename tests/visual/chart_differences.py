"""Where our charts differ from Chart.js's: in geometry, and in the overlap of the images."""

import json
import math
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from mdpublish_core.css.colors.parsing import parse_css_color
from tests.visual import chart_dumps
from tests.visual.chart_configurations import Configuration
from tests.visual.chart_ranges import AXIS
from tests.visual.chartjs import Overlap, ReferenceChart, RenderedChart, Screenshots

PIXELS = 1.0
"""CSS pixels."""

VALUES = 1e-9
"""Of ticks, relative to the axis's largest."""

# Line widths and radii in px, angles in radians (1 px at 200 px from the center) and degrees.
_STYLES = 0.05
_RADIANS = 0.005
_DEGREES = 0.5

_CHANNEL, _ALPHA = 1, 2
"""Of colors, in 255ths."""

_COLORS = frozenset({"backgroundColor", "borderColor", "fillStyle", "strokeStyle"})

_SLACKS = {
    "borderWidth": _STYLES,
    "lineWidth": _STYLES,
    "radius": _STYLES,
    "tension": _STYLES,
    "startAngle": _RADIANS,
    "endAngle": _RADIANS,
}

# Without these an element is invisible.
_GEOMETRY = {
    "bar": ("x", "y", "base", "width", "height"),
    "point": ("x", "y"),
    "arc": ("x", "y", "startAngle", "endAngle", "innerRadius", "outerRadius"),
}

_TOGETHER = 20


@dataclass(frozen=True, slots=True)
class Difference:
    what: str
    theirs: object
    ours: object

    def __str__(self) -> str:
        return f"{self.what}: theirs {json.dumps(self.theirs)[:200]}, ours {json.dumps(self.ours)[:200]}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """`problem` says why there is no image of ours."""

    differences: tuple[Difference, ...] = ()
    overlap: Overlap | None = None
    problem: str | None = None


def differences(theirs: dict[str, Any], ours: dict[str, Any]) -> list[Difference]:
    """Return differences beyond the tolerances."""
    result: list[Difference] = []
    for key in ("width", "height", "area", "legend", "titles"):
        result += _compared(key, theirs[key], ours.get(key))
    for name in sorted({*theirs["scales"], *ours.get("scales", {})}):
        result += _of_scale(f"scales.{name}", theirs["scales"].get(name), ours.get("scales", {}).get(name))
    result += _of_list("datasets", theirs["datasets"], ours.get("datasets"), _of_dataset)
    return result


def _of_scale(path: str, theirs: Any, ours: Any) -> Iterator[Difference]:
    if theirs is None or ours is None:
        yield Difference(path, "a scale" if theirs else None, "a scale" if ours else None)
        return
    values = [abs(each) for each in (theirs["min"], theirs["max"]) if each is not None]
    slack = VALUES * max(values, default=0)
    unseen = () if theirs["display"] else (("top", "bottom") if theirs["axis"] == "x" else ("left", "right"))
    for key, value in theirs.items():
        key_path = f"{path}.{key}"
        if key in unseen:
            continue
        if key in {"min", "max"}:
            yield from _of_values(key_path, value, ours.get(key), slack)
        elif key == "ticks":
            yield from _of_list(key_path, value, ours.get(key), _of_tick(slack))
        elif key == "rotation":
            yield from _compared(key_path, value, ours.get(key), _DEGREES)
        else:
            yield from _compared(key_path, value, ours.get(key))


def _of_tick(slack: float) -> Callable[[str, Any, Any], Iterator[Difference]]:
    def compare(path: str, theirs: Any, ours: Any) -> Iterator[Difference]:
        yield from _of_values(f"{path}.value", theirs["value"], ours.get("value"), slack)
        yield from _compared(f"{path}.label", theirs["label"], ours.get("label"))
        yield from _compared(f"{path}.pixel", theirs["pixel"], ours.get("pixel"))

    return compare


def _of_values(path: str, theirs: Any, ours: Any, slack: float) -> Iterator[Difference]:
    if theirs is None or ours is None:
        if theirs is not ours:
            yield Difference(path, theirs, ours)
    elif not math.isclose(theirs, ours, rel_tol=VALUES, abs_tol=slack):
        yield Difference(path, theirs, ours)


def _of_dataset(path: str, theirs: Any, ours: Any) -> Iterator[Difference]:
    for key in ("index", "type", "hidden"):
        yield from _compared(f"{path}.{key}", theirs[key], ours.get(key))
    yield from _compared(f"{path}.line", theirs.get("line"), ours.get("line"))
    yield from _of_list(f"{path}.elements", theirs["elements"], ours.get("elements"), _of_element)


def _of_element(path: str, theirs: Any, ours: Any) -> Iterator[Difference]:
    if theirs["kind"] != ours.get("kind"):
        yield Difference(f"{path}.kind", theirs["kind"], ours.get("kind"))
    elif _is_seen(theirs) != _is_seen(ours):
        yield Difference(path, theirs if _is_seen(theirs) else "nothing", ours if _is_seen(ours) else "nothing")
    elif _is_seen(theirs):
        for key, value in theirs.items():
            slack = _DEGREES if key == "rotation" else None
            yield from _compared(f"{path}.{key}", value, ours.get(key), slack)


def _is_seen(element: dict[str, Any]) -> bool:
    """Missing values have no position or are skipped."""
    return not element.get("skip") and all(element.get(key) is not None for key in _GEOMETRY[element["kind"]])


def _of_list(
    path: str, theirs: Any, ours: Any, compare: Callable[[str, Any, Any], Iterator[Difference]]
) -> Iterator[Difference]:
    if not isinstance(ours, list):
        yield Difference(path, f"{len(theirs)} items", ours)
        return
    if len(theirs) != len(ours):
        yield Difference(f"{path}.length", len(theirs), len(ours))
    for number, (one, other) in enumerate(zip(theirs, ours, strict=False)):
        yield from compare(f"{path}[{number}]", one, other)


def _compared(path: str, theirs: Any, ours: Any, slack: float | None = None) -> Iterator[Difference]:
    """Compare values; the key determines the tolerance."""
    key = path.rpartition(".")[2].partition("[")[0]
    if isinstance(theirs, dict) and isinstance(ours, dict):
        for name, value in theirs.items():
            inner = _RADIANS if name == "rotation" and ".labels[" in path else None
            yield from _compared(f"{path}.{name}", value, ours.get(name), inner)
    elif isinstance(theirs, list) and isinstance(ours, list):
        yield from _of_list(path, theirs, ours, _compared)
    elif key in _COLORS:
        if not _is_same_color(theirs, ours):
            yield Difference(path, theirs, ours)
    elif _is_number(theirs) and _is_number(ours):
        if abs(theirs - ours) > (slack if slack is not None else _SLACKS.get(key, PIXELS)):
            yield Difference(path, theirs, ours)
    elif theirs != ours:
        yield Difference(path, theirs, ours)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_same_color(theirs: object, ours: object) -> bool:
    if not isinstance(theirs, str) or not isinstance(ours, str):
        return theirs == ours
    one, other = (_channels(value) for value in (theirs, ours))
    if one is None or other is None:
        return theirs == ours
    if one[3] <= _ALPHA and other[3] <= _ALPHA:
        return True
    slacks = (_CHANNEL, _CHANNEL, _CHANNEL, _ALPHA)
    return all(abs(a - b) <= slack for a, b, slack in zip(one, other, slacks, strict=True))


def _channels(value: str) -> tuple[int, ...] | None:
    known = parse_css_color(value.strip())
    if known is None or not known.startswith("#"):
        return None
    digits = known[1:] + ("ff" if len(known) == 7 else "")
    return tuple(int(digits[start : start + 2], 16) for start in (0, 2, 4, 6))


def compare(
    configurations: Sequence[Configuration], theirs: dict[Configuration, ReferenceChart], page: Screenshots | None
) -> Iterator[tuple[Configuration, Comparison]]:
    for start in range(0, len(configurations), _TOGETHER):
        batch = configurations[start : start + _TOGETHER]
        compared = [_compare(each, theirs[each], with_markup=page is not None) for each in batch]
        pairs = [(theirs[each].png, drawn) for each, (_, drawn) in zip(batch, compared, strict=True)]
        overlaps = _overlaps(pairs, page) if page else [None] * len(pairs)
        for each, (comparison, _), overlap in zip(batch, compared, overlaps, strict=True):
            yield each, replace(comparison, overlap=overlap)


def _compare(
    configuration: Configuration, theirs: ReferenceChart, *, with_markup: bool
) -> tuple[Comparison, RenderedChart | None]:
    if theirs.dump is None:
        return Comparison(problem=f"Chart.js refuses: {theirs.error}"), None
    width, height = configuration.size
    try:
        ours = chart_dumps.dump(configuration.source, width=width, height=height)
        comparison = Comparison(differences=tuple(differences(theirs.dump, ours)))
        if not with_markup:
            return comparison, None
        markup = chart_dumps.markup(configuration.source, width=width, height=height)
    except Exception as problem:  # noqa: BLE001  (any error; continue with the next)
        return Comparison(problem=_describe_error(problem)), None
    return comparison, RenderedChart(markup=markup, size=(width, height))


def _overlaps(
    pairs: Sequence[tuple[bytes | None, RenderedChart | None]], page: Screenshots
) -> Iterator[Overlap | None]:
    compared = iter(page.compare([(png, drawn) for png, drawn in pairs if png and drawn]))
    return (next(compared) if png and drawn else None for png, drawn in pairs)


def _describe_error(problem: Exception) -> str:
    frame = traceback.extract_tb(problem.__traceback__)[-1]
    location = f"{frame.filename.rpartition('/')[2]}:{frame.lineno}"
    return f"{type(problem).__name__} in {location}: {' '.join(str(problem).split())[:300]}"


def axis_differences(configuration: Configuration, theirs: ReferenceChart) -> tuple[Difference, ...]:
    assert theirs.dump is not None, f"{configuration}: {theirs.error}"
    width, height = configuration.size
    ours = chart_dumps.dump(configuration.source, width=width, height=height)
    path = f"scales.{AXIS}"
    prefixes = tuple(f"{path}.{part}" for part in ("min", "max", "ticks"))
    result = _of_scale(path, theirs.dump["scales"][AXIS], ours.get("scales", {}).get(AXIS))
    return tuple(each for each in result if each.what == path or each.what.startswith(prefixes))
