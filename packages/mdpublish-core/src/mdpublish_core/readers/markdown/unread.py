"""What is shown as text although its author meant more.

That is syntax of extensions that are off, or of other programs, and references whose definition is missing. Brackets
are read where the inline scanner leaves them, so that other text costs nothing; the rest is searched for by marks.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from mdpublish_core.notices import MAX_NOTICES, Notice, shorten
from mdpublish_core.readers.markdown.callouts import NAMES
from mdpublish_core.readers.markdown.links import read_label
from mdpublish_core.readers.markdown.slips import (
    CORRECTED,
    DISPLAY_MATH,
    MESSAGES,
    SLACK_LINK,
    is_display_math,
    is_slack_link,
)
from mdpublish_core.readers.markdown.wikilinks import read_wikilink
from mdpublish_core.strings.lazy_patterns import compile_lazily
from mdpublish_core.strings.positions import SourcePosition, Span

MAX_UNREAD = 2 * MAX_NOTICES

_BY_EXTENSION = "the extension {} reads it"

_SYNTAXES: Mapping[str, tuple[str, str]] = {
    "wikilinks": ("a link or image in double brackets", _BY_EXTENSION),
    "inline-notes": ("an inline note", _BY_EXTENSION),
    "admonitions": ("an admonition", _BY_EXTENSION),
    "directives": ("a directive of another program", "write what it stands for"),
    "highlight": ("a highlight", _BY_EXTENSION),
    "ids": ("an id in braces", "put an HTML anchor before it"),
    "comments": ("a comment between %%", "write it as <!-- … -->"),
    "toc": ("a mark for a table of contents", "--toc adds one to pages and Word files"),
}
"""What messages call a syntax, and its remedy. Those that an extension reads have its name."""

_MARKS = (
    (":::", "admonitions"),
    (":::", "directives"),
    ("!!! ", "admonitions"),
    ('=== "', "admonitions"),
    ("==", "highlight"),
    ("%%", "comments"),
    ("{#", "ids"),
    ("{ #", "ids"),
    ("{: #", "ids"),
    ("\\[", "display-math"),
    ("<http", "slack-link"),
    ("<mailto:", "slack-link"),
    ("<tel:", "slack-link"),
)

HEADING_ID = compile_lazily(r"(?<=\s)\{:? ?#([A-Za-z][\w.:-]*)[^{}\n]*\}$")
"""An id behind a heading's text, as Pandoc and Python-Markdown write it."""

_NAMES = "|".join(sorted(NAMES))

_PATTERNS = {
    "admonitions": compile_lazily(
        rf"^(?::{{3,}}[ \t]*(?:\{{|(?:{_NAMES})\b(?!-)).*|!!! +[a-z][\w-]*(?: +\"[^\"\n]*\")?[ \t]*$|=== \"[^\"\n]+\"[ \t]*$)",
        re.MULTILINE | re.IGNORECASE,
    ),
    "directives": compile_lazily(rf"^:{{3,}}[ \t]*(?!(?:{_NAMES})\b(?!-))[A-Za-z].*", re.MULTILINE | re.IGNORECASE),
    "highlight": compile_lazily(r"(?<![\w=)\]}])==(?![\s=])[^=\n]+(?<!\s)==(?![\w=>])"),
    "ids": HEADING_ID,
    "comments": compile_lazily(r"(?<!\S)%%(?=[^%]*[^\W\d])[^%]+%%(?!\w)"),
    "display-math": DISPLAY_MATH,
    "slack-link": SLACK_LINK,
}
_IS_MEANT: Mapping[str, Callable[[re.Match[str]], bool]] = {
    "display-math": is_display_math,
    "slack-link": is_slack_link,
}
_TOC = compile_lazily(r"\[(?:TOC|\[(?:_?TOC_?)\])\]", re.IGNORECASE)
_FOOTNOTE = compile_lazily(r"\^(?!\w-\w)[\w][\w.:-]*")
_PROSE = compile_lazily(r"[^\W\d_]+[,.:;]?\s")


class Unread(NamedTuple):
    """A syntax, or a reference or footnote by its label; of a slip that can be corrected, the label is its source."""

    syntax: str
    label: str = ""


