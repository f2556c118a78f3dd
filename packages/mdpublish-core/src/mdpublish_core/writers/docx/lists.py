"""Lists with Word's own numbering. The first paragraph of an item has its number."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from mdpublish_core import nodes
from mdpublish_core.resources.open_xml import Element
from mdpublish_core.strings.list_numbers import format_number
from mdpublish_core.writers.docx.element_styles import ElementStyle, Surroundings, twips
from mdpublish_core.writers.docx.inlines import DocxFootnotes
from mdpublish_core.writers.docx.numbering import MAX_LEVEL, MAX_START, ListFormat, bullet_of, number_format_of
from mdpublish_core.writers.docx.xml import add, add_text, add_with
from mdpublish_core.writers.styled.lists import StyledItem, StyledList, split_item

# In px: Word's own bullets hang a quarter of an inch to the left of the text.
_MIN_INDENT = 24.0

# Of a digit, in font sizes, and the space beside a number.
_DIGIT, _NUMBER_SPACE = 0.56, 0.75

_BOXES = {False: "\u2610", True: "\u2612"}
_BOX_FONT = "MS Gothic"

# Glyphs of the templates' own lists, which other programs than browsers do not draw.
_GLYPHS = {"arrow": "→", "dash": "\u2013"}

_COLORED = frozenset({"arrow", "mark"})

_HEADINGS = (nodes.Heading, nodes.SetextHeading)


class _List(NamedTuple):
    """A list: lengths in px; `number_type` is None for bullets."""

    style: ElementStyle
    level: int
    number_type: str | None
    indent: float
    hanging: float
    bullets: int | None
    around: tuple[str, str] = ("", ".")


class _Mark(NamedTuple):
    """The mark of an item: a list and level of Word's, or text."""

    numbering: tuple[int, int] | None
    label: str = ""
    box: bool | None = None


def _mark(current: _List, numbering: int | None, number: int) -> _Mark:
    if current.number_type is None:
        return _Mark((current.bullets or 0, current.level))
    if numbering is None:
        # Larger than Word counts.
        return _Mark(None, format_number(number, current.number_type).join(current.around))
    return _Mark((numbering, current.level))


