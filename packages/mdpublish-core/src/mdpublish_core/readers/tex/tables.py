"""Tables of MathML as TeX's environments."""

import re

from mdpublish_core.figures.math.environments import ENVIRONMENT_TYPES
from mdpublish_core.readers.tex.nodes import Node
from mdpublish_core.readers.tex.vocabulary import delimiter_command, escaped_text

_SIDES = {"left": "l", "right": "r", "center": "c", "tml-left": "l", "tml-right": "r"}
_LINES = {"solid": "|", "dashed": ":"}
_RULES = {"|": "\\hline ", ":": "\\hdashline ", "": ""}
_MATRICES = {
    (delimiter_command(kind.left), delimiter_command(kind.right)): name
    for name, kind in ENVIRONMENT_TYPES.items()
    if name.endswith("matrix") and not kind.name
}
_NUMBERED = {"aligned": "align", "alignedat": "alignat", "gathered": "gather"}
_ROW_END = " \\\\ "


def environment(table: Node, left: str = ".", right: str = ".", *, is_small: bool = False) -> str:
    """Return a table with the delimiters around it, or an empty string if its environment has others."""
    rows = [_cells(row) for row in table.children]
    is_numbered = any(number != "" for _, number in rows)
    notag = " \\notag" if is_numbered else ""
    lines = [
        " & ".join(cell.tex for cell in cells) + ("" if number is None else number or notag) for cells, number in rows
    ]
    columns = _columns(table, [cells for cells, _ in rows])
    fences = (left.strip("."), right.strip("."))
    if len(rows) == len(columns) == 1 and rows[0][1]:
        return "" if any(fences) else lines[0]
    vertical, horizontal = _rules(table, len(rows), len(columns))
    if is_small:
        name = "smallmatrix" if len(columns) > 1 else "substack"
    else:
        name = _name(table, "".join(columns), fences, has_rules=any((*vertical, *horizontal)))
    if any(fences) and not name.endswith("cases") and _MATRICES.get(fences) != name:
        return ""
    # A bracket or star after a row's end would be its argument.
    lines = [f"{'{}' * line.startswith(('[', '*'))}{line}" for line in lines]
    name = _NUMBERED.get(name, name) if is_numbered else name
    body = _ROW_END.join(f"{_RULES[rule]}{line}" for rule, line in zip(horizontal, lines, strict=False))
    body += (_ROW_END + _RULES[horizontal[-1]]).rstrip() if horizontal[-1] else ""
    if name == "substack":
        return f"\\substack{{{body}}}"
    spec = "".join(f"{line}{column}" for line, column in zip(vertical, (*columns, ""), strict=True))
    spec = (
        f"{{{spec}}}"
        if name == "array"
        else f"{{{(len(columns) + 1) // 2}}}"
        if name in {"alignedat", "alignat"}
        else ""
    )
    return f"\\begin{{{name}}}{spec}{body}\\end{{{name}}}"


def _name(table: Node, columns: str, fences: tuple[str, str], *, has_rules: bool) -> str:
    if "multline" in table.words:
        return "multlined"
    is_marked, is_displayed = "aligned" in table.words, table.get("displaystyle") == "true"
    spacing = table.get("columnspacing")
    is_close = (is_marked and "apart" not in table.words) or set(spacing.split()) == {"0em"}
    if columns == ("rl" * len(columns))[: len(columns)]:
        if is_marked and is_close and len(columns) < 3:
            return "split"
        # pandoc has neither a style nor a spacing.
        is_pandoc = not spacing and table.child(0).child(0).get("columnalign")
        if is_marked or (len(columns) > 1 and (is_displayed or spacing.startswith("0") or is_pandoc)):
            return "alignedat" if is_close and len(columns) > 2 else "aligned"
    # LibreOffice saves no alignment.
    is_left = set(columns) <= {"l"} or table.attributes.get("columnalign") == ""
    if is_left and not has_rules and fences in {("\\{", ""), ("", "\\}")}:
        return f"{'d' * is_displayed}{'r' * (not fences[0])}cases"
    if set(columns) <= {"c"} and not has_rules and not is_displayed:
        return _MATRICES.get(fences, "matrix")
    return "gathered" if columns == "c" and not has_rules else "array"


def _cells(row: Node) -> tuple[list[Node], str | None]:
    """Return a row's cells, and its number as TeX; None is the next one."""
    numbers = [cell for cell in row.children if "tag" in cell.words]
    cells = [cell for cell in row.children if "tag" not in cell.words]
    if row.tag == "mlabeledtr":
        numbers, cells = cells[:1], cells[1:]
    # KaTeX's stylesheet counts.
    is_counted = bool(cells) and "mml-eqn-num" in cells[-1].words
    if cells and not cells[0].tex and re.search("50%|mtr-glue", " ".join(cells[0].attributes.values())):
        # KaTeX and temml have the formula between two margins.
        numbers = [cell for cell in cells[-1:] if cell.tex.startswith("\\text{(")]
        cells = cells[1 : len(cells) - len(numbers)]
        while cells and not cells[-1].tex.removeprefix("\\ "):
            cells.pop()
    core = numbers[0].child(0).core() if numbers else Node("mrow")
    if not core.tex:
        return cells, None if is_counted else ""
    if core.tag != "mtext":
        return cells, f"\\tag*{{${core.tex}$}}"
    bracketed = re.fullmatch(r"\((.*)\)", core.shown)
    return cells, f"\\tag{{{escaped_text(bracketed[1])}}}" if bracketed else f"\\tag*{{{escaped_text(core.shown)}}}"


def _columns(table: Node, rows: list[list[Node]]) -> list[str]:
    """Return the alignment of each column, by the first row that has it."""
    columns: list[str] = []
    of_table = table.get("columnalign").split()
    for row, cells in zip(table.children, rows, strict=True):
        of_row = row.get("columnalign").split()
        for index, cell in enumerate(cells[len(columns) :], len(columns)):
            named = [*cell.words, cell.get("columnalign"), *of_row[index : index + 1]]
            named += of_table[index : index + 1] or of_table[-1:]
            columns.append(next((_SIDES[name] for name in named if name in _SIDES), "c"))
    return columns


def _rules(table: Node, height: int, width: int) -> tuple[list[str], list[str]]:
    """Return the lines before, between and after columns, and rows."""
    vertical, horizontal = (
        [_LINES.get(name, "") for name in (*["", *names, *names[-1:] * count][:count], "")]
        for names, count in (
            ((table.get(name) or "none").split(), count)
            for name, count in (("columnlines", width), ("rowlines", height))
        )
    )
    for number, row in enumerate(table.children):
        for index, cell in enumerate(row.children[:width]):
            for name in cell.words:
                kind, _, side = name.partition("-")
                if kind in {"rule", "dashes"}:
                    sides, place = (vertical, index) if side in {"before", "behind"} else (horizontal, number)
                    sides[place + (side in {"behind", "below"})] = "|" if kind == "rule" else ":"
    return vertical, horizontal
