"""Output `confluence-storage`: Confluence's storage format, XHTML with macros, derived from the walk of the styled destinations.

https://confluence.atlassian.com/doc/confluence-storage-format-790796544.html. Its editor has styles of its own, so that
no element has any here. Images of figures and formulas are attachments: upload `conversion.media` to the page, named by
their content ids.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from mdpublish_core import Output, nodes
from mdpublish_core.renderers import (
    UNSTYLED,
    HtmlWriter,
    Placement,
    RenderContext,
    StyledHtmlWriter,
    StyledItem,
    StyledList,
    replace_invalid,
)

MACROS = {"note": "info", "tip": "tip", "important": "note", "warning": "warning", "caution": "warning"}
"""By kind of callout. Confluence's `note` is yellow, its `info` blue."""

TAGS = {
    **{tag: tag for tag in ("em", "strong", "del", "u", "sub", "sup", "code")},
    "b": "strong",
    "i": "em",
    "ins": "u",
    "kbd": "code",
    "samp": "code",
    "tt": "code",
}
"""Elements among text; others are only their text."""

HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})

PAGE_WIDTH = 760
"""In px."""


class ConfluenceRenderer(StyledHtmlWriter[None]):
    """Writes a document in the storage format."""

    def __init__(self, writer: HtmlWriter, document: nodes.Document, context: RenderContext) -> None:
        super().__init__(writer, document, context, UNSTYLED)
        self.task_count = 0

    @classmethod
    def render(cls, document: nodes.Document, context: RenderContext) -> str:
        renderer = cls(HtmlWriter(max_characters=context.max_output_bytes), document, context)
        renderer.write_tokens(document.children)
        renderer.write_footnotes()
        return replace_invalid(renderer.writer.finish())

    # Macros

    @contextmanager
    def element(self, tag: str, **attributes: str | int | None) -> Iterator[None]:
        self.writer.start(
            tag, [(name.replace("_", ":", 1).replace("_", "-"), each) for name, each in attributes.items()]
        )
        yield
        self.writer.end()

    @contextmanager
    def macro(self, name: str, **parameters: str) -> Iterator[None]:
        with self.element("ac:structured-macro", ac_name=name, ac_schema_version=1):
            for parameter, value in parameters.items():
                with self.element("ac:parameter", ac_name=parameter):
                    self.write_text(value)
            yield

    # Text

    def start_span(self, element: str) -> int:
        tag = TAGS.get(element.partition(".")[0])
        if tag:
            self.writer.start(tag)
        return 1 if tag else 0

    def write_code(self, element: str, content: str) -> None:
        with self.element("code"):
            self.write_text(content)

    def start_link(self, url: str, target: str, title: str, tokens: Sequence[nodes.Token]) -> int:
        if not target.startswith("#"):
            self.writer.start("a", (("href", target), ("title", title or None)))
            return 1
        self.writer.start("ac:link", (("ac:anchor", target[1:]),))
        self.writer.start("ac:link-body")
        return 2

    def write_anchor(self, name: str | None) -> None:
        if name:
            with self.macro("anchor", **{"": name}):
                pass

    def render_image(self, token: nodes.Image) -> None:
        resolved = self.context.resolve_image(token)
        source = resolved.src or ""
        if not source.startswith(("cid:", "http:", "https:")):
            # A page has no folder in which a file could be.
            self.write_text(resolved.alt)
            return
        width, height = (size if size and size.isdecimal() else None for size in (resolved.width, resolved.height))
        named = {"ac_alt": resolved.alt or None, "ac_title": resolved.title or None}
        with self.element("ac:image", **named, ac_width=width, ac_height=height):
            if source.startswith("cid:"):
                self.writer.empty("ri:attachment", (("ri:filename", source.removeprefix("cid:")),))
            else:
                self.writer.empty("ri:url", (("ri:value", source),))

    def write_formula_image(self, token: nodes.MathSpan) -> bool:
        image = self.context.formula_image(token, self.placement())
        if image:
            self.render_image(image)
        return image is not None

    def render_footnote_reference(self, token: nodes.FootnoteReference) -> None:
        with self.element("sup"), self.element("ac:link", ac_anchor=f"fn-{token.number}"), self.element("ac:link-body"):
            self.write_text(str(token.number))

    # Blocks

    def start_text(self, element: str, tokens: Sequence[nodes.Token]) -> None:
        self.writer.line()
        self.writer.start(element if element in HEADINGS else "p")

    def end_text(self, style: None) -> None:
        self.writer.end()
        self.writer.line()

    def write_bare(self, tokens: Sequence[nodes.Token]) -> None:
        with self.element("p"):
            self.write_inlines(tokens)

    def write_caption(self, caption: str, *, is_centered: bool = False) -> None:
        with self.element("p"), self.element("em"):
            self.write_text(caption)

    @contextmanager
    def box(self, element: str, blocks: Sequence[nodes.Token]) -> Iterator[None]:
        kind = element.rpartition(".")[2]
        if kind in MACROS:
            with self.macro(MACROS[kind]), self.element("ac:rich-text-body"):
                yield
        elif element == "blockquote":
            with self.element("blockquote"):
                yield
        else:
            self.writer.empty("hr")
            yield

    @contextmanager
    def group(self, element: str) -> Iterator[None]:
        yield

    def render_callout(self, token: nodes.Callout) -> None:
        with self.macro(MACROS[token.kind], title=nodes.text_content(token.title) if token.title else token.label):
            with self.element("ac:rich-text-body"):
                self.write_flow(token.children)

    def render_code_block(self, token: nodes.CodeFence | nodes.BlockCode | nodes.Figure | nodes.MathBlock) -> None:
        language = getattr(token, "language", "")
        with self.macro("code", **({"language": language} if language else {})), self.element("ac:plain-text-body"):
            self.writer.cdata(token.content)

    def write_centered_image(self, image: nodes.Image, *, is_titled: bool) -> None:
        with self.element("p", style="text-align: center"):
            self.render_image(image)

    def placement(self) -> Placement:
        return Placement(background_color="#ffffff", foreground_color="#172b4d", text_size=14, width=PAGE_WIDTH)

    def write_rule(self) -> None:
        self.writer.empty("hr")

    def write_details(self, token: nodes.HtmlElement) -> None:
        summaries = [
            child for child in token.children if isinstance(child, nodes.HtmlElement) and child.tag == "summary"
        ]
        with self.macro("expand", title=nodes.text_content(summaries[0]) if summaries else ""):
            with self.element("ac:rich-text-body"):
                self.write_flow([child for child in token.children if child not in summaries[:1]])

    def write_definition(self, token: nodes.HtmlElement) -> None:
        with self.element("blockquote"):
            self.write_flow(token.children)

    # Lists and tables

    def write_list(self, styled_list: StyledList) -> None:
        tag = "ac:task-list" if styled_list.is_checklist else styled_list.tag
        self.writer.line()
        with self.element(tag, start=None if styled_list.start in {None, 1} else styled_list.start):
            for item in styled_list.items:
                self.write_task(item) if styled_list.is_checklist else self.write_item(item, styled_list)
        self.writer.line()

    def write_item(self, item: StyledItem, styled_list: StyledList) -> None:
        with self.element("li"):
            if isinstance(item.token, nodes.FootnoteDefinition):
                self.write_anchor(f"fn-{item.number}")
            if item.checked is not None:
                self.write_text("☑ " if item.checked else "☐ ")
            self.write_flow(item.blocks)

    def write_task(self, item: StyledItem) -> None:
        self.task_count += 1
        with self.element("ac:task"):
            with self.element("ac:task-id"):
                self.write_text(str(self.task_count))
            with self.element("ac:task-status"):
                self.write_text("complete" if item.checked else "incomplete")
            with self.element("ac:task-body"):
                self.write_flow(item.blocks)

    def write_table(self, token: nodes.Table | nodes.HtmlElement) -> None:
        grid = self.grid(token)
        if grid.caption:
            self.write_flow(grid.caption.children)
        with self.element("table"), self.element("tbody"):
            for row in grid.rows:
                with self.element("tr"):
                    for cell in row.cells:
                        spans = {"colspan": cell.column_span, "rowspan": cell.row_span}
                        style = f"text-align: {cell.align}" if cell.align else None
                        wide = {name: count for name, count in spans.items() if count > 1}
                        with self.element("th" if cell.is_header else "td", style=style, **wide):
                            self.write_flow(cell.token.children or ())


CONFLUENCE = Output(
    "confluence-storage",
    "Confluence's storage format",
    renderer=ConfluenceRenderer,
    figure_form="png",
    math_form="styled",
    delivery={"raw-html": "source"},
    white_page_modes=("light", "dark"),
    attaches_media=True,
)
