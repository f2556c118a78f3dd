"""Makes a Word file's story one that mammoth reads whole: it drops formulas, text boxes, fields and unknown elements.

What a paragraph or table is stands in a list of blocks, and a bookmark in it has its place in the list.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from itertools import islice, takewhile
from typing import NamedTuple

from lxml import etree

from mdpublish_core.notices import Notice, shorten
from mdpublish_core.readers.docx.styles import (
    OFF,
    TOGGLES,
    ListCounter,
    ListItem,
    WordStyles,
    font_of,
    is_monospace,
    is_on,
    left_of,
    twips,
)
from mdpublish_core.readers.docx.symbols import SYMBOL_FONTS, symbol_of
from mdpublish_core.readers.tex.omml import tex_of_omml
from mdpublish_core.resources.code_marks import language_in
from mdpublish_core.resources.open_xml import (
    FORMULA_MARK,
    FORMULAS_MARK,
    LINK_FIELD,
    PREFIXES,
    Element,
    Target,
    qualified,
    split_name,
    value_of,
)

MARKER = "block-"

IMAGE = "image"
"""The style of a run with the number of an image."""

OUR_STYLES = frozenset({IMAGE, "formula-inline", "formula-block"})
"""Others are of runs with TeX, or with the text of a formula that TeX cannot express."""

_RUN_PROPERTIES = {qualified(f"w:{name}"): name for name in (*TOGGLES, "u", "highlight")}
_REFERENCES = {qualified(f"w:{kind}Reference"): kind for kind in ("footnote", "endnote")}
_HOLDERS = frozenset(map(qualified, ("w:body", "w:tc", "w:footnote", "w:endnote")))
_CONTENTS = frozenset(map(qualified, ("w:r", "w:sdt", "w:hyperlink", "w:ins")))
_GRAPHICS = tuple(map(qualified, ("w:object", "w:drawing", "w:pict")))
_IMAGES = (qualified("a:blip"), "{urn:schemas-microsoft-com:vml}imagedata")

SIMPLIFIED = (
    *map(qualified, ("w:p", "w:r", "w:tbl", "w:hyperlink", "w:ruby", "w:bookmarkStart", "mc:AlternateContent", "m:*")),
    *(*_REFERENCES, *_GRAPHICS),
)
"""Elements that take time to be simplified: some 20 microseconds each."""

_RULE = "{urn:schemas-microsoft-com:office:office}hr"
"""An attribute of VML's rectangles."""

_SPAN = re.compile("[1-9]|[1-5][0-9]|6[0-3]")
"""Columns of a cell: Word's widest table has 63."""

_FOREIGN_STYLE = re.compile(f"(?!(?:{'|'.join(OUR_STYLES)})$).*")

_DRAWN_RULE = re.compile(r"[*\-_─\s]{1,20}")
"""A rule that is drawn as text, of few characters: a longer line is one to write on."""

_NO_BORDER = frozenset({"nil", "none"})

_LINK_STYLE = "InternetLink"
"""LibreOffice's."""

_MAX_PARTS = 12
"""Children of a run that is split; a link's field has six."""

_STRINGS = tuple(map(qualified, ("w:t", "m:t", "w:txbxContent")))
_SHOWN = tuple(map(qualified, ("m:oMath", "w:t", "w:drawing", "w:pict", "w:object")))

_CODE_POINT = re.compile("0{0,3}[0-9A-Fa-f]{1,5}")


class Block(NamedTuple):
    """What a paragraph or table is: its kind, indentation in twips beside that of its style, and place in a list."""

    kind: str
    left: int = 0
    item: ListItem | None = None
    align: str = ""
    remarks: Sequence[int] = ()
    """Numbers of what is to be written at its end."""


class WordImage(NamedTuple):
    """An image of the file or elsewhere."""

    target: Target
    alt: str
    title: str


