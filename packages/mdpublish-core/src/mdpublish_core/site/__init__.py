"""Websites from folders of Markdown files.

    sources ─▶ scan ─▶ plan: navigation, links ─▶ render ─▶ pages, search index, sitemap, feed

`manifest` records what a build wrote and from what, so that the next one writes only what has changed.

Pages depend on each other: menus show titles, links lead to headings. So all are scanned before one is rendered. What a
page shows of others is an argument of its rendering, and a digest of the arguments decides whether it is rendered
again. A menu shows the first level and the page's own branch, so that a new title changes few pages. It is a popover,
which needs no script; beside the page, the theme gets what is left of the window's width (`beside_menu`).

Search is a script and an index of our own. Pagefind loads only parts of its index, but is a program for each platform,
and needs WebAssembly, which a Content-Security-Policy must allow, and a web server.
"""

from mdpublish_core.site.build import SiteReport, build_site
from mdpublish_core.site.navigation import NavItem
from mdpublish_core.site.settings import SiteSettings, read_site_settings

__all__ = ["NavItem", "SiteReport", "SiteSettings", "build_site", "read_site_settings"]
