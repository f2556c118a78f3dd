r"""Environments between `\begin` and `\end`."""

from dataclasses import dataclass, field
from functools import partial
from xml.etree.ElementTree import Element

from mdpublish_core.data_files import read_table
from mdpublish_core.figures.math import mathml_builder as mathml
from mdpublish_core.figures.math.numbering import EquationLine
from mdpublish_core.figures.math.parser import DISPLAY, INLINE, SCRIPT, Command, Parser
from mdpublish_core.figures.math.tokens import END, MathToken, format_ems, parse_ems

_ACROSS = {">": "→", "<": "←", "=": "="}
_DOWN = {"V": "↓", "A": "↑", "|": "‖"}
_ENDS = frozenset({"@", "\\\\", "\\end"})


def parse_diagram(parser: Parser, command: MathToken) -> Element:
    """Parse `CD`: rows of objects alternate with rows of vertical arrows."""
    table = Element("mtable", {"displaystyle": "true"})
    row = Element("mtr")
    # Rows of vertical arrows begin with an arrow.
    while True:
        cell = mathml.wrap_row(mathml.build_row(parser.parse_row(_ENDS)))
        token = parser.stream.take()
        is_empty = cell.tag == "mrow" and not len(cell)
        if not (is_empty and token.value == "@" and _is_down(parser)):
            row.append(mathml.build_element("mtd", cell))
        if token.value == "@":
            if _is_down(parser) and len(row) and row[-1].get("class") == "arrow":
                row.append(Element("mtd"))
            row.append(_arrow(parser, token))
            continue
        if is_empty and len(row) > 1 and row[-2].get("class") == "arrow":
            row.remove(row[-1])
        if not (is_empty and token.value == "\\end" and len(row) == 1):
            table.append(row)
        row = Element("mtr")
        if token.value == "\\end":
            parser.stream.push([token])
            return table
        if token.value == END:
            raise parser.error("a \\begin{CD} is never closed: \\end{CD} is missing", command)


def _is_down(parser: Parser) -> bool:
    return parser.stream.peek_raw().value in {"V", "A", "|", "."} or (parser.stream.peek_raw().value == "\\|")


def _arrow(parser: Parser, at: MathToken) -> Element:
    stream = parser.stream
    token = stream.take_raw()
    sign = {"\\vert": "|", "\\|": "|", "\\Vert": "|"}.get(token.value, token.value)
    if sign == ".":
        return mathml.build_element("mtd", **{"class": "arrow"})
    if sign in {"=", "|"}:
        mark = _ACROSS.get(sign) or _DOWN[sign]
        return mathml.build_element("mtd", mathml.build_leaf("mo", mark, stretchy="true"), **{"class": "arrow"})
    if sign not in _ACROSS and sign not in _DOWN:
        raise parser.error(
            f"unknown arrow @{sign.replace(END, '')}; allowed: @>>>, @<<<, @VVV, @AAA, @=, @| and @.", at
        )
    first, second = _label(parser, at, token.value), _label(parser, at, token.value)
    mark = (_ACROSS if sign in _ACROSS else _DOWN)[sign]
    return mathml.build_element("mtd", _labelled(mark, first, second, is_across=sign in _ACROSS), **{"class": "arrow"})


def _label(parser: Parser, at: MathToken, sign: str) -> Element | None:
    with parser.within(style=SCRIPT):
        atoms = parser.parse_row(frozenset({sign, "\\\\", "\\end"}))
    token = parser.stream.take()
    if token.value != sign:
        raise parser.error(f"an arrow @{sign} must be followed by two more {sign}", at)
    return mathml.wrap_row(mathml.build_row(atoms)) if atoms else None


def _labelled(mark: str, first: Element | None, second: Element | None, *, is_across: bool) -> Element:
    if is_across:
        arrow = mathml.build_leaf("mo", mark, stretchy="true", minsize="3em")
        # By itself, the arrow is short.
        above, below = (each if each is None else mathml.build_padded(each, "1em") for each in (first, second))
        over = mathml.build_space("3em") if above is None else above
        if below is None:
            return mathml.build_element("mover", arrow, over)
        return mathml.build_element("munderover", arrow, below, over)
    arrow = mathml.build_leaf("mo", mark, stretchy="true", minsize="1.8em", symmetric="true", lspace="0", rspace="0")
    before, after = (
        [] if each is None else [mathml.build_element("mstyle", each, scriptlevel="1", displaystyle="false")]
        for each in (first, second)
    )
    return mathml.build_element("mrow", *before, arrow, *after)


MAX_COLUMNS = 200

_DEPTH = 0.3
r"""Depth of a line of text in em, to which the length after `\\` is added."""

_CELL_ENDS = frozenset({"&", "\\\\", "\\end"})
_RULES = {"|": "rule", ":": "dashes"}
_ALIGNED = {"l": "left", "c": "", "r": "right"}