class Simplifier:
    """Changes stories in place, and collects what mammoth would lose."""

    def __init__(self, styles: WordStyles, lists: ListCounter, notes: Iterable[tuple[str, str]]) -> None:
        self.blocks: list[Block] = []
        self.images: list[WordImage] = []
        self.bookmarks: dict[str, int] = {}
        self.remarks: dict[Element, list[int]] = defaultdict(list)
        self.notices: dict[str, Notice] = {}
        self.formula_bookmarks: dict[int, bool] = {}
        self.has_formula_bookmarks = False
        self._styles = styles
        self._lists = lists
        self._notes = set(notes)
        self._referenced: set[tuple[str, str]] = set()
        self._targets: Mapping[str, Target] = {}
        self._marked_notes: dict[str, Element | None] = {}
        self._bookmarked: dict[Element, list[str]] = {}

    def simplify(self, story: Element, targets: Mapping[str, Target]) -> None:
        """Change a story, whose relationships are `targets`."""
        self._targets = targets
        self._collect_bookmarks(story)
        # The first ones may have, or become, others.
        changes: Mapping[str, Callable[[Element], None]] = {
            "w:rStyle": lambda style: _check(style, "w:val", _FOREIGN_STYLE),
            "mc:AlternateContent": _choose,
            "w:fldSimple": _replace_field,
            **dict.fromkeys(("w:dir", "w:bdo"), _unwrap),
            "m:oMathPara": _replace_formula,
            "m:oMath": _replace_formula,
            "w:fldChar": _split_run,
            "w:instrText": self._simplify_field,
            **dict.fromkeys(("w:footnoteReference", "w:endnoteReference"), self._check_note),
            "w:gridSpan": lambda span: _check(span, "w:val", _SPAN),
            "w:sym": self._replace_symbol,
            "w:hyperlink": self._simplify_link,
            "w:ruby": _replace_ruby,
            "w:cr": lambda element: setattr(element, "tag", qualified("w:br")),
        }
        for name, change in changes.items():
            for element in list(story.iter(qualified(name))):
                change(element)
        for content in reversed(list(story.iter(qualified("w:txbxContent")))):
            _move_after(content)
        for name in _GRAPHICS:
            for element in list(story.iter(name)):
                self._replace_graphic(element)
        for element in list(story.iter(qualified("w:p"), qualified("w:tbl"))):
            if element.tag == qualified("w:p"):
                self._mark_paragraph(element)
            else:
                marked = etree.Element(qualified("w:p"))
                element.addprevious(marked)
                self._mark(marked, _table_block(element, self._styles))
                cell = next(element.iterancestors(qualified("w:tc")), element)
                sides = (cell.getprevious(), cell.getnext())
                if cell is not element and any(each is not None and each.tag == cell.tag for each in sides):
                    message = "a table is in a cell of another, whose cells are blocks one below the other"
                    self.add_notice(message, "table-simplified")

    def add_notice(self, message: str, code: str = "content-left-out") -> None:
        self.notices[message] = Notice(code, message)

    def _collect_bookmarks(self, story: Element) -> None:
        """Take the bookmarks out, with the notes and paragraphs to which they lead."""
        bookmarks = list(story.iter(qualified("w:bookmarkStart")))
        for bookmark in bookmarks:
            name, following = bookmark.get(qualified("w:name"), ""), bookmark.getnext()
            if following is not None and following.tag == qualified("w:r"):
                self._marked_notes[name] = next(following.iter(*_REFERENCES), None)
            if marked := FORMULA_MARK.fullmatch(name):
                self.formula_bookmarks[int(marked[1])] = not _is_empty(bookmark)
            self.has_formula_bookmarks |= bool(marked) or name == FORMULAS_MARK
            inside = next(bookmark.iterancestors(qualified("w:p")), following)
            if inside is not None:
                self._bookmarked.setdefault(inside, []).append(name)
        for bookmark in bookmarks:
            _remove(bookmark)

    # Blocks

    def _mark(self, paragraph: Element, block: Block) -> None:
        name = f"{MARKER}{len(self.blocks)}"
        self.blocks.append(block)
        paragraph.insert(0, etree.Element(qualified("w:bookmarkStart"), {qualified("w:name"): name}))

    def _mark_paragraph(self, paragraph: Element) -> None:
        properties = paragraph.find("w:pPr", PREFIXES)
        if properties is not None and not len(properties):
            paragraph.remove(properties)
            properties = None
        block = self._block(paragraph, properties)._replace(remarks=self.remarks.get(paragraph, ()))
        for name in self._bookmarked.get(paragraph, ()):
            self.bookmarks.setdefault(name, len(self.blocks))
            if block.kind == "code" and (language := language_in(name)):
                block = block._replace(kind=f"code {language}")
        # That of the paragraph's mark says whether it is deleted.
        mark = None if properties is None else properties.find("w:rPr", PREFIXES)
        if properties is not None:
            _remove(properties)
        if mark is not None and mark.find("w:del", PREFIXES) is not None:
            etree.SubElement(paragraph, qualified("w:pPr")).append(mark)
        # Of a heading, bold says nothing.
        is_bold = block.kind[0] == "h" and all(is_on(run.find("w:rPr", PREFIXES), "b") for run in _text_runs(paragraph))
        for run in list(paragraph.iter(qualified("w:r"))):
            self._simplify_run(run, is_code=block.kind.startswith("code"), is_bold=is_bold)
        _join_runs(list(paragraph.iter(qualified("w:r"))))
        self._mark(paragraph, block)

    def _block(self, paragraph: Element, properties: Element | None) -> Block:
        style = self._styles.paragraph(value_of(properties, "w:pStyle") or "")
        direct, kind = left_of(properties), self._kind(paragraph, properties, style.kind)
        if kind in {"p", "item"}:
            left = (style.left if direct is None else direct) or 0
        elif _has_no_borders(properties) or not (direct or (style.left and direct is None)):
            # Less than none: as in a cell that is the box of its paragraphs.
            left = -1
        else:
            left = max(0, (direct or 0) - (style.left or 0))
        align = value_of(properties, "w:jc") or ""
        if properties is not None and properties.find("w:bidi", PREFIXES) is not None:
            align = {"right": "left", "left": ""}.get(align, align)
        list_id, level = _numbering(properties) or style.numbering or ("", "")
        item = self._item(paragraph, properties, list_id, level, is_heading=kind[0] == "h")
        if item is None and direct is None and kind[0] != "h":
            left = self._lists.left_of(list_id, level) or left
        if item and direct is not None:
            item = item._replace(left=direct)
        elif item and style.left is not None and _numbering(properties) is None:
            item = item._replace(left=style.left)
        return Block("p" if kind == "item" else kind, left, item, align)

    def _kind(self, paragraph: Element, properties: Element | None, kind: str) -> str:
        """Return what a paragraph is, whose style has a kind."""
        outline = value_of(properties, "w:outlineLvl")
        if kind == "p" and outline in set("012345"):
            return f"h{int(outline) + 1}"
        if kind == "hr" and any(map(str.isalnum, "".join(map(str, paragraph.itertext())))):
            return "p"
        if kind == "p" and _is_rule(paragraph, properties):
            return "hr"
        runs = [run.find("w:rPr", PREFIXES) for run in _text_runs(paragraph)]
        is_code = kind == "p" and runs and self._styles.has_code_fonts and all(map(is_monospace, runs))
        return "code" if is_code else kind

    def _item(
        self, paragraph: Element, properties: Element | None, list_id: str, level: str, *, is_heading: bool
    ) -> ListItem | None:
        if is_heading and not (_numbering(properties) and self._lists.is_bullet(list_id, level)):
            # Numbers of headings are the outline's.
            return None
        item = self._lists.item(list_id, level)
        return item or (ListItem() if _begins_with_box(paragraph) and left_of(properties) else None)

    def _simplify_run(self, run: Element, *, is_code: bool, is_bold: bool) -> None:
        """Write what a run's style sets into the run, and what the style is as one of ours."""
        old = run.find("w:rPr", PREFIXES)
        style_id = value_of(old, "w:rStyle") or ""
        if style_id in OUR_STYLES:
            return
        style = self._styles.character(style_id)
        # Of several the first one counts.
        written = ((each.tag, each.get(qualified("w:val"), "")) for each in reversed(() if old is None else old))
        set_here = {_RUN_PROPERTIES[tag]: value for tag, value in written if tag in _RUN_PROPERTIES}
        values = {name: value for name, value in {**style.toggles, **set_here}.items() if value not in OFF}
        self._show_symbols(run, font_of(old))
        if old is not None:
            run.remove(old)
        if "vanish" in values or style.mark == "left-out":
            if "vanish" in values:
                self.add_notice("hidden text is left out")
            _remove(run)
        elif not is_code:
            if "dstrike" in values:
                values["strike"] = "1"
            if is_bold:
                values.pop("b", None)
            if any(each.tag == qualified("w:hyperlink") for each in run.iterancestors()):
                values.pop("u", None)
            mark = style.mark or ("code" if self._styles.has_code_fonts and is_monospace(old) else "")
            _set_properties(run, {**values, **({"rStyle": mark} if mark else {})})

    # What mammoth does not read

    def _simplify_field(self, instruction: Element) -> None:
        """Turn a field that repeats a note's number or a text into a reference or link to it, and join a link's URL and place."""
        run = instruction.getparent()
        if run is None or (around := run.getparent()) is None:
            return
        # Word divides it.
        parts = list(takewhile(lambda each: each.find("w:instrText", PREFIXES) is not None, run.itersiblings()))
        instruction.text = "".join((instruction.text or "", *(str(each) for part in parts for each in part.itertext())))
        for part in parts:
            _remove(part)
        words = instruction.text.split()
        if link := LINK_FIELD.match(instruction.text):
            instruction.text = f' HYPERLINK "{"#".join(filter(None, link.groups()))}" '
            _extend_link(run)
            for properties in (each.find("w:rPr", PREFIXES) for each in _contents_of_field(run)):
                if properties is not None:
                    # As links are underlined.
                    etree.SubElement(properties, qualified("w:u"), {qualified("w:val"): "none"})
                    for underline in properties.findall("w:u", PREFIXES)[:-1]:
                        properties.remove(underline)
        reference = self._marked_notes.get(words[1]) if len(words) > 1 and words[0] == "NOTEREF" else None
        if reference is None:
            if len(words) > 1 and words[0].upper() == "REF" and around.tag != qualified("w:hyperlink"):
                instruction.text = f' HYPERLINK \\l "{words[1]}" '
            return
        for content in _contents_of_field(run):
            _remove(content)
        etree.SubElement(run, reference.tag, {qualified("w:id"): reference.get(qualified("w:id"), "")})
        run.remove(instruction)

    def _replace_symbol(self, symbol: Element) -> None:
        code = symbol.get(qualified("w:char"), "")
        # A value that is no code is that of no symbol.
        number = int(code, 16) if _CODE_POINT.fullmatch(code) else 0
        _replace_by_text(symbol, self._symbol(symbol.get(qualified("w:font"), ""), number))

    def _show_symbols(self, run: Element, font: str) -> None:
        for each in run.findall("w:t", PREFIXES) if font in SYMBOL_FONTS else ():
            each.text = "".join(self._symbol(font, ord(character)) for character in each.text or "")

    def _symbol(self, font: str, code: int) -> str:
        """Return the character that a font shows as a symbol; one that is not known is named."""
        shown = symbol_of(font, code)
        if not shown:
            self.add_notice(f"the symbol {code:X} of the font {shorten(font)!r} is left out: none of Unicode is known")
        return shown

    def _check_note(self, reference: Element) -> None:
        """Remove a reference to no note; make one to a note that has one a link, since mammoth repeats the note."""
        kind, number = _REFERENCES[reference.tag], reference.get(qualified("w:id"), "")
        run = reference.getparent()
        if (kind, number) in self._referenced and run is not None:
            link = etree.Element(qualified("w:hyperlink"), {qualified("w:anchor"): f"{kind}-{number}"})
            link.append(_run("[1]"))
            run.addprevious(link)
        if (kind, number) in self._notes:
            self._notes.remove((kind, number))
            self._referenced.add((kind, number))
        else:
            _remove(reference)

    def _simplify_link(self, link: Element) -> None:
        """Put the title where mammoth keeps an attribute; remove a target that is not there."""
        link.set(qualified("w:tgtFrame"), link.get(qualified("w:tooltip"), ""))
        if link.get(qualified("r:id")) not in {None, *self._targets}:
            del link.attrib[qualified("r:id")]

    def _replace_graphic(self, graphic: Element) -> None:
        """Replace a graphic by its images, else by its alternative text; a rule becomes a border of its paragraph."""
        paragraph = next(graphic.iterancestors(qualified("w:p")), None)
        if paragraph is not None and any(_RULE in each.attrib for each in graphic.iter()):
            etree.SubElement(paragraph, qualified("w:pBdr"))
        properties = next(graphic.iter(qualified("wp:docPr")), None)
        alt, title = ("" if properties is None else properties.get(name, "") for name in ("descr", "title"))
        link = None if properties is None else properties.find(qualified("a:hlinkClick"))
        href = "" if link is None else link.get(qualified("r:id"), "")
        first = len(self.images)
        for image in list(graphic.iter(*_IMAGES)):
            ids = (image.get(qualified(f"r:{name}"), "") for name in ("embed", "link", "id"))
            target = next((self._targets[name] for name in ids if name in self._targets), None)
            if target:
                self._add_image(graphic, WordImage(target, alt, title), href if href in self._targets else "")
        if len(self.images) == first and properties is not None:
            self.add_notice("drawings without an image, such as charts, are their alternative texts")
            _replace_by_text(graphic, alt or title)
        _remove(graphic)

    def _add_image(self, graphic: Element, image: WordImage, href: str) -> None:
        """Put a run with the image's number before that of a graphic, or after it, if text comes before the graphic."""
        run = graphic if (parent := graphic.getparent()) is None or parent.tag != qualified("w:r") else parent
        added = numbered = _run(str(len(self.images)), IMAGE)
        self.images.append(image)
        if href:
            added = etree.Element(qualified("w:hyperlink"), {qualified("r:id"): href})
            added.append(numbered)
        if run.find("w:t", PREFIXES) is None:
            run.addprevious(added)
        else:
            run.addnext(added)


