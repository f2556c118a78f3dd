"""The search of a site: titles before headings before text, beginnings of words, languages without spaces."""

from pathlib import Path

import pytest

from mdpublish_core.site import SiteSettings, build_site
from tests.site.searching import search_results

FILES = {
    "index.md": "# Welcome\n\nA table of everything. See [how we do backups](b.md).\n",
    "a.md": "# Tables\n\nWide ones scroll.\n\n## Footnotes in cells\n\nThey work. <b>Bold</b> & more.\n",
    "b.md": "# Keeping data\n\nCopy the folder.\n",
    "c.md": "# 日本語の文書\n\n東京は日本の首都です。\n",
    "d.md": "# Crème brûlée\n\nÉté.\n",
    "e.md": "# Odds\n\nOne footnote, and constructor, `__proto__`.\n",
}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("search")
    for name, content in FILES.items():
        (folder / name).write_text(content, "utf-8")
    build_site(folder, folder / "site", SiteSettings())
    return folder / "site"


def test_first_hits(site: Path) -> None:
    expected = {
        "table": ("a.html", ""),
        "footnotes": ("a.html", "md-footnotes-in-cells"),
        "footn": ("a.html", "md-footnotes-in-cells"),
        # What other pages call it.
        "backups": ("b.html", ""),
        "首都": ("c.html", ""),
        "creme": ("d.html", ""),
        "constructor": ("e.html", ""),
        "__proto__": ("e.html", ""),
        "how do I scroll a table": ("a.html", ""),
    }

    results = search_results(site, list(expected))

    assert {
        query: (hits[0]["url"], hits[0]["anchor"]) for query, hits in zip(expected, results, strict=True)
    } == expected


def test_nothing_is_found_for_what_is_not_there(site: Path) -> None:
    assert search_results(site, ["xylophone", "", "!?", "w" * 10_000]) == [[], [], [], []]
