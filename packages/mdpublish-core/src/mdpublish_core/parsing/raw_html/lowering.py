"""A tree whose raw HTML is lowered: built anew from the old one's tokens and the tags among them, in one walk.

What Markdown bounds (a list item, a quote, a heading, a cell, emphasis) no element crosses. `stack` knows the blocks
that are open, `inlines` the inlines; here is which of them a token or a tag opens, fills or closes.

It recurses once for each level of Markdown, which the scanners bound.
"""

import re
from collections.abc import Mapping, Sequence

from mdpublish_core import nodes
from mdpublish_core.notices import Notice, shortened, unsafe_url
from mdpublish_core.parsing.raw_html.blocks import code_language
from mdpublish_core.parsing.raw_html.elements import (
    BLOCK_TAGS,
    EDGE_TAGS,
    GRID_TAGS,
    HEADING_TAGS,
    INLINE_TAGS,
    SILENT_TAGS,
    allowed_attributes,
    length,
    link_target,
    plain_text,
)
from mdpublish_core.parsing.raw_html.inlines import OpenElement, Parent
from mdpublish_core.parsing.raw_html.stack import Stack
from mdpublish_core.parsing.raw_html.survey import Survey
from mdpublish_core.parsing.raw_html.tags import LOST_TAGS, Piece, Tag, Text
from mdpublish_core.urls import holds_picture, is_safe_url

# Distinct unknown elements that an author is told of; who reads that many mistakes has seen what is wrong.
_UNKNOWN_NAMED = 20

# Levels that a link's target adds where nothing else stands: its paragraph and itself. They are kept free everywhere, since
# it is not known where a target comes to stand.
_TARGET_LEVELS = 2

# What a browser's reader of addresses leaves out.
_IGNORED_IN_URLS = re.compile(r"[\t\n\r]")


