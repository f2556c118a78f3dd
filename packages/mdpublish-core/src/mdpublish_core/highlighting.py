"""Code in, pieces of code by role out.

This module owns the ten roles, which token of Pygments has which, and the bounds: how long code may be, and how long a
lexer may work on it. Which lexers are used, `lexers` says; what a role looks like, a template. Whatever happens, the
pieces joined are the code, byte for byte.
"""

import re
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from operator import itemgetter
from threading import Lock
from time import perf_counter, thread_time
from typing import Literal, TypeAlias, get_args

CodeRole = Literal[
    "comment", "keyword", "string", "number", "constant", "function", "type", "attribute", "inserted", "deleted"
]

CODE_ROLES: tuple[CodeRole, ...] = get_args(CodeRole)

Piece: TypeAlias = tuple[CodeRole | None, str]
"""Code of one role; what has none is shown as plain code is."""

LONGEST_CODE = 50_000
"""Code that is highlighted, in bytes of UTF-8. Twice the longest block of 193 real READMEs, whose median has 126;
past it, plain."""

LONGEST_GAP = 200
"""White space in a row, in characters. Some lexers look through it once for each pair of its characters, without a pause
in which they could be stopped: C's takes 4 ms for this much, and 25 for 500. Past it, plain."""

SECONDS = 0.03
"""Processor time that highlighting may take beside `SECONDS_PER_BYTE`, so that a short block is not measured by a clock's
grain. The median block takes 0.1 ms."""

SECONDS_PER_BYTE = 6e-6
"""Processor time for each byte. Real code takes 0.1 to 1.4 µs, so that a machine four times as slow gives the same; code that
means harm takes up to 600. Past it, plain."""

KEPT_CHARACTERS = 500_000
"""Code whose pieces are kept, in characters, so that what the destinations of one document share is highlighted once.
A document of fifty pages of code; as pieces of one character, which is the most they can weigh, 31 MB."""

Token: TypeAlias = tuple[int, tuple[str, ...], str]
"""What a lexer yields: a position, a token type such as ("Name", "Function"), and text."""

# What most lexers call a function where it is called, and what some call a comment that documents.
_NAMES = {("Name",), ("Name", "Other")}
_DOCUMENTATION = ("Literal", "String", "Doc")

_GAPS = re.compile(r"\s+")

_NO_LANGUAGE = frozenset({"", "none", "plain", "plaintext", "text", "txt"})

_ROLES: dict[str, CodeRole | None] = {
    "Comment": "comment",
    "Comment.Preproc": "attribute",
    "Comment.PreprocFile": "string",
    "Generic.Deleted": "deleted",
    "Generic.Error": "type",
    "Generic.Heading": "function",
    "Generic.Inserted": "inserted",
    "Generic.Prompt": "comment",
    "Generic.Subheading": "function",
    "Keyword": "keyword",
    "Keyword.Constant": "constant",
    "Keyword.Type": "type",
    "Literal.Date": "number",
    "Literal.Number": "number",
    "Literal.Scalar": "string",
    "Literal.String": "string",
    "Literal.String.Escape": "constant",
    "Literal.String.Interpol": "constant",
    "Literal.String.Symbol": "constant",
    "Name.Attribute": "attribute",
    "Name.Builtin": "constant",
    "Name.Class": "type",
    "Name.Constant": "constant",
    "Name.Decorator": "attribute",
    "Name.Entity": "constant",
    "Name.Exception": "type",
    "Name.Function": "function",
    "Name.Label": "attribute",
    "Name.Namespace": "type",
    "Name.Property": "attribute",
    "Name.Tag": "type",
    "Name.Variable.Magic": "constant",
    "Operator.Word": "keyword",
}
"""The roles of token types; one that is not here has its parent's: https://pygments.org/docs/tokens/"""

_STYLES: dict[str, CodeRole | None] = {"Comment.Preproc": "keyword", "Keyword": "attribute", "Keyword.Type": "number"}
_KEYS: dict[str, CodeRole | None] = {"Name.Constant": "string", "Name.Tag": "attribute"}

_OWN_ROLES: dict[str, dict[str, CodeRole | None]] = {
    "css": _STYLES,
    "json": _KEYS,
    "json5": _KEYS,
    "less": _STYLES,
    "sass": _STYLES,
    "scss": _STYLES,
    "tex": {"Name.Builtin": None},
    "toml": {"Name": "attribute"},
    "yaml": _KEYS,
}
"""Where a lexer calls properties keywords, keys tags, and braces builtins."""


@dataclass(frozen=True, slots=True)
class Highlighted:
    """Code in pieces.

    Neighbours differ in role, and none is empty. `problem` says why code is plain though Pygments knows its language, for
    a notice; None otherwise. It `took_long` where time ran out.
    """

    pieces: tuple[Piece, ...]
    problem: str | None = None
    took_long: bool = False


class _Refused(Exception):  # noqa: N818  (says what happened to the code)
    """Code is not highlighted, and this is why."""

    took_long = False


class _TookLong(_Refused):
    """A lexer used up its time."""

    took_long = True