def _is_empty(bookmark: Element) -> bool:
    """Return whether a bookmark has lost its formula. LibreOffice may move it behind the end, with an empty run between."""
    for following in islice(bookmark.itersiblings(), _MAX_PARTS):
        if following.tag == bookmark.tag and FORMULA_MARK.fullmatch(following.get(qualified("w:name"), "")):
            break
        if (shown := next(following.iter(*_SHOWN), None)) is not None:
            return shown.tag != qualified("m:oMath")
    return True


def _remove(element: Element) -> None:
    if (parent := element.getparent()) is not None:
        parent.remove(element)


def _unwrap(element: Element) -> None:
    for child in list(element):
        element.addprevious(child)
    _remove(element)


def _replace_field(field: Element) -> None:
    """Turn a field that repeats a text into a link to that, another into its text."""
    words = field.get(qualified("w:instr"), "").split()
    if len(words) > 1 and words[0].upper() == "REF":
        field.tag = qualified("w:hyperlink")
        field.set(qualified("w:anchor"), words[1])
    else:
        _unwrap(field)


def _choose(alternatives: Element) -> None:
    """Choose the first alternative that has an image or text, else the last."""
    shown = (each for each in alternatives if next(each.iter(*_IMAGES, *_STRINGS), None) is not None)
    chosen = next(shown, alternatives[-1] if len(alternatives) else alternatives)
    for child in list(chosen):
        alternatives.addprevious(child)
    _remove(alternatives)


