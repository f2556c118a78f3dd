"""Chart colors: checks of a theme's palette, and default palettes for themes without one."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import inf

from mdpublish_core.css.colors import (
    CHART_COLORS,
    MIN_CHROMA,
    MIN_GRAPHICS_CONTRAST,
    contrast,
    ensure_contrast,
    from_oklch,
    oklab_distance,
    to_oklch,
)
from mdpublish_core.css.colors.vision import min_view_distance

MIN_NEIGHBOR_DISTANCE = 0.1
"""Distance of adjacent series in OKLab, also for the color blind."""

MIN_DISTANCE = 0.05
"""Distance of any two series."""

MAX_ROLE_DISTANCE = 0.15
"""Mean distance of chart colors from the nearest of the theme's other colors: charts belong to the design."""

# Derived colors keep some distance from the limits.
_MARGIN = 1.2

# OKLab lightness of derived colors, and how far it may be from the role's.
_LIGHTNESS_STEPS = tuple(step / 24 for step in range(25))
_MAX_SHIFT = 0.22


def close_neighbors(colors: Sequence[str], patterns: Sequence[str] = ()) -> Iterator[tuple[int, float]]:
    """Yield the number, from 1, of each color too close to the next one of the same pattern, and their distance."""
    for number, (one, other) in enumerate(pairwise(colors), start=1):
        is_patterned = bool(patterns) and patterns[number - 1] != patterns[number]
        if not is_patterned and (distance := min_view_distance(one, other)) < MIN_NEIGHBOR_DISTANCE:
            yield number, distance


def equal_series(colors: Sequence[str], patterns: Sequence[str] = ()) -> Iterator[tuple[int, int]]:
    """Yield the numbers of colors that look alike and have the same pattern."""
    for first, one in enumerate(colors):
        for second in range(first + 1, len(colors)):
            is_patterned = bool(patterns) and patterns[first] != patterns[second]
            if not is_patterned and oklab_distance(one, colors[second]) < MIN_DISTANCE:
                yield first + 1, second + 1


def role_distance(colors: Sequence[str], roles: Sequence[str]) -> float:
    """Return the mean distance to the nearest role in OKLab."""
    # Late: a conversion has no use for it, and it imports decimal and fractions.
    from statistics import mean

    return mean(_distance(color, roles) for color in colors)


def derive_chart_colors(roles: Mapping[str, str]) -> tuple[str, ...]:
    """Return the accent, then hues of the roles, each as different from those before it as lightness allows.

    Grays alone give even steps of lightness.
    """
    background = roles["background"]
    candidates = _candidates(roles, background)
    if not candidates or all(to_oklch(color)[1] < MIN_CHROMA for color in roles.values()):
        return _gray_steps(background)
    chosen = [ensure_contrast(roles["accent"], background, MIN_GRAPHICS_CONTRAST)]
    while len(chosen) < CHART_COLORS:
        for candidate in candidates:
            candidate.compare(chosen[-1])
        chosen.append(max(candidates, key=_Candidate.merit).color)
    return tuple(chosen)


def _gray_steps(background: str) -> tuple[str, ...]:
    """Alternate between darker and lighter grays."""
    near = to_oklch(ensure_contrast(background, background, MIN_GRAPHICS_CONTRAST))[0]
    end = 0.0 if near < to_oklch(background)[0] else 1.0
    steps = [from_oklch((end + (near - end) * step / (CHART_COLORS - 1), 0.0, 0.0)) for step in range(CHART_COLORS)]
    half = CHART_COLORS // 2
    pairs = zip(steps[:half], steps[half:], strict=True)
    return tuple(ensure_contrast(each, background, MIN_GRAPHICS_CONTRAST) for pair in pairs for each in pair)


def _candidates(roles: Mapping[str, str], background: str) -> list["_Candidate"]:
    colors = sorted(set(roles.values()))
    shades = {
        from_oklch((lightness, chroma, hue))
        for role_lightness, chroma, hue in map(to_oklch, colors)
        for lightness in _LIGHTNESS_STEPS
        if abs(lightness - role_lightness) <= _MAX_SHIFT
    }
    visible = sorted(each for each in shades if contrast(each, background) >= MIN_GRAPHICS_CONTRAST)
    return [_Candidate(each, _distance(each, colors)) for each in visible]


@dataclass(slots=True)
class _Candidate:
    """A color, and its distances from the theme's colors, the last chosen color and all chosen colors."""

    color: str
    role_distance: float
    neighbor: float = inf
    nearest: float = inf
    spread: float = inf

    def compare(self, chosen: str) -> None:
        self.neighbor = min_view_distance(self.color, chosen)
        self.nearest = min(self.nearest, oklab_distance(self.color, chosen))
        self.spread = min(self.spread, self.neighbor)

    def merit(self) -> tuple[float, float]:
        """Rank what can be told apart first, then what differs most from all others and least from the theme."""
        by_neighbor, by_all = self.neighbor / MIN_NEIGHBOR_DISTANCE, self.nearest / MIN_DISTANCE
        return min(_MARGIN, by_neighbor, by_all), self.spread - self.role_distance


def _distance(color: str, others: Sequence[str]) -> float:
    return min(oklab_distance(color, other) for other in others)
