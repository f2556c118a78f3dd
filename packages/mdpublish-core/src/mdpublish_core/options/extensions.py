"""CommonMark extensions and raw HTML modes."""

from typing import Literal, get_args

Extension = Literal[
    "table",
    "strikethrough",
    "tasklist",
    "autolink",
    "tagfilter",
    "footnote",
    "callout",
    "math",
    "figure",
    "cjk-emphasis",
]

ALL_EXTENSIONS: frozenset[Extension] = frozenset(get_args(Extension))
"""Names of all CommonMark extensions; all are on by default."""

RawHtml = Literal["sanitize", "escape", "keep"]

RAW_HTML_MODES: tuple[RawHtml, ...] = get_args(RawHtml)
