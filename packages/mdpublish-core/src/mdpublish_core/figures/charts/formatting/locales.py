"""How locales write numbers, currencies and units, from Unicode CLDR. `nox -s locales` makes `locales.json`.

Names of units are in English; other languages have symbols.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Literal, NamedTuple

from mdpublish_core.data_files import read_data, read_names

_CACHE_SIZE = 128  # locales

MAX_LOCALE_LENGTH = 40  # characters

UnitDisplay = Literal["short", "narrow", "long"]


class CompactStep(NamedTuple):
    """Numbers from a magnitude on are divided by a power of ten and get an affix."""

    magnitude: int
    power: int
    before: str
    after: str


class LocaleData(NamedTuple):
    """Number formatting of a locale.

    In patterns, `0` is the number, `¤` the currency, `-` the sign; a second pattern after `;` is for signed numbers.
    """

    group: str
    decimal: str
    currency_group: str
    currency_decimal: str
    minus: str
    plus: str
    exponent: str
    nan: str
    digits: str  # from 0 to 9
    secondary_sizes: Sequence[int]  # digits per group after the first: numbers, money, percentages
    minimum_grouping: int  # digits before the first group
    percent: str
    compact_percent: str
    currency: str
    compact_currency: str
    compact_steps: tuple[CompactStep, ...]
    long_compact_steps: tuple[CompactStep, ...]  # none where words have plurals
    symbols: Mapping[str, str]  # by currency; others have their code
    narrow_symbols: Mapping[str, str]
    currency_names: Mapping[str, Mapping[str, str]]  # `one` and `other`; in English only
    units: Mapping[str, Mapping[UnitDisplay, Mapping[str, str]]]  # suffixes `one`, `other`, `per`; in English only


@lru_cache(maxsize=_CACHE_SIZE)
def load_locale(locale: str) -> LocaleData:
    """Load a region, else its language, else en-US."""
    fields = _fields(_known_name(locale))
    steps = {
        name: tuple(CompactStep(*step) for step in fields[name]) for name in ("compact_steps", "long_compact_steps")
    }
    return LocaleData(**(fields | steps))


def decimals_of(currency: str) -> int:
    decimals: int = _data()["currency_decimals"].get(currency, 2)
    return decimals


def _known_name(locale: str) -> str:
    language, *others = locale.replace("_", "-").split("-")
    language = language.lower()
    script = next((part.title() for part in others if len(part) == 4), "")
    # The region has two letters or three digits.
    region = next((part.upper() for part in others if len(part) == 2 or (len(part) == 3 and part.isdigit())), "")
    names = f"{language}-{script}-{region}", f"{language}-{script}", f"{language}-{region}", language
    return next((name for name in names if name in _data()["locales"]), "en")


def _fields(name: str) -> dict[str, Any]:
    """Merge the fields of a locale into those of its parent; of tables, the entries."""
    fields = dict(_data()["locales"][name])
    inherited = _fields(fields.pop("parent")) if "parent" in fields else _data()["root"]
    tables = {field: inherited[field] | value for field, value in fields.items() if isinstance(value, dict)}
    return {**inherited, **fields, **tables}


def _data() -> dict[str, Any]:
    data: dict[str, Any] = read_data(__file__, "locales.json")
    return data


_INTERNATIONAL_SYMBOLS = read_names(__file__, "../names.tsv")["symbol"]


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
