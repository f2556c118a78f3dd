"""Fixes label positions and bounds of journeys, Gantt charts, quadrants, pies, sequences and Git graphs; all titles."""

import re
from itertools import chain, islice, pairwise, takewhile
from math import inf

from lxml import etree

from mdpublish_core.figures.boxes import Box
from mdpublish_core.figures.fonts import line_width
from mdpublish_core.figures.mermaid import elements as svg
from mdpublish_core.figures.mermaid.fitting import shrink
from mdpublish_core.figures.mermaid.text_metrics import wrap_text
from mdpublish_core.figures.mermaid.themes import FONT_SIZE, TITLE_SIZE
from mdpublish_core.figures.request import FigureTheme

_LEGEND_SIZE = re.compile(r"\.legend text\{[^}]*font-size:(\d{1,3})px")

_TICK_SIZE = 10  # px

_TAG_HEIGHT = 21  # px

_NUMBER_RADIUS = 8  # px


def wrap_tasks(root: svg.Element, size: float, theme: FigureTheme) -> None:
    for text_element in root.iter(svg.TEXT_TAG):
        box = _rect_before(text_element)
        if (
            box is None
            or len(text_element) != 1
            or not (text_element.get("class") or "").startswith(("task", "journey-section"))
        ):
            continue
        lines = wrap_text(
            svg.words_of(text_element), svg.number_of(box, "width") - 16, size, is_monospaced=theme.is_monospaced
        )
        x = text_element[0].get("x", "0")
        text_element.remove(text_element[0])
        for number, line in enumerate(lines):
            row = etree.SubElement(text_element, svg.TSPAN_TAG, {"x": x})
            row.set("dy", f"{svg.LINE_HEIGHT if number else -svg.LINE_HEIGHT * (len(lines) - 1) / 2:.3g}em")
            row.text = line.content
    _trim_journey(root)


def _trim_journey(root: svg.Element) -> None:
    """Crop a journey's axis and the space below."""
    boxes = [box for box in root.iter(svg.RECT_TAG) if (box.get("class") or "").startswith(("task", "journey-section"))]
    view = svg.view_of(root)
    if view is None or not boxes:
        return
    right = max(svg.box_of(box).right for box in boxes) + 20
    top = min(svg.box_of(box).top for box in boxes) - 10
    foot = view.bottom
    for line in root.iter(svg.LINE_TAG):
        if line.get("class") == "task-line":
            foot = svg.number_of(line, "y2") + 10
        elif line.get("stroke-width") == "4":
            line.attrib.update({"stroke-width": "1.5", "x2": f"{right:g}"})
    # The legend also begins at the top, and may be long; a face may be anywhere.
    lowest = max((svg.number_of(each, "cy") + 16 for each in root.iter(svg.CIRCLE_TAG)), default=0.0)
    svg.set_view(root, view._replace(left=view.left + 5, top=top, right=right + 12, bottom=max(foot, lowest)))
    for box in boxes:
        # Remove the placeholder of unnamed sections.
        group = box.getparent()
        if group is not None and (box.get("class") or "").startswith("journey-section") and not svg.words_of(group):
            group.remove(box)


def _rect_before(text_element: svg.Element) -> svg.Element | None:
    elements = (each for each in (text_element, text_element.getparent()) if each is not None)
    return next((box for each in elements for box in each.itersiblings(svg.RECT_TAG, preceding=True)), None)


def remove_today(root: svg.Element, *_: object) -> None:
    """Remove the line of the present day, which merman takes for the first of 1970: a drawing does not move."""
    for line in [each for each in root.iter(svg.LINE_TAG) if (each.get("class") or "") == "today"]:
        svg.remove(line)


def separate_ticks(root: svg.Element, _: float, theme: FigureTheme) -> None:
    """Remove overlapping tick labels of a Gantt chart, and crop it."""
    feet: list[float] = []
    for axis in root.iter(svg.GROUP_TAG):
        shift = svg.shift_of(axis) if axis.get("class") == "grid" else None
        if shift is not None:
            feet.append(shift[1])
            _thin_out(axis, theme)
    view = svg.view_of(root)
    rows = [
        svg.number_of(box, "y") for box in root.iter(svg.RECT_TAG) if (box.get("class") or "").startswith("section")
    ]
    if (
        view is None
        or not feet
        or not rows
        or any("vertText" in (each.get("class") or "") for each in root.iter(svg.TEXT_TAG))
    ):
        return
    top = min(rows) - (24 if len(feet) > 1 else 6)
    svg.set_view(root, view._replace(top=max(view.top, top), bottom=min(view.bottom, max(feet) + 24)))


