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
"""Keeps signs apart that would be a picture, such as `(/)`, or a heading at the beginning of a line.

It also keeps `[~name]` apart, since what is within a mark is read again without its backslashes; `!file!` is an image
there all the same.
"""

_SIGNS = re.compile(r"[*_+^~{}\[\]|!-]")
_EMOTICONS = re.compile(r"(?<=[:;])(?=[()DPpx-])|(?<=\()(?=[x/!?+*inyof-])|(?<=\[)(?=~)")
_LINE_STARTS = re.compile(r"(?m)^(h[1-6]|bq)(?=\.)|^(?=#)")


def escape(content: str) -> str:
    """Return text that is no markup; all that an author wrote goes through here."""
    # Two backslashes are a break, and one escapes.
    apart = _EMOTICONS.sub(_WORD_JOINER, content.replace("\\", f"\\{_WORD_JOINER}"))
    return _LINE_STARTS.sub(lambda start: f"{start[0]}{_WORD_JOINER}", _SIGNS.sub(r"\\\g<0>", apart))


_URL_SIGNS = str.maketrans({sign: f"%{ord(sign):02X}" for sign in "[]()|{}\\!^ "})


def link(label: str, url: str) -> str:
    """Return a link, or its words and what it leads to if that is within the document's folder."""
    if url.startswith(("https:", "http:", "mailto:", "tel:")):
        return f"[{label}|{url.translate(_URL_SIGNS)}]"
    return label if url.startswith("#") or not url else f"{label} {escape(f'({url})')}"


class JiraRenderer(PlainTextRenderer):
    """Blocks are lists of lines, inlines strings; what is not here is as in plain text."""

    marks = ""
    quotes = 0

    def render_raw_text(self, token: nodes.RawText) -> str:
        return escape(token.content.replace("|", BAR) if self.in_cell else token.content)

    in_cell = in_link = False

    def render_heading(self, token: nodes.Heading | nodes.SetextHeading) -> Lines:
        return [f"h{token.level}. {self.render_inlines(token)}"]

    def render_quote(self, token: nodes.Quote | nodes.Callout) -> Lines:
        self.quotes += 1
        lines = self.render_blocks(token)
        self.quotes -= 1
        return lines if self.quotes else ["{quote}", *lines, "{quote}"]

    def render_thematic_break(self, _token: nodes.ThematicBreak) -> Lines:
        return ["----"]

    def render_list(self, token: nodes.List) -> Lines:
        outer, self.marks = self.marks, self.marks + ("*" if token.start is None else "#")
        items = [self.render_item(item, loose=False) for item in token.children]
        lines = [line for first, *others in items for line in (f"{self.marks} {first}", *others)]
        self.marks = outer
        return lines

    def render_code_block(self, token: nodes.CodeFence | nodes.BlockCode) -> Lines:
        """Write code in the macro that it does not end."""
        macro = "noformat" if "{code" in token.content else "code"
        is_name = re.fullmatch(r"[\w+#-]+", token.language)
        language = f":{token.language}" if is_name and macro == "code" else ""
        content = token.content.removesuffix("\n").replace("{noformat", f"{{{_WORD_JOINER}noformat")
        return [f"{{{macro}{language}}}", *content.split("\n"), f"{{{macro}}}"]

    def render_table(self, token: nodes.Table | nodes.HtmlElement) -> Lines:
        if self.marks:
            return ["{noformat}", *super().render_table(token), "{noformat}"]
        captions = [each for each in nodes.children_of(token) or () if getattr(each, "tag", "") == "caption"]
        lines = [line for each in captions for line in (self.render_inlines(each), "")]
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
        outer, self.in_link = self.in_link, True
        label = self.render_inlines(token)
        self.in_link = outer
        return link(label or escape(token.target), token.target)

    def render_auto_link(self, token: nodes.AutoLink) -> str:
        # Of a label, `mailto:` would be left out.
        return link(escape(token.content).replace("mailto:", f"mailto{_WORD_JOINER}:"), token.target)

    def render_image(self, token: nodes.Image) -> str:
        """Write a link to an image, since one among text would end its paragraph."""
        alt = escape(nodes.text_content(token))
        title = f" ({escape(token.title)})" if token.title else ""
        return alt if self.in_link else f"{link(alt or escape(token.src), token.src)}{title}"

    def render_html_span(self, token: nodes.HtmlSpan) -> str:
        return escape(super().render_html_span(token))

    def render_html_block(self, token: nodes.HtmlBlock) -> Lines:
        return [escape(line) for line in super().render_html_block(token)]

    def render_math_span(self, token: nodes.MathSpan) -> str:
        return escape(super().render_math_span(token))

    def as_literal(self, lines: Lines) -> Lines:
        return ["{noformat}", *(line.replace("{noformat", f"{{{_WORD_JOINER}noformat") for line in lines), "{noformat}"]

    def render_math_block(self, token: nodes.MathBlock) -> Lines:
        lines = super().render_math_block(token)
        return self.as_literal(lines) if lines else lines

    def render_callout(self, token: nodes.Callout) -> Lines:
        title = self.render_inlines(token.title) if token.title else escape(token.label)
        return [f"{{*}}{title}{{*}}", "", *self.render_quote(token)]


JIRA = Output("jira-wiki", "Jira's wiki markup", renderer=JiraRenderer, is_text=True)
