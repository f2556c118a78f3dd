"""What a renderer has beside the document: the style, and where it leaves what is not text."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Literal

from mdpublish_core.document import BlockCode, CodeFence, Image, text_of
from mdpublish_core.highlighting import Piece, highlight
from mdpublish_core.media import Media, cid_url, data_url, picture_in
from mdpublish_core.notices import Notice, NoticeCode
from mdpublish_core.templates import Style
from mdpublish_core.templates.stylesheet import Rule, scoped_css
from mdpublish_core.urls import MadeUrl, is_safe_url

MediaUrl = Literal["cid:"] | Callable[[Media], str] | None
"""How output names a medium: by `cid:` and its content id, by what a function returns, or as its destination likes best."""


MOST_SLOW_BLOCKS = 3
"""Blocks of code in one document whose lexer used up its time; real documents have none. The code behind them stays plain, or a
text of nothing but such blocks would take seconds."""


@dataclass(frozen=True, slots=True)
class Picture:
    """An image as a destination shows it: its address (None where nothing can be shown but the text), its text, its title.

    `width` and `height` are pixels, or percentages that end in `%`, as the author wrote them or as the picture's own bytes
    tell; None where neither does.
    """

    src: str | None
    alt: str
    title: str
    width: str | None
    height: str | None


def join_css(css: str, overlay: tuple[Rule, ...], scope: str) -> str:
    """Return a stylesheet with a caller's own rules at its end, under the same class."""
    return f"{css}\n{scoped_css(overlay, scope)}" if overlay else css


@dataclass(slots=True)
class Setting:
    """One conversion's style and own stylesheet; `notices` and `media` are left by the renderer, in the document's order.

    `media` holds each medium that the output names once, by its content id.
    """

    style: Style
    media_url: MediaUrl = None
    overlay: tuple[Rule, ...] = ()
    trusted: bool = False
    notices: list[Notice] = field(default_factory=list)
    media: dict[str, Media] = field(default_factory=dict)
    slow_blocks: int = 0

    @property
    def css(self) -> str:
        """The stylesheet of a fragment: the template's, and then the caller's own, under the same class."""
        return join_css(self.style.css, self.overlay, self.style.scope)

    def trial(self) -> "Setting":
        """Return a setting for a rendering of which only the elements count: its notices and media are nobody's."""
        return replace(self, notices=[], media={}, slow_blocks=0)

    def notice(self, code: NoticeCode, message: str, line: int | None = None) -> None:
        """Tell the author something."""
        self.notices.append(Notice(code, message, line))

    def code(self, token: CodeFence | BlockCode) -> tuple[Piece, ...]:
        """Return a block of code in pieces by role; a notice says why it stays plain where its language is known."""
        if self.slow_blocks >= MOST_SLOW_BLOCKS:
            return ((None, token.content),) if token.content else ()
        highlighted = highlight(token.content, token.language)
        self.slow_blocks += highlighted.took_long
        if highlighted.problem:
            last = self.slow_blocks == MOST_SLOW_BLOCKS and highlighted.took_long
            more = "; all code behind it stays plain, too" if last else ""
            self.notice("highlighting", f"{highlighted.problem}{more}", token.line_number)
        return highlighted.pieces

    def picture(self, token: Image) -> Picture:
        """Return what to show for an image; one that the document carries in itself becomes a medium."""
        alt = text_of(token)
        width, height = token.width, token.height
        src = token.src if self.trusted or is_safe_url(token.src) else None
        if token.src[:5].lower() == "data:":
            media = picture_in(token.src, alt)
            src = self.address(media) if media else None
            if media and not width and not height and media.width and media.height:
                width, height = str(media.width), str(media.height)
        return Picture(src or None, alt, token.title, width or None, height or None)

    def address(self, media: Media) -> str:
        """Return the address of a medium, which the conversion then hands over beside its output."""
        self.media.setdefault(media.content_id, media)
        if callable(self.media_url):
            return MadeUrl(self.media_url(media))
        return cid_url(media) if self.media_url == "cid:" else data_url(media)
