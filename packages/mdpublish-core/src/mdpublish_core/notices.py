"""Diagnostics for authors. Codes are stable; messages are for people."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from mdpublish_core.data_files import read_table
from mdpublish_core.strings.lazy_patterns import compile_lazily
from mdpublish_core.strings.positions import SourcePosition

NOTICES: Mapping[str, str] = dict(read_table(__file__, "notices.tsv"))
"""Every code and its meaning in Markdown, printed by the reference."""

_MAX_QUOTED_CHARACTERS = 40

MAX_NOTICES = 100
"""Notices of one code for a document; nobody reads more, and 100 KB have room for 14,000 unsafe links."""

MAX_UNCLOSED_NOTICES = 20

_UNLISTED = compile_lazily("([0-9,]+) more notices of this kind are not listed")


@dataclass(frozen=True, slots=True)
class Notice:
    """A diagnostic for the author."""

    code: str
    """Stable identifier, one of the codes in the list of notices."""

    message: str
    """Human-readable message."""

    line: int | None = None
    """Line of the Markdown, 1-based: that of `column`, else the block's first; None for the whole document."""

    column: int | None = None
    """Character of the line at which `source` starts, 1-based; None if the whole block is concerned."""

    source: str | None = None
    """The Markdown concerned, as the author wrote it: the text at `line` and `column`, cut after 500 characters."""

    fix: str | None = None
    """What to write in place of `source`, if that is known."""

    def __post_init__(self) -> None:
        assert self.code in NOTICES, self.code
        assert self.fix is None or self.source is not None, "a fix replaces a source"


def unclosed_html_notice(opening: str, position: SourcePosition) -> Notice:
    """Return the notice of raw HTML that never ends; `opening` is its tag or mark as written."""
    return Notice("unclosed-html", f"{shorten(opening)!r} has no end and is shown as text", *position)


def unsafe_link_notice(url: str, position: SourcePosition) -> Notice:
    return Notice("unsafe-link", f"the scheme of the URL {shorten(url)!r} is not allowed", *position)


def limit_notices(notices: Iterable[Notice]) -> Iterator[Notice]:
    """Yield the first notices of each code, and how many more there are, also of notices that were limited before."""
    # Most documents have no notices, and a counter is not made in no time.
    counts: dict[str, int] = {}
    unlisted: dict[str, int] = {}
    for notice in notices:
        if more := _UNLISTED.fullmatch(notice.message):
            # The same notices may have been limited twice.
            unlisted[notice.code] = max(unlisted.get(notice.code, 0), int(more[1].replace(",", "")))
            continue
        counts[notice.code] = counts.get(notice.code, 0) + 1
        if counts[notice.code] <= MAX_NOTICES:
            yield notice
    for code, count in counts.items():
        if more_of_it := max(count - MAX_NOTICES, 0) + unlisted.get(code, 0):
            yield Notice(code, f"{more_of_it:,} more notices of this kind are not listed")


def sorted_by_position(notices: Iterable[Notice]) -> list[Notice]:
    """Sort by line and column; notices of the whole document come last."""
    return sorted(notices, key=lambda notice: (notice.line is None, notice.line or 0, notice.column or 0))


def too_complex_notice(what: str, line: int | None) -> Notice:
    """Return the notice of an exhausted budget; `what` is what is shown as its source, with its verb."""
    message = f"the document takes more work than documents of its size are allowed; {what} shown as their source"
    return Notice("document-too-complex", message, line)


def shorten(value: str) -> str:
    """Truncate author-supplied text for use in a message."""
    return value if len(value) <= _MAX_QUOTED_CHARACTERS else value[: _MAX_QUOTED_CHARACTERS - 1] + "…"
