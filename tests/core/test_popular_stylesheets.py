"""Popular stylesheets, fetched from npm, reach the elements of each destination as they would in a browser.

The expected values are those of the stylesheets, in the units of the destination.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

import html5lib
import pytest

from mdpublish_core import Conversion, convert
from mdpublish_core.css.user_css import browser_rules, user_css
from tests.corpora.npm import PackagedFile, fetch_all

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

STYLESHEETS = {
    "github": PackagedFile(
        package="github-markdown-css",
        version="5.9.0",
        path="github-markdown.css",
        sha256="6112686f954db5d3806fb96116d2ab20ad3018469ab1015c587fd8efe7d25cf4",
    ),
    "water": PackagedFile(
        package="water.css",
        version="2.1.1",
        path="out/water.css",
        sha256="47073611dda0977c57c95d5bbda291084a589e5c7af197fa4d09822657249a0e",
    ),
    "sakura": PackagedFile(
        package="sakura.css",
        version="1.5.1",
        path="css/sakura.css",
        sha256="ac5a320089feaed50ac9646c77a8436f3967266925211ae8b333311bf9a3c5e6",
    ),
    "pico": PackagedFile(
        package="@picocss/pico",
        version="2.1.1",
        path="css/pico.classless.css",
        sha256="76994d55389adc669e0d975a31e33041e81fde36d7d56ad912f3731b222cbdfb",
    ),
    "mvp": PackagedFile(
        package="mvp.css",
        version="1.18.0",
        path="mvp.css",
        sha256="e0843dbd4883d1d30ef62102ff498a1698deab8d435f889e2b2be0288a45cccd",
    ),
    "simple": PackagedFile(
        package="simpledotcss",
        version="2.3.7",
        path="simple.css",
        sha256="3f5f9335c0e6663f573da248630701839a01bc98d8382dd22aefb35544cea3d4",
    ),
}

DESTINATIONS = ("generic", "email", "word", "google-docs", "onenote")

MARKDOWN = """\
# Heading

