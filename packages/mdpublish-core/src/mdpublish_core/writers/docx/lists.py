"""Lists with Word's own numbering. The first paragraph of an item has its number."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from mdpublish_core import nodes
from mdpublish_core.writers.docx.element_styles import ElementStyle, Surroundings, twips
from mdpublish_core.writers.docx.inlines import add_anchor
from mdpublish_core.writers.docx.layout import DocxLayout
from mdpublish_core.writers.docx.numbering import MAX_LEVEL, MAX_START, ListFormat, bullet_of, number_format_of
from mdpublish_core.writers.docx.xml import Element, add, add_text, add_with
from mdpublish_core.writers.structure.block_runs import is_block
from mdpublish_core.writers.structure.list_numbering import LIST_STYLE_TYPES, format_number
from mdpublish_core.writers.word.lists import is_paragraph

# In px: Word's own bullets hang a quarter of an inch to the left of the text.
_MIN_INDENT = 24.0

# Of a digit, in font sizes, and the space beside a number.
_DIGIT, _NUMBER_SPACE = 0.56, 0.75

_BOXES = {False: "\u2610", True: "\u2612"}
_BOX_FONT = "MS Gothic"

# Glyphs of the templates' own lists, which other programs than browsers do not draw.
_GLYPHS = {"arrow": "→", "dash": "\u2013"}

_COLORED = frozenset({"arrow", "mark"})


class _List(NamedTuple):
    """A list: lengths in px; `number_type` is None for bullets."""

    style: ElementStyle
    level: int
    number_type: str | None
    indent: float
    hanging: float
    bullets: int | None


def list_(layout: DocxLayout, token: nodes.List) -> None:
    tag = "ul" if token.start is None else "ol"
    style = layout.styles.enter(tag, last=layout.is_last)
    last_number = (token.start or 0) + len(token.children) - 1
    current = _start(layout, style, None if token.start is None else style.word.bullet, last_number)
    outer = _enter(layout, current, token.children, tight=not token.loose)
    numbering = None
    for number, item in enumerate(token.children, start=token.start or 0):
        layout.is_last = item is token.children[-1]
        if token.start is not None and numbering is None and number <= MAX_START:
            numbering = _numbered(layout, current, number)
        box = item.checked if isinstance(item, nodes.TaskItem) else None
        _write_item(layout, item, current, _mark(current, numbering, number)._replace(box=box))
    _leave(layout, outer)
    layout.styles.leave()
    layout.space_below(style.word.bottom)


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
        return _Mark(None, f"{format_number(number, current.number_type)}.")
    return _Mark((numbering, current.level))


class _Outer(NamedTuple):
    around: Surroundings
    text_style: str
    in_tight_list: bool
    column_width: float
    list_level: int


def _start(layout: DocxLayout, style: ElementStyle, number_type: str | None, last_number: int) -> _List:
    size = style.word.computed.font_size
    level = min(layout.list_level, MAX_LEVEL)
    indent = hanging = max(_MIN_INDENT, style.word.left)
    if number_type is not None:
        label = format_number(last_number, number_type)
        hanging = indent = max(indent, (len(label) * _DIGIT + _NUMBER_SPACE) * size)
    else:
        hanging = _MIN_INDENT
    bullets = None
    if number_type is None:
        template = layout.context.style.template
        variant = template.variants.list
        mark = template.list_mark if variant == "mark" else _GLYPHS.get(variant, "")
        form = ListFormat(
            level,
            bullet_of(style.word.bullet, mark),
            "bullet",
            twips(layout.around.indent + indent),
            twips(hanging),
            color=template.light.accent.lstrip("#").upper() if variant in _COLORED else "",
            font="Arial",
        )
        bullets = layout.numbering.add(form)
    return _List(style, level, number_type, indent, hanging, bullets)


def _numbered(layout: DocxLayout, current: _List, start: int) -> int:
    """Return a new list of Word's; `layout.around` is that of the items."""
    form = ListFormat(
        current.level,
        "",
        number_format_of(current.number_type or "decimal"),
        twips(layout.around.indent),
        twips(current.hanging),
    )
    return layout.numbering.add(form, start)


def _enter(layout: DocxLayout, current: _List, items: Sequence[nodes.Token], *, tight: bool) -> _Outer:
    around = layout.around
    outer = _Outer(around, layout.text_style, layout.in_tight_list, layout.column_width, layout.list_level)
    direction = around.direction
    if direction is None and layout.has_right_to_left:
        direction = layout.direction_of(items)
    layout.around = around._replace(indent=around.indent + current.indent, direction=direction)
    layout.text_style = "ListParagraph"
    layout.in_tight_list = tight
    layout.column_width -= current.indent
    layout.list_level += 1
    layout.space_above(current.style.word.top)
    return outer


def _leave(layout: DocxLayout, outer: _Outer) -> None:
    layout.around = outer.around
    layout.text_style, layout.in_tight_list = outer.text_style, outer.in_tight_list
    layout.column_width, layout.list_level = outer.column_width, outer.list_level


def list_item(layout: DocxLayout, token: nodes.ListItem) -> None:
    """Only in trees built by hand."""
    layout.write_flow(token.children)


