"""Slips of chats, which Markdown shows as they are or reads as something else, and how they are written right.

The inline scanner, which alone knows what marks pair with, finds pairs; patterns find the others.
"""

import re
from collections.abc import Callable, Mapping
from unicodedata import category

from mdpublish_core.data_files import read_table
from mdpublish_core.readers.markdown.tex import has_command, is_display_tex
from mdpublish_core.strings.lazy_patterns import compile_lazily

DISPLAY_MATH = compile_lazily(r"(?<![\w\]\\])\\\[((?:[^\\$]|\\[^\[\]$]|(?!))*+)\\\]")
SLACK_LINK = compile_lazily(r"<((?:https?://|mailto:|tel:)[^\s<>|]{1,500})\|([^<>|\n]{1,300})>")
CITATION = (
    r":contentReference\[oaicite:\d+\](?:\{index=\d+\})?"
    "|\ue200(?!entity|url|link_title)[a-z_]+\ue202[^\ue200\ue201\n<]{0,500}\ue201"
    r"|(?:(?:file)?cite|\bi|\bnavlist[^\n<]{0,99}?)(?:turn\d+[a-z]+\d+)+(?:L\d+(?:-L\d+)?)?"
    r"|\[cite_start\]|\[cite_end\]"
    r"|\[cite: ?\d+(?:[-\u2013, ]{1,2}\d+)*\]"
)
"""Marks of sources that mean something in a chat window only: some between private characters, or what is left of these."""
RANGE_TILDE = compile_lazily(r"\d(?:[%°]|[^\W\d_]{1,3})?~(?=[$€£¥]?\d)")
"""A tilde between numbers, the first of which may have a unit."""

SIGNS = "%°$€£¥"
"""Signs that numbers beside a tilde may have."""

_QUERY = compile_lazily(r"\?.*[|][\w+%:&=,.-]+$")


def ends_bold(character: str) -> bool:
    """Return whether punctuation may end bold text, unlike a bracket that opens, as in `f(**x) and g(**y)`."""
    return character in "\"':;.,!?%\u2026" or category(character) in {"Pe", "Pf"}


def is_display_math(match: re.Match[str]) -> bool:
    r"""Return whether `\[…\]` in a line is a formula: exporters escape brackets around words, with no spaces inside."""
    tex = match[1]
    if tex.strip() in {"x", "X"} and not match.string[: match.start()].rsplit("\n", 1)[-1].strip(" \t>-+*0123456789.)"):
        # The box of a task.
        return False
    return is_display_tex(tex) and ((tex[:1].isspace() and tex[-1:].isspace()) or has_command(tex))


def is_slack_link(match: re.Match[str]) -> bool:
    """Return whether `<URL|text>` is Slack's, and not a URL with a bar in its query."""
    return not _QUERY.search(match[0][1:-1])


def _linked(source: str) -> str:
    url, _, label = source[1:-1].partition("|")
    target = f"<{url}>" if "(" in url or ")" in url else url
    escaped = re.sub(r"([][])", r"\\\1", label)
    return f"[{escaped}]({target})"


CORRECTED: Mapping[str, Callable[[str], str]] = {
    "display-math": lambda source: f"$${source[2:-2].strip()}$$",
    "slack-link": _linked,
    "bold": lambda source: f"{source} ",
    "strike": lambda source: f"\\{source[:-1]}\\~",
}
"""What to write, by the kind of a slip, for its source."""

MESSAGES: Mapping[str, str] = dict(read_table(__file__, "slips.tsv"))