Text with a [link](https://example.org/) and `inline`.

> Quotation

| Name | Number |
|---|---|
| Alpha | 1 |

```
block
```
"""

VALUES = {
    "github": {
        # #d1d9e0b3 on white
        "email": ("Heading border-bottom:1px solid #dfe4e9", "Heading font-size:32px", "Alpha padding:6px 13px",
                  "Alpha border:1px solid #d1d9e0", "link color:#0969da", "Quotation border-left:4px solid #d1d9e0",
                  "inline background:#f0f1f2", "block background:#f6f8fa"),
        "word": ("Text color:#1f2328", "link color:#0969da", "block background:#f6f8fa"),
        "google-docs": ("Text color:#1f2328", "link color:#0969da", "Alpha border-left:solid #d1d9e0 0.75pt"),
        "onenote": ("Text color:#1f2328", "link color:#0969da"),
    },
    "water": {
        "email": ("Heading color:#000000", "Text color:#363636", "link color:#0076d1", "inline background:#efefef",
                  "Quotation font-style:italic"),
        "word": ("link color:#0076d1", "Text color:#363636"),
        "google-docs": ("link color:#0076d1", "Text color:#363636"),
        "onenote": ("link color:#0076d1",),
    },
    "sakura": {
        # 1.53rem, where the window has at most 684 px; html has 62.5%
        "email": ("Text color:#4a4a4a", "Text font-size:15px", "link color:#1d7484", "Quotation background:#f1f1f1",
                  "Quotation border-left:5px solid #1d7484", "Alpha border-bottom:1px solid #f1f1f1"),
        "word": ("link color:#1d7484", "Text color:#4a4a4a", "block background:#f1f1f1"),
        "google-docs": ("link color:#1d7484", "Text color:#4a4a4a"),
        "onenote": ("link color:#1d7484",),
    },
    "pico": {
        "email": ("Text color:#373c44", "Heading color:#2d3138", "link color:#0172ad", "inline background:#f3f5f7",
                  "Quotation border-left:4px solid #e7eaf0"),
        "word": ("Heading color:#2d3138", "link color:#0172ad"),
        "google-docs": ("Heading color:#2d3138", "link color:#0172ad"),
        "onenote": ("Heading color:#2d3138", "link color:#0172ad"),
    },
    "mvp": {
        "email": ("link color:#118bee", "link font-weight:700", "Name background:#118bee", "Name color:#ffffff",
                  "Quotation text-align:center"),
        "word": ("link color:#118bee", "Name background:#118bee", "Name color:#ffffff"),
        "google-docs": ("link color:#118bee", "Name color:#ffffff"),
        "onenote": ("link color:#118bee",),
    },
    "simple": {
        "email": ("Text color:#212121", "link color:#0d47a1", "inline color:#d81b60", "Alpha border:1px solid #898ea4",
                  "Quotation border-left:6px solid #0d47a1", "block background:#f5f7ff"),
        "word": ("link color:#0d47a1", "inline color:#d81b60", "block background:#f5f7ff"),
        "google-docs": ("link color:#0d47a1", "inline color:#d81b60"),
        "onenote": ("link color:#0d47a1", "inline color:#d81b60"),
    },
}  # fmt: skip
"""By stylesheet and destination: a words, a property, and the value it has there."""


_FONT_SIZE = re.compile(r"([\d.]+px)")
_SHORT_COLOR = re.compile(r"#([0-9a-f])([0-9a-f])([0-9a-f])(?![0-9a-f])")


@cache
def css_of(name: str) -> str:
    return dict(zip(STYLESHEETS, fetch_all(STYLESHEETS.values()), strict=True))[name].decode()


@cache
def converted(name: str, destination: str) -> Conversion:
    return convert(MARKDOWN, to=destination, css=css_of(name))


def styles_of(html: str, words: str) -> Iterator[str]:
    """Yield the declarations of the elements around a words, the innermost first."""
    root = html5lib.parse(html, namespaceHTMLElements=False)
    body = root.find("body")
    assert body is not None
    parents = {child: parent for parent in body.iter() for child in parent}
    contents = {each: "".join([each.text or "", *(child.tail or "" for child in each)]) for each in body.iter()}
    around: Element | None = [each for each in body.iter() if words in contents[each] and each.tag != "style"][-1]
    while around is not None:
        yield from (each.strip() for each in around.get("style", "").split(";"))
        around = parents.get(around)


def value_of(html: str, words: str, name: str) -> str | None:
    """Return a value, in long if it is written in short: `#fff`, or the size and weight of `font`."""
    declarations = [each.partition(":") for each in styles_of(html, words)]
    values = {written: value.strip() for written, _, value in reversed(declarations)}
    size = _FONT_SIZE.search(values.get("font", ""))
    values = ({"font-size": size[1]} if size else {}) | values
    value = values.get(name)
    return value and _SHORT_COLOR.sub(r"#\1\1\2\2\3\3", value)


@pytest.mark.parametrize("name", STYLESHEETS)
def test_values_arrive(name: str) -> None:
    missing = []
    for destination, expected in VALUES[name].items():
        for each in expected:
            words, _, declaration = each.partition(" ")
            written, _, value = declaration.partition(":")
            actual = value_of(converted(name, destination).html, words, written)
            if actual != value:
                missing.append(f"{destination}: {each}, got {actual}")

    assert missing == []


@pytest.mark.parametrize("name", STYLESHEETS)
def test_browser_gets_every_rule_but_what_would_load_something(name: str) -> None:
    stylesheet = user_css(css_of(name))
    assert stylesheet

    left_out = {each for each in stylesheet.left_out if each.kind != "at-rules"}
    # A backdrop covers the window, and a host is of another tree.
    assert {each.kind for each in left_out} <= {"not allowed", "selectors"}
    assert {each.what.partition("(")[0] for each in left_out} <= {
        *("url", "position: fixed", "::backdrop", "::-webkit-backdrop", ":host"),
    }
    rules, _ = browser_rules(stylesheet, "light")
    assert len(rules) >= 35
    assert "url(" not in converted(name, "generic").html


@pytest.mark.parametrize("name", STYLESHEETS)
def test_rest_is_in_one_short_notice(name: str) -> None:
    for destination in DESTINATIONS:
        codes = [each.code for each in converted(name, destination).notices]
        messages = [each.message for each in converted(name, destination).notices]

        assert codes in ([], ["stylesheet-left-out"]), destination
        assert all(len(message) < 1000 for message in messages)
