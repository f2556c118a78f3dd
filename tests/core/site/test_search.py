"""The search of a site: titles before headings before text, beginnings of words, languages without spaces."""

from pathlib import Path

import pytest

from mdpublish_core.site import SiteSettings, build_site
from tests.site.searching import marked_parts, search_results

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


def test_words_of_the_query_are_marked(site: Path) -> None:
    passages = {
        "tables of table": "A table, tabled: Tables.",
        "été": "Ete en été",
        "a": "a an",
        "首都": "首都です",
    }

    assert [[part for part, is_hit in parts if is_hit] for parts in marked_parts(site, passages)] == [
        ["table", "tabled", "Tables"],
        ["Ete", "été"],
        ["a"],
        ["首都です"],
    ]


def test_snippets_begin_and_end_with_whole_words(tmp_path: Path) -> None:
    (tmp_path / "index.md").write_text(f"# Page\n\n{'alphabet ' * 30}needle {'alphabet ' * 30}")
    build_site(tmp_path, tmp_path / "site", SiteSettings())
    ((hit,),) = search_results(tmp_path / "site", ["needle"])

    assert set(hit["snippet"].split()) == {"…", "alphabet", "needle"}


def test_nothing_is_found_for_what_is_not_there(site: Path) -> None:
    assert search_results(site, ["xylophone", "", "!?", "w" * 10_000]) == [[], [], [], []]
