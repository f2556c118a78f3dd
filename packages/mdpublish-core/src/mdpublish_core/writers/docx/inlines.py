"""Inline nodes, and footnotes: Word's own, and those to which only a link or another footnote refers as paragraphs at the end."""

import re
from collections.abc import Sequence
from contextlib import nullcontext
from urllib.parse import urlsplit

from mdpublish_core import nodes
from mdpublish_core.resources.characters import NOT_IN_XML
from mdpublish_core.resources.open_xml import NAMESPACES, Element
from mdpublish_core.resources.urls import encode_url, has_scheme, is_safe_url
from mdpublish_core.strings.positions import Span
from mdpublish_core.writers.docx.flow import Flow
from mdpublish_core.writers.docx.images import write_image
from mdpublish_core.writers.docx.layout import DocxLayout
from mdpublish_core.writers.docx.xml import add, add_text, parse, story_root
from mdpublish_core.writers.structure.anchors import footnote_id
from mdpublish_core.writers.word_model.attributes import bookmark_name

# What Word takes as a link.
_MAX_URL = 2_083

_BROKEN_ESCAPE = re.compile("%(?![0-9A-Fa-f]{2})")

# Word's own bound.
_MAX_TOOLTIP = 260

_STYLES = {"kbd": "Keyboard", "mark": "Highlight", "code": "VerbatimChar", "samp": "VerbatimChar", "tt": "VerbatimChar"}
_UNPROOFED = frozenset({"Keyboard", "VerbatimChar"})


class DocxInlines(DocxLayout):
    """Inline nodes."""

    def render_raw_text(self, token: nodes.RawText) -> None:
        # A tab would be a tab stop.
        self.write_text(token.content.replace("\t", " ") if "\t" in token.content else token.content)

    def start_span(self, element: str) -> int:
        self.styles.enter(element, last=self.is_last)
        return 0

    def end_span(self, _opened: int) -> None:
        self.styles.leave()

    def write_heading_mark(self, prefix: str) -> None:
        with self.runs.marked("HeadingNumber"):
            super().write_heading_mark(prefix)

    def write_code(self, element: str, content: str) -> None:
        self.styles.enter(element, last=self.is_last)
        with self.runs.marked("VerbatimChar", no_proof=True):
            self.write_text(content.replace("\t", "    ").replace("\n", " "))
        self.styles.leave()

    def render_html_span(self, token: nodes.HtmlSpan) -> None:
        self.write_text(token.content.replace("\n", " "))

    def render_math_span(self, token: nodes.MathSpan) -> None:
        if (formula := self.context.figures.formula(token)) is None:
            self.write_code("code.math", token.content)
        elif not formula.is_definition:
            element = parse(formula.omml_document(NAMESPACES["m"]))
            # A formula between the words of a line is no paragraph of its own.
            for inner in [element] if element.tag.endswith("}oMath") else list(element):
                self.runs.add_formula(inner)

    def write_element(self, token: nodes.HtmlElement, before: str = "", after: str = "") -> None:
        style, lang = _STYLES.get(token.tag), token.attributes.get("lang")
        self.styles.enter(token.tag, last=self.is_last, attributes=token.attributes)
        marked = self.runs.marked(style, no_proof=style in _UNPROOFED) if style else nullcontext()
        with marked, self.placed(self.around._replace(lang=lang)) if lang else nullcontext():
            self.write_text(before)
            self.write_inlines(token.children)
            self.write_text(after)
        self.styles.leave()

    def render_image(self, token: nodes.Image) -> None:
        self.styles.enter("img", last=self.is_last)
        if (remote := write_image(self, token)) is not None:
            self.write_link(token.src, (nodes.RawText(remote),))
        self.styles.leave()

    # Links

    def link_target(self, url: str, span: Span | None = None) -> str | None:
        return super().link_target(url, span) if url.startswith("#") else external_url(url)

    def start_link(self, url: str, target: str, title: str, _tokens: Sequence[nodes.Token]) -> int:
        attributes: dict[str, str | int] = {}
        if target.startswith("#"):
            attributes["w:anchor"] = bookmark_name(target[1:])
        else:
            attributes["r:id"] = self.flow.relationships.add("hyperlink", target, is_external=True)
        if title:
            attributes["w:tooltip"] = title[:_MAX_TOOLTIP]
        attributes["w:history"] = 1
        self.styles.enter("a", last=self.is_last, attributes={"href": url})
        self.runs.start_link(attributes)
        return 0

    def end_link(self, opened: int) -> None:
        self.runs.end_link()
        self.end_span(opened)

    def write_anchor(self, name: str | None) -> None:
        if name:
            with self.runs.bookmark(bookmark_name(name)):
                pass

    # Footnotes

    def render_footnote_reference(self, token: nodes.FootnoteReference) -> None:
        styles, runs, numbering = self.styles, self.runs, self.footnotes
        styles.enter("sup.footnote-ref", last=self.is_last)
        styles.enter("a", last=True, attributes={"href": f"#{footnote_id(token.number)}"})
        number = numbering.display_number(token.number)
        with runs.marked("FootnoteReference"):
            if numbering.is_native_reference(token):
                is_repeated = numbering.native[number - 1].references > 1
                with runs.bookmark(_reference_bookmark(number)) if is_repeated else nullcontext():
                    add(runs.add_run(), "w:footnoteReference", id=number)
            elif number <= len(numbering.native):
                self.write_field(f" NOTEREF {_reference_bookmark(number)} \\h ", str(number))
            elif self.in_link:
                self.write_text(f"[{number}]")
            else:
                name = bookmark_name(footnote_id(token.number))
                with runs.inside(runs.add("w:hyperlink", anchor=name, history=1)):
                    self.write_text(f"[{number}]")
        styles.leave()
        styles.leave()

    def write_field(self, instruction: str, result: str) -> None:
        """Write a field and what it shows until Word computes it."""
        for kind in ("begin", None, "separate"):
            run = self.runs.add_run()
            if kind:
                add(run, "w:fldChar", fldCharType=kind)
            else:
                add_text(run, "w:instrText", instruction)
        self.write_text(result)
        add(self.runs.add_run(), "w:fldChar", fldCharType="end")


