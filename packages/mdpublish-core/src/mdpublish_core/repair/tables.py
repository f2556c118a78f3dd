"""Tables drawn by programs: in frames, above rulers of dashes, between tabs or spaces."""

from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise

from mdpublish_core.repair.draft import Changes
from mdpublish_core.repair.source import Prose, Source
from mdpublish_core.strings.changes import Change
from mdpublish_core.strings.lazy_patterns import compile_lazily

Row = Sequence[str]

_FRAME = compile_lazily(r"[ \t]*[+|\u2500-\u257f][-=+|\u2500-\u257f]{2,}[ \t]*$")
_ROW = compile_lazily(r"[ \t]*[|│┃║].*[|│┃║][ \t]*$")
_BOX_BAR, _ANY_BAR = compile_lazily("[│┃║]"), compile_lazily(r"\|")
_PSQL_RULER = compile_lazily(r"[ \t]*-+(?:\+-+)+[ \t]*$")
_PSQL_COUNT = compile_lazily(r"[ \t]*\(\d+ rows?\)[ \t]*$")
_RULER = compile_lazily(r" {0,3}-{2,}(?: {1,40}-{2,}){1,50} *$")
_PIPE_RULER = compile_lazily(r"[ \t]*\|(?:[ \t]*:?[-–—]+:?[ \t]*\|)+[ \t]*$")
_LONG_DASHES = compile_lazily("-*[–—][-–—]*")
_DASHES = compile_lazily("-+")
_GAP = compile_lazily(" {2,}")

MAX_CELL = 200
"""Characters of a cell: longer texts between tabs are prose."""


def rewrite_frames(source: Source) -> Iterator[Changes]:
    """Rewrite tables in frames, of box characters or of plus signs, dashes and bars, as database clients print them."""
    for paragraph in source.paragraphs:
        lines = [line for _, line in source.lines_of(paragraph)]
        if len(lines) > 2 and _PSQL_RULER.match(lines[1]):
            lines = [f"|{'-+-' if _PSQL_COUNT.match(line) else line.strip()}|" for line in lines]
        start = 0
        for is_framed, group in groupby(lines, lambda line: bool(_FRAME.match(line) or _ROW.match(line))):
            framed = list(group)
            rows = _framed_rows(framed) if is_framed else ()
            if rows:
                yield (_rewritten(source, paragraph, start, start + len(framed), rows),)
            start += len(framed)


def _framed_rows(lines: Sequence[str]) -> Sequence[Row]:
    """Return the rows of a table, none if it is another drawing."""
    bar = _BOX_BAR if any(map(_BOX_BAR.search, lines)) else _ANY_BAR
    groups = [
        [[cell.strip() for cell in bar.split(line.strip())[1:-1]] for line in group]
        for is_frame, group in groupby(lines, lambda line: bool(_FRAME.match(line)))
        if not is_frame
    ]
    columns = {len(row) for group in groups for row in group}
    if len(columns) != 1 or (bar is _ANY_BAR and not any(map(_FRAME.match, lines))):
        return ()
    head, *body = groups
    # With a line below each row, what stands between two lines is one row.
    rows = [_joined(group) for group in body] if len(body) > 1 else [row for group in body for row in group]
    # A single column without a ruler is a text in a box.
    return [_joined(head), *rows] if rows else head if len(head) > 1 and columns != {1} else ()


def _joined(rows: Sequence[Row]) -> Row:
    return [" ".join(filter(None, cells)) for cells in zip(*rows, strict=True)]


def join_rows(source: Source) -> Iterator[Changes]:
    """Join the rows of a pipe table that blank lines part, and write dashes in its ruler that an editor made long."""
    tables = list[list[tuple[int, str]]]()
    end = -1
    for index, line in (each for paragraph in source.paragraphs for each in source.lines_of(paragraph)):
        if _ROW.match(line):
            is_next = tables and line.count("|") == tables[-1][0][1].count("|")
            if is_next and not "".join(source.lines[end:index]).strip():
                tables[-1].append((index, line))
            else:
                tables.append([(index, line)])
            end = index + 1
    for rows in tables:
        if len(rows) > 2 and _PIPE_RULER.match(rows[1][1]):
            start = source.starts[rows[1][0]]
            changes = [Change(start + m.start(), start + m.end(), "---") for m in _LONG_DASHES.finditer(rows[1][1])]
            for (index, _), (following, _) in pairwise(rows):
                if following > index + 1:
                    changes.append(Change(source.end_of(index), source.starts[following], source.newline))
            yield tuple(sorted(changes))


def add_rulers(source: Source) -> Iterator[Changes]:
    """Add the ruler below the first row of a pipe table of three or more rows that has none."""
    for paragraph in source.paragraphs:
        lines = [line.strip() for _, line in source.lines_of(paragraph)]
        bars = {line.count("|") for line in lines}
        has_cells = all(line.startswith("|") and line.endswith("|") and line.strip("|-–— :+\u00a0") for line in lines)
        if len(lines) > 2 and len(bars) == 1 and min(bars) > 2 and has_cells:
            place = source.end_of(paragraph.first)
            yield (Change(place, place, f"{source.newline}|{' --- |' * (min(bars) - 1)}"),)


def rewrite_columns(source: Source) -> Iterator[Changes]:
    """Rewrite tables whose columns are aligned by spaces, perhaps with a ruler of dashes, or divided by tabs."""
    by_first = {each.first: each for each in source.paragraphs}
    for head in source.paragraphs:
        index = head.first + len(head.lines)
        body = by_first.get(index + 1)
        if body and _RULER.match(source.lines[index]):
            columns = [match.start() for match in _DASHES.finditer(source.lines[index])]
            lines = [source.lines[index - 1], *(line for _, line in source.lines_of(body))]
            if not any(line[column - 1 : column].strip() for line in lines for column in columns[1:]):
                rows = [[line[i:j] for i, j in pairwise([0, *columns[1:], max(map(len, lines))])] for line in lines]
                table = _rewritten(source, head, len(head.lines) - 1, len(head.lines), rows)
                yield (table._replace(end=source.end_of(index + len(body.lines))),)
        else:
            yield from _rewrite_rows(source, head)


def _rewrite_rows(source: Source, paragraph: Prose) -> Iterator[Changes]:
    """Rewrite a paragraph of at least three rows of at least three cells, or of cells between tabs."""
    lines = [line for _, written in source.lines_of(paragraph) if (line := written.strip(" ")).strip("─━═")]
    by_tabs = "\t" in lines[0]
    rows = [line.split("\t") if by_tabs else _GAP.split(line) for line in lines]
    columns = len(rows[0])
    is_table = min(len(rows), columns) > 1 and len(rows) + columns > 4 if by_tabs else min(len(rows), columns) > 2
    if is_table and all(len(row) == columns and all(0 < len(cell.strip()) <= MAX_CELL for cell in row) for row in rows):
        yield (_rewritten(source, paragraph, 0, len(paragraph.lines), rows),)


def _rewritten(source: Source, paragraph: Prose, index: int, end: int, rows: Sequence[Row]) -> Change:
    """Return what replaces the lines of a paragraph from `index` to `end` by a table, with blank lines around."""
    head, *body = [[cell.strip().replace("|", r"\|") for cell in row] for row in rows]
    table = source.newline.join(f"| {' | '.join(row)} |" for row in [head, ["---"] * len(head), *body])
    before = source.newline if index else ""
    after = source.newline if end < len(paragraph.lines) else ""
    first = paragraph.first + index
    return Change(source.starts[first], source.end_of(paragraph.first + end - 1), before + table + after)
