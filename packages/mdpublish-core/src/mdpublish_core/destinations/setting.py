"""What a renderer has beside the document: the style, and where it leaves what is not text."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Literal

from mdpublish_core import nodes
from mdpublish_core.destinations.figures import ON_WHITE, Place, Size, described, shown_size, width_class
from mdpublish_core.figures.render import NO_FIGURES, FigureForm, MathForm, RenderedFigures, render_figures
from mdpublish_core.figures.request import FigureTheme, RenderedFigure
from mdpublish_core.highlighting import Piece, highlight
from mdpublish_core.limits import Limits
from mdpublish_core.media import Media, cid_url, data_url, made_picture, picture_in
from mdpublish_core.notices import Notice
from mdpublish_core.templates import Style, drawings_css
from mdpublish_core.templates.stylesheet import Rule, scoped_css
from mdpublish_core.urls import MadeUrl, is_safe_url

MediaUrl = Literal["cid:"] | Callable[[Media], str] | None
"""How output names a medium: by `cid:` and its content id, by what a function returns, or as its destination likes best."""

Source = nodes.CodeFence | nodes.BlockCode | nodes.Figure | nodes.MathBlock
"""What may be shown as code: a figure and a formula where they were not drawn."""

MOST_SLOW_BLOCKS = 3
"""Blocks of code in one document whose lexer used up its time; real documents have none. The code behind them stays plain, or a
text of nothing but such blocks would take seconds."""

# The least difference in px that is seen between the letters of a formula and those around it.
_LEAST_DIFFERENCE = 1.0


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


@dataclass(frozen=True, slots=True)
class MadeImage:
    """An image that stands for what was drawn: its token, its picture, and how far it goes below its line, in CSS pixels."""

    image: nodes.Image
    media: Media
    depth: float


def join_css(css: str, overlay: tuple[Rule, ...], scope: str) -> str:
    """Return a stylesheet with a caller's own rules at its end, under the same class."""
    return f"{css}\n{scoped_css(overlay, scope)}" if overlay else css


def drawings_for(
    document: nodes.Document,
    style: Style,
    *,
    figures: FigureForm,
    math: MathForm,
    limits: Limits,
    on_white: bool = False,
    has_text: bool = True,
) -> RenderedFigures:
    """Return the drawings of a document in a template's look, in the forms that a destination takes.

    With `on_white`, most of them stand on a page that is white. With `has_text`, a plain text is to be made as well, and so
    diagrams are drawn in letters, too.
    """
    if not document.drawings:
        return NO_FIGURES
    return render_figures(
        document,
        figures=figures,
        math=math,
        has_text=has_text,
        theme=ON_WHITE.look(style) if on_white else style.figure_theme,
        text_size=style.template.type.size,
        limits=limits,
    )