class DocxLists(DocxFootnotes):
    """Lists."""

    def write_list(self, styled_list: StyledList) -> None:
        style = self.styles.enter(styled_list.tag, last=self.is_last)
        number_type = None if styled_list.tag == "ul" else styled_list.marker or style.word.bullet
        last_number = max((item.number or 0 for item in styled_list.items), default=0)
        current = self._start_list(style, number_type, last_number)._replace(around=styled_list.around)
        self.in_tight_list = styled_list.is_tight
        self.flow.space_above(style.word.top)
        with self.placed(self._around_items(current, styled_list)):
            self._write_items(styled_list.items, current)
        self.styles.leave()
        self.flow.space_below(style.word.bottom)

    def _write_items(self, items: Sequence[StyledItem], current: _List) -> None:
        numbering, expected = None, None
        for item in items:
            self.is_last = item is items[-1]
            number = item.number or 0
            if current.number_type is not None and item.is_item and (number != expected or numbering is None):
                # Word counts upwards only: where it would be wrong, a new list begins.
                numbering = self._numbered(current, number) if 0 <= number <= MAX_START else None
            self._write_item(item, current, _mark(current, numbering, number)._replace(box=item.checked))
            expected = number + 1 if item.is_item else expected

    def _start_list(self, style: ElementStyle, number_type: str | None, last_number: int) -> _List:
        size = style.word.computed.font_size
        level = min(self.around.list_level, MAX_LEVEL)
        indent = max(_MIN_INDENT, style.word.left)
        if number_type is not None:
            label = format_number(last_number, number_type)
            indent = max(indent, (len(label) * _DIGIT + _NUMBER_SPACE) * size)
            return _List(style, level, number_type, indent, indent, None)
        template = self.context.style.template
        variant = template.variants.list
        mark = template.list_mark if variant == "mark" else _GLYPHS.get(variant, "")
        form = ListFormat(
            level,
            bullet_of(style.word.bullet, mark),
            "bullet",
            twips(self.around.indent + indent),
            twips(_MIN_INDENT),
            color=template.light.accent.lstrip("#").upper() if variant in _COLORED else "",
            font="Arial",
        )
        return _List(style, level, None, indent, _MIN_INDENT, self.package.numbering.add(form))

    def _numbered(self, current: _List, start: int) -> int:
        """Return a new list of Word's; `around` is that of the items."""
        form = ListFormat(
            current.level,
            "",
            number_format_of(current.number_type or "decimal"),
            twips(self.around.indent),
            twips(current.hanging),
            around=current.around,
        )
        return self.package.numbering.add(form, start)

    def _around_items(self, current: _List, styled_list: StyledList) -> Surroundings:
        around = self.around.indented(current.indent, "ListParagraph")
        direction = self.direction_of([item.token for item in styled_list.items])
        return around._replace(direction=direction, list_level=around.list_level + 1)

    def _write_item(self, item: StyledItem, current: _List, mark: _Mark) -> None:
        if not item.is_item:
            self.write_flow(item.blocks)
            return
        style = self.styles.enter(item.element, last=self.is_last)
        start = split_item(item, is_tight=self.in_tight_list)
        inlines, blocks = start.inlines or (), start.blocks
        self.flow.space_above(style.word.top)
        if start.inlines is None and mark.box is None and blocks and isinstance(blocks[0], _HEADINGS):
            self._write_heading_item(blocks[0], current, mark)
            blocks = blocks[1:]
        else:
            text_style = self.styles.enter("p", last=not blocks) if start.is_paragraph else style
            with self._first_paragraph(text_style, inlines, current, mark):
                self.write_inlines(inlines)
            if start.is_paragraph:
                self.styles.leave()
        self.is_last = False
        self.write_flow(blocks)
        self.styles.leave()
        self.flow.space_below(style.word.bottom)

    def _write_heading_item(self, token: nodes.Heading | nodes.SetextHeading, current: _List, mark: _Mark) -> None:
        style = self.styles.enter(f"h{token.level}")
        with self._first_paragraph(style, token.children, current, mark, name=f"Heading{token.level}"):
            self.write_anchor(self.anchors.heading_id(token))
            self.write_inlines(token.children)
        self.styles.leave()

    @contextmanager
    def _first_paragraph(
        self,
        style: ElementStyle,
        inlines: Sequence[nodes.Token],
        current: _List,
        mark: _Mark,
        *,
        name: str = "ListParagraph",
    ) -> Iterator[None]:
        """Write the paragraph with an item's mark."""
        indents = twips(self.around.indent), -twips(current.hanging)
        # A box stands in place of a bullet, and after a number.
        numbering = None if mark.box is not None and current.number_type is None else mark.numbering
        with self.paragraph(style, inlines, name, numbering=numbering, indents=indents):
            if mark.label:
                self.write_text(mark.label)
                add(self.runs.add_run(), "w:tab")
            if mark.box is not None:
                self._write_checkbox(is_checked=mark.box)
                if numbering is None and not mark.label:
                    add(self.runs.add_run(), "w:tab")
                else:
                    self.write_text(" ")
            yield

    def _write_checkbox(self, *, is_checked: bool) -> None:
        """Write a checkbox that readers can click."""
        control = self.runs.add("w:sdt")
        checkbox = add_with(add(control, "w:sdtPr"), "w14:checkbox", {})
        add_with(checkbox, "w14:checked", {"w14:val": int(is_checked)})
        for state, value in (("w14:checkedState", True), ("w14:uncheckedState", False)):
            add_with(checkbox, state, {"w14:val": f"{ord(_BOXES[value]):04X}", "w14:font": _BOX_FONT})
        with self.runs.inside(add(control, "w:sdtContent")):
            run = self.runs.add_run()
            properties = run[0] if len(run) else add(run, "w:rPr")
            properties.insert(0, _box_fonts(properties))
            add_text(run, "w:t", _BOXES[is_checked])


def _box_fonts(properties: Element) -> Element:
    for old in properties.findall("{*}rFonts"):
        properties.remove(old)
    return add(properties, "w:rFonts", ascii=_BOX_FONT, hAnsi=_BOX_FONT, eastAsia=_BOX_FONT, hint="eastAsia")
