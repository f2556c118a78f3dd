"""Properties of runs and paragraphs as values: of an element, of a style, and what of the first the second lacks.

Elements are written in the order of their types in ECMA-376-1, 17.3 (`CT_PPr`, `CT_RPr`), which Word requires.
"""

from typing import NamedTuple

from mdpublish_core.resources.open_xml import Element
from mdpublish_core.writers.docx.xml import add
from mdpublish_core.writers.language import proofing_attributes

MAX_BORDER_SPACE = 31
"""Between text and border, in points: the most that Word takes."""


class DocxBorder(NamedTuple):
    """A border: `size` in eighths of a point."""

    kind: str
    size: int
    color: str


class RunProperties(NamedTuple):
    """How text looks: `size` in half points, `spacing` in twentieths of a point, colors as six hexadecimal digits."""

    font: str
    size: int
    color: str
    bold: bool = False
    italic: bool = False
    caps: str = ""
    strike: bool = False
    underline: bool = False
    spacing: int = 0
    border: DocxBorder | None = None
    fill: str = ""
    position: str = ""


class RunMarks(NamedTuple):
    """What a run is, besides its looks."""

    style: str = ""
    no_proof: bool = False
    rtl: bool = False
    lang: str = ""


class Borders(NamedTuple):
    """Borders of a paragraph, with the space to its text in points."""

    top: tuple[DocxBorder, int] | None = None
    left: tuple[DocxBorder, int] | None = None
    bottom: tuple[DocxBorder, int] | None = None
    right: tuple[DocxBorder, int] | None = None


NO_BORDERS = Borders()


class ParagraphProperties(NamedTuple):
    """A paragraph's properties, in twentieths of a point; `line` is a line's least height, exact if negative."""

    before: int = 0
    after: int = 0
    line: int = 0
    left: int = 0
    right: int = 0
    first: int = 0
    align: str = "left"
    borders: Borders = NO_BORDERS
    fill: str = ""
    keeps_next: bool = False
    keeps_lines: bool = False
    bidi: bool = False
    level: int = 0
    """Of the outline, from 1; 0 for text."""
    tab: int = 0
    """Distance of tab stops behind the left edge; 0 for the document's."""
    end: int = 0
    """Place of a tab stop for text that ends at the right edge; 0 for none."""


def run_in_reference(run: RunProperties, base: RunProperties) -> RunProperties:
    """Return what text means, beside the looks of a reference document's style."""
    return base._replace(
        bold=run.bold, italic=run.italic, strike=run.strike, underline=run.underline, position=run.position
    )


def paragraph_in_reference(
    properties: ParagraphProperties, base: ParagraphProperties, *, is_boxed: bool
) -> ParagraphProperties:
    """Return where a paragraph stands, beside the looks of a reference document's style; `is_boxed` draws a box."""
    without_style = base._replace(
        left=properties.left,
        right=properties.right,
        align=properties.align,
        keeps_next=properties.keeps_next,
        keeps_lines=properties.keeps_lines,
        bidi=properties.bidi,
    )
    return without_style._replace(borders=properties.borders, fill=properties.fill) if is_boxed else without_style


_PLAIN_PARAGRAPH = ParagraphProperties()
_PLAIN_RUN = RunProperties(font="", size=0, color="")
_NO_MARKS = RunMarks()


def write_run_properties(
    parent: Element, run: RunProperties, base: RunProperties | None, marks: RunMarks = _NO_MARKS
) -> None:
    """Append what differs from `base`, which is None for a style that inherits nothing."""
    if run == base and marks == _NO_MARKS:
        return
    base = base or _PLAIN_RUN
    properties = add(parent, "w:rPr")
    if marks.style:
        add(properties, "w:rStyle", val=marks.style)
    if run.font != base.font:
        add(properties, "w:rFonts", ascii=run.font, hAnsi=run.font, cs=run.font)
    # Bold and italic exist twice: the second is for Arabic and Hebrew.
    _write_toggle(properties, run.bold, base.bold, "w:b", "w:bCs")
    _write_toggle(properties, run.italic, base.italic, "w:i", "w:iCs")
    _write_toggle(properties, run.caps == "caps", base.caps == "caps", "w:caps")
    _write_toggle(properties, run.caps == "smallCaps", base.caps == "smallCaps", "w:smallCaps")
    _write_toggle(properties, run.strike, base.strike, "w:strike")
    if marks.no_proof:
        add(properties, "w:noProof")
    _write_appearance(properties, run, base)
    if marks.rtl:
        add(properties, "w:rtl")
    if marks.lang:
        add(properties, "w:lang", **proofing_attributes(marks.lang))
    if not len(properties):
        parent.remove(properties)