def _check(element: Element, attribute: str, valid: re.Pattern[str]) -> None:
    if not valid.fullmatch(element.get(qualified(attribute), "")):
        _remove(element)


def _replace_formula(formula: Element) -> None:
    parent, is_block = formula.getparent(), formula.tag == qualified("m:oMathPara")
    if parent is None or any(each.tag == qualified("m:oMathPara") for each in formula.iterancestors()):
        return
    if is_block and formula.find(qualified("m:oMath")) is None:
        _remove(formula)
        return
    try:
        tex = tex_of_omml(formula)
        content = f"\\({tex}\\)" if tex else ""
    except ValueError:
        content = "".join(map(str, formula.itertext()))
    run = _run(content, f"formula-{'block' if is_block else 'inline'}")
    if parent.tag in _HOLDERS:
        paragraph = etree.Element(qualified("w:p"))
        paragraph.append(run)
        run = paragraph
    formula.addprevious(run)
    _remove(formula)


def _run(content: str, style: str = "") -> Element:
    run = etree.Element(qualified("w:r"))
    _set_properties(run, {"rStyle": style} if style else {})
    etree.SubElement(run, qualified("w:t")).text = content
    return run


def _split_run(mark: Element) -> None:
    """Split a run that holds a field character and other content: mammoth expects each in a run of its own."""
    run = mark.getparent()
    if run is None or not len(run.findall("w:rPr", PREFIXES)) + 1 < len(run) <= _MAX_PARTS:
        return
    properties = run.find("w:rPr", PREFIXES)
    for part in list(run):
        if part is not properties:
            run.addprevious(split := etree.Element(run.tag))
            split.extend([part] if properties is None else [deepcopy(properties), part])
    _remove(run)


