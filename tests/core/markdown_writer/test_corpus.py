"""`to_markdown`: our cases, our documentation and the assistants' documents are read as what they were."""

from pathlib import Path

import pytest

from mdpublish_core import parse, to_markdown
from mdpublish_core.options.extensions import RAW_HTML_MODES, RawHtml
from mdpublish_core.testing.steps import count_steps

pytestmark = pytest.mark.corpora

ROOT = Path(__file__).parents[3]
CASES, DOCS = (sorted((ROOT / folder).rglob("*.md")) for folder in ("tests/cases", "docs"))


@pytest.mark.parametrize("raw_html", RAW_HTML_MODES)
def test_document_is_read_as_what_it_was(raw_html: RawHtml) -> None:
    changed = []
    for file in [*CASES, *(DOCS if raw_html == "sanitize" else ())]:
        document = parse(file.read_text("utf-8"), raw_html=raw_html)
        written = to_markdown(document)
        read = parse(written, raw_html=raw_html)
        if read != document or to_markdown(read) != written:
            changed.append(file.name)

    assert changed == []


HOSTILE = {
    "emphasis": "*a _b ",
    "brackets": "[a](",
    "escapes": "\\*\\_a\\[",
    "tags": "<b>a<i>",
    "quotes": "> > > a\n",
    "lists": "- a\n  1. b\n",
    "code": "``a` ",
    "cells": "|a*|\\||\n|-|-|\n|`b|c\n\n",
    "footnotes": "a[^1]\n\n[^1]: b[^2]\n\n",
    "math": "$a\\$ b$$ ",
    "URLs": "http://a.b<c www.d@e.f ",
    "definitions": "[a]: /b\n\n[a] \\[a] ",
    "elements": "<details><summary>a</summary>\n\n",
}


@pytest.mark.parametrize("pattern", HOSTILE.values(), ids=HOSTILE)
def test_time_grows_with_the_length(pattern: str) -> None:
    short, long = (parse(pattern * number) for number in (200, 800))

    assert count_steps(lambda: to_markdown(long)) < 6 * count_steps(lambda: to_markdown(short))
