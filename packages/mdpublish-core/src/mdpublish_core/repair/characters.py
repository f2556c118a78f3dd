"""Characters that stand for others: spaces that do not break, entities escaped twice, curly quotes in code."""

import re
from collections.abc import Iterator

from mdpublish_core.readers.markdown.slips import RANGE_TILDE
from mdpublish_core.repair.draft import Changes
from mdpublish_core.repair.fences import PROSE_LANGUAGES
from mdpublish_core.repair.source import Source, Span
from mdpublish_core.strings.changes import Change
from mdpublish_core.strings.lazy_patterns import compile_lazily

_ENTITY = compile_lazily(
    r"&(?:amp;)+(?=(?:amp|lt|gt|quot|apos|nbsp|[mn]dash|hellip|[lr][sd]quo|copy|#\d{1,7}|#[xX][0-9a-fA-F]{1,6});)"
)
_ESCAPE_SEQUENCE = compile_lazily(r"\x1b\[[\d;]{0,40}[A-Za-z]")
_UNESCAPED = compile_lazily("[&<>]")
_NO_BREAK = compile_lazily("\u00a0")
# At the start of a line: after spaces, or after a marker; not what is emphasized between asterisks.
_LEADING = compile_lazily(r"[ \t]*\u00a0[ \t\u00a0]*(?=((?:[-+*]|\d{1,9}[.)])[ \u00a0])?)")
_AFTER_MARKER = compile_lazily(r"([ \t]*(?:[-+]|\*(?!.*\*)|\d{1,9}[.)]|#{1,6})) ?\u00a0[ \u00a0]*")
_TRAILING = compile_lazily(r"(?<![ \u00a0]) *\u00a0[ \u00a0]*$")
_BESIDE_SPACE = compile_lazily(r"(?<![ \u00a0])(?: +\u00a0|\u00a0+ )[ \u00a0]*(?=[^ \u00a0|])")
_NO_BREAK_IN_CODE = compile_lazily(r"(?<=[\x00-\x7f\u00a0])\u00a0(?=[\x00-\x7f\u00a0])")
# A byte-order mark is none. After `@` and `#`, one keeps a mention from notifying, after `:` a word from being an
# emoji. Thai, Lao, Tibetan, Myanmar and Khmer divide words by them.
_SCRIPTS = "\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff"
_INVISIBLE = compile_lazily(f"(?!\\A\ufeff)(?<![{_SCRIPTS}])(?<![@#:](?=.\\w))[\u200b\u2060\ufeff](?![{_SCRIPTS}])")
# At the start of a string, they are its content.
_INVISIBLE_IN_CODE = compile_lazily("(?<![\"'])[\u200b\u2060\ufeff]")
# `tree` draws with no-break spaces.
_BOX_CHARACTER = compile_lazily("[\u2500-\u257f]")
# In these, quotation marks and spaces are content.
_MARKUP_LANGUAGES = frozenset({"html", "svg", "vue", "xml"})
_STRAIGHT_QUOTE = compile_lazily("[\"'`]")
_CURLY_QUOTES = compile_lazily("[“”‘’]")

MIN_NO_BREAK = 5
"""Spaces of prose that do not break, and are more than those that do: they come from an editor, not from the author."""
MIN_INLINE_CODE = 6
"""Characters of inline code, with backticks: shorter is a quotation of the characters themselves."""


def replace_spaces(source: Source) -> Iterator[Changes]:
    """Replace no-break spaces where they are no typography: at markers and other spaces, in code, or everywhere."""
    in_prose = [Change(*match.span(), " ") for match in source.matches(_NO_BREAK)]
    spaces = sum(source.markdown.count(" ", *line) for each in source.prose for line in each.lines)
    if len(in_prose) > max(MIN_NO_BREAK, spaces):
        yield tuple(in_prose)
    elif _NO_BREAK.search(source.markdown):
        for index, line in (each for prose in source.prose for each in source.lines_of(prose)):
            start = source.starts[index]
            if match := _LEADING.match(line):
                yield (Change(start, start + match.end(), " " * match.end() if match[1] else ""),)
            elif match := _AFTER_MARKER.match(line):
                yield (Change(start + match.end(1), start + match.end(), " "),)
            if match := _TRAILING.search(line):
                yield (Change(start + match.start(), start + match.end(), ""),)
        for match in source.matches(_BESIDE_SPACE):
            yield (Change(*match.span(), " "),)
        for start, end in _code(source):
            if not _BOX_CHARACTER.search(source.markdown, start, end):
                yield _replaced(source, _NO_BREAK_IN_CODE, (start, end), " ")


def remove_invisible(source: Source) -> Iterator[Changes]:
    """Remove zero-width spaces, but not between words of scripts without spaces."""
    if any(character in source.markdown for character in "\u200b\u2060\ufeff"):
        for match in source.matches(_INVISIBLE):
            yield (Change(*match.span(), ""),)
        for span in _code(source):
            yield _replaced(source, _INVISIBLE_IN_CODE, span, "")


def remove_escapes(source: Source) -> Iterator[Changes]:
    """Remove the escape sequences of a terminal's colors, from code too: Markdown has none."""
    if escapes := tuple(Change(*match.span(), "") for match in _ESCAPE_SEQUENCE.finditer(source.markdown)):
        yield escapes


def unescape_entities(source: Source) -> Iterator[Changes]:
    """Undo the second escaping of `&lt;` and its like, in lines without a character that was not escaped twice."""
    is_escaped: dict[int, bool] = {}
    for match in source.matches(_ENTITY):
        line = match.pos, match.endpos
        if line[0] not in is_escaped:
            is_escaped[line[0]] = not _UNESCAPED.search(_ENTITY.sub("", source.markdown[slice(*line)]))
        if is_escaped[line[0]]:
            yield (Change(*match.span(), "&"),)


def straighten_quotes(source: Source) -> Iterator[Changes]:
    """Make pairs of curly quotes in code straight, if it has no straight ones, in which they may be content."""
    if _CURLY_QUOTES.search(source.markdown):
        for start, end in _code(source):
            code = source.markdown[start:end].strip("`")
            # What is a quotation as a whole shows the quotation marks.
            if code[:1] not in "“‘" and not _STRAIGHT_QUOTE.search(code):
                for opening, closing, straight in ('“”"', "‘’'"):
                    if 0 < code.count(opening) <= code.count(closing):
                        yield _replaced(source, re.compile(f"[{opening}{closing}]"), (start, end), straight)


def _replaced(source: Source, pattern: re.Pattern[str], span: Span, after: str) -> Changes:
    return tuple(Change(*match.span(), after) for match in pattern.finditer(source.markdown, *span))


def _code(source: Source) -> Iterator[Span]:
    """Yield where code is: in fences with a programming language, and in inline code that is more than a mark."""
    for fence in source.fences:
        if fence.language not in PROSE_LANGUAGES | _MARKUP_LANGUAGES and fence.end > fence.first + 1:
            yield source.starts[fence.first + 1], source.end_of(fence.end - 1)
    yield from ((start, end) for start, end in source.code_spans if end - start > MIN_INLINE_CODE)


def escape_tildes(source: Source) -> Iterator[Changes]:
    """Escape tildes between numbers, such as `5~7`, that strike out the text between them."""
    for kind, (start, end) in source.slips:
        if kind == "strike":
            places = (start, end - 1)
            ranges = {match.end() - 1 for match in RANGE_TILDE.finditer(source.markdown, max(0, start - 5), end + 2)}
            if ranges.intersection(places):
                yield tuple(Change(place, place, "\\") for place in places)
