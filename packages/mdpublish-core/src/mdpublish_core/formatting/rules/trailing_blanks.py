"""Lines have no blanks at their end, but where two spaces break a line, or may for another program."""

from collections.abc import Iterable

from mdpublish_core.formatting.source import BLANKS, MarkedSource, Unit
from mdpublish_core.strings.lazy_patterns import compile_lazily

_BEGINS_BLOCK = compile_lazily(r"[ \t]*(?:[-+*]|\d{1,9}[.)])[ \t]")


def propose(source: MarkedSource, name: str) -> Iterable[Unit]:
    headings = {line for line, _ in source.marks.headings}
    marks = (*source.marks.bullets, *source.marks.numbers)
    below_text = {line for (line, _), list_number in marks if list_number in source.marks.lists_below_text}
    for number, line in enumerate(source.lines):
        content = line.rstrip(BLANKS)
        # Blank lines are another rule's.
        if not content or content == line or number in source.verbatim:
            continue
        following = source.lines[number + 1] if number + 1 < len(source.lines) else ""
        is_item = number not in below_text and _BEGINS_BLOCK.match(line) and _BEGINS_BLOCK.match(following)
        is_last = is_item or not following.strip(BLANKS)
        is_heading = number in headings
        if not (is_heading and content[-1] == "#") and (line == f"{content} " or is_last or is_heading):
            yield Unit(name, [source.change((number, len(content)), len(line) - len(content), "")])
