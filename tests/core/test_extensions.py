"""Extensions: those on by default, and how names add to them and take from them."""

import re
from pathlib import Path

import pytest

from mdpublish_core import ALL_EXTENSIONS, DEFAULT_EXTENSIONS, convert, select_extensions
from mdpublish_core.errors import UnknownExtension
from mdpublish_core.options.extensions import DIALECTS

LINES = "one\ntwo"


def test_optional_extensions_are_off_by_default() -> None:
    expected = {
        *("abbreviations", "admonitions", "attributes", "block-ids", "breaks", "comments", "custom-callouts", "emoji"),
        *("definition-lists", "fancy-lists", "fence-titles", "image-sizes", "indented-admonitions", "inline-notes"),
        *("insertions", "keys", "snippets", "sub-superscript", "table-captions", "wikilinks"),
        *("critic", "image-captions", "markdown-in-html"),
    }
    assert expected == ALL_EXTENSIONS - DEFAULT_EXTENSIONS


def test_no_names_select_the_default() -> None:
    assert select_extensions([]) == DEFAULT_EXTENSIONS


def test_name_adds_an_extension() -> None:
    assert select_extensions(["breaks"]) == DEFAULT_EXTENSIONS | {"breaks"}


def test_name_after_no_removes_an_extension() -> None:
    assert select_extensions(["no-math"]) == DEFAULT_EXTENSIONS - {"math"}


def test_last_name_counts() -> None:
    assert select_extensions(["breaks", "no-breaks"]) == DEFAULT_EXTENSIONS


@pytest.mark.parametrize("name", ["brakes", "no-brakes", "no-", ""])
def test_unknown_name_is_an_error_that_lists_the_known_ones(name: str) -> None:
    with pytest.raises(UnknownExtension, match="autolink, block-ids, breaks, callout"):
        select_extensions([name])


def test_newline_is_a_break_only_with_breaks() -> None:
    assert "<br" not in convert(LINES, to="html").html
    assert "one<br />\ntwo" in convert(LINES, to="html", extensions=select_extensions(["breaks"])).html


@pytest.mark.parametrize(
    ("names", "on", "off"),
    [
        (["mkdocs"], ["indented-admonitions", "fence-titles"], ["wikilinks", "admonitions"]),
        (["mkdocs", "no-fence-titles", "emoji"], ["indented-admonitions", "emoji"], ["fence-titles"]),
        (["emoji", "mkdocs"], ["emoji", "indented-admonitions"], []),
        (["emoji", "mkdocs", "wikilinks", "obsidian"], ["emoji", "custom-callouts"], ["indented-admonitions"]),
        (["emoji", "mkdocs", "no-math", "gfm"], ["emoji", "math"], ["indented-admonitions"]),
        (["no-table", "obsidian", "no-breaks"], ["wikilinks"], ["table", "breaks"]),
    ],
)
def test_dialect_is_the_set_that_other_names_change(names: list[str], on: list[str], off: list[str]) -> None:
    selected = select_extensions(names)

    assert selected.issuperset(on)
    assert selected.isdisjoint(off)


@pytest.mark.parametrize("name", ["gfm", "hugo", "pandoc", "mkdocs", "obsidian"])
def test_dialect_has_what_is_on_by_default(name: str) -> None:
    assert select_extensions([name]) >= DEFAULT_EXTENSIONS


@pytest.mark.lint
def test_each_dialect_is_documented_with_its_extensions() -> None:
    page = (Path(__file__).parents[2] / "docs/reference/library.md").read_text("utf-8")

    for name, extensions in DIALECTS.items():
        (line,) = re.findall(rf"^\| `{name}` \| (.*) \|$", page, re.MULTILINE)
        assert set(re.findall(r"`([^`]*)`", line)) == extensions - DEFAULT_EXTENSIONS
