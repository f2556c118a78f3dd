"""The texts of charts, put where there is room for them: journeys, timelines, plans, quadrants and branches."""

import re

from lxml import etree

from mdpublish_core.figures.looks import FigureLook
from mdpublish_core.figures.mermaid.elements import GROUP, LEADING, LINE, RECT, SHIFT, SVG, TEXT, TSPAN, number_of
from mdpublish_core.figures.mermaid.measures import line_width, wrapped
from mdpublish_core.figures.mermaid.themes import SIZE, TITLE

# The smallest letters that a text is made smaller to, in px.
_LEAST_SIZE = 9.0

# From one row of tags over a branch to the next, in px.
_TAG = 21

# How far the middle of capital letters stands above their baseline, in em.
_MIDDLE = 0.35


def break_tasks(root: "etree._Element", look: FigureLook) -> None:
    """Break the texts of a journey into lines that its boxes have room for, and make its axis a fine one."""
    for text in root.iter(TEXT):
        box = _rect_before(text)
        if box is None or len(text) != 1 or not (text.get("class") or "").startswith(("task", "journey-section")):
            continue
        words = " ".join("".join(map(str, text.itertext())).split())
        lines = wrapped(words, number_of(box, "width") - 16, SIZE, is_monospaced=look.is_monospaced)
        x = text[0].get("x", "0")
        text.remove(text[0])
        for number, line in enumerate(lines):
            row = etree.SubElement(text, TSPAN, {"x": x})
            row.set("dy", f"{LEADING if number else -LEADING * (len(lines) - 1) / 2:.3g}em")
            row.text = line.text
    for axis in root.iter(LINE):
        if axis.get("stroke-width") == "4":
            axis.set("stroke-width", "1.5")


def _rect_before(text: "etree._Element") -> "etree._Element | None":
    """Return the box that stands before a text, or before the group that holds it alone."""
    for element in (text, text.getparent()):
        box = element.getprevious() if element is not None else None
        while box is not None and box.tag != RECT:
            box = box.getprevious()
        if box is not None:
            return box
    return None


def centre_events(root: "etree._Element", _: FigureLook) -> None:
    """Put the texts of a timeline into the middle of their boxes, and its title into the size of titles."""
    for text in root.iter(TEXT):
        if text.get("font-size") == "4ex":
            text.set("font-size", f"{TITLE}px")
            continue
        group = text.getparent()
        shapes = group.getprevious() if group is not None else None
        line = shapes.find(LINE) if shapes is not None else None
        shift = SHIFT.match(group.get("transform", "")) if group is not None else None
        if group is None or line is None or shift is None or not len(text):
            continue
        for name in ("dy", "dominant-baseline", "alignment-baseline"):
            text.attrib.pop(name, "")
        group.set("transform", f"translate({shift[1]}, {number_of(line, 'y1') / 2:g})")
        text[0].set("dy", f"{_MIDDLE - LEADING * (len(text) - 1) / 2:.3g}em")
    for axis in root.iter(LINE):
        if axis.get("stroke-width") in {"2", "4"}:
            axis.set("stroke-width", "1.5" if axis.get("stroke-width") == "4" else "1")


def part_ticks(root: "etree._Element", look: FigureLook) -> None:
    """Take the letters off those ticks of a plan's axis that would stand on the ones before."""
    for axis in root.iter(GROUP):
        if axis.get("class") != "grid":
            continue
        taken = float("-inf")
        for tick in axis:
            shift, text = SHIFT.match(tick.get("transform", "")), tick.find(TEXT)
            if shift is None or text is None or not text.text:
                continue
            half = line_width(text.text, 10, is_monospaced=look.is_monospaced) / 2
            if float(shift[1]) - half < taken + 2:
                tick.remove(text)
            else:
                taken = float(shift[1]) + half


def _keep_points(root: "etree._Element", look: FigureLook) -> None:
    """Keep the names of a quadrant's points within the drawing."""
    box = root.get("viewBox", "").split()
    if len(box) != 4:
        return
    least, most = float(box[0]), float(box[0]) + float(box[2])
    for text in root.iter(TEXT):
        point = text.getparent()
        shift = SHIFT.match(text.get("transform", ""))
        if point is None or point.get("class") != "data-point" or shift is None:
            continue
        half = line_width(text.text or "", float(text.get("font-size", SIZE)), is_monospaced=look.is_monospaced) / 2
        x = max(least + half, min(most - half, float(shift[1])))
        circle = point.find(f"{SVG}circle")
        y = float(shift[2]) if circle is None else number_of(circle, "cy") + max(5.0, number_of(circle, "r"))
        text.set("transform", f"translate({x:g}, {y:g})")


def place_quadrants(root: "etree._Element", look: FigureLook) -> None:
    """Keep the names of points within a drawing, and make texts smaller that have no room in theirs."""
    _keep_points(root, look)
    halves = [(number_of(each, "width"), number_of(each, "height")) for each in root.iter(RECT)][:1]
    for text in root.iter(TEXT):
        group = text.getparent()
        kind = group.get("class") if group is not None else None
        if not halves or kind not in {"quadrant", "label", "title"}:
            continue
        size = float(text.get("font-size", SIZE))
        room = halves[0][1 if "rotate(-90)" in text.get("transform", "") else 0] * (2 if kind == "title" else 1) - 8
        width = line_width(text.text or "", size, is_bold=kind == "title", is_monospaced=look.is_monospaced)
        if width > room:
            text.set("font-size", f"{max(_LEAST_SIZE, size * room / width):.3g}")
        if width * _LEAST_SIZE / size > room:
            text.set("textLength", f"{room:g}")
            text.set("lengthAdjust", "spacingAndGlyphs")


def place_git(root: "etree._Element", _: FigureLook) -> None:
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
    box = root.get("viewBox", "").split()
    if lifted and len(box) == 4:
        root.set("viewBox", f"{box[0]} {float(box[1]) - lifted * _TAG:g} {box[2]} {float(box[3]) + lifted * _TAG:g}")


def _second(element: "etree._Element") -> "etree._Element | None":
    following = element.getnext()
    return None if following is None else following.getnext()
