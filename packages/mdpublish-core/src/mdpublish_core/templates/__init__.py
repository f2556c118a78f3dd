"""Templates: the built-in catalog, theme files, and styles compiled for a theme mode."""

from mdpublish_core.options.styles import PAGE_WIDTHS, THEME_MODES, PageThemeMode, PageWidth, SiteLayout, ThemeMode
from mdpublish_core.templates.catalog import get_template, list_templates, load_template
from mdpublish_core.templates.style import (
    DARK_SCREEN,
    Style,
    beside_menu,
    bind,
    docs_template,
    figure_width,
    figures_css,
    page_css,
    part_css,
    pdf_css,
    right_to_left_css,
    table_sizes_css,
)
from mdpublish_core.templates.theme import CATEGORIES, Category, Template

__all__ = [
    "CATEGORIES",
    "DARK_SCREEN",
    "PAGE_WIDTHS",
    "THEME_MODES",
    "Category",
    "PageThemeMode",
    "PageWidth",
    "SiteLayout",
    "Style",
    "Template",
    "ThemeMode",
    "beside_menu",
    "bind",
    "docs_template",
    "figure_width",
    "figures_css",
    "get_template",
    "list_templates",
    "load_template",
    "page_css",
    "part_css",
    "pdf_css",
    "right_to_left_css",
    "table_sizes_css",
]
