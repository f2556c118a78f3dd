"""The fields of `LocaleData`, in `formatting/locales.py`, from a locale's files in CLDR."""

import re
from collections.abc import Mapping
from itertools import product
from typing import Any

from cldr import read, read_locale

Fields = dict[str, Any]

# https://tc39.es/ecma402/#table-sanctioned-single-unit-identifiers
UNITS = """
acre bit byte celsius centimeter day degree fahrenheit fluid-ounce foot gallon gigabit gigabyte gram hectare hour inch
kilobit kilobyte kilogram kilometer liter megabit megabyte meter microsecond mile mile-scandinavian milliliter
millimeter millisecond minute month nanosecond ounce percent petabyte pound second stone terabit terabyte week yard
year
""".split()  # noqa: SIM905  (a list would have a line for each)

_NUMBER = re.compile(r"[#0][#0,.]*")
_MAGNITUDES = range(3, 20)  # in Japanese, compact notation goes farthest


def locale_fields(name: str) -> Fields:
    """Return all fields, those that are inherited too."""
    numbers = read_locale("cldr-numbers-full", name, "numbers")["numbers"]
    currencies = read_locale("cldr-numbers-full", name, "currencies")["numbers"]["currencies"]
    units = read_locale("cldr-units-full", name, "units")["units"]
    # Elsewhere, names depend on more than singular and plural.
    is_english = name.partition("-")[0] == "en"
    return {
        **_number_fields(numbers),
        "compact_percent": _percent_unit(units["short"]["concentr-percent"]["unitPattern-count-other"]),
        "symbols": {code: _symbol(code, each) for code, each in currencies.items()},
        "narrow_symbols": {
            code: each.get("symbol-alt-narrow", _symbol(code, each)) for code, each in currencies.items()
        },
        "currency_names": {code: _name(each) for code, each in currencies.items() if is_english},
        "units": _units(units) if is_english else {},
    }


def currency_decimals() -> dict[str, int]:
    """Return the number of decimals of currencies that do not have two."""
    fractions = read("cldr-core", "supplemental/currencyData.json")["supplemental"]["currencyData"]["fractions"]
    return {code: int(each["_digits"]) for code, each in fractions.items() if each["_digits"] != "2"}


def _number_fields(numbers: Fields) -> Fields:
    systems = read("cldr-core", "supplemental/numberingSystems.json")["supplemental"]["numberingSystems"]
    system = numbers["defaultNumberingSystem"]
    symbols, decimal, percent, currency = (
        numbers[f"{kind}-numberSystem-{system}"]
        for kind in ("symbols", "decimalFormats", "percentFormats", "currencyFormats")
    )
    formats = decimal["standard"], currency["standard"], percent["standard"]
    short, long = decimal["short"]["decimalFormat"], decimal["long"]["decimalFormat"]
    # Some numbering systems have no compact money.
    short_currency = currency.get("short", {}).get("standard", {})
    return {
        "group": symbols["group"],
        "decimal": symbols["decimal"],
        "currency_group": symbols.get("currencyGroup", symbols["group"]),
        "currency_decimal": symbols.get("currencyDecimal", symbols["decimal"]),
        "minus": symbols["minusSign"],
        "plus": symbols["plusSign"],
        "exponent": symbols["exponential"],
        "nan": symbols["nan"],
        "digits": systems[system]["_digits"],
        "secondary_sizes": [_secondary_size(each) for each in formats],
        "minimum_grouping": int(numbers["minimumGroupingDigits"]),
        "percent": _NUMBER.sub("0", percent["standard"]).replace("%", symbols["percentSign"]),
        "currency": _NUMBER.sub("0", currency["standard"]),
        "compact_currency": _compact_currency(short, short_currency) or _NUMBER.sub("0", currency["standard"]),
        "compact_steps": _compact_steps(short),
        "long_compact_steps": _compact_steps(long) if _is_without_plural(long) else [],
    }


def _secondary_size(pattern: str) -> int:
    """Return the size of all groups but the last: 2 in `#,##,##0`, the last one's 3 in `#,##0`."""
    groups = re.findall(r"(?<=,)[#0]+", pattern.partition(";")[0])
    return len(groups[-2] if len(groups) > 1 else groups[-1])


def _compact_steps(patterns: Mapping[str, str]) -> list[tuple[int, int, str, str]]:
    """Return the steps at which the power of ten or the affixes change, such as (3, 3, "", "K")."""
    steps: list[tuple[int, int, str, str]] = []
    for magnitude in _MAGNITUDES:
        before, zeros, after = re.split("(0+)", _compact_pattern(patterns, magnitude), maxsplit=1)
        step = magnitude - len(zeros) + 1, before, after
        # "0" stands for a number that is not compact.
        if (before or after) and (not steps or step != steps[-1][1:]):
            steps.append((magnitude, *step))
    return steps


def _compact_pattern(patterns: Mapping[str, str], magnitude: int) -> str:
    pattern = patterns.get(f"1{'0' * magnitude}-count-other", "0")
    return pattern.partition(";")[0].replace("'", "")


def _compact_currency(numbers: Mapping[str, str], money: Mapping[str, str]) -> str | None:
    """Return the pattern of money whose number has its affix: `0 ¤` for `0 Mio. ¤`, where numbers have `0 Mio.`."""
    pairs = [(_compact_pattern(numbers, each), _compact_pattern(money, each)) for each in _MAGNITUDES]
    return next(
        (pattern.replace(number, "0") for number, pattern in pairs if number in pattern and "¤" in pattern), None
    )


def _is_without_plural(patterns: Mapping[str, str]) -> bool:
    return all(pattern == patterns[f"{key.partition('-')[0]}-count-other"] for key, pattern in patterns.items())


def _percent_unit(pattern: str) -> str:
    positive, negative = (pattern.replace("{0}", number) for number in ("0", "-0"))
    # In Turkish, the sign is within the pattern: `%-5`.
    return positive if positive.startswith("0") else f"{positive};{negative}"


def _symbol(code: str, currency: Fields) -> str:
    return str(currency.get("symbol", code))


def _name(currency: Fields) -> Fields:
    other = currency.get("displayName-count-other", currency["displayName"])
    return {"one": currency.get("displayName-count-one", other), "other": other}


def _units(units: Fields) -> Fields:
    """Return what follows a number, and a unit that is divided, by width. Some compounds have names of their own."""
    kinds = {key.partition("-")[2]: key for key in units["short"]}
    names = [*UNITS, *filter(kinds.__contains__, map("-per-".join, product(UNITS, repeat=2)))]
    return {
        name: {
            width: _unit_suffixes(units[width][kinds[name]], units[width]["per"])
            for width in ("short", "narrow", "long")
        }
        for name in names
    }


def _unit_suffixes(unit: Fields, per: Fields) -> dict[str, str]:
    one, other = (unit[f"unitPattern-count-{count}"].removeprefix("{0}") for count in ("one", "other"))
    pattern = unit.get("perUnitPattern", per["compoundUnitPattern"].replace("{1}", one.strip()))
    return {"one": one, "other": other, "per": pattern.removeprefix("{0}")}
