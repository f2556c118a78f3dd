"""Number formatting like JavaScript's `Intl.NumberFormat`.

Names of units and currencies are in English only, other languages have symbols and codes. Long compact notation with
plurals is short.
"""

from functools import lru_cache
from itertools import product
from math import copysign, inf, isinf, isnan
from unicodedata import category

from mdpublish_core.figures.charts.formatting import locales
from mdpublish_core.figures.charts.formatting.number_formats import Grouping, NumberFormat, SignDisplay
from mdpublish_core.figures.charts.values import to_number

_CACHE_SIZE = 128  # formatters

_NO_BREAK_SPACE = "\u00a0"

_Affixes = dict[tuple[bool, bool, bool], tuple[str, str]]
"""Prefix and suffix by (is negative, is zero, starts with a digit)."""

# Numbers are digits and the position of the decimal point. Zero is ("", 1).


def format_number(value: float, number_format: NumberFormat, locale: str = "en-US") -> str:
    """Format a number for a language such as `de` or a region such as `de-CH`; en-US if unknown.

    Halves of the shortest decimal representation are rounded away from 0, as in browsers.
    """
    return _formatter(number_format, locale if len(locale) <= locales.MAX_LOCALE_LENGTH else "").format_value(value)


class _NumberFormatter:
    """Formatter for one format and locale."""

    def __init__(self, number_format: NumberFormat, locale_data: locales.LocaleData) -> None:
        self._format = number_format
        self._locale = locale_data
        is_money = number_format.is_money
        self._decimal = locale_data.currency_decimal if is_money else locale_data.decimal
        self._group = locale_data.currency_group if is_money else locale_data.group
        is_percentage = number_format.style == "percent" and number_format.notation != "compact"
        self._secondary_size = locale_data.secondary_sizes[1 if is_money else 2 if is_percentage else 0]
        self._min_grouped_digits = _min_grouped_digits(number_format.grouping, locale_data.minimum_grouping)
        self._numerals = str.maketrans("0123456789", locale_data.digits)
        self._suffixes = _suffixes(number_format, locale_data)
        self._steps = _steps(number_format, locale_data)
        pattern = _pattern(number_format, locale_data)
        self._affixes = _build_affixes(number_format, locale_data, pattern)
        compact_pattern = locale_data.compact_currency if is_money else pattern
        self._compact_affixes = _build_affixes(number_format, locale_data, compact_pattern)

    def format_value(self, value: float) -> str:
        number = to_number(value)
        is_negative = copysign(1.0, number) < 0
        if isnan(number):
            return self._with_affixes(self._locale.nan, (False, True))
        if isinf(number):
            return self._with_affixes("∞", (is_negative, False))
        digits, point = _decimal(abs(number))
        if self._format.style == "percent" and digits:
            point += 2
        if self._format.notation != "standard":
            return self._scaled(digits, point, is_negative=is_negative)
        digits, point = self._rounded(digits, point)
        body = self._body(digits, point)
        return self._with_affixes(body, (is_negative, not digits), is_one=body == "1")

    def _with_affixes(self, body: str, sign: tuple[bool, bool], *, is_one: bool = False, is_large: bool = False) -> str:
        affixes = self._compact_affixes if is_large else self._affixes
        before, after = affixes[(*sign, body[0].isdigit())]
        return f"{before}{body.translate(self._numerals)}{after}{self._suffixes[is_one]}"

    def _rounded(self, digits: str, point: int) -> tuple[str, int]:
        number_format = self._format
        if number_format.maximum_significant_digits is not None:
            return _round_digits(digits, point, number_format.maximum_significant_digits)
        if number_format.maximum_fraction_digits is not None:
            return _round_digits(digits, point, point + number_format.maximum_fraction_digits)
        return _round_digits(digits, point, max(point, 2))

    def _body(self, digits: str, point: int) -> str:
        number_format = self._format
        if point > 0:
            whole, fraction = digits[:point].ljust(point, "0"), digits[point:]
        else:
            whole, fraction = "0", "0" * -point + digits
        if number_format.minimum_integer_digits > 1:
            whole = whole.zfill(number_format.minimum_integer_digits)
        minimum = number_format.minimum_fraction_digits
        if number_format.maximum_significant_digits is not None:
            minimum = number_format.minimum_significant_digits - point
        if len(fraction) < minimum:
            fraction = fraction.ljust(minimum, "0")
        if len(whole) >= self._min_grouped_digits:
            whole = _group_digits(whole, self._group, self._secondary_size)
        return f"{whole}{self._decimal}{fraction}" if fraction else whole

    def _scaled(self, digits: str, point: int, *, is_negative: bool) -> str:
        """Format in scientific or compact notation."""
        power = self._power(point - 1)
        digits, point = self._rounded(digits, point - power)
        magnitude = power + point - 1 if digits else 0
        # Rounding may reach the next step: 999.9K is 1M.
        point += power - self._power(magnitude)
        power = self._power(magnitude)
        body = self._body(digits, point)
        sign = is_negative, not digits
        if self._format.notation != "compact":
            minus = self._locale.minus if power < 0 else ""
            return self._with_affixes(
                f"{body}{self._locale.exponent}{minus}{abs(power)}", sign, is_one=body == "1" and not power
            )
        step = self._step(magnitude)
        if not step:
            return self._with_affixes(body, sign, is_one=body == "1")
        return self._with_affixes(f"{step.before}{body}{step.after}", sign, is_large=True)

    def _power(self, magnitude: int) -> int:
        notation = self._format.notation
        if notation == "scientific":
            return magnitude
        if notation == "engineering":
            return magnitude // 3 * 3
        step = self._step(magnitude)
        return step.power if step else 0

    def _step(self, magnitude: int) -> locales.CompactStep | None:
        return next((step for step in reversed(self._steps) if step.magnitude <= magnitude), None)


