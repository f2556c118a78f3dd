"""The styles of elements, for writers with inline styles.

A cursor over the template's rules moves along `generic`'s markup (`blockquote`, `div.callout.note`), whatever is
actually written, so one stylesheet serves every destination.
"""

from collections.abc import Callable, Hashable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, TypeVar

from mdpublish_core.css.matcher import CompiledStylesheet, StyleFactory, Styles
from mdpublish_core.templates.style import Reader, Style, rules_for
from mdpublish_core.writers.context import RenderContext

if TYPE_CHECKING:
    from mdpublish_core.css.inlining import UserCursor, UserSheet
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
    if (user_css := context.user_css) is None:
        stylesheet = compile_stylesheet(context.style, reader, make_style, has_tables=has_tables)
        return write(context, stylesheet.cursor())
    sheet = compile_user_stylesheet(context.style, reader, user_css, make_style)
    (styles,) = user_cursors(context, [sheet], lambda context, cursors: write(context, cursors[0]))
    return write(context, styles)


def user_cursors(
    context: RenderContext,
    sheets: "Sequence[UserSheet[T]]",
    write: Callable[[RenderContext, Sequence[Styles[T]]], object],
) -> "list[UserCursor[T]]":
    """Return a cursor for each stylesheet; `write` is called only if elements must be counted first."""
    from mdpublish_core.css.inlining import CountingCursor, UserCursor

    context.report_left_out(sheets[-1].message)
    if not any(sheet.needs_counts for sheet in sheets):
        return [UserCursor(sheet) for sheet in sheets]
    counting = [CountingCursor(sheet) for sheet in sheets]
    write(context.for_collector(), counting)
    return [UserCursor(sheet, each.counts()) for sheet, each in zip(sheets, counting, strict=True)]
