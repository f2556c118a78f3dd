"""Colors as people with color blindness see them.

Machado, Oliveira and Fernandes, A Physiologically-based Model for Simulation of Color Vision Deficiency (2009), for
complete dichromacy: https://www.inf.ufrgs.br/~oliveira/pubs_files/CVD_Simulation/CVD_Simulation.html
"""

from functools import lru_cache
from math import dist
from typing import Literal, get_args

from mdpublish_core.css.colors import Oklab, linear_rgb, rgb_hex, to_oklab
from mdpublish_core.data_files import read_names

Deficiency = Literal["deuteranopia", "protanopia"]

DEFICIENCIES: tuple[Deficiency, ...] = get_args(Deficiency)


def _matrix(deficiency: Deficiency) -> list[list[float]]:
    """Return the factors of linear RGB."""
    rows = read_names(__file__, "vision.tsv")[deficiency]
    return [list(map(float, factors.split())) for factors in rows.values()]


_MATRICES = {deficiency: _matrix(deficiency) for deficiency in DEFICIENCIES}


def seen_with(color: str, deficiency: Deficiency) -> str:
    """Return the color, `#rrggbb`, that looks the same to people with and without the deficiency."""
    channels = linear_rgb(color)
    red, green, blue = (
        sum(factor * channel for factor, channel in zip(row, channels, strict=True)) for row in _MATRICES[deficiency]
    )
    return rgb_hex(red, green, blue)


@lru_cache(maxsize=4096)
def views(color: str) -> tuple[Oklab, ...]:
    """Return the color in OKLab, as most people see it and with each deficiency."""
    return (to_oklab(color), *(to_oklab(seen_with(color, each)) for each in DEFICIENCIES))


def min_view_distance(one: str, other: str) -> float:
    """Return the distance in OKLab in the kind of vision, color blind or not, that tells two colors apart worst."""
    return min(map(dist, views(one), views(other)))
