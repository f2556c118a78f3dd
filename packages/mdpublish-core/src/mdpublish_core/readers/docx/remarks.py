"""What people said about a Word file, and changed in it: comments, and tracked changes, which are accepted."""

from collections import defaultdict
from collections.abc import Iterable, Iterator

from mdpublish_core.notices import Notice, shorten
from mdpublish_core.readers.html.parse import text_of
from mdpublish_core.resources.open_xml import Element, qualified

MAX_COMMENT = 300
"""Characters of a comment in its notice."""

_MAX_CHANGES = 5
"""Changes of an author in the notice."""

_MAX_OPEN = 50
"""Comments that overlap at one place."""

_ID, _AUTHOR = qualified("w:id"), qualified("w:author")
_START, _END, _TEXT_RUN = map(qualified, ("w:commentRangeStart", "w:commentRangeEnd", "w:t"))
_CHANGES = {qualified(f"w:{name}"): verb for name, verb in (("ins", "inserts"), ("del", "deletes"))}
_CHANGED = tuple(map(qualified, ("w:t", "w:delText")))


def remark_notices(stories: Iterable[Element], comments: Element | None) -> Iterator[Notice]:
    """Yield a notice for each comment, and for the tracked changes of each author."""
    quotes: dict[str, str] = {}
    changes: dict[str, list[str]] = defaultdict(list)
    for story in stories:
        quotes |= _quotes_in(story)
        for change in story.iter(*_CHANGES):
            if content := "".join(each.text or "" for each in change.iter(*_CHANGED)).strip():
                changes[_author_of(change)].append(f"{_CHANGES[change.tag]} {shorten(content)!r}")
    for comment in () if comments is None else comments.iterchildren(qualified("w:comment")):
        quote = quotes.get(comment.get(_ID, ""), "")
        place = f" on {shorten(quote)!r}" if quote else ""
        message = f"a comment of {_author_of(comment)}{place}: {text_of(comment)[:MAX_COMMENT]}"
        yield Notice("content-left-out", message)
    for author, listed in changes.items():
        more = f" and {len(listed) - _MAX_CHANGES:,} more" if len(listed) > _MAX_CHANGES else ""
        shown = ", ".join(listed[:_MAX_CHANGES])
        count = "a change" if len(listed) == 1 else f"{len(listed):,} changes"
        yield Notice("content-left-out", f"{count} of {author} accepted: {shown}{more}")


def _author_of(remark: Element) -> str:
    return shorten(remark.get(_AUTHOR, "") or "someone")


def _quotes_in(story: Element) -> dict[str, str]:
    """Return the beginning of what each comment is about."""
    begun: dict[str, list[str]] = {}
    ended: dict[str, str] = {}
    for element in story.iter(_START, _END, _TEXT_RUN):
        key = element.get(_ID, "")
        if element.tag == _START:
            begun |= {key: []} if len(begun) < _MAX_OPEN else {}
        elif element.tag == _END:
            ended[key] = "".join(begun.pop(key, ()))
        else:
            for parts in begun.values():
                if len(parts) < MAX_COMMENT:
                    parts.append(element.text or "")
    return ended
