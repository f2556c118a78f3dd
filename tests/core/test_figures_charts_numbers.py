import json
import re
from collections.abc import Mapping
from math import inf, isfinite, nan
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mdpublish_core.figures.charts.formatting import locales
from mdpublish_core.figures.charts.formatting.number_formats import NumberFormat, read_number_format
from mdpublish_core.figures.charts.formatting.number_formatting import format_number
from tests.sampling import each_row

# Expected values: `Intl.NumberFormat` in Node 24 (CLDR 48). _ is a no-break space, ~ a narrow one; < and > are the
# left-to-right and right-to-left marks.

Options = Mapping[str, Any]


def formatted(value: float, options: Options, locale: str = "en-US") -> str:
    written = format_number(value, read_number_format(options), locale)
    return written.translate({0xA0: "_", 0x202F: "~", 0x200E: "<", 0x200F: ">"})


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (0, "0"),
        (-0.0, "-0"),
        (1234, "1,234"),
        (-1234567.891, "-1,234,567.891"),
        (0.1 + 0.2, "0.3"),
        (1e-7, "0"),
        (-1e-9, "-0"),
        (5e-324, "0"),
        (1e21, "1,000,000,000,000,000,000,000"),
        (2**70, "1,180,591,620,717,411,300,000"),
        (nan, "NaN"),
        (inf, "∞"),
        (-inf, "-∞"),
        (10**400, "∞"),
    ],
)
def test_numbers_have_groups_and_up_to_three_digits(value: float, written: str) -> None:
    assert formatted(value, {}) == written
    assert format_number(value, NumberFormat()) == written


FORMATTED = {
    "numbers are rounded and filled with zeros": [
        (1.005, {"maximumFractionDigits": 2}, "1.01"),
        (-2.5, {"maximumFractionDigits": 0}, "-3"),
        (0.49999999999999994, {"maximumFractionDigits": 0}, "0"),
        (999.95, {"maximumFractionDigits": 1}, "1,000"),
        (1.5, {"minimumFractionDigits": 5}, "1.50000"),
        (1.5, {"minimumFractionDigits": "2"}, "1.50"),
        (1.5, {"maximumFractionDigits": None}, "2"),
        (1.25, {"maximumFractionDigits": "0x1"}, "1.3"),
        (1.25, {"maximumFractionDigits": [1]}, "1.3"),
        (0.1, {"minimumFractionDigits": 30}, "0.1" + "0" * 29),
        (12, {"minimumIntegerDigits": 5}, "00,012"),
        (1234, {"maximumSignificantDigits": 3}, "1,230"),
        (0.00012345, {"maximumSignificantDigits": 3}, "0.000123"),
        (9.996, {"minimumSignificantDigits": 3, "maximumSignificantDigits": 3}, "10.0"),
        (0, {"minimumSignificantDigits": 3}, "0.00"),
        (1.23456, {"minimumSignificantDigits": 3, "maximumFractionDigits": -5}, "1.23456"),
    ],
    "powers of ten are written by their notation": [
        (12345, {"notation": "scientific"}, "1.235E4"),
        (1e-5, {"notation": "scientific"}, "1E-5"),
        (9.9996, {"notation": "scientific"}, "1E1"),
        (0, {"notation": "scientific"}, "0E0"),
        (12345, {"notation": "engineering"}, "12.345E3"),
        (999.9999, {"notation": "engineering"}, "1E3"),
        (0.01234, {"notation": "engineering"}, "12.34E-3"),
        (1234, {"notation": "compact"}, "1.2K"),
        (12345, {"notation": "compact"}, "12K"),
        (999.5, {"notation": "compact"}, "1K"),
        (999_950, {"notation": "compact", "maximumFractionDigits": 1}, "1M"),
        (0.0125, {"notation": "compact"}, "0.013"),
        (1.5e15, {"notation": "compact"}, "1500T"),
        (1.2345e16, {"notation": "compact"}, "12,345T"),
        (1234, {"notation": "compact", "compactDisplay": "long"}, "1.2 thousand"),
        (1234567, {"notation": "compact", "maximumSignificantDigits": 3}, "1.23M"),
    ],
}


@pytest.mark.parametrize(("value", "options", "written"), each_row(FORMATTED))
def test_number_is_written_by_its_format(value: float, options: Options, written: str) -> None:
    assert formatted(value, options) == written


