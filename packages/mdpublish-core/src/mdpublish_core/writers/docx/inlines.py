"""Inline nodes."""

import re
from collections.abc import Callable, Mapping
from urllib.parse import urlsplit

from mdpublish_core import nodes
from mdpublish_core.resources.characters import NOT_IN_XML
from mdpublish_core.resources.urls import encode_url, has_scheme, is_safe_url
from mdpublish_core.writers.docx.images import write_image
from mdpublish_core.writers.docx.layout import DocxLayout
from mdpublish_core.writers.docx.xml import NAMESPACES, add, add_text, add_with, parse
from mdpublish_core.writers.structure.anchors import PREFIX, footnote_id
from mdpublish_core.writers.word.inlines import bookmark_name

# What Word takes as a link.
_MAX_URL = 2_083

_BROKEN_ESCAPE = re.compile("%(?![0-9A-Fa-f]{2})")

_ZERO_WIDTH_SPACE = "\u200b"

_OVERRIDES = {"ltr": "\u202d", "rtl": "\u202e"}
_POP_DIRECTION = "\u202c"

_STYLES = {"kbd": "Keyboard", "mark": "Highlight", "code": "VerbatimChar", "samp": "VerbatimChar", "tt": "VerbatimChar"}
_UNPROOFED = frozenset({"Keyboard", "VerbatimChar"})


def raw_text(layout: DocxLayout, token: nodes.RawText) -> None:
    # A tab would be a tab stop.
    layout.write_text(token.content.replace("\t", " ") if "\t" in token.content else token.content)


def emphasis(layout: DocxLayout, token: nodes.Emphasis) -> None:
    _write_element(layout, token, "em")


def strong(layout: DocxLayout, token: nodes.Strong) -> None:
    _write_element(layout, token, "strong")


def strikethrough(layout: DocxLayout, token: nodes.Strikethrough) -> None:
    _write_element(layout, token, "del")


def inline_code(layout: DocxLayout, token: nodes.InlineCode) -> None:
    _write_code(layout, token.content, "code")


def _write_element(layout: DocxLayout, token: nodes.Token, element: str) -> None:
    layout.styles.enter(element, last=layout.is_last)
    layout.write_inlines(token.children)
    layout.styles.leave()


def _write_code(layout: DocxLayout, content: str, element: str) -> None:
    layout.styles.enter(element, last=layout.is_last)
    with layout.marked("VerbatimChar", no_proof=True):
        layout.write_text(content.replace("\t", "    ").replace("\n", " "))
    layout.styles.leave()


def line_break(layout: DocxLayout, token: nodes.LineBreak) -> None:
    if token.soft:
        layout.write_text(" ")
    else:
        layout.write_break()


def html_span(layout: DocxLayout, token: nodes.HtmlSpan) -> None:
    layout.write_text(token.content.replace("\n", " "))


def math_span(layout: DocxLayout, token: nodes.MathSpan) -> None:
    formula = layout.context.figures.formula(token)
    if formula is None:
        _write_code(layout, token.content, "code.math")
    elif not formula.is_definition:
        layout.close_run()
        element = parse(formula.omml_document(NAMESPACES["m"]))
        # A formula between the words of a line is no paragraph of its own.
        for inner in [element] if element.tag.endswith("}oMath") else list(element):
            layout.target.append(inner)
        layout.spend_markup(element)


# Links


def link(layout: DocxLayout, token: nodes.Link) -> None:
    children = nodes.visible_link(token).children
    write_link(layout, token.target, token.title, lambda: layout.write_inlines(children))


def auto_link(layout: DocxLayout, token: nodes.AutoLink) -> None:
    write_link(layout, token.target, "", lambda: layout.write_text(token.content))


def write_link(layout: DocxLayout, url: str, title: str, write: Callable[[], None]) -> None:
    """Write a link to a URL or a place in the document; what Word cannot open is text."""
    target = layout.anchors.resolve(url)
    attributes: dict[str, str | int] = {}
    if layout.in_link:
        write()
        return
    if target.startswith(f"#{PREFIX}"):
        attributes["w:anchor"] = bookmark_name(target[1:])
    elif not (target_url := external_url(url)):
        write()
        return
    else:
        attributes["r:id"] = layout.relationships.add("hyperlink", target_url, is_external=True)
    if title:
        attributes["w:tooltip"] = title[:_MAX_TOOLTIP]
    attributes["w:history"] = 1
    layout.styles.enter("a", last=layout.is_last, attributes={"href": url})
    layout.in_link = True
    layout.close_run()
    with layout.inside(add_with(layout.target, "w:hyperlink", attributes)), layout.marked("Hyperlink"):
        write()
    layout.in_link = False
    layout.styles.leave()


# Word's own bound.
_MAX_TOOLTIP = 260


def external_url(url: str) -> str | None:
    """Return a URL that every program can read, or None: a broken one would make Word refuse the whole file."""
    if not url or not is_safe_url(url) or url.startswith("#") or NOT_IN_XML.search(url):
        return None
    target_url = encode_url(url)
    # Encoding hides a bracket in a host.
    if len(target_url) > _MAX_URL or not _is_well_formed(target_url) or not _is_well_formed(url):
        return None
    return target_url


def _is_well_formed(target_url: str) -> bool:
    try:
        parts = urlsplit(target_url)
        _ = parts.port
    except ValueError:
        return False
    if _BROKEN_ESCAPE.search(target_url):
        return False
    if parts.scheme in {"http", "https"}:
        return bool(parts.netloc and parts.hostname)
    # A colon in the first segment would be a scheme.
    return has_scheme(target_url) or ":" not in target_url.partition("/")[0]


