import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mdpublish_core.figures.line_breaking import ELLIPSIS, break_lines, split_graphemes, truncate


def width(string: str) -> float:
    """Every character has the same width."""
    return float(len(string))


def test_lines_are_as_even_as_they_can_be() -> None:
    lines = break_lines("aaa bbb ccc ddd eee fff", max_width=20, max_lines=4, measure=width)

    assert lines.lines == ("aaa bbb ccc", "ddd eee fff")


def test_short_text_is_one_line() -> None:
    assert break_lines("aaa bbb", max_width=20, max_lines=4, measure=width).lines == ("aaa bbb",)


def test_what_has_no_room_is_cut_with_an_ellipsis() -> None:
    lines = break_lines("aaaa bbbb cccc dddd eeee", max_width=6, max_lines=2, measure=width)

    assert lines.lines == ("aaaa", f"bbbb{ELLIPSIS}")
    assert not lines.is_complete


def test_long_word_is_broken_and_reported() -> None:
    lines = break_lines("a" * 25, max_width=10, max_lines=4, measure=width)

    assert "".join(lines.lines) == "a" * 25
    assert max(map(len, lines.lines)) <= 10
    assert not lines.keeps_words


def test_words_break_at_hyphens_and_slashes_first() -> None:
    assert break_lines("long-hyphen", max_width=8, max_lines=3, measure=width).lines == ("long-", "hyphen")


def test_ideographs_break_anywhere_but_before_their_punctuation() -> None:
    lines = break_lines("漢字漢字。漢字（漢字）", max_width=4, max_lines=5, measure=width).lines

    assert "".join(lines) == "漢字漢字。漢字（漢字）"
    assert not any(line.startswith(("。", "）")) or line.endswith("（") for line in lines)


def test_korean_words_are_not_broken() -> None:
    assert break_lines("한국어 제목은", max_width=5, max_lines=2, measure=width).lines == ("한국어", "제목은")


@pytest.mark.parametrize("cluster", ["e\u0301", "👩‍👩‍👧", "🇨🇭", "👍🏽", "✈️", "ก็"])
def test_a_character_of_many_parts_is_one(cluster: str) -> None:
    assert split_graphemes(f"a{cluster}b") == ["a", cluster, "b"]


def test_shortened_text_has_room() -> None:
    assert truncate("abcdef", max_width=4, measure=width) == f"abc{ELLIPSIS}"
    assert truncate("abcd", max_width=4, measure=width) == "abcd"


@given(st.text(max_size=120).map(lambda string: " ".join(string.split())), st.integers(8, 60), st.integers(1, 4))
@example("a-", 8, 1)
@example("\u0301", 8, 1)
@example("（" * 30, 8, 2)
def test_lines_are_few_narrow_and_lose_nothing(words: str, room: int, max_lines: int) -> None:
    lines = break_lines(words, max_width=room, max_lines=max_lines, measure=width)

    assert len(lines.lines) <= max_lines
    # A single cluster may exceed the width: it is never split.
    widest = max((len(each) for each in split_graphemes(words)), default=0)
    assert max(map(width, lines.lines)) <= max(room, widest)
    if lines.is_complete:
        assert "".join("".join(lines.lines).split()) == "".join(words.split())
    else:
        assert lines.lines[-1].endswith(ELLIPSIS)
