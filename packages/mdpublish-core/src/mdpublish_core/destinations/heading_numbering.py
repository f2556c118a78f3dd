"""Heading prefixes. Characters survive in emails and documents, unlike CSS content."""

from collections.abc import Callable, Mapping, Sequence

from mdpublish_core import nodes
from mdpublish_core.destinations.list_numbering import to_letters, to_roman
from mdpublish_core.templates import Style
from mdpublish_core.templates.style import HeadingMarks


def number_headings(document: nodes.Document, style: Style) -> dict[int, str]:
    """Return prefixes by the heading's `id()`, numbered from level 2 if there is a single title."""
    if style.heading_marks == "none":
        return {}
    headings = [block for block in document.children if isinstance(block, nodes.Heading | nodes.SetextHeading)]
    if style.heading_marks == "hashes":
        return {id(heading): f"{'#' * heading.level} " for heading in headings}
    format_number = _NUMBER_FORMATS[style.heading_marks]
    has_title = bool(headings) and [heading.level for heading in headings].count(1) == 1 and headings[0].level == 1
    numbers = [0] * 6
    prefixes: dict[int, str] = {}
    for heading in headings[1:] if has_title else headings:
        numbers[heading.level - 1] += 1
        numbers[heading.level :] = [0] * (6 - heading.level)
        prefixes[id(heading)] = f"{format_number(numbers[1 if has_title else 0 : heading.level])} "
    return prefixes


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