def add_anchor(layout: DocxLayout, name: str | None) -> None:
    """Add the target of links to a heading or element."""
    if name and name not in layout.bookmarks:
        layout.bookmarks.add(name)
        layout.add_bookmark(bookmark_name(name))


def image(layout: DocxLayout, token: nodes.Image) -> None:
    layout.styles.enter("img", last=layout.is_last)
    write_image(layout, token, _write_remote)
    layout.styles.leave()


def _write_remote(layout: DocxLayout, url: str, alt: str) -> None:
    write_link(layout, url, "", lambda: layout.write_text(alt or url))


# Footnotes


def footnote_reference(layout: DocxLayout, token: nodes.FootnoteReference) -> None:
    styles, numbering = layout.styles, layout.footnotes
    styles.enter("sup.footnote-ref", last=layout.is_last)
    styles.enter("a", last=True, attributes={"href": f"#{footnote_id(token.number)}"})
    number = numbering.display_number(token.number)
    with layout.marked("FootnoteReference"):
        if numbering.is_native_reference(token):
            mark = layout.start_bookmark(_reference_bookmark(number)) if layout.is_repeated(token.number) else None
            add(layout.start_run(), "w:footnoteReference", id=number)
            if mark is not None:
                layout.end_bookmark(mark)
        elif number <= len(numbering.native):
            _write_field(layout, f" NOTEREF {_reference_bookmark(number)} \\h ", str(number))
        else:
            name = bookmark_name(footnote_id(token.number))
            if layout.in_link:
                layout.write_text(f"[{number}]")
            else:
                layout.close_run()
                with layout.inside(add(layout.target, "w:hyperlink", anchor=name, history=1)):
                    layout.write_text(f"[{number}]")
    styles.leave()
    styles.leave()


def _reference_bookmark(number: int) -> str:
    return f"_RefFootnote{number}"


def _write_field(layout: DocxLayout, instruction: str, result: str) -> None:
    """Write a field and what it shows until Word computes it."""
    for kind in ("begin", None, "separate"):
        run = layout.start_run()
        if kind:
            add(run, "w:fldChar", fldCharType=kind)
        else:
            add_text(run, "w:instrText", instruction)
    layout.write_text(result)
    add(layout.start_run(), "w:fldChar", fldCharType="end")


# Elements of HTML


def inline_element(layout: DocxLayout, token: nodes.HtmlElement) -> None:
    special = _ELEMENTS.get(token.tag)
    if special:
        special(layout, token)
        return
    outer = layout.around
    if token.attributes.get("lang"):
        layout.around = outer._replace(lang=token.attributes["lang"])
    layout.styles.enter(token.tag, last=layout.is_last, attributes=token.attributes)
    style = _STYLES.get(token.tag)
    if style:
        with layout.marked(style, no_proof=style in _UNPROOFED):
            layout.write_inlines(token.children)
    else:
        layout.write_inlines(token.children)
    layout.styles.leave()
    layout.around = outer


def _write_anchor_or_link(layout: DocxLayout, token: nodes.HtmlElement) -> None:
    url = token.attributes.get("href")
    if url is None:
        name = token.attributes.get("name")
        add_anchor(layout, PREFIX + name if name else None)
        layout.write_inlines(token.children)
    else:
        write_link(layout, url, token.attributes.get("title", ""), lambda: layout.write_inlines(token.children))


def _write_quotation(layout: DocxLayout, token: nodes.HtmlElement) -> None:
    layout.styles.enter("q", last=layout.is_last)
    layout.write_text("“")
    layout.write_inlines(token.children)
    layout.write_text("”")
    layout.styles.leave()


def _write_abbreviation(layout: DocxLayout, token: nodes.HtmlElement) -> None:
    """Write an abbreviation, and its expansion in parentheses: Word has no tooltip for text."""
    layout.styles.enter("abbr", last=layout.is_last, attributes=token.attributes)
    layout.write_inlines(token.children)
    layout.styles.leave()
    if expansion := token.attributes.get("title", "").strip():
        layout.write_text(f" ({expansion})")


def _write_reading(layout: DocxLayout, token: nodes.HtmlElement) -> None:
    """Write a reading in parentheses."""
    layout.write_text("(")
    layout.write_inlines(token.children)
    layout.write_text(")")


def _write_nothing(_layout: DocxLayout, _token: nodes.HtmlElement) -> None:
    """Skip `rp`: brackets are always written."""


def _write_break_opportunity(layout: DocxLayout, _token: nodes.HtmlElement) -> None:
    layout.write_text(_ZERO_WIDTH_SPACE)


def _write_override(layout: DocxLayout, token: nodes.HtmlElement) -> None:
    override = _OVERRIDES.get(token.attributes.get("dir", ""), "")
    layout.write_text(override)
    layout.write_inlines(token.children)
    layout.write_text(_POP_DIRECTION if override else "")


_ELEMENTS: Mapping[str, Callable[[DocxLayout, nodes.HtmlElement], None]] = {
    "a": _write_anchor_or_link,
    "abbr": _write_abbreviation,
    "bdo": _write_override,
    "q": _write_quotation,
    "rp": _write_nothing,
    "rt": _write_reading,
    "wbr": _write_break_opportunity,
}
