"""Parts of Markdown that need escapes: text, destinations, titles, code and info strings.

The parser decides: a part is written without escapes if it is parsed as what it was.
"""

import re
from functools import lru_cache

from mdpublish_core.data_files import read_table
from mdpublish_core.readers.markdown.abbreviations import MARK
from mdpublish_core.readers.markdown.characters import ENTITY, unescape
from mdpublish_core.readers.markdown.info_strings import read_info_string
from mdpublish_core.readers.markdown.links import read_destination, read_title
from mdpublish_core.strings.lazy_patterns import compile_lazily

_ROWS = read_table(__file__, "escapes.tsv")

SPECIAL = {name: pattern.replace("<ENTITY>", ENTITY.pattern) for name, pattern, _ in _ROWS}
"""Characters by their name in `InlineStyle.escaped`, where they may mean something."""

SPECIAL_WITH = {name: extensions for name, _, extensions in _ROWS if extensions}
"""Those that mean something only with one of some extensions."""

_ALWAYS = r"[\n\r\0]"

# What follows an unclosed one may close it, however far below.
_OPENINGS = (
    r"<(?=!--|\?|!\[CDATA\[|![A-Za-z]|/?(?:iframe|noembed|noframes|plaintext|pre|script|style|textarea|title|xmp)\b)"
)

_TAG = f"(?P<tag>{SPECIAL['<']})"

_LINE_START = compile_lazily(
    r"(?:(#{1,6})(?=[ \t]|$)|([-+*])(?=[ \t]|$)|(\d{1,9})(?=[.)](?:[ \t]|$))|(>)|(=+|-+)(?=[ \t]*$)|(:{3,}|!{3}|\?{3})"
    r"|([|:-])(?=[-|: \t]*$)|([-_*])(?=[-_* \t]*$)|(\[)(?=\^?[^\]\s]+\]:))"
)
_OPTIONAL_MARK = compile_lazily(r"\A(?:(?:Table)?:(?=[ \t])|/(?=//))")
_FANCY_MARK = compile_lazily(r"\A\(?(?:\d{1,9}|#|[A-Za-z]|[ivxlcdm]{2,9}|[IVXLCDM]{2,9})[.)](?=[ \t]|\Z)")
_COLONS = compile_lazily(r"(?::{3,})(?=[^:]|$)")

_PLAIN_TARGET = re.compile(r"[^\x00-\x20\x7f()<>\\&]+")
_WHITE_SPACE = compile_lazily(r"[ \t\n]+")
_PLAIN_TEXT = re.compile(r"[^\W\d_](?:[ ,;.()'\"/%?!\u2010-\u2027-]|[^\W_])*")


def is_plain(content: str) -> bool:
    """Whether a line of text means nothing else, wherever it stands."""
    return _PLAIN_TEXT.fullmatch(content) is not None and content[-1] != " " and "www." not in content


def reference(character: str) -> str:
    return f"&#x{ord(character):x};"


@lru_cache(maxsize=256)
def _pattern(escaped: frozenset[str], *, is_forced: bool, has_html: bool) -> re.Pattern[str]:
    parts = [re.escape(name) if is_forced and name not in ".#" else SPECIAL[name] for name in sorted(escaped)]
    return re.compile("|".join([_ALWAYS, *([_OPENINGS] if has_html else []), *parts, *([_TAG] if has_html else [])]))


def escape_text(
    content: str, escaped: frozenset[str], *, is_forced: bool, has_html: bool, edges: tuple[bool, bool], at: str
) -> str:
    r"""Return text with the characters of some names escaped; `at` is what keeps an `@` from an email address.

    With `has_html`, nothing in it is a tag for another program; `edges` tell whether a line begins before and ends after it.
    """
    last = len(content) if edges[1] else content.rfind(">")

    def escape(match: re.Match[str]) -> str:
        character = match[0]
        if match.lastgroup == "tag" and match.start() > last and (match.start() or not edges[0]):
            return character
        if character == "@":
            return at
        return "\ufffd" if character == "\0" else reference(character) if character in "\n\r" else f"\\{character}"

    return _pattern(escaped, is_forced=is_forced, has_html=has_html).sub(escape, content)