def _decimal(magnitude: float) -> tuple[str, int]:
    mantissa, _, exponent = repr(magnitude).partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).lstrip("0")
    if not digits:
        return "", 1
    point = len(digits) - len(fraction) + int(exponent or 0)
    return digits.rstrip("0"), point


def _round_digits(digits: str, point: int, digit_count: int) -> tuple[str, int]:
    if digit_count >= len(digits):
        return digits.rstrip("0"), point
    if digit_count < 0:
        return "", 1
    if digits[digit_count] < "5":
        left = digits[:digit_count].rstrip("0")
        return (left, point) if left else ("", 1)
    more = str(int(digits[:digit_count] or 0) + 1)
    return more.rstrip("0"), point + (len(more) > digit_count)


def _group_digits(whole: str, sign: str, secondary_size: int) -> str:
    groups = [whole[-3:]]
    end = len(whole) - 3
    while end > 0:
        groups.append(whole[max(end - secondary_size, 0) : end])
        end -= secondary_size
    return sign.join(reversed(groups))


def _min_grouped_digits(grouping: Grouping, minimum: int) -> float:
    """Return the number of digits from which integers are grouped."""
    return 3 + {"auto": minimum, "always": 1, "min2": max(minimum, 2), "never": inf}[grouping]


def _steps(number_format: NumberFormat, locale_data: locales.LocaleData) -> tuple[locales.CompactStep, ...]:
    is_long = number_format.compact_display == "long" and not number_format.is_money
    return (is_long and locale_data.long_compact_steps) or locale_data.compact_steps


def _suffixes(number_format: NumberFormat, locale_data: locales.LocaleData) -> tuple[str, str]:
    """Return what follows the number, in the plural and the singular."""
    if number_format.style == "unit":
        return locales.unit_suffixes(number_format.unit, number_format.unit_display, locale_data)
    if number_format.style == "currency" and number_format.currency_display == "name":
        code = number_format.currency
        names = locale_data.currency_names.get(code, {})
        return f" {names.get('other', code)}", f" {names.get('one', code)}"
    return "", ""


def _pattern(number_format: NumberFormat, locale_data: locales.LocaleData) -> str:
    if number_format.is_money:
        return locale_data.currency
    # English has names of the unit.
    is_unit = number_format.style == "unit" and number_format.unit == "percent" and not locale_data.units
    if number_format.style != "percent" and not is_unit:
        return "0"
    is_long = is_unit and number_format.unit_display == "long"
    return locale_data.compact_percent if is_long or number_format.notation == "compact" else locale_data.percent


def _build_affixes(number_format: NumberFormat, locale_data: locales.LocaleData, pattern: str) -> _Affixes:
    """Separate a currency that ends with a letter from digits."""
    symbol = _symbol(number_format, locale_data) if number_format.currency else ""
    positive, _, negative = pattern.partition(";")
    affixes: _Affixes = {}
    for is_negative, is_zero, is_digit in product((False, True), repeat=3):
        sign = _sign(number_format.sign_display, locale_data, is_negative=is_negative, is_zero=is_zero)
        signed = (negative or f"-{positive}") if sign else positive
        affixes[is_negative, is_zero, is_digit] = _affix_pair(signed, sign, symbol, is_spaced=is_digit)
    return affixes


def _affix_pair(pattern: str, sign: str, symbol: str, *, is_spaced: bool) -> tuple[str, str]:
    before, _, after = pattern.partition("0")
    if is_spaced and before.endswith("¤") and category(symbol[-1])[0] not in "SZ":
        before += _NO_BREAK_SPACE
    if is_spaced and after.startswith("¤") and category(symbol[0])[0] not in "SZ":
        after = _NO_BREAK_SPACE + after
    return before.replace("-", sign).replace("¤", symbol), after.replace("-", sign).replace("¤", symbol)


def _sign(display: SignDisplay, locale_data: locales.LocaleData, *, is_negative: bool, is_zero: bool) -> str:
    if display == "never" or (is_zero and display in {"exceptZero", "negative"}):
        return ""
    if is_negative:
        return locale_data.minus
    return locale_data.plus if display in {"always", "exceptZero"} else ""


def _symbol(number_format: NumberFormat, locale_data: locales.LocaleData) -> str:
    code = number_format.currency
    if number_format.currency_display == "code":
        return code
    is_narrow = number_format.currency_display == "narrowSymbol"
    return (locale_data.narrow_symbols if is_narrow else locale_data.symbols).get(code, code)


@lru_cache(maxsize=_CACHE_SIZE)
def _formatter(number_format: NumberFormat, locale: str) -> _NumberFormatter:
    return _NumberFormatter(number_format, locales.load_locale(locale))
