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

CodeSpan: TypeAlias = tuple[CodeRole | None, str]
"""Code of one role; what has none is shown as plain code is."""

MAX_CODE_BYTES = 50_000
"""Code that is highlighted, in bytes of UTF-8. Twice the longest block of 193 real READMEs, whose median has 126;
past it, plain."""

MAX_WHITESPACE_RUN = 200
"""White space in a row, in characters. Some lexers look through it once for each pair of its characters, without a pause
in which they could be stopped: C's takes 4 ms for this much, and 25 for 500. Past it, plain."""

BASE_SECONDS = 0.03
"""Processor time that highlighting may take beside `SECONDS_PER_BYTE`, so that a short block is not measured by a clock's
grain. The median block takes 0.1 ms."""

SECONDS_PER_BYTE = 6e-6
"""Processor time for each byte. Real code takes 0.1 to 1.4 µs, so that a machine four times as slow gives the same; code that
means harm takes up to 600. Past it, plain."""

MAX_CACHED_CHARACTERS = 500_000
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

_STYLESHEET_ROLES: dict[str, CodeRole | None] = {
    "Comment.Preproc": "keyword",
    "Keyword": "attribute",
    "Keyword.Type": "number",
}
_KEY_ROLES: dict[str, CodeRole | None] = {"Name.Constant": "string", "Name.Tag": "attribute"}

_LEXER_ROLES: dict[str, dict[str, CodeRole | None]] = {
    "css": _STYLESHEET_ROLES,
    "json": _KEY_ROLES,
    "json5": _KEY_ROLES,
    "less": _STYLESHEET_ROLES,
    "sass": _STYLESHEET_ROLES,
    "scss": _STYLESHEET_ROLES,
    "tex": {"Name.Builtin": None},
    "toml": {"Name": "attribute"},
    "yaml": _KEY_ROLES,
}
"""Where a lexer calls properties keywords, keys tags, and braces builtins."""


@dataclass(frozen=True, slots=True)
class HighlightedCode:
    """Code in pieces.

    Neighbours differ in role, and none is empty. `problem` says why code is plain though Pygments knows its language, for
    a notice; None otherwise. It `timed_out` where time ran out.
    """

    spans: tuple[CodeSpan, ...]
    problem: str | None = None
    timed_out: bool = False


class _NotHighlighted(Exception):  # noqa: N818  (says what happened to the code)
    """Code is not highlighted, and this is why."""

    timed_out = False


class _TimedOut(_NotHighlighted):
    """A lexer used up its time."""

    timed_out = True


class _Cache:
    """The results asked for last, of `MAX_CACHED_CHARACTERS` of code at most."""

    def __init__(self) -> None:
        self._results: OrderedDict[tuple[str, str], HighlightedCode] = OrderedDict()
        self._characters = 0

    def get(self, content: str, name: str) -> HighlightedCode | None:
        """Return the result for code and the name of its language, if it is kept."""
        result = self._results.get((content, name))
        if result is not None:
            self._results.move_to_end((content, name))
        return result

    def put(self, content: str, name: str, result: HighlightedCode) -> None:
        """Keep a result, instead of those that nobody has asked for longest."""
        self._results[content, name] = result
        self._characters += len(content)
        while self._characters > MAX_CACHED_CHARACTERS:
            (dropped, _), _ = self._results.popitem(last=False)
            self._characters -= len(dropped)


_cache = _Cache()
_lock = Lock()


def highlight(content: str, language: str) -> HighlightedCode:
    """Return code in pieces by role.

    `language` is what a fence is marked with, in any case; code of no language, or of one that nobody knows, is one piece
    without a role. Takes `SECONDS` and `SECONDS_PER_BYTE` of processor time at most; where that bound lies is the only thing
    here that depends on the machine.
    """
    name = language.strip().lower()
    if not content or name in _NO_LANGUAGE:
        return _plain_code(content)
    # One block at a time: Pygments makes its tables on first use without a lock, and the interpreter's own lock would let
    # no two threads highlight at once anyway.
    with _lock:
        result = _cache.get(content, name)
        if result is None:
            result = _highlight_uncached(content, name)
            if len(content) <= MAX_CODE_BYTES:
                _cache.put(content, name, result)
        return result


