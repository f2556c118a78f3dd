"""A dark theme on a page that stays white: there a template's light colours hold, in painted cells its dark ones."""

from collections.abc import Callable, Mapping

from mdpublish_core.destinations.context import RenderContext
from mdpublish_core.destinations.google_docs.styles import ComputedStyle, style_factory
from mdpublish_core.destinations.inline_style import compile_stylesheet
from mdpublish_core.templates.inlining import Collector, Inliner
from mdpublish_core.templates.matcher import Styles
from mdpublish_core.templates.style import bind, rules_for


class DarkModeStyles:
    """Two cursors that go the same way; `cell_depth` tells how many painted cells are open."""

    def __init__(self, page_styles: Styles[ComputedStyle], cell_styles: Styles[ComputedStyle]) -> None:
        self._page_styles = page_styles
        self._cell_styles = cell_styles
        self.cell_depth = 0

    def enter(self, element: str, *, last: bool = False, attributes: Mapping[str, str] | None = None) -> ComputedStyle:
        """Open an element, and return what it looks like where it stands."""
        page_style = self._page_styles.enter(element, last=last, attributes=attributes)
        cell_style = self._cell_styles.enter(element, last=last, attributes=attributes)
        return cell_style if self.cell_depth else page_style

    def leave(self) -> None:
        """Close the innermost open element."""
        self._page_styles.leave()
        self._cell_styles.leave()

    @property
    def current(self) -> ComputedStyle:
        """What the innermost open element looks like."""
        return (self._cell_styles if self.cell_depth else self._page_styles).current


def render_dark_mode(context: RenderContext, write: Callable[[RenderContext, Styles[ComputedStyle]], str]) -> str:
    """Return what `write` makes of both of a template's styles, as `render_inline_styles` does for one."""
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
