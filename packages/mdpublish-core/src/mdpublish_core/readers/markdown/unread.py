"""What is shown as text although its author meant more.

That is syntax of extensions that are off, or of other programs, and references whose definition is missing. Brackets
are read where the inline scanner leaves them, so that other text costs nothing; the rest is searched for by marks.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import NamedTuple

from mdpublish_core.nodes.open_nodes import TableCell, Token
from mdpublish_core.notices import MAX_NOTICES, Notice, shorten
from mdpublish_core.readers.markdown.links import read_label
from mdpublish_core.readers.markdown.slips import CORRECTED, MESSAGES
from mdpublish_core.readers.markdown.unread_syntax import PATTERNS, SYNTAXES, Syntax
from mdpublish_core.readers.markdown.wikilinks import read_wikilink
from mdpublish_core.strings.lazy_patterns import compile_lazily
from mdpublish_core.strings.positions import SourcePosition, Span

MAX_UNREAD = 2 * MAX_NOTICES

_MAX_CHARACTERS = 200
"""Of a citation, and of a URL before a mark in it."""

_TOC = compile_lazily(r"\[(?:TOC|\[(?:_?TOC_?)\])\]", re.IGNORECASE)
_STATES = frozenset("/<>!?*-")
_CALLOUT = compile_lazily(r"![A-Za-z][\w-]*(?:\|[^\]\n]*)?")
_CITATION = compile_lazily(r"(?:[^@\n]*[\s-])?@[A-Za-z_][\w:.#$%&+?<>~-]*(?:[,; ][^\n]*)?")
_FOOTNOTE = compile_lazily(r"\^(?!\w-\w)[\w][\w.:-]*")
_BEGINNING_OF_URL = compile_lazily(r"://[^\s()<>\[\]\"]*")
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
    if (content[:1] in _STATES and start == 1) or "@" in content:
        name = _name_of_brackets(content, source[end + 1 : end + 2])
        return (Unread(name), start - 1, end + 1) if name else None
    if end - start <= len("_TOC_") and content.strip("_").upper() == "TOC" and _TOC.fullmatch(source.strip()):
        return Unread("toc"), 0, len(source)
    if before == "^" or (before == "[" and source.startswith("]]", end)):
        return (_read_name if before == "[" else _read_note)(source, start - 2, content, end)
    if source.startswith("[", end + 1) and content.strip() and not (before.isalnum() or before in {"]", ")", "_"}):
        return _read_reference(source, start - 1 - (before == "!"), content, end + 1)
    return None


def _name_of_brackets(content: str, following: str) -> str | None:
    if content in _STATES and following == " ":
        return "task-states"
    if _CALLOUT.fullmatch(content):
        return "callout-kinds"
    is_citation = len(content) <= _MAX_CHARACTERS and following not in {"[", ":"} and _CITATION.fullmatch(content)
    return "citations" if is_citation else None


def _read_name(source: str, start: int, content: str, end: int) -> tuple[Unread, int, int] | None:
    """Read `[[Page]]`; only what has letters is a name."""
    mark = source[start - 1 : start] if start else ""
    is_name = mark != "\\" and (content[:1].isalnum() or content[:1] in {"#", "_"}) and any(map(str.isalpha, content))
    if not is_name or not read_wikilink(source, start, is_embed=False):
        return None
    return Unread("wikilinks"), start - (mark == "!"), end + 2


def _read_note(source: str, start: int, content: str, end: int) -> tuple[Unread, int, int] | None:
    is_prose = not source.startswith("\\", max(0, start - 1)) and _PROSE.search(content)
    return (Unread("inline-notes"), start, end + 1) if is_prose else None


def _read_reference(source: str, first: int, content: str, end: int) -> tuple[Unread, int, int] | None:
    """Read the label of `[text][label]` and `[text][]`. Two numbers are citations."""
    if source.startswith("]", end + 1):
        return Unread("reference", content), first, end + 2
    label = read_label(source, end)
    if label is None or label.value.startswith("^") or not label.value.strip():
        return None
    is_citation = content.isdigit() and label.value.isdigit()
    return None if is_citation else (Unread("reference", label.value), first, label.end)


def _grouped_marks() -> Mapping[str, Sequence[tuple[str, str]]]:
    """Return marks and their syntaxes by a sign of theirs that is rare in prose, else by themselves."""
    groups: dict[str, list[tuple[str, str]]] = {}
    for name, syntax in SYNTAXES.items():
        for mark in syntax.marks:
            sign = next((character for character in "{^%|+=\\<" if character in mark), mark)
            groups.setdefault(sign, []).append((mark, name))
    return groups


_MARKS = _grouped_marks()
_BY_HEAD: Mapping[str, Mapping[str, None]] = {
    head: dict.fromkeys(name for name, other in SYNTAXES.items() if head in other.heads)
    for syntax in SYNTAXES.values()
    for head in syntax.heads
}
_HEAD = compile_lazily(
    rf"\n(?=[{re.escape(''.join({head[0] for head in _BY_HEAD}))}])(?=({'|'.join(map(re.escape, _BY_HEAD))}))"
)


def _syntaxes_in(sources: Sequence[str]) -> Mapping[int, Iterable[str]]:
    """Return the syntaxes that texts may have, but for those in brackets, by the texts' indexes.

    Each sign is sought in all texts at once, and once in a text, which costs next to nothing where it is missing.
    """
    joined = "\n".join(("", *sources))
    starts = [*accumulate(map((1).__add__, map(len, sources)), initial=0)]
    syntaxes: dict[int, dict[str, None]] = {}
    for match in _HEAD.finditer(joined):
        syntaxes.setdefault(bisect_right(starts, match.start()) - 1, {}).update(_BY_HEAD[match[1]])
    for sign, marks in _MARKS.items():
        start = joined.find(sign)
        while start >= 0:
            index = bisect_right(starts, start) - 1
            if names := [name for mark, name in marks if mark in sources[index]]:
                syntaxes.setdefault(index, {}).update(dict.fromkeys(names))
            start = joined.find(sign, starts[index + 1])
    return syntaxes


def find_marks(
    pending: Sequence[tuple[Token, str]], read: Container[str], literal_spans: Callable[[str], Iterable[Span]]
) -> Iterator[tuple[Unread, Span, int]]:
    """Yield each syntax of a document's texts that is not `read`, outside what is verbatim: its first span, and how often."""
    places: dict[Unread, tuple[Span, int]] = {}
    position = 0
    syntaxes = _syntaxes_in([source for _, source in pending])
    for index, (_, source) in enumerate(pending if syntaxes else ()):
        verbatim: list[Span] | None = None
        for name in syntaxes.get(index, ()):
            is_sought = name not in read and (not SYNTAXES[name].within or SYNTAXES[name].within in read)
            for match in PATTERNS[name].finditer(source) if is_sought else ():
                verbatim = sorted(literal_spans(source)) if verbatim is None else verbatim
                if _is_free(source, match.start(), verbatim) and _is_meant(SYNTAXES[name], match, pending, index):
                    unread = Unread(name, match[0] if name in CORRECTED else "")
                    first = position + match.start(), position + match.end()
                    span, count = places.get(unread, (first, 0))
                    if count or len(places) < MAX_UNREAD:
                        places[unread] = span, count + 1
        position += len(source)
    yield from ((unread, span, count) for unread, (span, count) in places.items())


