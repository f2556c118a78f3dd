"""State of one conversion.

What only some documents need, such as figures, embedded images and highlighting, is imported when used.
"""

from __future__ import annotations

from copy import copy
from functools import cached_property, partial
from typing import TYPE_CHECKING, NamedTuple

from mdpublish_core import nodes
from mdpublish_core.figures.results import NO_FIGURES
from mdpublish_core.notices import Notice, shorten
from mdpublish_core.resources.media_urls import cid_url, data_url
from mdpublish_core.resources.urls import TrustedUrl, is_safe_url
from mdpublish_core.strings.positions import NO_POSITIONS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from mdpublish_core.css.user_css_reading import UserStylesheet
    from mdpublish_core.figures.request import FigureTheme, RenderedFigure
    from mdpublish_core.figures.results import FigureForm, MathForm, RenderedFigures
    from mdpublish_core.figures.svg import CleanSvg
    from mdpublish_core.highlighting.highlighter import CodeSpan
    from mdpublish_core.options.limits import Limits
    from mdpublish_core.options.styles import PageWidth
    from mdpublish_core.resources.known_images import KnownImages
    from mdpublish_core.resources.media import Media, MediaUrl
    from mdpublish_core.strings.positions import Positions, Span
    from mdpublish_core.templates import Style
    from mdpublish_core.writers.embedding import Embedding
    from mdpublish_core.writers.figures.fitting import PageColumn
    from mdpublish_core.writers.figures.placement import Placement
    from mdpublish_core.writers.table_fit.page_tables import PageTable
    from mdpublish_core.writers.words import Words

CodeToken = nodes.CodeFence | nodes.BlockCode | nodes.Figure | nodes.MathBlock
"""Figures and formulas can be shown as code."""

MAX_SLOW_BLOCKS = 3
"""Later code isn't highlighted: a document full of timeouts would take seconds."""

_DRAWN = (nodes.Figure, nodes.MathBlock)

# Smallest visible difference between text sizes, in px.
_MIN_SIZE_DIFFERENCE = 1.0


class ResolvedImage(NamedTuple):
    """An image, or its alt text if `src` is None. `width` and `height` are pixels or percentages."""

    src: str | None
    alt: str
    title: str
    width: str | None
    height: str | None
    srcset: str = ""


class GeneratedImage(NamedTuple):
    """The image of a figure, `depth` px below the baseline; `svg` if the output takes both."""

    image: nodes.Image
    media: Media
    depth: float
    svg: CleanSvg | None = None


def render_figures_for(
    document: nodes.Document,
    style: Style | None,
    *,
    figure_form: FigureForm,
    math_form: MathForm,
    limits: Limits,
    on_white: bool = False,
    has_text: bool = True,
    has_svg: bool = False,
    column: PageColumn | None = None,
    user_css: UserStylesheet | None = None,
    max_output_bytes: int | None = None,
    write_unrendered: Callable[[RenderContext], object] | None = None,
) -> RenderedFigures:
    """Return the rendered figures of a document.

    `style` may be None if there are none. `has_text`: also as plain text; `has_svg`: also as SVG; `column`: for SVG;
    `write_unrendered` renders the document with figures that are not rendered yet, so that they say where they are.
    """
    if not document.figures_and_math:
        return NO_FIGURES
    assert style is not None
    from mdpublish_core.figures.render import render_figures
    from mdpublish_core.writers.figures.placement import ON_WHITE

    def write_with_context(unrendered: RenderedFigures) -> None:
        # Without the caller's function for URLs of images, which must be called once for each.
        context = RenderContext(
            style, "cid:", user_css, document.trusted, unrendered, max_output_bytes=max_output_bytes
        )
        if write_unrendered is not None:
            write_unrendered(context)

    theme = ON_WHITE.theme_for(style) if on_white else style.figure_theme
    figures = render_figures(
        document,
        figure_form=figure_form,
        math_form=math_form,
        has_text=has_text,
        has_svg=has_svg,
        theme=theme,
        dark_theme=style.dark_figure_theme,
        text_size=style.template.type.size,
        limits=limits,
        write_unrendered=None if write_unrendered is None else write_with_context,
    )
    if column is None:
        return figures
    from mdpublish_core.writers.figures.fitting import fit_page

    return fit_page(figures, theme, column)


