"""Move or shrink labels that would cover one another, or be covered."""

import re
from collections.abc import Iterator
from math import cos, radians, sin

from mdpublish_core.figures.boxes import Box
from mdpublish_core.figures.errors import FigureError
from mdpublish_core.figures.mermaid import elements as svg
from mdpublish_core.figures.mermaid.themes import FONT_SIZE
from mdpublish_core.figures.request import FigureTheme

MIN_SIZE = 9.0  # px

_GAP = 6.0  # px

# Of labels below a line of commits, in px.
_LABEL_HEIGHT = 18.0
_MAX_LEVELS = 4

_TIMELINE_PADDING = 12.0  # px


def shrink(text_element: svg.Element, room: float, size: float, theme: FigureTheme) -> None:
    """Reduce the size of text wider than its room, down to `MIN_SIZE`; then squeeze it."""
    lines = [row for row in text_element if row.tag == svg.TSPAN_TAG] or [text_element]
    for row in lines:
        width = svg.width_of(row, size, theme)
        if width <= room:
            continue
        smaller = max(MIN_SIZE, size * room / width)
        row.set("font-size", f"{smaller:.3g}")
        if row.get("style"):
            row.set("style", re.sub(r"font-size:[^;]*;?", "", row.get("style", "")))
        if width * smaller / size > room:
            row.attrib.update({"textLength": f"{room:g}", "lengthAdjust": "spacingAndGlyphs"})


def separate_legend(root: svg.Element, size: float, theme: FigureTheme) -> None:
    """Move a journey's legend left of its boxes."""
    boxes = [box for box in root.iter(svg.RECT_TAG) if (box.get("class") or "").startswith(("task", "journey-section"))]
    legend = [each for each in root.iter(svg.TEXT_TAG) if each.get("class") == "legend"]
    if not boxes or not legend:
        return
    rows = [(next(each.iter(svg.TSPAN_TAG), each), each) for each in legend]
    right = max(svg.number_of(row, "x") + svg.width_of(each, size, theme) for row, each in rows)
    shift = right + _GAP - min(svg.number_of(box, "x") for box in boxes)
    if shift <= 0:
        return
    for text_element in legend:
        text_element.set("x", f"{svg.number_of(text_element, 'x') - shift:g}")
        for row in text_element.iter(svg.TSPAN_TAG):
            row.set("x", f"{svg.number_of(row, 'x') - shift:g}")
    for circle in root:
        if circle.tag == svg.CIRCLE_TAG:
            circle.set("cx", f"{svg.number_of(circle, 'cx') - shift:g}")
    svg.widen(root, left=8 - shift)


def fit_periods(root: svg.Element, size: float, theme: FigureTheme) -> None:
    """Shrink words that are wider than a timeline's boxes."""
    for node in root.iter(svg.GROUP_TAG):
        path, text_element = next(node.iter(svg.PATH_TAG), None), next(node.iter(svg.TEXT_TAG), None)
        line = next(node.iter(svg.LINE_TAG), None)
        if "timeline-node" in (node.get("class") or "") and path is not None and text_element is not None:
            width = svg.number_of(line, "x2") if line is not None else 0.0
            shrink(text_element, width - _TIMELINE_PADDING, size, theme)


def fit_composite_names(root: svg.Element, size: float, theme: FigureTheme) -> None:
    """Write a composite state's name on the one line that its title bar has."""
    for cluster in root.iter(svg.GROUP_TAG):
        box, text_element = cluster.find(f".//{svg.RECT_TAG}[@class='outer']"), next(cluster.iter(svg.TEXT_TAG), None)
        if not svg.has_class(cluster, "statediagram-cluster") or box is None or text_element is None:
            continue
        rows = [row for row in text_element if row.tag == svg.TSPAN_TAG]
        words = " ".join(svg.words_of(row) for row in rows)
        if not rows or not words:
            continue
        for row in rows[1:]:
            text_element.remove(row)
        room = svg.number_of(box, "width") - 2 * _GAP
        if len(rows) > 1:
            for part in list(rows[0]):
                rows[0].remove(part)
            rows[0].text = words
        shrink(text_element, room, size, theme)


def separate_commit_labels(root: svg.Element, _: float, __: FigureTheme) -> None:
    """Lower commit labels that would cover others, and move names of branches left of rotated ones."""
    placed: list[Box] = []
    for group, background, text_element in _commit_labels(root):
        if group.get("transform") or text_element.get("transform"):
            continue
        box = svg.box_of(background)
        level = 0
        while level < _MAX_LEVELS and any(_lowered(box, level).meets(other) for other in placed):
            level += 1
        placed.append(_lowered(box, level))
        if level:
            group.set("transform", f"translate(0, {level * _LABEL_HEIGHT:g})")
    if placed:
        svg.widen(root, bottom=max(box.bottom for box in placed) + _GAP)
    _move_branch_names(root)


def _lowered(box: Box, level: int) -> Box:
    return box._replace(top=box.top + level * _LABEL_HEIGHT, bottom=box.bottom + level * _LABEL_HEIGHT)


def _commit_labels(
    root: svg.Element,
) -> Iterator[tuple[svg.Element, svg.Element, svg.Element]]:
    for background in root.iter(svg.RECT_TAG):
        group, text_element = background.getparent(), background.getnext()
        if background.get("class") == "commit-label-bkg" and group is not None and text_element is not None:
            yield group, background, text_element


_ROTATION = re.compile(r"rotate\((-?[\d.]+)[, ]\s*(-?[\d.]+)[, ]\s*(-?[\d.]+)\)")


