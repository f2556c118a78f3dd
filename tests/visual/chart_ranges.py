"""Seeded random axes: linear, logarithmic and time ranges of all magnitudes."""

import json
import math
from collections.abc import Iterator
from datetime import UTC, datetime
from random import Random
from typing import Any

from tests.visual.chart_configurations import CARTESIAN_SIZE, Configuration

NUMBERS: dict[str, int] = {"linear": 300, "logarithmic": 100, "time": 100}

AXIS = "v"
"""Vertical, but horizontal for `time`."""

_SEED = 20_240_301

_UNITS = {
    "millisecond": 1,
    "second": 1_000,
    "minute": 60_000,
    "hour": 3_600_000,
    "day": 86_400_000,
    "week": 604_800_000,
    "month": 2_628_000_000,
    "quarter": 7_884_000_000,
    "year": 31_540_000_000,
}

_MAX_TICKS = 300
"""Chart.js refuses 100,000 and is slow before."""

_FIRST, _LAST = (datetime(year, 1, 1, tzinfo=UTC).timestamp() * 1000 for year in (1900, 2100))


def ranges() -> Iterator[Configuration]:
    lot = Random(_SEED)
    makers = {"linear": _linear, "logarithmic": _logarithmic, "time": _time}
    for kind, number in NUMBERS.items():
        for index in range(number):
            axis, data = makers[kind](lot)
            yield _configuration(f"{kind} {index}", axis, data, lot)


def _configuration(name: str, axis: dict[str, Any], data: list[float], lot: Random) -> Configuration:
    lies = axis["type"] == "time"
    points = [
        {"x": value, "y": position} if lies else {"x": position, "y": value} for position, value in enumerate(data)
    ]
    other = {"type": "linear", "display": False}
    scales = {AXIS: {"axis": "x" if lies else "y", **axis}, "y" if lies else "x": other}
    dataset = {"data": points, f"{'x' if lies else 'y'}AxisID": AXIS}
    width, _ = CARTESIAN_SIZE
    options = {"plugins": {"legend": False}, "scales": scales, "aspectRatio": width / lot.choice((160, 320, 640))}
    source = json.dumps({"type": "scatter", "data": {"datasets": [dataset]}, "options": options})
    return Configuration("ranges", name, source)


def _linear(lot: Random) -> tuple[dict[str, Any], list[float]]:
    span = 10 ** lot.uniform(-6, 12)
    middle = lot.choice((0.0, span / 2, -span / 2, span * lot.uniform(-20, 20)))
    data = [middle + span * lot.uniform(-0.5, 0.5) for _ in range(5)]
    match lot.randrange(4):
        case 0:
            data = [float(f"{value:.2g}") for value in data]
        case 1 if span > 10:
            data = [float(round(value)) for value in data]
    low, high = min(data), max(data)
    inner = high - low

    def even(value: float) -> float:
        return float(f"{value:.3g}")

    choices: tuple[dict[str, Any], ...] = (
        {},
        {},
        {"beginAtZero": True},
        {"suggestedMin": even(low - inner * lot.uniform(-0.5, 2))},
        {"suggestedMax": even(high + inner * lot.uniform(-0.5, 2))},
        {"min": even(low - inner * lot.uniform(0, 1))},
        {"max": even(high + inner * lot.uniform(0, 1))},
        {"min": low - inner * lot.uniform(0, 1), "max": high + inner * lot.uniform(0, 1)},
        {"ticks": {"stepSize": float(f"{inner / lot.uniform(2, 30):.2g}")}},
        {"ticks": {"maxTicksLimit": lot.randint(2, 20)}},
        {"ticks": {"precision": lot.randint(0, 4)}},
        {"ticks": {"count": lot.randint(2, 9)}},
        {"grace": lot.choice(("5%", "30%", even(inner * 0.2)))},
        {"bounds": "data"},
        {"ticks": {"includeBounds": False}, "min": even(low - inner * 0.07), "max": even(high + inner * 0.07)},
        {"reverse": True, "beginAtZero": lot.random() < 0.5},
        {"suggestedMin": even(low - inner), "max": even(high + inner / 3), "ticks": {"maxTicksLimit": 7}},
    )
    return {"type": "linear", **lot.choice(choices)}, data


def _logarithmic(lot: Random) -> tuple[dict[str, Any], list[float]]:
    first = lot.uniform(-6, 9)
    last = first + lot.choice((lot.uniform(0.01, 1), lot.uniform(1, 4), lot.uniform(4, 12)))
    data = [float(f"{10 ** lot.uniform(first, last):.{lot.randint(1, 5)}g}") for _ in range(5)]
    low, high = min(data), max(data)
    choices: tuple[dict[str, Any], ...] = (
        {},
        {},
        {"beginAtZero": True},
        {"min": float(f"{low / lot.uniform(1, 30):.2g}")},
        {"max": float(f"{high * lot.uniform(1, 30):.2g}")},
        {"min": low, "max": high},
        {"suggestedMin": float(f"{low / 40:.1g}"), "suggestedMax": float(f"{high * 40:.1g}")},
        {"bounds": "data"},
        {"reverse": True},
    )
    return {"type": "logarithmic", **lot.choice(choices)}, data


def _time(lot: Random) -> tuple[dict[str, Any], list[float]]:
    span = 10 ** lot.uniform(1, math.log10(_UNITS["year"] * 150))
    start = lot.uniform(_FIRST, max(_FIRST + 1, _LAST - span))
    data = sorted(float(round(start + span * lot.random())) for _ in range(5))
    inner = data[-1] - data[0]
    fitting = [unit for unit, size in _UNITS.items() if 1 <= inner / size <= _MAX_TICKS]
    time: dict[str, Any] = {}
    if fitting and lot.random() < 0.5:
        time["unit"] = lot.choice(fitting)
        if time["unit"] == "week":
            time["isoWeekday"] = lot.choice((True, False, 3))
    elif lot.random() < 0.3:
        time["minUnit"] = lot.choice(("second", "hour", "day", "month"))
    choices: tuple[dict[str, Any], ...] = (
        {},
        {},
        {"min": round(data[0] - inner * lot.random())},
        {"max": round(data[-1] + inner * lot.random())},
        {"bounds": "ticks"},
        {"offset": True},
        {"ticks": {"source": "data"}},
        {"ticks": {"major": {"enabled": True}}},
        {"ticks": {"maxRotation": 0}},
        {"ticks": {"autoSkip": False}},
        {"reverse": True},
    )
    return {"type": "time", "time": time, **lot.choice(choices)}, data
