"""Callouts, their titles and wiki links, as comrak reads them."""

import re
from random import Random

import pytest

from mdpublish_core import nodes, parse
from mdpublish_core.options.extensions import Extension
from tests.conformance.reference_parsers import comrak_html, html_of

pytestmark = pytest.mark.conformance

DOCUMENTS = 20_000

KINDS = ("note", "TIP", "Important", "warning", "caution")
LINES = ("text", "a title", "- item", "", "    code", "[!note] again", "*a* `b`", "> quote")
CHARACTERS = ("[[", "]]", "|", "a", "b c", "]", "\n", "/", "x y")

_ALERT = re.compile(r'<div class="markdown-alert markdown-alert-(\w+)">\n<p class="markdown-alert-title">([^<]*)</p>')


def test_kinds_and_titles_are_those_of_comrak() -> None:
    random = Random("alerts")
    extensions: frozenset[Extension] = frozenset({"callout"})

    different = []
    for _ in range(DOCUMENTS):
        title = random.choice(("", "", " ", " A title", "  two words  "))
        lines = random.choices(LINES, k=random.randint(0, 3))
        markdown = "\n".join(f"> {line}" for line in (f"[!{random.choice(KINDS)}]{title}", *lines))
        callouts = [
            token for token in nodes.walk(parse(markdown, extensions=extensions)) if isinstance(token, nodes.Callout)
        ]
        ours = [
            (callout.kind, nodes.text_content(callout.title) if callout.title else callout.label)
            for callout in callouts
        ]
        theirs = _ALERT.findall(comrak_html(markdown, "alerts"))
        if ours != theirs:
            different.append((markdown, ours, theirs))

    assert different[:20] == []


def test_wiki_links_are_those_of_comrak() -> None:
    """But for empty names and labels, names of two lines, second bars, and openings after openings."""
    random = Random("wikilinks")
    extensions: frozenset[Extension] = frozenset({"wikilinks"})

    different = []
    for _ in range(DOCUMENTS):
        markdown = "a" + "".join(random.choices(CHARACTERS, k=random.randint(3, 10)))
        if re.search(r"\[\[[^]]*\[|\[\[\s*[]|]|\[\[[^]]*\n|\|[^]]*\||\|\s*\]", markdown):
            continue
        ours = html_of(markdown, extensions)
        theirs = comrak_html(markdown, "wikilinks_title_after_pipe").replace(' data-wikilink="true"', "")
        if ours != theirs:
            different.append((markdown, ours, theirs))

    assert different[:20] == []