@pytest.mark.parametrize(
    ("value", "locale", "grouping", "written"),
    [
        (1234, "en", False, "1234"),
        (1234, "en", "min2", "1234"),
        (12345, "en", "min2", "12,345"),
        (1234, "es", "auto", "1234"),
        (1234, "es", True, "1.234"),
        (12345, "es", "auto", "12.345"),
        (12345678, "en-IN", "auto", "1,23,45,678"),
        (1234, "en", None, "1234"),
        (1234, "en", "false", "1,234"),
    ],
)
def test_grouping_separates_thousands(value: float, locale: str, grouping: object, written: str) -> None:
    assert formatted(value, {"useGrouping": grouping}, locale) == written


@pytest.mark.parametrize(
    ("display", "written"),
    [
        ("auto", "5 -5 0 -0 NaN"),
        ("always", "+5 -5 +0 -0 +NaN"),
        ("never", "5 5 0 0 NaN"),
        ("exceptZero", "+5 -5 0 0 NaN"),
        ("negative", "5 -5 0 0 NaN"),
    ],
)
def test_sign_display_decides_about_signs(display: str, written: str) -> None:
    values = (5, -5, 0.0, -0.0001, nan)

    assert " ".join(formatted(value, {"signDisplay": display}) for value in values) == written


@pytest.mark.parametrize(
    ("value", "options", "written"),
    [
        (0.256, {}, "26%"),
        (-0.256, {"minimumFractionDigits": 1}, "-25.6%"),
        (12.345, {"notation": "compact"}, "1.2K%"),
        (nan, {}, "NaN%"),
    ],
)
def test_percentages_are_a_hundred_times_as_much(value: float, options: Options, written: str) -> None:
    assert formatted(value, {"style": "percent", **options}) == written


@pytest.mark.parametrize(
    ("value", "options", "written"),
    [
        (1234.5, {"currency": "USD"}, "$1,234.50"),
        (-1234.5, {"currency": "eur"}, "-€1,234.50"),
        (1234.5, {"currency": "JPY"}, "¥1,235"),
        (1234.5, {"currency": "KWD"}, "KWD_1,234.500"),
        (-1, {"currency": "CHF"}, "-CHF_1.00"),
        (inf, {"currency": "CHF"}, "CHF∞"),
        (1, {"currency": "CAD"}, "CA$1.00"),
        (1, {"currency": "CAD", "currencyDisplay": "narrowSymbol"}, "$1.00"),
        (1, {"currency": "USD", "currencyDisplay": "code"}, "USD_1.00"),
        (1, {"currency": "USD", "currencyDisplay": "name"}, "1.00 US dollars"),
        (1, {"currency": "USD", "currencyDisplay": "name", "maximumFractionDigits": 0}, "1 US dollar"),
        (1, {"currency": "XYZ"}, "XYZ_1.00"),
        (1234.5, {"currency": "USD", "maximumFractionDigits": 0}, "$1,235"),
        (1234, {"currency": "USD", "notation": "compact"}, "$1.2K"),
    ],
)
def test_money_has_its_currency_and_its_decimals(value: float, options: Options, written: str) -> None:
    assert formatted(value, {"style": "currency", **options}) == written


@pytest.mark.parametrize(
    ("value", "options", "written"),
    [
        (1.5, {"unit": "kilometer-per-hour"}, "1.5 km/h"),
        (21, {"unit": "celsius"}, "21°C"),
        (2, {"unit": "day", "unitDisplay": "narrow"}, "2d"),
        (1, {"unit": "meter", "unitDisplay": "long"}, "1 meter"),
        (1.5, {"unit": "meter", "unitDisplay": "long"}, "1.5 meters"),
        (2, {"unit": "byte-per-second", "unitDisplay": "long"}, "2 bytes per second"),
        (1e6, {"unit": "byte", "notation": "compact"}, "1M byte"),
        (12, {"unit": "mile-per-gallon"}, "12 mpg"),
        (3, {"unit": "meter-per-second", "unitDisplay": "narrow"}, "3m/s"),
    ],
)
def test_units_follow_their_number(value: float, options: Options, written: str) -> None:
    assert formatted(value, {"style": "unit", **options}) == written


