"""Formulas as Unicode text, for plain text and screen readers.

The notation is common: x² + y² = 1, (a + b)/c, √(x + 1), ∑_(i=1)^n aᵢ. Aligned rows become lines. Two spaces, which
separate nothing else, are between the cells of a matrix and after the semicolon that ends a row. A text can be read in
one way only, as `tests/properties/test_text_forms.py` does. Italic and other letters become plain.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from unicodedata import combining, normalize
from xml.etree.ElementTree import Element

from mdpublish_core.figures.math import elements, operators
from mdpublish_core.figures.math.elements import SCRIPTED
from mdpublish_core.figures.math.symbols import signs
from mdpublish_core.figures.math.unicode_spacing import (
    NEXT_ROW,
    OVER,
    Fragment,
    Piece,
    Precedence,
    Role,
    join_pieces,
    parenthesize,
    strip_parentheses,
)
from mdpublish_core.strings.small_characters import SUBSCRIPTS, SUPERSCRIPTS

MAX_LEVELS = 160
"""Deeper content is flattened to its characters."""

_MAX_STRUCK = 12
"""Maximum length of text with combining strikes."""

_WIDEST_GAPLESS = 0.14
"""Width in em up to which a space is left out; TeX's thin space is 0.167."""

_NARROWEST_QUAD = 0.9
"""In em."""

_DIFFERENTIAL = re.compile(r"[dδ∂]\w[²³ⁿ]?")
_PRIMES = "′″‴⁗"

_NOTHING: list[Piece] = []
_GAP = Piece(" ", Role.SPACE)
_WIDE_GAP = Piece("  ", Role.SPACE)
_BLANK_CELL = "_"
_ROW_RULE = Piece("---", Role.LITERAL)


def render_unicode(root: Element) -> str:
    """Separate lines by line feeds; empty if nothing is visible."""
    body, number = root, ""
    table = _only_table(root)
    if table is not None and table.get("class") == "tagged" and len(table) == 1 and len(table[0]) == 2:
        # One number for all lines.
        body = table[0][0]
        number = _line(_pieces(table[0][1], 0))
        table = _only_table(body)
    rows = [_pieces(body, 0)] if table is None else _rows(table, 1)
    lines = [line for line in map(_line, rows) if line]
    if number:
        lines[-1:] = ["  ".join((*lines[-1:], number))]
    return "\n".join(lines)


def join_lines(lines: str) -> str:
    first, *others = lines.split("\n")
    parts = [first]
    for line in others:
        continues = operators.is_infix(line[0]) and (line[0] not in operators.PLUS_MINUS_SIGNS or line[1:2] == " ")
        parts += [" " if continues or parts[-1][-1:] in {",", ";"} else "; ", line]
    return "".join(parts)


def spread_rows(line: str) -> str:
    """Begin a line at each row of the tables in brackets, with aligned cells; several tables stand side by side."""
    if NEXT_ROW not in line:
        return line
    ends: dict[int, int] = {}
    opened = [-1]
    tables: set[int] = set()
    for position, each in enumerate(line):
        if each in operators.OPENING_FENCES:
            opened.append(position)
        elif each in operators.CLOSING_FENCES and len(opened) > 1:
            ends[opened.pop()] = position
        elif line.startswith(NEXT_ROW, position):
            tables.add(opened[-1])
    if any(start not in ends or line[start - 1 : start] in {"_", "^"} for start in tables):
        return line
    places = sorted((start, ends[start]) for start in tables)
    contents = [[row.split("  ") for row in line[start + 1 : end].split(NEXT_ROW)] for start, end in places]
    if any(cell.count("(") != cell.count(")") for rows in contents for row in rows for cell in row):
        return line  # a table in the table
    if len(places) == 1:
        (start, end), rows = places[0], _in_columns(contents[0])
        before = line[: start + 1]
        return before + f";\n{' ' * _width(before)}".join(map(str.rstrip, rows)) + line[end:]
    is_tall = [line[start] in _TALL_BRACKETS and line[end] in _TALL_BRACKETS for start, end in places]
    return _side_by_side(line, places, contents) if all(is_tall) and len(set(map(len, contents))) == 1 else line


