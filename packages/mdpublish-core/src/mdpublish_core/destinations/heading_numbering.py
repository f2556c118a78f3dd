"""Heading prefixes. Characters survive in emails and documents, unlike CSS content."""

import re
from collections.abc import Callable, Mapping, Sequence

from mdpublish_core import nodes
from mdpublish_core.destinations.list_numbering import to_letters, to_roman
from mdpublish_core.templates import Style
from mdpublish_core.templates.style import HeadingMarks

# In the languages that assistants are asked in most. Others are caught by their digits.
_PARTS = (
    "step|stage|phase|part|chapter|section|article|appendix|lesson|module|unit|day|week|exercise|question|problem|task|level|"
    "option|method|approach|scenario|example|case|tip|rule|reason|principle|milestone|sprint|iteration|round|lab|act|volume|book|"
    "schritt|teil|kapitel|abschnitt|artikel|anhang|lektion|tag|woche|aufgabe|frage|"
    "étape|partie|chapitre|annexe|leçon|jour|semaine|exercice|"
    "paso|etapa|fase|parte|capítulo|sección|artículo|anexo|lección|día|semana|ejercicio|pregunta|"
    "passo|capitolo|sezione|articolo|lezione|giorno|settimana|domanda|seção|lição|pergunta|"
    "stap|deel|hoofdstuk|bijlage|vraag|steg|del|krok|rozdział|część|шаг|глава|часть|раздел|этап|урок|bước|adım|bölüm"
)

_NUMBER = r"(?:[0-9]{1,4}(?:\.[0-9]{1,4}){0,5}|(?=[ivx])x{0,3}(?:ix|iv|v?i{0,3})|[a-z])"
_WORDS = "one|two|three|four|five|six|seven|eight|nine|ten"

# Before the number: an emoji or a check mark.
_DECORATION = re.compile(r"(?:[^\w\s(（\[【§#]\S{0,5}\s+)?")

# All repetitions are bounded, so that no heading takes more than linear time.
# `1.`, `1.2`, `2)`, `(a)`, `[1]`, `A.`, `IV.`, `§ 3`, `#1`, `No. 5`, `Step 3:`, `Chapter 2`, `Part Two`, `Q3 2025`, `第一章`, `제1장`,
# `步骤 1`; and any few words with a number and a mark, such as `Use case 2:` and `M1:`.
_ENUMERATED = re.compile(
    rf"""
    [(（【\[] (?: {_NUMBER} | [一二三四五六七八九十]{{1,3}} ) [)）】\]]
  | {_NUMBER} [.):、．）：] (?: \s | $ | (?=\W|[^\x00-\u024f]) )
  | [0-9]{{1,4}} (?: \.[0-9]{{1,4}} ){{1,5}} \.? (?: \s | $ )
  | (?: {_PARTS} ) \s+ [#№]? (?: {_NUMBER} | [0-9]{{1,3}}[a-z] | {_WORDS} ) (?! \w )
  | (?: [^\W\d_]{{1,20}} \s{{1,3}} ){{0,2}} [^\W\d_]{{1,20}} \s{{0,3}} [#№]? [0-9]{{1,3}} (?: \.[0-9]{{1,3}} ){{0,5}} (?: [-–] [0-9]{{1,3}} )?
    \s{{0,3}} [:：.)–—-] (?= \W | $ )
  | [qh] [1-4] (?! \w )
  | (?: \# | № | n[o°º]\.? ) \s{{0,3}} [0-9]
  | § \s* [0-9]
  | 第 \s* [0-9一二三四五六七八九十百零〇两]+ | 제 \s* [0-9]+
  | [一二三四五六七八九十]{{1,3}} [、．.]
  | (?: 步骤 | 步驟 | ステップ | 手順 | 問題 | 问题 | 단계 ) \s* [0-9]+
    """,
    re.IGNORECASE | re.VERBOSE,
)


def number_headings(document: nodes.Document, style: Style) -> dict[int, str]:
    """Return prefixes by the heading's `id()`, numbered from level 2 if there is a single title.

    An author's numbers are not doubled: a level with one, such as `2.` or `Step 3:`, gets no numbers, nor do those below it; a
    heading that merely begins with a digit, such as `2026 in review`, has none itself.
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
    authored_level = min((heading.level for heading, content in numbered if _is_enumerated(content)), default=7)
    for heading, content in numbered:
        if heading.level >= authored_level or content[:1].isnumeric():
            continue
        numbers[heading.level - 1] += 1
        numbers[heading.level :] = [0] * (6 - heading.level)
        prefixes[id(heading)] = f"{format_number(numbers[1 if has_title else 0 : heading.level])} "
    return prefixes


def _is_enumerated(content: str) -> bool:
    decoration = _DECORATION.match(content)
    return bool(_ENUMERATED.match(content, decoration.end() if decoration else 0))


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