@pytest.mark.parametrize(
    ("locale", "number", "percentage", "money", "compact"),
    [
        ("en-GB", "-1,234,567.5", "-26%", "-€1,234.50", "1.2m"),
        ("de", "-1.234.567,5", "-26_%", "-1.234,50_€", "1,2_Mio."),
        ("de-AT", "-1_234_567,5", "-26_%", "-€_1.234,50", "1,2_Mio."),
        ("de-CH", "-1'234'567.5", "-26%", "EUR-1'234.50", "1.2_Mio."),
        ("fr", "-1~234~567,5", "-26_%", "-1~234,50_€", "1,2_M"),
        ("fr-CH", "-1'234'567,5", "-26%", "-1'234.50_€", "1,2_M"),
        ("es", "-1.234.567,5", "-26_%", "-1234,50_€", "1,2_M"),
        ("es-MX", "-1,234,567.5", "-26%", "-EUR_1,234.50", "1.2_M"),
        ("it", "-1.234.567,5", "-26%", "-1234,50_€", "1,2_Mln"),
        ("pt-BR", "-1.234.567,5", "-26%", "-€_1.234,50", "1,2_mi"),
        ("pt-PT", "-1_234_567,5", "-26%", "-1234,50_€", "1,2_M"),
        ("nl", "-1.234.567,5", "-26%", "€_-1.234,50", "1,2_mln."),
        ("sv", "−1_234_567,5", "−26_%", "−1_234,50_€", "1,2_mn"),
        ("ru", "-1_234_567,5", "-26_%", "-1_234,50_€", "1,2_млн"),
        ("tr", "-1.234.567,5", "-%26", "-€1.234,50", "1,2_Mn"),
        ("he", "<-1,234,567.5", "<-26%", "><-1,234.50_>€", "1.2M>"),
        ("ar", "<-1,234,567.5", "<-26<%<", "><-1,234.50_€", "1.2_مليون"),
        ("hi", "-12,34,567.5", "-26%", "-€1,234.50", "12_लाख"),
        ("bn", "-১২,৩৪,৫৬৭.৫", "-২৬%", "-১,২৩৪.৫০€", "১২_লা"),
        ("ja", "-1,234,567.5", "-26%", "-€1,234.50", "123万"),
        ("zh-TW", "-1,234,567.5", "-26%", "-€1,234.50", "123萬"),
    ],
)
def test_languages_and_regions_have_different_signs(
    locale: str, number: str, percentage: str, money: str, compact: str
) -> None:
    assert formatted(-1234567.5, {}, locale) == number
    assert formatted(-0.256, {"style": "percent"}, locale) == percentage
    assert formatted(-1234.5, {"style": "currency", "currency": "EUR"}, locale) == money
    assert formatted(1234567, {"notation": "compact"}, locale) == compact


@pytest.mark.parametrize(
    ("locale", "currency", "written"),
    [
        ("en-CA", "CAD", "$5.00"),
        ("ja", "JPY", "￥5"),
        ("sv", "SEK", "5,00_kr"),
        ("pl", "PLN", "5,00_zł"),
        ("en-IN", "INR", "₹5.00"),
        ("fr", "USD", "5,00_$US"),
        ("de-CH", "CHF", "CHF_5.00"),
    ],
)
def test_currencies_have_the_symbol_of_their_language(locale: str, currency: str, written: str) -> None:
    assert formatted(5, {"style": "currency", "currency": currency}, locale) == written


@pytest.mark.parametrize(
    ("locale", "options", "written"),
    [
        ("en-CA", {"unit": "kilometer-per-hour"}, "-5 km/h"),
        ("en-CA", {"unit": "percent", "unitDisplay": "long"}, "-5 percent"),
        ("en-GB", {"unit": "percent", "unitDisplay": "long"}, "-5 per cent"),
        ("en-GB", {"unit": "liter-per-kilometer", "unitDisplay": "long"}, "-5 litres per kilometre"),
        ("en-GB", {"unit": "mile-per-gallon"}, "-5 mpg US"),
        ("en-IN", {"unit": "kilometer-per-hour"}, "-5 kph"),
        ("de", {"unit": "percent"}, "-5_%"),
        ("de", {"unit": "percent", "notation": "compact"}, "-5 %"),
        ("tr", {"unit": "percent"}, "-%5"),
        ("tr", {"unit": "percent", "notation": "compact"}, "%-5"),
        ("ar", {"unit": "percent"}, "<-5<%<"),
    ],
)
def test_units_are_written_as_in_their_region(locale: str, options: Options, written: str) -> None:
    assert formatted(-5, {"style": "unit", **options}, locale) == written


