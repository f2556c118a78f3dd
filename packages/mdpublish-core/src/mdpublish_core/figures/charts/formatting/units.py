"""Units, with names in English; other languages have symbols."""

from mdpublish_core.figures.charts.formatting.locales import LocaleData, UnitDisplay, load_locale

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


def is_unit(name: str) -> bool:
    """Tell whether a name is a known unit or a compound such as `kilometer-per-hour`."""
    parts = name.split("-per-")
    return len(parts) <= 2 and all(part in load_locale("en").units for part in parts)


def unit_suffixes(unit: str, display: UnitDisplay, locale_data: LocaleData) -> tuple[str, str]:
    """Return the plural and singular suffix."""
    units = locale_data.units
    if not units:
        if unit in _INTERNATIONAL_SYMBOLS:
            return _INTERNATIONAL_SYMBOLS[unit], _INTERNATIONAL_SYMBOLS[unit]
        units, display = load_locale("en").units, "short"
    if unit in units:
        names = units[unit][display]
        return names["other"], names["one"]
    numerator, _, denominator = unit.partition("-per-")
    names, per = units[numerator][display], units[denominator][display]["per"]
    return names["other"] + per, names["one"] + per