class Lowering:
    """Builds a tree anew: the blocks that are open, outermost first, and the inlines of the paragraph at hand."""

    def __init__(self, survey: Survey, nesting: int) -> None:
        self.notices: list[Notice] = []
        self._survey = survey
        self._nesting = nesting
        self._stack = Stack(nesting - survey.depth - _TARGET_LEVELS)
        self._inlines = self._stack.inlines
        self._inline_only = 0
        self._named: set[str] = set()
        self._told_of_depth = False

    def lower(self, children: Sequence[nodes.Token]) -> list[nodes.Token]:
        """Return the finished blocks."""
        for child in children:
            self._block(child)
        return self._stack.finish()

    # Markdown's blocks

    def _block(self, token: nodes.Token) -> None:
        self._stack.line = getattr(token, "line_number", None) or self._stack.line
        if self._stack.is_idle and not self._survey.has_html(token) and type(token) is not nodes.HtmlBlock:
            self._stack.top.children.append(token)
        elif isinstance(token, nodes.HtmlBlock):
            self._html_block(token)
        elif isinstance(token, nodes.Paragraph):
            self._paragraph(token)
        elif isinstance(token, nodes.Heading | nodes.SetextHeading | nodes.Table):
            self._stack.begin_block()
            self._text_block(token)
        elif isinstance(token, nodes.Quote | nodes.Callout | nodes.List | nodes.ListItem | nodes.FootnoteDefinition):
            self._stack.begin_block()
            self._container(token)
        else:
            self._add_block(token)

    def _html_block(self, token: nodes.HtmlBlock) -> None:
        first = token.line_number
        for piece in self._survey.pieces_of(token):
            self._stack.line = None if first is None else first + piece.line
            self._piece(piece)
        self._stack.end_source()

    def _paragraph(self, token: nodes.Paragraph) -> None:
        if self._stack.in_heading:
            self._inlines.edge()
            self._walk(token.children)
            return
        self._stack.begin_block()
        if self._is_untouched(token):
            self._stack.top.children.append(token)
            return
        self._stack.paragraph_line = token.line_number
        self._walk(token.children)
        self._stack.end_source()

    def _text_block(self, token: nodes.Heading | nodes.SetextHeading | nodes.Table) -> None:
        """Add a block of Markdown's that holds inlines, or cells of them."""
        if not self._is_untouched(token):
            parents: list[nodes.Token] = [token]
            if isinstance(token, nodes.Table):
                parents = [cell for row in [token.header, *token.children] for cell in row.children]
            for parent in parents:
                self._inline_only += 1
                floor, self._inlines.floor = self._inlines.floor, len(self._inlines.open)
                self._walk(parent.children or ())
                parent.children = self._inlines.finish()
                del self._inlines.open[self._inlines.floor :]
                self._inlines.floor = floor
                self._inline_only -= 1
        self._stack.top.children.append(token)

    def _container(self, token: nodes.Token) -> None:
        """Add a block of Markdown's that holds blocks."""
        if not self._is_untouched(token):
            self._stack.open_bound()
            for child in token.children or ():
                self._block(child)
            token.children = self._stack.close_bound()
        self._stack.top.children.append(token)

    def _is_untouched(self, token: nodes.Token) -> bool:
        return not self._inlines.open and not self._inlines.anchors and not self._survey.has_html(token)

    def _add_block(self, token: nodes.Token) -> None:
        """Add a block that holds no tokens; only a rule may come between a link's target and what it is the target of."""
        self._stack.begin_block()
        if not isinstance(token, nodes.ThematicBreak):
            self._stack.place_anchors()
        self._stack.top.children.append(token)

    # Markdown's inlines

    def _walk(self, tokens: Sequence[nodes.Token]) -> None:
        """Add inlines; programs and stylesheets among them go with the tags around them."""
        skipped = -1
        unended: set[str] = set()
        for index, token in enumerate(tokens):
            if index <= skipped:
                continue
            if not isinstance(token, nodes.HtmlSpan):
                self._inline(token)
                continue
            for piece in self._survey.pieces_of(token):
                self._piece(piece)
                if isinstance(piece, Tag) and piece.name in LOST_TAGS - unended and not piece.closing:
                    end = _closing_span(tokens, index, piece.name)
                    skipped = end or skipped
                    if end is None:
                        unended.add(piece.name)

    def _inline(self, token: nodes.Token) -> None:
        if self._stack.in_code:
            soft = isinstance(token, nodes.LineBreak)
            self._stack.top.children.append(nodes.RawText("\n" if soft else nodes.text_of(token)))
        elif isinstance(token, nodes.RawText):
            self._text(token.content, of_html=False)
        elif isinstance(token, nodes.LineBreak) and token.soft:
            self._inlines.space("\n")
        elif isinstance(token, nodes.LineBreak):
            self._inlines.hard_break()
        elif isinstance(token, nodes.Link | nodes.AutoLink) and self._inlines.in_link:
            self._unlinked(token)
        elif isinstance(token, Parent) and (self._survey.has_html(token) or self._inlines.in_link):
            self._parent(token)
        else:
            self._add(token)

    def _unlinked(self, token: nodes.Link | nodes.AutoLink) -> None:
        """Add the text of a link in a link."""
        if isinstance(token, nodes.AutoLink):
            self._add(nodes.RawText(token.content))
        else:
            self._walk(token.children)

    def _parent(self, token: Parent) -> None:
        self._stack.make_cell()
        self._inline_only += 1
        floor = self._inlines.enter(token)
        self._walk(token.children)
        self._inlines.leave(token, floor)
        self._inline_only -= 1

    def _add(self, token: nodes.Token) -> None:
        self._stack.make_cell()
        if not self._inlines.started:
            self._stack.paragraph_line = self._stack.line
        self._inlines.add(token)

    def _text(self, text: str, *, of_html: bool) -> None:
        if self._stack.top.tag in GRID_TAGS and text.strip(" \t\n\f\r"):
            self._stack.make_cell()
        if not self._inlines.started:
            self._stack.paragraph_line = self._stack.line
        if of_html:
            self._inlines.html_text(text)
        else:
            self._inlines.text(text)

    # HTML

    def _piece(self, piece: Piece) -> None:
        if self._stack.in_code:
            self._piece_of_code(piece)
        elif isinstance(piece, Text):
            self._html_text(piece)
        else:
            self._tag(piece)

    def _html_text(self, piece: Text) -> None:
        leading = len(piece.content) - len(piece.content.lstrip(" \t\n\f\r"))
        if self._stack.line is not None and not self._inlines.started:
            self._stack.line += piece.content.count("\n", 0, leading)
        self._text(piece.content, of_html=True)

    def _piece_of_code(self, piece: Piece) -> None:
        """Add the text of code; a tag in it means nothing, but for its end, a line's, and the name of its language."""
        code = self._stack.top
        if isinstance(piece, Text):
            code.children.append(nodes.RawText(piece.content))
        elif piece.name == "br":
            code.children.append(nodes.RawText("\n"))
        elif piece.name == "img":
            code.children.append(nodes.RawText(piece.attributes.get("alt", "")))
        elif piece.name == "code" and not piece.closing:
            code.attributes = {"language": code_language(piece.attributes), **code.attributes}
        elif piece.name == "pre" and piece.closing:
            self._stack.pop()
        elif piece.name in BLOCK_TAGS and not code.paired:
            self._stack.pop()
            self._tag(piece)

    def _tag(self, tag: Tag) -> None:
        name = tag.name
        if name in SILENT_TAGS:
            return
        if name in LOST_TAGS:
            self._tell_once(name, f"the element <{name}> is not shown, nor what stands in it")
        elif name in INLINE_TAGS:
            self._inline_tag(tag)
        elif name not in BLOCK_TAGS:
            shown = shortened(name)
            self._tell_once(name, f"the element <{shown}> is not shown; its text stays")
            if name in EDGE_TAGS:
                self._edge()
        elif tag.closing:
            self._close(name)
        else:
            self._open(tag)

    def _inline_tag(self, tag: Tag) -> None:
        name = tag.name
        if name == "br":
            self._inlines.hard_break()
        elif tag.closing:
            self._inlines.end(name)
        elif name == "img":
            self._anchor(tag)
            self._image(tag)
        elif name == "a":
            self._anchor(tag)
            self._link(tag)
        elif name == "wbr":
            if self._inlines.started:
                self._inlines.add(nodes.HtmlElement("wbr", {}, []))
        else:
            self._anchor(tag)
            self._start(tag)

    def _anchor(self, tag: Tag) -> None:
        """Keep what a link may lead to."""
        named = tag.attributes.get("name") if tag.name == "a" else None
        target = link_target(named or tag.attributes.get("id", ""))
        if target is None or not self._has_room(""):
            return
        if tag.name == "a":
            self._inlines.end("a")
        self._inlines.anchor(target)

    def _link(self, tag: Tag) -> None:
        self._inlines.end("a")
        target = self._address(tag, "href")
        if not target or tag.empty or self._inlines.in_link or not self._has_room("a"):
            return
        attributes = {"href": target, "title": plain_text(tag.attributes.get("title", ""))}
        self._inlines.start(OpenElement("a", attributes, tag.paired))

    def _image(self, tag: Tag) -> None:
        attributes = tag.attributes
        alt = plain_text(attributes.get("alt", ""))
        source = self._address(tag, "src")
        if not source or not self._has_room("img"):
            self._text(alt, of_html=True)
            return
        self._add(
            nodes.Image(
                source,
                [nodes.RawText(alt)] if alt else [],
                title=plain_text(attributes.get("title", "")),
                width=length(attributes.get("width", "")),
                height=length(attributes.get("height", "")),
            )
        )

    def _start(self, tag: Tag) -> None:
        name = tag.name
        if name in {"rt", "rp"}:
            while self._inlines.end("rt") or self._inlines.end("rp"):
                pass
            if [element.tag for element in self._inlines.open[self._inlines.floor :]][-1:] != ["ruby"]:
                return
        if tag.empty or not self._has_room(name):
            return
        attributes = allowed_attributes(name, tag.attributes)
        cited = self._address(tag, "cite") if name in {"q", "ins"} else None
        self._inlines.start(OpenElement(name, {**attributes, "cite": cited} if cited else attributes, tag.paired))

    def _address(self, tag: Tag, attribute: str) -> str | None:
        """Return the address in an attribute, if there is one and it is safe."""
        url = _IGNORED_IN_URLS.sub("", tag.attributes.get(attribute, "")).strip()
        if is_safe_url(url) or (attribute == "src" and holds_picture(url)):
            return url or None
        self.notices.append(unsafe_url(url, self._stack.line))
        return None

    # Block elements

    def _open(self, tag: Tag) -> None:
        """Begin a block element, where one may stand."""
        name = tag.name
        ends_heading = name in HEADING_TAGS or not self._stack.top.paired
        if self._inline_only or (self._stack.in_heading and not ends_heading):
            self._open_in_line(tag)
            return
        if self._stack.in_heading:
            self._stack.pop()
        placed = self._stack.find_place(name)
        if name == "hr":
            self._add_block(nodes.ThematicBreak(line=self._stack.line))
        elif placed and not tag.empty and self._has_room(name):
            self._stack.open(name, _block_attributes(tag), paired=tag.paired)
        self._anchor(tag)

    def _open_in_line(self, tag: Tag) -> None:
        """Begin a new line for an element that would be a block, where there are only inlines."""
        self._inlines.edge()
        self._anchor(tag)
        if tag.name == "pre" and not tag.empty and self._has_room("code"):
            self._inlines.start(OpenElement("code", {}, paired=False))

    def _close(self, name: str) -> None:
        """End a block element where it may stand."""
        stack = self._stack
        if self._inline_only:
            self._inlines.edge()
            if name == "pre":
                self._inlines.end("code")
        elif stack.in_heading and name not in HEADING_TAGS and stack.top.paired:
            self._inlines.edge()
        elif stack.in_heading and name in HEADING_TAGS:
            stack.pop()
        else:
            if stack.in_heading:
                stack.pop()
            stack.close(name)

    def _edge(self) -> None:
        """End a paragraph, or a line where that is all that can end."""
        if self._inline_only or self._stack.in_heading:
            self._inlines.edge()
        else:
            self._stack.flush()

    # Notices

    def _has_room(self, tag: str) -> bool:
        """Tell whether an element may stand here, and the author once that it may not."""
        if self._stack.has_room(tag):
            return True
        if not self._told_of_depth:
            self._told_of_depth = True
            message = f"more than {self._nesting} levels inside one another; the innermost elements are left out"
            self._tell("nesting", f"{message}, their text stays")
        return False

    def _tell(self, code: str, message: str) -> None:
        self.notices.append(Notice(code, message, self._stack.line))

    def _tell_once(self, name: str, message: str) -> None:
        if name not in self._named and len(self._named) < _UNKNOWN_NAMED:
            self._named.add(name)
            self._tell("raw_html", message)


def _block_attributes(tag: Tag) -> Mapping[str, str]:
    """Return what is known of an element between blocks: its attributes, the language of code, how `center` aligns."""
    if tag.name == "pre":
        language = code_language(tag.attributes)
        return {"language": language} if language else {}
    return {"align": "center"} if tag.name == "center" else allowed_attributes(tag.name, tag.attributes)


def _closing_span(tokens: Sequence[nodes.Token], start: int, name: str) -> int | None:
    """Return where the span stands that closes the element opened at `start`."""
    for index in range(start + 1, len(tokens)):
        token = tokens[index]
        if isinstance(token, nodes.HtmlSpan) and token.content.lower().startswith(f"</{name}"):
            return index
    return None