def _contents_of_field(run: Element) -> Sequence[Element]:
    """Return what follows the run of a field's instruction, up to its end or another instruction, without marks."""
    contents = []
    for sibling in run.itersiblings():
        mark = sibling.find("w:fldChar", PREFIXES)
        if mark is None and sibling.find("w:instrText", PREFIXES) is None:
            contents.append(sibling)
        elif mark is None or mark.get(qualified("w:fldCharType")) == "end":
            break
    return contents


def _extend_link(run: Element) -> None:
    """Move the rest of a link's text into its field: LibreOffice ends that where the text's format changes."""
    last = next(reversed(_contents_of_field(run)), run)
    end = last.getnext()
    while end is not None and _is_in_link(last) and (rest := end.getnext()) is not None and _is_in_link(rest):
        end.addprevious(rest)


def _is_in_link(run: Element) -> bool:
    properties = run.find("w:rPr", PREFIXES)
    return value_of(properties, "w:rStyle") == _LINK_STYLE and run.find("w:fldChar", PREFIXES) is None


def _replace_ruby(ruby: Element) -> None:
    parts = (ruby.find(f"w:{name}", PREFIXES) for name in ("rubyBase", "rt"))
    base, reading = ("" if part is None else "".join(map(str, part.itertext())) for part in parts)
    _replace_by_text(ruby, f"{base} ({reading})")


