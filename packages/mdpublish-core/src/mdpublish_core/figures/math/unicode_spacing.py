"""Spaces and parentheses of the pieces that `unicode_math` produces."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from mdpublish_core.figures.math.operators import BARS, PLUS_MINUS_SIGNS
from mdpublish_core.strings.small_characters import SUBSCRIPTS, SUPERSCRIPTS


class Role:
    """A piece's role among its neighbors; a plain number, since members of an enumeration take long to look up."""

    TERM: Final = 0
    NAME: Final = 1  # function name or other word
    JOIN: Final = 2  # infix operator
    LEAD: Final = 3  # prefix operator
    FOLLOW: Final = 4  # postfix operator
    OPEN: Final = 5
    CLOSE: Final = 6
    SEPARATOR: Final = 7
    BIG: Final = 8  # sum, integral, limit
    LITERAL: Final = 9
    SPACE: Final = 10
    BAR: Final = 11  # fence or infix operator
    TABLE: Final = 12


class Precedence:
    """Binding strength, which decides about parentheses."""

    SUM: Final = 0
    QUOTIENT: Final = 1
    PRODUCT: Final = 2
    ATOM: Final = 3


class Piece(NamedTuple):
    """A part of a row."""

    content: str
    role: int = Role.TERM
    precedence: int = Precedence.ATOM

    is_open: bool = False
    """Whether a letter after it needs a space: it ends in a script in normal characters, or an unparenthesized root."""


Fragment = tuple[str, int]

NEXT_ROW = ";  "
OVER = "\n"
"""Separates two pieces above each other without a line: a binomial if in parentheses, else rows."""

_ENDS = frozenset({Role.TERM, Role.NAME, Role.CLOSE, Role.FOLLOW, Role.TABLE, Role.LITERAL})
_BEGINS = frozenset({Role.TERM, Role.NAME, Role.OPEN, Role.LEAD, Role.BIG, Role.TABLE})

_SCRIPT_SIGNS = frozenset({*"_^", *SUPERSCRIPTS.values(), *SUBSCRIPTS.values()})

_ROOTS = frozenset("√∛∜")

_NO_SPACE = "/"
_PRODUCTS = frozenset("/⋅·×÷")
_LONGEST_FUNCTION = 4
"""Maximum length of a function's name before parentheses: f(x), sin(x)."""


def join_pieces(pieces: Sequence[Piece], *, tight: bool) -> Fragment:
    """Join a row; `tight` omits most spaces, for scripts."""
    if len(pieces) == 1:
        piece = pieces[0]
        if piece.role == Role.TABLE and piece.precedence < Precedence.ATOM and not tight:
            return f"rows({_row_ends(piece.content)})", Precedence.ATOM
        return (
            _row_ends(piece.content),
            piece.precedence if piece.role != Role.LITERAL or piece.content.isalnum() else Precedence.SUM,
        )
    row: list[Piece] = []
    parts: list[str] = []
    for _, piece, space, content in spaced(pieces, tight=tight):
        row.append(piece)
        parts += (space, content)
    return "".join(parts), _row_precedence(row)


def spaced(pieces: Sequence[Piece], *, tight: bool) -> Iterator[tuple[int, Piece, str, str]]:
    """Yield each piece's index, the piece with its role, the space before it, and its content with parentheses."""
    row = _resolve_roles(pieces)
    before: Piece | None = None
    last, gap = "", ""
    for number, piece in enumerate(row):
        if piece.role == Role.SPACE:
            gap = "" if tight else max(gap, piece.content)
            continue
        content = piece.content
        if piece.role == Role.TABLE or piece.precedence == Precedence.QUOTIENT:
            after = next((each for each in row[number + 1 : number + 3] if each.content != " "), None)
            content = _with_parentheses(piece, before, after)
        if before is None:
            gap = ""
        elif not gap and (
            _has_gap(before, piece, tight=tight) or (content.startswith("rows(") and last[-1:].isalnum())
        ):
            gap = " "
        spaces = len(last) - len(last.rstrip(" ")) + len(content) - len(content.lstrip(" "))
        yield number, piece, gap[spaces:] if content else "", content
        before, last, gap = piece, content, ""


