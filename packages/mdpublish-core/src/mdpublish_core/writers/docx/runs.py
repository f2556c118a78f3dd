"""The runs of paragraphs: text of one format, and other inlines."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from mdpublish_core.css.matcher import Styles
from mdpublish_core.resources.open_xml import FORMULAS_MARK, Element
from mdpublish_core.writers.docx.element_styles import NORMAL, ElementStyle
from mdpublish_core.writers.docx.package import Package
from mdpublish_core.writers.docx.properties import RunMarks, RunProperties, write_run_properties
from mdpublish_core.writers.docx.styles import ParagraphStyle
from mdpublish_core.writers.docx.xml import add, add_text, add_with

# Bytes of XML, about.
RUN_BYTES = 60

_RTL = "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\U00010800-\U00010fff\U0001e800-\U0001efff]"
_LTR = "[A-Za-z\u00aa-\u02b8\u0370-\u058f\u0900-\u1fff\u2c00-\ud7ff\uf900-\ufaff]"
_RTL_CHARACTER = re.compile(_RTL)
_STRONG_CHARACTER = re.compile(f"({_RTL})|{_LTR}")


class _OpenRun(NamedTuple):
    """The last run of text, to which text of the same looks is added."""

    element: Element
    properties: RunProperties
    marks: RunMarks
    contents: list[str]


class _Paragraph(NamedTuple):
    """The paragraph that takes runs, or a link or other element in it."""

    element: Element
    style: ParagraphStyle
    is_rtl: bool = False


class Runs:
    """Writes text with the properties of the current element of `styles`."""

    def __init__(self, package: Package, styles: Styles[ElementStyle], *, has_right_to_left: bool) -> None:
        self._package = package
        self._styles = styles
        self._has_right_to_left = has_right_to_left
        self._marks = RunMarks()
        self._paragraph = _Paragraph(package.body, package.sheet.paragraph(NORMAL))
        # HTML may have a paragraph in another.
        self._outer_paragraphs: list[_Paragraph] = []
        self._outside_link = self._paragraph, self._marks
        self._open_run: _OpenRun | None = None
        self._bookmarks: set[str] = set()
        self._formulas = 0

    def start_paragraph(self, element: Element, style: ParagraphStyle, *, is_rtl: bool) -> None:
        self._outer_paragraphs.append(self._paragraph)
        self._paragraph = _Paragraph(element, style, is_rtl)

    def end_paragraph(self) -> None:
        self._close_run()
        self._paragraph = self._outer_paragraphs.pop()

    @contextmanager
    def inside(self, element: Element) -> Iterator[None]:
        """Add runs to an element of the paragraph."""
        self._close_run()
        outer, self._paragraph = self._paragraph, self._paragraph._replace(element=element)
        yield
        self._close_run()
        self._paragraph = outer

    def start_link(self, attributes: dict[str, str | int]) -> None:
        self._close_run()
        self._outside_link = self._paragraph, self._marks
        element = add_with(self._paragraph.element, "w:hyperlink", attributes)
        self._paragraph = self._paragraph._replace(element=element)
        self._marks = self._marks._replace(style="Hyperlink", no_proof=False)

    def end_link(self) -> None:
        self._close_run()
        self._paragraph, self._marks = self._outside_link

    @contextmanager
    def marked(self, style: str, *, no_proof: bool = False) -> Iterator[None]:
        """Give runs a style of characters."""
        outer, self._marks = self._marks, self._marks._replace(style=style, no_proof=no_proof)
        yield
        self._marks = outer

    def add(self, name: str, /, **values: str | int | None) -> Element:
        """Append an element beside runs."""
        self._close_run()
        return add(self._paragraph.element, name, **values)

    def add_run(self) -> Element:
        """Append a run and return it."""
        return self._start_run(self._styles.current.run, self._marks)

    def add_formula(self, element: Element) -> None:
        self._package.spend(RUN_BYTES * sum(1 for _ in element.iter()))
        self._formulas += 1
        with self.bookmark(f"_formula{self._formulas}"):
            self._paragraph.element.append(element)

    def mark_formulas(self) -> None:
        """Write behind the last paragraph that formulas have bookmarks."""
        if self._formulas:
            with self.bookmark(FORMULAS_MARK):
                pass

    def write(self, content: str, lang: str = "") -> None:
        """Write text of the current element."""
        if not content:
            return
        marks = self._marks._replace(lang=lang) if lang else self._marks
        is_rtl = self._paragraph.is_rtl
        if not is_rtl and not (self._has_right_to_left and _RTL_CHARACTER.search(content)):
            self._write_run(content, marks)
            return
        for piece, is_piece_rtl in _split_directions(content, is_rtl=is_rtl):
            self._write_run(piece, marks._replace(rtl=is_piece_rtl))

    @contextmanager
    def bookmark(self, name: str) -> Iterator[None]:
        """Write the target of links, which is the first of its name."""
        if name in self._bookmarks:
            yield
            return
        self._bookmarks.add(name)
        number = len(self._bookmarks)
        self.add("w:bookmarkStart", id=number, name=name)
        yield
        self.add("w:bookmarkEnd", id=number)

    def _write_run(self, content: str, marks: RunMarks) -> None:
        run, last = self._styles.current.run, self._open_run
        self._package.spend(len(content))
        if last and last.properties == run and last.marks == marks:
            last.contents.append(content)
        else:
            self._open_run = _OpenRun(self._start_run(run, marks), run, marks, [content])

    def _start_run(self, run: RunProperties, marks: RunMarks) -> Element:
        self._package.spend(RUN_BYTES)
        element = self.add("w:r")
        base = self._paragraph.style.run
        if marks.style:
            base = self._package.sheet.with_character(base, marks.style)
        if self._package.sheet.reference:
            run = self._package.sheet.in_reference(run, base)
        copies = self._package.copies
        copies.append(element, (run, base, marks), lambda parent: write_run_properties(parent, run, base, marks))
        return element

    def _close_run(self) -> None:
        """Write the text of the last run."""
        if self._open_run:
            add_text(self._open_run.element, "w:t", "".join(self._open_run.contents))
            self._open_run = None


def _split_directions(content: str, *, is_rtl: bool) -> Iterator[tuple[str, bool]]:
    """Split into runs of one direction: neutral characters take that of both neighbors, else the paragraph's."""
    start, current, end = 0, is_rtl, 0
    for match in _STRONG_CHARACTER.finditer(content):
        direction = match[1] is not None
        if direction != current:
            border = match.start() if current == is_rtl else end
            if border > start:
                yield content[start:border], current
            start, current = border, direction
        end = match.end()
    border = len(content) if current == is_rtl else end
    if border > start:
        yield content[start:border], current
    if border < len(content):
        yield content[border:], is_rtl
