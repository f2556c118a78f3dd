"""Captions of images and attributions of quotes, in every destination with styles."""

import pytest

from mdpublish_core import convert, parse, render

STYLED = ("generic", "email", "google-docs", "word", "onenote")

IMAGE = '![A sunset](https://example.org/a.png "The sun sets")'

QUOTES = {
    "a last line": "> Words of a quote.\n> — Ada Lovelace",
    "a paragraph": "> Words of a quote.\n>\n> — Ada Lovelace",
    "a bar": "> Words of a quote.\n> ― Ada Lovelace",
    "emphasis": "> Words of a quote.\n>\n> — *Ada* Lovelace",
    "a hard break": "> Words of a quote.\\\n> — Ada Lovelace",
    "two hyphens": "> Words of a quote.\n> -- Ada Lovelace",
    "two hyphens in a paragraph": "> Words of a quote.\n>\n> -- Ada Lovelace",
    "two hyphens and emphasis": "> Words of a quote.\n> -- **Ada** Lovelace",
    "an en dash": "> Words of a quote.\n> – Ada Lovelace",
    "a book": "> Words of a quote.\n> — Ada Lovelace, *Notes*",
}


@pytest.mark.parametrize("destination", STYLED)
def test_title_of_an_image_that_stands_alone_is_its_caption(destination: str) -> None:
    html = convert(f"{IMAGE}\n\nText with {IMAGE} in it.", to=destination).text or ""

    assert html.count(">The sun sets<") == 1


def test_page_has_a_figure_with_a_caption() -> None:
    page = render(parse(f"[{IMAGE}](https://example.org/)"), to="page").html

    assert '<figure><a href="https://example.org/"><img ' in page
    assert "<figcaption>The sun sets</figcaption>\n</figure>" in page


@pytest.mark.parametrize("quote", QUOTES.values(), ids=QUOTES)
def test_last_line_that_names_who_said_it_is_an_attribution(quote: str) -> None:
    html = convert(quote).html or ""

    assert '<p>Words of a quote.</p>\n<p class="attribution">' in html
    assert html.count("Ada") == 1


@pytest.mark.parametrize("destination", STYLED[1:])
@pytest.mark.parametrize("quote", QUOTES.values(), ids=QUOTES)
def test_attribution_is_smaller_and_muted_in_documents_and_emails(destination: str, quote: str) -> None:
    html = convert(quote, to=destination, template="swiss").text or ""
    before = html.rpartition("Ada")[0].lower()

    assert before.rfind("color:#5c5c5c") > before.rfind("words of a quote")


@pytest.mark.parametrize(
    "quote",
    [
        "> — Ada Lovelace",
        "> -- Ada Lovelace",
        "> Words — and more",
        "> Words\n> - a list",
        "> Words\n> - Ada Lovelace",
        "> Words\n> — ",
        "> Words\n> —\n> more",
        "> Add the option\n> --verbose",
        "> Words\n> -- and more",
        "> Words\n> --- Ada",
        "> — ¿Quién es?\n> — Ada.",
        "> — ¿Quién es?\n>\n> — Ada.",
        "> Tasks:\n> – One\n> – Two",
        "> ---\n> title: Words\n> ---",
        "Words\n-- Ada Lovelace",
    ],
)
def test_other_quotes_have_no_attribution(quote: str) -> None:
    assert 'class="attribution"' not in (convert(quote).html or "")


@pytest.mark.parametrize("destination", ["html", "plain-text", "slack"])
def test_attribution_is_a_line_like_others_in_text_and_unstyled_output(destination: str) -> None:
    joined, apart = (convert(quote, to=destination) for quote in (QUOTES["a last line"], "> Words\n> of Ada"))

    assert "attribution" not in (joined.text or "") + joined.plain_text
    assert joined.plain_text.count("\n") == apart.plain_text.count("\n")
