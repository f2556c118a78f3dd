"""Compares words, URLs and link definitions of a formatted file with its source's, however the parser reads them."""

import re
from collections import Counter
from html import unescape

MAX_WORDS = 8
"""Words of a line that a message quotes."""

_WORD = re.compile(r"^[ >]*+\[[^\[\]]++\]:|https?://[^\s<>()\[\]\"'*_~`|]++|[^\W_]++")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_ENTITY = re.compile(r"&(?:#\w{1,8}|[a-zA-Z]\w{1,31});")


def find_difference(before: str, after: str) -> str:
    """Return the line of the source and what it would lose, or what would be added; empty if nothing is."""
    lines, formatted = before.splitlines(), after.splitlines()
    words, others = [_words(line) for line in lines], [_words(line) for line in formatted]
    if lost := _counted(words) - _counted(others):
        # Of lines that have as much of it, one that changes.
        changed = Counter(lines) - Counter(formatted)
        ranked = (
            (len(missing := _common(each, lost)), lines[n] in changed, -n, missing) for n, each in enumerate(words)
        )
        *_, number, missing = max(ranked)
        return f"{1 - number}: would lose {_listed(missing)}"
    if added := _counted(others) - _counted(words):
        number = next(n for n, each in enumerate(others, start=1) if _common(each, added))
        return f" line {number} of the result would have, in addition, {_listed(list(added.elements()))}"
    return ""


def _words(line: str) -> list[str]:
    """Return what a line has. Case is ignored: the marks of tasks and callouts have either."""
    shown = _ESCAPE.sub(r"\1", _ENTITY.sub(_decoded, line))
    return [match[0].strip(" >.,:;!?").casefold() for match in _WORD.finditer(shown)]


def _decoded(entity: re.Match[str]) -> str:
    """Return the character of an entity; one that nobody would see stays as it is written."""
    character = unescape(entity[0])
    return character if character.isprintable() and not character.isspace() else entity[0]


def _counted(lines: list[list[str]]) -> Counter[str]:
    return Counter(word for line in lines for word in line)


def _common(line: list[str], words: Counter[str]) -> list[str]:
    return list((Counter(line) & words).elements())


def _listed(words: list[str]) -> str:
    more = f" and {len(words) - MAX_WORDS:,} more" if len(words) > MAX_WORDS else ""
    return ", ".join(f'"{word}"' for word in words[:MAX_WORDS]) + more
