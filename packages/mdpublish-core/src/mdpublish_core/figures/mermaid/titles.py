"""Titles of uniform size, centered above the diagram."""

from lxml import etree

from mdpublish_core.figures.mermaid import elements as svg
from mdpublish_core.figures.mermaid.text_metrics import wrap_text
from mdpublish_core.figures.mermaid.themes import TITLE_SIZE
from mdpublish_core.figures.request import FigureTheme

_MARGIN = 8  # px

_LEADING = round(TITLE_SIZE * 1.25)  # px

_MIN_WIDTH = 420  # px


def position_title(root: svg.Element, theme: FigureTheme) -> None:
    old, view = _title(root), svg.view_of(root)
    words = svg.words_of(old) if old is not None else ""
    if old is None or view is None or not words:
        return
    lines = wrap_text(
        words, max(view.width, _MIN_WIDTH) - 2 * _MARGIN, TITLE_SIZE, is_bold=True, is_monospaced=theme.is_monospaced
    )
    _, down = svg.translation_of(old)
    shift = svg.shift_of(old)
    foot = down + svg.number_of(old, "y") + (shift[1] + TITLE_SIZE * 0.75 if shift else 0.0)
    parent = old.getparent()
    assert parent is not None
    parent.remove(old)
    middle = (view.left + view.right) / 2
    first = foot - _LEADING * (len(lines) - 1)
    title = etree.SubElement(root, svg.TEXT_TAG)
    svg.set_numbers(title, x=middle, y=first)
    # A CSS class sets its color.
    title.attrib.update({name: old.get(name, "") for name in ("class", "fill") if name in old.attrib})
    title.set("style", f"font-size:{TITLE_SIZE}px;font-weight:bold;text-anchor:middle")
    words = " \n".join(line.content for line in lines)
    svg.write_lines(title, words.split("\n"), middle, first, _LEADING)
    half = max(line.width for line in lines) / 2 + _MARGIN
    left, right = min(view.left, middle - half), max(view.right, middle + half)
    svg.set_view(root, view._replace(left=left, right=right, top=first - TITLE_SIZE - _MARGIN))


def _title(root: svg.Element) -> svg.Element | None:
    for text_element in root.iter(svg.TEXT_TAG):
        group = text_element.getparent()
        kind = text_element.get("class") or ""
        group_class = (group.get("class") or "") if group is not None else ""
        if kind.endswith(("TitleText", "titleText", "radarTitle")) or group_class in {"title", "chart-title"}:
            return text_element
        # Journeys and timelines; then sequences, where only titles have no class.
        if text_element.get("font-weight") == "bold" and group is root:
            return text_element
        if (
            not kind
            and group is root
            and "text-anchor" not in text_element.attrib
            and svg.number_of(text_element, "y") == -25
        ):
            return text_element
    return None
