r"""Environments: what stands in rows and columns between `\begin` and `\end`."""

from dataclasses import dataclass, field
from functools import partial
from xml.etree.ElementTree import Element

from mdpublish_core.figures.math.building import Atom, grouped, holding, leaf, lined
from mdpublish_core.figures.math.diagrams import diagram
from mdpublish_core.figures.math.lengths import ems, written
from mdpublish_core.figures.math.reading import DISPLAY, INLINE, SCRIPT, Command, Reader
from mdpublish_core.figures.math.tokens import END, Token

MAX_COLUMNS = 200
"""Columns of a table; those of a page have twenty."""

_DEPTH = 0.3
"""How far a line of text goes below its base, in em: what a length behind `\\\\` is added to."""

_CELL_ENDS = frozenset({"&", "\\\\", "\\end"})
_RULES = {"|": "rule", ":": "dashes"}
_ALIGNED = {"l": "left", "c": "", "r": "right"}


@dataclass(frozen=True, slots=True)
class Environment:
    """A kind of table."""

    left: str = ""
    right: str = ""
    """What stands before it and behind it."""

    columns: tuple[str, ...] = ()
    """How columns are aligned, by turns: `left`, `right`, or empty for the centre."""

    style: int = INLINE
    """The style of its cells."""

    name: str = ""
    """The class of its table: `aligned` where columns meet without a gap, `apart` where pairs
    of them have one between them, `cases`, `small`, `multline`."""

    takes: str = ""
    r"""What stands behind `\begin{…}`: `columns`, `count`, `alignment` in brackets, `position` in brackets."""

    most: int = MAX_COLUMNS
    """Columns of a row."""


_ALIGN = Environment(columns=("right", "left"), style=DISPLAY, name="aligned apart")
_ALIGN_IN = Environment(columns=("right", "left"), style=DISPLAY, name="aligned apart", takes="position")
_ALIGN_AT = Environment(columns=("right", "left"), style=DISPLAY, name="aligned", takes="count")
_GATHER = Environment(style=DISPLAY, name="aligned")
_MULTILINE = Environment(style=DISPLAY, name="multline", most=1)
_EQUATION = Environment(style=DISPLAY, most=1)
_ARRAY = Environment(takes="columns")

KINDS = {
    "matrix": Environment(),
    "pmatrix": Environment("(", ")"),
    "bmatrix": Environment("[", "]"),
    "Bmatrix": Environment("{", "}"),
    "vmatrix": Environment("|", "|"),
    "Vmatrix": Environment("‖", "‖"),
    "matrix*": Environment(takes="alignment"),
    "pmatrix*": Environment("(", ")", takes="alignment"),
    "bmatrix*": Environment("[", "]", takes="alignment"),
    "Bmatrix*": Environment("{", "}", takes="alignment"),
    "vmatrix*": Environment("|", "|", takes="alignment"),
    "Vmatrix*": Environment("‖", "‖", takes="alignment"),
    "smallmatrix": Environment(style=SCRIPT, name="small"),
    "subarray": Environment(style=SCRIPT, name="small", takes="columns"),
    "array": _ARRAY,
    "darray": Environment(style=DISPLAY, takes="columns"),
    "cases": Environment("{", "", ("left",), name="cases"),
    "dcases": Environment("{", "", ("left",), DISPLAY, "cases"),
    "rcases": Environment("", "}", ("left",), name="cases"),
    "drcases": Environment("", "}", ("left",), DISPLAY, "cases"),
    "align": _ALIGN,
    "align*": _ALIGN,
    "flalign": _ALIGN,
    "flalign*": _ALIGN,
    "eqnarray": Environment(columns=("right", "", "left"), style=DISPLAY, name="aligned"),
    "eqnarray*": Environment(columns=("right", "", "left"), style=DISPLAY, name="aligned"),
    "aligned": _ALIGN_IN,
    "split": Environment(columns=("right", "left"), style=DISPLAY, name="aligned", most=2),
    "alignat": _ALIGN_AT,
    "alignat*": _ALIGN_AT,
    "alignedat": _ALIGN_AT,
    "gather": _GATHER,
    "gather*": _GATHER,
    "gathered": Environment(style=DISPLAY, name="aligned", takes="position"),
    "multline": _MULTILINE,
    "multline*": _MULTILINE,
    "multlined": _MULTILINE,
    "equation": _EQUATION,
    "equation*": _EQUATION,
}
"""All environments but commutative diagrams, by name."""


