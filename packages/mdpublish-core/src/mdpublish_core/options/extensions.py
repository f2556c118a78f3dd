"""What a text may be read with: the extensions of CommonMark, and what becomes of raw HTML."""

from typing import Literal, get_args

Extension = Literal[
    "table", "strikethrough", "tasklist", "autolink", "tagfilter", "footnote", "callout", "math", "figure"
]

ALL_EXTENSIONS: frozenset[Extension] = frozenset(get_args(Extension))
"""The names of all extensions of CommonMark, each on by default."""

RawHtml = Literal["sanitize", "escape", "keep"]

RAW_HTML_MODES: tuple[RawHtml, ...] = get_args(RawHtml)