@dataclass(slots=True)
class Setting:
    """One conversion's style and own stylesheet; `notices` and `media` are left by the renderer, in the document's order.

    `media` holds each medium that the output names once, by its content id.
    """

    style: Style
    media_url: MediaUrl = None
    overlay: tuple[Rule, ...] = ()
    trusted: bool = False
    drawings: RenderedFigures = NO_FIGURES
    notices: list[Notice] = field(default_factory=list)
    media: dict[str, Media] = field(default_factory=dict)
    slow_blocks: int = 0
    made: dict[int, "MadeImage"] = field(default_factory=dict)

    @property
    def css(self) -> str:
        """The stylesheet of a fragment: the template's, and then the caller's own, under the same class."""
        return self.completed(self.style.css)

    def completed(self, css: str) -> str:
        """Return a stylesheet of the template's with the rules of what is drawn, and then the caller's own."""
        drawings, bound = self.drawings, (self.style.template, self.style.theme_mode)
        if drawings.figures:
            css = f"{css}\n{drawings_css(*bound, 'figures', self._figure_classes())}"
        if drawings.formulas:
            css = f"{css}\n{drawings_css(*bound, 'math', drawings.math_classes)}"
        return join_css(css, self.overlay, self.style.scope)

    def _figure_classes(self) -> frozenset[str]:
        shown = (
            shown_size(token, drawing).width for _, token, drawing in self.drawings.figures.values() if drawing.svg
        )
        # Most callouts have letters as the page has, and so need no rule for what is drawn in them.
        always = {"drawing", "callout"} if self.style.template.variants.callout == "inverse" else {"drawing"}
        if any(drawing.table for _, _, drawing in self.drawings.figures.values()):
            always |= {"data"}
        return frozenset(always.union(filter(None, map(width_class, shown))))

    def trial(self) -> "Setting":
        """Return a setting for a rendering of which only the elements count: its notices and media are nobody's."""
        return replace(self, notices=[], media={}, slow_blocks=0, made={})

    def notice(self, code: str, message: str, line: int | None = None) -> None:
        """Tell the author something."""
        self.notices.append(Notice(code, message, line))

    def code(self, token: Source) -> tuple[Piece, ...]:
        """Return code in pieces by role; a notice says why it stays plain where its language is known.

        A figure's source and a formula's have no roles.
        """
        if self.slow_blocks >= MOST_SLOW_BLOCKS or isinstance(token, nodes.Figure | nodes.MathBlock):
            return ((None, token.content),) if token.content else ()
        highlighted = highlight(token.content, token.language)
        self.slow_blocks += highlighted.took_long
        if highlighted.problem:
            last = self.slow_blocks == MOST_SLOW_BLOCKS and highlighted.took_long
            more = "; all code behind it stays plain, too" if last else ""
            self.notice("highlighting", f"{highlighted.problem}{more}", token.line_number)
        return highlighted.pieces

    def picture(self, token: nodes.Image) -> Picture:
        """Return what to show for an image; one that the document carries in itself becomes a medium."""
        alt = nodes.text_of(token)
        width, height = token.width, token.height
        made = self.made.get(id(token))
        if made:
            return Picture(self.address(made.media), alt, token.title, width, height)
        src = token.src if self.trusted or is_safe_url(token.src) else None
        if token.src[:5].lower() == "data:":
            media = picture_in(token.src, alt)
            src = self.address(media) if media else None
            if media and not width and not height and media.width and media.height:
                width, height = str(media.width), str(media.height)
        return Picture(src or None, alt, token.title, width or None, height or None)

    def figure_image(self, token: nodes.Figure, place: Place) -> nodes.Image | None:
        """Return an image of a diagram, for a renderer to write as any other; None where it was not drawn."""
        drawing = self._drawn_in(
            token, self.drawings.figure(token), place.look(self.style), self.style.template.type.size
        )
        if drawing is None or drawing.png is None:
            return None
        size = place.fitted(shown_size(token, drawing))
        return self._image(made_picture(drawing.png, size.width, size.height, described(token, drawing)))

    def formula_image(self, token: nodes.MathBlock | nodes.MathSpan, place: Place) -> nodes.Image | None:
        """Return an image of a formula, for a renderer to write as any other; None where it was not drawn."""
        formula, usual = self.drawings.formula(token), self.style.template.type.size
        text_size = place.text_size if abs(place.text_size - usual) >= _LEAST_DIFFERENCE else usual
        drawing = self._drawn_in(token, self.drawings.formula_image(token), place.formula_look(self.style), text_size)
        if drawing is None or drawing.png is None or formula is None:
            return None
        own = token.options.get("alt") if isinstance(token, nodes.MathBlock) else None
        alt = own or " ".join(formula.text().split())
        size = place.fitted(Size(drawing.width, drawing.height))
        depth = drawing.depth * size.width / drawing.width
        return self._image(made_picture(drawing.png, size.width, size.height, alt), depth)

    def _drawn_in(
        self,
        token: nodes.Figure | nodes.MathBlock | nodes.MathSpan,
        drawing: RenderedFigure | None,
        look: FigureTheme,
        text_size: float,
    ) -> RenderedFigure | None:
        """Return a drawing, drawn once more where its place asks for another look, and as it is where that cannot be."""
        rerender = self.drawings.rerender
        if drawing is None or rerender is None:
            return drawing
        if look == self.drawings.theme and text_size == self.style.template.type.size:
            return drawing
        return rerender(token, look, text_size) or drawing

    def depth_of(self, token: nodes.Image) -> float:
        """Return how far an image goes below the line of text that it stands in, in CSS pixels: formulas do."""
        made = self.made.get(id(token))
        return made.depth if made else 0.0

    def _image(self, media: Media, depth: float = 0.0) -> nodes.Image:
        image = nodes.Image("", [nodes.RawText(media.alt)], width=str(media.width), height=str(media.height))
        self.made[id(image)] = MadeImage(image, media, depth)
        return image

    def address(self, media: Media) -> str:
        """Return the address of a medium, which the conversion then hands over beside its output."""
        self.media.setdefault(media.content_id, media)
        if callable(self.media_url):
            return MadeUrl(self.media_url(media))
        return cid_url(media) if self.media_url == "cid:" else data_url(media)