def _replace_by_text(element: Element, content: str) -> None:
    replacement = etree.Element(qualified("w:t"))
    replacement.text = content
    element.addprevious(replacement)
    _remove(element)


def _move_after(content: Element) -> None:
    """Move the paragraphs of a text box behind the one in which it stands."""
    paragraph = next(content.iterancestors(qualified("w:p")), None)
    graphic = next(content.iterancestors(*_GRAPHICS), None)
    if paragraph is not None:
        for child in reversed(content):
            paragraph.addnext(child)
    if graphic is not None and next(graphic.iter(*_IMAGES), None) is None:
        _remove(graphic)


def _text_runs(paragraph: Element) -> Iterator[Element]:
    return (run for run in paragraph.iter(qualified("w:r")) if run.find("w:t", PREFIXES) is not None)


def _join_runs(runs: Iterable[Element]) -> None:
    """Join texts that look alike: Word divides them at edits and misspelt words, and mammoth is slow for each run."""
    joined: list[list[Element]] = []
    shared = None
    for run in runs:
        form = _form_of_text(run)
        if form is not None and form == shared and run.getprevious() is joined[-1][-1]:
            joined[-1].append(run)
        else:
            joined.append([run])
        shared = form
    for first, *others in joined:
        if others:
            first[-1].text = "".join(run[-1].text or "" for run in (first, *others))
        for run in others:
            _remove(run)


def _form_of_text(run: Element) -> Sequence[tuple[str, str | None]] | None:
    """Return the properties of a run that is a text; None of another, and of what is ours."""
    if [each.tag for each in run if each.tag != qualified("w:rPr")] != [qualified("w:t")]:
        return None
    properties = run.find("w:rPr", PREFIXES)
    form = [] if properties is None else [(each.tag, each.get(qualified("w:val"))) for each in properties]
    return None if OUR_STYLES.intersection(value for _, value in form) else form