def _write_item(layout: DocxLayout, token: nodes.ListItem, current: _List, mark: _Mark) -> None:
    style = layout.styles.enter("li" if mark.box is None else "li.task", last=layout.is_last)
    blocks = list(token.children)
    layout.space_above(style.word.top)
    first = blocks.pop(0) if blocks and isinstance(blocks[0], nodes.Paragraph) else None
    inlines = first.children if first else ()
    text_style = layout.styles.enter("p", last=not blocks) if first and not layout.in_tight_list else style
    if first is None and mark.box is None and blocks and isinstance(blocks[0], nodes.Heading | nodes.SetextHeading):
        _write_heading_item(layout, blocks.pop(0), current, mark)
    else:
        with _first_paragraph(layout, text_style, inlines, current, mark):
            layout.write_inlines(inlines)
    if first and not layout.in_tight_list:
        layout.styles.leave()
    layout.is_last = False
    layout.write_tokens(blocks)
    layout.styles.leave()
    layout.space_below(style.word.bottom)


def _write_heading_item(layout: DocxLayout, token: nodes.Token, current: _List, mark: _Mark) -> None:
    assert isinstance(token, nodes.Heading | nodes.SetextHeading)
    style = layout.styles.enter(f"h{token.level}")
    with _first_paragraph(layout, style, token.children, current, mark, name=f"Heading{token.level}"):
        add_anchor(layout, layout.anchors.heading_id(token))
        layout.write_inlines(token.children)
    layout.styles.leave()


@contextmanager
def _first_paragraph(
    layout: DocxLayout,
    style: ElementStyle,
    inlines: Sequence[nodes.Token],
    current: _List,
    mark: _Mark,
    *,
    name: str = "ListParagraph",
) -> Iterator[None]:
    """Write the paragraph with an item's mark."""
    left, hanging = twips(layout.around.indent), twips(current.hanging)
    # A box stands in place of a bullet, and after a number.
    numbering = None if mark.box is not None and current.number_type is None else mark.numbering
    with layout.paragraph(
        style, inlines, name, numbering=numbering, indents=(left, -hanging), number_indents=(left, -hanging)
    ) as element:
        if mark.label:
            layout.write_text(mark.label)
            add(layout.start_run(), "w:tab")
        if mark.box is not None:
            _write_checkbox(layout, element, is_checked=mark.box)
            if numbering is None and not mark.label:
                add(layout.start_run(), "w:tab")
            else:
                layout.write_text(" ")
        yield


def _write_checkbox(layout: DocxLayout, paragraph: Element, *, is_checked: bool) -> None:
    """Write a checkbox that readers can click."""
    layout.close_run()
    control = add(paragraph, "w:sdt")
    checkbox = add_with(add(control, "w:sdtPr"), "w14:checkbox", {})
    add_with(checkbox, "w14:checked", {"w14:val": int(is_checked)})
    for state, value in (("w14:checkedState", True), ("w14:uncheckedState", False)):
        add_with(checkbox, state, {"w14:val": f"{ord(_BOXES[value]):04X}", "w14:font": _BOX_FONT})
    with layout.inside(add(control, "w:sdtContent")):
        run = layout.start_run()
        properties = run[0] if len(run) else add(run, "w:rPr")
        properties.insert(0, _box_fonts(properties))
        add_text(run, "w:t", _BOXES[is_checked])


def _box_fonts(properties: Element) -> Element:
    for old in properties.findall("{*}rFonts"):
        properties.remove(old)
    return add(properties, "w:rFonts", ascii=_BOX_FONT, hAnsi=_BOX_FONT, eastAsia=_BOX_FONT, hint="eastAsia")


# HTML lists


def html_list(layout: DocxLayout, token: nodes.HtmlElement) -> None:
    attributes = token.attributes
    style = layout.styles.enter(token.tag, last=layout.is_last)
    number_type = None
    if token.tag == "ol":
        number_type = LIST_STYLE_TYPES.get(attributes.get("type", ""), style.word.bullet)
    step = -1 if "reversed" in attributes else 1
    count = sum(isinstance(child, nodes.HtmlElement) for child in token.children)
    first = int(attributes.get("start", count if step < 0 else 1))
    current = _start(layout, style, number_type, max(first, first + step * count))
    outer = _enter(layout, current, token.children, tight=False)
    expected: int | None = None
    numbering, number = None, first
    for item in token.children:
        layout.is_last = item is token.children[-1]
        if not isinstance(item, nodes.HtmlElement) or item.tag != "li":
            layout.write_flow([item])
            continue
        number = int(item.attributes.get("value", number))
        if number_type is not None and (number != expected or numbering is None):
            # Word counts upwards only: where it would be wrong, a new list begins.
            numbering = _numbered(layout, current, number) if 0 <= number <= MAX_START else None
        _write_html_item(layout, item, current, _mark(current, numbering, number))
        expected, number = number + 1, number + step
    _leave(layout, outer)
    layout.styles.leave()
    layout.space_below(style.word.bottom)


def _write_html_item(layout: DocxLayout, token: nodes.HtmlElement, current: _List, mark: _Mark) -> None:
    styles = layout.styles
    style = styles.enter("li", last=layout.is_last)
    layout.space_above(style.word.top)
    children = list(token.children)
    inlines = []
    while children and not is_block(children[0]):
        inlines.append(children.pop(0))
    paragraph = None
    if not inlines and children and is_paragraph(children[0]):
        paragraph = children.pop(0)
    text_style = styles.enter("p", last=not children) if paragraph else style
    first = paragraph.children if paragraph else inlines
    with _first_paragraph(layout, text_style, first, current, mark):
        layout.write_inlines(first)
    if paragraph:
        styles.leave()
    layout.write_flow(children)
    styles.leave()
    layout.space_below(style.word.bottom)


def html_item(layout: DocxLayout, token: nodes.HtmlElement) -> None:
    """Write an item outside a list."""
    layout.write_flow(token.children)
