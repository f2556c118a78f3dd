"""`rewrite_url` is called for every URL in a document, and the output contains its result."""

import re

import pytest

from mdpublish_core import Limits, Url, convert, parse, render
from mdpublish_core.errors import LimitExceeded

MARKDOWN = """# a

See [b](b.md "t"), [c] and <https://example.org>.

> ![d](d.png)

[c]: c.md

<a href="e.md" name="e">e</a> <img src="f.png"> <b>x[^1]</b>

[^1]: In a [note](g.md).
"""


def test_every_url_is_rewritten_with_its_kind_and_line() -> None:
    requested: list[Url] = []

    def resolve(url: Url) -> str:
        requested.append(url)
        return url.url

    parse(MARKDOWN, rewrite_url=resolve)

    assert requested == [
        Url("b.md", "link", 3),
        Url("c.md", "link", 3),
        Url("d.png", "image", 5),
        Url("e.md", "link", 9),
        Url("f.png", "image", 9),
        Url("g.md", "link", 11),
    ]


def test_output_names_what_was_returned() -> None:
    html = convert(MARKDOWN, rewrite_url=lambda url: f"https://example.org/{url.url}").html

    for name in ("b.md", "c.md", "d.png", "e.md", "f.png", "g.md"):
        assert f'="https://example.org/{name}"' in html


@pytest.mark.parametrize("url", ["javascript:alert(1)", "data:text/html,x", " JavaScript:x"])
def test_what_is_returned_is_held_to_the_rules_of_authors(url: str) -> None:
    for destination in ("generic", "html", "email", "word", "google-docs", "onenote", "slack"):
        html = convert(MARKDOWN, to=destination, rewrite_url=lambda _: url).text

        assert not re.search(r"""(?:=["']|<)\s*(?:javascript|data):""", html, re.IGNORECASE)


def test_unsafe_urls_that_are_returned_have_a_notice() -> None:
    notices = convert("a\n\n[b](c) [d](e)", rewrite_url=lambda _: "javascript:x").notices

    assert [(notice.code, notice.line) for notice in notices] == [("unsafe-link", 3)]


def test_a_function_that_returns_no_url_is_an_error() -> None:
    def forgetful(_url: Url) -> str:
        return None  # type: ignore[return-value]

    with pytest.raises(TypeError, match=r"must return a str \(got None for 'b'\)"):
        convert("[a](b)", rewrite_url=forgetful)


def test_images_that_are_put_in_widen_the_bound_of_the_output() -> None:
    image = "data:image/gif;base64," + "A" * 40_000
    limits = Limits(max_output_bytes=10_000)

    assert convert("![a](a.gif)", rewrite_url=lambda _: image, to="word", limits=limits).html
    with pytest.raises(LimitExceeded):
        render(parse("![a](a.gif)\n" * 100, rewrite_url=lambda _: image), limits=limits)
