"""Diagnostics for authors. Codes are stable; messages are for people."""

from collections.abc import Mapping
from dataclasses import dataclass

NOTICES: Mapping[str, str] = {
    "table-extra-cells": "A row of a table has more cells than the header, so that they are left out, as on GitHub; said once a "
    "table.",
    "email-too-long": "The mail is longer than Gmail shows, which hides the rest behind a link: about 102 KB of HTML.",
    "code-not-highlighted": "A block of code stays in one colour: it is longer than the bound, or the highlighter of its language "
    "takes too long on some texts.",
    "chart-option-ignored": "A part of a chart is left out, and the rest is drawn: what only a script could do, such as a function, a "
    "plugin or an animation, or an option whose value means nothing.",
    "broken-link": "A relative link leads to no file; from `mdpublish check` and `mdpublish batch`.",
    "nesting-too-deep": "The text nests deeper than the bound: the marks of blocks that are too deep are shown as text, and so is "
    "a text whose inlines are; HTML elements that are too deep are left out, and their text stays.",
    "figure-failed": "A diagram, a chart or math is shown as its source.",
    "table-truncated": "A table's rows are so much shorter than its header that filling them up would pass the bound, so the "
    "table ends there and its further rows are shown as text.",
    "missing-image": "A picture's address is relative to the document, so that whoever reads it in a mail, a message or a "
    "pasted document sees the text that stands for it. From the command: the picture leads to no file, or "
    "cannot be taken along.",
    "unsupported-html": 'With `raw_html="keep"`: raw HTML is shown as text in a destination that cannot take it. Else: an HTML '
    "element is none of those that are kept: its text stays, but that of a script or a stylesheet.",
    "too-many-references": "References stand for addresses and titles that are many times as long as the whole text: from that line on "
    "they are shown as text.",
    "slack-too-long": "The text is longer than one of the bounds of Slack: 3,000 characters in a text object, 4,000 in a "
    "message as it is advised, 40,000 at the most.",
    "unsafe-link": "A link or an image lost its address, since its scheme is not one of `http`, `https`, `mailto` and `tel`; "
    "its text stays.",
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
    return Notice("unsafe-link", f"the address {shorten(url)!r} is of a scheme that is not linked", line)


def shorten(value: str) -> str:
    """Truncate author-supplied text for use in a message."""
    return value if len(value) <= _MAX_QUOTED_CHARACTERS else value[: _MAX_QUOTED_CHARACTERS - 1] + "…"