def parenthesize(line: Fragment, min_precedence: int) -> str:
    content, precedence = line
    return content if precedence >= min_precedence else f"({content})"


def strip_parentheses(content: str) -> str:
    """Remove parentheses that enclose the entire text."""
    if not (content.startswith("(") and content.endswith(")")):
        return content
    level = 0
    for index, each in enumerate(content):
        level += (each == "(") - (each == ")")
        if level == 0 and index < len(content) - 1:
            return content
    return content[1:-1]


def _resolve_roles(pieces: Sequence[Piece]) -> list[Piece]:
    row: list[Piece] = []
    bars = _bar_roles(pieces)
    last: int | None = None
    for index, piece in enumerate(pieces):
        role = piece.role
        if role == Role.BAR:
            role = bars[index]
        elif role == Role.JOIN and last not in _ENDS and piece.content in PLUS_MINUS_SIGNS:
            role = Role.LEAD
        row.append(piece if role == piece.role else piece._replace(role=role))
        if role != Role.SPACE:
            last = role
    return row


def _bar_roles(pieces: Sequence[Piece]) -> dict[int, int]:
    """Classify bars: those of bras and kets and paired ones are fences, others relations."""
    if not any(piece.role == Role.BAR for piece in pieces):
        return {}
    roles, others = _roles_of_states(pieces)
    for indices in others:
        is_paired = len(indices) % 2 == 0
        for number, index in enumerate(indices):
            roles[index] = (Role.CLOSE if number % 2 else Role.OPEN) if is_paired else Role.JOIN
    return roles


def _roles_of_states(pieces: Sequence[Piece]) -> tuple[dict[int, int], Iterable[Sequence[int]]]:
    """Return the roles of the bars of `|ψ⟩`, `⟨ψ|` and `⟨ϕ|ψ⟩`, and the others in lists of those alike."""
    roles: dict[int, int] = {}
    alike: dict[tuple[str, int], list[int]] = {}
    opened = [0]
    for index, piece in enumerate(pieces):
        if piece.role == Role.OPEN:
            opened.append(index + 1)
        elif piece.role == Role.BAR:
            alike.setdefault((piece.content[0], opened[-1]), []).append(index)
        elif piece.role == Role.CLOSE:
            start = opened[-1]
            bars, is_angle = alike.get(("|", start), []), start > 0 and pieces[start - 1].content == "⟨"
            if bars and piece.content == "⟩" and not is_angle:
                roles[bars.pop()] = Role.OPEN
            elif len(opened) > 1:
                opened.pop()
                if (
                    len(bars) == 1
                    and is_angle
                    and all(pieces[each].role in _STATE_ROLES for each in range(start, index))
                ):
                    roles[bars.pop()] = Role.TERM
    for start in opened[1:]:
        bars = alike.get(("|", start), [])
        if len(bars) % 2 and pieces[start - 1].content == "⟨":
            roles[bars.pop(0)] = Role.CLOSE
    return roles, alike.values()


_STATE_ROLES = frozenset({Role.TERM, Role.BAR, Role.SPACE, Role.FOLLOW})
"""Within `⟨ϕ|ψ⟩`."""


def _with_parentheses(piece: Piece, before: Piece | None, after: Piece | None) -> str:
    if piece.role == Role.TABLE:
        return _bracketed(piece, before, after)
    if piece.precedence == Precedence.QUOTIENT:
        follows_operand = before is not None and (
            (before.role in _ENDS and before.role != Role.LITERAL) or before.content in _PRODUCTS
        )
        precedes_operand = after is not None and (
            after.role in _BEGINS or after.role == Role.FOLLOW or after.content in "/÷"
        )
        if follows_operand or precedes_operand:
            return f"({piece.content})"
    return piece.content


def _bracketed(piece: Piece, before: Piece | None, after: Piece | None) -> str:
    """Name a table unless fences surround it; complete the brace of cases."""
    is_opened = before is not None and before.role == Role.OPEN
    is_closed = after is not None and after.role == Role.CLOSE
    if before is not None and before.content == "{" and not (after is not None and after.content == "}"):
        return f"{_row_ends(piece.content)}}}"
    if is_opened and is_closed and before is not None and before.content != "{":
        return piece.content.replace(OVER, " choose ") if before.content == "(" else _row_ends(piece.content)
    return piece.content if piece.precedence == Precedence.ATOM else f"rows({_row_ends(piece.content)})"


