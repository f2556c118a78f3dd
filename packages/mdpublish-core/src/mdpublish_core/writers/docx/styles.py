"""The template as Word's named styles: a change of one in Word changes all text that has it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import ceil
from typing import NamedTuple, TypeVar

from mdpublish_core.data_files import read_fields, read_table
from mdpublish_core.resources.open_xml import Element, qualified
from mdpublish_core.templates import Style, bind
from mdpublish_core.templates.theme import FontNames
from mdpublish_core.writers.docx.element_styles import (
    MAX_SIZE,
    NORMAL,
    NOWHERE,
    ElementStyle,
    ParagraphBox,
    element_style_factory,
    paragraph_properties,
)
from mdpublish_core.writers.docx.properties import (
    ParagraphProperties,
    RunMarks,
    RunProperties,
    run_in_reference,
    write_paragraph_properties,
    write_run_properties,
)
from mdpublish_core.writers.docx.reference import Reference
from mdpublish_core.writers.docx.theme import east_asian_font
from mdpublish_core.writers.docx.xml import add, story_root
from mdpublish_core.writers.language import proofing_attributes
from mdpublish_core.writers.styled.stylesheets import compile_stylesheet


class _Paragraph(NamedTuple):
    """A style of paragraphs: the path of an element that has it, of which `box` is the number of the box, from 0."""

    name: str
    path: tuple[str, ...]
    box: int | None = None
    is_painted: bool = False
    following: str | None = None
    is_centered: bool = False
    level: int = 0
    is_builtin: bool = False


class _Character(NamedTuple):
    """A style of text: the path of an element, which changes what the element around it has."""

    name: str
    path: tuple[str, ...]
    is_painted: bool = False
    no_proof: bool = False
    is_builtin: bool = False


_Definition = TypeVar("_Definition", _Paragraph, _Character)


_NO_PROOF = RunMarks(no_proof=True)


def _read_styles(kind: str, of: type[_Definition]) -> Mapping[str, _Definition]:
    """Return the styles of a kind in `styles.tsv` by their ids."""
    rows = read_table(__file__, "styles.tsv")
    return {
        each: of(name, tuple(path.split()), **read_fields(cell))
        for of_kind, each, name, path, cell in rows
        if of_kind == kind
    }


_PARAGRAPHS = _read_styles("paragraph", _Paragraph)
_CHARACTERS = _read_styles("character", _Character)

ALWAYS = (NORMAL, *(f"Heading{level}" for level in range(1, 7)), "ListParagraph", "FootnoteText", "Footer", "Hyperlink")
"""Styles of every file, to write on with."""

# They toggle where a paragraph's style has them too, so they are in the text itself.
_NOT_IN_CHARACTER_STYLES = frozenset({"bold", "italic", "caps", "strike"})

# As the text of a reference document may be.
_NEVER_JUSTIFIED = ("pre", "div.table")

# In half points: 8 points, and what is still seen as code of a text in large print.
_MIN_CODE_SIZE, _MIN_CODE_SHARE = 16, 0.6

# In font sizes: of Lucida Console, Menlo and DejaVu Sans Mono. Consolas is narrower, but Courier New stands in for it.
_CODE_ADVANCE = 0.6025

# Twips per level of a table of contents.
_CONTENTS_INDENT = 240


@dataclass(frozen=True, slots=True)
class ParagraphStyle:
    """A named style's properties, with those that it inherits."""

    id: str
    paragraph: ParagraphProperties
    run: RunProperties
    is_foreign: bool = False
    """Whether a reference document has one of this name, whose looks are unknown."""


