"""A formula as a line of Unicode, for plain text, for messages, and for readers that speak.

It reads as mathematicians type: x² + y² = 1, (a + b)/c, √(x + 1), ∑_(i=1)^n aᵢ. Rows of what is aligned become lines,
rows of a matrix stand in its brackets with a semicolon between them. Letters lose what only styles them (bold, italic),
since few fonts have those; what a formula shows otherwise is all there.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from unicodedata import normalize
from xml.etree.ElementTree import Element

from mdpublish_core.figures.math import elements
from mdpublish_core.figures.math.elements import SCRIPTED, UNSHOWN
from mdpublish_core.figures.math.pieces import Hold, Line, Piece, Role, held, joined, unwrapped
from mdpublish_core.figures.math.signs import (
    BARS,
    BIG,
    BRACES_OVER,
    BRACES_UNDER,
    CLOSING,
    FOLLOWING,
    LEADING,
    LOWERED,
    OPENING,
    OVER,
    RAISED,
    SEPARATING,
    UNDER,
    joins,
    plain_letters,
)

MOST_LEVELS = 160
"""Elements in one another; what is deeper is shown as its characters alone."""

# Marks over or through more characters than these are told otherwise.
_MOST_MARKED = 4
_MOST_STRUCK = 12

_WIDEST_GAPLESS = 0.14
"""A space of at most so many em separates no words; the thin space of TeX is 0.167 em."""

_DIFFERENTIAL = re.compile(r"[dδ∂]\w[²³ⁿ]?")
_PRIMES = "′″‴⁗"  # noqa: RUF001  (the field's signs)

_NOTHING: list[Piece] = []
_GAP = Piece(" ", Role.SPACE)


def formula_text(root: Element) -> str:
    """Return a formula as text; lines are ended by a line feed, and a formula that shows nothing is empty."""
    body, number = root, ""
    table = _only_table(root)
    if table is not None and table.get("class") == "tagged" and len(table) == 1 and len(table[0]) == 2:
        # What has one number for all of it may have lines of its own.
        body = table[0][0]
        number = _line(_pieces(table[0][1], 0))
        table = _only_table(body)
    rows = [_pieces(body, 0)] if table is None else _rows(table, 1)
    lines = [line for line in map(_line, rows) if line]
    if number:
        lines[-1:] = ["  ".join((*lines[-1:], number))]
    return "\n".join(lines)


def _only_table(element: Element) -> Element | None:
    """Return the table that is all of a formula."""
    while element.tag in elements.ROWS and len(element):
        shown = [each for each in element if each.tag not in UNSHOWN]
        if len(shown) != 1:
            return None
        element = shown[0]
    return element if element.tag == "mtable" and elements.is_table(element) else None


def _line(pieces: Sequence[Piece]) -> str:
    return joined(pieces, tight=False)[0].strip() if pieces else ""


# --- Elements ---


def _pieces(element: Element, level: int, *, tight: bool = False) -> list[Piece]:
    """Return what an element is in a row; `tight` is within a script."""
    if level > MOST_LEVELS:
        return [Piece(_clean("".join(element.itertext())))]
    kind = _KINDS.get(element.tag, _row)
    if elements.has_stray_text(element) and kind is not _unseen:
        kind = _row
    return kind(element, level + 1, tight)


def _text(element: Element, level: int, *, tight: bool = False) -> Line:
    """Return an element as text."""
    return joined(_pieces(element, level, tight=tight), tight=tight)


def _row(element: Element, level: int, tight: bool) -> list[Piece]:
    text = element.text
    found = [Piece(_clean(text), Role.TEXT)] if text and not text.isspace() else []
    for child in element:
        found += _pieces(child, level, tight=tight)
        if child.tail and not child.tail.isspace():
            found.append(Piece(_clean(child.tail), Role.TEXT))
    return found


def _semantics(element: Element, level: int, tight: bool) -> list[Piece]:
    return _pieces(element[0], level, tight=tight) if len(element) else _NOTHING


def _unseen(element: Element, level: int, tight: bool) -> list[Piece]:
    del element, level, tight
    return _NOTHING


def _identifier(element: Element, level: int, tight: bool) -> list[Piece]:
    del level, tight
    text = _token(element)
    if not text:
        return _NOTHING
    if len(text) == 1 and not text.isalnum():
        return [_sign(text, element.get("form"))]
    return [Piece(text, Role.NAME if _is_word(text) else Role.TERM)]


def _number(element: Element, level: int, tight: bool) -> list[Piece]:
    del level, tight
    text = _token(element)
    return [Piece(text)] if text else _NOTHING


def _words(element: Element, level: int, tight: bool) -> list[Piece]:
    """Return text as it is written, with the spaces at its ends."""
    if len(element):
        return _row(element, level, tight)
    text = re.sub(" +", " ", _clean(element.text or ""))
    if not text.strip():
        return [_GAP] if text else _NOTHING
    return [Piece(f'"{text}"' if element.tag == "ms" else text, Role.TEXT)]


def _space(element: Element, level: int, tight: bool) -> list[Piece]:
    del level, tight
    if element.get("linebreak") == "newline":
        return [Piece("; ", Role.TEXT)]
    return [_GAP] if elements.length(element.get("width", "0")) > _WIDEST_GAPLESS else _NOTHING


def _operator(element: Element, level: int, tight: bool) -> list[Piece]:
    if len(element):
        return _row(element, level, tight)
    text = _token(element)
    return [_sign(text, element.get("form"))] if text else _NOTHING


def _sign(text: str, form: str | None) -> Piece:
    """Return an operator, as what it is by itself; its row may know better."""
    if text in BARS:
        return Piece(text, {"prefix": Role.OPEN, "postfix": Role.CLOSE}.get(form or "", Role.BAR))
    if text in OPENING or text in CLOSING:
        opens = form == "prefix" or (text in OPENING and form != "postfix")
        return Piece(text, Role.OPEN if opens else Role.CLOSE)
    for signs, role in _ROLES:
        if text in signs:
            return Piece(_PRIMES[0] if text == "'" else text, role)
    if joins(text):
        return Piece(text, Role.LEAD if form == "prefix" else Role.JOIN)
    return Piece(text, Role.NAME if _is_word(text) else Role.TERM)


_ROLES = ((SEPARATING, Role.SEPARATOR), (BIG, Role.BIG), (FOLLOWING, Role.FOLLOW), (LEADING, Role.LEAD))


def _fraction(element: Element, level: int, tight: bool) -> list[Piece]:
    if len(element) != 2:
        return _row(element, level, tight)
    over, under = (_text(each, level, tight=tight) for each in element)
    if elements.has_no_line(element):
        return [Piece(f"{over[0]} choose {under[0]}", Role.TABLE, Hold.SUM)]
    above = held(over, Hold.PRODUCT)
    below = under[0] if _DIFFERENTIAL.fullmatch(under[0]) else held(under, Hold.WHOLE)
    return [Piece(f"{above or '( )'}/{below or '( )'}", Role.TERM, Hold.QUOTIENT)]


def _root(element: Element, level: int, tight: bool) -> list[Piece]:
    if element.tag == "mroot" and len(element) == 2:
        degree = _text(element[1], level, tight=True)[0]
        body = _text(element[0], level, tight=tight)
    else:
        degree, body = "", joined(_row(element, level, tight), tight=tight)
    sign = {"": "√", "2": "√", "3": "∛", "4": "∜"}.get(degree)
    if sign is None:
        raised = _small(degree, RAISED)
        sign = f"{raised}√" if raised is not None else f"({degree})√"
    return [Piece(f"{sign}{held(body, Hold.WHOLE)}")]


def _scripts(element: Element, level: int, tight: bool) -> list[Piece]:
    """Return a base with what stands at it: scripts, an accent, a brace, bounds, or whatever else."""
    if len(element) != SCRIPTED[element.tag]:
        return _row(element, level, tight)
    is_stacked = element.tag[1] in "uo"
    if is_stacked and len(element) == 2:
        marked = _marked(element, level, tight)
        if marked is not None:
            return [marked]
    below, above = elements.scripts(element)
    base = _base(element[0], level, tight)
    lower, upper = _script(below, level), _script(above, level)
    return [_scripted(base, lower, upper, is_stacked=is_stacked)]


def _base(element: Element, level: int, tight: bool) -> Piece:
    """Return what scripts stand at, as one piece that holds together."""
    found = [each for each in _pieces(element, level, tight=tight) if each.role != Role.SPACE]
    if len(found) != 1:
        return Piece(held(joined(found, tight=tight), Hold.WHOLE))
    piece = found[0]
    if piece.role == Role.TABLE:
        return Piece(f"({piece.text})")
    return piece if piece.hold == Hold.WHOLE else piece._replace(text=f"({piece.text})", hold=Hold.WHOLE)


def _script(element: Element | None, level: int) -> Line | None:
    if element is None:
        return None
    found = _text(element, level, tight=True)
    return found if found[0].strip() else None


def _scripted(base: Piece, lower: Line | None, upper: Line | None, *, is_stacked: bool = False) -> Piece:
    """Return a piece with its scripts: Unicode's where it has them, and for bounds only where they are short."""
    primes = ""
    if upper is not None:
        rest = upper[0].lstrip(_PRIMES)
        primes = upper[0][: len(upper[0]) - len(rest)]
        upper = (rest, upper[1]) if rest else None
    below = None if lower is None else _small(lower[0], LOWERED)
    above = None if upper is None else _small(upper[0], RAISED)
    if base.role == Role.BIG or is_stacked:
        shown = [(each[0], small) for each, small in ((lower, below), (upper, above)) if each is not None]
        if not all(small is not None and len(text) == 1 for text, small in shown):
            below = above = None
    ends = []
    if lower is not None:
        ends.append(f"_{_argument(lower)}" if below is None else below)
    if upper is not None:
        ends.append(f"^{_argument(upper)}" if above is None else above)
    is_open = bool(ends) and ends[-1][0] in "_^"
    is_limit = base.role == Role.NAME and (is_stacked or base.text in _LIMITED)
    return Piece(
        f"{base.text}{primes}{''.join(ends)}", Role.BIG if is_limit else base.role, Hold.WHOLE, is_open=is_open
    )


