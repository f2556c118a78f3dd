"""What everybody sees: published pages and what goes with them, the landing page, what search engines ask for.

A published page is somebody else's text, so it shares no rights with the site; its Content-Security-Policy is in `pages`.
"""
