"""Names of theme modes, page widths and what paper has, apart from the templates: not all output has a style."""

from typing import Literal, get_args

ThemeMode = Literal["light", "dark"]
"""Colors of an output."""

THEME_MODES: tuple[ThemeMode, ...] = get_args(ThemeMode)
"""Theme modes."""

PageThemeMode = Literal["light", "dark", "auto"]
"""`auto` follows the reader's system; it is for output with a stylesheet."""

PAGE_THEME_MODES: tuple[PageThemeMode, ...] = get_args(PageThemeMode)

PageWidth = Literal["standard", "wide", "full"]
"""Width of a page's text column."""

PAGE_WIDTHS: tuple[PageWidth, ...] = get_args(PageWidth)
"""Page widths."""

SiteLayout = Literal["docs", "theme"]
"""How a site's pages are laid out: calmly, as documentation is, or as the theme lays out any page."""

Paper = Literal["a4", "letter"]
"""Paper of a Word file or a PDF."""

Landscape = Literal["auto", "never"]
"""Whether wide tables are in landscape."""

Sides = Literal["one", "two"]
"""Sides of the paper on which a PDF is printed."""

Footnotes = Literal["end", "page"]
"""Place of footnotes in a PDF."""

MARGINS = range(5, 61)
"""Widths of a PDF's margins in millimeters: what printers reach, and what leaves room for text."""
