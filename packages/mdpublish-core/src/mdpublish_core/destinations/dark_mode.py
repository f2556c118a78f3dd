"""Dark themes on white pages: the page gets the light styles, painted cells the dark ones.

For readers in which pasting doesn't change the page's color. Painted line by line, their pages would have white stripes.
"""

from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Generic, TypeVar

from mdpublish_core.destinations.context import RenderContext
from mdpublish_core.destinations.inline_style import compile_stylesheet
from mdpublish_core.templates.inlining import Collector, Inliner
from mdpublish_core.templates.matcher import StyleFactory, Styles
from mdpublish_core.templates.style import Reader, bind, rules_for

T = TypeVar("T", bound=Hashable)

_UNPAINTED = nullcontext()


class DarkModeStyles(Generic[T]):
    """Moves two cursors in parallel."""

    def __init__(self, page_styles: Styles[T], cell_styles: Styles[T]) -> None:
        self._page_styles = page_styles
        self._cell_styles = cell_styles
        self.cell_depth = 0

    def enter(self, element: str, *, last: bool = False, attributes: Mapping[str, str] | None = None) -> T:
        page_style = self._page_styles.enter(element, last=last, attributes=attributes)
        cell_style = self._cell_styles.enter(element, last=last, attributes=attributes)
        return cell_style if self.cell_depth else page_style

    def leave(self) -> None:
        self._page_styles.leave()
        self._cell_styles.leave()

    @property
    def current(self) -> T:
        return (self._cell_styles if self.cell_depth else self._page_styles).current

    @contextmanager
    def painted_cell(self) -> Iterator[None]:
        self.cell_depth += 1
        yield
        self.cell_depth -= 1


def painted_cell(styles: Styles[T]) -> AbstractContextManager[None]:
    """Use the dark styles inside."""
    return styles.painted_cell() if isinstance(styles, DarkModeStyles) else _UNPAINTED


def render_dark_mode(
    context: RenderContext,
    reader: Reader,
    make_style: StyleFactory[T],
    write: Callable[[RenderContext, Styles[T]], str],
) -> str:
    styles = (bind(context.style.template, "light"), context.style)
    page_stylesheet, cell_stylesheet = (compile_stylesheet(style, reader, make_style) for style in styles)
    if not context.user_rules:
        return write(context, DarkModeStyles(page_stylesheet.cursor(), cell_stylesheet.cursor()))
    collectors = Collector(page_stylesheet), Collector(cell_stylesheet)
    write(context.for_collector(), DarkModeStyles(*collectors))
    inliners = (
        Inliner(collector, rules_for(style.template, style.theme_mode, reader), context.user_rules, make_style)
        for collector, style in zip(collectors, styles, strict=True)
    )
    return write(context, DarkModeStyles(*inliners))
