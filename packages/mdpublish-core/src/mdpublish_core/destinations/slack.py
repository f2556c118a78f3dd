"""Destination `slack`: mrkdwn, for the text of a message or of a text object in Block Kit.

What Slack has no word for becomes the nearest that it has: headings are bold lines, lists are signs and indentation,
tables, figures and math their text in a fence or a code span, footnotes a list at the end. A link leads nowhere but where
its author said, over http, https and mailto; a relative one, or one of another scheme, is a text with the address behind
it. A quotation or a fence begins at the line's beginning, so those in an item are not indented; quotations in quotations are
one; a fence interrupts the quotation that it stands in, where its lines would have the quotation's sign for code. An end of
a line that only the source shows is a space.

How Slack reads a line is `mrkdwn`'s.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from mdpublish_core import nodes
from mdpublish_core.destinations.mrkdwn import (
    BOLD,
    ITALIC,
    STRUCK,
    Lines,
    Mark,
    Marks,
    Span,
    fence,
    is_fence,
    text_lines,
    web_address,
    whole_text,
    with_mark,
)
from mdpublish_core.destinations.numbering import numbered_items
from mdpublish_core.destinations.plain_text import PlainTextRenderer
from mdpublish_core.destinations.renderer import Renderer
from mdpublish_core.destinations.runs import is_block, runs
from mdpublish_core.destinations.scripts import lowered, raised
from mdpublish_core.destinations.setting import Setting
from mdpublish_core.figures.render import NO_FIGURES, RenderedFigures
from mdpublish_core.urls import is_data_url

TEXT_OBJECT_CHARACTERS = 3_000
"""The longest text of a text object: https://docs.slack.dev/reference/block-kit/composition-objects/text-object"""

MESSAGE_CHARACTERS = 4_000
"""The longest text that Slack recommends for a message: https://docs.slack.dev/reference/methods/chat.postMessage"""

MOST_CHARACTERS = 40_000
"""Where Slack cuts a message off: https://docs.slack.dev/reference/methods/chat.postMessage"""

_BULLETS = ("•", "◦", "▪")
_BOXES = {False: "☐", True: "☑"}
_INDENTATION = " " * 4

# A dozen: a rule that is seen as one, and that no phone breaks.
_RULE = "─" * 12

_CODE_ELEMENTS = frozenset({"code", "kbd", "samp", "tt"})
_MARKED_ELEMENTS: Mapping[str, Mark] = {
    "dt": BOLD,
    "mark": BOLD,
    "summary": BOLD,
    "th": BOLD,
    "cite": ITALIC,
    "dfn": ITALIC,
    "var": ITALIC,
}


@dataclass(frozen=True, slots=True)
class Place:
    """Where blocks stand: what their lines begin with, and in how many lists."""

    prefix: str = ""
    lists: int = 0

    @property
    def inside(self) -> "Place":
        """The place of an item's further lines."""
        return replace(self, prefix=self.prefix + _INDENTATION, lists=self.lists + 1)

    @property
    def quoted(self) -> "Place":
        """The place of a quotation's lines; those in one another are one."""
        return Place(prefix="> ")

    def lines(self, lines: Iterable[str]) -> Lines:
        """Return lines of text in this place."""
        return [f"{self.prefix}{line}" if line else self.gap for line in lines]

    @property
    def gap(self) -> str:
        """An empty line."""
        return self.prefix.rstrip(" ")


