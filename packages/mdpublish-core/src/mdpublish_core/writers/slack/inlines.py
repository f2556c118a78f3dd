"""Inlines as spans: mrkdwn, the composer's HTML and Block Kit are written from them."""

from collections.abc import Iterable, Mapping
from itertools import groupby

from mdpublish_core import nodes
from mdpublish_core.figures.results import NO_FIGURES, RenderedFigures
from mdpublish_core.notices import Notice
from mdpublish_core.resources.urls import is_data_url, url_beside
from mdpublish_core.writers.plain_text import PlainTextRenderer
from mdpublish_core.writers.plain_text.marks import HIGHLIGHTED, escape_mark, script_brackets, to_small_characters
from mdpublish_core.writers.renderer import Renderer
from mdpublish_core.writers.slack.mrkdwn import BOLD, ITALIC, STRIKE, Mark, Marks, Span, add_mark, to_link_url
from mdpublish_core.writers.structure.block_runs import is_block

_CODE_ELEMENTS = frozenset({"code", "kbd", "samp", "tt"})

ELEMENT_MARKS: Mapping[str, Mark] = {
    "dt": BOLD,
    "summary": BOLD,
    "th": BOLD,
    "cite": ITALIC,
    "dfn": ITALIC,
    "var": ITALIC,
}


_SCRIPT_SIGNS = {"sub": "_", "sup": "^"}

_SIGNS_AROUND = {"mark": (HIGHLIGHTED, HIGHLIGHTED), "q": ("“", "”"), "rt": ("(", ")")}

BOXES = {False: "☐", True: "☑"}

# Doesn't wrap on phones.
RULE = "─" * 12


class SlackInlines(Renderer):
    """Renders inlines to spans."""

    why_no_anchors = "messages have no anchors"

    def __init__(self, figures: RenderedFigures = NO_FIGURES, notices: list[Notice] | None = None) -> None:
        super().__init__(notices)
        self.figures = figures
        self.plain_text_renderer = PlainTextRenderer(figures)
        self.marks: Marks = ()

    def render_inlines(self, tokens: Iterable[nodes.Token], marks: Marks | None = None) -> list[Span]:
        methods = self.inline_methods
        outer, self.marks = self.marks, self.marks if marks is None else marks
        spans: list[Span] = []
        for token in tokens:
            spans.extend(methods[type(token)](self, token))
        self.marks = outer
        return spans

    def render_raw_text(self, token: nodes.RawText) -> list[Span]:
        return [Span(escape_mark(token.content, HIGHLIGHTED), self.marks)]

    def render_html_span(self, token: nodes.HtmlSpan) -> list[Span]:
        return [Span(token.content, self.marks)]

    def render_math_span(self, token: nodes.MathSpan) -> list[Span]:
        content = self.plain_text_renderer.render_math_span(token)
        return [Span(content, self.marks, code=True)] if content else []

    def render_inline_code(self, token: nodes.InlineCode) -> list[Span]:
        return [Span(token.content, self.marks, code=True)]

    def render_footnote_reference(self, token: nodes.FootnoteReference) -> list[Span]:
        return [Span(self.plain_text_renderer.render_footnote_reference(token), self.marks)]

    def render_emphasis(self, token: nodes.Emphasis) -> list[Span]:
        return self.render_inlines(token.children, add_mark(self.marks, ITALIC))

    def render_strong(self, token: nodes.Strong) -> list[Span]:
        return self.render_inlines(token.children, add_mark(self.marks, BOLD))

    def render_strikethrough(self, token: nodes.Strikethrough) -> list[Span]:
        return self.render_inlines(token.children, add_mark(self.marks, STRIKE))

    def render_link(self, token: nodes.Link) -> list[Span]:
        """Follow the label with the URL if Slack can't link it.

        A label can't contain marks: those shared by all of it go around the link.
        """
        spans = self.render_inlines(token.children)
        if (url := to_link_url(token.target)) is None:
            label = "".join([span.content for span in spans])
            return spans + trailing_url(label, token.target, self.marks)
        # Struck words are links of their own.
        runs = [list(run) for _, run in groupby(spans, key=lambda span: STRIKE in span.marks)]
        return [self._link(run, url) for run in runs or [[]]]

    def _link(self, spans: list[Span], url: str) -> Span:
        visible = [span for span in spans if span.content.strip()]
        shared = (
            tuple(mark for mark in visible[0].marks if all(mark in span.marks for span in visible))
            if visible
            else self.marks
        )
        is_code = bool(visible) and all(span.code for span in visible)
        return Span("".join([span.content for span in spans]), shared, code=is_code, link_url=url)

    def render_auto_link(self, token: nodes.AutoLink) -> list[Span]:
        return [Span(token.content, self.marks, link_url=to_link_url(token.target))]

    def render_image(self, token: nodes.Image) -> list[Span]:
        """Return a link, else the alt text, else the URL."""
        alt = nodes.text_content(token)
        url = to_link_url(token.src)
        if url is None and not alt and not is_data_url(token.src):
            alt = f"({' '.join(token.src.split())})" if token.src else ""
        return [Span(alt, self.marks, link_url=url)]

    def render_line_break(self, token: nodes.LineBreak) -> list[Span]:
        return [Span(" " if token.soft else "\n", self.marks)]

    def render_inline_html_element(self, token: nodes.HtmlElement) -> list[Span]:
        if token.tag in _CODE_ELEMENTS and all(isinstance(child, nodes.RawText) for child in token.children):
            return [Span(nodes.text_content(token), self.marks, code=True)]
        if token.tag == "rp":
            return []
        mark = ELEMENT_MARKS.get(token.tag)
        inner = add_mark(self.marks, mark) if mark else self.marks
        spans: list[Span] = []
        for child in token.children:
            if is_block(child):
                # Only in trees built by hand.
                spans.append(Span("\n".join(self.plain_text_renderer.render_blocks([child])), inner))
            else:
                spans.extend(self.render_inlines([child], inner))
        if token.tag in _SCRIPT_SIGNS:
            return self._script(spans, _SCRIPT_SIGNS[token.tag])
        before, after = _SIGNS_AROUND.get(token.tag, ("", ""))
        if token.tag == "abbr" and token.attributes.get("title"):
            after = f" ({token.attributes['title']})"
        return [Span(before, self.marks), *spans, Span(after, self.marks)] if after else spans

    def _script(self, spans: list[Span], sign: str) -> list[Span]:
        small = [None if span.code else to_small_characters(span.content, sign) for span in spans]
        if None not in small:
            return [span._replace(content=content or "") for span, content in zip(spans, small, strict=True)]
        before, after = script_brackets("".join([span.content for span in spans]), sign)
        return [Span(before, self.marks), *spans, Span(after, self.marks)]


def trailing_url(label: str, target: str, marks: Marks) -> list[Span]:
    beside = url_beside(label, target)
    return [Span(beside, marks)] if beside else []


def join_line_breaks(spans: Iterable[Span]) -> list[Span]:
    return [span._replace(content=span.content.replace("\n", " ")) if "\n" in span.content else span for span in spans]
