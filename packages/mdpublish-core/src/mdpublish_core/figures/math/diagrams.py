"""Commutative diagrams: the environment `CD`, whose rows are things with arrows between them, and arrows with gaps between."""

from xml.etree.ElementTree import Element

from mdpublish_core.figures.math.building import gap, grouped, holding, leaf, lined
from mdpublish_core.figures.math.reading import SCRIPT, Reader
from mdpublish_core.figures.math.tokens import END, Token

_ACROSS = {">": "→", "<": "←", "=": "="}
_DOWN = {"V": "↓", "A": "↑", "|": "‖"}
_ENDS = frozenset({"@", "\\\\", "\\end"})


def diagram(reader: Reader, command: Token) -> Element:
    r"""Read a diagram up to its `\end`."""
    table = Element("mtable", {"displaystyle": "true"})
    row = Element("mtr")
    # A row of arrows begins with one, and has nothing between them; a row of things begins with a thing.
    while True:
        cell = grouped(lined(reader.row(_ENDS)))
        token = reader.stream.take()
        is_empty = cell.tag == "mrow" and not len(cell)
        if not (is_empty and token.text == "@" and _is_down(reader)):
            row.append(holding("mtd", cell))
        if token.text == "@":
            if _is_down(reader) and len(row) and row[-1].get("class") == "arrow":
                row.append(Element("mtd"))
            row.append(_arrow(reader, token))
            continue
        if is_empty and len(row) > 1 and row[-2].get("class") == "arrow":
            row.remove(row[-1])
        if not (is_empty and token.text == "\\end" and len(row) == 1):
            table.append(row)
        row = Element("mtr")
        if token.text == "\\end":
            reader.stream.push([token])
            return table
        if token.text == END:
            raise reader.error("a \\begin{CD} is never closed: \\end{CD} is missing", command)


def _is_down(reader: Reader) -> bool:
    """Tell whether what comes next stands in a row of arrows that point up or down."""
    return reader.stream.raw_peek().text in {"V", "A", "|", "."} or (reader.stream.raw_peek().text == "\\|")


def _arrow(reader: Reader, at: Token) -> Element:
    """Read an arrow behind its `@`, with its labels."""
    stream = reader.stream
    token = stream.raw()
    sign = {"\\vert": "|", "\\|": "|", "\\Vert": "|"}.get(token.text, token.text)
    if sign == ".":
        return holding("mtd", **{"class": "arrow"})
    if sign in {"=", "|"}:
        mark = _ACROSS.get(sign) or _DOWN[sign]
        return holding("mtd", leaf("mo", mark, stretchy="true"), **{"class": "arrow"})
    if sign not in _ACROSS and sign not in _DOWN:
        raise reader.error(
            f"@{sign.replace(END, '')} is no arrow of a diagram; allowed: @>>>, @<<<, @VVV, @AAA, @=, @| and @.", at
        )
    first, second = _label(reader, at, token.text), _label(reader, at, token.text)
    mark = (_ACROSS if sign in _ACROSS else _DOWN)[sign]
    return holding("mtd", _labelled(mark, first, second, is_across=sign in _ACROSS), **{"class": "arrow"})


def _label(reader: Reader, at: Token, sign: str) -> Element | None:
    style, reader.style = reader.style, SCRIPT
    atoms = reader.row(frozenset({sign, "\\\\", "\\end"}))
    reader.style = style
    token = reader.stream.take()
    if token.text != sign:
        raise reader.error(f"an arrow @{sign} needs {sign} twice more behind it", at)
    return grouped(lined(atoms)) if atoms else None


def _labelled(mark: str, first: Element | None, second: Element | None, *, is_across: bool) -> Element:
    if is_across:
        arrow = leaf("mo", mark, stretchy="true", minsize="3em")
        labels = [
            holding("mrow", gap("1em"), each, gap("1em")) if each is not None else None for each in (first, second)
        ]
        if labels[0] is None and labels[1] is None:
            # Something to be as wide as: an arrow alone is short.
            return holding("mover", arrow, gap("3em"))
        if labels[1] is None:
            return holding("mover", arrow, labels[0] or gap("3em"))
        return holding("munderover", arrow, labels[1], labels[0] if labels[0] is not None else gap("3em"))
    arrow = leaf("mo", mark, stretchy="true", minsize="1.8em", symmetric="true", lspace="0", rspace="0")
    parts = [
        holding("mstyle", each, scriptlevel="1", displaystyle="false") if each is not None else None
        for each in (first, second)
    ]
    return holding(
        "mrow", *([parts[0]] if parts[0] is not None else []), arrow, *([parts[1]] if parts[1] is not None else [])
    )