class SlackRenderer(Renderer):
    """A document on its way to Slack: blocks become lines, inlines spans.

    `place` is where the next lines stand, `marks` what the next inlines stand in.
    """

    def __init__(self, drawings: RenderedFigures = NO_FIGURES) -> None:
        self.plain_text = PlainTextRenderer(drawings)
        self.place = Place()
        self.marks: Marks = ()

    @classmethod
    def render(cls, document: nodes.Document, setting: Setting) -> str:
        """Return the document as mrkdwn; the template plays no part. A notice tells where it is too long for Slack."""
        text = cls.mrkdwn(document, setting.drawings)
        if problem := _length_problem(len(text)):
            setting.notice("slack_length", problem)
        return text

    @classmethod
    def mrkdwn(cls, document: nodes.Document, drawings: RenderedFigures = NO_FIGURES) -> str:
        """Return the document as mrkdwn, which ends in one newline."""
        renderer = cls(drawings)
        lines = renderer.blocks(document.children)
        return whole_text([*lines, "", *renderer.footnotes(document.footnote_definitions)])

    def blocks(self, tokens: Sequence[nodes.Token], *, place: Place | None = None, loose: bool = True) -> Lines:
        """Return the lines of blocks one under the other, in a loose sequence with an empty line between each two."""
        methods = self.block_methods
        outer, self.place = self.place, place or self.place
        lines: Lines = []
        for token in tokens:
            self.add_lines(lines, methods[type(token)](self, token), loose=loose)
        self.place = outer
        return lines

    def add_lines(self, lines: Lines, added: Lines, *, loose: bool) -> None:
        """Add a block's lines; no quotation goes on beside a fence."""
        if lines and added and loose:
            lines.append("" if is_fence(lines[-1]) or is_fence(added[0]) else self.place.gap)
        lines.extend(added)

    def inlines(self, tokens: Iterable[nodes.Token], marks: Marks | None = None) -> list[Span]:
        """Return the spans of inlines that stand in marks: these, or those of what holds them."""
        methods = self.inline_methods
        outer, self.marks = self.marks, self.marks if marks is None else marks
        spans: list[Span] = []
        for token in tokens:
            spans.extend(methods[type(token)](self, token))
        self.marks = outer
        return spans

    def render_heading(self, token: nodes.Heading | nodes.SetextHeading) -> Lines:
        return self.place.lines(text_lines(in_one_line(self.inlines(token.children, (BOLD,)))))

    def render_paragraph(self, token: nodes.Paragraph) -> Lines:
        return self.place.lines(text_lines(self.inlines(token.children)))

    def render_quote(self, token: nodes.Quote) -> Lines:
        return self.blocks(token.children, place=self.place.quoted)

    def render_callout(self, token: nodes.Callout) -> Lines:
        title = self.place.quoted.lines(text_lines([Span(token.kind.capitalize(), (BOLD,))]))
        return [*title, *self.blocks(token.children, place=self.place.quoted)]

    def render_list(self, token: nodes.List) -> Lines:
        lines: Lines = []
        for number, item in enumerate(token.children):
            mark = (
                _BULLETS[min(self.place.lists, len(_BULLETS) - 1)]
                if token.start is None
                else f"{token.start + number}."
            )
            if isinstance(item, nodes.TaskItem):
                box = _BOXES[item.checked]
                mark = box if token.start is None else f"{mark} {box}"
            self.add_lines(lines, self.marked(mark, item.children, loose=token.loose), loose=token.loose)
        return lines

    def marked(self, mark: str, children: Sequence[nodes.Token], *, loose: bool) -> Lines:
        """Return the lines of an item, with its mark before the text that it begins with, or else on a line of its own."""
        inside = self.place.inside
        lines = self.html_lines(children, place=inside, loose=loose)
        if lines and children and _is_text(children[0]) and lines[0].startswith(inside.prefix):
            return [f"{self.place.prefix}{mark} {lines[0].removeprefix(inside.prefix)}", *lines[1:]]
        return [f"{self.place.prefix}{mark}", *lines]

    def render_code_block(self, token: nodes.CodeFence | nodes.BlockCode) -> Lines:
        return fence(token.content)

    def render_math_block(self, token: nodes.MathBlock) -> Lines:
        text = self.plain_text.math_text(token)
        return self._titled(token, text) if text else []

    def render_figure(self, token: nodes.Figure) -> Lines:
        return self._titled(token, self.plain_text.figure_text(token))

    def _titled(self, token: nodes.Figure | nodes.MathBlock, text: str) -> Lines:
        """Return a text in a fence, below its title."""
        lines = self.place.lines(text_lines(in_one_line([Span(token.options.get("title", ""))])))
        self.add_lines(lines, self.render_code_block(nodes.BlockCode(text)), loose=True)
        return lines

    def render_table(self, token: nodes.Table | nodes.HtmlElement) -> Lines:
        return fence("\n".join(line.rstrip() for line in self.plain_text.render_table(token)))

    def render_thematic_break(self, token: nodes.ThematicBreak) -> Lines:
        return self.place.lines([_RULE])

    def render_html_block(self, token: nodes.HtmlBlock) -> Lines:
        return self.place.lines(text_lines([Span(token.content)]))

    def render_html_element(self, token: nodes.HtmlElement) -> Lines:
        """Return the lines of an element among blocks."""
        if token.tag in {"ol", "ul"}:
            return self.list_element(token)
        if token.tag == "table":
            return self.render_table(token)
        mark = _MARKED_ELEMENTS.get(token.tag)
        inside = replace(self.place, prefix=self.place.prefix + _INDENTATION) if token.tag == "dd" else None
        return self.html_lines(token.children, place=inside, marks=(mark,) if mark else (), loose=token.tag != "dl")

    def html_lines(
        self, children: Sequence[nodes.Token], *, place: Place | None = None, marks: Marks = (), loose: bool
    ) -> Lines:
        """Return the lines of children that may be blocks, inlines, or some of each; `marks` are those of the inlines."""
        outer, self.place = self.place, place or self.place
        lines: Lines = []
        for run in runs(children):
            if is_block(run[0]):
                added = self.blocks(run, loose=loose)
            else:
                added = self.place.lines(text_lines(self.inlines(run, marks)))
            self.add_lines(lines, added, loose=loose)
        self.place = outer
        return lines

    def list_element(self, token: nodes.HtmlElement) -> Lines:
        """Return the lines of a list that Markdown has no word for, numbered as it says."""
        lines: Lines = []
        bullet = _BULLETS[min(self.place.lists, len(_BULLETS) - 1)]
        for number, item in numbered_items(token):
            mark = bullet if token.tag == "ul" else number
            self.add_lines(lines, self.marked(mark, item.children, loose=False), loose=False)
        return lines

    def footnotes(self, definitions: Sequence[nodes.FootnoteDefinition]) -> Lines:
        """Return the lines of the footnotes, with empty lines between them where one has more than a paragraph."""
        lines: Lines = []
        loose = any(len(note.children) > 1 for note in definitions)
        # A note's mark is no list's, so that lists in it are the first.
        self.place = Place(lists=-1)
        for note in definitions:
            self.add_lines(lines, self.marked(f"[{note.number}]", note.children, loose=True), loose=loose)
        return lines

    def render_raw_text(self, token: nodes.RawText) -> list[Span]:
        return [Span(token.content, self.marks)]

    def render_html_span(self, token: nodes.HtmlSpan) -> list[Span]:
        return [Span(token.content, self.marks)]

    def render_math_span(self, token: nodes.MathSpan) -> list[Span]:
        text = self.plain_text.render_math_span(token)
        return [Span(text, self.marks, code=True)] if text else []

    def render_inline_code(self, token: nodes.InlineCode) -> list[Span]:
        return [Span(token.content, self.marks, code=True)]

    def render_footnote_reference(self, token: nodes.FootnoteReference) -> list[Span]:
        return [Span(self.plain_text.render_footnote_reference(token), self.marks)]

    def render_emphasis(self, token: nodes.Emphasis) -> list[Span]:
        return self.inlines(token.children, with_mark(self.marks, ITALIC))

    def render_strong(self, token: nodes.Strong) -> list[Span]:
        return self.inlines(token.children, with_mark(self.marks, BOLD))

    def render_strikethrough(self, token: nodes.Strikethrough) -> list[Span]:
        return self.inlines(token.children, with_mark(self.marks, STRUCK))

    def render_link(self, token: nodes.Link) -> list[Span]:
        """Return a link, or its inlines with the address behind them where Slack is to link nothing.

        No marks may stand in a link's text. Those that all of it stands in are put around the link, and so is code.
        """
        spans = self.inlines(token.children)
        text = "".join([span.text for span in spans])
        address = web_address(token.target)
        if address is None:
            return spans + _address_behind(text, token.target, self.marks)
        visible = [span for span in spans if span.text.strip()]
        shared = (
            tuple(mark for mark in visible[0].marks if all(mark in span.marks for span in visible))
            if visible
            else self.marks
        )
        is_code = bool(visible) and all(span.code for span in visible)
        return [Span(text, shared, code=is_code, address=address)]

    def render_auto_link(self, token: nodes.AutoLink) -> list[Span]:
        return [Span(token.content, self.marks, address=web_address(token.target))]

    def render_image(self, token: nodes.Image) -> list[Span]:
        """Return a link to an image, or its text where Slack could not follow; one that has none is shown by its address."""
        text = nodes.text_of(token)
        address = web_address(token.src)
        if address is None and not text and not is_data_url(token.src):
            text = f"({' '.join(token.src.split())})" if token.src else ""
        return [Span(text, self.marks, address=address)]

    def render_line_break(self, token: nodes.LineBreak) -> list[Span]:
        return [Span(" " if token.soft else "\n", self.marks)]

    def render_inline_html_element(self, token: nodes.HtmlElement) -> list[Span]:
        """Return the spans of an element among inlines."""
        if token.tag in _CODE_ELEMENTS and all(isinstance(child, nodes.RawText) for child in token.children):
            return [Span(nodes.text_of(token), self.marks, code=True)]
        mark = _MARKED_ELEMENTS.get(token.tag)
        inner = with_mark(self.marks, mark) if mark else self.marks
        spans: list[Span] = []
        for child in token.children:
            if is_block(child):
                # No parser puts a block here; whoever built the tree sees its text.
                spans.append(Span("\n".join(self.plain_text.blocks([child])), inner))
            else:
                spans.extend(self.inlines([child], inner))
        if token.tag in {"sub", "sup"}:
            write = lowered if token.tag == "sub" else raised
            return (
                [Span(write(nodes.text_of(token)), inner)]
                if all(isinstance(each, nodes.RawText) for each in token.children)
                else spans
            )
        return [Span("“", self.marks), *spans, Span("”", self.marks)] if token.tag == "q" else spans