class RenderContext:
    """State of one conversion; `media` by content id. Writers stop past `max_output_bytes`.

    `bound_style` is None if neither the destination nor a figure has one. `is_page`: a page of its own, whose colors
    differ on paper. `enlarges_figures`: figures shrink to any width, and open larger. `document` tells the language.
    """

    def __init__(
        self,
        bound_style: Style | None,
        media_url: MediaUrl = None,
        user_css: UserStylesheet | None = None,
        trusted: bool = False,
        figures: RenderedFigures = NO_FIGURES,
        *,
        max_output_bytes: int | None = None,
        positions: Positions = NO_POSITIONS,
        document: nodes.Document | None = None,
        chosen_lang: str | None = None,
        images: KnownImages | None = None,
        converts_images: bool = False,
        highlights: bool = True,
    ) -> None:
        self.bound_style = bound_style
        self.media_url: MediaUrl = media_url
        self.user_css = user_css
        self.trusted = trusted
        self.figures = figures
        self.max_output_bytes = max_output_bytes
        self.positions = positions
        self._document, self._chosen_lang = document, chosen_lang
        self._images, self._converts_images = images or {}, converts_images
        self._highlights = highlights
        self.page_width: PageWidth = "standard"
        self.is_page = self.enlarges_figures = False
        self.has_internal_link = False
        self.notices: list[Notice] = []
        # Forms in which nodes arrive by their id, of an output that knows them.
        self.replaced: Mapping[int, str] | None = None
        self.media: dict[str, Media] = {}
        self.slow_blocks = 0
        self.generated_images: dict[int, GeneratedImage] = {}
        self.formula_themes: dict[Placement, FigureTheme] = {}
        # Equal formulas in equal places share an image.
        self.formula_media: dict[tuple[object, ...], tuple[Media, float]] = {}
        # Tables of a page by the id of their token.
        self.page_tables: Mapping[int, PageTable] = {}

    @cached_property
    def embedding(self) -> Embedding:
        from mdpublish_core.writers.embedding import Embedding

        return Embedding(self._images, converts=self._converts_images)

    @cached_property
    def lang(self) -> str | None:
        """The language of the text; None if nothing tells it."""
        from mdpublish_core.writers.document_defaults import language_of

        return language_of(self._document, self._chosen_lang) if self._document else None

    @cached_property
    def words(self) -> Words:
        """The words that the output adds to the text."""
        from mdpublish_core.writers.words import ENGLISH, words_of

        return words_of(self._document, self._chosen_lang) if self._document else ENGLISH

    @property
    def style(self) -> Style:
        assert self.bound_style is not None
        return self.bound_style

    def heading_prefixes(self, document: nodes.Document) -> dict[int, str]:
        """Return what `number_headings` does; most templates have no prefixes."""
        if self.bound_style is None or self.bound_style.heading_marks == "none":
            return {}
        from mdpublish_core.writers.structure.heading_numbering import number_headings

        return number_headings(document, self.style)

    def complete_css(self, css: str, document: nodes.Document) -> str:
        """Append the rules of highlights, tabs, figures and user CSS."""
        from mdpublish_core.templates import figures_css, part_css, right_to_left_css, table_sizes_css
        from mdpublish_core.writers.structure.bidi import has_right_to_left

        figures, is_page = self.figures, self.is_page
        template_and_mode = self.style.template, self.style.page_theme_mode
        parts = {"highlights": document.has_highlights, "tabs": document.has_tabs, "labels": document.has_labels}
        for part, holds in parts.items():
            css = f"{css}\n{part_css(part, *template_and_mode, is_page=is_page)}" if holds else css
        if figures.figures:
            css = f"{css}\n{figures_css(*template_and_mode, 'figures', self._figure_classes(), is_page=is_page)}"
        if figures.formulas:
            css = f"{css}\n{figures_css(*template_and_mode, 'math', figures.math_classes, is_page=is_page)}"
        if tables := [table for table in self.page_tables.values() if not table.is_plain]:
            sizes = frozenset(table.fit.size for table in tables) - {0}
            forms = frozenset(table.phone_form for table in tables)
            css = f"{css}\n{table_sizes_css(*template_and_mode, sizes, forms)}"
            if is_page and document.cached(has_right_to_left):
                css = f"{css}\n{right_to_left_css(*template_and_mode)}"
        if figures.figures or figures.formulas:
            from mdpublish_core.writers.figures.modes import figure_modes_css

            if modes_css := figure_modes_css(figures, self.style):
                css = f"{css}\n{modes_css}"
        if self.user_css is None:
            return css
        from mdpublish_core.css.rules import scoped_css
        from mdpublish_core.css.user_css import browser_rules

        rules, left_out = browser_rules(self.user_css, self.style.page_theme_mode)
        self.report_left_out(left_out)
        return f"{css}\n{scoped_css(rules, self.style.scope)}" if rules else css

    def _figure_classes(self) -> frozenset[str]:
        from mdpublish_core.writers.figures.placement import display_size, width_class

        widths = (
            display_size(token, rendered).width for _, token, rendered in self.figures.figures.values() if rendered.svg
        )
        # Other callouts keep the text color.
        classes = {"drawing", "callout"} if self.style.template.variants.callout == "inverse" else {"drawing"}
        if self.figures.narrow:
            classes |= {"narrow"}
        if any(rendered.table for _, _, rendered in self.figures.figures.values()):
            classes |= {"data"}
        if self.enlarges_figures:
            return frozenset(classes | {"enlarge", "close"})
        return frozenset(classes.union(filter(None, map(width_class, widths))))

    def for_collector(self) -> RenderContext:
        """Return a context whose notices and media are discarded."""
        other = copy(self)
        other.notices, other.media, other.slow_blocks = [], {}, 0
        other.generated_images, other.formula_media = {}, {}
        return other

    def notice(self, code: str, message: str, line: int | None = None) -> None:
        self.notices.append(Notice(code, message, line))

    def report_left_out(self, message: str | None) -> None:
        """Add a notice of what the destination does not get of the user's stylesheet."""
        if message is not None:
            self.notice("stylesheet-left-out", message)

    def report_internal_link(self, url: str, span: Span | None, reason: str) -> None:
        """Add a notice of the first link that the destination can't lead to a place in the document."""
        if not self.has_internal_link:
            self.has_internal_link = True
            message = f"links within the document, such as that to {shorten(url)!r}, are shown as text: {reason}"
            self.notices.append(Notice("internal-link", message, *self.positions.of_span(span, None)))

    def highlight_code(self, token: CodeToken) -> tuple[CodeSpan, ...]:
        """Add a notice if highlighting failed."""
        if self.slow_blocks >= MAX_SLOW_BLOCKS or isinstance(token, _DRAWN):
            return ((None, token.content),) if token.content else ()
        from mdpublish_core.highlighting.highlighter import highlight

        highlighted = highlight(token.content, token.language, is_lexed=self._highlights)
        self.slow_blocks += highlighted.timed_out
        if highlighted.problem:
            is_last = self.slow_blocks == MAX_SLOW_BLOCKS and highlighted.timed_out
            suffix = "; later code is not highlighted either" if is_last else ""
            position = self.positions.of_fence(token.line_number)
            self.notices.append(Notice("code-not-highlighted", f"{highlighted.problem}{suffix}", *position))
        return highlighted.spans

    def resolve_image(self, token: nodes.Image) -> ResolvedImage:
        alt = nodes.text_content(token)
        width, height = token.width, token.height
        if generated := self.generated_images.get(id(token)):
            return ResolvedImage(self.url_for(generated.media), alt, token.title, width, height)
        src = token.src if self.trusted or is_safe_url(token.src) else None
        srcset = ""
        if known := self._images.get(token.src):
            from mdpublish_core.writers.embedding import shown_size

            width, height = shown_size(known, width, height)
            srcset = known.srcset
        if (known and known.content) or token.src[:5].lower() == "data:":
            media = self.embedding.media_of(token, alt)
            src, srcset = self.url_for(media) if media else None, ""
            if media and not width and not height and media.width and media.height:
                width, height = str(media.width), str(media.height)
        if srcset and src and known:
            srcset = f"{srcset}, {src} {known.width}w"
        return ResolvedImage(src or None, alt, token.title, width or None, height or None, srcset)

    def figure_image(self, token: nodes.Figure, placement: Placement) -> nodes.Image | None:
        from mdpublish_core.resources.media import image_from_png
        from mdpublish_core.writers.figures.fitting import fit
        from mdpublish_core.writers.figures.placement import alt_text_with_description, display_size

        rendered = self._rerender_for(
            token, self.figures.figure(token), placement.theme_for(self.style), self.style.template.type.size
        )
        if rendered is None or rendered.png is None:
            return None
        if rendered.can_transpose and self.figures.transpose is not None:
            transpose = partial(self.figures.transpose, token, placement.theme_for(self.style))
            rendered = fit(token, rendered, placement, transpose, self.notices.append)
        assert rendered.png, "rendered as a PNG"
        size = placement.fit(display_size(token, rendered))
        return self._add_generated_image(
            image_from_png(
                rendered.png, size.width, size.height, alt_text_with_description(token, rendered, self.words)
            ),
            svg=rendered.svg,
        )

    def formula_image(self, token: nodes.MathBlock | nodes.MathSpan, placement: Placement) -> nodes.Image | None:
        formula, rendered = self.figures.formula(token), self.figures.formula_image(token)
        if formula is None or rendered is None:
            return None
        from mdpublish_core.resources.media import image_from_png
        from mdpublish_core.writers.figures.placement import FigureSize

        author_alt = token.options.get("alt") if isinstance(token, nodes.MathBlock) else None
        key = (id(formula), id(rendered), placement, author_alt)
        if key not in self.formula_media:
            rendered = self._formula_in_place(token, rendered, placement)
            if rendered is None or rendered.png is None:
                return None
            alt = author_alt or formula.unicode_line()
            size = placement.fit(FigureSize(rendered.width, rendered.height))
            media = image_from_png(rendered.png, size.width, size.height, alt)
            self.formula_media[key] = media, rendered.depth * size.width / rendered.width
        return self._add_generated_image(*self.formula_media[key])

    def _formula_in_place(
        self, token: nodes.MathBlock | nodes.MathSpan, rendered: RenderedFigure, placement: Placement
    ) -> RenderedFigure | None:
        theme = self.formula_themes.get(placement)
        if theme is None:
            theme = self.formula_themes[placement] = placement.formula_theme_for(self.style)
        default_size = self.style.template.type.size
        is_default = abs(placement.text_size - default_size) < _MIN_SIZE_DIFFERENCE
        return self._rerender_for(token, rendered, theme, default_size if is_default else placement.text_size)

    def _rerender_for(
        self,
        token: nodes.Figure | nodes.MathBlock | nodes.MathSpan,
        rendered: RenderedFigure | None,
        theme: FigureTheme,
        text_size: float,
    ) -> RenderedFigure | None:
        """Render again if the placement needs another theme or size."""
        rerender = self.figures.rerender
        if rendered is None or rerender is None:
            return rendered
        if self.figures.drawn.get(id(token)) == (theme, text_size):
            return rendered
        from mdpublish_core.figures.render import stalled_notice
        from mdpublish_core.figures.request import FailedFigure, RenderedFigure

        result = rerender(token, theme, text_size)
        if isinstance(result, FailedFigure) and result.is_stalled:
            self.notices.append(stalled_notice(token, nodes.line_of(token), result))
        return result if isinstance(result, RenderedFigure) else rendered

    def baseline_depth(self, token: nodes.Image) -> float:
        """Return how far an image extends below the baseline, in px."""
        generated = self.generated_images.get(id(token))
        return generated.depth if generated else 0.0

    def _add_generated_image(self, media: Media, depth: float = 0.0, svg: CleanSvg | None = None) -> nodes.Image:
        image = nodes.Image("", [nodes.RawText(media.alt)], width=str(media.width), height=str(media.height))
        self.generated_images[id(image)] = GeneratedImage(image, media, depth, svg)
        return image

    def url_for(self, media: Media) -> str:
        """Register a medium and return its URL."""
        self.media.setdefault(media.content_id, media)
        if callable(self.media_url):
            return TrustedUrl(self.media_url(media))
        return cid_url(media) if self.media_url == "cid:" else data_url(media)
