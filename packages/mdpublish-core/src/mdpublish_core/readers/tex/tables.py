"""Tables of MathML as TeX's environments."""

import re

from mdpublish_core.figures.math.environments import BRACKETS
from mdpublish_core.readers.tex.nodes import Node
from mdpublish_core.readers.tex.vocabulary import delimiter_command, escaped_text

_SIDES = {"left": "l", "right": "r", "center": "c", "tml-left": "l", "tml-right": "r"}
_ROW_END = " \\\\ "
_LINES = {"solid": "|", "dashed": ":"}
_RULES = {"|": "\\hline ", ":": "\\hdashline ", "": ""}
_MATRICES = {tuple(map(delimiter_command, sides)): f"{name}matrix" for name, sides in BRACKETS.items()}


def environment(table: Node, left: str, right: str, *, is_small: bool = False) -> str:
    """Return a table with the delimiters around it, or an empty string if no environment has them."""
    rows = [_cells(row) for row in table.children]
    columns = _columns(table)
    cells = [" & ".join(cell.tex for cell in shown) + tag for shown, tag in rows]
    lines, rules = _rules(table, len(rows), len(columns))
    if len(rows) == len(columns) == 1 and rows[0][1]:
        return "" if left or right else cells[0]
    name = _name(table, columns, left, right, is_small=is_small, has_lines=any((*lines, *rules)))
    if not name:
        return ""
    if name == "substack":
        return f"\\substack{{{_ROW_END.join(cells)}}}"
    spec = ""
    if name == "array":
        spec = "".join(f"{line}{column}" for line, column in zip(lines, (*columns, ""), strict=True))
    elif name == "alignedat":
        spec = str((len(columns) + 1) // 2)
    body = _ROW_END.join(
        _RULES[rule] + ("{}" if rule == "" and index and cell[:1] in {"[", "*"} else "") + cell
        for index, (rule, cell) in enumerate(zip(rules, cells, strict=False))
    )
    last = (_ROW_END + _RULES[rules[-1]]).rstrip() if rules[-1] else ""
    inside = f"\\begin{{{name}}}{f'{{{spec}}}' if spec else ''}{body}{last}\\end{{{name}}}"
    is_apart = (left or right) and name in {"array", "matrix"}
    return f"\\left{left or '.'}{inside}\\right{right or '.'}" if is_apart else inside


def _name(table: Node, columns: list[str], left: str, right: str, *, is_small: bool, has_lines: bool) -> str:
    fences = (left.strip("."), right.strip("."))
    is_displayed, is_fenced = table.get("displaystyle") == "true", any(fences)
    is_paired = all(side == "rl"[index % 2] for index, side in enumerate(columns))
    is_aligned = "aligned" in table.words or (len(columns) > 1 and (is_displayed or table.get("columnspacing")[:1] == "0"))
    is_close = "apart" not in table.words and "aligned" in table.words
    is_close = is_close or set(table.get("columnspacing").split()) == {"0em"}
    is_centered = set(columns) <= {"c"}
    if is_small:
        return "substack" if len(columns) == 1 else "smallmatrix"
    if "multline" in table.words or (is_paired and is_aligned) or (is_centered and is_displayed and len(columns) == 1):
        if is_fenced:
            return ""
        if "multline" in table.words:
            return "multlined"
        if not is_paired:
            return "gathered"
        return "aligned" if not is_close else "split" if len(columns) < 3 and "aligned" in table.words else "alignedat" if len(columns) > 2 else "aligned"
    if not has_lines and set(columns) <= {"l"} and fences in {("\\{", ""), ("", "\\}")}:
        return "d" * is_displayed + "r" * (not fences[0]) + "cases"
    if is_centered and not has_lines and not is_displayed:
        return _MATRICES.get(fences, "matrix")
    return "array"


def _cells(row: Node) -> tuple[list[Node], str]:
    """Return a row's cells, and its number as TeX."""
    cells = [cell for cell in row.children if "tag" not in cell.words]
    numbers = [cell for cell in row.children if "tag" in cell.words]
    if cells and not cells[0].tex and ("50%" in cells[0].get("width") + cells[0].get("style") or cells[0].words == ["mtr-glue"]):
        # KaTeX and temml have the formula between two margins.
        numbers = [cell for cell in cells[-1:] if cell.tex.startswith("\\text{(")]
        cells = cells[1 : -1 if numbers else None]
        while cells and not cells[-1].tex.removeprefix("\\ "):
            cells.pop()
    if not numbers or not numbers[0].tex:
        return cells, ""
    core = numbers[0].children[0].core()
    content = core.shown
    if core.tag != "mtext":
        return cells, f"\\tag*{{${numbers[0].tex}$}}"
    is_bracketed = content.startswith("(") and content.endswith(")")
    return cells, f"\\tag{{{escaped_text(content[1:-1])}}}" if is_bracketed else f"\\tag*{{{escaped_text(content)}}}"


def _columns(table: Node) -> list[str]:
    """Return the alignment of each column, by the first row that has it."""
    columns: list[str] = []
    for row in table.children:
        for index, cell in enumerate(_cells(row)[0][len(columns) :], len(columns)):
            of_row, of_table = (each.get("columnalign").split() for each in (row, table))
            style = re.search(r"text-align:\s*(?:-\w+-)?(\w+)", cell.get("style"))
            named = (*cell.words, cell.get("columnalign"), *of_row[index : index + 1], *(style.groups() if style else ()))
            named = (*named, *(of_table[index : index + 1] or of_table[-1:]))
            columns.append(next((_SIDES[name] for name in named if name in _SIDES), "c"))
    return columns


def _rules(table: Node, height: int, width: int) -> tuple[list[str], list[str]]:
    """Return the lines before, between and after columns, and rows."""
    edge = _LINES.get(table.get("frame"), "")
    lines, rules = ([edge, *_between(table.get(name), count), edge] for name, count in (("columnlines", width), ("rowlines", height)))
    for number, row in enumerate(table.children):
        for index, cell in enumerate(row.children[:width]):
            for kind, sign in (("rule", "|"), ("dashes", ":")):
                sides = {side for side in ("before", "behind", "above", "below") if f"{kind}-{side}" in cell.words}
                lines[index] = sign if "before" in sides else lines[index]
                lines[index + 1] = sign if "behind" in sides else lines[index + 1]
                rules[number] = sign if "above" in sides else rules[number]
                rules[number + 1] = sign if "below" in sides else rules[number + 1]
            if "border-right" in cell.get("style"):
                lines[index + 1] = "|"
            if "border-bottom" in cell.get("style"):
                rules[number + 1] = "|"
    return lines, rules


def _between(value: str, count: int) -> list[str]:
    names = value.split() or ["none"]
    return [_LINES.get(names[min(index, len(names) - 1)], "") for index in range(count - 1)]