def _is_meant(syntax: Syntax, match: re.Match[str], pending: Sequence[tuple[Token, str]], index: int) -> bool:
    if syntax.is_meant:
        return syntax.is_meant(match)
    if syntax.beside_table is None or match.start():
        return not syntax.beside_table
    neighbors = (*pending[max(0, index - 1) : index], *pending[index + 1 : index + 2])
    return syntax.beside_table is any(isinstance(token, TableCell) for token, _ in neighbors)


def _is_free(source: str, start: int, verbatim: Sequence[Span]) -> bool:
    index = bisect_right(verbatim, (start, len(source))) - 1
    if source[start - 1 : start] == "\\" or (index >= 0 and verbatim[index][1] > start):
        return False
    url = source.rfind("://", max(0, start - _MAX_CHARACTERS), start)
    return url < 0 or not _BEGINNING_OF_URL.fullmatch(source, url, start)


def unread_notice(unread: Unread, count: int, position: SourcePosition) -> Notice:
    if unread.syntax == "reference":
        return Notice("undefined-reference", f"the reference [{shorten(unread.label)}] has no definition", *position)
    if unread.syntax == "note":
        return Notice("undefined-footnote", f"the footnote [^{shorten(unread.label)}] has no definition", *position)
    if unread.syntax in CORRECTED:
        fix = CORRECTED[unread.syntax](unread.label) if position.source == unread.label else None
        return Notice("unread-syntax", MESSAGES[unread.syntax], *position, fix)
    syntax = SYNTAXES[unread.syntax]
    times = f" ({count:,} times)" if count > 1 else ""
    remedy = syntax.remedy or f"the extension {unread.syntax} reads it"
    message = f"{syntax.name} of {syntax.dialect} is shown as {syntax.shown_as.replace('_', ' ')}{times}; {remedy}"
    return Notice("unread-syntax", message, *position)