@dataclass
class StyleSheet:
    """The named styles of a document; `lang` is its language. Those of a reference document come before ours."""

    style: Style
    lang: str | None
    reference: Reference | None = None
    used: set[str] = field(default_factory=lambda: set(ALWAYS))
    sizes: dict[str, int] = field(default_factory=dict)
    """Sizes in half points of styles that are smaller than the template's: code, and headings with a long word."""
    _paragraphs: dict[str, ParagraphStyle] = field(default_factory=dict)
    _characters: dict[str, dict[str, object]] = field(default_factory=dict)

    def paragraph(self, style_id: str) -> ParagraphStyle:
        self.used.add(style_id)
        return self._paragraph(style_id)

    def _paragraph(self, style_id: str) -> ParagraphStyle:
        if style_id not in self._paragraphs:
            definition = _PARAGRAPHS[style_id]
            entered = self._enter(definition.path, is_painted=definition.is_painted)
            box = None if definition.box is None else ParagraphBox(entered[definition.box])
            properties = paragraph_properties(entered[-1], NOWHERE._replace(box=box))
            if definition.is_centered:
                properties = properties._replace(align="center")
            if definition.level:
                properties = properties._replace(level=definition.level)
            if style_id.startswith("TOC") and definition.path == ("p",):
                properties = properties._replace(left=(int(style_id[-1]) - 1) * _CONTENTS_INDENT, after=60)
            is_foreign = bool(self.reference and ("paragraph", definition.name.lower()) in self.reference.style_ids)
            self._paragraphs[style_id] = ParagraphStyle(style_id, properties, entered[-1].run, is_foreign)
        return self._paragraphs[style_id]

    def in_reference(self, run: RunProperties, base: RunProperties) -> RunProperties:
        """Return properties without looks; on dark fills, which are ours, with the color."""
        without_style = run_in_reference(run, base)
        return without_style._replace(color=run.color) if self.style.theme_mode == "dark" else without_style

    def fit_code(self, columns: Iterable[int], width: float) -> None:
        """Make all code so small that the longest of these lines that can be whole is; `width` is in px."""
        size = self._paragraph("SourceCode").run.size
        smallest = max(_MIN_CODE_SIZE, ceil(size * _MIN_CODE_SHARE))
        # In half points.
        width *= 1.5 / _CODE_ADVANCE
        longest = max((count for count in columns if count * smallest <= width), default=0)
        if longest * size > width:
            self._limit_size("SourceCode", int(width / longest))

    def code_tab(self, columns: int) -> int:
        """Return the width of so many columns of code."""
        run = self._paragraph("SourceCode").run
        advance = 0.55 if run.font == "Consolas" else _CODE_ADVANCE
        return round(columns * advance * 10 * min(self.sizes.get("SourceCode", MAX_SIZE), run.size))

    def fit_heading(self, style_id: str, share: float) -> None:
        """Make all headings of a style smaller, so that a word as wide as `share` lines is whole in one, but no smaller than text."""
        size, smallest = (self._paragraph(each).run.size for each in (style_id, NORMAL))
        self._limit_size(style_id, max(min(size, smallest), int(size / share)))

    def _limit_size(self, style_id: str, size: int) -> None:
        self.sizes[style_id] = min(self.sizes.get(style_id, MAX_SIZE), size)

    def with_character(self, run: RunProperties, style_id: str) -> RunProperties:
        """Return what text has that has a style of characters in a paragraph with the properties `run`."""
        self.used.add(style_id)
        return run._replace(**self._changes(style_id))  # type: ignore[arg-type]

    def _changes(self, style_id: str) -> dict[str, object]:
        if style_id not in self._characters:
            definition = _CHARACTERS[style_id]
            *_, outer, inner = self._enter(definition.path, is_painted=definition.is_painted)
            if style_id == "FootnoteReference":
                outer = self._enter(definition.path[:1], is_painted=False)[-1]
            self._characters[style_id] = {
                name: new
                for name, old, new in zip(RunProperties._fields, outer.run, inner.run, strict=True)
                if old != new and name not in _NOT_IN_CHARACTER_STYLES
            }
        return self._characters[style_id]

    def _enter(self, path: tuple[str, ...], *, is_painted: bool) -> list[ElementStyle]:
        """Return the styles of nested elements that are not the first of the document."""
        style = self.style if is_painted else self.page_style
        cursor = compile_stylesheet(style, "word", element_style_factory(style.template.fonts)).cursor()
        cursor.enter("&")
        cursor.enter("hr")
        cursor.leave()
        return [cursor.enter(element) for element in path]

    @cached_property
    def page_style(self) -> Style:
        """The style of the page, which is light."""
        return bind(self.style.template, "light")

    @property
    def fonts(self) -> set[str]:
        """Fonts of the named styles."""
        return {style.run.font for style in self._paragraphs.values() if not style.is_foreign} | {
            str(changes["font"]) for changes in self._characters.values() if "font" in changes
        }

    # The part

    def part(self) -> Element:
        """Return `styles.xml`, with the styles used."""
        self.used |= {
            following for each in self.used & _PARAGRAPHS.keys() if (following := _PARAGRAPHS[each].following)
        }
        element = story_root("w:styles")
        normal = self._paragraph(NORMAL)
        self._write_defaults(element, normal)
        for style_id, definition in _PARAGRAPHS.items():
            if style_id in self.used:
                self._write_paragraph_style(element, style_id, definition, normal)
        default = add(element, "w:style", type="character", default="1", styleId="DefaultParagraphFont")
        add(default, "w:name", val="Default Paragraph Font")
        add(default, "w:uiPriority", val=1)
        add(default, "w:semiHidden")
        for style_id, character in _CHARACTERS.items():
            if style_id in self.used:
                self._write_character_style(element, style_id, character, normal.run)
        if self.reference is None:
            _refer_to_theme(element, self.style.template.fonts.word)
        _write_table_style(element)
        numbering = add(element, "w:style", type="numbering", default="1", styleId="NoList")
        add(numbering, "w:name", val="No List")
        add(numbering, "w:semiHidden")
        return element

    def _write_defaults(self, element: Element, normal: ParagraphStyle) -> None:
        defaults = add(element, "w:docDefaults")
        run = add(add(defaults, "w:rPrDefault"), "w:rPr")
        font = normal.run.font
        add(run, "w:rFonts", ascii=font, hAnsi=font, cs=font, eastAsia=east_asian_font(font, self.lang))
        add(run, "w:sz", val=normal.run.size)
        add(run, "w:szCs", val=normal.run.size)
        if self.lang:
            add(run, "w:lang", **proofing_attributes(self.lang))
        add(add(defaults, "w:pPrDefault"), "w:pPr")

    def _write_paragraph_style(
        self, element: Element, style_id: str, definition: _Paragraph, normal: ParagraphStyle
    ) -> None:
        is_default = style_id == NORMAL
        style = add(element, "w:style", type="paragraph", default="1" if is_default else None, styleId=style_id)
        if not definition.is_builtin:
            style.set(_CUSTOM, "1")
        add(style, "w:name", val=definition.name)
        if not is_default:
            add(style, "w:basedOn", val=NORMAL)
        if definition.following:
            add(style, "w:next", val=definition.following)
        add(style, "w:qFormat")
        resolved = self._paragraph(style_id)
        if (size := self.sizes.get(style_id, MAX_SIZE)) < resolved.run.size:
            line = resolved.paragraph.line * size // resolved.run.size
            resolved = replace(
                resolved,
                paragraph=resolved.paragraph._replace(line=line),
                run=resolved.run._replace(size=size),
            )
        if self.reference and definition.path[0] in _NEVER_JUSTIFIED:
            normal = replace(normal, paragraph=normal.paragraph._replace(align=""))
        write_paragraph_properties_of_style(style, resolved, None if is_default else normal)

    def _write_character_style(
        self, element: Element, style_id: str, definition: _Character, normal: RunProperties
    ) -> None:
        style = add(element, "w:style", type="character", styleId=style_id)
        if not definition.is_builtin:
            style.set(_CUSTOM, "1")
        add(style, "w:name", val=definition.name)
        add(style, "w:basedOn", val="DefaultParagraphFont")
        add(style, "w:qFormat")
        changes = self._changes(style_id)
        base = normal._replace(**{name: _OTHER_VALUES[name] for name in changes})  # type: ignore[arg-type]
        changed = normal._replace(**changes)  # type: ignore[arg-type]
        write_run_properties(style, changed, base, RunMarks(no_proof=definition.no_proof))


