"""Formulas as Unicode text, for plain text and screen readers.

The notation is common: x² + y² = 1, (a + b)/c, √(x + 1), ∑_(i=1)^n aᵢ. Aligned rows become lines, a matrix's rows are
separated by semicolons. Bold and italic letters become plain ones, which more fonts have.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from unicodedata import normalize
from xml.etree.ElementTree import Element

from mdpublish_core.figures.math import elements
from mdpublish_core.figures.math.elements import SCRIPTED
from mdpublish_core.figures.math.operators import (
    ACCENTS_OVER,
    ACCENTS_UNDER,
    BARS,
    BRACES_OVER,
    BRACES_UNDER,
    CLOSING_FENCES,
    LARGE_OPERATORS,
    OPENING_FENCES,
    POSTFIX_OPERATORS,
    PREFIX_OPERATORS,
    SEPARATORS,
    SUBSCRIPTS,
    SUPERSCRIPTS,
    is_infix,
    plain_characters,
)
from mdpublish_core.figures.math.unicode_spacing import (
    Fragment,
    Piece,
    Precedence,
    Role,
    join_pieces,
    parenthesize,
    strip_parentheses,
)

MAX_LEVELS = 160
"""Deeper content is flattened to its characters."""

# Maximum lengths of text with combining bars and strikes.
_MAX_MARKED = 4
_MAX_STRUCK = 12

_WIDEST_GAPLESS = 0.14
"""In em; TeX's thin space is 0.167."""

_DIFFERENTIAL = re.compile(r"[dδ∂]\w[²³ⁿ]?")
_PRIMES = "′″‴⁗"  # noqa: RUF001  (the field's signs)

_NOTHING: list[Piece] = []
_GAP = Piece(" ", Role.SPACE)


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


def _only_table(element: Element) -> Element | None:
    inner = elements.unwrap(element)
    return inner if inner.tag == "mtable" else None


def _line(pieces: Sequence[Piece]) -> str:
    return join_pieces(pieces, tight=False)[0].strip() if pieces else ""


def _pieces(element: Element, level: int, *, tight: bool = False) -> list[Piece]:
    """Convert an element; `tight` is true in scripts."""
    if level > MAX_LEVELS:
        return [Piece(_clean("".join(element.itertext())))]
    return _KINDS.get(element.tag, _row)(element, level + 1, tight)


def token_pieces(element: Element) -> list[Piece]:
    """Convert a token or a space."""
    return _pieces(element, 0)


def _fragment(element: Element, level: int, *, tight: bool = False) -> Fragment:
    return join_pieces(_pieces(element, level, tight=tight), tight=tight)


def _row(element: Element, level: int, tight: bool) -> list[Piece]:
    return [piece for child in element for piece in _pieces(child, level, tight=tight)]


def _unseen(element: Element, level: int, tight: bool) -> list[Piece]:
    del element, level, tight
    return _NOTHING


def _identifier(element: Element, level: int, tight: bool) -> list[Piece]:
    del level, tight
    content = _token(element)
    if not content:
        return _NOTHING
    if len(content) == 1 and not content.isalnum():
        return [_operator_piece(content, element.get("form"))]
    is_name = _is_word(content) and element.get("mathvariant") != "normal"
    return [Piece(content, Role.NAME if is_name else Role.TERM)]


def _number(element: Element, level: int, tight: bool) -> list[Piece]:
    del level, tight
    content = _token(element)
    return [Piece(content)] if content else _NOTHING


def _words(element: Element, level: int, tight: bool) -> list[Piece]:
    del level, tight
    content = re.sub(" +", " ", _clean(element.text or ""))
    if not content.strip():
        return [_GAP] if content else _NOTHING
    return [Piece(content, Role.LITERAL)]


def _space(element: Element, level: int, tight: bool) -> list[Piece]:
    del level, tight
    return [_GAP] if elements.parse_length(element.get("width", "0")) > _WIDEST_GAPLESS else _NOTHING


def _operator(element: Element, level: int, tight: bool) -> list[Piece]:
    del level, tight
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
    if content in BARS:
        return Piece(content, {"prefix": Role.OPEN, "postfix": Role.CLOSE}.get(form or "", Role.BAR))
    if content in OPENING_FENCES or content in CLOSING_FENCES:
        opens = form == "prefix" or (content in OPENING_FENCES and form != "postfix")
        return Piece(content, Role.OPEN if opens else Role.CLOSE)
    for signs, role in _ROLES:
        if content in signs:
            return Piece(_PRIMES[0] if content == "'" else content, role)
    if is_infix(content):
        return Piece(content, Role.LEAD if form == "prefix" else Role.JOIN)
    return Piece(content, Role.NAME if _is_word(content) else Role.TERM)


