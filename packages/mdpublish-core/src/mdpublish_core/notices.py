"""Diagnostics for authors. Codes are stable; messages are for people."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from mdpublish_core.strings.lazy_patterns import compile_lazily
from mdpublish_core.strings.positions import SourcePosition

NOTICES: Mapping[str, str] = {
    "table-extra-cells": "A table row has more cells than the header; the extra cells are dropped, as on GitHub.",
    "table-bar-in-code": "A bar in the inline code of a table divides the cell, as on GitHub. Write it with a backslash.",
    "table-bar-in-math": "A bar in a formula of a table does not divide the cell if the row has one for each column "
    "then. On GitHub, and in other rows, it does. Write it with a backslash.",
    "email-too-long": "The email has 99,000 bytes of HTML or more; Gmail clips it near 100,000. The message says what weighs most.",
    "code-not-highlighted": "A code block is not highlighted: it is too long, or its language's highlighter is too "
    "slow on some input.",
    "document-too-complex": "The document takes more work than documents of its size are allowed; the rest is shown as "
    "its source. Reported once.",
    "machine-busy": "The machine was too busy to render a figure, so its source is shown. Convert again; the document "
    "is not at fault.",
    "chart-option-ignored": "A chart option is ignored: it needs scripting (a function, a plugin, an animation), or "
    "its value is invalid. The rest of the chart is shown.",
    "undefined-reference": "A link or image names a reference, such as `[text][label]`, that the document does not "
    "define. It is shown as text. Or `\\ref` or `\\eqref` names the label of no formula, or of one without a number.",
    "undefined-footnote": "A reference to a footnote, such as `[^1]`, that the document does not define. It is shown as text.",
    "unread-syntax": "Something that another program or an extension reads is shown as text: `[[Page]]`, `![[image.png]]`, `^[a note]`, "
    "`:::` and `!!!`, `%%comment%%`, `[TOC]`, `# Title {#id}`, or `==text==` without `highlight`. Each is reported once, with the extension that reads it. "
    "Or a chat's text is read in another way: `\\[x\\]` in a line, `**Bold:**text`, single tildes in words, links of Slack; each is reported with its fix.",
    "heading-without-space": "A heading has no space between its signs and its text, so it is shown as text.",
    "unclosed-fence": "A fence of code or a diagram has no end, so that all that follows is part of it.",
    "broken-link": "A relative link points to a missing file or heading. Reported by `mdpublish check`, `batch` and `site`.",
    "inexact-link": "A relative link or image differs from its file or heading only by letter case, or by hyphens and "
    "underscores. Reported by `mdpublish check`.",
    "nesting-too-deep": "Content is nested deeper than the limit. Deeper Markdown is shown as text; deeper HTML "
    "elements are removed, and their text stays.",
    "fence-failed": "A fence that a plug-in reads has a mistake; its source is shown.",
    "figure-failed": "A diagram, chart or formula could not be rendered; its source is shown.",
    "figure-too-large": "A flowchart, state, class, entity relationship or requirement diagram, or a graph, is so "
    "large that its text has less than 9 px where it fits the destination's column, in either direction.",
    "figure-repaired": "A diagram has a slip whose intent is clear, such as a label without quotes, or "
    "`concentrate=true` where Graphviz loses the nodes with it; it is drawn from the corrected line, which is the fix.",
    "figure-text-missing": "The engine leaves words of a figure out. The rest of it is shown; write them in another way.",
    "table-stacked": "A table has too many columns for the width of the destination, even in small type. Each row is "
    "shown as labelled pairs, one below the other.",
    "table-truncated": "A table's rows are so much shorter than its header that padding them would exceed the limit; "
    "the remaining rows are shown as text.",
    "front-matter-ignored": "A value of the front matter is invalid or cannot be used here, so the default is used; or "
    "the front matter is too long, so it is shown as Markdown.",
    "front-matter-repaired": "A line of the front matter is not valid YAML, such as a title with a colon but without "
    "quotes; its value is read as text.",
    "internal-link": "A link to a heading or another place in the same document is shown as text, because Google Docs "
    "and OneNote keep no targets of links in pasted content. Reported once.",
    "missing-glyphs": "A PDF shows boxes in place of characters for which the machine has no font, such as Chinese ones or emoji.",
    "missing-image": "An image has a relative URL, which does not work in an email, a message or a pasted document; "
    "its alternative text is shown. From the command line: the image file is missing or cannot be embedded.",
    "image-not-embedded": "A Word file shows a link in place of an image, because it is on another site; reported "
    "once. Or it shows the alternative text, because not every version of Word shows the image's format.",
    "repaired": "What a chat window, a terminal or a mail program spoiled was repaired before the command converted "
    "the text. Positions of other notices are in the repaired text.",
    "content-left-out": "Something in an imported file that Markdown cannot express is left out, or is its text, such "
    "as a comment; or a saved page has more than its main text. The message says what.",
    "unclosed-html": "An element whose content is not Markdown, such as `<script>` or `<title>`, or a comment has no "
    "end. It is shown as text, and what follows is Markdown.",
    "unsupported-html": 'Raw HTML is shown as text, because the destination does not support it (`raw_html="keep"`), or an '
    "element that is not allowed was removed. Its text stays, except that of scripts and stylesheets.",
    "stylesheet-left-out": "Parts of your own stylesheet are not used: mistakes, what would load or run something or "
    "leave the document, and what the destination cannot show. One notice lists them.",
    "lost-on-import": "Imported HTML or a Word file shows something that is not in the Markdown: words, numbers of list "
    "items, check boxes, links, images, formulas or rows of tables. The message says how many of a kind, the first, and where.",
    "merge-kept": "A merge keeps what the edited document does not have at all, such as formulas that its program does "
    "not know, or the source of a figure whose picture was edited.",
    "merge-left-out": "An edit of an imported document has no place in the Markdown that it is merged into; the message has its text.",
    "merge-replaced": "A merge replaces a formula, a footnote's mark or an image of the source by the text that an edit put there.",
    "merge-rewritten": "A merge writes the whole document in one style, because its edits could not be written between the lines of the source.",
    "unknown-field": "A request to the service has fields or query parameters that it does not read. With the header "
    "`Prefer: handling=strict` they are an error.",
    "too-many-references": "References expand to many times the size of the document; later references are shown as text.",
    "plugin-failed": "A plug-in raised an exception, or returned something that cannot be part of a document. A fence "
    "is shown as code, a document as it was before its transform. The author is not at fault.",
    "plugin-notice": "A remark of a plug-in on what it read.",
    "slack-too-long": "The text exceeds a Slack limit: 3,000 characters in a text object, 4,000 recommended and 40,000 "
    "allowed in a message.",
    "formula-as-text": "A formula of imported HTML has no TeX and no MathML that can be read, so it is the text that it shows.",
    "table-simplified": "A table of imported HTML has cells that span others, or lists, code or other blocks in a cell. Markdown "
    "has plain cells: a cell that spans rows is repeated, and lines of a cell are divided by line breaks.",
    "unsafe-link": "A link or image has a URL scheme other than `http`, `https`, `mailto` and `tel`. The link is text "
    "with its URL beside it, in `html` without; the image is its alternative text.",
}
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