@dataclass(slots=True)
class _Row:
    cells: list[Element] = field(default_factory=list)
    tag: Element | None = None
    rule: str = ""
    """The class of the line above it."""
    gap: float = 0.0

    @property
    def is_empty(self) -> bool:
        return all(cell.tag == "mrow" and not len(cell) for cell in self.cells) and self.tag is None


@dataclass(slots=True)
class _Columns:
    """The columns that the author of an `array` asked for."""

    aligned: list[str]
    rules: dict[int, str] = field(default_factory=dict)
    """The class of the line before a column, by the column's number."""


def _begin(reader: Reader, command: Token) -> Atom:
    name = reader.stream.words(command)
    if name == "CD":
        return _within(name, reader, command, partial(diagram, reader, command))
    kind = KINDS.get(name)
    if kind is None:
        raise reader.error(f"\\begin{{{name[:40]}}} begins no environment that is known", command)
    return _within(name, reader, command, partial(_table, kind, reader, command))


def _within(name: str, reader: Reader, command: Token, read: "partial[Element]") -> Atom:
    """Read an environment to its end, which must have its name."""
    stream, tag = reader.stream, reader.tag
    font, reader.font, is_text, reader.is_text = reader.font, None, reader.is_text, False
    stream.begin()
    element = read()
    token = stream.take()
    if token.text != "\\end":
        raise reader.error(f"\\begin{{{name}}} is never closed: \\end{{{name}}} is missing", command)
    closed = stream.words(token)
    if closed != name:
        raise reader.error(f"\\end{{{closed[:40]}}} stands where \\end{{{name}}} must", token)
    stream.end()
    reader.font, reader.is_text = font, is_text
    reader.tag = reader.tag if tag is None else tag
    return Atom(element, "inner" if element.tag == "mrow" else "ord")


def _table(kind: Environment, reader: Reader, command: Token) -> Element:
    columns = _columns(kind, reader, command)
    outer = reader.style
    reader.style = kind.style
    rows, last_rule = _rows(kind, reader)
    reader.style = outer
    if kind.most == 1 and kind.name != "multline" and len(rows) == 1 and len(rows[0].cells) == 1:
        # An equation is no table.
        reader.tag = rows[0].tag
        return rows[0].cells[0]
    table = _built(kind, columns, rows, last_rule)
    if kind.style == SCRIPT:
        table = holding("mstyle", table, scriptlevel="1")
    if not kind.left and not kind.right:
        return table
    row = Element("mrow")
    if kind.left:
        row.append(leaf("mo", kind.left, fence="true", form="prefix", stretchy="true"))
    row.append(table)
    if kind.right:
        row.append(leaf("mo", kind.right, fence="true", form="postfix", stretchy="true"))
    return row


def _columns(kind: Environment, reader: Reader, command: Token) -> _Columns:
    r"""Read what stands behind `\begin{…}`."""
    stream = reader.stream
    if kind.takes == "columns":
        stream.optional(command)
        return _specified(stream.words(command), reader, command)
    if kind.takes == "count":
        stream.argument(command)
    elif kind.takes == "position":
        stream.optional(command)
    elif kind.takes == "alignment":
        side = stream.optional_words(command) or "c"
        if side not in _ALIGNED:
            raise reader.error(f"columns are aligned by {side[:40]!r}; allowed: l, c, r", command)
        return _Columns([_ALIGNED[side]] * MAX_COLUMNS)
    return _Columns([])


def _specified(text: str, reader: Reader, command: Token) -> _Columns:
    """Return the columns that a specification such as `l|cc` has."""
    columns = _Columns([])
    place = 0
    while place < len(text):
        sign = text[place]
        if sign in _ALIGNED:
            columns.aligned.append(_ALIGNED[sign])
        elif sign in _RULES:
            columns.rules[len(columns.aligned)] = _RULES[sign]
        elif sign in "@!><" and text[place + 1 : place + 2] == "{":
            # What is set between columns is left out.
            place = text.find("}", place)
            if place < 0:
                break
        elif not sign.isspace():
            raise reader.error(f"{sign!r} is no kind of column; allowed: l, c, r, | and :", command)
        place += 1
    if len(columns.aligned) > MAX_COLUMNS:
        raise reader.error(f"there are more than {MAX_COLUMNS} columns", command)
    return columns