@dataclass(frozen=True, slots=True)
class Environment:
    """A kind of table."""

    left: str = ""
    right: str = ""
    columns: tuple[str, ...] = ()
    """Alignments, repeated cyclically: `left`, `right`, or empty for centered."""

    style: int = INLINE
    name: str = ""
    """The table's class: `aligned` (no gaps), `aligned apart` (gaps between pairs), `cases`, `small` or `multline`.
    """

    argument_kind: str = ""
    r"""After `\begin{…}`: `columns`, `count`, `[alignment]` or `[position]`."""

    max_columns: int = MAX_COLUMNS
    is_numbered: bool = False


ENVIRONMENT_TYPES = {
    name: Environment(
        left, right, tuple(columns.split(",") if columns else ()), int(style), kind, argument, int(limit), tag == "yes"
    )
    for name, left, right, columns, style, kind, argument, limit, tag in read_table(__file__, "environments.tsv")
}


@dataclass(slots=True)
class _Row:
    line: EquationLine
    cells: list[Element] = field(default_factory=list)
    rule: str = ""  # class of the line above
    gap: float = 0.0

    @property
    def is_empty(self) -> bool:
        return all(cell.tag == "mrow" and not len(cell) for cell in self.cells) and self.line.tag is None


@dataclass(slots=True)
class _Columns:
    """The column specification of an `array`."""

    aligned: list[str]
    rules: dict[int, str] = field(default_factory=dict)  # class of the line before each column


def _begin(parser: Parser, command: MathToken) -> mathml.Atom:
    name = parser.stream.string_argument(command)
    if name == "CD":
        return _parse_environment(name, parser, command, partial(parse_diagram, parser, command))
    kind = ENVIRONMENT_TYPES.get(name)
    if kind is None:
        raise parser.error(f"unknown environment {name[:40]}", command)
    return _parse_environment(name, parser, command, partial(_table, kind, parser, command))


def _parse_environment(name: str, parser: Parser, command: MathToken, read: "partial[Element]") -> mathml.Atom:
    stream, outer = parser.stream, parser.line
    parser.line = EquationLine()
    stream.begin_group()
    with parser.within(font=None, is_text_mode=False):
        element = read()
    token = stream.take()
    if token.value != "\\end":
        raise parser.error(f"\\begin{{{name}}} is never closed: \\end{{{name}}} is missing", command)
    closed = stream.string_argument(token)
    if closed != name:
        raise parser.error(f"expected \\end{{{name}}} (got \\end{{{closed[:40]}}})", token)
    stream.end_group()
    # What no row has taken belongs to the whole.
    parser.line, inner = outer, parser.line
    outer.labels += inner.labels
    if outer.tag is None and inner.tag is not None:
        outer.set_tag(inner.tag, inner.name)
    return mathml.Atom(element, "inner" if element.tag == "mrow" else "ord")


def _table(kind: Environment, parser: Parser, command: MathToken) -> Element:
    columns, numbers_lines = _columns(kind, parser, command), parser.numbers_lines and kind.is_numbered
    with parser.within(style=kind.style):
        rows, last_rule = _rows(kind, parser)
    for row in _numbered_rows(kind, rows):
        parser.numbering.finish(row.line, is_numbered=numbers_lines)
    is_single = kind.max_columns == 1 and kind.name != "multline" and len(rows) == 1 and len(rows[0].cells) == 1
    if is_single and not (numbers_lines and rows[0].line.tag is not None):
        # A single equation needs no table.
        parser.line = rows[0].line
        return rows[0].cells[0]
    parser.line = EquationLine(labels=[label for row in rows for label in row.line.labels])
    table = _build_table(kind, columns, rows, last_rule)
    if kind.style == SCRIPT:
        table = mathml.build_element("mstyle", table, scriptlevel="1")
    return mathml.build_fenced(table, kind.left, kind.right)


def _columns(kind: Environment, parser: Parser, command: MathToken) -> _Columns:
    stream = parser.stream
    if kind.argument_kind == "columns":
        stream.optional_argument(command)
        return _parse_column_spec(stream.string_argument(command), parser, command)
    if kind.argument_kind == "count":
        stream.argument(command)
    elif kind.argument_kind == "position":
        stream.optional_argument(command)
    elif kind.argument_kind == "alignment":
        side = stream.optional_string(command) or "c"
        if side not in _ALIGNED:
            raise parser.error(f"unknown column alignment {side[:40]!r}; allowed: l, c, r", command)
        return _Columns([_ALIGNED[side]] * MAX_COLUMNS)
    return _Columns([])


def _parse_column_spec(spec: str, parser: Parser, command: MathToken) -> _Columns:
    """Parse a specification such as `l|cc`."""
    columns = _Columns([])
    index = 0
    while index < len(spec):
        sign = spec[index]
        if sign in _ALIGNED:
            columns.aligned.append(_ALIGNED[sign])
        elif sign in _RULES:
            columns.rules[len(columns.aligned)] = _RULES[sign]
        elif sign in "@!><" and spec[index + 1 : index + 2] == "{":
            # Content between columns is ignored.
            index = spec.find("}", index)
            if index < 0:
                break
        elif not sign.isspace():
            raise parser.error(f"unknown column type {sign!r}; allowed: l, c, r, | and :", command)
        index += 1
    if len(columns.aligned) > MAX_COLUMNS:
        raise parser.error(f"a table must have at most {MAX_COLUMNS} columns", command)
    return columns