def _move_branch_names(root: svg.Element) -> None:
    """Move them as far as the first rotated label reaches to the left."""
    names = [each for each in root.iter(svg.RECT_TAG) if "branchLabelBkg" in (each.get("class") or "")]
    view = svg.view_of(root)
    lines = [each for each in root.iter(svg.LINE_TAG) if (each.get("class") or "").startswith("branch ")]
    if any(each.get("x1") == each.get("x2") for each in lines):
        # Names stand above or below the branches.
        return
    rotated = [
        label
        for label in _commit_labels(root)
        if "rotate" in label[0].get("transform", "") + label[1].get("transform", "")
    ]
    if view is None or not names or not rotated:
        return
    boxes = [svg.box_of(each, *(svg.shift_of(each) or ())) for each in names]
    reaches = [
        corner[0]
        for group, background, _ in rotated
        for corner in _corners(group, background)
        if any(box.top - _GAP < corner[1] < box.bottom + _GAP and corner[0] < box.right for box in boxes)
    ]
    if not reaches:
        return
    shift = max(box.right for box in boxes) + _GAP - min(reaches)
    for background in names:
        background.set("x", f"{svg.number_of(background, 'x') - shift:g}")
        label = background.getnext()
        for group in label.iter(svg.GROUP_TAG) if label is not None else ():
            if moved := svg.shift_of(group):
                svg.move_to(group, moved[0] - shift, moved[1])
    for line in lines:
        line.set("x1", f"{svg.number_of(line, 'x1') - shift:g}")
    svg.set_view(root, view._replace(left=view.left - shift))


def _corners(group: svg.Element, background: svg.Element) -> list[tuple[float, float]]:
    """Return points along the lower edge of a rotated label."""
    value = group.get("transform", "") or background.get("transform", "")
    turned = _ROTATION.search(value)
    if turned is None:
        return []
    right, down = svg.shift_of(group) or svg.shift_of(background) or (0.0, 0.0)
    angle, middle_x, middle_y = radians(float(turned[1])), float(turned[2]), float(turned[3])
    left, top = svg.number_of(background, "x"), svg.number_of(background, "y")
    width, height = svg.number_of(background, "width"), svg.number_of(background, "height")
    points = []
    for share in range(9):
        for y in (top, top + height):
            across, up = left + width * share / 8 - middle_x, y - middle_y
            points.append(
                (
                    right + middle_x + across * cos(angle) - up * sin(angle),
                    down + middle_y + across * sin(angle) + up * cos(angle),
                )
            )
    return points


def separate_points(root: svg.Element, _: float, theme: FigureTheme) -> None:
    """Place each label below its point, or else above, right or left of it, where it is free."""
    view = svg.view_of(root)
    placed = [
        _centered(each, shift[0], shift[1] + svg.number_of(each, "dy"), theme)
        for each in root.iter(svg.TEXT_TAG)
        if _kind(each) in {"quadrant", "label"}
        and "rotate(-90)" not in each.get("transform", "")
        and (shift := svg.shift_of(each))
    ]
    for text_element in root.iter(svg.TEXT_TAG):
        shift = svg.shift_of(text_element)
        group = text_element.getparent()
        circle = group.find(svg.CIRCLE_TAG) if group is not None else None
        if _kind(text_element) != "data-point" or shift is None or circle is None or view is None:
            continue
        x, y, radius = svg.number_of(circle, "cx"), svg.number_of(circle, "cy"), svg.number_of(circle, "r")
        hanging = _centered(text_element, *shift, theme)
        half, high = (hanging.right - hanging.left) / 2, hanging.bottom - hanging.top
        ways = (
            shift,
            (shift[0], y - radius - high),
            (x + radius + half + 2, y - high / 2),
            (x - radius - half - 2, y - high / 2),
            (shift[0], shift[1] + high),
        )
        way = next((way for way in ways if _is_free(_centered(text_element, *way, theme), placed, view)), ways[0])
        placed.append(_centered(text_element, *way, theme))
        svg.move_to(text_element, *way)


def _kind(text_element: svg.Element) -> str:
    group = text_element.getparent()
    return (group.get("class") or "") if group is not None else ""


def _centered(text_element: svg.Element, x: float, y: float, theme: FigureTheme) -> Box:
    """Return the box of a text that hangs from a point."""
    size = float(text_element.get("font-size", FONT_SIZE))
    half = svg.width_of(text_element, size, theme) / 2
    return Box(x - half, y, x + half, y + size)


def _is_free(box: Box, placed: list[Box], view: Box) -> bool:
    # Labels are clamped to the view, with rounding.
    return view.contains(box, 1) and not any(box.meets(other) for other in placed)


def refuse_covered(root: svg.Element, _: float, __: FigureTheme) -> None:
    """Raise `FigureError` if services are in one place, as all are that meet the same side of another."""
    places: dict[str, str] = {}
    for group in root.iter(svg.GROUP_TAG):
        if (group.get("class") or "").endswith("-service"):
            place, words = group.get("transform", ""), svg.words_of(group)
            if place in places:
                raise FigureError(
                    f"the engine draws {words[:40]!r} upon {places[place][:40]!r}; connect them to different sides"
                )
            places[place] = words


def separate_shares(root: svg.Element, size: float, theme: FigureTheme) -> None:
    """Hide the labels of slices that are so thin that labels would meet; tooltips have them."""
    placed: list[Box] = []
    for part, label in sorted(svg.slices_of(root), key=lambda pair: -float(svg.words_of(pair[1]).rstrip("%") or 0)):
        shift = svg.shift_of(label) or (0.0, 0.0)
        half = svg.width_of(label, size, theme) / 2
        box = Box(shift[0] - half, shift[1] - size * 0.8, shift[0] + half, shift[1])
        if any(box.meets(other) for other in placed):
            # Colors are set later, by the number of the label.
            label.set("style", "display:none")
            svg.add_title(part, svg.words_of(label))
        else:
            placed.append(box)
