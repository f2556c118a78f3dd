"""Templates: the built-in catalog, theme files, and styles compiled for a theme mode."""

from mdpublish_core.templates.catalog import get_template, list_templates, load_template
from mdpublish_core.templates.style import (
    PAGE_WIDTHS,
    THEME_MODES,
    PageWidth,
    Style,
    ThemeMode,
    bind,
    figures_css,
    page_css,
)
from mdpublish_core.templates.theme import CATEGORIES, Category, Template

__all__ = [
    "CATEGORIES",
    "PAGE_WIDTHS",
    "THEME_MODES",
    "Category",
    "PageWidth",
    "Style",
    "Template",
    "ThemeMode",
    "bind",
    "figures_css",
    "get_template",
    "list_templates",
    "load_template",
    "page_css",
]
