"""Two contents side by side: what is shown is true, complete unless it says otherwise, and bounded."""

import random
from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdpublish_server.conversion import comparison as module
from mdpublish_server.conversion.comparison import CONTEXT, MAX_CHARACTERS, MAX_LINE, MAX_ROWS, compare
from mdpublish_server.conversion.protocol import ComparedLine, Comparison

LINES = ["", "a", "b", "a b", "a b c", "x y z, w", "日本語", "a  b"]

CONTENTS = st.lists(st.sampled_from(["", "a", "b", "a b", "a b c", "x y z, w", "日本語", "a  b"]), max_size=30).map(
    "\n".join
)


def words(line: ComparedLine | None, *, marked: bool = True) -> str | None:
    """Return a line, with its changed words in brackets."""
    if line is None:
        return None
    return "".join(f"[{span.content}]" if span.is_changed and marked else span.content for span in line.spans)


def shown(comparison: Comparison) -> list[tuple[str | None, str | None] | int]:
    return [row.skipped or (words(row.before), words(row.after)) for row in comparison.rows]


def side(comparison: Comparison, name: str, content: str) -> Iterator[str]:
    """Yield a side's lines; those that are not shown are taken from `content`."""
    lines = content.removesuffix("\n").split("\n")
    number = 1
    for row in comparison.rows:
        if row.skipped:
            yield from lines[number - 1 : number - 1 + row.skipped]
            number += row.skipped
            continue
        line = getattr(row, name)
        if line is not None:
            assert line.number == number
            yield words(line, marked=False) or ""
            number += 1


def test_equal_contents_have_no_rows() -> None:
    for before, after in (("", ""), ("a\nb\n", "a\nb"), ("a\r\nb", "a\nb")):
        assert compare(before, after) == Comparison(rows=(), is_coarse=False, is_partial=False)


def test_changed_words_are_marked_in_similar_lines() -> None:
    assert shown(compare("We meet on *Saturday* at nine.", "We meet on *Sunday* at half past ten.")) == [
        ("We meet on *[Saturday]* at [nine].", "We meet on *[Sunday]* at [half past ten].")
    ]


def test_lines_without_common_words_are_changed_as_a_whole() -> None:
    assert shown(compare("one two", "three four")) == [("[one two]", "[three four]")]


def test_similar_lines_are_side_by_side_whatever_is_between() -> None:
    assert shown(compare("Gone.\nWater the roses", "Water all the roses\nNew.\nNewer.")) == [
        ("[Gone.]", None),
        ("Water the roses", "Water [all ]the roses"),
        (None, "[New.]"),
        (None, "[Newer.]"),
    ]


def test_ideographs_are_words() -> None:
    assert shown(compare("今日は土曜日です", "今日は日曜日です")) == [("今日は[土]曜日です", "今日は[日]曜日です")]


def test_unchanged_lines_far_from_changes_are_counted() -> None:
    before = [f"line {number}" for number in range(20)]
    after = [*before[:10], "new", *before[11:]]
    near = [(line, line) for line in before]
    assert CONTEXT == 2
    assert shown(compare("\n".join(before), "\n".join(after))) == [
        8,
        *near[8:10],
        ("[line 10]", "[new]"),
        *near[11:13],
        7,
    ]


@given(CONTENTS, CONTENTS, st.sampled_from([1, 20]))
def test_sides_are_the_contents_and_what_is_unchanged_is_on_both(before: str, after: str, repeats: int) -> None:
    before, after = f"{before}\n" * repeats, f"{after}\n" * repeats
    comparison = compare(before, after)
    assert not comparison.is_coarse
    assert not comparison.is_partial
    if not comparison.rows:
        assert before.removesuffix("\n") == after.removesuffix("\n")
        return
    assert list(side(comparison, "before", before)) == before.removesuffix("\n").split("\n")
    assert list(side(comparison, "after", after)) == after.removesuffix("\n").split("\n")
    for row in comparison.rows:
        if row.before and row.after and not row.is_changed:
            assert row.before.spans == row.after.spans
        assert row.is_changed == any(
            line is not None and (line is row.before) != (line is row.after) and row.is_changed
            for line in (row.before, row.after)
        )


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("x\n" * 5_000, "y\n" * 5_000),
        ("\n" * 9_999, "a\n" * 5_000),
        ("a b " * 25_000, "b a " * 25_000),
        ("a" * 100_000, "b" * 100_000),
        (f"{'a ' * 9_000}\n" * 10, f"{'b a ' * 4_500}\n" * 10),
    ],
    ids=["lines", "empty lines", "one line of words", "one word", "long lines"],
)
def test_much_is_cut_and_reported(before: str, after: str) -> None:
    comparison = compare(before, after)
    assert comparison.is_partial
    assert len(comparison.rows) <= MAX_ROWS
    lines = [line for row in comparison.rows for line in (row.before, row.after) if line]
    assert sum(len(words(line, marked=False) or "") for line in lines) <= MAX_CHARACTERS
    assert all(len(words(line, marked=False) or "") <= MAX_LINE for line in lines)


def hostile_contents() -> Iterator[tuple[str, str]]:
    """Yield contents on which difflib takes long."""
    rng = random.Random(7)
    for symbols in (2, 100, 101, 3_000):
        names = [str(number) for number in range(symbols)]
        yield "\n".join(rng.choices(names, k=3_000)), "\n".join(rng.choices(names, k=3_000))
    names = [str(number) for number in range(3_000)]
    yield "\n".join(names), "\n".join(reversed(names))
    yield "\n".join(names), "\n".join(rng.sample(names, len(names)))


def test_steps_of_hostile_contents_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search looks at each place of each line in its range."""
    steps = 0
    search = SequenceMatcher.find_longest_match

    def counted(matcher: Any, i: int, i_end: int, j: int, j_end: int) -> Any:
        nonlocal steps
        steps += sum(1 + len(matcher.b2j.get(line, ())) for line in matcher.a[i:i_end])
        return search(matcher, i, i_end, j, j_end)

    monkeypatch.setattr(SequenceMatcher, "find_longest_match", counted)
    monkeypatch.setattr(module, "MAX_STEPS", 20_000)
    coarse = []
    for before, after in hostile_contents():
        steps = 0
        coarse.append(compare(before, after).is_coarse)
        assert steps <= 2 * 20_000
    assert any(coarse)


def test_blank_lines_between_other_paragraphs_are_unchanged() -> None:
    before = "\n\n".join(f"old{number}" for number in range(300))
    after = "\n\n".join(f"new{number}" for number in range(300))
    comparison = compare(before, after)
    assert not comparison.is_coarse
    assert shown(comparison)[:3] == [("[old0]", "[new0]"), ("", ""), ("[old1]", "[new1]")]


def test_frequent_lines_are_unchanged_though_others_are_inserted_before() -> None:
    before = "\n---\n".join(f"old{number}" for number in range(300))
    inserted = "".join(f"inserted{number}\n" for number in range(20))
    after = inserted + "\n---\n".join(f"new{number}" for number in range(300))

    assert shown(compare(before, after)).count(("---", "---")) == 299


def test_comparison_past_the_budget_is_coarse_and_true(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_STEPS", 10)
    before, after = "\n".join("abcdefgh"), "\n".join("badcfehg")
    comparison = compare(before, after)
    assert comparison.is_coarse
    assert list(side(comparison, "before", before)) == before.split("\n")
    assert list(side(comparison, "after", after)) == after.split("\n")