@pytest.mark.parametrize(
    ("locale", "value", "written"),
    [
        ("en-IN", 12345678, "1.2~crore"),
        ("ja", 12345678, "1235万"),
        ("tr", 12345678, "12 milyon"),
        ("fr", 12345678, "12_M"),
    ],
)
def test_long_compact_notation_has_words_without_plurals(locale: str, value: float, written: str) -> None:
    assert formatted(value, {"notation": "compact", "compactDisplay": "long"}, locale) == written


@pytest.mark.parametrize(
    ("locale", "currency", "display", "written"),
    [
        ("es-PE", "PEN", "symbol", "S/_5.00"),
        ("en-KE", "KES", "symbol", "Ksh_5.00"),
        ("fi", "FJD", "narrowSymbol", "5,00_FJD"),
        ("lt", "PYG", "narrowSymbol", "5_Gs"),
        ("en-CA", "RUB", "name", "5.00 Russian rubles"),
        ("en-GB", "RUB", "name", "5.00 Russian roubles"),
        ("en", "PEN", "name", "5.00 Peruvian soles"),
        ("en", "FJD", "name", "5.00 Fijian dollars"),
    ],
)
def test_every_currency_has_the_symbol_and_name_of_its_region(
    locale: str, currency: str, display: str, written: str
) -> None:
    options = {"style": "currency", "currency": currency, "currencyDisplay": display}

    assert formatted(5, options, locale) == written


def test_every_locale_formats_numbers_that_can_be_read_back() -> None:
    names = json.loads(Path(locales.__file__).with_name("locales.json").read_text("utf-8"))["locales"]
    compact = read_number_format({"notation": "compact"})

    def read_back(locale: str) -> tuple[float, bool]:
        data = locales.load_locale(locale)
        signs = str.maketrans(data.digits, "0123456789") | {ord(data.group): "", ord(data.decimal): "."}
        number = float(format_number(1234567.5, NumberFormat(), locale).translate(signs))
        return number, "1" in format_number(12e9, compact, locale).translate(signs)

    assert [name for name in names if read_back(name) != (1234567.5, True)] == []


@pytest.mark.parametrize(
    ("locale", "like"),
    [
        ("de-LU", "de"),
        ("DE-de", "de"),
        ("no", "nb"),
        ("iw", "he"),
        ("in", "id"),
        ("tl", "fil"),
        ("zh-TW", "zh-Hant"),
        ("zh-MO", "zh-Hant-HK"),
        ("zh-Hans-HK", "zh"),
        ("sr-ME", "sr-Latn"),
        ("de-Latn-CH", "de-CH"),
        ("und", "en"),
        ("zh-Hant-HK", "zh-HK"),
        ("zh-Hans-CN", "zh"),
        ("pt-AO", "pt-PT"),
        ("sr-Latn-RS", "sr-Latn"),
        ("xx", "en"),
        ("", "en"),
        ("not a locale", "en"),
        ("de-" * 1000, "en"),
    ],
)
def test_locale_that_is_not_known_is_written_as_its_language(locale: str, like: str) -> None:
    for options in ({}, {"notation": "compact"}, {"style": "currency", "currency": "EUR"}):
        assert formatted(-12345.6, options, locale) == formatted(-12345.6, options, like)


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"style": "percentage"}, "style must be one of decimal, percent, currency, unit (got 'percentage')"),
        ({"style": None}, "style must be one of decimal, percent, currency, unit (got None)"),
        ({"notation": ["compact"]}, "(got value of type list)"),
        ({"style": "currency"}, "currency must be three letters, such as EUR (got '')"),
        ({"currency": "US$"}, "currency must be three letters, such as EUR (got 'US$')"),
        ({"style": "unit", "unit": "foo"}, "unit must be a unit such as kilometer or kilometer-per-hour (got 'foo')"),
        ({"unit": "meter-per-second-per-second"}, "kilometer-per-hour (got 'meter-per"),
        ({"unit": "-per-" * 1000}, "kilometer-per-hour (got '-per-"),
        ({"minimumFractionDigits": 101}, "minimumFractionDigits must be 0 to 100 (got 101)"),
        ({"minimumFractionDigits": 5, "maximumFractionDigits": 2}, "maximumFractionDigits must be 5 to 100 (got 2)"),
        (
            {"minimumSignificantDigits": 5, "maximumSignificantDigits": 3},
            "maximumSignificantDigits must be 5 to 21 (got 3)",
        ),
        ({"minimumIntegerDigits": 0}, "minimumIntegerDigits must be 1 to 21 (got 0)"),
        ({"maximumFractionDigits": "a"}, "maximumFractionDigits must be 0 to 100 (got 'a')"),
        ({"maximumFractionDigits": 10**400}, "maximumFractionDigits must be 0 to 100 (got value of type int)"),
        ({"useGrouping": "x"}, "useGrouping must be one of true, false, auto, always, min2 (got 'x')"),
        ({"useGrouping": []}, "always, min2 (got value of type list)"),
        ({"signDisplay": "x" * 1000}, "exceptZero, negative (got 'xxx"),
    ],
)
def test_options_that_mean_nothing_are_refused_with_what_is_allowed(options: Options, problem: str) -> None:
    with pytest.raises(ValueError, match=re.escape(problem)):
        read_number_format(options)


