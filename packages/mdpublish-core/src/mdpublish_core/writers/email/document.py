"""The email around the text; conditional comments give Outlook, which ignores `max-width`, a table of fixed width."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from mdpublish_core import nodes
from mdpublish_core.figures.results import NO_FIGURES, RenderedFigures
from mdpublish_core.html import HtmlWriter
from mdpublish_core.templates import Style
from mdpublish_core.writers.email.head import FRAME_CLASS, write_head
from mdpublish_core.writers.email.layout import LAYOUT_ATTRIBUTES, EmailLayout
from mdpublish_core.writers.email.styles import EmailStyle
from mdpublish_core.writers.plain_text import plain_text_of
from mdpublish_core.writers.plain_text.marks import STRUCK, mark_lines

MAX_PREHEADER_CHARACTERS = 100
"""Inboxes show no more."""

MAX_TEXT_WIDTH = 700
"""Reading panes are narrower, in px."""

_PADDING = "32px 20px"

_CONTENT_TOKENS = (
    nodes.RawText,
    nodes.InlineCode,
    nodes.AutoLink,
    nodes.MathSpan,
    nodes.CodeFence,
    nodes.BlockCode,
    nodes.MathBlock,
    nodes.Figure,
)

_MAX_LEADING_TOKENS = 1_000


def content_width(style: Style) -> int:
    """Return the width of the text in px."""
    type_ = style.template.type
    return min(MAX_TEXT_WIDTH, round((type_.email_measure or type_.measure) * type_.size))


def start_document(
    writer: HtmlWriter, renderer: EmailLayout, document: nodes.Document, style: EmailStyle, stylesheet: str
) -> None:
    """Write what is around the text once the text is written: the head has the rules that it shares."""
    shared = renderer.shared
    background = style.computed.get("background-color")
    language_attributes = (("lang", renderer.context.lang), ("dir", renderer.mail_direction))
    writer.doctype()
    writer.start_line("html", (*language_attributes, ("xmlns:o", "urn:schemas-microsoft-com:office:office")))
    word_css = shared.word_css(style, has_labels=renderer.has_labels)
    write_head(
        writer,
        document.title or renderer.context.words["untitled"],
        renderer.context.style,
        shared.css(stylesheet),
        word_css,
    )
    writer.start_styled("body", (("style", f"margin:0;background-color:{background}"),))
    writer.line()
    _write_preheader(writer, build_preheader(document, renderer.context.figures))
    # Some clients drop `html` and `body`.
    ground = (("bgcolor", background), ("style", f"background-color:{background}"))
    writer.start_styled("table", (*LAYOUT_ATTRIBUTES, *language_attributes, *ground))
    writer.start("tr")
    writer.start_styled("td", (("class", FRAME_CLASS), ("style", f"padding:{_PADDING}")))
    writer.line()
    writer.start_conditional("mso")
    width = (("width", renderer.width), ("cellpadding", 0), ("cellspacing", 0), ("align", "center"))
    writer.start_styled("table", (("role", "presentation"), *width))
    writer.start("tr")
    writer.start("td")
    writer.end_conditional()
    writer.line()
    max_width = (("align", "center"), ("style", f"max-width:{renderer.width}px"))
    writer.start_styled("table", (*LAYOUT_ATTRIBUTES, *max_width))
    writer.start("tr")
    writer.start_styled("td", (("style", style.font_style),))
    writer.line()


def end_document(writer: HtmlWriter) -> None:
    writer.line()
    _end_elements(writer, "td", "tr", "table")
    writer.start_conditional("mso")
    _end_elements(writer, "td", "tr", "table")
    writer.end_conditional()
    writer.line()
    _end_elements(writer, "td", "tr", "table")
    _end_elements(writer, "body", "html")


def _end_elements(writer: HtmlWriter, *tags: str) -> None:
    for _ in tags:
        writer.end()
    writer.line()


def _write_preheader(writer: HtmlWriter, preheader: str) -> None:
    if preheader:
        writer.element_line("div", preheader, (("style", "display:none;mso-hide:all"),))


def build_preheader(document: nodes.Document, figures: RenderedFigures = NO_FIGURES) -> str:
    """Return the first paragraph with text, else all text; formulas in Unicode."""
    paragraphs = (token.children or () for token in _leading_tokens(document) if _is_paragraph(token))
    candidates = ("".join(_inline_contents(children, figures)) for children in paragraphs)
    preheader = next((preheader for preheader in candidates if any(map(str.isalnum, preheader))), "")
    preheader = preheader or " ".join(
        token.content for token in _leading_tokens(document) if isinstance(token, _CONTENT_TOKENS)
    )
    return _truncate(" ".join((preheader.strip() or plain_text_of(document, figures)).split()))


def _leading_tokens(document: nodes.Document) -> Iterable[nodes.Token]:
    return islice(nodes.walk(document), _MAX_LEADING_TOKENS)


def _is_paragraph(token: nodes.Token) -> bool:
    return isinstance(token, nodes.Paragraph) or (isinstance(token, nodes.HtmlElement) and token.tag == "p")


def _inline_contents(tokens: Sequence[nodes.Token], figures: RenderedFigures) -> Iterator[str]:
    for token in tokens:
        if isinstance(token, nodes.MathSpan) and (formula := figures.formula(token)) is not None:
            yield formula.unicode_line()
        elif isinstance(token, _CONTENT_TOKENS):
            yield token.content
        elif isinstance(token, nodes.LineBreak):
            yield " "
        elif isinstance(token, nodes.Strikethrough):
            yield mark_lines("".join(_inline_contents(token.children, figures)), STRUCK)
        elif not isinstance(token, nodes.Image):
            yield from _inline_contents(token.children or (), figures)


def _truncate(preheader: str) -> str:
    if len(preheader) <= MAX_PREHEADER_CHARACTERS:
        return preheader
    cut = preheader[: MAX_PREHEADER_CHARACTERS - 1]
    return f"{cut.rpartition(' ')[0] or cut}…"