def _length_problem(characters: int) -> str | None:
    if characters > MOST_CHARACTERS:
        return f"{characters:,} characters: Slack cuts messages off behind {MOST_CHARACTERS:,}; send it in parts"
    if characters > MESSAGE_CHARACTERS:
        return f"{characters:,} characters: Slack advises at most {MESSAGE_CHARACTERS:,} a message; send it in parts"
    if characters > TEXT_OBJECT_CHARACTERS:
        return f"{characters:,} characters: a text object holds {TEXT_OBJECT_CHARACTERS:,}; send it as a message's text"
    return None


def in_one_line(spans: Iterable[Span]) -> list[Span]:
    return [span._replace(text=span.text.replace("\n", " ")) if "\n" in span.text else span for span in spans]


def _is_text(token: nodes.Token) -> bool:
    """Tell whether what a token begins with may stand behind an item's mark."""
    if isinstance(token, nodes.HtmlElement) and is_block(token):
        return token.tag in {"div", "p", "summary"} and bool(token.children) and _is_text(token.children[0])
    return isinstance(token, nodes.Paragraph | nodes.Heading | nodes.SetextHeading) or not is_block(token)


def _address_behind(text: str, target: str, marks: Marks) -> list[Span]:
    if not target or target.startswith("#") or target in (text, f"mailto:{text}"):
        return []
    return [Span(f"{' ' if text else ''}({' '.join(target.split())})", marks)]


mrkdwn = SlackRenderer.mrkdwn
render = SlackRenderer.render
