"""What is around the text of a mail: the preheader, and the tables that give the text its width in every client.

Outlook for Windows knows no greatest width; it has a table of its own around the others', in comments that it alone
reads.
"""

from collections.abc import Iterator, Sequence
from itertools import islice

from mdpublish_core import nodes
from mdpublish_core.destinations.directions import Direction, first_direction
from mdpublish_core.destinations.email.head import FRAME, Head, write_head
from mdpublish_core.destinations.email.look import Look
from mdpublish_core.destinations.email.rendering import LAYOUT, Rendering
from mdpublish_core.destinations.plain_text import plain_text
from mdpublish_core.html import HtmlWriter
from mdpublish_core.templates import Style

UNTITLED = "Untitled"

LANGUAGE = "en"
"""Of the mail, since no document says its own."""

LONGEST_PREHEADER = 100
"""In characters: more is not shown beside a subject in a list of mails."""

WIDEST_TEXT = 700
"""In px: reading panes have no room for wider text."""

# Around the text, in px, where the screen is not narrow.
_PADDING = "32px 20px"

# The tokens that have a text of their own.
_WITH_TEXT = (
    nodes.RawText,
    nodes.InlineCode,
    nodes.AutoLink,
    nodes.MathSpan,
    nodes.CodeFence,
    nodes.BlockCode,
    nodes.MathBlock,
    nodes.Figure,
)

# Tokens in which a document's direction and a text for its preheader are looked for.
_BEGINNING = 1_000


def direction_of_document(document: nodes.Document) -> Direction:
    """Return the direction that a document is read in."""
    return first_direction(islice(nodes.walk(document), _BEGINNING)) or "ltr"


def text_width(style: Style) -> int:
    """Return how wide the template's text is, in px."""
    return min(WIDEST_TEXT, round(style.template.type.measure * style.template.type.size))


def open_frame(rendering: Rendering, document: nodes.Document, look: Look, head: Head) -> None:
    """Write what is before the text, of which `look` is the look."""
    writer = rendering.writer
    ground = look.computed.get("background-color")
    said = (("lang", LANGUAGE), ("dir", rendering.direction))
    writer.doctype()
    writer.start("html", (*said, ("xmlns:o", "urn:schemas-microsoft-com:office:office")))
    writer.line()
    write_head(writer, document.title or UNTITLED, rendering.setting.style, head)
    writer.start("body", (("style", f"margin:0;background-color:{ground}"),))
    writer.line()
    _write_preheader(writer, preheader(document))
    # Some clients keep neither html nor body: the outer table says again what they say.
    writer.start("table", (*LAYOUT, *said, ("bgcolor", ground), ("style", f"background-color:{ground}")))
    writer.start("tr")
    writer.start("td", (("class", FRAME), ("style", f"padding:{_PADDING}")))
    writer.line()
    writer.start_conditional("mso")
    width = (("width", rendering.width), ("cellpadding", 0), ("cellspacing", 0), ("align", "center"))
    writer.start("table", (("role", "presentation"), *width))
    writer.start("tr")
    writer.start("td")
    writer.end_conditional()
    writer.line()
    writer.start("table", (*LAYOUT, ("align", "center"), ("style", f"max-width:{rendering.width}px")))
    writer.start("tr")
    writer.start("td", (("style", look.font),))
    writer.line()


def close_frame(writer: HtmlWriter) -> None:
    """Write what is behind the text."""
    writer.line()
    _end(writer, "td", "tr", "table")
    writer.start_conditional("mso")
    _end(writer, "td", "tr", "table")
    writer.end_conditional()
    writer.line()
    _end(writer, "td", "tr", "table")
    _end(writer, "body", "html")


def _end(writer: HtmlWriter, *tags: str) -> None:
    for _ in tags:
        writer.end()
    writer.line()


def _write_preheader(writer: HtmlWriter, text: str) -> None:
    """Write what a list of mails shows beside the subject, and the mail itself does not show."""
    if text:
        writer.start("div", (("style", "display:none;mso-hide:all"),))
        writer.text(text)
        writer.end()
        writer.line()


def preheader(document: nodes.Document) -> str:
    """Return the beginning of the first paragraph that has a text, or else of all texts, or of what else there is."""
    beginning = list(islice(nodes.walk(document), _BEGINNING))
    paragraphs = (token.children or () for token in beginning if _is_paragraph(token))
    texts = ("".join(_texts(children)) for children in paragraphs)
    text = next((text for text in texts if any(map(str.isalnum, text))), "")
    text = text or " ".join(token.content for token in beginning if isinstance(token, _WITH_TEXT))
    return _shortened(" ".join((text.strip() or document.once(plain_text)).split()))


def _is_paragraph(token: nodes.Token) -> bool:
    return isinstance(token, nodes.Paragraph) or (isinstance(token, nodes.HtmlElement) and token.tag == "p")


def _texts(tokens: Sequence[nodes.Token]) -> Iterator[str]:
    """Yield the texts of inlines, without those of pictures and the numbers of footnotes."""
    for token in tokens:
        if isinstance(token, _WITH_TEXT):
            yield token.content
        elif isinstance(token, nodes.LineBreak):
            yield " "
        elif not isinstance(token, nodes.Image):
            yield from _texts(token.children or ())


def _shortened(text: str) -> str:
    if len(text) <= LONGEST_PREHEADER:
        return text
    cut = text[: LONGEST_PREHEADER - 1]
    return f"{cut.rpartition(' ')[0] or cut}…"