def test_unknown_options_are_left_aside() -> None:
    assert read_number_format({"colour": "red", "maximumFractionDigits": 1}) == read_number_format(
        {"maximumFractionDigits": 1}
    )


JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=4,
)
CHOICES: dict[str, list[Any]] = {
    "style": ["decimal", "percent", "currency", "unit"],
    "currency": ["EUR", "JPY", "KWD", "xyz"],
    "currencyDisplay": ["symbol", "narrowSymbol", "code", "name"],
    "unit": ["meter", "mile-per-hour", "percent", "byte-per-second"],
    "unitDisplay": ["short", "narrow", "long"],
    "notation": ["standard", "scientific", "engineering", "compact"],
    "compactDisplay": ["short", "long"],
    "signDisplay": ["auto", "never", "always", "exceptZero", "negative"],
    "useGrouping": [True, False, "auto", "always", "min2"],
    "minimumIntegerDigits": [1, 3, 21],
    "minimumFractionDigits": [0, 2, 100],
    "maximumFractionDigits": [0, 3, 100],
    "minimumSignificantDigits": [1, 5],
    "maximumSignificantDigits": [5, 21],
}
OPTIONS = st.fixed_dictionaries({}, optional={name: st.sampled_from(choices) for name, choices in CHOICES.items()})
LOCALES = st.sampled_from(["en", "de", "fr-CH", "en-IN", "ar-EG", "he", "fa", "sv", "sw", "ja", "es-AR"])


@given(st.floats(), OPTIONS, LOCALES)
@example(0.0, {"style": "currency", "currency": "EUR", "notation": "compact"}, "sw")
@example(1e308, {"style": "percent", "notation": "compact", "minimumIntegerDigits": 21}, "ar-EG")
def test_every_number_is_formatted_in_every_format(value: float, options: Options, locale: str) -> None:
    try:
        how = read_number_format(options)
    except ValueError:
        assert {"style", "maximumFractionDigits", "minimumSignificantDigits"} & options.keys()
        return
    written = format_number(value, how, locale)

    assert written
    if isfinite(value):
        assert any(character.isdigit() for character in written)


@given(st.dictionaries(st.sampled_from(list(CHOICES)), JSON))
def test_hostile_options_raise_nothing_but_value_errors(options: Options) -> None:
    try:
        how = read_number_format(options)
    except ValueError as error:
        assert len(str(error)) < 200  # noqa: PT017  (either is right)
    else:
        assert format_number(1.5, how)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_number_with_all_its_digits_round_trips(value: float) -> None:
    written = format_number(value, read_number_format({"maximumSignificantDigits": 21, "useGrouping": False}))

    assert float(written) == value


@given(st.floats(-1e15, 1e15), st.integers(0, 6))
def test_rounding_moves_a_number_by_up_to_half_a_digit(value: float, digits: int) -> None:
    how = read_number_format({"minimumFractionDigits": digits, "maximumFractionDigits": digits, "useGrouping": False})
    written = format_number(value, how)

    assert len(written.partition(".")[2]) == digits
    assert abs(float(written) - value) <= 0.5 * 10**-digits + abs(value) * 1e-15


@given(st.floats(-1e15, 1e15), st.sampled_from(["de", "en-IN", "sv", "de-CH"]))
def test_languages_format_the_same_number(value: float, locale: str) -> None:
    signs = str.maketrans({".": "", ",": ".", "_": "", "−": "-", "'": ""})
    if locale in {"en-IN", "de-CH"}:
        signs = str.maketrans({",": "", "'": ""})

    assert float(formatted(value, {}, locale).translate(signs)) == float(formatted(value, {"useGrouping": False}))