def read_brackets(source: str, start: int, end: int) -> tuple[Unread, int, int] | None:
    """Return what brackets that stay text were meant as, and where that begins and ends.

    They hold `source[start:end]`. A single word in them is text; so is an index, such as `rows[i][j]`.
    """
    before = source[start - 2 : start - 1] if start > 1 else ""
    content = source[start:end]
    if content[:1] == "^":
        return (Unread("note", content[1:]), start - 1, end + 1) if _FOOTNOTE.fullmatch(content) else None
    if end - start <= len("_TOC_") and content.strip("_").upper() == "TOC" and _TOC.fullmatch(source.strip()):
        return Unread("toc"), 0, len(source)
    if before == "[" and source.startswith("]]", end):
        return _read_name(source, start - 2, content, end + 2)
    if before == "^":
        is_prose = not source.startswith("\\", max(0, start - 3)) and _PROSE.search(content)
        return (Unread("inline-notes"), start - 2, end + 1) if is_prose else None
    if source.startswith("[", end + 1) and content.strip() and not (before.isalnum() or before in {"]", ")", "_"}):
        return _read_reference(source, start - 1 - (before == "!"), content, end + 1)
    return None


def _read_name(source: str, start: int, content: str, end: int) -> tuple[Unread, int, int] | None:
    """Read `[[Page]]`; only what has letters is a name."""
    mark = source[start - 1 : start] if start else ""
    is_name = mark != "\\" and (content[:1].isalnum() or content[:1] in {"#", "_"}) and any(map(str.isalpha, content))
    if not is_name or not read_wikilink(source, start, is_embed=False):
        return None
    return Unread("wikilinks"), start - (mark == "!"), end


def _read_reference(source: str, first: int, content: str, end: int) -> tuple[Unread, int, int] | None:
    """Read the label of `[text][label]` and `[text][]`. Two numbers are citations."""
    if source.startswith("]", end + 1):
        return Unread("reference", content), first, end + 2
    label = read_label(source, end)
    if label is None or label.value.startswith("^") or not label.value.strip():
        return None
    is_citation = content.isdigit() and label.value.isdigit()
    return None if is_citation else (Unread("reference", label.value), first, label.end)


def marks_in(markdown: str, read: Container[str]) -> Sequence[str]:
    """Return the syntaxes that are not `read`, whose marks are no brackets, and which a document may have."""
    return [
        name
        for mark, name in _MARKS
        if mark in markdown and name not in read and not (name == "directives" and "admonitions" in read)
    ]


def find_marks(
    sources: Iterable[str], names: Sequence[str], verbatim_spans: Callable[[str], Iterable[Span]]
) -> Iterator[tuple[Unread, Span, int]]:
    """Yield each unread syntax of a document's texts, outside code and formulas: its first span, and how often."""
    places: dict[Unread, tuple[Span, int]] = {}
    position = 0
    for source in sources:
        verbatim: list[Span] | None = None
        for name in dict.fromkeys(names):
            for match in _PATTERNS[name].finditer(source):
                verbatim = sorted(verbatim_spans(source)) if verbatim is None else verbatim
                if _is_free(source, match.start(), verbatim) and (name not in _IS_MEANT or _IS_MEANT[name](match)):
                    unread = Unread(name, match[0] if name in CORRECTED else "")
                    first = position + match.start(), position + match.end()
                    span, count = places.get(unread, (first, 0))
                    if count or len(places) < MAX_UNREAD:
                        places[unread] = span, count + 1
        position += len(source)
    return ((unread, span, count) for unread, (span, count) in places.items())


def _is_free(source: str, start: int, verbatim: Sequence[Span]) -> bool:
    index = bisect_right(verbatim, (start, len(source))) - 1
    return not source.startswith("\\", max(0, start - 1)) and (index < 0 or verbatim[index][1] <= start)


def unread_notice(unread: Unread, count: int, position: SourcePosition) -> Notice:
    if unread.syntax == "reference":
        return Notice("undefined-reference", f"the reference [{shorten(unread.label)}] has no definition", *position)
    if unread.syntax == "note":
        return Notice("undefined-footnote", f"the footnote [^{shorten(unread.label)}] has no definition", *position)
    if unread.syntax in CORRECTED:
        fix = CORRECTED[unread.syntax](unread.label) if position.source == unread.label else None
        return Notice("unread-syntax", MESSAGES[unread.syntax], *position, fix)
    name, remedy = _SYNTAXES[unread.syntax]
    times = f" ({count:,} times)" if count > 1 else ""
    message = f"{name} is shown as text{times}; {remedy.format(unread.syntax)}"
    return Notice("unread-syntax", message, *position)
