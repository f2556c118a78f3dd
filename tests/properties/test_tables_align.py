"""Law: in plain-text tables, bars are in the same column of every line; wide characters take two."""

from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st
from wcwidth import wcswidth

from mdpublish_core import nodes, render

# One and two columns wide, a combining mark, and grapheme clusters.
CHARACTERS = ["a", "é", "漢", "한", "e\u0301", "👩\u200d💻", "🇪🇺", "1", " "]
CELLS = st.lists(st.sampled_from(CHARACTERS), max_size=8).map(lambda characters: "".join(characters).strip())
ALIGNMENTS: st.SearchStrategy[nodes.Alignment] = st.sampled_from([None, -1, 0, 1])


@st.composite
def tables(draw: st.DrawFn) -> nodes.Table:
    alignments = draw(st.lists(ALIGNMENTS, min_size=1, max_size=4))
    rows = [
        nodes.TableRow(
            [nodes.TableCell([nodes.RawText(draw(CELLS) or "-")], align=alignment) for alignment in alignments]
        )
        for _ in range(draw(st.integers(1, 4)))
    ]
    return nodes.Table(rows[0], rows[1:])


def bars(line: str) -> list[int]:
    pieces = line.replace("-|-", " | ").split(" | ")
    return list(accumulate(wcswidth(piece) + 3 for piece in pieces[:-1]))


@pytest.mark.parametrize("destination", ["plain-text", "slack"])
@given(table=tables())
def test_bars_are_aligned(destination: str, table: nodes.Table) -> None:
    lines = [line for line in render(nodes.Document([table]), to=destination).text.splitlines() if line != "```"]

    assert len(lines) == 2 + len(table.children)
    assert [bars(line) for line in lines] == [bars(lines[1])] * len(lines)
