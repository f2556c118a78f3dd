"""Destination `jira`: Jira's wiki markup, derived from plain text."""

from mdpublish_core import nodes
from mdpublish_core.destinations.plain_text import Lines, PlainTextRenderer
from mdpublish_core.destinations.table_model import build_grid


class JiraRenderer(PlainTextRenderer):
    marks = ""

    def render_heading(self, token: nodes.Heading | nodes.SetextHeading) -> Lines:
        return [f"h{token.level}. {self.render_inlines(token)}"]

    def render_quote(self, token: nodes.Quote) -> Lines:
        return ["{quote}", *self.render_blocks(token.children), "{quote}"]

    def render_list(self, token: nodes.List) -> Lines:
        outer, self.marks = self.marks, self.marks + ("*" if token.start is None else "#")
        items = [self.render_item(item, loose=False) for item in token.children]
        lines = [line for first, *others in items for line in (f"{self.marks} {first}", *others)]
        self.marks = outer
        return lines

    def render_code_block(self, token: nodes.CodeFence | nodes.BlockCode) -> Lines:
        language = f":{token.language}" if token.language else ""
        return [f"{{code{language}}}", *token.content.removesuffix("\n").split("\n"), "{code}"]

    def render_table(self, token: nodes.Table | nodes.HtmlElement) -> Lines:
        rows = ((row, "||" if row.is_header else "|") for row in build_grid(token).rows)
        return [f"{bar}{bar.join(map(self.cell_text, row.cells))}{bar}" for row, bar in rows]

    def render_emphasis(self, token: nodes.Emphasis) -> str:
        return f"_{self.render_inlines(token)}_"

    def render_strong(self, token: nodes.Strong) -> str:
        return f"*{self.render_inlines(token)}*"

    def render_inline_code(self, token: nodes.InlineCode) -> str:
        return f"{{{{{token.content}}}}}"

    def render_link(self, token: nodes.Link) -> str:
        return f"[{self.render_inlines(token)}|{token.target}]"


render = JiraRenderer.render
