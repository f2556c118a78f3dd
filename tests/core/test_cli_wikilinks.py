"""Where the command looks for what wiki links name."""

from pathlib import Path, PurePosixPath

import pytest

from mdpublish_core import get_template, parse, select_extensions
from mdpublish_core.cli.batch.links import LinkChecker, LinkRewriter, stamp
from mdpublish_core.cli.batch.plan import OutputOptions, Plan, make_plan
from mdpublish_core.cli.inputs import ParseOptions
from mdpublish_core.cli.options import StyleOptions
from mdpublish_core.nodes import Image, Link, walk
from mdpublish_core.writers.outputs import OUTPUTS

EXTENSIONS = select_extensions(["wikilinks"])
HOME = PurePosixPath("Home.md")


@pytest.fixture
def vault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory, with notes in folders."""
    for name in ("Home.md", "food/Bread.md", "food/old/Bread.md", "food/v1.2.md", "images/a.png", "other.pdf"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("# Top\n\n## Two words\n", "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def plan_of(vault: Path) -> Plan:
    options = OutputOptions(
        output=OUTPUTS["page"],
        style=StyleOptions(get_template("swiss"), "light", None),
        parsing=ParseOptions(extensions=("wikilinks",)),
    )
    return make_plan(vault, vault / "site", options)


def linked(vault: Path, markdown: str, document: PurePosixPath = HOME) -> tuple[list[str], LinkRewriter]:
    rewriter = LinkRewriter(plan_of(vault), document)
    parsed = parse(markdown, extensions=EXTENSIONS, rewrite_url=rewriter)
    urls = [
        token.target if isinstance(token, Link) else token.src
        for token in walk(parsed)
        if isinstance(token, Link | Image)
    ]
    return urls, rewriter


@pytest.mark.parametrize(
    ("markdown", "url"),
    [
        ("[[Bread]]", "food/Bread.html"),
        ("[[bread.md]]", "food/Bread.html"),
        ("[[food/Bread]]", "food/Bread.html"),
        ("[[old/Bread]]", "food/old/Bread.html"),
        ("[[v1.2]]", "food/v1.2.html"),
        ("[[Bread#Two words]]", "food/Bread.html#md-two-words"),
        ("![[Bread]]", "food/Bread.html"),
        ("![[images/a.png]]", "images/a.png"),
    ],
)
def test_page_is_linked_by_its_name_in_any_folder(vault: Path, markdown: str, url: str) -> None:
    urls, rewriter = linked(vault, markdown)

    assert urls == [url]
    assert rewriter.notices == []


def test_file_is_looked_for_below_the_source_directory(vault: Path) -> None:
    urls, rewriter = linked(vault, "![[images/a.png]] [[other.pdf]]", PurePosixPath("food/Bread.md"))

    assert urls == ["../images/a.png", "../other.pdf"]
    assert rewriter.copies == {PurePosixPath("images/a.png"), PurePosixPath("other.pdf")}


def test_missing_page_and_ordinary_link_are_reported(vault: Path) -> None:
    urls, rewriter = linked(vault, "[[Cake]] [a](Bread)")

    assert urls == ["Cake", "Bread"]
    assert [notice.code for notice in rewriter.notices] == ["broken-link", "broken-link"]


def test_new_page_of_a_name_changes_its_stamp(vault: Path) -> None:
    before = stamp(plan_of(vault), PurePosixPath("Cake"))
    (vault / "food/Cake.md").write_text("# Cake\n", "utf-8")

    assert (before, stamp(plan_of(vault), PurePosixPath("Cake"))) == ("", "food/Cake.md")


def test_check_reports_missing_pages_and_headings(vault: Path) -> None:
    checker = LinkChecker(vault / "food", ParseOptions())
    markdown = "[[Bread]] [[Home]] [[Cake]] [[Bread#Two words]] [[Bread#Three]] [[#Here]]\n\n# Here\n"
    document = parse(markdown, extensions=EXTENSIONS)

    assert [notice.message for notice in checker.notices_of(document)] == [
        "the link 'Cake' points to a missing file",
        "the link 'Bread#three' points to a missing heading",
    ]