def escape_line_start(line: str) -> str:
    """Return a line of a paragraph that does not begin a block."""
    if (match := _LINE_START.match(line)) is None:
        return line
    position = match.end() if match[3] else 0
    return f"{line[:position]}\\{line[position:]}"


def escape_mark(line: str, *, is_item: bool = False) -> str:
    """Return a line that begins no definition and no caption, or no item of a list with letters."""
    pattern = _FANCY_MARK if is_item else _OPTIONAL_MARK
    return pattern.sub(lambda match: f"{line[: match.end() - 1]}\\{match[0][-1]}", line, count=1)


def escape_colons(line: str) -> str:
    """Return a line that does not end a fence of colons, which may be far above."""
    return f"\\{line}" if _COLONS.match(line) else line


def code_span(content: str) -> str:
    marks = fence_of(content, "`", 1)
    is_padded = content[:1] == "`" or content[-1:] == "`" or (content[:1] == content[-1:] == " " and content.strip(" "))
    return f"{marks} {content} {marks}" if is_padded else f"{marks}{content}{marks}"


def fence_of(content: str, mark: str, length: int) -> str:
    """Return marks that are no run of a text: at least `length`, and for one, as few as possible."""
    runs = {len(run) for run in re.findall(re.escape(mark) + "+", content)}
    if length > 1:
        return mark * max([length, *(run + 1 for run in runs)])
    return mark * next(number for number in range(1, len(runs) + 2) if number not in runs)


def destination(target: str) -> str:
    """Return a link's destination, bare if it can be."""
    if _PLAIN_TARGET.fullmatch(target):
        return target
    escaped = _escape(target, "\\")
    for written in (target, escaped, _escape(target, "\\()")):
        if written[:1] != "<" and _is_read(read_destination(f"{written})", 0), target, written):
            return written
    return f"<{_escape(target, chr(92) + '<>')}>"


def definition_of(target: str, title: str, label: str) -> str:
    """Return the definition of a link's target, or of an abbreviation."""
    if label.startswith(MARK):
        return f"{label}]: {title}"
    return f"[{_WHITE_SPACE.sub(' ', label)}]: {destination(target) or '<>'}{title and f' {title_of(title)}'}"


def title_of(title: str) -> str:
    for written in (f'"{title}"', f"'{title}'"):
        if "\n" not in title and _is_read(read_title(written, 0), title, written):
            return written
    return f'"{_escape(title, chr(92) + chr(34))}"'


def _is_read(part: tuple[str, int] | None, value: str, written: str) -> bool:
    return part is not None and part[0] == value and part[1] == len(written) and bool(value)


def _escape(value: str, characters: str) -> str:
    for character in characters:
        value = value.replace(character, f"\\{character}")
    value = ENTITY.sub(lambda match: f"&amp;{match[0][1:]}", value)
    return value.replace("\n", "&#xa;").replace("\r", "&#xd;")


def info_string(info: str) -> str:
    """Return what follows the mark of a fence."""
    if "\n" not in info and "\r" not in info and read_info_string(info) == info:
        return info
    written = _escape(info, "\\")
    for edge in (0, -1):
        if written[edge : edge + 1 or None] in {" ", "\t"}:
            written = written[:edge] + reference(written[edge]) + (written[1:] if edge == 0 else "")
    return written if unescape(written) == info else info


def word_option(name: str, value: str) -> str:
    """Return `key=value` of an info string."""
    if value and not re.search(r"[\s\"']", value):
        return f"{name}={value}"
    quote = "'" if '"' in value else '"'
    return f"{name}={quote}{value}{quote}"
