"""What a conversion tells its author: things that could not be shown as they were written.

A notice is never an error. Its code is stable and documented in docs/reference/notices.md; its message is for people.
"""

from dataclasses import dataclass
from typing import Literal, get_args

NoticeCode = Literal["nesting", "padding", "raw_html", "unsafe_url"]

NOTICE_CODES: tuple[NoticeCode, ...] = get_args(NoticeCode)


@dataclass(frozen=True, slots=True)
class Notice:
    """One thing to tell the author; `line` is 1-based in the source, None where it concerns the whole document."""

    code: NoticeCode
    message: str
    line: int | None = None
