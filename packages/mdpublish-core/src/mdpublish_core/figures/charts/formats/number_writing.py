"""Numbers as a language writes them: what JavaScript's `Intl.NumberFormat(locale, options).format(number)` gives.

What languages differ in is `locales`' to know. Units, the names of currencies and of powers of ten are in English: other
languages have a unit's sign, a currency's code, and their short compact notation.
"""

from functools import lru_cache
from itertools import product
from math import copysign, inf, isinf, isnan
from unicodedata import category

from mdpublish_core.figures.charts.formats.currencies import CURRENCY_NAMES, NARROW_SYMBOLS, SYMBOLS
from mdpublish_core.figures.charts.formats.locales import (
    LONG_STEPS,
    LONGEST_LOCALE,
    NUMERALS,
    THOUSANDS,
    Language,
    Step,
    language_of,
)
from mdpublish_core.figures.charts.formats.number_formats import Grouping, NumberFormat, SignDisplay
from mdpublish_core.figures.charts.formats.units import unit_endings

_MOST_KEPT = 128
"""Formats made ready to write; a chart has a few."""

_NO_BREAK_SPACE = "\u00a0"

_Frames = dict[tuple[bool, bool, bool], tuple[str, str]]
"""What stands before and after a number, by whether it is negative, is zero, and begins with a digit."""

# A number is the digits that tell it, and how many of them stand before the decimal sign. Zero has none, and 1.


def written_number(value: float, number_format: NumberFormat, locale: str = "en-US") -> str:
    """Return a number as a language writes it, such as `de`, or a region, such as `de-CH`; en-US where neither is known.

    Halves are rounded away from 0, on the shortest digits that tell the number, as browsers do.
    """
    return _writer(number_format, locale if len(locale) <= LONGEST_LOCALE else "").written(value)


class _Writer:
    """Writes numbers in one format and one language."""

    def __init__(self, how: NumberFormat, language: Language) -> None:
        self._how = how
        self._language = language
        is_money = how.style == "currency" and how.currency_display != "name"
        self._decimal = (is_money and language.cents) or language.decimal
        self._group = (is_money and language.money) or language.group
        is_percentage = how.style == "percent" and how.notation != "compact"
        self._second = int(language.secondary[1 if is_money else 2 if is_percentage else 0])
        self._grouped_from = _grouped_from(how.grouping, int(language.least))
        self._numerals = NUMERALS.get(language.digits)
        self._endings = _endings(how, language)
        self._steps = _steps(how, language)
        pattern = _pattern(how, language)
        self._frames = _frames(how, language, pattern)
        self._large_frames = _frames(how, language, (is_money and language.large_currency) or pattern)

    def written(self, value: float) -> str:
        """Return a number as it is written."""
        number = _double(value)
        is_negative = copysign(1.0, number) < 0
        if isnan(number):
            return self._framed(self._language.nan, (False, True))
        if isinf(number):
            return self._framed("∞", (is_negative, False))
        digits, point = _decimal(abs(number))
        if self._how.style == "percent" and digits:
            point += 2
        if self._how.notation != "standard":
            return self._scaled(digits, point, is_negative=is_negative)
        digits, point = self._rounded(digits, point)
        body = self._body(digits, point)
        return self._framed(body, (is_negative, not digits), is_one=body == "1")

    def _framed(self, body: str, sign: tuple[bool, bool], *, is_one: bool = False, is_large: bool = False) -> str:
        """Return what is written of a number between what stands beside it: sign, currency, unit."""
        frames = self._large_frames if is_large else self._frames
        before, after = frames[(*sign, body[0].isdigit())]
        if self._numerals:
            body = body.translate(self._numerals)
        return f"{before}{body}{after}{self._endings[is_one]}"

    def _rounded(self, digits: str, point: int) -> tuple[str, int]:
        """Return digits without those that the format has no room for."""
        how = self._how
        if how.maximum_significant_digits is not None:
            return _rounded(digits, point, how.maximum_significant_digits)
        if how.maximum_fraction_digits is not None:
            return _rounded(digits, point, point + how.maximum_fraction_digits)
        return _rounded(digits, point, max(point, 2))

    def _body(self, digits: str, point: int) -> str:
        """Return digits with zeros around them, and with signs between them."""
        how = self._how
        if point > 0:
            whole, fraction = digits[:point].ljust(point, "0"), digits[point:]
        else:
            whole, fraction = "0", "0" * -point + digits
        if how.minimum_integer_digits > 1:
            whole = whole.zfill(how.minimum_integer_digits)
        least = how.minimum_fraction_digits
        if how.maximum_significant_digits is not None:
            least = how.minimum_significant_digits - point
        if len(fraction) < least:
            fraction = fraction.ljust(least, "0")
        if len(whole) >= self._grouped_from:
            whole = _grouped(whole, self._group, self._second)
        return f"{whole}{self._decimal}{fraction}" if fraction else whole

    def _scaled(self, digits: str, point: int, *, is_negative: bool) -> str:
        """Return a number as it is written with a power of ten."""
        power = self._power(point - 1)
        digits, point = self._rounded(digits, point - power)
        magnitude = power + point - 1 if digits else 0
        # 999.9 thousand is a million.
        point += power - self._power(magnitude)
        power = self._power(magnitude)
        body = self._body(digits, point)
        sign = is_negative, not digits
        if self._how.notation != "compact":
            minus = self._language.minus if power < 0 else ""
            return self._framed(
                f"{body}{self._language.exponent}{minus}{abs(power)}", sign, is_one=body == "1" and not power
            )
        step = self._step(magnitude)
        if not step:
            return self._framed(body, sign, is_one=body == "1")
        return self._framed(f"{step.before}{body}{step.after}", sign, is_large=True)

    def _power(self, magnitude: int) -> int:
        """Return by which power of ten a number of this magnitude is divided."""
        notation = self._how.notation
        if notation == "scientific":
            return magnitude
        if notation == "engineering":
            return magnitude // 3 * 3
        step = self._step(magnitude)
        return step.power if step else 0

    def _step(self, magnitude: int) -> Step | None:
        """Return how compact notation writes numbers of a magnitude; None for as they are."""
        return next((step for step in reversed(self._steps) if step.magnitude <= magnitude), None)