def _write_appearance(properties: Element, run: RunProperties, base: RunProperties) -> None:
    if run.color != base.color:
        add(properties, "w:color", val=run.color)
    if run.spacing != base.spacing:
        add(properties, "w:spacing", val=run.spacing)
    if run.size != base.size:
        add(properties, "w:sz", val=run.size)
        add(properties, "w:szCs", val=run.size)
    if run.underline != base.underline:
        add(properties, "w:u", val="single" if run.underline else "none")
    if run.border != base.border:
        write_border(properties, "w:bdr", run.border, 0)
    if run.fill != base.fill:
        write_fill(properties, run.fill)
    if run.position != base.position:
        add(properties, "w:vertAlign", val=run.position or "baseline")


def _write_toggle(properties: Element, value: bool, old: bool, *names: str) -> None:
    if value != old:
        for name in names:
            add(properties, name, val=None if value else "0")


def write_paragraph_properties(
    paragraph: Element,
    properties: ParagraphProperties,
    base: ParagraphProperties | None,
    *,
    style: str = "",
    numbering: tuple[int, int] | None = None,
    number_run: tuple[RunProperties, RunProperties] | None = None,
) -> None:
    """Append what differs from `base`, which Word requires to be first; `numbering` is a list's id and its level, from 0.

    `number_run` are the properties of the number, or bullet, and those of the paragraph's style.
    """
    base = base or _PLAIN_PARAGRAPH
    if not style and properties == base and numbering is None:
        return
    element = add(paragraph, "w:pPr")
    if style:
        add(element, "w:pStyle", val=style)
    _write_toggle(element, properties.keeps_next, base.keeps_next, "w:keepNext")
    _write_toggle(element, properties.keeps_lines, base.keeps_lines, "w:keepLines")
    if numbering:
        number = add(element, "w:numPr")
        add(number, "w:ilvl", val=numbering[1])
        add(number, "w:numId", val=numbering[0])
    _write_borders(element, properties.borders, base.borders)
    if properties.fill != base.fill:
        write_fill(element, properties.fill)
    if properties.tab or properties.end:
        _write_tab_stops(add(element, "w:tabs"), properties)
    _write_toggle(element, properties.bidi, base.bidi, "w:bidi")
    _write_spacing(element, properties, base)
    _write_indents(element, properties, base)
    if properties.align != base.align:
        add(element, "w:jc", val=properties.align)
    if properties.level != base.level:
        add(element, "w:outlineLvl", val=properties.level - 1)
    if number_run:
        write_run_properties(element, *number_run)


def _write_tab_stops(stops: Element, properties: ParagraphProperties) -> None:
    for count in range(1, 13) if properties.tab else ():
        add(stops, "w:tab", val="left", pos=properties.left + count * properties.tab)
    if properties.end:
        add(stops, "w:tab", val="right", pos=properties.end)


def _write_borders(element: Element, new: Borders, old: Borders) -> None:
    if new == old:
        return
    borders = add(element, "w:pBdr")
    for side, new_side, old_side in zip(Borders._fields, new, old, strict=True):
        if new_side or old_side:
            border, space = new_side or (None, 0)
            write_border(borders, f"w:{side}", border, space)


def _write_indents(element: Element, properties: ParagraphProperties, base: ParagraphProperties) -> None:
    values = _changed(properties, base, "left", "right")
    if properties.first != base.first:
        values["firstLine" if properties.first >= 0 else "hanging"] = abs(properties.first)
    if values:
        add(element, "w:ind", **values)


def _write_spacing(element: Element, properties: ParagraphProperties, base: ParagraphProperties) -> None:
    values = _changed(properties, base, "before", "after")
    if properties.line != base.line:
        values |= {"line": abs(properties.line), "lineRule": "atLeast" if properties.line >= 0 else "exact"}
    if values:
        add(element, "w:spacing", **values)


def _changed(properties: ParagraphProperties, base: ParagraphProperties, *names: str) -> dict[str, str | int]:
    """Return the properties of these names that differ; Word's attributes have the same names."""
    return {name: getattr(properties, name) for name in names if getattr(properties, name) != getattr(base, name)}


def write_border(parent: Element, name: str, border: DocxBorder | None, space: int) -> None:
    if border is None:
        add(parent, name, val="nil" if name != "w:bdr" else "none", sz=0, space=0, color="auto")
    else:
        add(
            parent,
            name,
            val=border.kind,
            sz=border.size,
            space=min(max(space, 0), MAX_BORDER_SPACE),
            color=border.color,
        )


def write_fill(parent: Element, fill: str) -> None:
    add(parent, "w:shd", val="clear", color="auto", fill=fill or "auto")
