"""Options of JavaScript's `Intl.NumberFormat`.

https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference/Global_Objects/Intl/NumberFormat Not supported:
`numberingSystem`, accounting format, rounding modes.
"""

from dataclasses import dataclass
from math import floor
from typing import Literal, TypeVar, get_args

from mdpublish_core.figures.charts.formatting.locales import UnitDisplay, decimals_of, is_unit
from mdpublish_core.figures.charts.values import Json, Object, is_truthy, to_number

Style = Literal["decimal", "percent", "currency", "unit"]
CurrencyDisplay = Literal["symbol", "narrowSymbol", "code", "name"]
Notation = Literal["standard", "scientific", "engineering", "compact"]
CompactDisplay = Literal["short", "long"]
SignDisplay = Literal["auto", "never", "always", "exceptZero", "negative"]
Grouping = Literal["auto", "always", "min2", "never"]
"""`min2` groups numbers of five digits or more."""

_Choice = TypeVar("_Choice", bound=str)

# https://tc39.es/ecma402/#sec-setnfdigitoptions
_MAX_INTEGER_DIGITS = 21
_MAX_FRACTION_DIGITS = 100
_MAX_SIGNIFICANT_DIGITS = 21

_MAX_SHOWN_LENGTH = 40  # characters of a value in a message


@dataclass(frozen=True, slots=True)
class NumberFormat:
    """Options of `Intl.NumberFormat`, with the same defaults.

    Significant digits take precedence over fraction digits. With neither (compact notation), numbers are rounded
    to two significant digits, or to an integer if that has more.
    """

    style: Style = "decimal"
    currency: str = ""  # ISO 4217 code
    currency_display: CurrencyDisplay = "symbol"
    unit: str = ""
    unit_display: UnitDisplay = "short"
    notation: Notation = "standard"
    compact_display: CompactDisplay = "short"
    sign_display: SignDisplay = "auto"
    grouping: Grouping = "auto"
    minimum_integer_digits: int = 1
    minimum_fraction_digits: int = 0
    maximum_fraction_digits: int | None = 3
    minimum_significant_digits: int = 1
    maximum_significant_digits: int | None = None

    @property
    def is_money(self) -> bool:
        """Whether there is a symbol or code, not a name."""
        return self.style == "currency" and self.currency_display != "name"


def read_number_format(options: Object) -> NumberFormat:
    """Parse options; unknown ones are ignored. Raises ValueError like `Intl.NumberFormat`."""
    style: Style = _chosen(options, "style", get_args(Style))
    notation: Notation = _chosen(options, "notation", get_args(Notation))
    currency = _currency(options, is_needed=style == "currency")
    fraction: tuple[int, int | None] = (0, None)
    significant: tuple[int, int | None] = (1, None)
    if "minimumSignificantDigits" in options or "maximumSignificantDigits" in options:
        minimum = _digits(options, "minimumSignificantDigits", 1, _MAX_SIGNIFICANT_DIGITS, 1)
        maximum = _digits(
            options, "maximumSignificantDigits", minimum, _MAX_SIGNIFICANT_DIGITS, _MAX_SIGNIFICANT_DIGITS
        )
        significant = minimum, maximum
    elif notation != "compact" or "minimumFractionDigits" in options or "maximumFractionDigits" in options:
        fraction = _fraction_digits(options, *_default_fraction_digits(style, notation, currency))
    return NumberFormat(
        style=style,
        currency=currency,
        currency_display=_chosen(options, "currencyDisplay", get_args(CurrencyDisplay)),
        unit=_unit(options, is_needed=style == "unit"),
        unit_display=_chosen(options, "unitDisplay", get_args(UnitDisplay)),
        notation=notation,
        compact_display=_chosen(options, "compactDisplay", get_args(CompactDisplay)),
        sign_display=_chosen(options, "signDisplay", get_args(SignDisplay)),
        grouping=_grouping(options, notation),
        minimum_integer_digits=_digits(options, "minimumIntegerDigits", 1, _MAX_INTEGER_DIGITS, 1),
        minimum_fraction_digits=fraction[0],
        maximum_fraction_digits=fraction[1],
        minimum_significant_digits=significant[0],
        maximum_significant_digits=significant[1],
    )


def _chosen(options: Object, name: str, choices: tuple[_Choice, ...]) -> _Choice:
    """Return a choice; the first is the default."""
    value = options.get(name, choices[0])
    for choice in choices:
        if value == choice:
            return choice
    raise ValueError(f"{name} must be one of {', '.join(choices)} (got {_shown(value)})")


def _shown(value: Json) -> str:
    if isinstance(value, str):
        return repr(value if len(value) <= _MAX_SHOWN_LENGTH else f"{value[:_MAX_SHOWN_LENGTH]}…")
    is_short = value is None or isinstance(value, float) or (isinstance(value, int) and abs(value) < 1e15)
    return str(value) if is_short else f"value of type {type(value).__name__}"


def _digits(options: Object, name: str, minimum: int, maximum: int, default: int) -> int:
    if name not in options:
        return default
    number = to_number(options[name])
    if not minimum <= number <= maximum:
        raise ValueError(f"{name} must be {minimum} to {maximum} (got {_shown(options[name])})")
    return floor(number)


def _default_fraction_digits(style: Style, notation: Notation, currency: str) -> tuple[int, int]:
    """Return the default minimum and maximum."""
    if style == "currency" and notation == "standard":
        return decimals_of(currency), decimals_of(currency)
    return 0, 0 if style == "percent" else 3


def _fraction_digits(options: Object, minimum: int, maximum: int) -> tuple[int, int]:
    """If one is given beyond the other's default, the other follows."""
    given_minimum = _digits(options, "minimumFractionDigits", 0, _MAX_FRACTION_DIGITS, -1)
    given_maximum = _digits(options, "maximumFractionDigits", 0, _MAX_FRACTION_DIGITS, -1)
    if given_minimum > given_maximum >= 0:
        raise ValueError(
            f"maximumFractionDigits must be {given_minimum} to {_MAX_FRACTION_DIGITS} (got {given_maximum})"
        )
    if given_minimum >= 0:
        return given_minimum, given_maximum if given_maximum >= 0 else max(maximum, given_minimum)
    return (min(minimum, given_maximum), given_maximum) if given_maximum >= 0 else (minimum, maximum)


def _currency(options: Object, *, is_needed: bool) -> str:
    value = options.get("currency", "")
    if "currency" in options or is_needed:
        if not (isinstance(value, str) and len(value) == 3 and value.isascii() and value.isalpha()):
            raise ValueError(f"currency must be three letters, such as EUR (got {_shown(value)})")
        return value.upper()
    return ""


def _unit(options: Object, *, is_needed: bool) -> str:
    value = options.get("unit", "")
    if "unit" in options or is_needed:
        if not isinstance(value, str) or not is_unit(value):
            raise ValueError(f"unit must be a unit such as kilometer or kilometer-per-hour (got {_shown(value)})")
        return value
    return ""


def _grouping(options: Object, notation: Notation) -> Grouping:
    default: Grouping = "min2" if notation == "compact" else "auto"
    value = options.get("useGrouping", "auto")
    if value is True:
        return "always"
    known: dict[str, Grouping] = {"always": "always", "min2": "min2"}
    if isinstance(value, str) and value in {*known, "auto", "true", "false"}:
        return known.get(value, default)
    if not is_truthy(value):
        return "never"
    raise ValueError(f"useGrouping must be one of true, false, auto, always, min2 (got {_shown(value)})")
