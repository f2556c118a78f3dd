"""Websites from folders of Markdown files.

    sources ─▶ scan ─▶ navigation, links ─▶ render ─▶ pages, search index, sitemap, feed

`manifest` records what a build wrote and from what, so that the next one writes only what has changed.
"""

from mdpublish_core.site.build import SiteReport, build_site
from mdpublish_core.site.navigation import NavItem
from mdpublish_core.site.settings import SiteSettings, read_site_settings

__all__ = ["NavItem", "SiteReport", "SiteSettings", "build_site", "read_site_settings"]
