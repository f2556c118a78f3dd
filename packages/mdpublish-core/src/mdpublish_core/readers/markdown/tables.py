"""GFM's tables: delimiter rows and cells. Source: GitHub Flavored Markdown, "Tables (extension)"."""

from mdpublish_core.lazy_patterns import compile_lazily
from mdpublish_core.nodes import Alignment

_MARK = r"[ \t]*:?-+:?[ \t]*"
_DELIMITER_ROW = compile_lazily(rf"\|?{_MARK}(?:\|{_MARK})*\|?[ \t]*")

_CELL = compile_lazily(r"(?:[^|\\]|\\[!-/:-@\[-`{-~]|\\)*")

_CODE = compile_lazily(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)")
_BAR = compile_lazily(r"(?<!\\)\|")

_ALIGNMENTS: dict[tuple[bool, bool], Alignment] = {
    (False, False): None,
    (True, False): -1,
    (True, True): 0,
    (False, True): 1,
}


def column_alignments(line: str) -> list[Alignment] | None:
    if not _DELIMITER_ROW.fullmatch(line):
        return None
    marks = [mark.strip(" \t") for mark in line.strip(" \t").strip("|").split("|")]
    return [_ALIGNMENTS[mark.startswith(":"), mark.endswith(":")] for mark in marks]


def split_cells(line: str) -> list[str]:
    """Return stripped, unescaped cells; a lone bar has none."""
    line = line.strip(" \t")
    if line == "|":
        return []
    if "\\" not in line:
        cells = line.removeprefix("|").split("|")
        if len(cells) > 1 and not cells[-1].strip(" \t"):
            cells.pop()
        return [cell.strip(" \t") for cell in cells]
    position = 1 if line.startswith("|") else 0
    cells = []
    while position < len(line):
        match = _CELL.match(line, position)
        assert match, "a cell may be empty"
        cells.append(match[0].strip(" \t").replace("\\|", "|"))
        position = match.end() + 1
    return cells or [""]


def cell_starts(line: str) -> list[int]:
    """Return where the cells of a row that are not empty start."""
    start = len(line) - len(line.lstrip(" \t"))
    row = line.strip(" \t")
    position = 1 if row.startswith("|") else 0
    starts = []
    while position < len(row):
        match = _CELL.match(row, position)
        assert match, "a cell may be empty"
        cell = match[0]
        if cell.strip(" \t"):
            starts.append(start + position + len(cell) - len(cell.lstrip(" \t")))
        position = match.end() + 1
    return starts


def escape_bars_in_code(row: str) -> str:
    """Write the bars in a row's inline code with a backslash, as tables require."""
    return _CODE.sub(lambda code: _BAR.sub(r"\\|", code[0]), row)