_ROLES = (
    (SEPARATORS, Role.SEPARATOR),
    (LARGE_OPERATORS, Role.BIG),
    (POSTFIX_OPERATORS, Role.FOLLOW),
    (PREFIX_OPERATORS, Role.LEAD),
)


def _fraction(element: Element, level: int, tight: bool) -> list[Piece]:
    over, under = (_fragment(each, level, tight=tight) for each in element)
    if elements.has_no_line(element):
        return [Piece(f"{over[0]} choose {under[0]}", Role.TABLE, Precedence.SUM)]
    above = parenthesize(over, Precedence.PRODUCT)
    below = under[0] if _DIFFERENTIAL.fullmatch(under[0]) else parenthesize(under, Precedence.ATOM)
    # An amount of a substance, or a unit, is one with what is next to it.
    precedence = Precedence.ATOM if element.get("class") == "amount" else Precedence.QUOTIENT
    return [Piece(f"{above or '( )'}/{below or '( )'}", Role.TERM, precedence)]


def _root(element: Element, level: int, tight: bool) -> list[Piece]:
    if element.tag == "mroot":
        degree = _fragment(element[1], level, tight=True)[0]
        body = _fragment(element[0], level, tight=tight)
    else:
        degree, body = "", join_pieces(_row(element, level, tight), tight=tight)
    sign = {"": "√", "2": "√", "3": "∛", "4": "∜"}.get(degree)
    if sign is None:
        raised = _in_small_characters(degree, SUPERSCRIPTS)
        sign = f"{raised}√" if raised is not None else f"({degree})√"
    return [Piece(f"{sign}{parenthesize(body, Precedence.ATOM)}")]


def _scripts(element: Element, level: int, tight: bool) -> list[Piece]:
    is_stacked = element.tag[1] in "uo"
    if is_stacked and elements.is_chemical(element[0], "reaction"):
        return [_reaction(element, level, tight)]
    if is_stacked and len(element) == 2:
        marked = _marked(element, level, tight)
        if marked is not None:
            return [marked]
    below, above = elements.scripts_of(element)
    base = _base(element[0], level, tight)
    lower, upper = _script(below, level), _script(above, level)
    return [_scripted(base, lower, upper, is_stacked=is_stacked)]


def _reaction(element: Element, level: int, tight: bool) -> Piece:
    """Write the labels of an arrow as mhchem does: `→[above][below]`."""
    below, above = (
        "" if each is None else _fragment(each, level, tight=tight)[0] for each in elements.scripts_of(element)
    )
    labels = f"[{above}][{below}]" if below else f"[{above}]" if above else ""
    return Piece(f"{_operator(element[0], level, tight)[0].content}{labels}", Role.JOIN)


def _base(element: Element, level: int, tight: bool) -> Piece:
    """Return the base of scripts as one piece, in parentheses if needed."""
    pieces = [each for each in _pieces(element, level, tight=tight) if each.role != Role.SPACE]
    if len(pieces) != 1:
        return Piece(parenthesize(join_pieces(pieces, tight=tight), Precedence.ATOM))
    piece = pieces[0]
    if piece.role == Role.TABLE:
        return Piece(f"({piece.content})")
    return (
        piece
        if piece.precedence == Precedence.ATOM
        else piece._replace(content=f"({piece.content})", precedence=Precedence.ATOM)
    )


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
    is_word = precedence == Precedence.ATOM and (content.isalpha() or content.isdecimal())
    return content if len(content) == 1 or is_word else f"({strip_parentheses(content)})"


def _multiscripts(element: Element, level: int, tight: bool) -> list[Piece]:
    base = _base(element[0], level, tight)
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


def _marked(element: Element, level: int, tight: bool) -> Piece | None:
    """Return a base with an accent, bar or brace; None if there is none."""
    sign = elements.operator_of(element[1])
    is_over = element.tag == "mover"
    marks, braces = (ACCENTS_OVER, BRACES_OVER) if is_over else (ACCENTS_UNDER, BRACES_UNDER)
    if sign in braces:
        return Piece(f"{sign}({strip_parentheses(_fragment(element[0], level, tight=tight)[0])})")
    mark = marks.get(sign)
    if mark is None:
        return None
    base = _base(element[0], level, tight)
    if base.role in {Role.JOIN, Role.BIG}:
        return None
    body = strip_parentheses(base.content)
    if len(body) == 1:
        return Piece(normalize("NFC", body + mark))
    line = _LINES.get(mark)
    if line is not None and len(body) <= _MAX_MARKED and body.isalnum():
        return Piece(_over_each(body, line))
    return Piece(f"{_NAMES[mark]}({body})")