def _thin_out(axis: svg.Element, theme: FigureTheme) -> None:
    """Keep every n-th label, so that none overlap."""
    ticks: list[tuple[float, float, svg.Element, svg.Element]] = []
    for tick in axis:
        shift, text_element = svg.shift_of(tick), tick.find(svg.TEXT_TAG)
        if shift is not None and text_element is not None and text_element.text:
            half = line_width(text_element.text, _TICK_SIZE, is_monospaced=theme.is_monospaced) / 2 + 1
            ticks.append((shift[0] - half, shift[0] + half, tick, text_element))
    step = 1
    while any(one[1] > other[0] for one, other in pairwise(ticks[::step])):
        step += 1
    for number, (_, _, tick, text_element) in enumerate(ticks):
        if number % step:
            tick.remove(text_element)


def trim_pie(root: svg.Element, size: float, theme: FigureTheme) -> None:
    view = svg.view_of(root)
    # The author may have set the font size.
    match = _LEGEND_SIZE.search(root.findtext(svg.STYLE_TAG) or "")
    size = float(match[1]) if match else size
    for circle in root.iter(svg.CIRCLE_TAG):
        if circle.get("class") != "pieOuterCircle" or view is None:
            continue
        (x, y), radius = svg.translation_of(circle), svg.number_of(circle, "r") + 8
        left, top, right, foot = x - radius, y - radius, x + radius, y + radius
        for text_element in root.iter(svg.TEXT_TAG):
            if (text_element.get("class") or "").endswith("TitleText"):
                continue
            across, down = svg.translation_of(text_element)
            across, down = across + svg.number_of(text_element, "x"), down + svg.number_of(text_element, "y")
            top, foot = min(top, down - 20), max(foot, down + 12)
            right = max(right, across + 8 + svg.width_of(text_element, size, theme))
        for title in root.iter(svg.TEXT_TAG):
            # A long legend begins above the pie.
            if title.get("class") == "pieTitleText":
                title.set("y", f"{min(svg.number_of(title, 'y'), top - y):g}")
        svg.set_view(root, Box(left, top, right, foot))
        return


def add_bottom_margin(root: svg.Element, _: float, __: FigureTheme) -> None:
    """Add a margin if the participants are not repeated at the bottom."""
    if not any("actor-bottom" in (each.get("class") or "") for each in root.iter(svg.RECT_TAG, svg.GROUP_TAG)):
        svg.lengthen(root, 10)


def lower_actor_names(root: svg.Element, *_: object) -> None:
    """Move names of several lines below their figures, which the engine centers upon the feet."""
    for group in root.iter(svg.GROUP_TAG):
        rows = [each for each in group.iterfind(f"{svg.TEXT_TAG}/{svg.TSPAN_TAG}") if svg.has_class(group, "actor-man")]
        shift = -min((svg.number_of(row, "dy") for row in rows), default=0.0)
        for row in rows if shift > 0 else ():
            svg.set_numbers(row, dy=svg.number_of(row, "dy") + shift)
        for line in root.iter(svg.LINE_TAG) if svg.has_class(group, "actor-top") else ():
            if svg.has_class(line, "actor-line") and line.get("name") == group.get("name"):
                svg.set_numbers(line, y1=svg.number_of(line, "y1") + 2 * shift)


def raise_numbered(root: svg.Element, *_: object) -> None:
    """Raise the words of messages to oneself, upon which their numbers stand."""
    has_numbers = root.find(f".//{svg.TEXT_TAG}[@class='sequenceNumber']") is not None
    for path in root.iter(svg.PATH_TAG) if has_numbers else ():
        for label in takewhile(lambda each: svg.has_class(each, "messageText"), path.itersiblings(preceding=True)):
            svg.set_numbers(label, y=svg.number_of(label, "y") - _NUMBER_RADIUS)


def _keep_point_labels(root: svg.Element, theme: FigureTheme) -> None:
    view = svg.view_of(root)
    if view is None:
        return
    for text_element in root.iter(svg.TEXT_TAG):
        point = text_element.getparent()
        shift = svg.shift_of(text_element)
        if point is None or point.get("class") != "data-point" or shift is None:
            continue
        half = svg.width_of(text_element, float(text_element.get("font-size", FONT_SIZE)), theme) / 2
        x = max(view.left + half, min(view.right - half, shift[0]))
        circle = point.find(svg.CIRCLE_TAG)
        y = shift[1] if circle is None else svg.number_of(circle, "cy") + max(5.0, svg.number_of(circle, "r"))
        svg.move_to(text_element, x, y)


def position_quadrants(root: svg.Element, _: float, theme: FigureTheme) -> None:
    """Keep point labels in view; shrink texts that do not fit."""
    _keep_point_labels(root, theme)
    halves = [(svg.number_of(each, "width"), svg.number_of(each, "height")) for each in root.iter(svg.RECT_TAG)][:1]
    for text_element in root.iter(svg.TEXT_TAG):
        group = text_element.getparent()
        kind = group.get("class") if group is not None else None
        if kind == "quadrant":
            text_element.set("dy", "5")
        if not halves or kind not in {"quadrant", "label"}:
            continue
        size = float(text_element.get("font-size", FONT_SIZE))
        room = halves[0][1 if "rotate(-90)" in text_element.get("transform", "") else 0] - 8
        shrink(text_element, room, size, theme)


