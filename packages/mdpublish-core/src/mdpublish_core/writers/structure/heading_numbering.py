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

_ROMAN = r"(?=[ivx])x{0,3}(?:ix|iv|v?i{0,3})"
_NUMBER = rf"(?:\d{{1,4}}(?:\.\d{{1,4}}){{0,5}}|{_ROMAN}|[a-z])"
_WORDS = "one|two|three|four|five|six|seven|eight|nine|ten|الأولى?|الثانية?|الثالثة?|الرابعة?|الخامسة?|السادسة?|السابعة?|الثامنة?"
_IDEOGRAPHS = "[一二三四五六七八九十百零〇两]"

# What ideographs count: not 第三方 (third-party), 第一次世界大战 (World War I).
_COUNTED = "[章节節部篇回卷课課讲講步条條项項天日周週月年季轮輪幕集编編款阶階题題个個点點组組期类類层層话話場场]"
_COUNTED_IN_KOREAN = "(?:장|절|부|편|과|조|항|회|권|강|호|막|단계|일차|주차|번째)"

# Before the number: an emoji or a check mark.
_DECORATION = compile_lazily(r"(?:[^\w\s(（\[【§#]\S{0,5}\s+)?")

# All repetitions are bounded, so that no heading takes more than linear time. `1.`, `1.2`, `2)`, `(a)`, `[1]`, `A.`,
# `IV.`, `§ 3`, `#1`, `No. 5`, `Step 3:`, `Chapter 2`, `Part Two`, `Fig. 3`, `Q3 2025`, `第一章`, `제1장`, `3부`, `步骤 1`,
# `M1:`.
_ENUMERATED = compile_lazily(
    rf"""
    [(（【\[] (?: {_NUMBER} | {_IDEOGRAPHS}{{1,3}} ) [)）】\]]
  | {_NUMBER} [.):、．）：] (?: \s | $ | (?=\W|[^\x00-\u024f]) )
  | \d{{1,4}} (?: \.\d{{1,4}} ){{1,5}} \.? (?: \s | $ )
  | (?: {_PARTS} ) (?:
        s? \.? \s{{0,3}} [#№]? \d{{1,4}} (?: \.\d{{1,4}} ){{0,5}} [a-f]? (?! \w )
      | \.? \s{{0,3}} {_IDEOGRAPHS}{{1,3}} (?! \w )
      | \.? \s{{1,3}} (?: {_WORDS} ) (?! \w )
      | \.? \s{{1,3}} (?: (?-i: [A-HJ-Z] ) | (?=[ivx]{{2}}) {_ROMAN} | [vx] | [א-ת] ['׳]? ) (?! \w )
        # Not `Case I made`, `Example a user may try`.
      | \.? \s{{1,3}} [a-z] (?= \s{{0,3}} (?: [:：.)–—-] | $ ) )
      | \.? \s{{1,3}} (?-i: I (?= \s{{1,3}} [A-Z] ) )
    )
  | [a-z]{{1,2}} \d{{1,3}} (?: \.\d{{1,3}} ){{0,3}} \s{{0,3}} [:：.)–—-] (?= \W | $ )
  | q \d{{1,2}} (?! \w ) | h [12] (?! \w )
  | (?: \# | № | n[o°º]\.? ) \s{{0,3}} \d
  | § \s{{0,3}} \d
  | 第 \s? (?: \d{{1,4}} | {_IDEOGRAPHS}{{1,4}} ) (?: \s? {_COUNTED} | [\s、，,：:.．] | $ )
  | 제 \s? \d{{1,4}} \s? {_COUNTED_IN_KOREAN}
  | \d{{1,3}} \s? (?: {_COUNTED_IN_KOREAN} | [章节節篇课課讲講編] ) (?! \w )
  | {_IDEOGRAPHS}{{1,3}} [、．.]
    """,
    re.IGNORECASE | re.VERBOSE,
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
    match len(numbers):
        case 1:
            return f"{to_roman(number).upper()}."
        case 2:
            return f"{to_letters(number).upper()}."
        case 3:
            return f"{number})"
        case _:
            return f"{to_letters(number)})"


def _legal(numbers: Sequence[int]) -> str:
    """Format as `1.`, `1.1`, `(a)`, `(i)`."""
    match len(numbers):
        case 1:
            return f"{numbers[0]}."
        case 2:
            return _decimal(numbers)
        case 3:
            return f"({to_letters(numbers[2])})"
        case _:
            return f"({to_roman(numbers[-1])})"


_NUMBER_FORMATS: Mapping[HeadingMarks, Callable[[Sequence[int]], str]] = {
    "decimal": _decimal,
    "roman": _roman,
    "legal": _legal,
}
