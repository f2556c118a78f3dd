"""Slots: names for the parts of a document that themes style, whatever an output writes around these.

Pages and fragments have an element of a slot's class, except for ornaments, which are generated content. Emails and
documents have no classes: there, a slot is where it stands.
"""

import re

from mdpublish_core.data_files import read_pairs
from mdpublish_core.strings.lazy_patterns import compile_lazily

SLOTS = read_pairs(__file__, "slots.tsv")
"""Selectors by which theme files style slots."""

_ORNAMENT = compile_lazily(r"\.ornament(\.full)?(?![\w-])")

# Room of its own, in the flow of the page, so no text can meet it. Paper has none: ink is for words.
_ORNAMENTS = read_pairs(__file__, "ornaments.tsv")

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
    return f"{css}\n{_ORNAMENT.sub('&::before', _with_ornament_room(web_css, _ORNAMENTS['beside']))}"


def document_slots(css: str) -> str:
    """Return a theme's rules for emails and documents."""
    for slot, place in _PLACES:
        css = slot.sub(place, css)
    return css


def _with_ornament_room(web_css: str, fragment_css: str) -> str:
    used = {match[1] for match in _ORNAMENT.finditer(web_css)}
    room = (_ORNAMENTS["any"] if None in used else "", _ORNAMENTS["full"] + fragment_css if ".full" in used else "")
    return "".join((*room, web_css))


def _page_ornament(ornament: re.Match[str]) -> str:
    return "body&::before" if ornament[1] else "main::before"
