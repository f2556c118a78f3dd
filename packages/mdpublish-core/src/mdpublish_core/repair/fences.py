"""Code that does not end, or ends too late."""

from bisect import bisect
from collections.abc import Callable, Iterator, Sequence

from mdpublish_core.repair.draft import Changes
from mdpublish_core.repair.source import Source
from mdpublish_core.strings.changes import Change
from mdpublish_core.strings.lazy_patterns import compile_lazily

PROSE_LANGUAGES = frozenset(
    {"", "console", "diff", "log", "markdown", "md", "mdx", "output", "plaintext", "rst", "tex", "text", "txt"}
)
"""Languages of fences in which prose is content."""

_INNER_FENCE = compile_lazily(r"(`{3,}|~{3,})[ \t]*[a-zA-Z][\w+#-]*[ \t]*$")
_GLUED = compile_lazily(r"([^`]*[^`\s])[ \t]*(```[a-zA-Z][\w+#-]*[ \t]*)$")
_CODE = compile_lazily(r"[{};=<>_\\]|\w\(|^(?:\s|#|//|--)")
_MARKS = compile_lazily(r"(?:[-*+] |\d+[.)] |> |#{2,6} )?[*_\"'“(]*")
_SPAN = compile_lazily(
    r"`[^`\n]+`|\\\((?:[^\\\n]|\\[^()\n])+\\\)|\*\*[^*\n]+\*\*|\[[^\[\]\n]+\]\([^\s()]+\)|【[^【】\n]*】"
)
"""Code, a formula, bold text, a link or a citation in a sentence."""

_TITLE = compile_lazily(r"#{2,6} [^\W\d_]|\*\*[^*\n]+\*\*:?$")

MIN_WORDS = 4
"""Words of a line of prose after code; fewer may be a comment or a command, unless they are a short sentence."""

_SHORT_SENTENCE = compile_lazily(r"[A-Z][a-z]*(?:[ ’'-][a-z]+){1,2}[.!?]$")


def end_of_code(lines: Sequence[str], begin: int, limit: int, is_end: Callable[[int], bool] = lambda _: False) -> int:
    """Return the index of the first line of prose after a blank one, outside comments and docstrings, or the limit."""
    double = single = comments = 0
    for index in range(begin, limit):
        is_below_blank = index > begin and not lines[index - 1].strip()
        is_open = double % 2 or single % 2 or comments > 0
        if is_below_blank and (is_end(index) or (not is_open and _is_prose(lines[index]))):
            return index
        double += lines[index].count('"""')
        single += lines[index].count("'''")
        comments = max(0, comments + lines[index].count("/*") - lines[index].count("*/"))
    return limit


def _is_prose(line: str) -> bool:
    if _SHORT_SENTENCE.match(line):
        return True
    plain_text, spans = _SPAN.subn("X", line)
    words = _MARKS.sub("", plain_text, count=1).split()
    is_sentence = len(words) >= MIN_WORDS and words[0][0].isupper()
    return is_sentence and (spans > 0 or line.rstrip("*_ ")[-1:] in ".:!?…") and not _CODE.search(plain_text)


def part_from_text(source: Source) -> Iterator[Changes]:
    """Begin code on a line of its own, where its fence stands at the end of a sentence."""
    ends = [index for index in source.written if source.lines[index].startswith("```")]
    for index, line in (each for paragraph in source.paragraphs for each in source.lines_of(paragraph)):
        number = bisect(ends, index)
        if (match := _GLUED.match(line)) and number < len(ends) and source.lines[ends[number]].strip() == "```":
            place = source.starts[index]
            yield (Change(place + match.end(1), place + match.start(2), source.newline * 2),)


def close_fences(source: Source) -> Iterator[Changes]:
    """End code before the prose below it: at the end of the text, or where a further fence would end it."""
    for fence in source.fences:
        if not fence.is_top_level or fence.language in PROSE_LANGUAGES:
            continue
        opening = source.lines[fence.first].strip()
        inside = range(fence.first + 1, fence.end)
        marks = opening[: len(opening) - len(opening.lstrip(opening[0]))]
        indented = (index for index in inside if source.lines[index].strip() == marks)
        if not fence.is_closed and (last := next(indented, None)):
            yield (Change(source.starts[last], source.starts[last] + source.lines[last].index(marks), ""),)
            continue
        further = (i for i in inside if source.lines[i].startswith(opening[:3]) and _INNER_FENCE.match(source.lines[i]))
        limit = next(further, fence.end)
        end = end_of_code(source.lines, fence.first + 1, limit)
        written = [index for index in range(fence.first, end) if source.lines[index].strip()]
        if end < limit and len(written) > 2 and _TITLE.match(source.lines[written[-1]]):
            del written[-1]
        last = written[-1]
        is_cut_off = end == fence.end and not fence.is_closed
        swallows = end < limit and (limit < fence.end or not fence.is_closed)
        if last > fence.first and (is_cut_off or swallows):
            place = source.end_of(last)
            yield (Change(place, place, source.newline + marks),)
