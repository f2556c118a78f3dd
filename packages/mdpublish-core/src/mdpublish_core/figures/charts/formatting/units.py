"""Unit names and symbols in English, from Unicode CLDR 48. Other locales use the symbols."""
# ruff: noqa: RUF001  (signs that look like others are those of units)

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Literal, NamedTuple

UnitDisplay = Literal["short", "narrow", "long"]

_INTERNATIONAL_SYMBOLS = {
    "byte": " B",
    "celsius": " °C",
    "fahrenheit": " °F",
    "hour": " h",
    "liter": " l",
    "milliliter": " ml",
    "percent": "",
    "second": " s",
}
"""Symbols in most other languages. Percentages use a pattern."""

_MAX_UNIT_LENGTH = 60  # characters; the longest known pair has 39

_COMPOUNDS = frozenset({"mile-per-gallon", "mile-per-hour"})
"""Compound units with names of their own."""


def is_unit(name: str) -> bool:
    """Tell whether a name is a known unit or a compound such as `kilometer-per-hour`."""
    if len(name) > _MAX_UNIT_LENGTH:
        return False
    simple = _units().keys() - _COMPOUNDS
    return name in simple or any(
        name[: match.start()] in simple and name[match.end() :] in simple for match in re.finditer("-per-", name)
    )


def unit_suffixes(unit: str, display: UnitDisplay, locale_data: str) -> tuple[str, str]:
    """Return the plural and singular suffix."""
    if not locale_data.startswith("en"):
        other, one = _english_suffixes(unit, "short")
        return _INTERNATIONAL_SYMBOLS.get(unit, other), _INTERNATIONAL_SYMBOLS.get(unit, one)
    other, one = _english_suffixes(unit, display)
    return (other, one) if locale_data == "en" else (_british_spelling(other), _british_spelling(one))


def _english_suffixes(unit: str, display: UnitDisplay) -> tuple[str, str]:
    units = _units()
    if unit in units:
        return units[unit].suffixes[display]
    # A unit's name may contain "-per-".
    splits = ((unit[: match.start()], unit[match.end() :]) for match in re.finditer("-per-", unit))
    numerator, denominator = next((pair for pair in splits if pair[0] in units and pair[1] in units), ("", ""))
    other, one = units[numerator].suffixes[display]
    per = units[denominator].per[display]
    return other + per, one + per


def _british_spelling(name: str) -> str:
    return name.replace("meter", "metre").replace("liter", "litre").replace("percent", "per cent")


class _Unit(NamedTuple):
    """Plural and singular suffix, and the suffix as a denominator."""

    suffixes: Mapping[UnitDisplay, tuple[str, str]]
    per: Mapping[UnitDisplay, str]


@lru_cache(maxsize=1)
def _units() -> dict[str, _Unit]:
    units: dict[str, _Unit] = {}
    for row in _UNIT_ROWS.strip().splitlines():
        name, *columns = (column.strip().replace("_", " ") for column in row.split("|"))
        short, narrow, long = (each.partition("/") for each in columns[:3])
        per_short, _, per_narrow = (columns[3] if len(columns) > 3 else f"{short[0]}/{narrow[0]}").partition("/")
        units[name] = _Unit(
            {
                "short": (short[2] or short[0], short[0]),
                "narrow": (narrow[0], narrow[0]),
                "long": (long[2] or long[0], long[0]),
            },
            {"short": f"/{per_short.strip()}", "narrow": f"/{per_narrow or per_short}", "long": f" per{long[0]}"},
        )
    return units


# Unit | short | narrow | long (singular/plural if different) | denominators (short/narrow) if different.
_UNIT_ROWS = """
acre | _ac | ac | _acre/_acres
bit | _bit | bit | _bit/_bits
byte | _byte | B | _byte/_bytes
celsius | °C | °C | _degree_Celsius/_degrees_Celsius
centimeter | _cm | cm | _centimeter/_centimeters
day | _day/_days | d | _day/_days | d
degree | _deg | ° | _degree/_degrees
fahrenheit | °F | ° | _degree_Fahrenheit/_degrees_Fahrenheit
fluid-ounce | _fl_oz | fl_oz | _fluid_ounce/_fluid_ounces
foot | _ft | ′ | _foot/_feet | ft
gallon | _gal | gal | _gallon/_gallons | gal_US/gal
gigabit | _Gb | Gb | _gigabit/_gigabits
gigabyte | _GB | GB | _gigabyte/_gigabytes
gram | _g | g | _gram/_grams
hectare | _ha | ha | _hectare/_hectares
hour | _hr | h | _hour/_hours | h
inch | _in | ″ | _inch/_inches | in
kilobit | _kb | kb | _kilobit/_kilobits
kilobyte | _kB | kB | _kilobyte/_kilobytes
kilogram | _kg | kg | _kilogram/_kilograms
kilometer | _km | km | _kilometer/_kilometers
liter | _L | L | _liter/_liters
megabit | _Mb | Mb | _megabit/_megabits
megabyte | _MB | MB | _megabyte/_megabytes
meter | _m | m | _meter/_meters
microsecond | _μs | μs | _microsecond/_microseconds
mile | _mi | mi | _mile/_miles
mile-per-gallon | _mpg | mpg | _mile_per_gallon/_miles_per_gallon
mile-per-hour | _mph | mph | _mile_per_hour/_miles_per_hour
mile-scandinavian | _smi | smi | _mile-scandinavian/_miles-scandinavian
milliliter | _mL | mL | _milliliter/_milliliters
millimeter | _mm | mm | _millimeter/_millimeters
millisecond | _ms | ms | _millisecond/_milliseconds
minute | _min | m | _minute/_minutes | min
month | _mth/_mths | m | _month/_months | m
nanosecond | _ns | ns | _nanosecond/_nanoseconds
ounce | _oz | oz | _ounce/_ounces
percent | % | % | _percent
petabyte | _PB | PB | _petabyte/_petabytes
pound | _lb | # | _pound/_pounds | lb
second | _sec | s | _second/_seconds | s
stone | _st | st | _stone/_stones
terabit | _Tb | Tb | _terabit/_terabits
terabyte | _TB | TB | _terabyte/_terabytes
week | _wk/_wks | w | _week/_weeks | w
yard | _yd | yd | _yard/_yards
year | _yr/_yrs | y | _year/_years | y
"""