def _row_ends(content: str) -> str:
    return content.replace(OVER, NEXT_ROW)


def _has_gap(before: Piece, piece: Piece, *, tight: bool) -> bool:
    left, right = before.role, piece.role
    if Role.LITERAL in {left, right}:
        return Role.JOIN in {left, right} and not tight
    if (before.is_open and right in _BEGINS) or (
        left in _ENDS and right in {Role.TERM, Role.NAME} and _is_apart_from(before, piece)
    ):
        return True
    if Role.NAME in {left, right}:
        return _has_gap_at_name(before, piece, tight=tight)
    if left == right == Role.TERM and before.content[-1:].isdigit() and piece.content[:1].isdigit():
        return True
    return not tight and _has_gap_at_sign(before, piece)


def _is_apart_from(before: Piece, piece: Piece) -> bool:
    """Whether a term would be read as the script, degree or argument of the one before."""
    if piece.precedence == Precedence.QUOTIENT:
        return not before.content.isdecimal()
    first = piece.content[:1]
    return first in _SCRIPT_SIGNS or (first in _ROOTS and before.content[-1:] in _SCRIPT_SIGNS)


def _has_gap_at_sign(before: Piece, piece: Piece) -> bool:
    left, right = before.role, piece.role
    if Role.JOIN in {left, right}:
        return right not in {Role.SEPARATOR, Role.CLOSE} and left != Role.OPEN
    if left in {Role.SEPARATOR, Role.BIG}:
        return right != Role.CLOSE and not (right == Role.OPEN and before.content[-1:].isalpha())
    return right == Role.BIG and left in _ENDS


def _has_gap_at_name(before: Piece, piece: Piece, *, tight: bool) -> bool:
    left, right = before.role, piece.role
    if right == Role.NAME and left in _ENDS and left != Role.NAME:
        return not tight or before.content[-1:].isalnum()
    if left == Role.NAME and right in {Role.TERM, Role.NAME, Role.LEAD, Role.BIG}:
        return piece.content[:1].isalnum() or not (tight or piece.content == _NO_SPACE)
    if left == Role.NAME and piece.content in BARS:
        return not tight
    if tight:
        return False
    return Role.JOIN in {left, right} or left in {Role.SEPARATOR, Role.BIG}


def _row_precedence(row: Sequence[Piece]) -> int:
    shown = [piece for piece in row if piece.role != Role.SPACE and piece.content]
    if len(shown) == 1:
        return shown[0].precedence
    level, parts = 0, 0
    for index, piece in enumerate(shown):
        if piece.role == Role.OPEN:
            level += 1
            parts += level == 1 and not (index == 1 and _is_function(shown))
        elif piece.role == Role.CLOSE:
            level = max(level - 1, 0)
        elif level == 0:
            following = shown[index + 1].role if index + 1 < len(shown) else None
            if _needs_parentheses(piece, following, is_first=index == 0):
                return Precedence.SUM
            parts += piece.role not in {Role.FOLLOW, Role.LEAD}
    return Precedence.ATOM if parts <= 1 and level == 0 else Precedence.PRODUCT


def _is_function(row: Sequence[Piece]) -> bool:
    """Whether a row that has brackets after its first piece is an argument's, not a product as in n(n + 1)."""
    name = row[0]
    is_variable = name.role == Role.TERM and name.content[:1].isalpha() and len(row) == len("f(x)")
    return (is_variable or name.role == Role.NAME) and len(name.content) <= _LONGEST_FUNCTION


def _needs_parentheses(piece: Piece, following: int | None, *, is_first: bool) -> bool:
    if piece.role in {Role.JOIN, Role.SEPARATOR, Role.TABLE, Role.BIG}:
        return True
    if piece.role == Role.LITERAL:
        return not piece.content.isalnum()
    if piece.role == Role.LEAD:
        return is_first and piece.content in PLUS_MINUS_SIGNS
    return piece.role == Role.NAME and following not in {None, Role.OPEN}