def _double(value: float) -> float:
    try:
        return float(value)
    except OverflowError:
        return inf if value > 0 else -inf


def _decimal(magnitude: float) -> tuple[str, int]:
    """Return the digits that tell a number, and how many of them stand before the decimal sign."""
    mantissa, _, exponent = repr(magnitude).partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).lstrip("0")
    if not digits:
        return "", 1
    point = len(digits) - len(fraction) + int(exponent or 0)
    return digits.rstrip("0"), point


def _rounded(digits: str, point: int, kept: int) -> tuple[str, int]:
    """Return the first digits of a number; a half is rounded up."""
    if kept >= len(digits):
        return digits.rstrip("0"), point
    if kept < 0:
        return "", 1
    if digits[kept] < "5":
        left = digits[:kept].rstrip("0")
        return (left, point) if left else ("", 1)
    more = str(int(digits[:kept] or 0) + 1)
    return more.rstrip("0"), point + (len(more) > kept)


def _grouped(whole: str, sign: str, second: int) -> str:
    """Return an integer's digits with a sign before the last three, and before each group to their left."""
    groups = [whole[-3:]]
    end = len(whole) - 3
    while end > 0:
        groups.append(whole[max(end - second, 0) : end])
        end -= second
    return sign.join(reversed(groups))


def _grouped_from(grouping: Grouping, least: int) -> float:
    """Return from how many digits on an integer has groups; in the language, `least` stand before the first."""
    return 3 + {"auto": least, "always": 1, "min2": max(least, 2), "never": inf}[grouping]


def _steps(how: NumberFormat, language: Language) -> tuple[Step, ...]:
    """Return the steps of compact notation; long ones are known in English, where thousands make the groups."""
    is_money = how.style == "currency" and how.currency_display != "name"
    if how.compact_display == "long" and not is_money and language.is_english and language.secondary == THOUSANDS:
        return LONG_STEPS
    return language.steps


def _endings(how: NumberFormat, language: Language) -> tuple[str, str]:
    """Return what follows a number, and what follows the number 1."""
    if how.style == "unit":
        return unit_endings(how.unit, how.unit_display, language.name)
    if how.style == "currency" and how.currency_display == "name":
        name = CURRENCY_NAMES.get(how.currency) if language.is_english else None
        one, _, other = (name or f"{how.currency}/{how.currency}").partition("/")
        return f" {other or one + 's'}", f" {one}"
    return "", ""


def _pattern(how: NumberFormat, language: Language) -> str:
    """Return how a style is written, in the language's pattern."""
    if how.style == "currency" and how.currency_display != "name":
        return language.currency
    if how.style == "unit" and how.unit == "percent" and not language.is_english:
        return language.short_percent or language.percent
    if how.style != "percent":
        return "0"
    if how.notation == "compact":
        return language.short_percent or language.percent.replace(_NO_BREAK_SPACE, " ")
    return language.percent


def _frames(how: NumberFormat, language: Language, pattern: str) -> _Frames:
    """Return what stands before and after a number, by whether it is negative, is zero, and begins with a digit.

    A currency that ends with a letter stands apart from a digit beside it.
    """
    symbol = _symbol(how, language) if how.currency else ""
    positive, _, negative = pattern.partition(";")
    frames: _Frames = {}
    for is_negative, is_zero, is_digit in product((False, True), repeat=3):
        sign = _sign(how.sign_display, language, is_negative=is_negative, is_zero=is_zero)
        signed = (negative or f"-{positive}") if sign else positive
        frames[is_negative, is_zero, is_digit] = _frame(signed, sign, symbol, is_spaced=is_digit)
    return frames


def _frame(pattern: str, sign: str, symbol: str, *, is_spaced: bool) -> tuple[str, str]:
    before, _, after = pattern.partition("0")
    if is_spaced and before.endswith("¤") and category(symbol[-1])[0] not in "SZ":
        before += _NO_BREAK_SPACE
    if is_spaced and after.startswith("¤") and category(symbol[0])[0] not in "SZ":
        after = _NO_BREAK_SPACE + after
    return before.replace("-", sign).replace("¤", symbol), after.replace("-", sign).replace("¤", symbol)


def _sign(display: SignDisplay, language: Language, *, is_negative: bool, is_zero: bool) -> str:
    if display == "never" or (is_zero and display in {"exceptZero", "negative"}):
        return ""
    if is_negative:
        return language.minus
    return language.plus if display in {"always", "exceptZero"} else ""


def _symbol(how: NumberFormat, language: Language) -> str:
    """Return how a language writes a currency: by its sign, or its code where there is none."""
    if how.currency_display == "code":
        return how.currency
    if how.currency_display == "narrowSymbol":
        symbol = language.narrow_symbols.get(how.currency) or NARROW_SYMBOLS.get(how.currency)
        if symbol:
            return symbol
    return language.symbols.get(how.currency) or SYMBOLS.get(how.currency, how.currency)


@lru_cache(maxsize=_MOST_KEPT)
def _writer(how: NumberFormat, locale: str) -> _Writer:
    return _Writer(how, language_of(locale))