def position_git_labels(root: svg.Element, size: float, theme: FigureTheme) -> None:
    _raise_tags(root)
    _centre_branches(root, size, theme)


def _centre_branches(root: svg.Element, size: float, theme: FigureTheme) -> None:
    """Center branch names: actual fonts are narrower than measured. Those side by side are in two rows if they meet."""
    right, is_beside = -inf, False
    for label in root.iter(svg.GROUP_TAG):
        background = label.getprevious() if label.get("class") == "branchLabel" else None
        if background is None or background.tag != svg.RECT_TAG or not len(label):
            continue
        laid, named = svg.shift_of(background), svg.shift_of(label[0]) or (0.0, 0.0)
        middle = svg.number_of(background, "x") + svg.number_of(background, "width") / 2
        if laid is None:
            width = max(svg.width_of(row, size, theme) for row in label.iter(svg.TSPAN_TAG)) + 10
            svg.set_numbers(background, x=middle - width / 2, width=width)
            is_beside = not is_beside and middle - width / 2 < right
            for part in (background, label) if is_beside else ():
                svg.move_to(part, 0, _TAG_HEIGHT if svg.number_of(background, "y") > 0 else -_TAG_HEIGHT)
            right = middle + width / 2
        middle += (laid or (0.0, 0.0))[0] - named[0]
        for row in label.iter(svg.TSPAN_TAG):
            row.set("x", f"{middle:g}")
            row.set("text-anchor", "middle")


def _raise_tags(root: svg.Element) -> None:
    taken: dict[float, float] = {}
    lifted = 0
    for background in root.iter(f"{svg.SVG_PREFIX}polygon"):
        if background.get("class") != "tag-label-bkg" or background.get("transform"):
            continue
        points = [float(each) for each in re.findall(r"-?[\d.]+", background.get("points", ""))]
        left, right, foot = min(points[::2]), max(points[::2]), max(points[1::2])
        level = 0
        while taken.get(foot - level * _TAG_HEIGHT, float("-inf")) > left:
            level += 1
        taken[foot - level * _TAG_HEIGHT] = right
        for part in (background, *islice(background.itersiblings(), 2)) if level else ():
            svg.move_to(part, 0, -level * _TAG_HEIGHT)
        lifted = max(lifted, level)
    view = svg.view_of(root)
    if lifted and view is not None:
        svg.set_view(root, view._replace(top=view.top - lifted * _TAG_HEIGHT))


_TITLE_MARGIN = 8  # px

_TITLE_LEADING = round(TITLE_SIZE * 1.25)  # px

_MIN_WIDTH = 420  # px


def position_title(root: svg.Element, theme: FigureTheme) -> None:
    """Write a title of uniform size, centered above the diagram."""
    old, view = _title(root), svg.view_of(root)
    words = svg.words_of(old) if old is not None else ""
    if old is None or view is None or not words:
        return
    lines = wrap_text(
        words,
        max(view.width, _MIN_WIDTH) - 2 * _TITLE_MARGIN,
        TITLE_SIZE,
        is_bold=True,
        is_monospaced=theme.is_monospaced,
    )
    _, down = svg.translation_of(old)
    shift = svg.shift_of(old)
    foot = down + svg.number_of(old, "y") + (shift[1] + TITLE_SIZE * 0.75 if shift else 0.0)
    parent = old.getparent()
    assert parent is not None
    parent.remove(old)
    middle = (view.left + view.right) / 2
    first = foot - _TITLE_LEADING * (len(lines) - 1)
    title = etree.SubElement(root, svg.TEXT_TAG)
    svg.set_numbers(title, x=middle, y=first)
    # A CSS class sets its color.
    title.attrib.update({name: old.get(name, "") for name in ("class", "fill") if name in old.attrib})
    title.set("style", f"font-size:{TITLE_SIZE}px;font-weight:bold;text-anchor:middle")
    words = " \n".join(line.content for line in lines)
    svg.write_lines(title, words.split("\n"), middle, first, _TITLE_LEADING)
    half = max(line.width for line in lines) / 2 + _TITLE_MARGIN
    left, right = min(view.left, middle - half), max(view.right, middle + half)
    svg.set_view(root, view._replace(left=left, right=right, top=first - TITLE_SIZE - _TITLE_MARGIN))


def _title(root: svg.Element) -> svg.Element | None:
    for text_element in root.iter(svg.TEXT_TAG):
        group, axis = islice(chain(text_element.iterancestors(), (root, root)), 2)
        kind = text_element.get("class") or ""
        group_class = group.get("class") or ""
        is_heading = group_class == "chart-title" or (
            group_class == "title" and not (axis.get("class") or "").endswith("-axis")
        )
        if is_heading or kind.endswith(("TitleText", "titleText", "radarTitle")):
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