_CUSTOM = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}customStyle"

# No element has them, so that each change is written.
_OTHER_VALUES: Mapping[str, object] = {
    **dict.fromkeys(("font", "color", "fill", "position"), "-"),
    **dict.fromkeys(("size", "spacing"), -1_000_000),
    "underline": None,
    "border": (),
}


def write_paragraph_properties_of_style(
    style: Element, resolved: ParagraphStyle, normal: ParagraphStyle | None
) -> None:
    """Append the properties of a style that is based on `normal`."""
    holder = add(style, "w:holder")
    write_paragraph_properties(holder, resolved.paragraph, normal.paragraph if normal else None)
    write_run_properties(
        holder, resolved.run, normal.run if normal else None, _NO_PROOF if resolved.id == "SourceCode" else RunMarks()
    )
    style.remove(holder)
    style.extend(list(holder))


def _refer_to_theme(styles: Element, fonts: FontNames) -> None:
    """Let styles follow the fonts of the theme, which readers change for the whole document."""
    names = {fonts.heading: "majorHAnsi", fonts.body: "minorHAnsi"}
    for each in styles.iter(qualified("w:rFonts")):
        if theme_font := names.get(each.get(qualified("w:ascii"), "")):
            each.set(qualified("w:asciiTheme"), theme_font)
            each.set(qualified("w:hAnsiTheme"), theme_font)


def _write_table_style(element: Element) -> None:
    style = add(element, "w:style", type="table", default="1", styleId="TableNormal")
    add(style, "w:name", val="Normal Table")
    add(style, "w:semiHidden")
    properties = add(style, "w:tblPr")
    add(properties, "w:tblInd", w=0, type="dxa")
    margins = add(properties, "w:tblCellMar")
    for side in ("top", "left", "bottom", "right"):
        add(margins, f"w:{side}", w=0, type="dxa")
    for name in ("Table", "Quote"):
        table = add(element, "w:style", type="table", customStyle="1", styleId=f"Markdown{name}")
        add(table, "w:name", val=f"Markdown {name}")
        add(table, "w:basedOn", val="TableNormal")
