"""Destination `jira`: Jira's wiki markup, as its differences from plain text."""

from mdpublish_core.destinations.grids import grid_of
from mdpublish_core.destinations.plain_text import Lines, PlainTextRenderer
from mdpublish_core.document import (
    BlockCode,
    CodeFence,
    Emphasis,
    Heading,
    HtmlElement,
    InlineCode,
    Link,
    List,
    Quote,
    SetextHeading,
    Strong,
    Table,
)


class JiraRenderer(PlainTextRenderer):
    marks = ""

    def render_heading(self, token: Heading | SetextHeading) -> Lines:
        return [f"h{token.level}. {self.inlines(token)}"]

    def render_quote(self, token: Quote) -> Lines:
        return ["{quote}", *self.blocks(token.children), "{quote}"]

    def render_list(self, token: List) -> Lines:
        outer, self.marks = self.marks, self.marks + ("*" if token.start is None else "#")
        items = [self.item_lines(item, loose=False) for item in token.children]
        lines = [line for first, *others in items for line in (f"{self.marks} {first}", *others)]
        self.marks = outer
        return lines

    def render_code_block(self, token: CodeFence | BlockCode) -> Lines:
        language = f":{token.language}" if token.language else ""
        return [f"{{code{language}}}", *token.content.removesuffix("\n").split("\n"), "{code}"]

    def render_table(self, token: Table | HtmlElement) -> Lines:
        rows = ((row, "||" if row.is_header else "|") for row in grid_of(token).rows)
        return [f"{bar}{bar.join(map(self.cell_text, row.cells))}{bar}" for row, bar in rows]

    def render_emphasis(self, token: Emphasis) -> str:
        return f"_{self.inlines(token)}_"

    def render_strong(self, token: Strong) -> str:
        return f"*{self.inlines(token)}*"

    def render_inline_code(self, token: InlineCode) -> str:
        return f"{{{{{token.content}}}}}"

    def render_link(self, token: Link) -> str:
        return f"[{self.inlines(token)}|{token.target}]"


render = JiraRenderer.render
