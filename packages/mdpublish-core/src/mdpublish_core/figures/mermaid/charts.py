"""The texts of charts, put where there is room for them: journeys, plans, quadrants and branches."""

import re
from itertools import pairwise

from lxml import etree

from mdpublish_core.figures.mermaid.elements import (
    CIRCLE,
    GROUP,
    LEADING,
    LINE,
    RECT,
    SHIFT,
    STYLE,
    SVG,
    TEXT,
    TSPAN,
    View,
    moved,
    number_of,
    show,
    view_of,
    words_of,
)
from mdpublish_core.figures.mermaid.measures import line_width, wrapped
from mdpublish_core.figures.mermaid.themes import SIZE
from mdpublish_core.figures.request import FigureTheme

# The smallest letters that a text is made smaller to, in px.
_LEAST_SIZE = 9.0

_LEGEND_SIZE = re.compile(r"\.legend text\{[^}]*font-size:(\d{1,3})px")

# Letters of an axis of days, in px.
_TICK_SIZE = 10

# From one row of tags over a branch to the next, in px.
_TAG = 21


def break_tasks(root: "etree._Element", size: float, theme: FigureTheme) -> None:
    """Break the texts of a journey into lines that its boxes have room for, and make its axis a fine one."""
    for text in root.iter(TEXT):
        box = _rect_before(text)
        if box is None or len(text) != 1 or not (text.get("class") or "").startswith(("task", "journey-section")):
            continue
        words = " ".join("".join(map(str, text.itertext())).split())
        lines = wrapped(words, number_of(box, "width") - 16, size, is_monospaced=theme.is_monospaced)
        x = text[0].get("x", "0")
        text.remove(text[0])
        for number, line in enumerate(lines):
            row = etree.SubElement(text, TSPAN, {"x": x})
            row.set("dy", f"{LEADING if number else -LEADING * (len(lines) - 1) / 2:.3g}em")
            row.text = line.text
    _trim_journey(root)


def _trim_journey(root: "etree._Element") -> None:
    """End a journey's axis where its tasks do, and show no more than there is: Mermaid leaves much room below, for nothing."""
    boxes = [box for box in root.iter(RECT) if (box.get("class") or "").startswith(("task", "journey-section"))]
    view = view_of(root)
    if view is None or not boxes:
        return
    right = max(number_of(box, "x") + number_of(box, "width") for box in boxes) + 20
    top = min(number_of(box, "y") for box in boxes) - 10
    foot = view.bottom
    for line in root.iter(LINE):
        if line.get("class") == "task-line":
            foot = number_of(line, "y2") + 10
        elif line.get("stroke-width") == "4":
            line.attrib.update({"stroke-width": "1.5", "x2": f"{right:g}"})
    # The legend of whoever takes part begins at the top too, and may be long.
    legend = max((number_of(each, "cy") + 15 for each in root if each.tag == CIRCLE), default=0.0)
    show(root, view._replace(left=view.left + 5, top=top, right=right + 12, bottom=max(foot, legend)))
    for box in boxes:
        # What stands in for a section that there is none of.
        group = box.getparent()
        if group is not None and (box.get("class") or "").startswith("journey-section") and not words_of(group):
            group.remove(box)


def _rect_before(text: "etree._Element") -> "etree._Element | None":
    """Return the box that stands before a text, or before the group that holds it alone."""
    for element in (text, text.getparent()):
        box = element.getprevious() if element is not None else None
        while box is not None and box.tag != RECT:
            box = box.getprevious()
        if box is not None:
            return box
    return None


def part_ticks(root: "etree._Element", _: float, theme: FigureTheme) -> None:
    """Take the letters off those ticks of a plan's axes that would stand on others, and the room about the plan away."""
    feet: list[float] = []
    for axis in root.iter(GROUP):
        place = SHIFT.match(axis.get("transform", "")) if axis.get("class") == "grid" else None
        if place is not None:
            feet.append(float(place[2]))
            _thin_out(axis, theme)
    view = view_of(root)
    rows = [number_of(box, "y") for box in root.iter(RECT) if (box.get("class") or "").startswith("section")]
    if view is None or not feet or not rows or any("vertText" in (each.get("class") or "") for each in root.iter(TEXT)):
        return
    top = min(rows) - (24 if len(feet) > 1 else 6)
    show(root, view._replace(top=max(view.top, top), bottom=min(view.bottom, max(feet) + 24)))


def _thin_out(axis: "etree._Element", theme: FigureTheme) -> None:
    """Take the letters off as many ticks between any two that keep theirs as it takes for none to stand on others."""
    found: list[tuple[float, float, etree._Element, etree._Element]] = []
    for tick in axis:
        shift, text = SHIFT.match(tick.get("transform", "")), tick.find(TEXT)
        if shift is not None and text is not None and text.text:
            half = line_width(text.text, _TICK_SIZE, is_monospaced=theme.is_monospaced) / 2 + 1
            found.append((float(shift[1]) - half, float(shift[1]) + half, tick, text))
    step = 1
    while any(one[1] > other[0] for one, other in pairwise(found[::step])):
        step += 1
    for number, (_, _, tick, text) in enumerate(found):
        if number % step:
            tick.remove(text)


