"""Front matter: `key: value` lines between `---` lines at the start of a document, or TOML between `+++` lines.

A first block of another kind is Markdown: CommonMark's thematic breaks and headings stay what they are. So is a block
past the limits, with a notice: nothing in it is lost.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from mdpublish_core.errors import install_command
from mdpublish_core.front_matter import FrontMatter, FrontMatterValue, kind_of
from mdpublish_core.notices import Notice, shorten
from mdpublish_core.options.extensions import DIALECTS, Extension, named_extensions
from mdpublish_core.readers.markdown import emoji
from mdpublish_core.strings.lazy_patterns import compile_lazily
from mdpublish_core.strings.positions import MAX_SOURCE_CHARACTERS, SourcePosition

MAX_BYTES = 16_384
"""Size in UTF-8 of the lines between the marks: twenty times what site generators' documentation shows."""

MAX_KEYS = 200

_OPENING = compile_lazily(r"---[ \t]*")
_CLOSING = compile_lazily(r"(?:---|\.\.\.)[ \t]*")

# A name of up to four words, so that a sentence with a colon is prose; or a quoted one.
_KEY = compile_lazily(
    r"""(?:"([^"\\]{1,100}+)"|'([^']{1,100}+)'|([^\W_][\w.-]{0,60}(?:[ :][\w.-]{1,60}){0,3}|_\w[\w.-]{0,60}))"""
    r"""[ \t]*:(?:[ \t]+|$)"""
)
_TOML_KEY = compile_lazily(r"[ \t]*([^\s=#\[][^=]*)=")
_TABLE = compile_lazily(r"[ \t]*\[")
_ITEM = compile_lazily(r"-(?:[ \t]|$)")
_COMMENT_OR_BLANK = compile_lazily(r"[ \t]*(?:#|$)")


@dataclass(frozen=True, slots=True)
class Entry:
    """A key's lines: `start` and `end` are 0-based, the end exclusive."""

    key: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class FrontMatterBlock:
    """Front matter and its position: `end` is the first line below it, 0-based."""

    values: FrontMatter
    entries: tuple[Entry, ...]
    end: int
    notices: tuple[Notice, ...]


def find_front_matter(lines: Sequence[str]) -> FrontMatterBlock | Notice | None:
    """Return the front matter of a document, a notice if it is past a limit, or None if there is none."""
    if lines and lines[0].rstrip(" \t") == "+++":
        return _find_toml(lines)
    if not (lines and _OPENING.fullmatch(lines[0])):
        return None
    starts: list[tuple[str, int]] = []
    size = 0
    for number in range(1, len(lines)):
        line = lines[number]
        if _CLOSING.fullmatch(line):
            return _read(lines, starts, number) if starts else None
        if match := _KEY.match(line):
            starts.append((match[1] or match[2] or match[3], number))
        elif not (starts and _continues(lines, number, starts[-1][1])):
            return None
        size += len(line.encode()) + 1
        if size > MAX_BYTES or len(starts) > MAX_KEYS:
            return _too_long(f"{MAX_BYTES:,} bytes" if size > MAX_BYTES else f"{MAX_KEYS} keys")
    return None


def _too_long(limit: str) -> Notice:
    return Notice(
        "front-matter-ignored", f"front matter must be at most {limit}; it is shown as Markdown, shorten it", 1
    )


def _find_toml(lines: Sequence[str]) -> FrontMatterBlock | Notice | None:
    """Return TOML front matter; a block without a key and a value is Markdown."""
    from mdpublish_core.readers.markdown.toml_values import read_toml
    from mdpublish_core.readers.markdown.yaml_values import UnreadableValue

    end = next((number for number, line in enumerate(lines[1:], 1) if line.rstrip(" \t") == "+++"), 0)
    if not any("=" in line for line in lines[1:end]):
        return None
    if len("\n".join(lines[1:end]).encode()) > MAX_BYTES:
        return _too_long(f"{MAX_BYTES:,} bytes")
    try:
        values = read_toml(lines[1:end])
    except UnreadableValue as error:
        message = f"front matter is not valid TOML ({shorten(str(error))}); it is shown as Markdown"
        return Notice("front-matter-ignored", message, 1)
    if len(values) > MAX_KEYS:
        return _too_long(f"{MAX_KEYS} keys")
    return FrontMatterBlock(values, _toml_entries(lines[:end]), end + 1, ())


def _toml_entries(lines: Sequence[str]) -> tuple[Entry, ...]:
    """Return where the keys below the first line are; what precedes them, and tables, which come last, have no key."""
    starts = [("", 1)]
    for number, line in enumerate(lines[1:], 1):
        if _TABLE.match(line):
            starts.append(("", number))
            break
        if match := _TOML_KEY.match(line):
            starts.append((match[1].strip(" \t\"'"), number))
    ends = [*(start for _, start in starts[1:]), len(lines)]
    return tuple(Entry(key, start, end) for (key, start), end in zip(starts, ends, strict=True))