def _in_columns(rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [0] * max(map(len, rows))
    for row in rows:
        widths[: len(row)] = map(max, widths, map(_width, row))
    return ["  ".join(map(_padded, [*row, *[""] * (len(widths) - len(row))], widths)) for row in rows]


_TALL_BRACKETS = {"(": "⎛⎜⎝", ")": "⎞⎟⎠", "[": "⎡⎢⎣", "]": "⎤⎥⎦"}
"""Upper end, middle and lower end."""


def _side_by_side(line: str, places: Sequence[tuple[int, int]], contents: Sequence[Sequence[Sequence[str]]]) -> str:
    """Return lines with a row of each table; what is between tables stands beside their middle."""
    number, done = len(contents[0]), 0
    lines = [""] * number
    for (start, end), rows in zip(places, map(_in_columns, contents), strict=True):
        between = line[done:start]
        for index, row in enumerate(rows):
            part = 0 if not index else 2 if index == number - 1 else 1
            beside = between if index == (number - 1) // 2 else " " * _width(between)
            lines[index] += f"{beside}{_TALL_BRACKETS[line[start]][part]}{row}{_TALL_BRACKETS[line[end]][part]}"
        done = end + 1
    lines[(number - 1) // 2] += line[done:]
    return "\n".join(lines)


def _padded(cell: str, width: int) -> str:
    return cell + " " * (width - _width(cell))


def _width(content: str) -> int:
    return sum(not combining(each) for each in content)


def _only_table(element: Element) -> Element | None:
    inner = elements.unwrap(element)
    return inner if inner.tag == "mtable" else None


def _line(pieces: Sequence[Piece]) -> str:
    return join_pieces(pieces, tight=False)[0].strip() if pieces else ""


def _pieces(element: Element, level: int, *, tight: bool = False) -> list[Piece]:
    """Convert an element; `tight` is true in scripts."""
    if level > MAX_LEVELS:
        return [Piece(_clean("".join(element.itertext())))]
    if token := _TOKENS.get(element.tag):
        return token(element)
    return _KINDS.get(element.tag, _row)(element, level + 1, tight)


def token_pieces(element: Element) -> list[Piece]:
    """Convert a token or a space."""
    return _pieces(element, 0)


def _fragment(element: Element, level: int, *, tight: bool = False) -> Fragment:
    return join_pieces(_pieces(element, level, tight=tight), tight=tight)


def _row(element: Element, level: int, tight: bool) -> list[Piece]:
    return [piece for child in element for piece in _pieces(child, level, tight=tight)]


def _identifier(element: Element) -> list[Piece]:
    content = _token(element)
    if not content:
        return _NOTHING
    if len(content) == 1 and not content.isalnum():
        return [_operator_piece(content, element.get("form"))]
    is_name = _is_word(content) and element.get("mathvariant") != "normal"
    return [Piece(content, Role.NAME if is_name else Role.TERM)]


def _number(element: Element) -> list[Piece]:
    content = _token(element)
    return [Piece(content)] if content else _NOTHING


def _words(element: Element) -> list[Piece]:
    content = re.sub(" +", " ", _clean(element.text or ""))
    if not content.strip():
        return [_GAP] if content else _NOTHING
    return [Piece(content, Role.LITERAL)]


def _space(element: Element) -> list[Piece]:
    width = elements.parse_length(element.get("width", "0"))
    return [_WIDE_GAP] if width > _NARROWEST_QUAD else [_GAP] if width > _WIDEST_GAPLESS else _NOTHING


def _operator(element: Element) -> list[Piece]:
    content = _token(element)
    if elements.is_chemical(element, "bond"):
        return [Piece(content, Role.LITERAL)]
    if elements.is_chemical(element, "phase"):
        return [Piece(f" {content}", Role.LITERAL)]
    if elements.is_chemical(element, "reaction"):
        content = _SHORT_ARROWS.get(content, content)
    return [_operator_piece(content, element.get("form"))] if content else _NOTHING


_SHORT_ARROWS = {"⟶": "→", "⟵": "←", "⟷": "↔"}


def _operator_piece(content: str, form: str | None) -> Piece:
    """Classify an operator without context."""
    if content in operators.BARS:
        return Piece(content, {"prefix": Role.OPEN, "postfix": Role.CLOSE}.get(form or "", Role.BAR))
    if content in operators.OPENING_FENCES or content in operators.CLOSING_FENCES:
        opens = form == "prefix" or (content in operators.OPENING_FENCES and form != "postfix")
        return Piece(content, Role.OPEN if opens else Role.CLOSE)
    for characters, role in _ROLES:
        if content in characters:
            return Piece(_PRIMES[0] if content == "'" else content, role)
    if operators.is_infix(content):
        return Piece(content, Role.LEAD if form == "prefix" else Role.JOIN)
    return Piece(content, Role.NAME if _is_word(content) else Role.TERM)


_ROLES = (
    (operators.SEPARATORS, Role.SEPARATOR),
    (operators.LARGE_OPERATORS, Role.BIG),
    (operators.POSTFIX_OPERATORS, Role.FOLLOW),
    (operators.PREFIX_OPERATORS, Role.LEAD),
)


def _fraction(element: Element, level: int, tight: bool) -> list[Piece]:
    over, under = (_fragment(each, level, tight=tight) for each in element)
    if elements.has_no_line(element):
        return [Piece(f"{over[0]}{OVER}{under[0]}", Role.TABLE, Precedence.SUM)]
    above = parenthesize(over, Precedence.PRODUCT)
    below = under[0] if _DIFFERENTIAL.fullmatch(under[0]) else parenthesize(under, Precedence.ATOM)
    # An amount of a substance, or a unit, is one with what is next to it.
    precedence = Precedence.ATOM if element.get("class") == "amount" else Precedence.QUOTIENT
    return [Piece(f"{above or '( )'}/{below or '( )'}", Role.TERM, precedence)]


def _root(element: Element, level: int, tight: bool) -> list[Piece]:
    inside, degree = list(element), None
    if element.tag == "mroot":
        inside, degree = inside[:1], _script(element[1], level)
    content = join_pieces([piece for child in inside for piece in _pieces(child, level, tight=tight)], tight=tight)[0]
    is_atom = len(content) == 1 or (len(inside) == 1 and elements.unwrap(inside[0]).tag == "mn")
    sign = _ROOTS.get(degree[0] if degree else "") or f"{_scripted(Piece(''), None, degree).content}√"
    return [Piece(f"{sign}{content if is_atom else f'({strip_parentheses(content)})'}", is_open=is_atom)]


_ROOTS = {"": "√", "2": "√", "3": "∛", "4": "∜"}


def _scripts(element: Element, level: int, tight: bool) -> list[Piece]:
    is_stacked = element.tag[1] in "uo"
    if is_stacked and elements.is_chemical(element[0], "reaction"):
        return [_reaction(element, level, tight)]
    pieces = _pieces(element[0], level, tight=tight)
    if is_stacked and len(element) == 2:
        marked = _marked(element, pieces, tight)
        if marked is not None:
            return [marked]
    below, above = elements.scripts_of(element)
    base = _base(element[0], pieces, tight, continued=_CONTINUED.get(element.tag, ()))
    lower, upper = _script(below, level), _script(above, level)
    is_term = base.role == Role.TERM or (base.role == Role.NAME and base.content.endswith(")"))
    brace = _brace_of(elements.unwrap(element[0]))
    if is_stacked and brace and (above if brace.startswith("under") else below) is None:
        label = (lower or upper or ("",))[0]
        return [base._replace(content=f"{base.content[:-1]},  {label})")] if label else [base]
    if is_stacked and is_term:
        return [_stacked(join_pieces(pieces, tight=tight)[0], lower, upper)]
    return [_scripted(base, lower, upper, is_stacked=is_stacked)]


def _stacked(base: str, lower: Fragment | None, upper: Fragment | None) -> Piece:
    """Name what is over and under a term, where scripts would read as powers and indices."""
    for name, script in (("underset", lower), ("overset", upper)):
        if script is not None:
            base = f"{name}({script[0]},  {base})"
    return Piece(base, Role.NAME)


def _reaction(element: Element, level: int, tight: bool) -> Piece:
    """Write the labels of an arrow as mhchem does: `→[above][below]`."""
    below, above = (
        "" if each is None else _fragment(each, level, tight=tight)[0] for each in elements.scripts_of(element)
    )
    labels = f"[{above}][{below}]" if below else f"[{above}]" if above else ""
    return Piece(f"{_operator(element[0])[0].content}{labels}", Role.JOIN)


def _base(element: Element, pieces: Sequence[Piece], tight: bool, *, continued: Sequence[str] = ()) -> Piece:
    """Return the base of scripts as one piece, in parentheses if needed; `continued` tags may have further scripts."""
    shown = [each for each in pieces if each.role != Role.SPACE]
    if len(shown) != 1:
        return Piece(parenthesize(join_pieces(shown, tight=tight), Precedence.ATOM))
    piece = shown[0]
    if piece.role == Role.TABLE:
        return Piece(join_pieces(shown, tight=False)[0])
    inner = elements.unwrap(element)
    is_ended = inner.tag not in _UNENDED or (len(inner) > 1 and inner[1].tag == "mprescripts")
    is_whole = piece.precedence == Precedence.ATOM and (is_ended or inner.tag in continued)
    return piece if is_whole else piece._replace(content=f"({piece.content})", precedence=Precedence.ATOM)


# A script after them would belong to their last one, or to what is below the root.
_UNENDED = frozenset({"msub", "msup", "msubsup", "mmultiscripts", "msqrt", "mroot"})

# An index is written before an exponent.
_CONTINUED = {"msup": ("msub",), "msub": ("msup", "msubsup")}


def _script(element: Element | None, level: int) -> Fragment | None:
    if element is None:
        return None
    fragment = _fragment(element, level, tight=True)
    return fragment if fragment[0].strip() else None


def _scripted(base: Piece, lower: Fragment | None, upper: Fragment | None, *, is_stacked: bool = False) -> Piece:
    """Attach scripts, in Unicode if possible; for limits, only single characters."""
    primes = ""
    if upper is not None:
        rest = upper[0].lstrip(_PRIMES)
        primes = upper[0][: len(upper[0]) - len(rest)]
        upper = (rest, upper[1]) if rest else None
    below = None if lower is None else _in_small_characters(lower[0], SUBSCRIPTS)
    above = None if upper is None else _in_small_characters(upper[0], SUPERSCRIPTS)
    if base.role == Role.BIG or is_stacked:
        shown = [(each[0], small) for each, small in ((lower, below), (upper, above)) if each is not None]
        if not all(small is not None and len(content) == 1 for content, small in shown):
            below = above = None
    ends = []
    if lower is not None:
        ends.append(f"_{_argument(lower)}" if below is None else below)
    if upper is not None:
        ends.append(f"^{_argument(upper)}" if above is None else above)
    is_open = bool(ends) and ends[-1][0] in "_^"
    is_limit = base.role == Role.NAME and (is_stacked or base.content in _LIMIT_FUNCTIONS)
    return Piece(
        f"{base.content}{primes}{''.join(ends)}", Role.BIG if is_limit else base.role, Precedence.ATOM, is_open=is_open
    )


_LIMIT_FUNCTIONS = frozenset(
    {"lim", "max", "min", "sup", "inf", "lim sup", "lim inf", "limsup", "liminf", "argmax", "argmin"}
)


def _argument(script: Fragment) -> str:
    """Add parentheses, except around one character, word or number."""
    content, precedence = script
    is_word = precedence == Precedence.ATOM and content.isascii() and content.isalnum()
    return content if len(content) == 1 or is_word else f"({content})"


def _multiscripts(element: Element, level: int, tight: bool) -> list[Piece]:
    base = _base(element[0], _pieces(element[0], level, tight=tight), tight)
    after, before = (
        [tuple(_script(each, level) for each in (*pair, None)[:2]) for pair in side]
        for side in elements.multiscripts_of(element)
    )
    for lower, upper in after:
        base = _scripted(base, lower, upper)
    written = "".join(
        _scripted(Piece(""), None, upper).content + _scripted(Piece(""), lower, None).content for lower, upper in before
    )
    return [base._replace(content=written + base.content)]


def _marked(element: Element, pieces: Sequence[Piece], tight: bool) -> Piece | None:
    """Return a base with an accent, bar or brace; None if there is none."""
    if brace := _brace_of(element):
        return Piece(f"{brace}({join_pieces(pieces, tight=tight)[0]})", Role.NAME)
    mark = (operators.ACCENTS_OVER if element.tag == "mover" else operators.ACCENTS_UNDER).get(
        elements.operator_of(element[1])
    )
    if mark is None:
        return None
    base = _base(element[0], pieces, tight)
    if base.role in {Role.JOIN, Role.BIG}:
        return None
    if len(base.content) == 1:
        return Piece(normalize("NFC", base.content + mark))
    return Piece(f"{_NAMES[mark]}({join_pieces(pieces, tight=tight)[0]})", Role.NAME)


def _brace_of(element: Element) -> str:
    """Return the name of a brace over or under an element; empty if there is none."""
    if element.tag not in {"mover", "munder"}:
        return ""
    return (operators.BRACES_OVER if element.tag == "mover" else operators.BRACES_UNDER).get(
        elements.operator_of(element[1]), ""
    )


# Lines over each letter would read as one over each.
_NAMES = signs("name of a mark")


def _enclosed(element: Element, level: int, tight: bool) -> list[Piece]:
    pieces = _row(element, level, tight)
    notation = element.get("notation", "")
    content, precedence = join_pieces(pieces, tight=tight)
    if not content:
        return pieces
    if notation == "box":
        return [Piece(f"▭({content})")]
    if "strike" in notation:
        if len(content) > _MAX_STRUCK:
            return [Piece(f"cancel({content})", Role.NAME)]
        return [Piece("".join([each if each == " " else f"{each}\u0336" for each in content]), Role.TERM, precedence)]
    whole = parenthesize((content, precedence), Precedence.ATOM)
    return [Piece(f"∠{whole}" if notation == "phasorangle" else f"{whole}⌉")]


def _table(element: Element, level: int, tight: bool) -> list[Piece]:
    """Convert a nested table."""
    rows = [row for row in _rows(element, level, tight=tight) if row]
    if len(rows) == 1 and elements.is_aligned(element):
        return rows[0]
    shown = [join_pieces(row, tight=tight)[0].strip() for row in rows]
    if not shown:
        return _NOTHING
    is_whole = len(shown) == 1 and " " not in shown[0]
    return [Piece(NEXT_ROW.join(shown), Role.TABLE, Precedence.ATOM if is_whole else Precedence.SUM)]


def _rows(table: Element, level: int, *, tight: bool = False) -> list[list[Piece]]:
    """Return the pieces of each row, with the equation number last."""
    is_aligned = elements.is_aligned(table)
    names = elements.class_names(table)
    rows: list[list[Piece]] = []
    for row in table:
        contents = [_pieces(cell, level, tight=tight) for cell in elements.row_cells(row)]
        if is_aligned:
            pieces = list(_aligned(contents, has_gaps="apart" in names))
        else:
            is_diagram = any(cell.get("class") == "arrow" for cell in row)
            cells = [join_pieces(content, tight=tight)[0].strip() for content in contents]
            has_bars = [bool(number) and "-before" in cell.get("class", "") for number, cell in enumerate(row)]
            pieces = _cells(cells, has_bars, gap=",  " if "cases" in names else "  ", is_diagram=is_diagram)
            if rows and pieces and "-above" in row[0].get("class", ""):
                rows.append([_ROW_RULE])
        for label in elements.row_labels(row):
            number = _pieces(label, level, tight=tight)
            pieces += [Piece("  ", Role.LITERAL), *number] if number else []
        rows.append(pieces)
    return rows


def _aligned(contents: Sequence[list[Piece]], *, has_gaps: bool) -> Iterator[Piece]:
    """Yield the pieces of a line, with gaps between its formulas of two cells."""
    last = ""
    for column, content in enumerate(contents):
        if content:
            if not column:
                yield from content
            elif last:
                yield from (_gap_after(last, ",  "), *content) if has_gaps and column % 2 == 0 else content
            else:
                yield from (Piece(""), *_continued(content))
            last = content[-1].content or " "


def _continued(pieces: Sequence[Piece]) -> Iterator[Piece]:
    """Yield the pieces of a line that continues the one before: a sign at its start stands between terms."""
    is_start = True
    for piece in pieces:
        is_sign = is_start and piece.role == Role.LEAD and piece.content in operators.PLUS_MINUS_SIGNS
        yield piece._replace(role=Role.JOIN) if is_sign else piece
        is_start = is_start and piece.role == Role.SPACE


def _cells(cells: list[str], has_bars: list[bool], *, gap: str, is_diagram: bool) -> list[Piece]:
    """Keep blank cells that others follow, but those of diagrams."""
    while cells and not cells[-1]:
        cells.pop()
    content = ""
    for cell, has_bar in zip(cells, has_bars, strict=False):
        if cell or not is_diagram:
            before = _gap_after(content, gap).content if content else ""
            content += f"{'  |  ' if has_bar else before}{cell or _BLANK_CELL}"
    return [Piece(content, Role.LITERAL)] if content else []


def _gap_after(content: str, gap: str) -> Piece:
    return Piece("  " if content[-1:] in {",", ";"} else gap, Role.LITERAL)


def _is_word(content: str) -> bool:
    return len(content) > 1 and content.replace(" ", "").isalpha()


def _in_small_characters(content: str, twins: dict[str, str]) -> str | None:
    """Return superscript or subscript characters; None if Unicode lacks one."""
    small = [twins.get(each, "") for each in content]
    return "".join(small) if all(small) else None


def _token(element: Element) -> str:
    return _unstyled(elements.token_string(element))


def _clean(content: str) -> str:
    return _unstyled(elements.clean_string(content))


def _unstyled(content: str) -> str:
    return content if content.isascii() else content.translate(operators.text_characters())


_TOKENS: dict[str, Callable[[Element], list[Piece]]] = {
    "mphantom": lambda _: _NOTHING,
    "mi": _identifier,
    "mn": _number,
    "mo": _operator,
    "mtext": _words,
    "mspace": _space,
}

_KINDS: dict[str, Callable[[Element, int, bool], list[Piece]]] = {
    **dict.fromkeys(SCRIPTED, _scripts),
    "mfrac": _fraction,
    "msqrt": _root,
    "mroot": _root,
    "mmultiscripts": _multiscripts,
    "menclose": _enclosed,
    "mtable": _table,
}