def _reference_bookmark(number: int) -> str:
    return f"_RefFootnote{number}"


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


SEPARATORS = ((-1, "separator"), (0, "continuationSeparator"))
"""Their ids, as in Word's own files."""


class DocxFootnotes(DocxInlines):
    """Footnotes."""

    def footnotes_part(self) -> Element | None:
        """Return `footnotes.xml`, if there are any, and write the other notes."""
        numbering, styles = self.footnotes, self.styles
        if not numbering.native and not numbering.plain:
            return None
        section = styles.enter("section.footnotes", last=True)
        styles.enter("ol", last=True)
        part = self._write_native() if numbering.native else None
        self.flow.space_above(section.word.top)
        for footnote in numbering.plain:
            self.is_last = footnote is numbering.plain[-1]
            self.write(footnote)
        styles.leave()
        styles.leave()
        return part

    def _write_native(self) -> Element:
        part = story_root("w:footnotes")
        for number, kind in SEPARATORS:
            note = add(part, "w:footnote", type=kind, id=number)
            add(add(add(note, "w:p"), "w:r"), f"w:{kind}")
        around = self.around.in_story(self.around.column_width, "FootnoteText")
        for footnote in self.footnotes.native:
            note = add(part, "w:footnote", id=self.footnotes.display_number(footnote.number))
            self.is_last = footnote is self.footnotes.native[-1] and not self.footnotes.plain
            with self.story(Flow(self.package, note, self.package.footnote_relationships), around):
                self.write(footnote)
        return part

    def render_footnote_definition(self, token: nodes.FootnoteDefinition) -> None:
        """Put the mark into the first paragraph, or into one of its own."""
        styles, numbering = self.styles, self.footnotes
        item = styles.enter("li", last=self.is_last)
        blocks = list(token.children)
        first = blocks.pop(0) if blocks and isinstance(blocks[0], nodes.Paragraph) else None
        style = styles.enter("p", last=not blocks)
        with self.paragraph(style, [token], "FootnoteText"):
            if numbering.is_native(token):
                styles.enter("sup.footnote-ref")
                styles.enter("a")
                with self.runs.marked("FootnoteReference"):
                    add(self.runs.add_run(), "w:footnoteRef")
                styles.leave()
                styles.leave()
            else:
                with self.runs.bookmark(bookmark_name(footnote_id(token.number))):
                    pass
                self.write_text(f"[{numbering.display_number(token.number)}]")
            self.write_text(" ")
            if first:
                self.write_inlines(first.children)
        styles.leave()
        self.write_flow(blocks)
        styles.leave()
        self.flow.space_below(item.word.bottom)
