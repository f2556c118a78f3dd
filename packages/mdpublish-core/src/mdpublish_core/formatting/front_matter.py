"""Where the front matter of a file ends: YAML, TOML or JSON, whatever stands in it."""

from collections.abc import Mapping

from mdpublish_core.strings.changes import NEWLINE
from mdpublish_core.strings.lazy_patterns import compile_lazily

_CLOSERS: Mapping[str, frozenset[str]] = {
    "---": frozenset({"---", "..."}),
    "+++": frozenset({"+++"}),
    ";;;": frozenset({";;;"}),
    "{": frozenset({"}"}),
}
_BLANK_FIRST = compile_lazily(r"[ \t]*(?:\r|\n|$)")
_KEY = compile_lazily(r"[ \t]*\"")


def end_of_front_matter(markdown: str) -> int:
    """Return where the text below the front matter starts, behind a byte-order mark in any case.

    As for other programs, it is whatever its marks enclose, if its first line is not empty.
    """
    start = int(markdown.startswith("\ufeff"))
    opening = NEWLINE.search(markdown, start)
    closers = _CLOSERS.get(markdown[start : opening.start()].rstrip(" \t")) if opening else None
    if not (opening and closers) or _BLANK_FIRST.match(markdown, opening.end()):
        return start
    if "}" in closers and not _KEY.match(markdown, opening.end()):
        # No JSON: a brace that is left of a code block.
        return start
    position = opening.end()
    for line_end in NEWLINE.finditer(markdown, position):
        if markdown[position : line_end.start()].rstrip(" \t") in closers:
            return line_end.end()
        position = line_end.end()
    return len(markdown) if markdown[position:].rstrip(" \t") in closers else start