def _continues(lines: Sequence[str], number: int, start: int) -> bool:
    """Whether a line belongs to the entry that starts at `start`."""
    line = lines[number]
    if not line.strip(" \t") or line[0] in " \t":
        return True
    if line[0] == "#":
        # Between blank lines, it is a heading.
        return bool(lines[number - 1].strip(" \t") or lines[number + 1 : number + 2] != [""])
    value = lines[start][_end_of_key(lines[start]) :]
    if _ITEM.match(line):
        return bool(_COMMENT_OR_BLANK.match(value))
    return line[0] in "]}" and value[:1] in {"[", "{"}


def _end_of_key(line: str) -> int:
    match = _KEY.match(line)
    return match.end() if match else 0


def _read(lines: Sequence[str], starts: Sequence[tuple[str, int]], end: int) -> FrontMatterBlock:
    values: dict[str, FrontMatterValue] = {}
    positions: dict[str, SourcePosition] = {}
    entries: list[Entry] = []
    notices: list[Notice] = []
    for index, (written_key, start) in enumerate(starts):
        next_start = starts[index + 1][1] if index + 1 < len(starts) else end
        position = SourcePosition(start + 1, 1, lines[start].rstrip(" \t")[:MAX_SOURCE_CHARACTERS])
        key, value = _read_entry(written_key, lines[start:next_start], position, notices)
        entries.append(Entry(key, start, next_start))
        if key in positions:
            message = f"`{shorten(key)}` is repeated; the last value counts"
            notices.append(Notice("front-matter-ignored", message, *position))
            values.pop(key, None)
        positions[key] = position
        if value is not None:
            values[key] = value
    return FrontMatterBlock(FrontMatter(values, positions), tuple(entries), end + 1, tuple(notices))


def _read_entry(
    written_key: str, lines: Sequence[str], position: SourcePosition, notices: list[Notice]
) -> tuple[str, FrontMatterValue | None]:
    from mdpublish_core.readers.markdown.yaml_values import UnreadableValue, double_quoted, read_pair

    try:
        return read_pair("\n".join(lines) + "\n")
    except UnreadableValue as error:
        problem = str(error)
    shown = shorten(written_key)
    if not all(_COMMENT_OR_BLANK.match(other) for other in lines[1:]):
        message = f"`{shown}` is not valid YAML ({problem}); it is ignored"
        notices.append(Notice("front-matter-ignored", message, *position))
        return written_key, None
    start = _end_of_key(lines[0])
    value = _without_quotes(lines[0][start:].rstrip(" \t"))
    message = f"`{shown}` is not valid YAML ({problem}); its value is read as text: write it in double quotes"
    fix = f"{lines[0][:start]}{double_quoted(value)}"
    is_whole = max(len(lines[0]), len(fix)) <= MAX_SOURCE_CHARACTERS
    notices.append(Notice("front-matter-repaired", message, *position, fix if is_whole else None))
    return written_key, value


def _without_quotes(value: str) -> str:
    """Take off quotes around the whole value, not those of its first word."""
    if len(value) < 2 or value[0] != value[-1] or value[0] not in "\"'":
        return value
    inner = value[1:-1]
    return value if inner.partition(value[0])[2].startswith(" ") else inner


def words_of(value: FrontMatterValue) -> tuple[str, ...]:
    """Return the names in a list, or in a string with commas or spaces between them; none in what is nested."""
    if isinstance(value, str):
        return tuple(value.replace(",", " ").split())
    return tuple(each for each in value if isinstance(each, str)) if isinstance(value, tuple) else ()


def extension_words(values: FrontMatter) -> tuple[str, ...]:
    """Return the names of the dialect and the extensions that front matter selects, for `named_extensions`."""
    dialect = values.get("dialect", "")
    named = (dialect,) if isinstance(dialect, str) and dialect in DIALECTS else ()
    return (*named, *words_of(values.get("extensions", "")))


def extensions_of(values: FrontMatter) -> tuple[frozenset[Extension] | None, Sequence[Notice]]:
    """Return the extensions that front matter selects, or None, and a notice for each unknown or missing one."""
    if "extensions" not in values and "dialect" not in values:
        return None, ()
    names = extension_words(values)
    selected, unknown = named_extensions(names)
    problems = [("extensions", f"unknown extension {shorten(name)!r}") for name in unknown]
    if (kind := kind_of(values.get("extensions", ""))) not in {"text", "a list"}:
        problems.append(("extensions", f"`extensions` must be text or a list of texts (got {kind})"))
    if "emoji" in selected and not emoji.is_installed():
        selected -= {"emoji"}
        missing = f"the extension 'emoji' needs a package that is not installed (run: {install_command('emoji')})"
        problems.append(("extensions", missing))
    if (dialect := values.get("dialect")) and dialect not in names[:1]:
        got = repr(shorten(dialect)) if isinstance(dialect, str) else kind_of(dialect)
        problems.append(("dialect", f"dialect must be one of {', '.join(DIALECTS)} (got {got})"))
    return selected, [
        Notice("front-matter-ignored", f"{problem}; it is ignored", *values.position_of(key))
        for key, problem in problems
    ]