def _rows(kind: Environment, reader: Reader) -> tuple[list[_Row], str]:
    """Read the rows, and the class of the line below the last one."""
    stream = reader.stream
    rows = [_Row(rule=_rule(reader))]
    while True:
        row = rows[-1]
        cell, tag = _cell(kind, reader)
        row.cells.append(cell)
        row.tag = row.tag if tag is None else tag
        token = stream.take()
        if token.text == "&":
            if len(row.cells) >= kind.most:
                raise reader.error(f"there is a & too many: a row has at most {kind.most} columns here", token)
        elif token.text == "\\\\":
            row.gap = _row_gap(reader, token)
            rows.append(_Row(rule=_rule(reader)))
        else:
            if token.text != END:
                stream.push([token])
            break
    reader.tag = None
    last_rule = ""
    if len(rows) > 1 and len(rows[-1].cells) == 1 and rows[-1].is_empty:
        last_rule = rows.pop().rule
    return rows, last_rule


def _cell(kind: Environment, reader: Reader) -> tuple[Element, Element | None]:
    """Read a cell, and the number that it gives its row."""
    reader.tag = None
    reader.stream.begin()
    atoms = reader.row(_CELL_ENDS)
    reader.stream.end()
    if kind.columns[:2] == ("right", "left") and atoms and atoms[0].kind in {"rel", "bin"}:
        # A column that begins with a relation has something before it, in the column to its left.
        atoms.insert(0, Atom(Element("mrow")))
    return grouped(lined(atoms)), reader.tag


def _row_gap(reader: Reader, command: Token) -> float:
    r"""Read the length in brackets behind `\\`, which must follow at once."""
    stream = reader.stream
    if stream.raw_peek().text == "*":
        stream.raw()
    if stream.raw_peek().text != "[":
        return 0.0
    following = "".join(stream.ahead(each) for each in range(1, 12)).partition("]")
    if not following[1] or ems(following[0]) is None:
        return 0.0
    text = stream.optional_words(command) or ""
    return ems(text) or 0.0


def _rule(reader: Reader) -> str:
    """Read the lines above a row, and return the class of the last one."""
    found = ""
    while (token := reader.stream.skip_spaces()).text in {"\\hline", "\\hdashline"}:
        reader.stream.take()
        found = "rule" if token.text == "\\hline" else "dashes"
    return found


def _built(kind: Environment, columns: _Columns, rows: list[_Row], last_rule: str) -> Element:
    table = Element("mtable")
    is_tagged = any(row.tag is not None for row in rows)
    name = f"{kind.name} tagged".strip() if is_tagged else kind.name
    if name:
        table.set("class", name)
    if kind.style == DISPLAY:
        table.set("displaystyle", "true")
    width = max(len(row.cells) for row in rows)
    for number, row in enumerate(rows):
        is_last = number == len(rows) - 1
        line = Element("mtr")
        for place, cell in enumerate(row.cells):
            names = [_side(kind, columns, place), *_lines_beside(columns, place, is_last=place == len(row.cells) - 1)]
            names += [f"{row.rule}-above"] if row.rule else []
            names += [f"{last_rule}-below"] if last_rule and is_last else []
            line.append(_classed(cell, " ".join(filter(None, names))))
        if kind.name == "multline" and len(rows) > 1 and (is_last or not number):
            line[0].set("class", "right" if is_last else "left")
        if row.gap > 0:
            line[0].append(Element("mspace", {"width": "0", "height": "0", "depth": written(row.gap + _DEPTH)}))
        if is_tagged:
            line.extend(Element("mtd") for _ in range(width - len(row.cells)))
            line.append(holding("mtd", *([] if row.tag is None else [row.tag]), **{"class": "tag"}))
        table.append(line)
    return table


def _side(kind: Environment, columns: _Columns, place: int) -> str:
    """Return the class that says how a cell is aligned."""
    if columns.aligned:
        return columns.aligned[place] if place < len(columns.aligned) else ""
    return kind.columns[place % len(kind.columns)] if kind.columns else ""


def _lines_beside(columns: _Columns, place: int, *, is_last: bool) -> list[str]:
    """Return the classes of the lines before a cell, and behind the last one."""
    rules = columns.rules
    names = [f"{rules[place]}-before"] if place in rules else []
    if is_last and place + 1 in rules and place + 1 == len(columns.aligned):
        names.append(f"{rules[place + 1]}-behind")
    return names


def _classed(cell: Element, name: str) -> Element:
    return holding("mtd", cell, **({"class": name} if name else {}))


def _misplaced_rule(reader: Reader, command: Token) -> Atom:
    raise reader.error(f"{command.text} belongs at the beginning of a row of a table", command)


ENVIRONMENTS: dict[str, Command] = {
    "\\begin": _begin,
    "\\hline": _misplaced_rule,
    "\\hdashline": _misplaced_rule,
}
"""The commands of environments."""
