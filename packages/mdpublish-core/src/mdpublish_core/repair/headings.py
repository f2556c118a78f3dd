"""Headings that are none, and paragraphs that became headings."""

from bisect import bisect
from collections.abc import Iterator
from itertools import zip_longest

from mdpublish_core import nodes
from mdpublish_core.repair.draft import Changes
from mdpublish_core.repair.source import Source
from mdpublish_core.strings.changes import Change
from mdpublish_core.strings.lazy_patterns import compile_lazily

_UNSPACED = compile_lazily(r" {0,3}#{2,6}(?=[^\W\d_]|\d+[.)] |\*\*)")
_UNSPACED_TITLE = compile_lazily(r"#(?=[^\W\d_a-z][^#]{0,80} [^#]{0,80}[^#\s.!?,:;]$)")
_GLUED = compile_lazily(
    r"(?:[.!?:;…)\]*\"”’»。！？：；）]|[a-z]{3}|[\u2600-\u27bf\U0001f300-\U0001faff]\ufe0f?)(?=#{2,6} (?:[*\W\d]{0,6})[A-Z\d\u00c0-\U0003ffff][^#|]{0,79}$)"
)
_BOLD = compile_lazily(r"\*\*([^*\n]{1,80}[^*\n.!?,;])\*\*$")
_LABEL = compile_lazily(r"\*\*[^*\n]{1,60}(?::\*\*|\*\*:) ")
_UNDERLINE = compile_lazily(r" {0,3}---[ \t]*$")

MIN_WORDS = 5
"""Words of a sentence that is no heading."""
MIN_WORDS_ABOVE = 4
"""Words of a line above three dashes that is no heading, if nothing is below and other headings have marks."""
MAX_HEADING = 80
"""Characters of a heading: a longer line above dashes is a paragraph."""


def add_spaces(source: Source) -> Iterator[Changes]:
    """Add the space after a heading's marks; one mark may be a hashtag, but not on the first line above headings."""
    has_headings = any(line.startswith("##") for line in source.lines)
    for paragraph in source.paragraphs:
        first = source.written[0] if has_headings and len(paragraph.lines) == 1 else None
        for index, line in source.lines_of(paragraph):
            match = _UNSPACED.match(line) or (index == first and _UNSPACED_TITLE.match(line))
            if match:
                place = source.starts[index] + match.end()
                yield (Change(place, place, " "),)


def part_from_text(source: Source) -> Iterator[Changes]:
    """Begin a heading on a line of its own, where its marks stand directly behind a text and it ends the line."""
    paragraphs = {line for each in source.prose if isinstance(each.block, nodes.Paragraph) for line in each.lines}
    for match in source.matches(_GLUED):
        line = source.lines[bisect(source.starts, match.start()) - 1]
        # In a quote, it would end that.
        if (match.pos, match.endpos) in paragraphs and not line.lstrip().startswith(">"):
            yield (Change(match.end(), match.end(), source.newline * 2),)


def part_from_rules(source: Source) -> Iterator[Changes]:
    """Add a blank line above three dashes that turn a sentence, or words with nothing below, into a heading."""
    has_marks = any(isinstance(each, nodes.Heading) and each.level > 1 for each in source.blocks)
    empty = {
        id(block)
        for block, below in zip_longest(source.blocks, source.blocks[1:])
        if has_marks and (below is None or (isinstance(below, nodes.Heading) and below.level <= 2))
    }
    underlined = [each for each in source.prose if isinstance(each.block, nodes.SetextHeading)]
    are_empty = empty.issuperset(id(each.block) for each in underlined)
    for each in underlined:
        index = each.first + len(each.lines)
        written = source.markdown[slice(*each.span)]
        is_no_heading = _is_sentence(written) or (are_empty and len(written.split()) >= MIN_WORDS_ABOVE)
        if is_no_heading and _UNDERLINE.match(source.lines[index]):
            yield (Change(source.starts[index], source.starts[index], source.newline),)


def _is_sentence(written: str) -> bool:
    ends = written.endswith((".", "!", "…", "。", "！")) and len(written.split()) >= MIN_WORDS
    return ends or len(written) > MAX_HEADING or bool(_LABEL.match(written))


def promote_bold_lines(source: Source) -> Iterator[Changes]:
    """Make bold lines headings, one level below the heading above them."""
    level, paragraphs = 1, {id(each.block): each for each in source.paragraphs}
    for block in source.blocks[:-1]:
        if isinstance(block, nodes.Heading | nodes.SetextHeading):
            level = block.level
        elif (each := paragraphs.get(id(block))) and len(each.lines) == 1:
            start, end = each.span
            if _BOLD.match(source.markdown[start:end]):
                yield Change(start, start + 2, f"{'#' * min(6, level + 1)} "), Change(end - 2, end, "")
