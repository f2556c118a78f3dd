"""A caller's function is asked for each address that a text names, and output names what it returns."""

import re

import pytest

from mdpublish_core import Address, LimitExceeded, Limits, convert, parse, render

TEXT = """# a

See [b](b.md "t"), [c] and <https://example.org>.

> ![d](d.png)

[c]: c.md

<a href="e.md" name="e">e</a> <img src="f.png"> <b>x[^1]</b>

[^1]: In a [note](g.md).
"""


def test_every_address_is_asked_for_with_its_kind_and_line() -> None:
    asked: list[Address] = []

    def resolve(address: Address) -> str:
        asked.append(address)
        return address.url

    parse(TEXT, resolve=resolve)

    assert asked == [
        Address("b.md", "link", 3),
        Address("c.md", "link", 3),
        Address("d.png", "picture", 5),
        Address("e.md", "link", 9),
        Address("f.png", "picture", 9),
        Address("g.md", "link", 11),
    ]


def test_output_names_what_was_returned() -> None:
    html = convert(TEXT, resolve=lambda address: f"https://example.org/{address.url}").html

    for name in ("b.md", "c.md", "d.png", "e.md", "f.png", "g.md"):
        assert f'="https://example.org/{name}"' in html


@pytest.mark.parametrize("url", ["javascript:alert(1)", "data:text/html,x", " JavaScript:x"])
def test_what_is_returned_is_held_to_the_rules_of_authors(url: str) -> None:
    for destination in ("generic", "html", "email", "word", "google-docs", "onenote", "slack"):
        html = convert(TEXT, destination=destination, resolve=lambda _: url).html

        assert not re.search(r"""(?:=["']|<)\s*(?:javascript|data):""", html, re.IGNORECASE)


def test_unsafe_addresses_that_are_returned_have_a_notice() -> None:
    notices = convert("a\n\n[b](c) [d](e)", resolve=lambda _: "javascript:x").notices

    assert [(notice.code, notice.line) for notice in notices] == [("unsafe_url", 3)]


def test_a_function_that_returns_no_address_is_told_so() -> None:
    def forgetful(_address: Address) -> str:
        return None  # type: ignore[return-value]

    with pytest.raises(TypeError, match="must return an address as a str, and returned None for 'b'"):
        convert("[a](b)", resolve=forgetful)


def test_pictures_that_are_put_in_widen_the_bound_of_the_output() -> None:
    picture = "data:image/gif;base64," + "A" * 40_000
    limits = Limits(output_bytes=10_000)

    assert convert("![a](a.gif)", resolve=lambda _: picture, destination="word", limits=limits).html
    with pytest.raises(LimitExceeded):
        render(parse("![a](a.gif)\n" * 100, resolve=lambda _: picture), limits=limits)
