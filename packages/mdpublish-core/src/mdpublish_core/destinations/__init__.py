"""Destinations: one module each, and the table that names them.

A destination is a renderer (`renderer`), and `render` in the module that has its name. To add one, write its module and add
its line: nothing else knows its name. A module is loaded when its destination is first used, since most conversions, and
every command, want one of them.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import cast

from mdpublish_core import nodes
from mdpublish_core.destinations.setting import MediaUrl, Setting, drawings_for
from mdpublish_core.errors import LimitExceeded, UnknownDestination
from mdpublish_core.figures.render import FigureForm, MathForm
from mdpublish_core.notices import Notice, shortened
from mdpublish_core.templates.style import ThemeMode
from mdpublish_core.urls import has_scheme

__all__ = [
    "DESTINATIONS",
    "Destination",
    "MediaUrl",
    "Setting",
    "check_depth",
    "drawings_for",
    "get_destination",
    "notices_of",
]


@dataclass(frozen=True, slots=True)
class Destination:
    """Where the output goes: its name, and what it gets.

    `figures` and `math` say in which form diagrams and formulas stand there.
    `travels` says whether the output is read away from the document's folder, where its relative addresses lead nowhere.
    `passes_html` says whether raw HTML of a trusted author passes; elsewhere it is shown as text.
    `is_text` says whether the output is text, in which no picture can stand.
    `white_in` names the theme modes in which its pages are white whatever the template says: for them pictures are drawn.
    `attaches` says whether media travel beside the output unless the caller wants them otherwise, as in a mail.
    """

    name: str
    summary: str
    figures: FigureForm
    math: MathForm
    travels: bool = True
    passes_html: bool = True
    is_text: bool = False
    white_in: tuple[ThemeMode, ...] = ()
    attaches: bool = False

    @property
    def embeds(self) -> bool:
        """Whether a picture in a file is seen only where the output holds it."""
        return self.travels and not self.is_text

    @property
    def render(self) -> Callable[[nodes.Document, Setting], str]:
        """Its module's `render`, which returns a document as text of this destination."""
        module = import_module(f"{__name__}.{self.name.replace('-', '_')}")
        return cast("Callable[[nodes.Document, Setting], str]", module.render)


_DESTINATIONS = (
    Destination(
        "google-docs",
        "what Google Docs itself puts on the clipboard, to be pasted there",
        figures="png",
        math="png",
        passes_html=False,
        white_in=("light", "dark"),
    ),
    Destination(
        "word",
        "a document in Word's own dialect of HTML, to be pasted into Word or opened there",
        figures="png",
        math="omml",
    ),
    Destination(
        "slack",
        "the text of a message in Slack's mrkdwn",
        figures="text",
        math="text",
        passes_html=False,
        is_text=True,
    ),
    Destination(
        "onenote",
        "a page in the HTML that Microsoft Graph takes for OneNote",
        figures="png",
        math="png",
        passes_html=False,
        white_in=("light",),
    ),
    Destination(
        "email", "a whole mail for every client, styled where it is needed", figures="png", math="png", attaches=True
    ),
    Destination(
        "plain-text",
        "text that keeps the document's structure",
        figures="text",
        math="text",
        travels=False,
        passes_html=False,
        is_text=True,
    ),
    Destination(
        "generic", "a semantic HTML fragment with the template's CSS", figures="svg", math="mathml", travels=False
    ),
    Destination(
        "html",
        "HTML as CommonMark's and GFM's references print it, unstyled",
        figures="source",
        math="source",
        travels=False,
    ),
)

DESTINATIONS = {destination.name: destination for destination in _DESTINATIONS}


def get_destination(name: str) -> Destination:
    """Return the destination of this name; raises `UnknownDestination` where there is none."""
    try:
        return DESTINATIONS[name]
    except KeyError:
        raise UnknownDestination(name, tuple(DESTINATIONS)) from None


def check_depth(document: nodes.Document, levels: int) -> None:
    """Raise `LimitExceeded` where a tree has more than `levels` below its root: renderers recurse once a level."""
    generation: list[nodes.Token] = [document]
    depth = -1
    while generation:
        depth += 1
        if depth > levels:
            raise LimitExceeded("nesting", levels, depth)
        generation = [child for token in generation for child in nodes.children_of(token)]


def notices_of(document: nodes.Document, destination: Destination) -> Iterator[Notice]:
    """Yield what any destination of this kind has to tell a document's author."""
    if destination.travels:
        yield from _left_behind(document)
    if document.trusted and not destination.passes_html:
        yield from _raw_html(document)


def _left_behind(document: nodes.Document) -> Iterator[Notice]:
    """Yield a notice on pictures whose addresses are relative: nobody finds them from a mail or a paste."""
    left = [image.src for image in document.pictures if image.src and not has_scheme(image.src)]
    if left:
        number = (
            f"{len(left)} pictures have relative addresses" if len(left) > 1 else "a picture has a relative address"
        )
        yield Notice("picture", f"{number}, {shortened(left[0])!r}: readers see the text that stands for it")


def _raw_html(document: nodes.Document) -> Iterator[Notice]:
    """Yield a notice on raw HTML, at its first block or without a line."""
    raw = [token for token in nodes.walk(document) if isinstance(token, nodes.HtmlBlock | nodes.HtmlSpan)]
    if raw:
        line = next((token.line_number for token in raw if isinstance(token, nodes.HtmlBlock)), None)
        yield Notice("raw_html", "raw HTML is shown as text here", line)
