"""The styles of elements, for writers with inline styles.

A cursor over the template's rules moves along `generic`'s markup (`blockquote`, `div.callout.note`), whatever is
actually written, so one stylesheet serves every destination. On white pages of a dark theme, the page gets the light
styles, and painted cells the dark ones: pasting doesn't change the page's color, and painted lines would leave white
stripes.
"""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import lru_cache
from typing import TYPE_CHECKING, TypeVar

from mdpublish_core.css.matcher import CompiledStylesheet, StyleFactory, Styles
from mdpublish_core.templates.style import Reader, Style, bind, rules_for
from mdpublish_core.writers.context import RenderContext

if TYPE_CHECKING:
    from mdpublish_core.css.inlining import UserSheet
    from mdpublish_core.css.user_css_reading import UserStylesheet

T = TypeVar("T", bound=Hashable)
Output = TypeVar("Output")

# All built-in templates in both modes per destination.
_MAX_STYLESHEETS = 512

# Each may have some thousand rules.
_MAX_USER_STYLESHEETS = 32

# Of the text, in px: for media queries.
EMAIL_WIDTH, PAPER_WIDTH = 600.0, 624.0


@lru_cache(maxsize=_MAX_STYLESHEETS)
def compile_stylesheet(
    style: Style, reader: Reader, make_style: StyleFactory[T], *, has_tables: bool = True
) -> CompiledStylesheet[T]:
    rules = rules_for(style.template, style.theme_mode, reader, has_tables=has_tables)
    return CompiledStylesheet(rules, make_style)


@lru_cache(maxsize=_MAX_USER_STYLESHEETS)
def compile_user_stylesheet(
    style: Style, reader: Reader, user_css: "UserStylesheet", make_style: StyleFactory[T]
) -> "UserSheet[T]":
    from mdpublish_core.css.inlining import compile_user_css

    rules = rules_for(style.template, style.theme_mode, reader)
    width = EMAIL_WIDTH if reader == "email" else PAPER_WIDTH
    return compile_user_css(rules, user_css, style.theme_mode, width, make_style)


def render_inline_styles(
    context: RenderContext,
    reader: Reader,
    make_style: StyleFactory[T],
    write: Callable[[RenderContext, Styles[T]], Output],
    *,
    has_tables: bool = True,
) -> Output:
    """Call `write` with a cursor over the rules of the template and the user's stylesheet."""
    return _render(
        context,
        (context.style,),
        reader,
        make_style,
        lambda context, cursors: write(context, *cursors),
        has_tables=has_tables,
    )


def _render(
    context: RenderContext,
    styles: Sequence[Style],
    reader: Reader,
    make_style: StyleFactory[T],
    write: Callable[[RenderContext, Sequence[Styles[T]]], Output],
    *,
    has_tables: bool = True,
) -> Output:
    """Call `write` with a cursor for each style; twice if the user's stylesheet needs elements counted first."""
    if (user_css := context.user_css) is None:
        sheets = [compile_stylesheet(style, reader, make_style, has_tables=has_tables) for style in styles]
        return write(context, [sheet.cursor() for sheet in sheets])
    from mdpublish_core.css.inlining import CountingCursor, UserCursor

    user_sheets = [compile_user_stylesheet(style, reader, user_css, make_style) for style in styles]
    context.report_left_out(user_sheets[-1].message)
    if not any(sheet.needs_counts for sheet in user_sheets):
        return write(context, [UserCursor(sheet) for sheet in user_sheets])
    counting = [CountingCursor(sheet) for sheet in user_sheets]
    write(context.for_collector(), counting)
    return write(context, [UserCursor(sheet, each.counts()) for sheet, each in zip(user_sheets, counting, strict=True)])


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
        page_style = self._page_styles.visit(element, last=last)
        cell_style = self._cell_styles.visit(element, last=last)
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
    return _render(
        context, styles, reader, make_style, lambda context, cursors: write(context, DarkModeStyles(*cursors))
    )
