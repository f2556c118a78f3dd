"""Raw HTML to nodes, in one walk that rebuilds the tree.

No element crosses the boundary of a Markdown container. It recurses once per Markdown level, which the scanners limit.
"""

from collections.abc import Mapping, Sequence

from mdpublish_core.nodes import open_nodes as nodes
from mdpublish_core.notices import (
    MAX_NOTICES,
    MAX_UNCLOSED_NOTICES,
    Notice,
    shorten,
    unclosed_html_notice,
    unsafe_link_notice,
)
from mdpublish_core.readers.html_elements import code_language, has_paragraphs, image_of
from mdpublish_core.readers.markdown.positions import DocumentPositions
from mdpublish_core.readers.markdown.raw_html.block_stack import BlockStack
from mdpublish_core.readers.markdown.raw_html.inlines import OpenElement, Parent
from mdpublish_core.readers.markdown.raw_html.literal_tags import (
    IGNORED_TAGS,
    LITERAL_TAGS,
    PARAGRAPH_BREAKING_TAGS,
    is_name_alone,
    is_unclosed,
)
from mdpublish_core.readers.markdown.raw_html.tag_matching import TagMatcher
from mdpublish_core.readers.markdown.raw_html.tokenizer import HtmlText, HtmlToken, Tag
from mdpublish_core.resources.allowed_elements import (
    BLOCK_TAGS,
    GRID_TAGS,
    HEADING_TAGS,
    INLINE_TAGS,
    allowed_attributes,
    clean_url,
    collapse_spaces,
    fragment_id,
    single_line,
)
from mdpublish_core.resources.known_elements import DROPPED_TAGS
from mdpublish_core.resources.urls import is_image_data_url, is_safe_url
from mdpublish_core.strings.positions import SourcePosition, Span

# The elements are those of Markdown, with blocks.
_CONTAINERS = (nodes.Quote, nodes.Callout, nodes.List, nodes.ListItem, nodes.FootnoteDefinition, nodes.HtmlElement)

_LINES = frozenset({"summary", "dt", "dd", "figcaption"})
"""Elements of Markdown that may have inlines."""

# Distinct elements reported per document.
_MAX_UNKNOWN_NOTICES = 20

# A link target and its paragraph: always reserved, since it may be added anywhere.
_TARGET_LEVELS = 2

# As browsers do.


