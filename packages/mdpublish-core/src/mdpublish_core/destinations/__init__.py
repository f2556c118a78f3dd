"""Registry of destinations, each a module with a `render` function."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import cast

from mdpublish_core import nodes
from mdpublish_core.destinations.context import MediaUrl, RenderContext, render_figures_for
from mdpublish_core.errors import LimitExceeded, UnknownDestination
from mdpublish_core.figures.render import FigureForm, MathForm
from mdpublish_core.notices import Notice, shorten
from mdpublish_core.positions import Place
from mdpublish_core.resources.urls import has_scheme
from mdpublish_core.templates.style import ThemeMode

__all__ = [
    "DESTINATIONS",
    "Destination",
    "MediaUrl",
    "RenderContext",
    "check_depth",
    "destination_notices",
    "get_destination",
    "render_figures_for",
]


@dataclass(frozen=True, slots=True)
class Destination:
    """A destination and its capabilities.

    `is_standalone`: read away from the document's folder, so relative URLs don't resolve. `allows_raw_html`: raw HTML
    of trusted authors isn't shown as text. `white_page_modes`: theme modes in which figures are rendered for a white
    page. `attaches_media`: by default, as in an email.
    """

    name: str
    summary: str
    figure_form: FigureForm
    math_form: MathForm
    is_standalone: bool = True
    allows_raw_html: bool = True
    is_text: bool = False
    white_page_modes: tuple[ThemeMode, ...] = ()
    attaches_media: bool = False

    @property
    def embeds_images(self) -> bool:
        return self.is_standalone and not self.is_text

    @property
    def render(self) -> Callable[[nodes.Document, RenderContext], str]:
        module = import_module(f"{__name__}.{self.name.replace('-', '_')}")
        return cast("Callable[[nodes.Document, RenderContext], str]", module.render)


_DESTINATIONS = (
    Destination(
        "google-docs",
        "the HTML that Google Docs puts on the clipboard, for pasting",
        figure_form="png",
        math_form="styled",
        allows_raw_html=False,
        white_page_modes=("light", "dark"),
    ),
    Destination(
        "word",
        "a document in Word's HTML dialect, for pasting or opening",
        figure_form="png",
        math_form="omml",
        white_page_modes=("dark",),
    ),
    Destination(
        "slack",
        "a Slack message in mrkdwn",
        figure_form="text",
        math_form="text",
        allows_raw_html=False,
        is_text=True,
    ),
    Destination(
        "onenote",
        "a OneNote page in the HTML that Microsoft Graph accepts",
        figure_form="png",
        math_form="styled",
        allows_raw_html=False,
        white_page_modes=("light",),
    ),
    Destination(
        "email",
        "a complete HTML email for all major clients",
        figure_form="png",
        math_form="styled",
        attaches_media=True,
    ),
    Destination(
        "plain-text",
        "plain text that keeps the document's structure",
        figure_form="text",
        math_form="text",
        is_standalone=False,
        allows_raw_html=False,
        is_text=True,
    ),
    Destination(
        "generic",
        "a semantic HTML fragment with the template's CSS",
        figure_form="svg",
        math_form="mathml",
        is_standalone=False,
    ),
    Destination(
        "html",
        "unstyled HTML as in the CommonMark and GFM reference implementations",
        figure_form="source",
        math_form="source",
        is_standalone=False,
    ),
)

DESTINATIONS = {destination.name: destination for destination in _DESTINATIONS}


def get_destination(name: str) -> Destination:
    try:
        return DESTINATIONS[name]
    except KeyError:
        raise UnknownDestination(name, tuple(DESTINATIONS)) from None


def check_depth(document: nodes.Document, levels: int) -> None:
    """Raise `LimitExceeded` if a tree is too deep: renderers recurse."""
    level_tokens: list[nodes.Token] = [document]
    depth = -1
    while level_tokens:
        depth += 1
        if depth > levels:
            raise LimitExceeded("max_depth", levels, depth)
        level_tokens = [child for token in level_tokens for child in nodes.children_of(token)]


def destination_notices(document: nodes.Document, destination: Destination) -> Iterator[Notice]:
    if destination.is_standalone:
        yield from _relative_image_notices(document)
    if document.trusted and not destination.allows_raw_html:
        yield from _raw_html_notices(document)


def _relative_image_notices(document: nodes.Document) -> Iterator[Notice]:
    relative = [image for image in document.images if image.src and not has_scheme(image.src)]
    if relative:
        number = f"{len(relative)} images have relative URLs" if len(relative) > 1 else "an image has a relative URL"
        message = f"{number}, {shorten(relative[0].src)!r}: readers see the alt text"
        yield Notice("missing-image", message, *document.positions.of_span(relative[0].span, None))


def _raw_html_notices(document: nodes.Document) -> Iterator[Notice]:
    html = next((token for token in nodes.walk(document) if isinstance(token, nodes.HtmlBlock | nodes.HtmlSpan)), None)
    if html:
        place = (
            document.positions.of_span(html.span, None) if isinstance(html, nodes.HtmlSpan) else Place(html.line_number)
        )
        yield Notice("unsupported-html", "raw HTML is not supported by this destination; it is shown as text", *place)