# Functions that are taken over what stands below them.
_LIMITED = frozenset({"lim", "max", "min", "sup", "inf", "lim sup", "lim inf", "limsup", "liminf", "argmax", "argmin"})


def _argument(script: Line) -> str:
    """Return a script that Unicode has no characters for, in parentheses if it is more than a word."""
    text, hold = script
    is_word = hold == Hold.WHOLE and (text.isalpha() or text.isdecimal())
    return text if len(text) == 1 or is_word else f"({unwrapped(text)})"


def _multiscripts(element: Element, level: int, tight: bool) -> list[Piece]:
    if not len(element):
        return _NOTHING
    base = _base(element[0], level, tight)
    sides: tuple[list[Line | None], list[Line | None]] = ([], [])
    current = sides[0]
    for child in element[1:]:
        if child.tag == "mprescripts":
            current = sides[1]
        else:
            current.append(_script(child, level))
    for lower, upper in _pairs(sides[0]):
        base = _scripted(base, lower, upper)
    before = "".join(
        _scripted(Piece(""), None, upper).text + _scripted(Piece(""), lower, None).text
        for lower, upper in _pairs(sides[1])
    )
    return [base._replace(text=before + base.text)]


def _pairs(scripts: Sequence[Line | None]) -> Iterable[tuple[Line | None, Line | None]]:
    for place in range(0, len(scripts), 2):
        yield scripts[place], scripts[place + 1] if place + 1 < len(scripts) else None


