"""TeX lengths, converted to em."""

import re

# 1 em = 10 pt.
_POINTS = {
    "pt": 1.0,
    "mm": 7227 / 2540,
    "cm": 7227 / 254,
    "in": 72.27,
    "bp": 803 / 800,
    "px": 803 / 800,
    "pc": 12.0,
    "dd": 1238 / 1157,
    "cc": 14856 / 1157,
    "nd": 685 / 642,
    "nc": 1370 / 107,
    "sp": 1 / 65536,
}
_EMS = {**{unit: points / 10 for unit, points in _POINTS.items()}, "em": 1.0, "ex": 0.431, "mu": 1 / 18}

_MAX_EMS = 100.0  # in em

LENGTH = re.compile(rf"\s*([+-]?)\s*(\d{{0,9}}(?:[.,]\d{{0,9}})?)\s*({'|'.join(_EMS)})\s*")


def parse_ems(string: str) -> float | None:
    """Return a length in em, at most 100; None if invalid."""
    match = LENGTH.fullmatch(string)
    if match is None or not any(each.isdecimal() for each in match[2]):
        return None
    length = float(match[2].replace(",", ".")) * _EMS[match[3]]
    return min(length, _MAX_EMS) * (-1 if match[1] == "-" else 1)


def format_ems(length: float) -> str:
    return f"{round(length, 4):g}em" if round(length, 4) else "0"
