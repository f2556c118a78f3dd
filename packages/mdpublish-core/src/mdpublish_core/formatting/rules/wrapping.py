"""Paragraphs are filled to lines of a width, if one is asked for.

Links, code, formulas and HTML are one word. Paragraphs with marks of templates, attributes or definition lists stay.
"""

from collections.abc import Iterable, Iterator

from mdpublish_core.formatting.source import BLANKS, MarkedSource, Unit
from mdpublish_core.readers.markdown.marks import ParagraphLines
from mdpublish_core.strings.changes import Change
from mdpublish_core.strings.lazy_patterns import compile_lazily

_GAP = compile_lazily(r"[ \t]++\n?|\n")
_FOREIGN = compile_lazily(r"\{[{%<]|:::|\}$|\n:[ \t]")
_NOTE = compile_lazily(r"(.*)\[\^[^\]\s]+\]:[ \t]*$")
_BOX = compile_lazily(r"\[[ xX]\] ?")
_BEGINS_BLOCK = compile_lazily(r"[-+*>#=|~:<$!?/]|`{3}|\d{1,9}[.)]|\[[^\]]*+\]:|\\(?:\[|begin)")


def propose(source: MarkedSource, name: str) -> Iterable[Unit]:
    if source.width is None:
        return
    for paragraph in source.marks.paragraphs:
        if not _FOREIGN.search(paragraph.source):
            changes = list(_changes(source, paragraph, source.width))
            if changes:
                yield Unit(name, changes)


def _changes(source: MarkedSource, paragraph: ParagraphLines, width: int) -> Iterator[Change]:
    content = paragraph.source
    places = [source.start_of(line) + column for line, column in paragraph.lines]
    line, column = paragraph.lines[0]
    prefix = _continued(source.lines[line][:column])
    if len(places) > 1:
        following, indent = paragraph.lines[1]
        prefix = source.lines[following][:indent]
    newline = source.newline_after(places[0])
    gaps = list(_gaps(content, paragraph))
    filled, number, line_start = column + (gaps[0][0] if gaps else 0), 0, 0
    for index, (start, end) in enumerate(gaps):
        next_start = gaps[index + 1][0] if index + 1 < len(gaps) else len(content)
        word = content[end:next_start]
        is_break = content[end - 1] == "\n"
        is_hard = is_break and (content.startswith("  ", start) or content[start - 1] == "\\")
        is_full = filled + 1 + len(word.partition("\n")[0]) > width
        is_broken = is_hard or (is_full and (is_break or not _BEGINS_BLOCK.match(word)))
        first = places[number] + start - line_start
        if is_break:
            number, line_start = number + 1, end
        if is_broken != is_break:
            last = places[number] + end - line_start
            yield Change(first, last, f"{newline}{prefix}" if is_broken else " ")
        filled = len(prefix) + len(word) if is_broken else filled + 1 + len(word)
        if "\n" in word:
            number += word.count("\n")
            line_start = end + word.rindex("\n") + 1
            filled = len(prefix) + next_start - line_start


def _gaps(content: str, paragraph: ParagraphLines) -> Iterator[tuple[int, int]]:
    """Yield the spans between words, where a line may end."""
    atoms = iter(sorted(paragraph.atoms))
    nowhere = len(content), len(content)
    first, last = next(atoms, nowhere)
    for gap in _GAP.finditer(content):
        while last <= gap.start() and first < len(content):
            first, last = next(atoms, nowhere)
        if gap.start() and gap.end() <= first:
            yield gap.span()


def _continued(prefix: str) -> str:
    """Return what a further line has in place of the marks before the first."""
    if note := _NOTE.match(prefix):
        return f"{note[1]}    "
    return "".join(each if each in f"{BLANKS}>" else " " for each in _BOX.sub("", prefix))
