"""The title of a drawing: of one size and weight, and over the middle, whatever its type."""

from lxml import etree

from mdpublish_core.figures.mermaid.elements import SHIFT, TEXT, TSPAN, moved, number_of, show, view_of, words_of
from mdpublish_core.figures.mermaid.measures import wrapped
from mdpublish_core.figures.mermaid.themes import TITLE
from mdpublish_core.figures.request import FigureTheme

# Above and beside a title, in px.
_MARGIN = 8

# From one line of it to the next, in px.
_LEADING = round(TITLE * 1.25)

# A title is broken where it is wider than its drawing, but not below this, in px.
_LEAST_ROOM = 420


def place_title(root: "etree._Element", theme: FigureTheme) -> None:
    """Put a drawing's title over its middle, in lines where it is long, and show no more above than it needs."""
    old, view = _title(root), view_of(root)
    words = words_of(old) if old is not None else ""
    if old is None or view is None or not words:
        return
    lines = wrapped(
        words, max(view.width, _LEAST_ROOM) - 2 * _MARGIN, TITLE, is_bold=True, is_monospaced=theme.is_monospaced
    )
    _, down = moved(old)
    place = SHIFT.match(old.get("transform", ""))
    foot = down + number_of(old, "y") + (float(place[2]) + TITLE * 0.75 if place else 0.0)
    parent = old.getparent()
    assert parent is not None
    parent.remove(old)
    middle = (view.left + view.right) / 2
    first = foot - _LEADING * (len(lines) - 1)
    title = etree.SubElement(root, TEXT, {"x": f"{middle:g}", "y": f"{first:g}"})
    # Its colour is the type's, which an author's theme may have chosen.
    title.attrib.update({name: old.get(name, "") for name in ("class", "fill") if name in old.attrib})
    title.set("style", f"font-size:{TITLE}px;font-weight:bold;text-anchor:middle")
    for number, line in enumerate(lines):
        row = etree.SubElement(title, TSPAN, {"x": f"{middle:g}", "y": f"{first + number * _LEADING:g}"})
        row.text = line.text if line is lines[-1] else f"{line.text} "
    half = max(line.width for line in lines) / 2 + _MARGIN
    left, right = min(view.left, middle - half), max(view.right, middle + half)
    show(root, view._replace(left=left, right=right, top=first - TITLE - _MARGIN))


def _title(root: "etree._Element") -> "etree._Element | None":
    """Return the text that is a drawing's title, which each type marks in a way of its own."""
    for text in root.iter(TEXT):
        group = text.getparent()
        kind = text.get("class") or ""
        around = (group.get("class") or "") if group is not None else ""
        if kind.endswith(("TitleText", "titleText", "radarTitle")) or around in {"title", "chart-title"}:
            return text
        # Journeys and timelines; sequences, where nothing else stands above the first participant without a class.
        if text.get("font-weight") == "bold" and group is root:
            return text
        if not kind and group is root and "text-anchor" not in text.attrib and number_of(text, "y") == -25:
            return text
    return None
