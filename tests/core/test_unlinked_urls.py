"""What a destination does not link, it shows beside the link's text, as text that does nothing."""

from collections.abc import Callable, Mapping
from io import BytesIO
from typing import Any

import docx
import lxml.html
import pytest

from mdpublish_core import PageOptions, convert, parse, render
from mdpublish_core.resources.urls import SAFE_SCHEMES, SCHEMES

Reading = tuple[str, list[str]]
"""What readers see, and where the links lead."""

URLS: Mapping[str, str] = {
    "http": "http://example.org/a?b=c&d",
    "https": "https://example.org/a_(b)",
    "mailto": "mailto:a@example.org",
    "tel": "tel:+43123",
    "ftp": "ftp://ftp.example.org/pub",
    "geo": "geo:48.2,16.4",
    "magnet": "magnet:?xt=urn:btih:c12fe1",
    "sms": "sms:+43123?body=hi",
    "webcal": "webcal://example.org/a.ics",
    "xmpp": "xmpp:a@example.org",
    "javascript": "javascript:alert('<b>1</b>')",
    "vbscript": "VBScript:MsgBox(1)",
    "data": "data:text/html,<script>alert(document.cookie)</script>",
    "about": "about:blank",
    "blob": "blob:https://example.org/1",
    "file": "file:///etc/passwd",
    "view-source": "view-source:https://example.org",
    "x-unknown": "x-unknown:a",
}


def of_html(html: str) -> Reading:
    root: Any = lxml.html.fromstring(html)
    for element in root.xpath("//style | //head | //div[contains(@style, 'display:none')]"):
        element.drop_tree()
    assert not root.xpath("//script")
    return " ".join(root.text_content().split()), [str(link.get("href")) for link in root.xpath("//a[@href]")]


def of_docx(markdown: str) -> Reading:
    (paragraph,) = docx.Document(BytesIO(convert(markdown, to="docx").to_bytes())).paragraphs
    return paragraph.text, [link.address for link in paragraph.hyperlinks]


def of_page(markdown: str) -> Reading:
    root: Any = lxml.html.fromstring(render(parse(markdown), to="page", options=PageOptions(title="T")).html)
    (main,) = root.xpath("//main")
    return of_html(lxml.html.tostring(main, encoding="unicode"))


READERS: Mapping[str, Callable[[str], Reading]] = {
    **{
        name: lambda markdown, name=name: of_html(convert(markdown, to=name).text)  # type: ignore[misc]
        for name in ("google-docs", "word", "onenote", "email", "generic")
    },
    "page": of_page,
    "docx": of_docx,
    # Their links, if any, are written as text.
    "plain-text": lambda markdown: (convert(markdown, to="plain-text").text.strip(), []),
    "slack": lambda markdown: (of_html(convert(markdown, to="slack").text)[0], []),
}


def in_angles(url: str) -> str:
    return "<" + url.replace("<", "\\<").replace(">", "\\>") + ">"


WRITTEN: Mapping[str, Callable[[str], str]] = {
    "Markdown": lambda url: f"one [*a* b]({in_angles(url)}) two",
    "reference": lambda url: f"one [*a* b][c] two\n\n[c]: {in_angles(url)}",
    "HTML": lambda url: f'one <a href="{url.replace("<", "&lt;")}"><em>a</em> b</a> two',
}


def test_each_scheme_of_the_table_has_an_example() -> None:
    assert {*SCHEMES, "x-unknown"} == set(URLS)
    assert all(scheme.reason for scheme in SCHEMES.values())
    assert {url.partition(":")[0].lower() for url in URLS.values()} == set(URLS)


@pytest.mark.parametrize("destination", READERS)
@pytest.mark.parametrize("scheme", [scheme for scheme in URLS if scheme not in SAFE_SCHEMES])
def test_url_that_is_not_linked_is_text_beside_its_link_s(scheme: str, destination: str) -> None:
    url = URLS[scheme]
    # The text of `data:` URLs has no more than its beginning.
    shown = f"{url[:40]}…" if scheme == "data" else url
    for write in WRITTEN.values():
        content, targets = READERS[destination](write(url))

        assert (content.replace("_a_", "a"), targets) == (f"one a b ({shown}) two", [])


@pytest.mark.parametrize("destination", ["google-docs", "word", "onenote", "email", "generic", "page", "docx"])
@pytest.mark.parametrize("scheme", SAFE_SCHEMES)
def test_url_that_is_linked_is_not_shown(scheme: str, destination: str) -> None:
    for write in WRITTEN.values():
        assert READERS[destination](write(URLS[scheme])) == ("one a b two", [URLS[scheme]])


@pytest.mark.parametrize("destination", READERS)
@pytest.mark.parametrize("written", ["<{}>", "[{}](<{}>)", "[](<{}>)"])
def test_text_that_is_the_url_is_not_followed_by_it(written: str, destination: str) -> None:
    url = URLS["ftp"]
    content, targets = READERS[destination](f"one {written.format(url, url)} two")

    assert content.replace(f"({url})", url) == f"one {url} two"
    assert targets == []


@pytest.mark.parametrize("destination", READERS)
def test_url_hides_no_character(destination: str) -> None:
    content, targets = READERS[destination]("[a](<java\u200bscript:b\u202ec>)")

    assert (content.strip(), targets) == ("a (java%E2%80%8Bscript:b%E2%80%AEc)", [])


@pytest.mark.parametrize("scheme", [scheme for scheme in URLS if scheme not in SAFE_SCHEMES])
def test_reference_output_leaves_it_out(scheme: str) -> None:
    assert convert(f"[a]({in_angles(URLS[scheme])})", to="html").html == "<p><a>a</a></p>\n"


def test_trusted_author_links_what_he_likes() -> None:
    html = convert("[a](ftp://b.c)", to="generic", raw_html="keep").html

    assert '<p><a href="ftp://b.c">a</a></p>' in html


def test_link_around_a_link_that_is_none_stays_one() -> None:
    content, targets = of_html(convert('<a href="ftp://a.b">c [d](https://e.f)</a>', to="generic").html)

    assert (content, targets) == ("c d (ftp://a.b)", ["https://e.f"])
