"""All links of the documentation resolve, and all pages are linked."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from mdpublish_core import nodes, parse
from mdpublish_core.resources.urls import github_anchor
from tests.docs.pages import PAGES, ROOT


def links(page: Path) -> Iterator[str]:
    for token in nodes.walk(parse(page.read_text("utf-8"))):
        if isinstance(token, nodes.Link):
            yield token.target


@cache
def anchors(page: Path) -> set[str]:
    headings = (
        token
        for token in nodes.walk(parse(page.read_text("utf-8")))
        if isinstance(token, nodes.Heading | nodes.SetextHeading)
    )
    return {github_anchor(nodes.text_content(heading)) for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_leads_somewhere(page: Path) -> None:
    for target in links(page):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        file = (page.parent / path) if path else page
        assert file.exists(), f"{target} in {page.name}"
        assert not anchor or anchor in anchors(file), f"{target} in {page.name}"


def test_every_page_is_reached_from_the_readme() -> None:
    reached, pending = set[Path](), [ROOT / "README.md"]
    while pending:
        page = pending.pop().resolve()
        if page not in reached and page.suffix == ".md":
            reached.add(page)
            pending.extend(page.parent / target.partition("#")[0] for target in links(page) if ":" not in target)

    assert sorted(set(PAGES) - reached) == sorted(ROOT.glob("packages/*/README.md"))
