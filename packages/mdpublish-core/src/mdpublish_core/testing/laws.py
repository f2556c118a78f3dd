"""The laws of every destination, each a function that raises AssertionError where the law is broken."""

from collections.abc import Iterator, Sequence
from xml.etree.ElementTree import Element

import html5lib

from mdpublish_core import Conversion, convert
from mdpublish_core.testing.strategies import Sample

# What a destination's `html` is where it is not HTML.
_TEXT_DESTINATIONS = frozenset({"plain-text"})

# html5lib's code for control characters and noncharacters, which an author may write and a browser shows as nothing.
_CHARACTER_ERRORS = frozenset({"invalid-codepoint"})


def check_total(markdown: str, destination: str) -> None:
    """Convert any text: nothing is raised, and the result can be encoded."""
    conversion = convert(markdown, destination=destination)
    conversion.html.encode()
    conversion.plain_text.encode()


def check_deterministic(markdown: str, destination: str) -> None:
    """Repeat a conversion after another one: it gives the same."""
    first = convert(markdown, destination=destination)
    convert("*[`~~>\n- |", destination=destination)
    assert convert(markdown, destination=destination) == first


def check_text_kept(sample: Sample, destination: str) -> None:
    """Every word that the author wrote is shown, in the author's order, in `html` and in `plain_text`."""
    check_words_kept(sample.words, convert(sample.markdown, destination=destination))


def check_words_kept(words: Sequence[str], conversion: Conversion) -> None:
    """Find words in what a conversion shows, each behind the one before."""
    _check_in_order(words, _shown_text(conversion))
    _check_in_order(words, conversion.plain_text)


def check_well_formed(markdown: str, destination: str) -> None:
    """HTML parses without an error, as html5lib judges; plain text has no trailing space and ends in one newline."""
    conversion = convert(markdown, destination=destination)
    _check_plain_text(conversion.plain_text)
    if destination in _TEXT_DESTINATIONS:
        assert conversion.html == conversion.plain_text
        return
    parser = html5lib.HTMLParser(namespaceHTMLElements=False)
    parser.parseFragment(conversion.html)
    errors = [error for error in parser.errors if error[1] not in _CHARACTER_ERRORS]
    assert not errors, f"{errors} in {conversion.html!r}"


def _check_plain_text(text: str) -> None:
    assert text.endswith("\n"), f"no newline at the end of {text!r}"
    assert text == "\n" or not text.endswith("\n\n"), f"empty lines at the end of {text!r}"
    trailing = [line for line in text.split("\n") if line != line.rstrip(" ")]
    assert not trailing, f"spaces at the end of {trailing!r}"


def _shown_text(conversion: Conversion) -> str:
    """Return what a reader of `html` sees: its text, and the alternative text of its pictures."""
    if conversion.destination in _TEXT_DESTINATIONS:
        return conversion.html
    return "".join(_texts(html5lib.parseFragment(conversion.html, namespaceHTMLElements=False)))


def _texts(element: Element) -> Iterator[str]:
    """Yield the texts below `element` in order, and the alternative texts; a stylesheet is no text."""
    if element.tag != "style":
        yield element.get("alt") or ""
        yield element.text or ""
        for child in element:
            yield from _texts(child)
            yield child.tail or ""


def _check_in_order(words: Sequence[str], text: str) -> None:
    position = 0
    for word in words:
        found = text.find(word, position)
        assert found >= 0, f"{word!r} is missing, or stands before an earlier word, in {text!r}"
        position = found + len(word)
