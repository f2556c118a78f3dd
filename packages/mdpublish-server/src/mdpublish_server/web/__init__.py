"""The public site: published pages, the landing page, and the pages that say what went wrong.

A published page is somebody else's text, so it shares no rights with the site: each has a Content-Security-Policy of its
own, in `pages` and in `site`.
"""
