"""Heading prefixes. Characters survive in emails and documents, unlike CSS content."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from unicodedata import numeric

from mdpublish_core import nodes
from mdpublish_core.data_files import read_table
from mdpublish_core.strings.lazy_patterns import compile_lazily
from mdpublish_core.strings.list_numbers import to_letters, to_roman
from mdpublish_core.templates import Style
from mdpublish_core.templates.style import HeadingMarks

# In the languages that assistants are asked in most. Others are caught by their marks, and by being counted from 1 on.
_PARTS = "|".join(row[1] for row in read_table(__file__, "heading_parts.tsv"))

# Before the number: an emoji or a check mark.
_DECORATION = compile_lazily(r"(?:[^\w\s(（\[【§#]\S{0,5}\s+)?")

_ENUMERATED = compile_lazily(
    "|".join(form.replace("PART", f"(?:{_PARTS})") for _, form in read_table(__file__, "heading_forms.tsv")),
    re.IGNORECASE,
)

# `Sprintziel 1`, `M1:`, and `1 Install`: up to three words, or none, and their number. What is not counted from 1 on is
# a name or an amount: `Windows 11:`, `Python 3:`, `2026 in review`.
_COUNTED_WORDS = compile_lazily(
    r"((?:[^\W\d_]{1,20}\.?\s{1,3}){0,2}(?:[^\W\d_]{1,20}\.?\s{0,3})?[#№]?)(\d{1,2}|[①-⑳])(?:[-–]\d{1,2})?(?![\w.,]\d|\w)"
)


def number_headings(document: nodes.Document, style: Style) -> dict[int, str]:
    """Return prefixes by the heading's `id()`, numbered from level 2 if there is a single title.

    An author's numbers are not doubled: a level with one, such as `2.` or `Step 3:`, gets no numbers, nor do those
    below it; so does one that counts other words or none, `Sprintziel 1` and `Sprintziel 2`. A heading that merely
    begins with a digit, such as `2026 in review`, has none itself.
    """
    if style.heading_marks == "none":
        return {}
    headings = [block for block in document.children if isinstance(block, nodes.Heading | nodes.SetextHeading)]
    if style.heading_marks == "hashes":
        return {id(heading): f"{'#' * heading.level} " for heading in headings}
    format_number = _NUMBER_FORMATS[style.heading_marks]
    has_title = bool(headings) and [heading.level for heading in headings].count(1) == 1 and headings[0].level == 1
    numbers = [0] * 6
    prefixes: dict[int, str] = {}
    numbered = [(heading, nodes.text_content(heading).strip()) for heading in (headings[1:] if has_title else headings)]
    authored_level = min((*_authored_levels(numbered), 7))
    for heading, content in numbered:
        if heading.level >= authored_level or _without_decoration(content)[:1].isnumeric():
            continue
        numbers[heading.level - 1] += 1
        numbers[heading.level :] = [0] * (6 - heading.level)
        prefixes[id(heading)] = f"{format_number(numbers[1 if has_title else 0 : heading.level])} "
    return prefixes


def _authored_levels(headings: Iterable[tuple[nodes.Heading | nodes.SetextHeading, str]]) -> Iterator[int]:
    """Yield levels with numbers of the author."""
    counted: defaultdict[tuple[int, str], set[int]] = defaultdict(set)
    for heading, content in headings:
        if _is_enumerated(content):
            yield heading.level
        elif match := _COUNTED_WORDS.match(_without_decoration(content)):
            counted[heading.level, match[1].casefold()].add(
                int(numeric(match[2])) if len(match[2]) == 1 else int(match[2])
            )
    for (level, _), numbers in counted.items():
        if {1, 2} <= numbers:
            yield level


def _is_enumerated(content: str) -> bool:
    return bool(_ENUMERATED.match(_without_decoration(content)))


def _without_decoration(content: str) -> str:
    decoration = _DECORATION.match(content)
    return content[decoration.end() :] if decoration else content


def _decimal(numbers: Sequence[int]) -> str:
    """Format as `2.1.3`."""
    return ".".join(str(number) for number in numbers if number)


def _roman(numbers: Sequence[int]) -> str:
    """Format as `I.`, `A.`, `1)`, `a)`."""
    number = numbers[-1]
    forms = (f"{to_roman(number).upper()}.", f"{to_letters(number).upper()}.", f"{number})", f"{to_letters(number)})")
    return forms[min(len(numbers), len(forms)) - 1]


def _legal(numbers: Sequence[int]) -> str:
    """Format as `1.`, `1.1`, `(a)`, `(i)`."""
    forms = (f"{numbers[0]}.", _decimal(numbers), f"({to_letters(numbers[-1])})", f"({to_roman(numbers[-1])})")
    return forms[min(len(numbers), len(forms)) - 1]


_NUMBER_FORMATS: Mapping[HeadingMarks, Callable[[Sequence[int]], str]] = {
    "decimal": _decimal,
    "roman": _roman,
    "legal": _legal,
}