class TreeBuilder:
    """Builds a tree without raw HTML."""

    def __init__(self, matcher: TagMatcher, max_depth: int, positions: DocumentPositions | None = None) -> None:
        self.notices: list[Notice] = []
        self._positions = positions
        self._source_start: int | None = None
        self._matcher = matcher
        self._max_depth = max_depth
        self._stack = BlockStack(max_depth - matcher.depth - _TARGET_LEVELS)
        self._inlines = self._stack.inlines
        self._inline_depth = 0
        self._noticed_names: set[str] = set()
        self._unclosed_notices = 0
        self._has_depth_notice = False

    def build(self, children: Sequence[nodes.Token]) -> list[nodes.Token]:
        for child in children:
            self._block(child)
        return self._stack.finish()

    def _block(self, token: nodes.Token) -> None:
        self._stack.line = getattr(token, "line_number", None) or self._stack.line
        if self._stack.is_idle and not self._matcher.has_html(token) and type(token) is not nodes.HtmlBlock:
            self._stack.top.children.append(token)
        elif isinstance(token, nodes.HtmlBlock):
            self._html_block(token)
        elif isinstance(token, nodes.Paragraph):
            self._paragraph(token)
        elif isinstance(token, nodes.Heading | nodes.SetextHeading | nodes.Table):
            self._stack.begin_block()
            self._text_block(token)
        elif isinstance(token, nodes.HtmlElement) and token.tag in _LINES and _has_inlines(token):
            self._text_block(token)
        elif isinstance(token, _CONTAINERS):
            self._stack.begin_block()
            self._container(token)
        else:
            self._add_block(token)

    def _html_block(self, token: nodes.HtmlBlock) -> None:
        first = token.line_number
        self._source_start = None if self._positions is None else self._positions.add(token)
        for html_token in self._matcher.html_tokens_of(token):
            self._stack.line = None if first is None else first + html_token.line
            self._html_token(html_token)
        self._stack.end_source()

    def _paragraph(self, token: nodes.Paragraph) -> None:
        if self._stack.in_heading:
            self._inlines.break_line()
            self._add_inlines(token.children)
            return
        self._stack.begin_block()
        if self._is_untouched(token):
            self._stack.top.children.append(token)
            return
        self._stack.paragraph_line = token.line_number
        self._add_inlines(token.children)
        self._stack.end_source()

    def _text_block(self, token: nodes.Heading | nodes.SetextHeading | nodes.Table | nodes.HtmlElement) -> None:
        if not self._is_untouched(token):
            parents: list[nodes.Token] = [token]
            if isinstance(token, nodes.Table):
                parents = [cell for row in [token.header, *token.children] for cell in row.children]
            for parent in parents:
                self._replace_inlines(parent)
        self._stack.top.children.append(token)

    def _replace_inlines(self, parent: nodes.Token) -> None:
        self._inline_depth += 1
        floor, self._inlines.floor = self._inlines.floor, len(self._inlines.open)
        self._add_inlines(parent.children)
        parent.children = self._inlines.finish()
        del self._inlines.open[self._inlines.floor :]
        self._inlines.floor = floor
        self._inline_depth -= 1

    def _container(self, token: nodes.Token) -> None:
        if not self._is_untouched(token):
            if isinstance(token, nodes.Callout) and token.title:
                self._replace_inlines(token.title)
            self._stack.open_boundary()
            for child in token.children or ():
                self._block(child)
            token.children = self._stack.close_boundary()
            if isinstance(token, nodes.List):
                token.loose |= any(map(has_paragraphs, token.children))
        self._stack.top.children.append(token)

    def _is_untouched(self, token: nodes.Token) -> bool:
        return not self._inlines.open and not self._inlines.anchors and not self._matcher.has_html(token)

    def _add_block(self, token: nodes.Token) -> None:
        """Only a thematic break may separate a target from its content."""
        self._stack.begin_block()
        if not isinstance(token, nodes.ThematicBreak):
            self._stack.add_anchors()
        self._stack.top.children.append(token)

    def _add_inlines(self, tokens: Sequence[nodes.Token]) -> None:
        """Add inlines; `script` and `style` are dropped with their content."""
        skipped = -1
        unended: set[str] = set()
        for index, token in enumerate(tokens):
            if index <= skipped:
                continue
            if not isinstance(token, nodes.HtmlSpan):
                self._inline(token)
                continue
            self._source_start = token.span and token.span[0]
            for html_token in self._matcher.html_tokens_of(token):
                if not isinstance(html_token, Tag) or html_token.name not in DROPPED_TAGS or html_token.is_end_tag:
                    self._html_token(html_token)
                    continue
                end = None if html_token.name in unended else _closing_span(tokens, index, html_token.name)
                if end is None:
                    unended.add(html_token.name)
                    self._html_token(HtmlText(html_token.source, html_token.line, unclosed=html_token.span))
                else:
                    self._html_token(html_token)
                    skipped = end

    def _inline(self, token: nodes.Token) -> None:
        if self._stack.in_code:
            soft = isinstance(token, nodes.LineBreak)
            self._stack.top.children.append(nodes.RawText("\n" if soft else nodes.text_content(token)))
        elif isinstance(token, nodes.RawText):
            self._add_text(token.content, of_html=False)
        elif isinstance(token, nodes.LineBreak) and token.soft:
            self._inlines.add_space("\n")
        elif isinstance(token, nodes.LineBreak):
            self._inlines.hard_break()
        elif isinstance(token, nodes.Link | nodes.AutoLink) and self._inlines.in_link:
            self._unlinked(token)
        elif isinstance(token, Parent) and (self._matcher.has_html(token) or self._inlines.in_link):
            self._parent(token)
        else:
            self._add(token)

    def _unlinked(self, token: nodes.Link | nodes.AutoLink) -> None:
        if isinstance(token, nodes.AutoLink):
            self._add(nodes.RawText(token.content))
        else:
            self._add_inlines(token.children)

    def _parent(self, token: Parent) -> None:
        self._stack.make_cell()
        self._inline_depth += 1
        floor = self._inlines.enter(token)
        self._add_inlines(token.children)
        self._inlines.leave(token, floor)
        self._inline_depth -= 1

    def _add(self, token: nodes.Token) -> None:
        self._stack.make_cell()
        if not self._inlines.started:
            self._stack.paragraph_line = self._stack.line
        self._inlines.add(token)

    def _add_text(self, content: str, *, of_html: bool) -> None:
        if self._stack.top.tag in GRID_TAGS and content.strip(" \t\n\f\r"):
            self._stack.make_cell()
        if not self._inlines.started:
            self._stack.paragraph_line = self._stack.line
        if of_html:
            self._inlines.add_html_text(content)
        else:
            self._inlines.add_text(content)

    def _literal(self, tag: Tag) -> HtmlToken:
        """Return the tag, or its source if it is text."""
        if is_name_alone(tag):
            return HtmlText(tag.source, tag.line)
        if is_unclosed(tag):
            self._add_unclosed_notice(tag.source, tag.span)
            return HtmlText(tag.source, tag.line)
        return tag

    def _html_token(self, html_token: HtmlToken) -> None:
        if isinstance(html_token, HtmlText):
            if html_token.unclosed:
                self._add_unclosed_notice(html_token.content, html_token.unclosed)
        elif html_token.follows_word or html_token.name in LITERAL_TAGS:
            html_token = self._literal(html_token)
        if self._stack.in_code:
            self._code_token(html_token)
        elif isinstance(html_token, HtmlText):
            self._add_html_text(html_token)
        else:
            self._tag(html_token)

    def _add_html_text(self, html_token: HtmlText) -> None:
        leading = len(html_token.content) - len(html_token.content.lstrip(" \t\n\f\r"))
        if self._stack.line is not None and not self._inlines.started:
            self._stack.line += html_token.content.count("\n", 0, leading)
        self._add_text(html_token.content, of_html=True)

    def _code_token(self, html_token: HtmlToken) -> None:
        code = self._stack.top
        if isinstance(html_token, HtmlText):
            code.children.append(nodes.RawText(html_token.content))
        elif html_token.name == "br":
            code.children.append(nodes.RawText("\n"))
        elif html_token.name == "img":
            code.children.append(nodes.RawText(html_token.attributes.get("alt", "")))
        elif html_token.name == "code" and not html_token.is_end_tag:
            code.attributes = {"language": code_language(html_token.attributes), **code.attributes}
        elif html_token.name == "pre" and html_token.is_end_tag:
            self._stack.pop()
        elif html_token.name in BLOCK_TAGS and not code.has_end_tag:
            self._stack.pop()
            self._tag(html_token)

    def _tag(self, tag: Tag) -> None:
        name = tag.name
        if name in IGNORED_TAGS:
            return
        if name in DROPPED_TAGS:
            self._add_notice_once(tag, f"the element <{name}> is removed with its content")
        elif name in INLINE_TAGS:
            self._inline_tag(tag)
        elif name not in BLOCK_TAGS:
            quoted = shorten(name)
            self._add_notice_once(tag, f"the element <{quoted}> is not supported; only its text is kept")
            if name in PARAGRAPH_BREAKING_TAGS:
                self._break_paragraph()
        elif tag.is_end_tag:
            self._close(name)
        else:
            self._open(tag)

    def _inline_tag(self, tag: Tag) -> None:
        name = tag.name
        if name == "br":
            self._inlines.hard_break()
        elif tag.is_end_tag:
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
        named = tag.attributes.get("name") if tag.name == "a" else None
        target = fragment_id(named or tag.attributes.get("id", ""))
        if target is None or not self._has_room(""):
            return
        if tag.name == "a":
            self._inlines.end("a")
        self._inlines.add_anchor(target)

    def _link(self, tag: Tag) -> None:
        self._inlines.end("a")
        target = self._safe_url(tag, "href") or _url_of(tag, "href")
        if not target or tag.is_empty or self._inlines.in_link or not self._has_room("a"):
            return
        attributes = {"href": target, "title": collapse_spaces(tag.attributes.get("title", ""))}
        span = self._span_in_text(tag.span)
        self._inlines.start(OpenElement("a", attributes, has_end_tag=tag.has_end_tag, span=span))

    def _image(self, tag: Tag) -> None:
        if not (source := self._safe_url(tag, "src")) or not self._has_room("img"):
            self._add_text(single_line(tag.attributes.get("alt", "")), of_html=True)
            return
        image = image_of(tag.attributes, source)
        image.span = self._span_in_text(tag.span)
        self._add(image)

    def _start(self, tag: Tag) -> None:
        name = tag.name
        if name in {"rt", "rp"}:
            while self._inlines.end("rt") or self._inlines.end("rp"):
                pass
            if [element.tag for element in self._inlines.open[self._inlines.floor :]][-1:] != ["ruby"]:
                return
        if tag.is_empty or not self._has_room(name):
            return
        attributes = allowed_attributes(name, tag.attributes)
        cited = self._safe_url(tag, "cite") if name in {"q", "ins"} else None
        if cited:
            attributes = {**attributes, "cite": cited}
        self._inlines.start(OpenElement(name, attributes, has_end_tag=tag.has_end_tag))

    def _safe_url(self, tag: Tag, attribute: str) -> str | None:
        url = _url_of(tag, attribute)
        if is_safe_url(url) or (attribute == "src" and is_image_data_url(url)):
            return url or None
        self.notices.append(unsafe_link_notice(url, self._place_of(tag.span)))
        return None

    def _span_in_text(self, span: Span) -> Span | None:
        start = self._source_start
        return None if start is None else (start + span[0], start + span[1])

    def _place_of(self, span: Span) -> SourcePosition:
        line = self._stack.line
        if self._positions is None or len(self.notices) >= MAX_NOTICES:
            return SourcePosition(line)
        return self._positions.of_span(self._span_in_text(span), line)

    def _open(self, tag: Tag) -> None:
        name = tag.name
        ends_heading = name in HEADING_TAGS or not self._stack.top.has_end_tag
        if self._inline_depth or (self._stack.in_heading and not ends_heading):
            self._open_in_line(tag)
            return
        if self._stack.in_heading:
            self._stack.pop()
        is_allowed = self._stack.prepare_parent(name)
        if name == "hr":
            self._add_block(nodes.ThematicBreak(line=self._stack.line))
        elif is_allowed and not tag.is_empty and self._has_room(name):
            self._stack.open(name, _block_attributes(tag), has_end_tag=tag.has_end_tag)
        self._anchor(tag)

    def _open_in_line(self, tag: Tag) -> None:
        self._inlines.break_line()
        self._anchor(tag)
        if tag.name == "pre" and not tag.is_empty and self._has_room("code"):
            self._inlines.start(OpenElement("code", {}, has_end_tag=False))

    def _close(self, name: str) -> None:
        stack = self._stack
        if self._inline_depth:
            self._inlines.break_line()
            if name == "pre":
                self._inlines.end("code")
        elif stack.in_heading and name not in HEADING_TAGS and stack.top.has_end_tag:
            self._inlines.break_line()
        elif stack.in_heading and name in HEADING_TAGS:
            stack.pop()
        else:
            if stack.in_heading:
                stack.pop()
            stack.close(name)

    def _break_paragraph(self) -> None:
        if self._inline_depth or self._stack.in_heading:
            self._inlines.break_line()
        else:
            self._stack.flush()

    def _has_room(self, tag: str) -> bool:
        if self._stack.has_room(tag):
            return True
        if not self._has_depth_notice:
            self._has_depth_notice = True
            message = f"HTML elements nest deeper than {self._max_depth} levels; only the text of deeper ones is kept"
            self.notices.append(Notice("nesting-too-deep", message, self._stack.line))
        return False

    def _add_unclosed_notice(self, opening: str, span: Span) -> None:
        if self._unclosed_notices < MAX_UNCLOSED_NOTICES:
            self._unclosed_notices += 1
            self.notices.append(unclosed_html_notice(opening, self._place_of(span)))

    def _add_notice_once(self, tag: Tag, message: str) -> None:
        if tag.name not in self._noticed_names and len(self._noticed_names) < _MAX_UNKNOWN_NOTICES:
            self._noticed_names.add(tag.name)
            self.notices.append(Notice("unsupported-html", message, *self._place_of(tag.span)))


def _block_attributes(tag: Tag) -> Mapping[str, str]:
    if tag.name == "pre":
        language = code_language(tag.attributes)
        return {"language": language} if language else {}
    return {"align": "center"} if tag.name == "center" else allowed_attributes(tag.name, tag.attributes)


def _url_of(tag: Tag, attribute: str) -> str:
    return clean_url(tag.attributes.get(attribute, ""))


def _closing_span(tokens: Sequence[nodes.Token], start: int, name: str) -> int | None:
    for index in range(start + 1, len(tokens)):
        token = tokens[index]
        if isinstance(token, nodes.HtmlSpan) and token.content.lower().startswith(f"</{name}"):
            return index
    return None


def _has_inlines(element: nodes.HtmlElement) -> bool:
    first = element.children[0] if element.children else None
    return isinstance(first, nodes.SpanToken) or (isinstance(first, nodes.HtmlElement) and first.tag in INLINE_TAGS)
