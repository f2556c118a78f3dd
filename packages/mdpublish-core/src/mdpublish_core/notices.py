"""What a conversion tells its author: things that could not be shown as they were written.

A notice is never an error. Its code is stable and documented in docs/reference/notices.md; its message is for people.
"""

from dataclasses import dataclass
from typing import Literal, get_args

NoticeCode = Literal[
    "cells",
    "email_size",
    "highlighting",
    "link",
    "nesting",
    "not_drawn",
    "padding",
    "picture",
    "raw_html",
    "slack_length",
    "unsafe_url",
]

NOTICE_CODES: tuple[NoticeCode, ...] = get_args(NoticeCode)

# How much of an address or a name a notice repeats, in characters.
_SHOWN_CHARACTERS = 40


@dataclass(frozen=True, slots=True)
class Notice:
    """One thing to tell the author; `line` is 1-based in the source, None where it concerns the whole document."""

    code: NoticeCode
    message: str
    line: int | None = None


def unsafe_url(url: str, line: int | None) -> Notice:
    """Return the notice that an address is not linked."""
    return Notice("unsafe_url", f"the address {shortened(url)!r} is of a scheme that is not linked", line)


def shortened(text: str) -> str:
    """Return as much of what an author wrote as a notice repeats."""
    return text if len(text) <= _SHOWN_CHARACTERS else text[: _SHOWN_CHARACTERS - 1] + "…"
