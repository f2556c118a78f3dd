"""Marks that some templates put before headings: hashes, as in Markdown, or the numbers of sections.

They are characters and not a stylesheet's content, so that they survive in mails and documents.
"""

from mdpublish_core.document import Document, Heading, SetextHeading
from mdpublish_core.templates import Style


def heading_marks(document: Document, style: Style) -> dict[int, str]:
    """Return the mark of each heading that has one, a space at its end, by the heading's `id()`.

    Sections are numbered from the second level on where one heading of the first level is the title of all, else from the
    first. What stands in a quote or a list is no section.
    """
    if style.heading_marks == "none":
        return {}
    headings = [block for block in document.children if isinstance(block, Heading | SetextHeading)]
    if style.heading_marks == "hashes":
        return {id(heading): f"{'#' * heading.level} " for heading in headings}
    has_title = bool(headings) and [heading.level for heading in headings].count(1) == 1 and headings[0].level == 1
    numbers = [0] * 6
    marks: dict[int, str] = {}
    for heading in headings[1:] if has_title else headings:
        numbers[heading.level - 1] += 1
        numbers[heading.level :] = [0] * (6 - heading.level)
        shown = numbers[1 if has_title else 0 : heading.level]
        # A level that was left out has no number.
        marks[id(heading)] = f"{'.'.join(str(number) for number in shown if number)} "
    return marks
