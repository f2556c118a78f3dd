"""Dark themes on white pages: the page gets the light styles, painted cells the dark ones.

For readers in which pasting doesn't change the page's color. Painted lines would leave white stripes.
"""

from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TypeVar

from mdpublish_core.css.matcher import StyleFactory, Styles
from mdpublish_core.templates.style import Reader, bind
from mdpublish_core.writers.context import RenderContext
from mdpublish_core.writers.styled.stylesheets import (
    compile_stylesheet,
    compile_user_stylesheet,
    render_inline_styles,
    user_cursors,
)

T = TypeVar("T", bound=Hashable)
Output = TypeVar("Output")

_UNPAINTED = nullcontext()


class DarkModeStyles(Styles[T]):
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

    def visit(self, element: str, *, last: bool = False) -> T:
        page_style, cell_style = (
            self._page_styles.visit(element, last=last),
            self._cell_styles.visit(element, last=last),
        )
        return cell_style if self.cell_depth else page_style

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


def render_on_white(
    context: RenderContext,
    reader: Reader,
    make_style: StyleFactory[T],
    write: Callable[[RenderContext, Styles[T]], Output],
) -> Output:
    """Call `write` with a cursor over the rules of the template, or with both of a dark theme."""
    if context.style.theme_mode != "dark":
        return render_inline_styles(context, reader, make_style, write)
    styles = (bind(context.style.template, "light"), context.style)
    if (user_css := context.user_css) is None:
        stylesheets = [compile_stylesheet(style, reader, make_style) for style in styles]
        return write(context, DarkModeStyles(*(stylesheet.cursor() for stylesheet in stylesheets)))
    sheets = [compile_user_stylesheet(style, reader, user_css, make_style) for style in styles]
    cursors = user_cursors(context, sheets, lambda context, cursors: write(context, DarkModeStyles(*cursors)))
    return write(context, DarkModeStyles(*cursors))
