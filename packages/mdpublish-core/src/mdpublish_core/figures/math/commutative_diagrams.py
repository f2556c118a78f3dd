"""The environment `CD`: rows of objects alternate with rows of vertical arrows."""

from xml.etree.ElementTree import Element

from mdpublish_core.figures.math.mathml_builder import (
    build_element,
    build_leaf,
    build_padded,
    build_row,
    build_space,
    wrap_row,
)
from mdpublish_core.figures.math.parser import SCRIPT, Parser
from mdpublish_core.figures.math.tokens import END, MathToken

_ACROSS = {">": "→", "<": "←", "=": "="}
_DOWN = {"V": "↓", "A": "↑", "|": "‖"}
_ENDS = frozenset({"@", "\\\\", "\\end"})


def parse_diagram(parser: Parser, command: MathToken) -> Element:
    table = Element("mtable", {"displaystyle": "true"})
    row = Element("mtr")
    # Rows of vertical arrows begin with an arrow.
    while True:
        cell = wrap_row(build_row(parser.parse_row(_ENDS)))
        token = parser.stream.take()
        is_empty = cell.tag == "mrow" and not len(cell)
        if not (is_empty and token.value == "@" and _is_down(parser)):
            row.append(build_element("mtd", cell))
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
        return build_element("mtd", **{"class": "arrow"})
    if sign in {"=", "|"}:
        mark = _ACROSS.get(sign) or _DOWN[sign]
        return build_element("mtd", build_leaf("mo", mark, stretchy="true"), **{"class": "arrow"})
    if sign not in _ACROSS and sign not in _DOWN:
        raise parser.error(
            f"unknown arrow @{sign.replace(END, '')}; allowed: @>>>, @<<<, @VVV, @AAA, @=, @| and @.", at
        )
    first, second = _label(parser, at, token.value), _label(parser, at, token.value)
    mark = (_ACROSS if sign in _ACROSS else _DOWN)[sign]
    return build_element("mtd", _labelled(mark, first, second, is_across=sign in _ACROSS), **{"class": "arrow"})


def _label(parser: Parser, at: MathToken, sign: str) -> Element | None:
    with parser.within(style=SCRIPT):
        atoms = parser.parse_row(frozenset({sign, "\\\\", "\\end"}))
    token = parser.stream.take()
    if token.value != sign:
        raise parser.error(f"an arrow @{sign} must be followed by two more {sign}", at)
    return wrap_row(build_row(atoms)) if atoms else None


def _labelled(mark: str, first: Element | None, second: Element | None, *, is_across: bool) -> Element:
    if is_across:
        arrow = build_leaf("mo", mark, stretchy="true", minsize="3em")
        # By itself, the arrow is short.
        above, below = (each if each is None else build_padded(each, "1em") for each in (first, second))
        over = build_space("3em") if above is None else above
        if below is None:
            return build_element("mover", arrow, over)
        return build_element("munderover", arrow, below, over)
    arrow = build_leaf("mo", mark, stretchy="true", minsize="1.8em", symmetric="true", lspace="0", rspace="0")
    before, after = (
        [] if each is None else [build_element("mstyle", each, scriptlevel="1", displaystyle="false")]
        for each in (first, second)
    )
    return build_element("mrow", *before, arrow, *after)
