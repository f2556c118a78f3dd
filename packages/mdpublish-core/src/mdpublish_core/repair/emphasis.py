"""Bold text whose marks stand on the wrong side of a space, or beside a letter."""

from collections.abc import Iterator

from mdpublish_core.repair.draft import Changes
from mdpublish_core.repair.source import Source
from mdpublish_core.strings.changes import Change
from mdpublish_core.strings.lazy_patterns import compile_lazily

_PAIR = compile_lazily(r"(?<!\*)\*\*(?!\*)([ \t]{0,3})([^*\n]{1,300}?)([ \t]{0,3})\*\*(?!\*)")
_WORDS = compile_lazily(r"[^\W\d_]{4}|[^\W\d_]{3}:?$|[^\W\d_]+ [^\W\d_]")


def move_marks(source: Source) -> Iterator[Changes]:
    """Move spaces out of bold text in a line, in which its marks would be shown; powers of numbers and names stay."""
    lines = set()
    for each in source.prose:
        is_open = False  # bold text that began in a line above
        for start, end in each.lines:
            is_odd = source.markdown.count("**", start, end) % 2 == 1
            if not (is_open or is_odd) and source.markdown.find("***", start, end) < 0:
                lines.add((start, end))
            is_open ^= is_odd
    for match in source.matches(_PAIR):
        before, words, after = match.groups()
        start, end = match.span()
        line = match.pos, match.endpos
        if (before or after) and _WORDS.match(words) and line in lines and line != (start, end):
            previous, following = source.markdown[start - 1 : start], source.markdown[end : end + 1]
            changes = [
                Change(start, start + 2 + len(before), " **" if before and previous.isalnum() else "**"),
                Change(end - 2 - len(after), end, "** " if after and following.isalnum() else "**"),
            ]
            yield tuple(change for change in changes if source.markdown[change.start : change.end] != change.after)


def add_spaces_after_bold(source: Source) -> Iterator[Changes]:
    """Put a space behind bold text whose marks are shown, since they stand between punctuation and a letter."""
    for kind, (_, end) in source.slips:
        if kind == "bold":
            yield (Change(end, end, " "),)
