"""The flow of paragraphs and tables in a story: the body, a cell or a footnote.

Word puts the larger of two paragraphs' spaces between them, as CSS does, and has none around tables. What is above and
below a list, a quote or a table is therefore that of its first and last paragraphs, or of those beside it.
"""

from typing import Any, NamedTuple

from mdpublish_core.resources.open_xml import Element
from mdpublish_core.writers.docx.element_styles import (
    NORMAL,
    ElementStyle,
    ParagraphBox,
    Surroundings,
    paragraph_properties,
    twips,
)
from mdpublish_core.writers.docx.package import Package, Relationships
from mdpublish_core.writers.docx.properties import (
    ParagraphProperties,
    RunProperties,
    paragraph_in_reference,
    run_in_reference,
    write_paragraph_properties,
)
from mdpublish_core.writers.docx.styles import ParagraphStyle
from mdpublish_core.writers.docx.xml import add

# Bytes of XML, about.
PARAGRAPH_BYTES = 100

_SPACER_LINE = -20


class _OpenParagraph(NamedTuple):
    """The last paragraph, whose space below may still grow."""

    element: Element
    properties: ParagraphProperties
    base: ParagraphProperties
    style: str = ""
    numbering: tuple[int, int] | None = None
    number_run: tuple[RunProperties, RunProperties] | None = None
    box: ParagraphBox | None = None
    is_foreign: bool = False


class Flow:
    """Writes the blocks of a story; lengths in px."""

    def __init__(self, package: Package, body: Element, relationships: Relationships) -> None:
        self.relationships = relationships
        self._package = package
        self._body = body
        self._last: _OpenParagraph | None = None
        self._is_after_table = False
        self._space_above = 0.0
        # Where the last paragraphs begin that stay with the next block.
        self._first_head = 0

    def start_paragraph(
        self,
        style: ElementStyle,
        around: Surroundings,
        named: ParagraphStyle,
        *,
        numbering: tuple[int, int] | None = None,
        indents: tuple[int, int] | None = None,
    ) -> Element:
        """Begin a paragraph with a named style.

        `numbering` is a list and its level; `indents` replace the style's, left and of the first line, in twips.
        """
        self._package.spend(PARAGRAPH_BYTES)
        properties, base = paragraph_properties(style, around), named.paragraph
        number_run = style.run
        if named.is_foreign:
            properties = paragraph_in_reference(properties, base, is_boxed=around.box is not None)
            number_run = run_in_reference(number_run, named.run)
        last = self._last
        if last and last.box and around.box and last.box is not around.box:
            # Word joins boxes without a paragraph between them.
            self._write_spacer(max(last.properties.after, properties.before, twips(self._space_above)))
        # The style has the space beside paragraphs, but none beside tables.
        if self._space_above and (self._is_after_table or not named.is_foreign):
            properties = properties._replace(before=max(properties.before, twips(self._space_above)))
        if indents:
            properties = properties._replace(left=indents[0], first=indents[1])
            if numbering:
                base = base._replace(left=indents[0], first=indents[1])
        self._last = _OpenParagraph(
            self._start_block("w:p"),
            # The level of the outline is the style's.
            properties if properties.level == base.level else properties._replace(level=base.level),
            base,
            "" if named.id == NORMAL else named.id,
            numbering,
            (number_run, named.run) if numbering else None,
            around.box,
            named.is_foreign,
        )
        self._space_above, self._is_after_table = 0.0, False
        return self._last.element

    def change_last(self, **values: Any) -> None:
        """Change properties of the last paragraph."""
        if self._last:
            self._last = self._last._replace(properties=self._last.properties._replace(**values))

    def space_above(self, space: float) -> None:
        """Ensure a space above the next block."""
        self._space_above = max(self._space_above, space)

    def space_below(self, space: float) -> None:
        """Ensure a space below the last block."""
        if self._last is None:
            self.space_above(space)
        elif not self._last.is_foreign:
            self._grow_last(space)

    def _grow_last(self, space: float) -> None:
        if self._last:
            self.change_last(after=max(self._last.properties.after, twips(space)))

    def start_table(self, space: float) -> Element:
        """Begin a table, with `space` above."""
        space = max(space, self._space_above)
        if self._is_after_table:
            # Word merges tables without a paragraph between them.
            self._write_spacer(twips(space))
        else:
            self._grow_last(space)
        self._space_above = 0.0
        self._package.spend(PARAGRAPH_BYTES)
        return self._start_block("w:tbl")

    def end_table(self, space: float) -> None:
        self._is_after_table = True
        self._space_above = space

    def start_landscape(self) -> None:
        """End the pages before the next block, and before the headings above it."""
        first = self._first_head if self._last and self._last.properties.keeps_next else len(self._body)
        self._close_last()
        if first == 0:
            return
        last = self._body[first - 1]
        if self._package.resume_landscape(last):
            return
        if not last.tag.endswith("}p"):
            self._write_spacer(0)
            assert self._last
            last = self._last.element
            self._close_last()
            self._body.insert(first, last)
        self._package.end_section(last, is_landscape=False)

    def end_landscape(self) -> None:
        self._write_spacer(0)
        assert self._last
        self._package.end_section(self._last.element, is_landscape=True)
        self._close_last()

    def finish(self) -> None:
        """End with a paragraph, as Word requires."""
        if self._last is None and not self._package.is_in_landscape(self._body):
            self._write_spacer(0)
        self._close_last()

    def _start_block(self, name: str) -> Element:
        if not (self._last and self._last.properties.keeps_next):
            self._first_head = len(self._body)
        self._close_last()
        return add(self._body, name)

    def _close_last(self) -> None:
        if self._last:
            element, properties, base, style, numbering, number_run, _, _ = self._last
            written = self._package.copies.append(
                element,
                (properties, base, style, numbering, number_run),
                lambda paragraph: write_paragraph_properties(
                    paragraph, properties, base, style=style, numbering=numbering, number_run=number_run
                ),
            )
            if written is not None:
                element.insert(0, written)
            self._last = None

    def _write_spacer(self, space: int) -> None:
        """Write an empty paragraph, as thin as can be, for a space in twips."""
        self._package.spend(PARAGRAPH_BYTES)
        properties = ParagraphProperties(before=max(0, space + _SPACER_LINE), line=_SPACER_LINE)
        base = self._package.sheet.paragraph(NORMAL).paragraph
        self._last = _OpenParagraph(self._start_block("w:p"), properties, base)
        self._space_above, self._is_after_table = 0.0, False
