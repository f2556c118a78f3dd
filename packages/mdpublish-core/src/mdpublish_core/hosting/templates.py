"""The gallery of templates, their fonts, and the site's colors."""

from mdpublish_core.gallery import example_markdown, example_page, specimen_page
from mdpublish_core.site_palette import site_palette
from mdpublish_core.templates.catalog import search_synonyms
from mdpublish_core.templates.hosted_fonts import FONT_FOLDER, hosted_files
from mdpublish_core.templates.theme import CATEGORIES, Category
from mdpublish_core.templates.web_fonts import font_family_css
