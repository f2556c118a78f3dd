"""Words of a chat window's own that were copied with a response: who speaks, the buttons and languages above code."""

from collections.abc import Iterator, Sequence

from mdpublish_core.highlighting.lexers import SAFE_LEXERS
from mdpublish_core.repair.draft import Changes
from mdpublish_core.repair.fences import end_of_code
from mdpublish_core.repair.source import Source
from mdpublish_core.strings.changes import Change
from mdpublish_core.strings.lazy_patterns import compile_lazily

_SPEAKER = compile_lazily(
    r"(?:#{1,6} )?(?:\*\*)?(?:ChatGPT|Claude|Copilot|DeepSeek|Gemini|Grok|Perplexity) said:?(?:\*\*)?[ \t]*$"
    r"|(?:Thought|Reasoned|Worked) for(?: (?:a few|a couple of|\d+) ?(?:[hms]|(?:hour|minute|second)s?))+[ \t]*$"
)
_THOUGHTS, _THOUGHTS_END = compile_lazily(r"[ \t]*<think>"), compile_lazily(r".*</think>[ \t]*$")
_READER = compile_lazily(r"(?:#{1,6} )?(?:\*\*)?You said:")
_COPY = {"Copy", "Copy code"}
_BUTTONS = {*_COPY, "Edit", "Run", ""}
_PLAIN = {"plaintext", "text", "txt"}
_LANGUAGES = SAFE_LEXERS | _PLAIN | {"c#", "c++", "js", "sh", "shell", "ts"}

_LEAD = compile_lazily(r"[A-Z][a-z]*(?: [a-z]+){0,8}:$")
"""A line that leads to further code."""

MAX_LINES = 6
"""Lines between a language and its code: three buttons, with blank lines."""


def remove_speaker(source: Source) -> Iterator[Changes]:
    """Remove an assistant's name and thinking time above its only response; in a dialogue, names say who speaks."""
    first, *rest = source.written or [0]
    if _SPEAKER.match(source.lines[first]) and not any(map(_READER.match, source.lines)):
        yield (source.without_lines(first, rest[0] if rest else first + 1),)


def remove_thoughts(source: Source) -> Iterator[Changes]:
    """Remove what a model thought, in `<think>`, before its response."""
    first, *rest = source.written or [0]
    if _THOUGHTS.match(source.lines[first]):
        end = next((index for index in (first, *rest) if _THOUGHTS_END.match(source.lines[index])), None)
        if rest and end not in (None, rest[-1]):
            yield (source.without_lines(first, next(index for index in rest if index > end)),)


def remove_buttons(source: Source) -> Iterator[Changes]:
    """Remove the language and the buttons above code, and give the fence the language; without a fence, add one."""
    for fence in source.fences:
        if fence.is_top_level:
            first, inside = fence.first, fence.first + 1
            above, language = _labels_above(source.lines, first)
            count, inner_language = _labels(source.lines[inside : fence.end])
            changes = [source.without_lines(above, first)] if above < first else []
            if changes or count:
                language, place = language or inner_language, source.end_of(first)
                if language and not fence.language and language not in _PLAIN:
                    changes.append(Change(place, place, language))
                yield (*changes, source.without_lines(inside, inside + count)) if count else tuple(changes)
    for paragraph in source.paragraphs:
        yield from _add_fence(source, paragraph.first)


def _labels_above(lines: Sequence[str], end: int) -> tuple[int, str]:
    """Return the index of the first label above a fence, and the language; alone, it stands directly above."""
    index, copies = end, list[int]()
    while index and end - index < MAX_LINES and lines[index - 1].strip() in _BUTTONS:
        index -= 1
        copies += [index] if lines[index].strip() in _COPY else []
    index = index if copies else end
    word = lines[index - 1].strip().lower() if index else ""
    if word in _LANGUAGES and (index < 2 or not lines[index - 2].strip()):
        return index - 1, word
    return (copies[-1] if copies else end), ""


def _labels(lines: Sequence[str]) -> tuple[int, str]:
    """Return how many lines at the top are labels: "Copy code", or below a language "Copy", perhaps with "Edit"."""
    language, *rest = [line.strip() for line in lines[:3]] or [""]
    if language == "Copy code":
        return 1, ""
    count = 3 if rest == ["Copy", "Edit"] else 2 if rest and rest[0] in _COPY else 0
    return (count, language.lower()) if count and language.lower() in _LANGUAGES else (0, "")


def _add_fence(source: Source, first: int) -> Iterator[Changes]:
    lines = source.lines
    count, language = _labels(lines[first : first + 3])
    begin = first + count
    if language and begin < len(lines) and not lines[begin].startswith(("```", "~~~")):
        end = end_of_code(lines, begin, len(lines), lambda index: bool(_labels(lines[index : index + 3])[1]))
        written = [index for index in range(begin, end) if lines[index].strip()]
        if (
            end < len(lines)
            and len(written) > 1
            and not lines[written[-1] - 1].strip()
            and _LEAD.match(lines[written[-1]])
        ):
            del written[-1]
        if written:
            fence = "~~~" if any("```" in lines[index] for index in written) else "```"
            place = source.end_of(written[-1])
            opening = Change(source.starts[first], source.starts[begin], f"{fence}{language}{source.newline}")
            yield opening, Change(place, place, f"{source.newline}{fence}")