def _rows(kind: Environment, parser: Parser) -> tuple[list[_Row], str]:
    """Parse the rows; also return the class of the line below the last one."""
    stream = parser.stream
    rows = [_Row(parser.line, rule=_rule(parser))]
    while True:
        row = rows[-1]
        row.cells.append(_cell(kind, parser))
        token = stream.take()
        if token.value == "&":
            if len(row.cells) >= kind.max_columns:
                raise parser.error(f"unexpected &: a row has at most {kind.max_columns} columns here", token)
        elif token.value == "\\\\":
            row.gap = _row_gap(parser, token)
            parser.line = EquationLine()
            rows.append(_Row(parser.line, rule=_rule(parser)))
        else:
            if token.value != END:
                stream.push([token])
            break
    last_rule = ""
    if len(rows) > 1 and len(rows[-1].cells) == 1 and rows[-1].is_empty:
        last_rule = rows.pop().rule
    return rows, last_rule


def _numbered_rows(kind: Environment, rows: list[_Row]) -> list[_Row]:
    """Return the rows that may have a number: of the lines of one long formula the last, unless another has a tag."""
    if kind.name != "multline":
        return rows
    last = next((row for row in rows if row.line.tag is not None), rows[-1])
    last.line.labels = [label for row in rows for label in row.line.labels]
    last.line.is_unnumbered = any(row.line.is_unnumbered for row in rows)
    return [last]


def _cell(kind: Environment, parser: Parser) -> Element:
    parser.stream.begin_group()
    atoms = parser.parse_row(_CELL_ENDS)
    parser.stream.end_group()
    if kind.columns == ("right", "left") and atoms and atoms[0].kind in {"rel", "bin"}:
        # The left operand is in the column before.
        atoms.insert(0, mathml.Atom(Element("mrow")))
    return mathml.wrap_row(mathml.build_row(atoms))


def _row_gap(parser: Parser, command: MathToken) -> float:
    r"""Parse the bracketed length directly after `\\`."""
    stream = parser.stream
    stream.take_star()
    if stream.peek_raw().value != "[":
        return 0.0
    following = "".join(stream.lookahead(each) for each in range(1, 12)).partition("]")
    if not following[1] or parse_ems(following[0]) is None:
        return 0.0
    length = stream.optional_string(command) or ""
    return parse_ems(length) or 0.0


def _rule(parser: Parser) -> str:
    class_name = ""
    while (token := parser.stream.skip_spaces()).value in {"\\hline", "\\hdashline"}:
        parser.stream.take()
        class_name = "rule" if token.value == "\\hline" else "dashes"
    return class_name


def _build_table(kind: Environment, columns: _Columns, rows: list[_Row], last_rule: str) -> Element:
    table = Element("mtable")
    is_tagged = any(row.line.tag is not None for row in rows)
    name = f"{kind.name} tagged".strip() if is_tagged else kind.name
    if name:
        table.set("class", name)
    if kind.style == DISPLAY:
        table.set("displaystyle", "true")
    width = max(len(row.cells) for row in rows)
    for number, row in enumerate(rows):
        is_last = number == len(rows) - 1
        line = Element("mtr")
        for column, cell in enumerate(row.cells):
            names = [
                _alignment_class(kind, columns, column),
                *_rule_classes(columns, column, is_last=column == len(row.cells) - 1),
                f"{row.rule}-above" if row.rule else "",
                f"{last_rule}-below" if last_rule and is_last else "",
            ]
            name = " ".join(filter(None, names))
            line.append(mathml.build_element("mtd", cell, **({"class": name} if name else {})))
        if kind.name == "multline" and len(rows) > 1 and (is_last or not number):
            line[0].set("class", "right" if is_last else "left")
        if row.gap > 0:
            line[0].append(Element("mspace", {"width": "0", "height": "0", "depth": format_ems(row.gap + _DEPTH)}))
        if is_tagged:
            line.extend(Element("mtd") for _ in range(width - len(row.cells)))
            line.append(
                mathml.build_element("mtd", *([] if row.line.tag is None else [row.line.tag]), **{"class": "tag"})
            )
        table.append(line)
    return table


def _alignment_class(kind: Environment, columns: _Columns, column: int) -> str:
    if columns.aligned:
        return columns.aligned[column] if column < len(columns.aligned) else ""
    return kind.columns[column % len(kind.columns)] if kind.columns else ""


def _rule_classes(columns: _Columns, column: int, *, is_last: bool) -> list[str]:
    rules = columns.rules
    names = [f"{rules[column]}-before"] if column in rules else []
    if is_last and column + 1 in rules and column + 1 == len(columns.aligned):
        names.append(f"{rules[column + 1]}-behind")
    return names


def _misplaced_rule(parser: Parser, command: MathToken) -> mathml.Atom:
    raise parser.error(f"{command.value} must be at the beginning of a table row", command)


ENVIRONMENT_COMMANDS: dict[str, Command] = {
    "\\begin": _begin,
    "\\hline": _misplaced_rule,
    "\\hdashline": _misplaced_rule,
}