def trim_pie(root: "etree._Element", size: float, theme: FigureTheme) -> None:
    """Show no more around a pie than it and its legend take, whatever its title does."""
    view = view_of(root)
    # An author may have chosen the size of the legend's letters.
    told = _LEGEND_SIZE.search(root.findtext(STYLE) or "")
    size = float(told[1]) if told else size
    for circle in root.iter(CIRCLE):
        if circle.get("class") != "pieOuterCircle" or view is None:
            continue
        (x, y), radius = moved(circle), number_of(circle, "r") + 8
        left, top, right, foot = x - radius, y - radius, x + radius, y + radius
        for text in root.iter(TEXT):
            if (text.get("class") or "").endswith("TitleText"):
                continue
            across, down = moved(text)
            across, down = across + number_of(text, "x"), down + number_of(text, "y")
            top, foot = min(top, down - 20), max(foot, down + 12)
            right = max(right, across + 8 + line_width(words_of(text), size, is_monospaced=theme.is_monospaced))
        show(root, View(left, top, right, foot))
        return


def keep_numbers(root: "etree._Element", _: float, __: FigureTheme) -> None:
    """Give a sequence whose participants are not named again at its foot some room there."""
    view = view_of(root)
    if view is not None and not any("actor-bottom" in (each.get("class") or "") for each in root.iter(RECT, GROUP)):
        show(root, view._replace(bottom=view.bottom + 10))


def _keep_points(root: "etree._Element", theme: FigureTheme) -> None:
    """Keep the names of a quadrant's points within the drawing."""
    view = view_of(root)
    if view is None:
        return
    for text in root.iter(TEXT):
        point = text.getparent()
        shift = SHIFT.match(text.get("transform", ""))
        if point is None or point.get("class") != "data-point" or shift is None:
            continue
        half = line_width(text.text or "", float(text.get("font-size", SIZE)), is_monospaced=theme.is_monospaced) / 2
        x = max(view.left + half, min(view.right - half, float(shift[1])))
        circle = point.find(CIRCLE)
        y = float(shift[2]) if circle is None else number_of(circle, "cy") + max(5.0, number_of(circle, "r"))
        text.set("transform", f"translate({x:g}, {y:g})")


def place_quadrants(root: "etree._Element", _: float, theme: FigureTheme) -> None:
    """Keep the names of points within a drawing, and make texts smaller that have no room in theirs."""
    _keep_points(root, theme)
    halves = [(number_of(each, "width"), number_of(each, "height")) for each in root.iter(RECT)][:1]
    for text in root.iter(TEXT):
        group = text.getparent()
        kind = group.get("class") if group is not None else None
        if kind == "quadrant":
            # It would touch the border.
            text.set("dy", "5")
        if not halves or kind not in {"quadrant", "label"}:
            continue
        size = float(text.get("font-size", SIZE))
        room = halves[0][1 if "rotate(-90)" in text.get("transform", "") else 0] - 8
        width = line_width(text.text or "", size, is_monospaced=theme.is_monospaced)
        if width > room:
            text.set("font-size", f"{max(_LEAST_SIZE, size * room / width):.3g}")
        if width * _LEAST_SIZE / size > room:
            text.set("textLength", f"{room:g}")
            text.set("lengthAdjust", "spacingAndGlyphs")


def place_git(root: "etree._Element", _: float, __: FigureTheme) -> None:
    """Put the tags and the names of branches into their places."""
    _raise_tags(root)
    _centre_branches(root)


def _centre_branches(root: "etree._Element") -> None:
    """Put the names of branches into the middle of their grounds, for fonts that are narrower than what was measured."""
    for label in root.iter(GROUP):
        ground = label.getprevious() if label.get("class") == "branchLabel" else None
        if ground is None or ground.tag != RECT or not len(label):
            continue
        laid, named = SHIFT.match(ground.get("transform", "")), SHIFT.match(label[0].get("transform", ""))
        if laid is None or named is None:
            continue
        middle = number_of(ground, "x") + number_of(ground, "width") / 2 + float(laid[1]) - float(named[1])
        for row in label.iter(TSPAN):
            row.set("x", f"{middle:g}")
            row.set("text-anchor", "middle")


def _raise_tags(root: "etree._Element") -> None:
    """Lift those tags of commits that would stand on the ones before, and make room for them at the top."""
    taken: dict[float, float] = {}
    lifted = 0
    for ground in root.iter(f"{SVG}polygon"):
        if ground.get("class") != "tag-label-bkg" or ground.get("transform"):
            continue
        points = [float(each) for each in re.findall(r"-?[\d.]+", ground.get("points", ""))]
        left, right, foot = min(points[::2]), max(points[::2]), max(points[1::2])
        level = 0
        while taken.get(foot - level * _TAG, float("-inf")) > left:
            level += 1
        taken[foot - level * _TAG] = right
        parts = [ground, *(each for each in (ground.getnext(), _second(ground)) if each is not None)]
        for part in parts if level else ():
            part.set("transform", f"translate(0, {-level * _TAG})")
        lifted = max(lifted, level)
    view = view_of(root)
    if lifted and view is not None:
        show(root, view._replace(top=view.top - lifted * _TAG))


def _second(element: "etree._Element") -> "etree._Element | None":
    following = element.getnext()
    return None if following is None else following.getnext()
