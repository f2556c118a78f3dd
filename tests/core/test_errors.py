import pickle
from typing import Any

import pytest

from mdpublish_core import Converter, MdpublishError, PageOptions, convert, get_template, list_templates, parse, render
from mdpublish_core.errors import (
    InvalidFigure,
    InvalidFontUrl,
    InvalidHtml,
    InvalidTheme,
    LimitExceeded,
    MissingExtra,
    UnknownCategory,
    UnknownExtension,
    UnknownOutput,
    UnknownPageWidth,
    UnknownRawHtmlMode,
    UnknownSource,
    UnknownTemplate,
    UnknownThemeMode,
)
from mdpublish_core.writers.outputs import DESTINATIONS

ERRORS = [
    InvalidFigure("is too large"),
    InvalidHtml("elements must nest at most 255 deep (got more); select a smaller part of the page"),
    InvalidFontUrl("//host"),
    InvalidTheme("my.toml", "type.size", "missing"),
    LimitExceeded("max_input_bytes", 10, 12),
    MissingExtra("figures", "ziafont"),
    UnknownCategory("x", ("free",)),
    UnknownOutput("x", ("html",)),
    UnknownExtension("x", ("table",)),
    UnknownPageWidth("x", ("wide",)),
    UnknownRawHtmlMode("x", ("keep",)),
    UnknownSource("x", ("auto",)),
    UnknownTemplate("x", ("swiss",)),
    UnknownThemeMode("x", ("light",)),
]


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_error_passes_between_processes(error: MdpublishError) -> None:
    copy = pickle.loads(pickle.dumps(error))

    assert str(copy) == str(error)
    assert vars(copy) == vars(error)


def test_unknown_destination_names_the_known_ones() -> None:
    with pytest.raises(
        UnknownOutput,
        match=f"unknown output 'fax'; choose from: {', '.join(DESTINATIONS)}, page",
    ):
        convert("x", to="fax")


def test_unknown_template_names_the_known_ones() -> None:
    with pytest.raises(UnknownTemplate, match=r"unknown template 'comic'; choose from: .*swiss"):
        get_template("comic")


def test_unknown_theme_mode_names_the_known_ones() -> None:
    with pytest.raises(UnknownThemeMode, match="unknown theme mode 'dim'; choose from: light, dark"):
        convert("x", theme_mode="dim")  # type: ignore[arg-type]


def test_unknown_raw_html_mode_names_the_known_ones() -> None:
    with pytest.raises(UnknownRawHtmlMode, match="unknown raw HTML mode 'trust'; choose from: sanitize, escape, keep"):
        convert("x", raw_html="trust")  # type: ignore[arg-type]


def test_unknown_extension_names_the_known_ones() -> None:
    with pytest.raises(
        UnknownExtension, match="unknown extension 'smileys'; choose from: abbreviations, admonitions, attributes"
    ):
        parse("x", extensions=frozenset({"smileys", "table"}))  # type: ignore[arg-type]


def test_unknown_page_width_names_the_known_ones() -> None:
    with pytest.raises(UnknownPageWidth, match="unknown page width 'huge'; choose from: standard, wide, full"):
        render(parse("x"), to="page", options=PageOptions(title="x", page_width="huge"))  # type: ignore[arg-type]


def test_unknown_category_names_the_known_ones() -> None:
    with pytest.raises(UnknownCategory, match="unknown category 'loud'; choose from: free, business"):
        list_templates("loud")  # type: ignore[arg-type]


def test_limit_exceeded_says_the_bound_what_arrived_and_the_remedy() -> None:
    message = str(LimitExceeded("max_input_bytes", 5_000_000, 6_000_001))

    assert message == (
        "max_input_bytes exceeded: got 6,000,001, limit 5,000,000; shorten the input or pass Limits(max_input_bytes=…)"
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"to": "gdocs"}, "unknown output 'gdocs'; did you mean 'google-docs'? Choose from: google-docs, word"),
        ({"template": "swis"}, "unknown template 'swis'; did you mean 'swiss'? Choose from: "),
        ({"extensions": ["maths"]}, "unknown extension 'maths'; did you mean 'math'? Choose from: "),
        ({"theme_mode": "Dark"}, "unknown theme mode 'Dark'; did you mean 'dark'? Choose from: light, dark"),
        ({"raw_html": "sanitise"}, "unknown raw HTML mode 'sanitise'; did you mean 'sanitize'? Choose from: "),
    ],
)
def test_near_name_is_suggested(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011  (the message is compared)
        convert("A", **arguments)
    assert str(caught.value).startswith(message)


def test_extensions_are_any_collection_of_names() -> None:
    collections: tuple[Any, ...] = ({"emoji"}, ["emoji"], ("emoji",), frozenset({"emoji"}))
    for names in collections:
        assert convert(":+1:", to="html", extensions=names).text == "<p>👍</p>\n"
    assert hash(Converter(extensions=["emoji"])) == hash(Converter(extensions={"emoji"}))
