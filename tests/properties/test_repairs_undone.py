"""Laws of repairs: each can be undone alone, and repairing what was repaired changes nothing."""

import tomllib
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from mdpublish_core.repair import REPAIRS, Repair, repair

SPOILED = tomllib.loads((Path(__file__).parents[1] / "core/repair/spoiled.toml").read_text("utf-8"))

LINES = sorted({line for spoiled in SPOILED.values() for line in spoiled["before"].splitlines()})

MARKS = [
    *(
        "```",
        "````md",
        "~~~",
        "```python\n",
        "$$",
        r"\[",
        "# ",
        "##",
        "**",
        "---",
        "- ",
        "1) ",
        "1)",
        "> ",
        "    ",
        "  ",
    ),
    *("•", " ◦ ", "–", "│", "┌─┐", "+--+", "|", "\t", "【1†a】", "[^1^]", "cite", "turn0search0", "citeturn0search0"),
    *("\ue200", "\ue201", "\ue202", "\ue203", "entity", "&amp;", "lt;", "“", "”", "\u00a0", "\u200b", "\ufeff", "\x00"),
    *(
        "â€",
        "\u009d",
        "Ã©",
        "Copy code",
        "python",
        "ChatGPT said:",
        "Text.",
        "a",
        " ",
        "\n",
        "\n\n",
        "\r\n",
        "`",
        "\ud800",
    ),
]

SOURCES = st.one_of(
    st.lists(st.sampled_from(LINES), max_size=25).map("\n".join),
    st.lists(st.sampled_from(MARKS), max_size=40).map("".join),
    st.lists(st.sampled_from([*LINES, *MARKS]), max_size=30).map("".join),
)
SELECTIONS = st.one_of(st.none(), st.frozensets(st.sampled_from(sorted(REPAIRS))))


@given(SOURCES, SELECTIONS)
def test_undoing_all_gives_the_original_and_undoing_none_the_repaired_text(
    markdown: str, select: frozenset[str] | None
) -> None:
    repaired = repair(markdown, select=select)

    assert repaired.without(*repaired.repairs) == markdown
    assert repaired.without() == repaired.markdown


@given(SOURCES, SELECTIONS)
def test_undoing_one_gives_back_its_place_alone(markdown: str, select: frozenset[str] | None) -> None:
    repaired = repair(markdown, select=select)

    for undone in repaired.repairs:
        others = [each for each in repaired.repairs if each is not undone]
        assert repaired.without(undone) == rewritten(markdown, others)
        change = undone.changes[0]
        assert undone.line == len(markdown[: change.start].replace("\r\n", "\n").replace("\r", "\n").split("\n"))
        assert undone.before == "\n".join(markdown[start:end] for start, end, _ in undone.changes)


def rewritten(markdown: str, repairs: list[Repair]) -> str:
    """Apply changes from the last to the first, so that the places of those before them stay."""
    for start, end, after in sorted((change for each in repairs for change in each.changes), reverse=True):
        markdown = markdown[:start] + after + markdown[end:]
    return markdown


@given(SOURCES, SELECTIONS)
def test_repairing_what_was_repaired_changes_nothing(markdown: str, select: frozenset[str] | None) -> None:
    repaired = repair(markdown, select=select).markdown

    second = repair(repaired, select=select)

    assert second.markdown == repaired
    assert second.repairs == ()


@given(SOURCES)
def test_offers_fit_the_original(markdown: str) -> None:
    assert {each.before for each in repair(markdown).offers} <= {"**\n**"}