def _plain_code(content: str) -> HighlightedCode:
    return HighlightedCode(((None, content),) if content else ())


def _highlight_uncached(content: str, name: str) -> HighlightedCode:
    # Late: Pygments takes as long to load as all the rest.
    from mdpublish_core.highlighting import lexers

    alias = lexers.first_alias(name)
    if alias is None:
        return _plain_code(content)
    try:
        seconds = _time_limit(content, proven=alias in lexers.SAFE_LEXERS)
        return HighlightedCode(_lex(lexers.lex, content, alias, seconds))
    except _NotHighlighted as reason:
        problem = f"code in {name!r} is not highlighted: {reason}"
        return HighlightedCode(((None, content),), problem, timed_out=reason.timed_out)


def _time_limit(content: str, *, proven: bool) -> float:
    """Return how long a lexer may work on code, if it may at all."""
    if not proven:
        raise _NotHighlighted("its lexer may take very long")
    size = len(content.encode(errors="replace"))
    if size > MAX_CODE_BYTES:
        raise _NotHighlighted(f"it has {size:,} bytes, more than {MAX_CODE_BYTES:,}")
    gap = max(map(len, _GAPS.findall(content)), default=0)
    if gap > MAX_WHITESPACE_RUN:
        raise _NotHighlighted(f"it has {gap:,} characters of white space in a row, more than {MAX_WHITESPACE_RUN:,}")
    return BASE_SECONDS + SECONDS_PER_BYTE * size


def _lex(lex: Callable[[str, str], Iterator[Token]], content: str, alias: str, seconds: float) -> tuple[CodeSpan, ...]:
    # Lexers expect that the last line has an end, and some lose it otherwise.
    code = content if content.endswith("\n") else content + "\n"
    try:
        spans = _merge_spans(_within_time(lex(code, alias), seconds), alias)
    except _NotHighlighted:
        raise
    except Exception as error:  # an error in a lexer is no reason to lose a document
        raise _NotHighlighted("its lexer fails") from error
    if "".join(code_part for _, code_part in spans) != code:
        raise _NotHighlighted("its lexer changes it")
    if code == content:
        return spans
    role, last = spans[-1]
    return (*spans[:-1], (role, last[:-1])) if len(last) > 1 else spans[:-1]


def _within_time(tokens: Iterator[Token], seconds: float) -> Iterator[Token]:
    """Yield tokens for so many seconds of this thread's processor time, then refuse."""
    end = thread_time() + seconds
    # The clock on the wall is cheap to read, and never behind the processor's.
    next_check = perf_counter() + seconds
    for token in tokens:
        if perf_counter() > next_check:
            seconds_left = end - thread_time()
            if seconds_left <= 0:
                raise _TimedOut("its lexer takes too long")
            next_check = perf_counter() + seconds_left
        yield token


def _merge_spans(tokens: Iterable[Token], alias: str) -> tuple[CodeSpan, ...]:
    """Return the tokens' text, neighbours of one role together."""
    groups = groupby(_role_spans(tokens, alias if alias in _LEXER_ROLES else ""), itemgetter(0))
    return tuple((role, "".join(code for _, code in group)) for role, group in groups)


def _role_spans(tokens: Iterable[Token], alias: str) -> Iterator[CodeSpan]:
    """Yield each token's role and text; a name before an opening parenthesis is a function's."""
    name: CodeSpan | None = None
    for _, token_type, code in tokens:
        if not code:
            continue
        if name:
            yield ("function", name[1]) if code[0] == "(" else name
            name = None
        if token_type in _NAMES:
            name = _role(token_type, alias), code
        elif token_type == _DOCUMENTATION and code[0] in "/#":
            yield "comment", code
        else:
            yield _role(token_type, alias), code
    if name:
        yield name


@lru_cache(maxsize=4_096)
def _role(token_type: tuple[str, ...], alias: str) -> CodeRole | None:
    """Return the role of a token type. There are some 90 types, and `alias` is one of `_LEXER_ROLES`, or empty."""
    lexer_roles = _LEXER_ROLES.get(alias, {})
    for length in range(len(token_type), 0, -1):
        name = ".".join(token_type[:length])
        for roles in (lexer_roles, _ROLES):
            if name in roles:
                return roles[name]
    return None
