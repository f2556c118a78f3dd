"""Output `jira`: Jira's wiki markup, derived from plain text."""

from mdpublish_core import Output, nodes
from mdpublish_core.renderers import Lines, PlainTextRenderer


class JiraRenderer(PlainTextRenderer):
    """Blocks are lists of lines, inlines strings; what is not here is as in plain text."""

    marks = ""

    def render_heading(self, token: nodes.Heading | nodes.SetextHeading) -> Lines:
        return [f"h{token.level}. {self.render_inlines(token)}"]

    def render_quote(self, token: nodes.Quote) -> Lines:
        return ["{quote}", *self.render_blocks(token), "{quote}"]

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
        lines = []
        for is_header, cells in self.table_rows(token):
            bar = "||" if is_header else "|"
            lines.append(f"{bar}{bar.join(cells)}{bar}")
        return lines

    def render_emphasis(self, token: nodes.Emphasis) -> str:
        return f"_{self.render_inlines(token)}_"

    def render_strong(self, token: nodes.Strong) -> str:
        return f"*{self.render_inlines(token)}*"

    def render_inline_code(self, token: nodes.InlineCode) -> str:
        return f"{{{{{token.content}}}}}"

    def render_link(self, token: nodes.Link) -> str:
        return f"[{self.render_inlines(token)}|{token.target}]"


JIRA = Output("jira", "Jira's wiki markup", renderer=JiraRenderer, is_text=True)