def _marked(element: Element, level: int, tight: bool) -> Piece | None:
    """Return a base with its accent, its bar or its brace; None where what stands there is none of them."""
    sign = elements.sign(element[1])
    is_over = element.tag == "mover"
    marks, braces = (OVER, BRACES_OVER) if is_over else (UNDER, BRACES_UNDER)
    if sign in braces:
        return Piece(f"{sign}({unwrapped(_text(element[0], level, tight=tight)[0])})")
    mark = marks.get(sign)
    if mark is None:
        return None
    base = _base(element[0], level, tight)
    if base.role in {Role.JOIN, Role.BIG}:
        return None
    body = unwrapped(base.text)
    if len(body) == 1:
        return Piece(normalize("NFC", body + mark))
    line = _LINES.get(mark)
    if line is not None and len(body) <= _MOST_MARKED and body.isalnum():
        return Piece(_over_each(body, line))
    return Piece(f"{_NAMES[mark]}({body})")


# Lines that go on over the next letter, and the words for marks that stand over more than a letter.
_LINES = {"\u0304": "\u0305", "\u0305": "\u0305", "\u0332": "\u0332"}
_NAMES = {
    "\u0302": "hat", "\u0303": "tilde", "\u0304": "overline", "\u0305": "overline", "\u0306": "breve",
    "\u0307": "dot", "\u0308": "ddot", "\u030a": "ring", "\u030b": "acute", "\u030c": "check", "\u0300": "grave",
    "\u0301": "acute", "\u20d7": "vec", "\u20d1": "vec", "\u20d6": "overleftarrow", "\u20d0": "overleftarrow",
    "\u20e1": "overleftrightarrow", "\u20db": "dddot", "\u20dc": "ddddot", "\u0332": "underline",
    "\u0330": "undertilde", "\u20ef": "underrightarrow", "\u20ee": "underleftarrow",
}  # fmt: skip


