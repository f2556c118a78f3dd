"""Extensions: those on by default, and how names add to them and take from them."""

import pytest

from mdpublish_core import ALL_EXTENSIONS, DEFAULT_EXTENSIONS, convert, select_extensions
from mdpublish_core.errors import UnknownExtension

LINES = "one\ntwo"


def test_optional_extensions_are_off_by_default() -> None:
    expected = {
        *("abbreviations", "admonitions", "attributes", "block-ids", "breaks", "comments", "definition-lists", "emoji"),
        *("fancy-lists", "image-sizes", "inline-notes", "insertions", "keys", "sub-superscript", "table-captions"),
        "wikilinks",
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
