"""What each program puts on the clipboard, as `fixtures/NAME.html`, is the tree of `fixtures/NAME.tree`.

`python -m tests.core.readers.html.test_html_sources` writes the trees; review the diff.
"""

from pathlib import Path

import pytest

from mdpublish_core import read_html
from mdpublish_core.errors import UnknownSource
from mdpublish_core.readers.html.sources import SOURCES, find_source

FIXTURES = Path(__file__).with_name("fixtures")

# Files that are named otherwise than their program.
PROGRAMS = {
    "excel": "sheets-excel",
    "chatgpt_runnable": "chatgpt",
    "confluence_page": "confluence",
    "vscode": "html",
    "documentation": "html",
}

NAMES = sorted(path.stem for path in FIXTURES.glob("*.html"))


def shown(name: str) -> str:
    imported = read_html(FIXTURES.joinpath(f"{name}.html").read_text("utf-8"))
    return imported.document.dump() + "".join(f"{notice.code}: {notice.message}\n" for notice in imported.notices)


@pytest.mark.parametrize("name", NAMES)
def test_fixture_is_the_tree_beside_it(name: str) -> None:
    assert shown(name) == FIXTURES.joinpath(f"{name}.tree").read_text("utf-8")


@pytest.mark.parametrize("name", NAMES)
def test_program_is_found_by_its_marks(name: str) -> None:
    html = FIXTURES.joinpath(f"{name}.html").read_text("utf-8")

    assert find_source("auto", html).name == PROGRAMS.get(name, name.replace("_", "-"))


def test_every_program_has_a_fixture() -> None:
    covered = {PROGRAMS.get(name, name.replace("_", "-")) for name in NAMES}

    assert SOURCES.keys() - covered == {"mdpublish", "mdpublish-email"}


def test_every_program_is_documented() -> None:
    reference = (Path(__file__).parents[4] / "docs/reference/library.md").read_text("utf-8")

    assert [name for name in SOURCES if f"`{name}`" not in reference] == []


def test_unknown_source_names_the_known_ones() -> None:
    with pytest.raises(UnknownSource, match=r"unknown source 'fax'; choose from: auto, mdpublish, .*word"):
        read_html("x", source="fax")


if __name__ == "__main__":
    for each in NAMES:
        FIXTURES.joinpath(f"{each}.tree").write_text(shown(each), "utf-8")