def _enclosed(element: Element, level: int, tight: bool) -> list[Piece]:
    found = _row(element, level, tight)
    notations = set(element.get("notation", "longdiv").split())
    text, hold = joined(found, tight=tight)
    if not text:
        return found
    if notations & {"box", "roundedbox", "circle"} or notations >= {"top", "bottom", "left", "right"}:
        return [Piece(f"[{text}]")]
    if any("strike" in each for each in notations):
        struck = _over_each(text, "\u0336") if len(text) <= _MOST_STRUCK else text
        return [Piece(struck, Role.TERM, hold)]
    for notation, before, behind in (("phasorangle", "∠", ""), ("actuarial", "", "⌉"), ("longdiv", "⟌", "")):
        if notation in notations:
            return [Piece(f"{before}{held((text, hold), Hold.WHOLE)}{behind}")]
    return found


def _over_each(text: str, mark: str) -> str:
    """Return a text with a mark at each character."""
    return "".join([each if each == " " else each + mark for each in text])


def _fenced(element: Element, level: int, tight: bool) -> list[Piece]:
    opening, closing = element.get("open", "("), element.get("close", ")")
    separators = "".join(element.get("separators", ",").split())
    found = [Piece(_clean(opening), Role.OPEN)] if opening else []
    for number, child in enumerate(element):
        if number and separators:
            found.append(Piece(_clean(separators[min(number, len(separators)) - 1]), Role.SEPARATOR))
        found += _pieces(child, level, tight=tight)
    return [*found, Piece(_clean(closing), Role.CLOSE)] if closing else found


# --- Tables ---


def _table(element: Element, level: int, tight: bool) -> list[Piece]:
    """Return a table within a formula: its rows with semicolons, its cells with spaces, or commas where they need them."""
    if not elements.is_table(element):
        return _row(element, level, tight)
    texts = [joined(pieces, tight=tight)[0] for pieces in _rows(element, level, tight=tight)]
    shown = [text for text in texts if text]
    if not shown:
        return _NOTHING
    is_whole = len(shown) == 1 and " " not in shown[0]
    return [Piece("; ".join(shown), Role.TABLE, Hold.WHOLE if is_whole else Hold.SUM)]


def _rows(table: Element, level: int, *, tight: bool = False) -> list[list[Piece]]:
    """Return the rows of a table, each as the pieces of its cells; the number of an equation comes last."""
    is_aligned = elements.is_aligned(table)
    rows = []
    for row in table:
        contents = [_pieces(cell, level, tight=tight) for cell in elements.cells(row)]
        if is_aligned:
            found = [piece for content in contents for piece in content]
        else:
            is_diagram = any(cell.get("class") == "arrow" for cell in row)
            found = _cells([joined(content, tight=tight)[0] for content in contents], is_diagram=is_diagram)
        for label in elements.labels(row):
            number = _pieces(label, level, tight=tight)
            found += [Piece("  ", Role.TEXT), *number] if number else []
        rows.append(found)
    return rows


def _cells(texts: Iterable[str], *, is_diagram: bool) -> list[Piece]:
    """Return the cells of a matrix as one piece."""
    shown = [text for text in texts if text]
    if not shown:
        return []
    gap = ", " if any(" " in text for text in shown) and not is_diagram else " "
    parts = [text + (" " if text[-1] in ",;" else gap) for text in shown[:-1]]
    return [Piece("".join((*parts, shown[-1])), Role.TEXT)]


# --- Characters ---


def _is_word(text: str) -> bool:
    return len(text) > 1 and text.replace(" ", "").isalpha()


def _small(text: str, twins: dict[str, str]) -> str | None:
    """Return a text in small characters, None where Unicode lacks one of them."""
    small = [twins.get(each, "") for each in text]
    return "".join(small) if all(small) else None


def _token(element: Element) -> str:
    """Return what a token shows, its letters without styles."""
    return _unstyled(elements.token(element))


def _clean(text: str) -> str:
    return _unstyled(elements.clean(text))


def _unstyled(text: str) -> str:
    return text if text.isascii() else text.translate(plain_letters())


_KINDS: dict[str, Callable[[Element, int, bool], list[Piece]]] = {
    **dict.fromkeys((*UNSHOWN, "mphantom"), _unseen),
    **dict.fromkeys(SCRIPTED, _scripts),
    "semantics": _semantics,
    "mi": _identifier,
    "mn": _number,
    "mo": _operator,
    "mtext": _words,
    "ms": _words,
    "mspace": _space,
    "mfrac": _fraction,
    "msqrt": _root,
    "mroot": _root,
    "mmultiscripts": _multiscripts,
    "menclose": _enclosed,
    "mfenced": _fenced,
    "mtable": _table,
}
