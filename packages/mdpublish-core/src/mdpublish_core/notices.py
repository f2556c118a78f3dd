"""Diagnostics for authors. Codes are stable; messages are for people."""

from collections.abc import Mapping
from dataclasses import dataclass

NOTICES: Mapping[str, str] = {
    "table-extra-cells": "A table row has more cells than the header; the extra cells are dropped, as on GitHub. Reported "
    "once per table.",
    "email-too-long": "The email exceeds about 102 KB of HTML, the size at which Gmail clips a message.",
    "code-not-highlighted": "A code block is not highlighted: it is too long, or its language's highlighter is too slow on "
    "some input.",
    "document-too-complex": "The document takes more work than documents of its size are allowed; the rest is shown as its "
    "source. Reported once.",
    "machine-busy": "The machine was too busy to render a figure, so its source is shown. Convert again; the document is not at "
    "fault.",
    "chart-option-ignored": "A chart option is ignored: it needs scripting (a function, a plugin, an animation), or its value "
    "is invalid. The rest of the chart is shown.",
    "broken-link": "A relative link points to a missing file or heading. Reported by `mdpublish check` and `mdpublish batch`.",
    "nesting-too-deep": "Content is nested deeper than the limit. Deeper Markdown is shown as text; deeper HTML elements are "
    "removed, and their text stays.",
    "figure-failed": "A diagram, chart or formula could not be rendered; its source is shown.",
    "figure-repaired": "A diagram has a slip whose intent is clear, such as a label without quotes; it is drawn from the "
    "corrected line, which the message shows.",
    "table-truncated": "A table's rows are so much shorter than its header that padding them would exceed the limit; the "
    "remaining rows are shown as text.",
    "missing-image": "An image has a relative URL, which does not work in an email, a message or a pasted document; its "
    "alternative text is shown. From the command line: the image file is missing or cannot be embedded.",
    "unsupported-html": 'Raw HTML is shown as text, because the destination does not support it (`raw_html="keep"`), or an '
    "element that is not allowed was removed. Its text stays, except that of scripts and stylesheets.",
    "too-many-references": "References expand to many times the size of the document; later references are shown as text.",
    "slack-too-long": "The text exceeds a Slack limit: 3,000 characters in a text object, 4,000 recommended and 40,000 allowed "
    "in a message.",
    "unsafe-link": "A link or image has a URL scheme other than `http`, `https`, `mailto` and `tel`. The URL is removed, and "
    "the text stays.",
}
"""Every code and its meaning in Markdown, printed by the reference."""

_MAX_QUOTED_CHARACTERS = 40


@dataclass(frozen=True, slots=True)
class Notice:
    """A diagnostic for the author."""

    code: str
    """Stable identifier, one of the codes in the list of notices."""

    message: str
    """Human-readable message."""

    line: int | None = None
    """First line of the block, 1-based; None if the notice concerns the whole document."""

    def __post_init__(self) -> None:
        assert self.code in NOTICES, self.code


def unsafe_link_notice(url: str, line: int | None) -> Notice:
    return Notice("unsafe-link", f"the scheme of the URL {shorten(url)!r} is not allowed", line)


def too_complex_notice(what: str, line: int | None) -> Notice:
    """Return the notice of an exhausted budget; `what` is what is shown as its source, with its verb."""
    message = f"the document takes more work than documents of its size are allowed; {what} shown as their source"
    return Notice("document-too-complex", message, line)


def shorten(value: str) -> str:
    """Truncate author-supplied text for use in a message."""
    return value if len(value) <= _MAX_QUOTED_CHARACTERS else value[: _MAX_QUOTED_CHARACTERS - 1] + "…"
