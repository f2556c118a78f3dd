"""Parsing, scoping and serialization of `stylesheets/`.

`base.css` applies to every template, `<element>-<variant>.css` to those with that variant, `web.css` and `*.web.css`
only to web pages, `page.css` to whole pages, `page-cjk.css` to those in Chinese, Japanese or Korean, `highlights.css` to pages that have any. `$name` is a value of the theme, `&` the scope.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

from mdpublish_core.lazy_patterns import compile_lazily

_FOLDER = Path(__file__).parent / "stylesheets"

_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)

_PIECE = re.compile(
    r"\s*(?:(?P<media>@(?:media|keyframes)[^{}]+)\{|(?P<end>\})|(?P<selectors>[^{}@]+)\{(?P<declarations>[^{}]*)\})\s*"
)

_SPACE = re.compile(r"\s+")

_COMMA = re.compile(r",(?![^(]*\))")

_COMBINATORS, _MARKS = ">+~", ":;,"

_STRING_OR_MARK = compile_lazily(r"(\"[^\"]*\"|'[^']*')|\s*([:;,])\s*|\s+")
_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]")
_VALUE = re.compile(r"\$([a-z][a-z0-9_]*)")


class StyleRule(NamedTuple):
    """A rule; `declarations` is its text."""

    selectors: tuple[str, ...]
    declarations: str
    media: str | None = None


@cache
def variants_of(element: str) -> tuple[str, ...]:
    prefix = f"{element}-"
    names = (entry.name.removesuffix(".css").removesuffix(".web") for entry in _FOLDER.iterdir())
    return tuple(sorted({name.removeprefix(prefix) for name in names if name.startswith(prefix)}))


def rules(names: Iterable[str], values: Mapping[str, str], extra_css: str = "") -> tuple[StyleRule, ...]:
    """Return the rules of the named files and `extra_css`, with values substituted."""
    return tuple(_with_values(rule, values) for written in (*map(_read, names), _parsed(extra_css)) for rule in written)


def _with_values(rule: StyleRule, values: Mapping[str, str]) -> StyleRule:
    def value(name: re.Match[str]) -> str:
        return values[name[1]]

    declarations = _VALUE.sub(value, rule.declarations) if "$" in rule.declarations else rule.declarations
    media = _VALUE.sub(value, rule.media) if rule.media and "$" in rule.media else rule.media
    return StyleRule(rule.selectors, declarations, media)


@lru_cache(maxsize=256)
def _parsed(source: str) -> tuple[StyleRule, ...]:
    # Keeps placeholders: parsing is most of the work, and independent of the theme mode.
    return tuple(parse_rules(_COMMENT.sub("", source)))


def parse_rules(source: str) -> Iterator[StyleRule]:
    position, media = 0, None
    while position < len(source):
        piece = _PIECE.match(source, position)
        if not piece:
            assert not source[position:].strip(), f"not a rule: {source[position : position + 60]!r}"
            return
        position = piece.end()
        if piece["media"]:
            media = _SPACE.sub(" ", piece["media"].strip())
        elif piece["end"]:
            media = None
        else:
            selectors = (_without_space(selector, _COMBINATORS) for selector in _COMMA.split(piece["selectors"]))
            yield StyleRule(tuple(selectors), _compact(piece["declarations"]).rstrip(";"), media)


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


@cache
def _read(name: str) -> tuple[StyleRule, ...]:
    file = _FOLDER / f"{name}.css"
    if name.endswith(".web") and not file.is_file():
        return ()
    return tuple(parse_rules(_COMMENT.sub("", file.read_text("utf-8"))))


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


def compile_css(names: tuple[str, ...], values: Mapping[str, str], scope: str, extra_css: str = "") -> str:
    return scoped_css(rules(names, values, extra_css), scope)