class _Kept:
    """The results asked for last, of `KEPT_CHARACTERS` of code at most."""

    def __init__(self) -> None:
        self._results: OrderedDict[tuple[str, str], Highlighted] = OrderedDict()
        self._characters = 0

    def get(self, content: str, name: str) -> Highlighted | None:
        """Return the result for code and the name of its language, if it is kept."""
        found = self._results.get((content, name))
        if found is not None:
            self._results.move_to_end((content, name))
        return found

    def put(self, content: str, name: str, result: Highlighted) -> None:
        """Keep a result, instead of those that nobody has asked for longest."""
        self._results[content, name] = result
        self._characters += len(content)
        while self._characters > KEPT_CHARACTERS:
            (dropped, _), _ = self._results.popitem(last=False)
            self._characters -= len(dropped)


_kept = _Kept()
_lock = Lock()


def highlight(content: str, language: str) -> Highlighted:
    """Return code in pieces by role.

    `language` is what a fence is marked with, in any case; code of no language, or of one that nobody knows, is one piece
    without a role. Takes `SECONDS` and `SECONDS_PER_BYTE` of processor time at most; where that bound lies is the only thing
    here that depends on the machine.
    """
    name = language.strip().lower()
    if not content or name in _NO_LANGUAGE:
        return _plain(content)
    # One block at a time: Pygments makes its tables on first use without a lock, and the interpreter's own lock would let
    # no two threads highlight at once anyway.
    with _lock:
        found = _kept.get(content, name)
        if found is None:
            found = _highlighted(content, name)
            if len(content) <= LONGEST_CODE:
                _kept.put(content, name, found)
        return found


def _plain(content: str) -> Highlighted:
    return Highlighted(((None, content),) if content else ())


def _highlighted(content: str, name: str) -> Highlighted:
    # Late: Pygments takes as long to load as all the rest.
    from mdpublish_core import lexers

    alias = lexers.first_alias(name)
    if alias is None:
        return _plain(content)
    try:
        seconds = _seconds(content, proven=alias in lexers.PROVEN)
        return Highlighted(_lexed(lexers.lex, content, alias, seconds))
    except _Refused as refused:
        problem = f"code in {name!r} is not highlighted: {refused}"
        return Highlighted(((None, content),), problem, took_long=refused.took_long)


def _seconds(content: str, *, proven: bool) -> float:
    """Return how long a lexer may work on code, if it may at all."""
    if not proven:
        raise _Refused("its lexer may take very long")
    size = len(content.encode(errors="replace"))
    if size > LONGEST_CODE:
        raise _Refused(f"it has {size:,} bytes, more than {LONGEST_CODE:,}")
    gap = max(map(len, _GAPS.findall(content)), default=0)
    if gap > LONGEST_GAP:
        raise _Refused(f"it has {gap:,} characters of white space in a row, more than {LONGEST_GAP:,}")
    return SECONDS + SECONDS_PER_BYTE * size


def _lexed(lex: Callable[[str, str], Iterator[Token]], content: str, alias: str, seconds: float) -> tuple[Piece, ...]:
    # Lexers expect that the last line has an end, and some lose it otherwise.
    code = content if content.endswith("\n") else content + "\n"
    try:
        pieces = _pieces(_in_time(lex(code, alias), seconds), alias)
    except _Refused:
        raise
    except Exception as error:  # an error in a lexer is no reason to lose a document
        raise _Refused("its lexer fails") from error
    if "".join(text for _, text in pieces) != code:
        raise _Refused("its lexer changes it")
    if code == content:
        return pieces
    role, last = pieces[-1]
    return (*pieces[:-1], (role, last[:-1])) if len(last) > 1 else pieces[:-1]


def _in_time(tokens: Iterator[Token], seconds: float) -> Iterator[Token]:
    """Yield tokens for so many seconds of this thread's processor time, then refuse."""
    end = thread_time() + seconds
    # The clock on the wall is cheap to read, and never behind the processor's.
    look_again = perf_counter() + seconds
    for token in tokens:
        if perf_counter() > look_again:
            left = end - thread_time()
            if left <= 0:
                raise _TookLong("its lexer takes too long")
            look_again = perf_counter() + left
        yield token


def _pieces(tokens: Iterable[Token], alias: str) -> tuple[Piece, ...]:
    """Return the tokens' text, neighbours of one role together."""
    texts = groupby(_texts(tokens, alias if alias in _OWN_ROLES else ""), itemgetter(0))
    return tuple((role, "".join(text for _, text in group)) for role, group in texts)


def _texts(tokens: Iterable[Token], alias: str) -> Iterator[Piece]:
    """Yield each token's role and text; a name before an opening parenthesis is a function's."""
    name: Piece | None = None
    for _, token_type, text in tokens:
        if not text:
            continue
        if name:
            yield ("function", name[1]) if text[0] == "(" else name
            name = None
        if token_type in _NAMES:
            name = _role(token_type, alias), text
        elif token_type == _DOCUMENTATION and text[0] in "/#":
            yield "comment", text
        else:
            yield _role(token_type, alias), text
    if name:
        yield name


@lru_cache(maxsize=4_096)
def _role(token_type: tuple[str, ...], alias: str) -> CodeRole | None:
    """Return the role of a token type. There are some 90 types, and `alias` is one of `_OWN_ROLES`, or empty."""
    own_roles = _OWN_ROLES.get(alias, {})
    for length in range(len(token_type), 0, -1):
        name = ".".join(token_type[:length])
        for roles in (own_roles, _ROLES):
            if name in roles:
                return roles[name]
    return None
