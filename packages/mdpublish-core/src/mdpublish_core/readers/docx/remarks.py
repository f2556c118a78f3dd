"""What people said about a Word file, and changed in it: comments, and tracked changes, which are accepted."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from mdpublish_core.notices import Notice, shorten
from mdpublish_core.readers.html.parse import text_of
from mdpublish_core.resources.open_xml import Element, qualified

MAX_COMMENT = 400
"""Characters of a comment in its notice, with its author and quote."""

_MAX_CHANGES = 5
"""Changes of an author in the notice."""

_MAX_OPEN = 50
"""Comments that overlap at one place."""

_ID, _AUTHOR = qualified("w:id"), qualified("w:author")
_START, _END, _CALLED, _TEXT_RUN, _PARAGRAPH = map(
    qualified, ("w:commentRangeStart", "w:commentRangeEnd", "w:commentReference", "w:t", "w:p")
)
_CHANGES = {
    qualified(f"w:{name}"): verb
    for name, verb in (("ins", "inserts"), ("del", "deletes"), ("moveTo", "moves here"), ("moveFrom", "moves away"))
}
_CHANGED = tuple(map(qualified, ("w:t", "w:delText")))
_WORD_2012 = "{http://schemas.microsoft.com/office/word/2012/wordml}"


class WordRemark(NamedTuple):
    """A comment or a change, as it is written into the text, and the paragraph that it is about, or the last of several."""

    author: str
    line: str
    place: Element | None
    change: str = ""
    """What the notice of a change says."""


def remarks_in(stories: Sequence[Element], comments: Element | None, replies: Element | None) -> Iterator[WordRemark]:
    """Yield the comments, in their order, then the tracked changes; `replies` tells which comments are some, or resolved."""
    quotes: dict[str, str] = {}
    places: dict[str, Element] = {}
    for story in stories:
        quotes |= _quotes_in(story)
        for mark in story.iter(_START, _END, _CALLED):
            if (place := next(mark.iterancestors(_PARAGRAPH), None)) is not None:
                places[mark.get(_ID, "")] = place
    threads = {each.get(f"{_WORD_2012}paraId", ""): each for each in (() if replies is None else replies)}
    authors: dict[str | None, str] = {}
    for comment in () if comments is None else comments.iterchildren(qualified("w:comment")):
        key, author, paragraphs = comment.get(_ID, ""), _author_of(comment), list(comment.iter(_PARAGRAPH))
        # A comment has the name of its last paragraph.
        name = paragraphs[-1].get(qualified("w14:paraId"), "") if paragraphs else ""
        thread = threads.get(name, comment)
        addressee = authors.get(thread.get(f"{_WORD_2012}paraIdParent"))
        authors[name] = author
        quote = f" on {shorten(quotes[key])!r}" if quotes.get(key) else ""
        about = f" to {addressee}" if addressee else quote
        about += ", resolved" if thread.get(f"{_WORD_2012}done") == "1" else ""
        yield WordRemark(author, f"{author}{about}: {' '.join(map(text_of, paragraphs))}", places.get(key))
    for story in stories:
        yield from _changes_in(story)


def remark_notices(remarks: Iterable[WordRemark]) -> Iterator[Notice]:
    """Yield a notice for each comment, and for the tracked changes of each author."""
    changes: dict[str, list[str]] = defaultdict(list)
    for remark in remarks:
        if remark.change:
            changes[remark.author].append(remark.change)
        else:
            yield Notice("content-left-out", f"a comment of {remark.line[:MAX_COMMENT]}")
    for author, listed in changes.items():
        more = f" and {len(listed) - _MAX_CHANGES:,} more" if len(listed) > _MAX_CHANGES else ""
        count = "a change" if len(listed) == 1 else f"{len(listed):,} changes"
        yield Notice("content-left-out", f"{count} of {author} accepted: {', '.join(listed[:_MAX_CHANGES])}{more}")


def _changes_in(story: Element) -> Iterator[WordRemark]:
    """Yield changes; what Word divides, one after the other, is one."""
    runs: list[list[Element]] = []
    for change in story.iter(*_CHANGES):
        last = runs[-1][-1] if runs else change
        if change.getprevious() is last and (change.tag, _author_of(change)) == (last.tag, _author_of(last)):
            runs[-1].append(change)
        else:
            runs.append([change])
    for first, *others in runs:
        content = "".join(each.text or "" for change in (first, *others) for each in change.iter(*_CHANGED)).strip()
        if content:
            author, place, verb = _author_of(first), next(first.iterancestors(_PARAGRAPH), None), _CHANGES[first.tag]
            yield WordRemark(author, f"{author} {verb} {content!r}", place, f"{verb} {shorten(content)!r}")


def _author_of(remark: Element) -> str:
    return shorten(remark.get(_AUTHOR, "") or "someone")


def _quotes_in(story: Element) -> dict[str, str]:
    """Return the beginning of what each comment is about."""
    begun: dict[str, list[str]] = {}
    ended: dict[str, str] = {}
    for element in story.iter(_START, _END, _TEXT_RUN, _PARAGRAPH):
        key = element.get(_ID, "")
        if element.tag == _START:
            begun |= {key: []} if len(begun) < _MAX_OPEN else {}
        elif element.tag == _END:
            ended[key] = "".join(begun.pop(key, ())).strip()
        else:
            for parts in begun.values():
                if len(parts) < MAX_COMMENT:
                    parts.append(element.text or "" if element.tag == _TEXT_RUN else " ")
    return ended
