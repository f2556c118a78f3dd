"""Lists with marks of word processors and chats."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import dropwhile

from mdpublish_core.repair.draft import Changes
from mdpublish_core.repair.source import Prose, Source
from mdpublish_core.strings.changes import Change
from mdpublish_core.strings.lazy_patterns import compile_lazily

_BULLET = compile_lazily(
    r"([ \t\u00a0]*)(?:([o§·])(?:\t|[ \u00a0]{2})[ \t\u00a0]*|([•◦▪▫●○‣⁃∙■□➢➤–‑−·\uf0a7\uf0b7])[ \t\u00a0]+|(•))(?=\S)"
)
_SINGLE = frozenset("•◦▪●‣⁃\uf0a7\uf0b7") | {"oo", "§§", "··"}
"""Marks of items even on a line of their own; others may be dashes of a dialogue. Doubled ones are Word's."""
_INNER = frozenset("◦▪▫○") | {"oo", "§§"}
# Lines that break, as their author saw to, need no list.
_BREAK = compile_lazily(r".*(?:<br ?/?>| {2}|\\)$")
_LINK = compile_lazily(r" {0,3}\[[^\[\]]+\]\([^\s()]+\)[ \t]*$")
_NUMBER = compile_lazily(r"[ \t]{0,3}(\d{1,3})(?:\)(?=[^\W\d_])|[)、]|）)[ \t]*(?=\S)")

_EMOJI = compile_lazily(
    r"[ \t]*(?:([☐☑☒])|[\u2190-\u21ff\u2600-\u27bf\u2b00-\u2bff\U0001f300-\U0001faff]\ufe0f?)[ \t]+(?=\S)"
)
_BOXES = {"☐": "- [ ] ", "☑": "- [x] ", "☒": "- [x] "}

_Level = tuple[int, str]
"""Columns before a bullet, and the bullet."""


def rewrite_bullets(source: Source) -> Iterator[Changes]:
    """Rewrite bullets, nested by their indentation or, if there is none, by their kind."""
    lists = list[list[tuple[Change, _Level]]]()
    counts, end = Counter[str](), -1
    for paragraph in source.paragraphs:
        # Between links, bullets are separators.
        is_link = _LINK.match(source.lines[paragraph.first])
        bullets = [] if is_link else list(_bullets(source, paragraph))
        counts.update(bullet for _, (_, bullet) in bullets)
        is_continued = bullets and bullets[0][1][1] in _SINGLE and end >= 0
        if is_continued and not "".join(source.lines[end : paragraph.first]).strip():
            lists[-1] += bullets
        else:
            lists.append(bullets)
        end = paragraph.first + len(paragraph.lines) if bullets else -1
    for bullets in lists:
        if len(bullets) > 1 or any(bullet in _SINGLE and counts[bullet] > 1 for _, (_, bullet) in bullets):
            levels = list[_Level]()
            yield tuple(change._replace(after=f"{_indentation(levels, level)}- ") for change, level in bullets)


def _bullets(source: Source, paragraph: Prose) -> Iterator[tuple[Change, _Level]]:
    for index, line in source.lines_of(paragraph):
        if (match := _BULLET.match(line)) and not _BREAK.match(line):
            start = source.starts[index]
            bullet = match[2] * 2 if match[2] else match[3] or match[4]
            yield Change(start, start + match.end(), ""), (len(match[1].expandtabs(4)), bullet)


def _indentation(levels: list[_Level], level: _Level) -> str:
    """Open an item's level, and close those that it ends; return the indentation of the item."""
    indent, bullet = level
    if level in levels:
        del levels[levels.index(level) :]
    while levels and levels[-1][0] > indent:
        levels.pop()
    if levels and levels[-1][0] == indent and (bullet not in _INNER or levels[-1][1] in _INNER):
        levels.pop()
    levels.append(level)
    return "  " * (len(levels) - 1)


def rewrite_numbers(source: Source) -> Iterator[Changes]:
    """Rewrite numbers before `)` without a space, or before marks of Chinese, that count up line by line."""
    for paragraph in source.paragraphs:
        matches = _last_lines(source, paragraph, _NUMBER)
        if matches and [int(match[1]) for _, match in matches] == [*range(1, len(matches) + 1)]:
            yield tuple(Change(start + match.end(1), start + match.end(), ") ") for start, match in matches)


def list_emoji(source: Source) -> Iterator[Changes]:
    """Make lines that begin with emoji, up to the end of their paragraph, a list, and boxes tasks."""
    for paragraph in source.paragraphs:
        matches = _last_lines(source, paragraph, _EMOJI)
        if matches and not any(_BREAK.match(match.string) for _, match in matches):
            yield tuple(
                Change(start, start + match.end(), _BOXES[match[1]]) if match[1] else Change(start, start, "- ")
                for start, match in matches
            )


def _last_lines(source: Source, paragraph: Prose, pattern: re.Pattern[str]) -> Sequence[tuple[int, re.Match[str]]]:
    """Return where and how lines match from the first one to the paragraph's end; nothing if it is no list."""
    every = ((source.starts[index], pattern.match(line)) for index, line in source.lines_of(paragraph))
    lines = list(dropwhile(lambda line: not line[1], every))
    matches = [(start, match) for start, match in lines if match]
    return matches if 1 < len(matches) == len(lines) else []
