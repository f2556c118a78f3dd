"""Code to spans by role, within limits on size and CPU time. Joined, the spans are the code."""

import gc
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from operator import itemgetter
from threading import Lock
from time import perf_counter, thread_time
from typing import Literal, TypeAlias, cast, get_args

from mdpublish_core.data_files import read_names
from mdpublish_core.lru_cache import LruCache
from mdpublish_core.strings.lazy_patterns import compile_lazily

CodeRole = Literal[
    "comment", "keyword", "string", "number", "constant", "function", "type", "attribute", "inserted", "deleted"
]

CODE_ROLES: tuple[CodeRole, ...] = get_args(CodeRole)

CodeSpan: TypeAlias = tuple[CodeRole | None, str]

MAX_CODE_BYTES = 50_000
"""Twice the longest block of 193 real READMEs (median 126)."""

MAX_WHITESPACE_RUN = 200
"""Characters. Some lexers are quadratic in it without yielding: C's takes 4 ms for 200 and 25 ms for 500."""

BASE_SECONDS = 0.03
"""CPU time besides `SECONDS_PER_BYTE`, above the clock's resolution. The median block takes 0.1 ms."""

SECONDS_PER_BYTE = 6e-6
"""Real code takes 0.1 to 1.4 µs (a machine four times as slow gives the same output), adversarial code up to 600."""

MAX_CACHED_CHARACTERS = 500_000
"""At most 31 MB, if every span has one character."""

Token: TypeAlias = tuple[int, tuple[str, ...], str]

_NAMES = {("Name",), ("Name", "Other")}
_DOCUMENTATION = ("Literal", "String", "Doc")

_GAPS = compile_lazily(r"\s+")

_NO_LANGUAGE = frozenset({"", "none", "plain", "plaintext", "text", "txt"})

_ROLES = cast("Mapping[str, Mapping[str, CodeRole | Literal['']]]", read_names(__file__, "roles.tsv"))
"""By `any` lexer, or one with unusual types for properties, keys or braces; empty for plain text."""


@dataclass(frozen=True, slots=True)
class HighlightedCode:
    """Non-empty spans; adjacent ones differ in role. `problem` tells why code in a known language is plain."""

    spans: tuple[CodeSpan, ...]
    problem: str | None = None
    timed_out: bool = False


class _NotHighlighted(Exception):  # noqa: N818  (says what happened to the code)
    timed_out = False


class _TimedOut(_NotHighlighted):
    timed_out = True


def _size(result: HighlightedCode) -> int:
    return sum(len(code) for _, code in result.spans)


_cache: LruCache[tuple[str, str], HighlightedCode] = LruCache(MAX_CACHED_CHARACTERS, _size)
_lock = Lock()


def highlight(content: str, language: str, *, is_lexed: bool = True) -> HighlightedCode:
    """Return code in spans by role; code in an unknown language is one plain span.

    Without `is_lexed`, all code is, with the problems that are known before the lexer runs.
    """
    name = language.strip().lower()
    if not content or name in _NO_LANGUAGE:
        return _plain_code(content)
    if not is_lexed:
        return _highlight_uncached(content, name, is_lexed=False)
    # Pygments builds tables on first use without a lock; the GIL prevents parallel work anyway.
    with _lock:
        result = _cache.get((content, name))
        if result is None:
            result = _highlight_uncached(content, name)
            # The machine may have been busy.
            if len(content) <= MAX_CODE_BYTES and not result.timed_out:
                _cache.put((content, name), result)
        return result


def _plain_code(content: str) -> HighlightedCode:
    return HighlightedCode(((None, content),) if content else ())


def _highlight_uncached(content: str, name: str, *, is_lexed: bool = True) -> HighlightedCode:
    # Lazy: Pygments takes as long to load as everything else.
    from mdpublish_core.highlighting import lexers

    if (alias := lexers.first_alias(name)) is None:
        return _plain_code(content)
    try:
        seconds = _time_limit(content, proven=alias in lexers.SAFE_LEXERS)
        return HighlightedCode(_lex(lexers.lex, content, alias, seconds)) if is_lexed else _plain_code(content)
    except _NotHighlighted as reason:
        problem = f"code in {name!r} is not highlighted: {reason}"
        return HighlightedCode(((None, content),), problem, timed_out=reason.timed_out)


def _time_limit(content: str, *, proven: bool) -> float:
    if not proven:
        raise _NotHighlighted("its lexer is too slow on some inputs")
    size = len(content if content.isascii() else content.encode(errors="replace"))
    if size > MAX_CODE_BYTES:
        raise _NotHighlighted(f"it has {size:,} bytes, more than {MAX_CODE_BYTES:,}")
    # A tenth of the time that finding the gaps takes.
    white_space = len(content) - sum(map(len, content.split())) if size > MAX_WHITESPACE_RUN else 0
    if white_space > MAX_WHITESPACE_RUN and (gap := max(map(len, _GAPS.findall(content)))) > MAX_WHITESPACE_RUN:
        raise _NotHighlighted(f"it has {gap:,} characters of white space in a row, more than {MAX_WHITESPACE_RUN:,}")
    return BASE_SECONDS + SECONDS_PER_BYTE * size


def _lex(lex: Callable[[str, str], Iterator[Token]], content: str, alias: str, seconds: float) -> tuple[CodeSpan, ...]:
    # Some lexers drop a last line without newline.
    code = content if content.endswith("\n") else content + "\n"
    try:
        spans = _merge_spans(_within_time(lex(code, alias), seconds), alias)
    except _NotHighlighted:
        raise
    except Exception as error:  # a failing lexer must not lose the document
        raise _NotHighlighted("its lexer failed") from error
    if "".join(code_part for _, code_part in spans) != code:
        raise _NotHighlighted("its lexer changed the code")
    if code == content:
        return spans
    role, last = spans[-1]
    return (*spans[:-1], (role, last[:-1])) if len(last) > 1 else spans[:-1]


def _within_time(tokens: Iterator[Token], seconds: float) -> Iterator[Token]:
    end = thread_time() + seconds
    collections, extended = _full_collections(), False
    # Wall time is cheap to read and never less.
    next_check = perf_counter() + seconds
    for token in tokens:
        if perf_counter() > next_check:
            seconds_left = end - thread_time()
            if seconds_left <= 0:
                if extended or _full_collections() == collections:
                    raise _TimedOut("its lexer takes too long")
                seconds_left, extended = seconds, True
                end = thread_time() + seconds
            next_check = perf_counter() + seconds_left
        yield token


def _full_collections() -> int:
    """Return the number of full garbage collections. In a large process one takes longer than most code."""
    number: int = gc.get_stats()[-1]["collections"]
    return number


def _merge_spans(tokens: Iterable[Token], alias: str) -> tuple[CodeSpan, ...]:
    groups = groupby(_role_spans(tokens, alias if alias in _ROLES else ""), itemgetter(0))
    return tuple((role, "".join(code for _, code in group)) for role, group in groups)


def _role_spans(tokens: Iterable[Token], alias: str) -> Iterator[CodeSpan]:
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
    for length in range(len(token_type), 0, -1):
        name = ".".join(token_type[:length])
        for lexer in (alias, "any"):
            if name in _ROLES.get(lexer, ()):
                return _ROLES[lexer][name] or None
    return None
