"""A document as blocks of chats and wikis: names of kinds and marks are those of Atlassian's document format.

https://developer.atlassian.com/cloud/jira/platform/apis/document/structure/
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from functools import partial
from typing import Any, ClassVar, NamedTuple

from mdpublish_core import nodes
from mdpublish_core.data_files import read_names
from mdpublish_core.resources.urls import has_scheme
from mdpublish_core.writers.context import CodeToken, RenderContext
from mdpublish_core.writers.plain_text import PlainTextRenderer
from mdpublish_core.writers.styled.lists import StyledItem, StyledList
from mdpublish_core.writers.styled.walk import UNSTYLED, StyledWriter

NAMES = read_names(__file__, "names.tsv")
"""What the names of marks, tags and blocks stand for."""


class MarkedSpan(NamedTuple):
    """Text with its marks, outermost first, each with its value: `("link", url)`. An image has a `src`, a break neither."""

    content: str
    marks: tuple[tuple[str, str], ...] = ()
    src: str = ""
    token: nodes.Token | None = None
    """The image in the tree."""

    @property
    def is_break(self) -> bool:
        return not self.content and not self.src

    @property
    def link(self) -> str:
        return dict(self.marks).get("link", "")


BREAK = MarkedSpan("")
BULLET = "•"


@dataclass(frozen=True, slots=True)
class Block:
    """A block, which holds spans or other blocks."""

    kind: str
    spans: Sequence[MarkedSpan] = ()
    blocks: Sequence["Block"] = ()
    attributes: Mapping[str, Any] = field(default_factory=dict)
    token: nodes.Token | None = None
    """What it is in the tree, if it may be replaced."""

    @property
    def line(self) -> int | None:
        return nodes.line_of(self.token) if self.token else None


def paragraph(*spans: MarkedSpan) -> Block:
    return Block("paragraph", spans)


def bold(spans: Sequence[MarkedSpan]) -> Block:
    """Return a paragraph that is bold."""
    marked = (
        each if ("strong", "") in each.marks else each._replace(marks=(("strong", ""), *each.marks)) for each in spans
    )
    return paragraph(*marked)


def with_prefix(prefix: str, blocks: Sequence[Block]) -> Sequence[Block]:
    """Write text before the first paragraph, or as one."""
    if not prefix:
        return blocks
    if blocks and blocks[0].kind == "paragraph":
        return [paragraph(MarkedSpan(f"{prefix} "), *blocks[0].spans), *blocks[1:]]
    return [paragraph(MarkedSpan(prefix)), *blocks]


class PlaceRenderer(StyledWriter[str]):
    """Makes blocks; `blocks` and `spans` are those of the innermost open container and text."""

    why_no_anchors = "chats and wikis keep no places within pasted text"
    starts_anywhere: ClassVar[bool] = True
    """Whether lists may begin with another number than 1; else such numbers are text."""

    def __init__(self, document: nodes.Document, context: RenderContext) -> None:
        super().__init__(document, context, UNSTYLED)
        self.blocks: list[Block] = []
        self.spans: list[MarkedSpan] = []
        self.marks: list[tuple[str, str]] = []

    @classmethod
    def blocks_of(cls, document: nodes.Document, context: RenderContext) -> list[Block]:
        """Return a document's blocks, footnotes last."""
        renderer = cls(document, context)
        renderer.write_flow(document.children)
        renderer.write_footnotes()
        renderer.end_paragraph()
        return renderer.blocks

    # Text

    def write_text(self, content: str) -> None:
        if content:
            self.spans.append(MarkedSpan(content, tuple(self.marks)))

    def start_span(self, element: str) -> int:
        mark = (NAMES["element"].get(element.partition(".")[0], ""), "")
        is_new = mark[0] != "" and mark not in self.marks
        if is_new:
            self.marks.append(mark)
        return is_new

    def end_span(self, opened: int) -> None:
        if opened:
            self.marks.pop()

    def write_code(self, element: str, content: str) -> None:
        opened = self.start_span(element)
        self.write_text(content)
        self.end_span(opened)

    def write_break(self) -> None:
        self.spans.append(BREAK)

    def link_target(self, url: str, span: Any = None) -> str | None:
        """Leave out what leads nowhere outside of the document's folder."""
        target = super().link_target(url, span)
        return target if target and has_scheme(target) else None

    def start_link(self, url: str, target: str, title: str, tokens: Sequence[nodes.Token]) -> int:
        self.marks.append(("link", target))
        return 1

    def render_image(self, token: nodes.Image) -> None:
        image = self.context.resolve_image(token)
        if image.src and image.src.startswith(("https:", "http:")):
            self.spans.append(MarkedSpan(image.alt, tuple(self.marks), image.src, token))
            return
        if image.src and image.src.startswith("data:"):
            message = "an embedded image is its alternative text: only images on servers can be shown"
            self.context.notice("image-not-embedded", message, self.document.position_of(token).line)
        self.write_text(image.alt)

    def render_math_span(self, token: nodes.MathSpan) -> None:
        formula = self.figures.formula(token)
        if formula is None or not formula.is_definition:
            self.write_code("code", formula.unicode_line() if formula else token.content)

    def render_footnote_reference(self, token: nodes.FootnoteReference) -> None:
        self.write_code("sup", f"[{token.number}]")

    # Blocks

    def end_paragraph(self) -> None:
        self._end_text("paragraph", self.block)

    def _end_text(self, kind: str, token: nodes.Token | None = None, **attributes: Any) -> None:
        if any(span.src or span.content.strip() for span in self.spans):
            self.blocks.append(Block(kind, self.spans, (), attributes, token))
        self.spans = []

    def start_text(self, element: str, tokens: Sequence[nodes.Token]) -> str:
        self.end_paragraph()
        self.marks += [(mark, "") for mark in [NAMES["title"].get(element)] if mark]
        return element

    def end_text(self, style: str) -> None:
        if style in NAMES["title"]:
            self.marks.pop()
        if style[0] == "h" and style[1:].isdecimal():
            self._end_text("heading", self.block, level=int(style[1:]))
        else:
            self.end_paragraph()

    def write_bare(self, tokens: Sequence[nodes.Token]) -> None:
        self.write_inlines(tokens)
        self.end_paragraph()

    @contextmanager
    def _container(
        self, kind: str, prefix: str = "", *, token: nodes.Token | None = None, **attributes: Any
    ) -> Iterator[None]:
        self.end_paragraph()
        outer, self.blocks = self.blocks, []
        yield
        self.end_paragraph()
        outer.append(Block(kind, (), with_prefix(prefix, self.blocks) or [paragraph()], attributes, token))
        self.blocks = outer

    def box(self, element: str, blocks: Sequence[nodes.Token]) -> AbstractContextManager[object]:
        if element == "blockquote":
            return self._container("blockquote", token=self.block)
        name, _, kind = element.rpartition(".")
        if name == "div.callout":
            return self._container("panel", token=self.block, callout=kind)
        self.block = None
        self.write_rule()
        return nullcontext()

    def group(self, element: str) -> AbstractContextManager[object]:
        return nullcontext()

    def write_details(self, token: nodes.HtmlElement) -> None:
        summary = next((each for each in token.children if getattr(each, "tag", "") == "summary"), None)
        with self._container("expand", token=token, title=self._line_of(summary) if summary else ""):
            self.write_flow([child for child in token.children if child is not summary])

    def _line_of(self, element: nodes.Token) -> str:
        """Return the text of an element on one line, also of headings and other blocks in it."""
        headings = nodes.Heading | nodes.SetextHeading
        blocks = [nodes.Paragraph(each.children) if isinstance(each, headings) else each for each in element.children]
        lines = PlainTextRenderer(self.figures).render_html_element(nodes.HtmlElement("summary", {}, blocks))
        return " ".join(" ".join(lines).split())

    def write_definition(self, token: nodes.HtmlElement) -> None:
        self.write_flow(token.children)

    def write_rule(self) -> None:
        self.end_paragraph()
        self.blocks.append(Block("rule", token=self.block))

    def render_code_block(self, token: CodeToken) -> None:
        """Write figures and formulas as their text, which has no language."""
        self.end_paragraph()
        content, language = token.content, token.language if not isinstance(token, nodes.MathBlock) else "latex"
        if isinstance(token, nodes.Figure) and (drawn := self.figures.figure(token)) and drawn.plain_text:
            content, language = drawn.plain_text, ""
        elif isinstance(token, nodes.MathBlock) and (formula := self.figures.formula(token)):
            content, language = formula.unicode_text(), ""
        content = content.removesuffix("\n")
        self.blocks.append(
            Block("codeBlock", [MarkedSpan(content)] if content else [], (), {"language": language}, token)
        )

    def render_figure(self, token: nodes.Figure) -> None:
        self.write_figure(token, None)

    def render_math_block(self, token: nodes.MathBlock) -> None:
        if not self.figures.defines(token):
            self.write_figure(token, None)

    # Lists and tables

    def write_list(self, styled_list: StyledList) -> None:
        """Numbers that are not counted up from the first, or written otherwise than `1.`, are text."""
        numbers = [item.number for item in styled_list.items if item.number is not None]
        is_plain = not (styled_list.marker or styled_list.has_labels) and (self.starts_anywhere or numbers[:1] == [1])
        is_counted = is_plain and bool(numbers) and numbers == [*range(numbers[0], numbers[0] + len(styled_list.items))]
        start = numbers[0] if is_counted and not styled_list.is_checklist else None
        kind = "taskList" if styled_list.is_checklist else "orderedList" if is_counted else "bulletList"
        with self._container(kind, token=self.block, start=start):
            for item in styled_list.items:
                label = "" if is_counted or item.number is None else styled_list.label(item.number)
                self._write_item(item, label, "taskItem" if styled_list.is_checklist else "listItem")

    def _write_item(self, item: StyledItem, label: str, kind: str) -> None:
        if kind == "listItem" and item.checked is not None:
            label = f"{label} {checkbox(is_checked=item.checked)}".lstrip()
        with self._container(kind, label, token=item.token, is_checked=item.checked):
            self.write_flow(item.blocks)

    def write_table(self, token: nodes.Table | nodes.HtmlElement) -> None:
        self.end_paragraph()
        grid = self.grid(token)
        if grid.caption:
            self.write_flow(grid.caption.children)
        lines = partial(PlainTextRenderer(self.figures).render_table, token)
        with self._container("table", token=token, lines=lines):
            for row in grid.rows:
                if row.cells:
                    with self._container("tableRow"):
                        for cell in row.cells:
                            spans: dict[str, Any] = {"colspan": cell.column_span, "rowspan": cell.row_span}
                            with self._container("tableCell", is_header=cell.is_header, align=cell.align, **spans):
                                self.write_flow(cell.token.children or ())


def checkbox(*, is_checked: bool) -> str:
    return "☑" if is_checked else "☐"