def _set_properties(run: Element, values: Mapping[str, str]) -> None:
    if not values:
        return
    properties = etree.Element(qualified("w:rPr"))
    for name, value in values.items():
        etree.SubElement(properties, qualified(f"w:{name}"), {qualified("w:val"): value})
    run.insert(0, properties)


def _is_rule(paragraph: Element, properties: Element | None) -> bool:
    """Return whether a paragraph is only a line, as Word makes of three hyphens, or of typed marks in the middle.

    In a cell, these are its value.
    """
    if content := "".join(map(str, paragraph.itertext())).strip():
        is_drawn = _DRAWN_RULE.fullmatch(content) and value_of(properties, "w:jc") == "center"
        return bool(is_drawn) and next(paragraph.iterancestors(qualified("w:tc")), None) is None
    if paragraph.find("w:pBdr", PREFIXES) is not None:
        return True
    borders = _borders(properties)
    if not borders or next(paragraph.iter(qualified("w:drawing")), None) is not None:
        return False
    shown = {side for side, kind in borders.items() if kind not in _NO_BORDER}
    return bool(shown) and shown <= {"top", "bottom"}


def _borders(properties: Element | None) -> Mapping[str, str]:
    """Return the kinds of a paragraph's borders by side, without those of its style."""
    borders = None if properties is None else properties.find("w:pBdr", PREFIXES)
    return {} if borders is None else {split_name(each.tag)[1]: each.get(qualified("w:val"), "") for each in borders}


def _has_no_borders(properties: Element | None) -> bool:
    """Return whether a paragraph has none of its style's borders."""
    borders = _borders(properties)
    return bool(borders) and _NO_BORDER.issuperset(borders.values())


def _numbering(properties: Element | None) -> tuple[str, str] | None:
    """Return a paragraph's list and level, None if they are its style's."""
    list_id = value_of(properties, "w:numPr/w:numId")
    return None if list_id is None else (list_id, value_of(properties, "w:numPr/w:ilvl") or "0")


def _begins_with_box(paragraph: Element) -> bool:
    first = next((child for child in paragraph if child.tag in _CONTENTS), None)
    return first is not None and first.find(f"w:sdtPr/{qualified('w14:checkbox')}", PREFIXES) is not None


def _add_empty_head(table: Element) -> None:
    """Put back a head without words, which our output leaves out, before the first row, which would else be the head."""
    row = etree.Element(qualified("w:tr"))
    etree.SubElement(etree.SubElement(row, qualified("w:trPr")), qualified("w:tblHeader"))
    etree.SubElement(etree.SubElement(row, qualified("w:tc")), qualified("w:p"))
    table.insert(1 + [each.tag for each in table].index(qualified("w:tblGrid")), row)


_PANELS = frozenset({"MarkdownTable", "MarkdownQuote"})


def _table_block(table: Element, styles: WordStyles) -> Block:
    """Return a table, or for what our output draws as a single cell, the kind of its first paragraph that has one."""
    indent = table.find("w:tblPr/w:tblInd", PREFIXES)
    left = 0 if indent is None else twips(indent.get(qualified("w:w"), ""))
    style, flags = value_of(table, "w:tblPr/w:tblStyle"), table.find("w:tblPr/w:tblLook", PREFIXES)
    if style not in _PANELS or flags is not None:
        if style == "MarkdownTable" and flags is not None and flags.get(qualified("w:firstRow")) == "0":
            _add_empty_head(table)
        return Block("table", left)
    if style == "MarkdownQuote":
        return Block("panel quote", left)
    names = (value_of(each, "w:pPr/w:pStyle") or "" for each in table.iterfind("w:tr/w:tc/w:p", PREFIXES))
    kinds = (styles.paragraph(name).kind for name in names)
    boxes = (kind for kind in kinds if kind.split()[0] in {"quote", "callout", "title", "summary"})
    return Block(f"panel {next(boxes, 'quote')}", left)
