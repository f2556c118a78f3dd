"""Templates: the built-in catalog, theme files, and styles compiled for a theme mode.

theme         the template data type; loader reads theme files; scaffold starts new ones
catalog       the built-in templates
colors        the color roles, and derived ones
chart_colors  checks of chart colors, and derived ones
stylesheet    the rules of stylesheets/*.css
slots         the parts of a document that themes style, as selectors of each output
slot_lint     finds rules that style something else
theme_css     validates a theme's own rules
font_families font lists by style, and the fonts of Google Docs and Word
hosted_fonts  fonts that a page may load; web_fonts: the @font-face rules of a template
lint          checks the quality of a template
style         a template resolved for one theme mode
printed       pages of a PDF
table_sizes   smaller type and padding for tables with many columns
independent_inlining  compares the matcher with premailer, for a template's check; cssutils_log keeps cssutils silent
"""

from mdpublish_core.options.styles import PAGE_WIDTHS, THEME_MODES, PageThemeMode, PageWidth, SiteLayout, ThemeMode
from mdpublish_core.templates.catalog import get_template, list_templates, load_template
from mdpublish_core.templates.style import (
    Style,
    beside_menu,
    bind,
    dark_css,
    docs_template,
    figure_width,
    figures_css,
    page_css,
    part_css,
    right_to_left_css,
    table_sizes_css,
)
from mdpublish_core.templates.theme import CATEGORIES, Category, Template
