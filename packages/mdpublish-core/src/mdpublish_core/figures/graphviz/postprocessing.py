"""Clean up Graphviz's SVG: size, fonts, text runs, titles and links."""

import re
from collections.abc import Sequence

from lxml import etree

from mdpublish_core.figures.errors import FigureError
from mdpublish_core.figures.graphviz.defaults import FONT_SIZE, round_boxes
from mdpublish_core.figures.graphviz.font_metrics import MONO, SANS, label_width
from mdpublish_core.figures.graphviz.sanitizer import ALLOWED_LINK
from mdpublish_core.figures.request import FigureTheme
from mdpublish_core.figures.svg import NAMESPACE, SHAPES, box_of, outlines

_SVG = f"{{{NAMESPACE}}}"
_GROUP_TAG, _LINK_TAG, _POLYGON_TAG, _TEXT_TAG, _TSPAN_TAG, _TITLE_TAG = (
    f"{_SVG}{tag}" for tag in ("g", "a", "polygon", "text", "tspan", "title")
)
_TIP, _HREF = (f"{{http://www.w3.org/1999/xlink}}{name}" for name in ("title", "href"))
_SPACE = "{http://www.w3.org/XML/1998/namespace}space"

_NO_TRANSFORM = re.compile(r"scale\(1 1\) rotate\(0\) ")
_SPACES = re.compile("  +")
_LONG_SPACE = re.compile(f"^ +| +$|{_SPACES.pattern}")

# Maximum gap between runs of a line in px, due to rounding; attributes of lines, not of runs.
_TOLERANCE = 1.5
_POSITION_ATTRIBUTES = frozenset({"x", "y", "text-anchor", _SPACE})


_WHITE = frozenset({"white", "#ffffff"})


def postprocess(svg: bytes, theme: FigureTheme, *, has_background: bool) -> str:
    """Raise `FigureError` if it is no SVG."""
    root = _parsed(svg)
    _remove_paper(root, has_background=has_background)
    for side in ("width", "height"):
        # Points are rendered as CSS px.
        root.set(side, root.get(side, "").removesuffix("pt"))
    root.set("font-family", theme.font_family)
    root.set("font-size", str(FONT_SIZE))
    _join_runs(root)
    round_boxes(root, theme)
    for element in list(root.iter(f"{_SVG}*")):
        if element.tag == _TITLE_TAG:
            # Graphviz puts node ids into titles.
            _remove(element)
        elif element.tag in {_TEXT_TAG, _TSPAN_TAG}:
            _postprocess_text(element)
        elif element.tag == _LINK_TAG:
            _postprocess_link(element)
        elif element.tag == _GROUP_TAG:
            for name in ("id", "class"):
                element.attrib.pop(name, "")
            transform = element.get("transform")
            if transform:
                element.set("transform", _NO_TRANSFORM.sub("", transform))
    return etree.tostring(root, encoding="unicode")


def _parsed(svg: bytes) -> "etree._Element":
    # HTML labels can make the output ill-formed, hence `recover`.
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, remove_comments=True, remove_pis=True, recover=True, huge_tree=True
    )
    root = etree.fromstring(svg, parser)
    if root is None or root.tag != f"{_SVG}svg":
        raise FigureError("Graphviz returned no SVG")
    return root


def _remove_paper(root: "etree._Element", *, has_background: bool) -> None:
    """Remove the canvas, unless the author colored it; white means paper, which is the page."""
    sheet = root.find(f"{_GROUP_TAG}/{_POLYGON_TAG}")
    if sheet is not None and not (has_background and sheet.get("fill") not in _WHITE):
        _remove(sheet)


def _join_runs(root: "etree._Element") -> None:
    """Merge the text runs of each line of an HTML label.

    Runs begin where the widest font would end, which leaves gaps in narrower fonts.
    """
    first: etree._Element | None = None
    end = 0.0
    lines: dict[etree._Element, list[tuple[etree._Element, float]]] = {}
    for text_element in list(root.iter(_TEXT_TAG)):
        parent = text_element.getparent()
        if text_element.get("text-anchor") != "start" or parent is None:
            first = None
            continue
        left = float(text_element.get("x", "0"))
        follows = text_element.getprevious() is first and abs(left - end) < _TOLERANCE
        end = left + _run_width(text_element)
        if first is None or not follows or text_element.get("y") != first.get("y"):
            first = text_element
            lines.setdefault(parent, []).append((first, end))
            continue
        if not len(first):
            _add_run(first, first)
        _add_run(first, text_element)
        _remove(text_element)
        lines[parent][-1] = (first, end)
    for parent, its in lines.items():
        _centre(parent, its)


def _centre(parent: "etree._Element", lines: Sequence[tuple["etree._Element", float]]) -> None:
    """Center lines that are centered in a shape; in tables, keep columns aligned."""
    shapes = [(tag, each) for each in parent if (tag := str(each.tag).removeprefix(_SVG)) in SHAPES]
    points = [point for tag, each in shapes for polygon in outlines(tag, each.attrib) for point in polygon]  # type: ignore[arg-type]
    if len(shapes) != 1 or not points:
        return
    box = box_of(points)
    middle = (box.left + box.right) / 2
    if all(abs((float(text_element.get("x", "0")) + end) / 2 - middle) < _TOLERANCE for text_element, end in lines):
        for text_element, _ in lines:
            text_element.set("x", f"{middle:.2f}")
            text_element.set("text-anchor", "middle")


def _add_run(line: "etree._Element", run: "etree._Element") -> None:
    span = etree.SubElement(line, _TSPAN_TAG)
    for name, value in run.attrib.items():
        if name not in _POSITION_ATTRIBUTES:
            span.set(name, value)
    span.text = run.text
    if line is run:
        line.text = None
        for name in span.attrib:
            line.attrib.pop(name)


def _run_width(text_element: "etree._Element") -> float:
    size = float(text_element.get("font-size", str(FONT_SIZE)))
    family = MONO if text_element.get("font-family") == MONO else SANS
    return label_width(text_element.text or "", size, family=family, is_bold=text_element.get("font-weight") == "bold")


def _postprocess_text(text_element: "etree._Element") -> None:
    text_element.attrib.pop(_SPACE, "")
    if text_element.text:
        spaces = _LONG_SPACE if text_element.tag == _TEXT_TAG else _SPACES
        text_element.text = spaces.sub(lambda match: "\xa0" * len(match[0]), text_element.text)
    if text_element.get("font-family") in {SANS, MONO}:
        del text_element.attrib["font-family"]
    if text_element.get("font-size") == f"{FONT_SIZE:.2f}":
        del text_element.attrib["font-size"]


def _postprocess_link(link: "etree._Element") -> None:
    """Turn a tooltip into a `title`, unless it repeats the label."""
    if not ALLOWED_LINK.match(link.get(_HREF, "")):
        link.attrib.pop(_HREF, "")
    title = " ".join(link.get(_TIP, "").split())
    link.attrib.pop(_TIP, "")
    label = " ".join("".join(map(str, link.itertext())).split())
    if link.get(_HREF) is None:
        link.tag = _GROUP_TAG
    if title and title not in {label, "<TABLE>"}:
        element = etree.Element(_TITLE_TAG)
        element.text = title
        element.tail, link.text = link.text, None
        link.insert(0, element)


def _remove(element: "etree._Element") -> None:
    parent = element.getparent()
    assert parent is not None
    parent.remove(element)
