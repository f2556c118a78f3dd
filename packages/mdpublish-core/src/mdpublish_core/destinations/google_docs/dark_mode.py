"""Dark themes: the white page gets the light styles, painted cells the dark ones."""

from collections.abc import Callable, Mapping

from mdpublish_core.destinations.context import RenderContext
from mdpublish_core.destinations.google_docs.styles import ComputedStyle, style_factory
from mdpublish_core.destinations.inline_style import compile_stylesheet
from mdpublish_core.templates.inlining import Collector, Inliner
from mdpublish_core.templates.matcher import Styles
from mdpublish_core.templates.style import bind, rules_for


class DarkModeStyles:
    """Moves two cursors in parallel."""

    def __init__(self, page_styles: Styles[ComputedStyle], cell_styles: Styles[ComputedStyle]) -> None:
        self._page_styles = page_styles
        self._cell_styles = cell_styles
        self.cell_depth = 0

    def enter(self, element: str, *, last: bool = False, attributes: Mapping[str, str] | None = None) -> ComputedStyle:
        page_style = self._page_styles.enter(element, last=last, attributes=attributes)
        cell_style = self._cell_styles.enter(element, last=last, attributes=attributes)
        return cell_style if self.cell_depth else page_style

    def leave(self) -> None:
        self._page_styles.leave()
        self._cell_styles.leave()

    @property
    def current(self) -> ComputedStyle:
        return (self._cell_styles if self.cell_depth else self._page_styles).current


def render_dark_mode(context: RenderContext, write: Callable[[RenderContext, Styles[ComputedStyle]], str]) -> str:
    make_style = style_factory(context.style.template.fonts)
    styles = (bind(context.style.template, "light"), context.style)
    page_stylesheet, cell_stylesheet = (compile_stylesheet(style, "docs", make_style) for style in styles)
    if not context.user_rules:
        return write(context, DarkModeStyles(page_stylesheet.cursor(), cell_stylesheet.cursor()))
    collectors = Collector(page_stylesheet), Collector(cell_stylesheet)
    write(context.for_collector(), DarkModeStyles(*collectors))
    inliners = (
        Inliner(collector, rules_for(style.template, style.theme_mode, "docs"), context.user_rules, make_style)
        for collector, style in zip(collectors, styles, strict=True)
    )
    return write(context, DarkModeStyles(*inliners))
