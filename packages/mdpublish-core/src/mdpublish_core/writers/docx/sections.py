"""Sections: paper, margins, and pages in landscape."""

from copy import deepcopy

from mdpublish_core.options.styles import Paper
from mdpublish_core.resources.open_xml import Element, parse_number, qualified
from mdpublish_core.writers.docx.reference import story_references
from mdpublish_core.writers.docx.xml import add, add_with, root

PAPERS: dict[Paper, tuple[int, int]] = {"a4": (11_906, 16_838), "letter": (12_240, 15_840)}
"""Width and height in twips: https://www.iso.org/standard/36631.html, ANSI Y14.1."""

MARGIN = 1_440
"""An inch, as in Word."""

_FOOTER_DISTANCE = 708

# In twips: Word's own space between columns, and the narrowest text.
_COLUMN_SPACE, _MIN_TEXT_WIDTH = 720, 1_440

_MAX_COLUMNS = 45
"""Columns of a section in Word."""


def insert_footer(section: Element, relation: str) -> None:
    section.insert(0, add_with(section, "w:footerReference", {"w:type": "default", "r:id": relation}))


def new_section(paper: Paper) -> Element:
    section = root("w:sectPr", "r")
    width, height = PAPERS[paper]
    add(section, "w:pgSz", w=width, h=height)
    add_with(
        section,
        "w:pgMar",
        {
            **{f"w:{side}": MARGIN for side in ("top", "right", "bottom", "left")},
            "w:header": _FOOTER_DISTANCE,
            "w:footer": _FOOTER_DISTANCE,
            "w:gutter": 0,
        },
    )
    return section


def complete_section(section: Element, paper: Paper) -> None:
    """Add the paper and the margins that properties lack."""
    for place, each in enumerate(list(new_section(paper)), len(story_references(section))):
        if section.find(each.tag) is None:
            section.insert(place, each)


def column_width(section: Element) -> float:
    """Return the width of the text in px."""
    columns = min(max(_length(section, "cols", "num", 1), 1), _MAX_COLUMNS)
    width = _length(section, "pgSz", "w", PAPERS["a4"][0]) - _side_margins(section)
    width = (width - (columns - 1) * _length(section, "cols", "space", _COLUMN_SPACE)) // columns
    return max(width, _MIN_TEXT_WIDTH) / 15


def landscape_width(section: Element) -> float:
    """Return the width of the text on pages in landscape in px, 0 if these are not wider."""
    width, height = (_length(section, "pgSz", name, 0) for name in ("w", "h"))
    return max(height - _side_margins(section), 0) / 15 if height > width else 0.0


def section_copy(section: Element, *, is_landscape: bool, is_first: bool) -> Element:
    """Return properties of another section. Only the first has a first page of its own, and starts its numbers."""
    copied = deepcopy(section)
    size = copied.find(qualified("w:pgSz"))
    if is_landscape and size is not None:
        width, height = (size.get(qualified(f"w:{name}"), "") for name in ("w", "h"))
        for name, value in (("w", height), ("h", width), ("orient", "landscape")):
            size.set(qualified(f"w:{name}"), value)
    removed = [*["w:cols"] * is_landscape, *["w:titlePg", "w:pgNumType"] * (not is_first)]
    for each in [child for name in removed for child in copied.findall(qualified(name))]:
        copied.remove(each)
    return copied


def _side_margins(section: Element) -> int:
    margins = ((side, MARGIN if side != "gutter" else 0) for side in ("left", "right", "gutter"))
    return sum(_length(section, "pgMar", side, default) for side, default in margins)


def _length(section: Element, name: str, attribute: str, default: int) -> int:
    element = section.find(qualified(f"w:{name}"))
    return default if element is None else parse_number(element.get(qualified(f"w:{attribute}")), default)
