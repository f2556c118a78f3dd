"""Style rules as text: reading those of templates, scoping them, and writing them."""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from mdpublish_core.strings.lazy_patterns import compile_lazily

_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)

_PIECE = re.compile(
    r"\s*(?:(?P<media>@(?:media|keyframes|supports)[^{}]+)\{|(?P<end>\})|(?P<selectors>[^{}@]+)\{(?P<declarations>[^{}]*)\})\s*"
)

_SPACE = re.compile(r"\s+")

_COMBINATORS, _MARKS = ">+~", ":;,"

_STRING_OR_MARK = compile_lazily(r"(\"[^\"]*\"|'[^']*')|\s*([:;,])\s*|\s+")
_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]")


class StyleRule(NamedTuple):
    """A rule; `declarations` is its text."""

    selectors: tuple[str, ...]
    declarations: str
    media: str | None = None


def parse_rules(source: str) -> Iterator[StyleRule]:
    source = _COMMENT.sub("", source)
    position, media = 0, None
    while position < len(source):
        if not (piece := _PIECE.match(source, position)):
            assert not source[position:].strip(), f"not a rule: {source[position : position + 60]!r}"
            return
        position = piece.end()
        if piece["media"]:
            assert media is None, f"groups of rules do not nest: {piece['media']!r} in {media!r}"
            media = _SPACE.sub(" ", piece["media"].strip())
        elif piece["end"]:
            media = None
        else:
            selectors = (_without_space(selector, _COMBINATORS) for selector in split_selectors(piece["selectors"]))
            yield StyleRule(tuple(selectors), _compact(piece["declarations"]).rstrip(";"), media)


def split_selectors(selectors: str) -> list[str]:
    """Split a list of selectors at its commas, other than those in parentheses of any depth."""
    parts: list[str] = []
    for part in selectors.split(","):
        if parts and parts[-1].count("(") > parts[-1].count(")"):
            parts[-1] += f",{part}"
        else:
            parts.append(part)
    return parts


def scoped_css(written: Iterable[StyleRule], scope: str) -> str:
    lines: list[str] = []
    media = None
    for rule in written:
        if rule.media != media:
            lines += ["}"] if media else []
            lines += [f"{rule.media}{{"] if rule.media else []
            media = rule.media
        is_step = rule.media is not None and rule.media.startswith("@keyframes")
        selectors = ",".join(selector if is_step else _scoped(selector, scope) for selector in rule.selectors)
        lines.append(f"{selectors}{{{rule.declarations}}}")
    lines += ["}"] if media else []
    # Non-ASCII would double the memory of a fragment's string.
    return _BEYOND_ASCII.sub(lambda character: f"\\{ord(character[0]):x} ", "\n".join(lines))


def _compact(declarations: str) -> str:
    if '"' not in declarations and "'" not in declarations:
        return _without_space(declarations, _MARKS)
    return _STRING_OR_MARK.sub(lambda match: match[match.lastindex] if match.lastindex else " ", declarations.strip())


def _without_space(source: str, marks: str) -> str:
    """Remove white space around marks, and make one space of any other."""
    words = source.split()
    if len(words) == 1:
        return words[0]
    joined = " ".join(words)
    for mark in marks:
        joined = joined.replace(f" {mark}", mark).replace(f"{mark} ", mark)
    return joined


def _scoped(selector: str, scope: str) -> str:
    return selector.replace("&", f".{scope}") if "&" in selector else f".{scope} {selector}"
