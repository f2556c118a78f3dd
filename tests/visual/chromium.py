"""Chromium as a reference for figures: Mermaid's output, and the layout of ours. There is no network."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tests.corpora import PackagedFile, fetch

if TYPE_CHECKING:
    # The session `tests` collects these tests without Playwright installed.
    from playwright.sync_api import Browser, Page

_MERMAID = PackagedFile(
    package="mermaid",
    version="12.3.0",
    path="dist/mermaid.min.js",
    sha256="336df803d87a38b70a01e736e666c8f7601d2ce42f5e47c8fafe5d721074b9a3",
)

_TIMEOUT_MS = 120_000

_PIECES = """(root) => {
  const pieces = [], walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const node = walk.currentNode, held = node.parentElement;
    if (!node.data.trim() || held.closest("style, title, desc, metadata, script")) continue;
    if (held.checkVisibility({ opacityProperty: true, visibilityProperty: true })) pieces.push(node.data);
  }
  return pieces;
}"""

# Corners of texts and of HTML labels, in the SVG's units.
_LABELS = """(root) => {
  const found = [], inverse = root.getScreenCTM().inverse();
  const add = (text, left, top, right, bottom, matrix) => found.push([text, [[left, top], [right, top], [right, bottom], [left, bottom]]
    .map(([x, y]) => new DOMPoint(x, y).matrixTransform(matrix)).map(({ x, y }) => [x, y])]);
  for (const label of root.querySelectorAll("text, foreignObject")) {
    const words = label.textContent.trim();
    if (!words || label.closest("defs") || !label.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    if (label.localName === "text") {
      const box = label.getBBox();
      add(words, box.x, box.y, box.x + box.width, box.y + box.height, inverse.multiply(label.getScreenCTM()));
    } else {
      const range = document.createRange();
      range.selectNodeContents(label);
      const rects = [...range.getClientRects()].filter((each) => each.width && each.height);
      if (rects.length) add(words, Math.min(...rects.map((each) => each.left)), Math.min(...rects.map((each) => each.top)),
        Math.max(...rects.map((each) => each.right)), Math.max(...rects.map((each) => each.bottom)), inverse);
    }
  }
  return found;
}"""

_DRAW = (
    """async ([number, source]) => {
  const pieces = """
    + _PIECES
    + """;
  const labels = """
    + _LABELS
    + """;
  const place = document.createElement("div");
  document.body.append(place);
  try {
    const { svg } = await mermaid.render(`m${number}`, source);
    place.innerHTML = svg;
    return { pieces: pieces(place.firstElementChild), labels: labels(place.querySelector("svg")), error: null };
  } catch (error) {
    return { pieces: [], labels: [], error: String(error && error.message || error) };
  } finally {
    place.remove();
    document.querySelectorAll(`#dm${number}, #m${number}`).forEach((left) => left.remove());
  }
}"""
)

_STARTED = """mermaid.initialize({ startOnLoad: false, securityLevel: "strict", suppressErrorRendering: true });"""

# In the SVG's units. A text's shape is the smallest area in its group, drawn before it, that contains its center.
_MEASURE = """(root) => {
  const area = "rect, circle, ellipse, polygon, path";
  for (const use of root.querySelectorAll("use")) {
    // What stands elsewhere is drawn here: as a copy it can be measured.
    const group = document.createElementNS(root.namespaceURI, "g"), place = [use.x.baseVal.value, use.y.baseVal.value];
    for (const { name, value } of use.attributes) if (!/href$|^(x|y|width|height)$/.test(name)) group.setAttribute(name, value);
    group.setAttribute("transform", `${use.getAttribute("transform") || ""} translate(${place})`);
    group.append(root.querySelector(use.getAttribute("href")).cloneNode(true));
    use.replaceWith(group);
  }
  const toRoot = (element) => root.getScreenCTM().inverse().multiply(element.getScreenCTM());
  const corners = (element) => {
    const box = element.getBBox(), matrix = toRoot(element);
    return [[box.x, box.y], [box.x + box.width, box.y], [box.x + box.width, box.y + box.height], [box.x, box.y + box.height]]
      .map(([x, y]) => new DOMPoint(x, y).matrixTransform(matrix)).map(({ x, y }) => [x, y]);
  };
  const isArea = (shape) => {
    if (shape.closest("defs, marker, clipPath, symbol, pattern")) return false;
    const style = getComputedStyle(shape), box = shape.getBBox();
    if (!box.width || !box.height || style.display === "none" || style.visibility === "hidden") return false;
    if (shape.localName === "path" && style.fill === "none" && !/z\\s*$/i.test(shape.getAttribute("d") || "")) return false;
    return style.fill !== "none" || style.stroke !== "none";
  };
  // Not at the very point: of the middle of a circle, Chromium says that it is outside.
  const holds = (shape, [x, y]) =>
    shape.isPointInFill(new DOMPoint(x + 0.13, y + 0.17).matrixTransform(toRoot(shape).inverse()));
  const shapes = [...root.querySelectorAll(area)].filter(isArea);
  const size = (shape) => { const box = shape.getBBox(); return box.width * box.height; };
  const holder = (text, middle) => {
    const before = shapes.filter((shape) => shape.compareDocumentPosition(text) & Node.DOCUMENT_POSITION_FOLLOWING);
    const holding = before.filter((shape) => holds(shape, middle));
    const smallest = (among) => among.reduce((one, other) => (size(other) < size(one) ? other : one));
    for (let group = text.parentElement; group && group !== root; group = group.parentElement) {
      const near = holding.filter((shape) => group.contains(shape));
      if (near.length) return smallest(near);
    }
    // Without a group, a text belongs to a shape in whose middle it stands, or at whose top; others merely stand behind it.
    const line = parseFloat(getComputedStyle(text).fontSize);
    const belongs = (shape) => {
      const [[left, top], , [right, bottom]] = corners(shape), width = right - left, height = bottom - top;
      return Math.min(width, height) >= 0.8 * line && Math.abs(middle[0] - (left + right) / 2) <= 0.1 * width + 2 &&
        (Math.abs(middle[1] - (top + bottom) / 2) <= 0.2 * height + 2 || middle[1] - top <= 1.5 * line);
    };
    const near = holding.filter(belongs);
    return near.length ? smallest(near) : null;
  };
  const colour = (element, property) => {
    const value = getComputedStyle(element)[property];
    // A gradient counts as the color in which it begins.
    const gradient = value.startsWith('url("#') && root.querySelector(value.slice(5, value.indexOf('")')));
    const stop = gradient && gradient.querySelector("stop");
    return stop ? getComputedStyle(stop).stopColor : value;
  };
  // A pattern is seen by its lines.
  const ink = (element, property) => {
    const value = colour(element, property);
    const tile = value.startsWith('url("#') && root.querySelector(value.slice(5, value.indexOf('")')));
    const line = tile && tile.querySelector("path");
    return line ? getComputedStyle(line).stroke : value;
  };
  const isOpaque = (paint) => !/^rgba\\(.*, 0(\\.0\\d*)?\\)$/.test(paint);
  const alpha = (element, property) => {
    let part = Number(colour(element, property + "Opacity"));
    for (let each = element; each && each !== root; each = each.parentElement) part *= Number(colour(each, "opacity"));
    return part;
  };
  // Numbers of messages stand on the mark at which a line begins: its fill is their ground.
  const beginnings = [...root.querySelectorAll("[marker-start]")].map((line) => {
    const marker = root.querySelector(line.getAttribute("marker-start").slice(4, -1));
    return { line, point: line.getPointAtLength(0).matrixTransform(toRoot(line)), shape: marker && marker.firstElementChild };
  });
  const marksUnder = (text, [x, y]) => beginnings.filter(({ line, point, shape }) => shape &&
    Math.hypot(point.x - x, point.y - y) < 8 && (line.compareDocumentPosition(text) & Node.DOCUMENT_POSITION_FOLLOWING))
    .map(({ shape }) => [colour(shape, "fill"), alpha(shape, "fill")]);
  const view = root.viewBox.baseVal;
  const texts = [...root.querySelectorAll("text")].filter((text) => text.textContent.trim() && !text.closest("defs") &&
    text.checkVisibility({ opacityProperty: true, visibilityProperty: true })).map((text) => {
    const points = corners(text);
    const middle = [0, 1].map((axis) => points.reduce((sum, point) => sum + point[axis], 0) / 4);
    const found = holder(text, middle);
    const between = (one, other, share) => [0, 1].map((axis) => one[axis] + (other[axis] - one[axis]) * share);
    const left = between(points[0], points[3], 0.5), right = between(points[1], points[2], 0.5);
    const width = Math.hypot(right[0] - left[0], right[1] - left[1]);
    const inset = Math.min(0.49, 1 / Math.max(width, 1));
    // A letter's own height is about 0.7 of the box in which its line stands.
    const top = between(points[0], points[3], 0.15), bottom = between(points[0], points[3], 0.85);
    const behind = shapes.filter((shape) => (shape.compareDocumentPosition(text) & Node.DOCUMENT_POSITION_FOLLOWING) &&
      colour(shape, "fill") !== "none" && holds(shape, middle)).map((shape) => [colour(shape, "fill"), alpha(shape, "fill")]);
    const letters = [...text.querySelectorAll("tspan")].find((each) => [...each.childNodes].some((child) => child.nodeType === 3 && child.data.trim())) || text;
    // An outline below the letters hides what is behind them.
    const isOutlined = colour(letters, "paintOrder").startsWith("stroke") && colour(letters, "stroke") !== "none" &&
      parseFloat(colour(letters, "strokeWidth")) >= 3;
    // What is drawn later hides the letters below it.
    const letterPoints = [0.1, 0.3, 0.5, 0.7, 0.9].map((share) => between(left, right, share));
    const above = shapes.filter((shape) => shape.compareDocumentPosition(text) & Node.DOCUMENT_POSITION_PRECEDING);
    const cover = above.find((shape) => colour(shape, "fill") !== "none" && alpha(shape, "fill") > 0.1 && isOpaque(colour(shape, "fill")) &&
      letterPoints.some((point) => holds(shape, point)));
    const outline = isOutlined ? [[colour(letters, "stroke"), alpha(letters, "stroke")]] : [];
    return {
      text: text.textContent, points, width,
      shape: found && found.localName, shapePoints: found && corners(found),
      cover: cover ? cover.localName : null,
      fits: !found || (holds(found, between(left, right, inset)) && holds(found, between(right, left, inset))),
      fill: colour(letters, "fill"), fillAlpha: alpha(letters, "fill"),
      grounds: [...behind, ...marksUnder(text, middle), ...outline], size: parseFloat(colour(letters, "fontSize")), family: colour(letters, "fontFamily"),
      weight: colour(letters, "fontWeight"),
    };
  });
  const marks = [...root.querySelectorAll("path, line, polyline, rect, circle, ellipse, polygon")].filter((mark) =>
    !mark.closest("defs, marker, clipPath, symbol, pattern") && mark.checkVisibility()).map((mark) => ({
      name: mark.localName, stroke: colour(mark, "stroke"), strokeAlpha: alpha(mark, "stroke"),
      strokeWidth: parseFloat(colour(mark, "strokeWidth")), fill: ink(mark, "fill"), fillAlpha: alpha(mark, "fill"),
      points: corners(mark), isArea: isArea(mark),
    }));
  return { texts, marks, view: [view.x, view.y, view.width, view.height] };
}"""

_LAY_OUT = (
    """([markups]) => {
  const letters = """
    + _MEASURE
    + """;
  const found = [];
  for (const markup of markups) {
    const place = document.createElement("div");
    place.innerHTML = markup;
    document.body.append(place);
    found.push(letters(place.querySelector("svg")));
    place.remove();
  }
  return found;
}"""
)

Point = tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class MermaidResult:
    words: Counter[str]
    labels: tuple[tuple[str, tuple[Point, ...]], ...]
    """With their corners."""

    error: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TextBox:
    """`shape` encloses the text; `grounds` are the fills behind it from the bottom up."""

    label: str
    points: tuple[Point, ...]
    shape: str | None
    shape_points: tuple[Point, ...]
    fits: bool
    cover: str | None
    """A shape drawn later that hides letters."""

    fill: str
    fill_alpha: float
    grounds: tuple[tuple[str, float], ...]
    size: float
    family: str
    weight: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    name: str
    points: tuple[Point, ...]
    stroke: str
    stroke_alpha: float
    stroke_width: float
    fill: str
    fill_alpha: float
    is_area: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """Geometry is in the SVG's units."""

    text_boxes: tuple[TextBox, ...]
    marks: tuple[Mark, ...]
    view: tuple[float, float, float, float]


def offline_page(browser: "Browser") -> "Page":
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.set_default_timeout(_TIMEOUT_MS)
    page.route("**/*", lambda route: route.abort())
    page.set_content("<!DOCTYPE html><meta charset=utf-8><body>")
    return page


class Mermaid:
    def __init__(self, browser: "Browser") -> None:
        self._browser = browser
        self._page = self._fresh()
        self._number = 0

    def render(self, source: str) -> MermaidResult:
        self._number += 1
        result: dict[str, Any] = self._page.evaluate(_DRAW, [self._number, source])
        labels = tuple((label, _points(points)) for label, points in result["labels"])
        return MermaidResult(words=words_of(result["pieces"]), labels=labels, error=result["error"])

    def _fresh(self) -> "Page":
        page = offline_page(self._browser)
        page.add_script_tag(content=fetch(_MERMAID).decode("utf-8"))
        page.evaluate(_STARTED)
        return page


def words_of(pieces: Sequence[str]) -> Counter[str]:
    return Counter(word for piece in pieces for word in piece.split())


def layouts_in(page: "Page", selector: str) -> list[Layout]:
    """Measure SVGs where they are, in the colors that the page gives them."""
    # `use` elements are replaced by copies: once a page.
    script = f"selector => [...document.querySelectorAll(selector)].map({_MEASURE})"
    return [_layout(result) for result in page.evaluate(script, selector)]


def layouts(page: "Page", markups: Sequence[str]) -> list[Layout]:
    return [_layout(result) for result in page.evaluate(_LAY_OUT, [list(markups)])]


def _layout(result: dict[str, Any]) -> Layout:
    text_boxes = tuple(
        TextBox(
            label=each["text"],
            points=_points(each["points"]),
            shape=each["shape"],
            shape_points=_points(each["shapePoints"] or ()),
            fits=each["fits"],
            cover=each["cover"],
            fill=each["fill"],
            fill_alpha=each["fillAlpha"],
            grounds=tuple((ground, alpha) for ground, alpha in each["grounds"]),
            size=each["size"],
            family=each["family"],
            weight=each["weight"],
        )
        for each in result["texts"]
    )
    marks = tuple(
        Mark(
            name=each["name"],
            points=_points(each["points"]),
            stroke=each["stroke"],
            stroke_alpha=each["strokeAlpha"],
            stroke_width=each["strokeWidth"],
            fill=each["fill"],
            fill_alpha=each["fillAlpha"],
            is_area=each["isArea"],
        )
        for each in result["marks"]
    )
    x, y, width, height = result["view"]
    return Layout(text_boxes=text_boxes, marks=marks, view=(x, y, width, height))


def _points(pairs: Sequence[Sequence[float]]) -> tuple[Point, ...]:
    return tuple((x, y) for x, y in pairs)