# Combining lines that connect across letters, and names of marks over several letters.
_LINES = {"\u0304": "\u0305", "\u0305": "\u0305", "\u0332": "\u0332"}
_NAMES = {
    "\u0302": "hat", "\u0303": "tilde", "\u0304": "overline", "\u0305": "overline", "\u0306": "breve",
    "\u0307": "dot", "\u0308": "ddot", "\u030a": "ring", "\u030b": "acute", "\u030c": "check", "\u0300": "grave",
    "\u0301": "acute", "\u20d7": "vec", "\u20d1": "vec", "\u20d6": "overleftarrow", "\u20d0": "overleftarrow",
    "\u20e1": "overleftrightarrow", "\u20db": "dddot", "\u20dc": "ddddot", "\u0332": "underline",
    "\u0330": "undertilde", "\u20ef": "underrightarrow", "\u20ee": "underleftarrow",
}  # fmt: skip


def _enclosed(element: Element, level: int, tight: bool) -> list[Piece]:
    pieces = _row(element, level, tight)
    notation = element.get("notation", "")
    content, precedence = join_pieces(pieces, tight=tight)
    if not content:
        return pieces
    if notation == "box":
        return [Piece(f"[{content}]")]
    if "strike" in notation:
        struck = _over_each(content, "\u0336") if len(content) <= _MAX_STRUCK else content
        return [Piece(struck, Role.TERM, precedence)]
    whole = parenthesize((content, precedence), Precedence.ATOM)
    return [Piece(f"∠{whole}" if notation == "phasorangle" else f"{whole}⌉")]


def _over_each(content: str, mark: str) -> str:
    return "".join([each if each == " " else each + mark for each in content])


def _table(element: Element, level: int, tight: bool) -> list[Piece]:
    """Convert a nested table: semicolons between rows, spaces or commas between cells."""
    rows = [join_pieces(pieces, tight=tight)[0] for pieces in _rows(element, level, tight=tight)]
    shown = [row for row in rows if row]
    if not shown:
        return _NOTHING
    is_whole = len(shown) == 1 and " " not in shown[0]
    return [Piece("; ".join(shown), Role.TABLE, Precedence.ATOM if is_whole else Precedence.SUM)]


def _rows(table: Element, level: int, *, tight: bool = False) -> list[list[Piece]]:
    """Return the pieces of each row, with the equation number last."""
    is_aligned = elements.is_aligned(table)
    rows = []
    for row in table:
        contents = [_pieces(cell, level, tight=tight) for cell in elements.row_cells(row)]
        if is_aligned:
            pieces = [piece for content in contents for piece in content]
        else:
            is_diagram = any(cell.get("class") == "arrow" for cell in row)
            pieces = _cells([join_pieces(content, tight=tight)[0] for content in contents], is_diagram=is_diagram)
        for label in elements.row_labels(row):
            number = _pieces(label, level, tight=tight)
            pieces += [Piece("  ", Role.LITERAL), *number] if number else []
        rows.append(pieces)
    return rows


def _cells(cells: Iterable[str], *, is_diagram: bool) -> list[Piece]:
    shown = [cell for cell in cells if cell]
    if not shown:
        return []
    gap = ", " if any(" " in cell for cell in shown) and not is_diagram else " "
    parts = [cell + (" " if cell[-1] in ",;" else gap) for cell in shown[:-1]]
    return [Piece("".join((*parts, shown[-1])), Role.LITERAL)]


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
    return content if content.isascii() else content.translate(plain_characters())


_KINDS: dict[str, Callable[[Element, int, bool], list[Piece]]] = {
    **dict.fromkeys(SCRIPTED, _scripts),
    "mphantom": _unseen,
    "mi": _identifier,
    "mn": _number,
    "mo": _operator,
    "mtext": _words,
    "mspace": _space,
    "mfrac": _fraction,
    "msqrt": _root,
    "mroot": _root,
    "mmultiscripts": _multiscripts,
    "menclose": _enclosed,
    "mtable": _table,
}
