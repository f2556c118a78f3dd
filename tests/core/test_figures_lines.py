import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mdpublish_core.figures.lines import ELLIPSIS, broken, clusters, shortened


def width(text: str) -> float:
    """Each character is as wide as the next."""
    return float(len(text))


def test_lines_are_as_even_as_they_can_be() -> None:
    lines = broken("aaa bbb ccc ddd eee fff", room=20, most=4, width=width)

    assert lines.lines == ("aaa bbb ccc", "ddd eee fff")


def test_short_text_is_one_line() -> None:
    assert broken("aaa bbb", room=20, most=4, width=width).lines == ("aaa bbb",)


def test_what_has_no_room_is_cut_with_an_ellipsis() -> None:
    lines = broken("aaaa bbbb cccc dddd eeee", room=6, most=2, width=width)

    assert lines.lines == ("aaaa", f"bbbb{ELLIPSIS}")
    assert not lines.is_whole


def test_long_word_is_broken_and_told() -> None:
    lines = broken("a" * 25, room=10, most=4, width=width)

    assert "".join(lines.lines) == "a" * 25
    assert max(map(len, lines.lines)) <= 10
    assert not lines.keeps_words


def test_words_break_at_hyphens_and_slashes_first() -> None:
    assert broken("long-hyphen", room=8, most=3, width=width).lines == ("long-", "hyphen")


def test_ideographs_break_anywhere_but_before_their_punctuation() -> None:
    lines = broken("漢字漢字。漢字（漢字）", room=4, most=5, width=width).lines

    assert "".join(lines) == "漢字漢字。漢字（漢字）"
    assert not any(line.startswith(("。", "）")) or line.endswith("（") for line in lines)


def test_korean_words_are_kept() -> None:
    assert broken("한국어 제목은", room=5, most=2, width=width).lines == ("한국어", "제목은")


@pytest.mark.parametrize("cluster", ["e\u0301", "👩‍👩‍👧", "🇨🇭", "👍🏽", "✈️", "ก็"])
def test_a_character_of_many_parts_is_one(cluster: str) -> None:
    assert clusters(f"a{cluster}b") == ["a", cluster, "b"]


def test_shortened_text_has_room() -> None:
    assert shortened("abcdef", room=4, width=width) == f"abc{ELLIPSIS}"
    assert shortened("abcd", room=4, width=width) == "abcd"


@given(st.text(max_size=120).map(lambda text: " ".join(text.split())), st.integers(8, 60), st.integers(1, 4))
@example("a-", 8, 1)
@example("\u0301", 8, 1)
@example("（" * 30, 8, 2)
def test_lines_are_few_narrow_and_lose_nothing(text: str, room: int, most: int) -> None:
    lines = broken(text, room=room, most=most, width=width)

    assert len(lines.lines) <= most
    # A cluster alone may be wider than any line: it is not taken apart.
    widest = max((len(each) for each in clusters(text)), default=0)
    assert max(map(width, lines.lines)) <= max(room, widest)
    if lines.is_whole:
        assert "".join("".join(lines.lines).split()) == "".join(text.split())
    else:
        assert lines.lines[-1].endswith(ELLIPSIS)
