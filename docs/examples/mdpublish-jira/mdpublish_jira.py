"""Output `jira-wiki`: the wiki markup of Jira on a server of one's own, derived from plain text.

https://jira.atlassian.com/secure/WikiRendererHelpAction.jspa. A backslash escapes signs, but no `|` in a cell and no
`h1.`; quotes do not nest, and items hold no tables. `[~name]` would mention someone.
"""

import re

from mdpublish_core import Output, nodes
from mdpublish_core.renderers import Lines, PlainTextRenderer

BAR = "\N{LIGHT VERTICAL BAR}"
"""Stands for a bar in a cell, which would end it."""

_WORD_JOINER = "\u2060"
"""Keeps signs apart that would be a picture, such as `(/)`, or a heading at the beginning of a line."""

_SIGNS = re.compile(r"[\\*_+^~{}\[\]|!-]")
_EMOTICONS = re.compile(r"(?<=[:;(])(?=[()DPpx/!?+*iny-])")
_LINE_STARTS = re.compile(r"(?m)^(h[1-6]|bq)(?=\.)|^(?=#)")


def escape(content: str) -> str:
    """Return text that is no markup; all that an author wrote goes through here."""
    apart = _EMOTICONS.sub(_WORD_JOINER, content)
    return _LINE_STARTS.sub(lambda start: f"{start[0]}{_WORD_JOINER}", _SIGNS.sub(r"\\\g<0>", apart))


class JiraRenderer(PlainTextRenderer):
    """Blocks are lists of lines, inlines strings; what is not here is as in plain text."""

    marks = ""
    quotes = 0

    def render_raw_text(self, token: nodes.RawText) -> str:
        return escape(token.content.replace("|", BAR) if self.in_cell else token.content)

    in_cell = False

    def render_heading(self, token: nodes.Heading | nodes.SetextHeading) -> Lines:
        return [f"h{token.level}. {self.render_inlines(token)}"]

    def render_quote(self, token: nodes.Quote) -> Lines:
        self.quotes += 1
        lines = self.render_blocks(token)
        self.quotes -= 1
        return lines if self.quotes else ["{quote}", *lines, "{quote}"]

    def render_list(self, token: nodes.List) -> Lines:
        outer, self.marks = self.marks, self.marks + ("*" if token.start is None else "#")
        items = [self.render_item(item, loose=False) for item in token.children]
        lines = [line for first, *others in items for line in (f"{self.marks} {first}", *others)]
        self.marks = outer
        return lines

    def render_code_block(self, token: nodes.CodeFence | nodes.BlockCode) -> Lines:
        """Write code in the macro that it does not end."""
        macro = "noformat" if "{code" in token.content else "code"
        language = f":{token.language}" if token.language and macro == "code" else ""
        content = token.content.removesuffix("\n").replace("{noformat", f"{{{_WORD_JOINER}noformat")
        return [f"{{{macro}{language}}}", *content.split("\n"), f"{{{macro}}}"]

    def render_table(self, token: nodes.Table | nodes.HtmlElement) -> Lines:
        if self.marks:
            return ["{noformat}", *super().render_table(token), "{noformat}"]
        lines = []
        self.in_cell = True
        for is_header, cells in self.table_rows(token):
            bar = "||" if is_header else "|"
            lines.append(f"{bar}{bar.join(cell or ' ' for cell in cells)}{bar}")
        self.in_cell = False
        return lines

    def render_emphasis(self, token: nodes.Emphasis) -> str:
        return self.marked("_", token)

    def render_strong(self, token: nodes.Strong) -> str:
        return self.marked("*", token)

    def render_strikethrough(self, token: nodes.Strikethrough) -> str:
        return self.marked("-", token)

    def marked(self, mark: str, token: nodes.Token) -> str:
        """Write a mark that also acts within a word."""
        return f"{{{mark}}}{self.render_inlines(token)}{{{mark}}}"

    def render_inline_code(self, token: nodes.InlineCode) -> str:
        return f"{{{{{escape(token.content.replace('|', BAR) if self.in_cell else token.content)}}}}}"

    def render_link(self, token: nodes.Link) -> str:
        return f"[{self.render_inlines(token)}|{token.target}]"


JIRA = Output("jira-wiki", "Jira's wiki markup", renderer=JiraRenderer, is_text=True)
