"""Included files: `--8<-- "file"` of PyMdown, in paragraphs and code, and `![[note]]` of Obsidian.

A paragraph of these alone becomes a fence that `FenceParser` replaces by the blocks of the files, which include no others.
Of a file, a section or lines may be named: `file:section`, `file:2:5,8:9`.

Source: PyMdown Extensions, "Snippets".
"""

import re
from collections.abc import Iterator
from typing import Protocol

from mdpublish_core.notices import Notice
from mdpublish_core.strings.lazy_patterns import compile_lazily


class Include(Protocol):
    """Reads what a document includes."""

    def __call__(self, name: str) -> str | None:
        """Return the text of a file by its name, or None if it cannot be included."""

    def appended(self) -> str:
        """Return what is added to the document's end."""


INCLUDED = "--8<--"
"""The info string of such a fence, which has no language."""

_SNIPPET = compile_lazily(r"([ \t]*)(;*)-+8<-+[ \t]+(?:\"([^\"\n]+)\"|'([^'\n]+)')[ \t]*|!\[\[([^\[\]|#\n]+)\]\][ \t]*")
_NAME = compile_lazily(r"8<-+[ \t]+(?:\"([^\"\n]+)\"|'([^'\n]+)')|!\[\[([^\[\]|#\n]+)\]\]")
_BLOCK = compile_lazily(r"^[ \t>]*-+8<-+[ \t]*\n((?:.*\n)*?)[ \t>]*-+8<-+[ \t]*$", re.MULTILINE)
_SELECTED = compile_lazily(
    r"(.+?)(?::([a-z][\w-]*)|:(-?\d{0,9}(?::-?\d{0,9})?(?:,(?=[\d:-])-?\d{0,9}(?::-?\d{0,9})?)*))?",
    re.ASCII | re.IGNORECASE,
)
_SECTION = compile_lazily(r"-8<-+[ \t]+\[[ \t]*(start|end)[ \t]*:[ \t]*([a-z][\w-]*)[ \t]*\]", re.ASCII | re.IGNORECASE)


def names_in(source: str) -> Iterator[str]:
    """Yield the names of files that a text may include."""
    names = [match[match.lastindex or 0] for match in _NAME.finditer(source)]
    names += [line.strip(" \t>") for match in _BLOCK.finditer(source) for line in match[1].splitlines()]
    yield from (match[1] for name in names if (match := _selected(name)))


def included_markdown(source: str, include: Include) -> str | None:
    """Return the Markdown of files, if each line of a paragraph includes one that can be read."""
    if block := _BLOCK.fullmatch(source):
        names = [name for line in block[1].splitlines() if (name := line.strip()) and name[0] != ";"]
    else:
        lines = source.split("\n")
        names = [_name(match) for line in lines if (match := _SNIPPET.fullmatch(line)) and not match[2]]
        if len(names) < len(lines):
            return None
    contents = [selected_markdown(name, include) for name in names]
    return None if None in contents else "\n\n".join(filter(None, contents))


def selected_markdown(name: str, include: Include) -> str | None:
    """Return what a name includes, without front matter."""
    from mdpublish_core.readers.markdown.front_matter import find_front_matter

    if (lines := _selected_lines(name, include)) is None:
        return None
    block = find_front_matter(lines) if lines else None
    return "\n".join(lines if block is None or isinstance(block, Notice) else lines[block.end :])


def with_included_lines(content: str, include: Include) -> str:
    """Return code with files in place of the lines that include them; a semicolon before these is an escape."""
    lines = []
    for line in content.split("\n"):
        match, included = _SNIPPET.fullmatch(line), None
        if match and match[5] is None and not match[2]:
            included = _selected_lines(_name(match), include)
        if match and included is not None:
            lines += [f"{match[1]}{each}" for each in included]
        else:
            lines.append(line.replace(";", "", bool(match and match[2])))
    return "\n".join(lines)


def _name(match: re.Match[str]) -> str:
    return match[3] or match[4] or match[5]


def _selected(name: str) -> re.Match[str] | None:
    """Match the name of a file, which has few characters, with what is selected of it."""
    return _SELECTED.fullmatch(name.strip()) if len(name) <= 1_000 else None


def _selected_lines(name: str, include: Include) -> list[str] | None:
    """Return the lines of a file that a name asks for, without the marks of sections, or None."""
    match = _selected(name)
    if not match or (content := include(match[1])) is None:
        return None
    lines = content.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    section, ranges = match[2], match[3]
    if ranges is not None:
        lines = [line for each in ranges.split(",") for line in lines[_slice(*each.partition(":")[::2])]]
    chosen, is_inside = list[str](), section is None
    for line in lines:
        mark = _SECTION.search(line) if "8<-" in line else None
        if mark is None:
            chosen += [line] if is_inside else []
        elif mark[2] == section:
            is_inside = mark[1] == "start"
    if section and not chosen:
        return None
    return chosen[:-1] if chosen[-1:] == [""] else chosen


def _slice(first: str, last: str) -> slice:
    start, end = int(first or 1), int(last) if last else None
    return slice(start - (start > 0), end + 1 or None if end is not None and end < 0 else end)
