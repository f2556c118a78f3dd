"""Slots: names for the parts of a document that themes style, whatever an output writes around these.

Pages and fragments have an element of a slot's class, except for ornaments, which are generated content. Emails and
documents have no classes: there, a slot is where it stands.
"""

import re

from mdpublish_core.strings.lazy_patterns import compile_lazily

SLOTS = {
    ".kicker": "above the title, on pages: breadcrumbs",
    "h1.title": "the title: a first-level heading that begins the document",
    ".deck": "a second-level heading right after the title",
    ".meta": "below the title, on pages: reading time and table of contents",
    ".lead": "the paragraph right after the title, unless it has images alone",
    "main": "the body, on pages",
    ".initial": "a lead of three lines or more, beside which a drop capital may stand",
    ".wide": "on pages, code, a table or a figure wider than the text",
    ".margin": "on pages, a callout of text alone, which may stand beside the text",
    ".ornament": "an ornament in `web_css`, as wide as the text; above the title, in room of its own",
    ".ornament.full": "the same, as wide as the window, above everything",
    ".colophon": "the end of a page: its links",
}
"""Selectors by which theme files style slots."""

_ORNAMENT = compile_lazily(r"\.ornament(\.full)?(?![\w-])")

# Room of its own, in the flow of the page, so no text can meet it. Paper has none: ink is for words.
_ORNAMENT_CSS = """
@media screen {
  .ornament { content: ""; display: block; }
}
"""
_FULL_ORNAMENT_CSS = """
@media screen {
  body& { padding-top: 0; }
  .ornament.full { content: ""; display: block; margin: 0 -1.25em 2.5em; }
}
"""
_FRAGMENT_ORNAMENT_CSS = """
@media screen {
  .ornament.full { margin: -1.25em -1.25em 1.25em; }
}
"""

_PLACES = (
    (compile_lazily(r"h1\.title(?![\w-])"), "h1:first-child"),
    (compile_lazily(r"\.deck(?![\w-])"), "h1 + h2"),
    (compile_lazily(r"\.lead(?![\w-])"), "h1 + p"),
)


def page_slots(css: str, web_css: str) -> str:
    """Return a theme's rules for pages."""
    return f"{css}\n{_ORNAMENT.sub(_page_ornament, _with_ornament_room(web_css, ''))}"


def fragment_slots(css: str, web_css: str) -> str:
    """Return a theme's rules for fragments, whose element carries the ornament."""
    return f"{css}\n{_ORNAMENT.sub('&::before', _with_ornament_room(web_css, _FRAGMENT_ORNAMENT_CSS))}"


def document_slots(css: str) -> str:
    """Return a theme's rules for emails and documents."""
    for slot, place in _PLACES:
        css = slot.sub(place, css)
    return css


def _with_ornament_room(web_css: str, fragment_css: str) -> str:
    used = {match[1] for match in _ORNAMENT.finditer(web_css)}
    room = (_ORNAMENT_CSS if None in used else "", _FULL_ORNAMENT_CSS + fragment_css if ".full" in used else "")
    return "".join((*room, web_css))


def _page_ornament(ornament: re.Match[str]) -> str:
    return "body&::before" if ornament[1] else "main::before"
