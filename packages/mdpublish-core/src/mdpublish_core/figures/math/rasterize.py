"""The engine of formula images: MathML rendered by ziamath in STIX Two Math, which it ships.

No other module imports ziamath. Glyphs are outlines; characters that the font lacks (ideographs, emoji) are SVG text.
ziamath lays out rows, fractions, roots, scripts and operators; arrows with labels, enclosures, ruled tables, colors and
padding are custom nodes here, hence the module's length. Bounds are computed here: ziamath's omit parts of formulas.
"""

import math
import re
import warnings
from importlib.metadata import version
from threading import Lock
from typing import Any, NamedTuple, TypeAlias
from unicodedata import bidirectional, normalize
from xml.etree.ElementTree import Element, ParseError, fromstring

from mdpublish_core.data_files import read_table
from mdpublish_core.errors import importing_extra
from mdpublish_core.figures.errors import FigureError
from mdpublish_core.figures.fonts import FONT_FAMILY, text_width
from mdpublish_core.figures.math.layout import lay_out
from mdpublish_core.figures.request import EngineOutput, FigureRequest
from mdpublish_core.html import HtmlWriter

with importing_extra("figures", "ziamath"), warnings.catch_warnings():
    # It finds its font by a deprecated API.
    warnings.simplefilter("ignore", DeprecationWarning)
    from ziafont.fonttypes import BBox
    from ziafont.glyph import CompoundGlyph, SimpleGlyph
    from ziamath.drawable import Drawable, Glyph, HLine
    from ziamath.nodes.mnode import Mnode
    from ziamath.nodes.mrow import Mrow
    from ziamath.nodes.nodetools import subglyph
    from ziamath.styles import MathVariant, styledchr
    from ziamath.zmath import Math

FONT_SIZE = 16.0  # default, in px

DISPLAY_SCALE = 1.15  # of display math

FONT_SIZE_RANGE = (4.0, 200.0)  # px

MAX_ELEMENTS = 6_000
"""Of one formula; takes about a second."""

MAX_SIDE = 8_000
"""In px; at 2 px per CSS px, this is the limit of `rasterizer`."""

MAX_PIXELS = 4_000_000

FONT = "STIX Two Math"

_PADDING = 1
"""In px, for antialiasing."""

_SVG = "http://www.w3.org/2000/svg"
_SPACES = frozenset(" \u00a0")
_SIZE = re.compile(r"[0-9]{1,3}(?:\.[0-9]{1,3})?")

# ziamath reads glyphs lazily, which is not thread-safe.
_font_lock = Lock()

# Stretched ones are put together of several.
_WITH_NUMBER = (SimpleGlyph, CompoundGlyph)


def render(request: FigureRequest) -> EngineOutput:
    """Render the request's MathML; raises `FigureError`."""
    root = _parsed(request.source)
    size = _size_of(request) * (DISPLAY_SCALE if root.get("display") == "block" else 1.0)
    tree = lay_out(root, color=request.theme.text_color, background=request.theme.background)
    if tree.tag != "row":
        tree, only = Element("row", tree.attrib), tree
        tree.append(only)
    with _font_lock:
        try:
            math_layout = Math(tree, size=size)
            pen = _Canvas(has_text="png" not in request.forms)
            pen.draw(math_layout.node, 0.0, 0.0, request.theme.text_color)
        except RecursionError:
            raise FigureError("the formula is nested too deep; simplify it") from None
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
            raise FigureError(f"rendering failed: {type(error).__name__}: {str(error)[:80]}") from None
        right = max(pen.right, math_layout.node.bbox.xmax)
        return _to_svg(pen, right)


def describe() -> str:
    """Return the engine in use."""
    return f"ziamath {version('ziamath')}"


def _parsed(source: str) -> Element:
    # Formulas have no declarations; rejecting them excludes entities.
    if "<!" in source or "<?" in source:
        raise FigureError("MathML must not contain declarations, comments or processing instructions")
    try:
        root = fromstring(source)  # noqa: S314  (no declaration, no entity)
    except ParseError as error:
        raise FigureError(f"MathML is not well-formed: {error}") from None
    count = sum(1 for _ in root.iter())
    if count > MAX_ELEMENTS:
        raise FigureError(f"the formula must be at most {MAX_ELEMENTS:,} elements (got {count:,}); split it")
    return root


def _size_of(request: FigureRequest) -> float:
    given = request.option.get("size", "")
    if not _SIZE.fullmatch(given):
        return FONT_SIZE
    return min(max(float(given), FONT_SIZE_RANGE[0]), FONT_SIZE_RANGE[1])


def _to_svg(canvas: "_Canvas", right: float) -> EngineOutput:
    """Write the SVG, with the baseline on a pixel boundary."""
    if not canvas.shapes and right <= 0:
        raise FigureError("the formula has no visible content")
    left = math.floor(min(canvas.left, 0.0)) - _PADDING
    top, bottom = math.ceil(max(-canvas.top, 0.0)) + _PADDING, math.ceil(max(canvas.bottom, 0.0)) + _PADDING
    width, height = math.ceil(max(right, 1.0)) + _PADDING - left, top + bottom
    if max(width, height) > MAX_SIDE or width * height > MAX_PIXELS:
        raise FigureError(
            f"the image must be at most {MAX_SIDE:,} px per side and {MAX_PIXELS:,} px in all "
            f"(got {width:,} by {height:,} px); break the formula into lines"
        )
    writer = HtmlWriter()
    box = f"{left} {-top} {width} {height}"
    writer.start("svg", (("xmlns", _SVG), ("width", width), ("height", height), ("viewBox", box)))
    for tag, attributes, content in canvas.shapes:
        if content:
            writer.element(tag, content, attributes)
        else:
            writer.empty(tag, attributes)
    writer.end()
    return EngineOutput(svg=writer.finish(), depth=float(bottom), min_side=0)


SvgShape: TypeAlias = tuple[str, tuple[tuple[str, str | None], ...], str]


class _Leaf(Drawable):
    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]


class _Line(_Leaf):
    def __init__(self, across: float, down: float, width: float, *, dashes: bool = False) -> None:
        super().__init__()
        self.across, self.down, self.width, self.dashes = across, down, width, dashes


class _Background(_Leaf):
    """A filled area, in the text color by default."""

    def __init__(self, width: float, height: float, color: str = "") -> None:
        super().__init__()
        self.width, self.height, self.color = width, height, color


class _FallbackText(_Leaf):
    """Characters that the font lacks, as SVG text."""

    def __init__(self, content: str, size: float) -> None:
        super().__init__()
        self.content, self.size = content, size
        self.width = text_width(content, size)
        self.bbox = BBox(0, self.width, -0.22 * size, 0.85 * size)


def _plain(character: str) -> str:
    """Return the letter that people search for, of those that Unicode has for mathematics."""
    return normalize("NFKC", character) if "\U0001d400" <= character <= "\U0001d7ff" else character


class _Canvas:
    """Collects shapes and their bounds. Glyphs are outlines, or text with the glyph's number for what has the font."""

    def __init__(self, *, has_text: bool) -> None:
        self._has_text = has_text
        self.shapes: list[SvgShape] = []
        self.left, self.right = 0.0, 0.0
        self.top, self.bottom = 0.0, 0.0

    def draw(self, node: Drawable, x: float, y: float, color: str, *, is_seen: bool = True) -> None:
        """Draw a node and its children; invisible ones only extend the bounds."""
        if isinstance(node, Mnode):
            # ziamath draws lines over and under elements in black.
            seen = is_seen and not isinstance(node, _Phantom)
            for (right, down), child in zip(node.nodexy, node.nodes, strict=True):
                self.draw(child, x + right, y + down, node.style.mathcolor, is_seen=seen)
            return
        drawn = self._leaf(node, x, y, color)
        if is_seen:
            self.shapes += drawn

    def _leaf(self, node: Drawable, x: float, y: float, color: str) -> list[SvgShape]:
        if isinstance(node, Glyph):
            return self._glyph(node, x, y, color)
        if isinstance(node, HLine):
            return self._fill(x, y, (node.length, node.lw), color)
        if isinstance(node, _Background):
            return self._fill(x, y, (node.width, node.height), node.color or color)
        if isinstance(node, _Line):
            return self._line(node, x, y, color)
        assert isinstance(node, _FallbackText), node
        self._reach(x, y - node.bbox.ymax, x + node.width, y - node.bbox.ymin)
        attributes = (
            ("x", _px(x)),
            ("y", _px(y)),
            ("font-family", FONT_FAMILY),
            ("font-size", _px(node.size)),
            ("fill", color),
        )
        return [("text", attributes, node.content)]

    def _glyph(self, node: Glyph, x: float, y: float, color: str) -> list[SvgShape]:
        self._reach(x + node.bbox.xmin, y - node.bbox.ymax, x + node.bbox.xmax, y - node.bbox.ymin)
        if self._has_text and type(node.glyph) in _WITH_NUMBER:
            place = (("x", _px(x)), ("y", _px(y)), ("font-size", _px(node.size)), ("fill", color))
            name = (("font-family", FONT), ("data-glyph", str(node.glyph.index)))
            return [("text", (*place, *name), _plain(node.char))]
        outline = node.glyph.svgpath(x, y, node.size / node.glyph.DFLT_SIZE_PT)
        if outline is None:
            return []
        # Stretched glyphs have several paths.
        paths = [path.get("d", "").strip() for path in outline.iter("path")]
        return [("path", (("d", path), ("fill", color)), "") for path in paths]

    def _reach(self, left: float, top: float, right: float, bottom: float) -> None:
        self.left, self.right = min(self.left, left), max(self.right, right)
        self.top, self.bottom = min(self.top, top), max(self.bottom, bottom)

    def _fill(self, x: float, y: float, size: tuple[float, float], color: str) -> list[SvgShape]:
        width, height = size
        if width <= 0 or height <= 0:
            return []
        self._reach(x, y, x + width, y + height)
        attributes = (("x", _px(x)), ("y", _px(y)), ("width", _px(width)), ("height", _px(height)), ("fill", color))
        return [("rect", attributes, "")]

    def _line(self, line: _Line, x: float, y: float, color: str) -> list[SvgShape]:
        half = line.width / 2
        across, down = sorted((x, x + line.across)), sorted((y, y + line.down))
        self._reach(across[0] - half, down[0] - half, across[1] + half, down[1] + half)
        dash = _px(line.width * 3)
        path = f"M {_px(x)} {_px(y)} L {_px(x + line.across)} {_px(y + line.down)}"
        stroke = (("fill", "none"), ("stroke", color), ("stroke-width", _px(line.width)))
        return [("path", (("d", path), *stroke, ("stroke-dasharray", f"{dash} {dash}" if line.dashes else None)), "")]


def _px(length: float) -> str:
    return f"{length:.3f}".rstrip("0").rstrip(".") if abs(length) >= 0.0005 else "0"


def _scale(node: Mnode) -> None:
    factor = float(node.element.get("size", "1"))
    node.size *= factor
    node.glyphsize *= factor
    node._font_pts_per_unit *= factor  # noqa: SLF001  (ziamath has no other way)
    node._glyph_pts_per_unit *= factor  # noqa: SLF001


_EDGE = 0.2
"""Padding of backgrounds, in em."""


class _Row(Mrow, tag="row"):
    """A row that does not measure itself while being measured.

    ziamath measures each row's content before layout, recursively: exponential in the depth.
    """

    def __init__(self, element: Element, parent: Mnode, **kwargs: Any) -> None:
        Mnode.__init__(self, element, parent, **kwargs)
        _scale(self)
        self._xadvance = 0.0
        self._setup(**kwargs)
        if element.get("ground"):
            self._add_background(element.get("ground", ""))

    def _add_background(self, background: str) -> None:
        edge, bounds = _EDGE * self.glyphsize, self.bbox
        left, top = bounds.xmin, bounds.ymax + edge
        area = _Background(bounds.xmax - left + 2 * edge, top - bounds.ymin + edge, background)
        self.nodexy = [(left, -top), *((x + edge, y) for x, y in self.nodexy)]
        self.nodes = [area, *self.nodes]
        self.bbox = BBox(left, left + area.width, bounds.ymin - edge, top)
        self._xadvance = max(self._xadvance + 2 * edge, self.bbox.xmax)

    def _get_height_nostretch(self, line: list[Element], **kwargs: Any) -> tuple[float, float]:
        if kwargs.get("nostretch") or not any(_grows(child) for child in line):
            return 0.0, 0.0
        return super()._get_height_nostretch(line, **kwargs)


class _Phantom(_Row, tag="phantom"):
    """Invisible content."""


# ziamath looks up rows by this name.
_Row.mtag = _Phantom.mtag = "mrow"


def _grows(element: Element) -> bool:
    if element.tag in {"msub", "msup", "msubsup"} and len(element):
        element = element[0]
    return element.tag == "mo" and element.get("stretchy") == "true"


class _Node(Mnode, tag="node"):
    """A custom node, which positions its children."""

    def __init__(self, element: Element, parent: Mnode, **kwargs: Any) -> None:
        super().__init__(element, parent, **kwargs)
        self._lay_out(kwargs)

    def _lay_out(self, kwargs: dict[str, Any]) -> None:
        """Position the children and set `bbox`."""

    def put(self, node: Drawable, x: float, y: float) -> None:
        """Add a child; y grows downwards."""
        self.nodes.append(node)
        self.nodexy.append((x, y))

    def em(self, name: str) -> float:
        """Return a length attribute in px."""
        return self.size_px(self.element.get(name, "0"))

    @property
    def unit(self) -> float:
        return self.glyphsize

    @property
    def rule(self) -> float:
        return self.units_to_points(self.font.math.consts.fractionRuleThickness)

    @property
    def axis(self) -> float:
        """Return the math axis's height in px."""
        return self.units_to_points(self.font.math.consts.axisHeight)


class _Token(_Node, tag="token"):
    def _lay_out(self, kwargs: dict[str, Any]) -> None:
        variant = self.element.get("variant", "")
        self.string = normalize("NFC", self.element.text or "")
        tag = self.element.get("was", "mtext")
        x, foreign = self.em("lspace"), ""
        right, low, high = 0.0, 0.0, 0.0
        for character in (*_styled(self.string, variant), ""):
            index = self.font.glyphindex(character) if character else 1
            # Words from right to left are one text, so that the first one is the rightmost.
            is_between = bool(foreign) and character in _SPACES and bidirectional(foreign[-1]) in {"R", "AL"}
            if is_between or (character and not index and character != " "):
                foreign += character
                continue
            if foreign:
                words = _FallbackText(foreign, self.glyphsize)
                self.put(words, x, 0)
                x, foreign = x + words.width, ""
                right, low, high = max(right, x), min(low, words.bbox.ymin), max(high, words.bbox.ymax)
            if character in {"", " "}:
                x += 0.25 * self.unit if character else 0.0
                continue
            glyph = self.font.glyph(character)
            if kwargs.get("sup") or kwargs.get("sub"):
                glyph = subglyph(glyph, self.font)
            drawn = Glyph(glyph, character, self.glyphsize, self.style)
            x -= min(drawn.bbox.xmin, 0.0)
            self.put(drawn, x, 0)
            right, low, high = max(right, x + drawn.bbox.xmax), min(low, drawn.bbox.ymin), max(high, drawn.bbox.ymax)
            x += drawn.xadvance()
        self.bbox = BBox(0, max(right, x + self.em("rspace")), low if self.nodes else 0, high)
        self.mtag = "mi" if tag == "mo" else tag


def _styled(content: str, variant: str) -> str:
    if not variant:
        return content
    family = "sans" if "sans" in variant else "mono" if "mono" in variant else "serif"
    style = MathVariant(style=family, italic="italic" in variant, bold="bold" in variant)
    return "".join(
        _SLANTED.get(each) or styledchr(each, style) if style.italic else styledchr(each, style) for each in content
    )


_SLANTED = {"\u0131": "\U0001d6a4", "\u0237": "\U0001d6a5"}


class _Gap(_Node, tag="gap"):
    """A space, or a rule if filled."""

    def _lay_out(self, kwargs: dict[str, Any]) -> None:
        del kwargs
        width, height, depth = self.em("width"), self.em("height"), self.em("depth")
        if self.element.get("fill"):
            self.put(_Background(width, height + depth), 0, -height)
        # A negative space moves what follows to the left.
        self.bbox = BBox(min(width, 0.0), width, -depth, height)


class _Box(_Node, tag="box"):
    """Content with an overridden size or offset."""

    def _lay_out(self, kwargs: dict[str, Any]) -> None:
        inner = Mnode.fromelement(self.element[0], parent=self, **kwargs)
        has, bounds = self.element.attrib, inner.bbox
        width = self.em("width") if "width" in has else inner.xadvance()
        side = self.element.get("side", "")
        shift = {"llap": width - bounds.xmax, "clap": (width - bounds.xmax) / 2}.get(side, 0.0)
        lift = self.em("voffset")
        self.put(inner, shift, -lift)
        low = -self.em("depth") if "depth" in has else bounds.ymin + lift
        high = self.em("height") if "height" in has else bounds.ymax + lift
        self.bbox = BBox(0, width, min(low, high), max(low, high))


class _Nuclide(_Node, tag="nuclide"):
    """Scripts before a base, aligned with it; ziamath counts their width twice."""

    def _lay_out(self, kwargs: dict[str, Any]) -> None:
        base, *scripts = self.element
        for script in scripts:
            self.increase_child_scriptlevel(script)
        lowered, raised = (Mnode.fromelement(each, parent=self, **{**kwargs, "sup": True}) for each in scripts)
        node = Mnode.fromelement(base, parent=self, **kwargs)
        width = max(lowered.bbox.xmax, raised.bbox.xmax)
        constants = self.font.math.consts
        down = self.units_to_points(constants.subscriptShiftDown)
        cap_height = node.points_to_units(node.bbox.ymax)
        up = self.units_to_points(max(constants.superscriptShiftUp, cap_height - constants.superscriptBaselineDropMax))
        self.put(lowered, width - lowered.bbox.xmax, down)
        self.put(raised, width - raised.bbox.xmax, -up)
        self.put(node, width, 0)
        low = min(node.bbox.ymin, lowered.bbox.ymin - down)
        high = max(node.bbox.ymax, raised.bbox.ymax + up)
        self.bbox = BBox(0, width + node.xadvance(), low, high)


class _Broken(_Node, tag="broken"):
    """A line of three dashes on the math axis."""

    def _lay_out(self, kwargs: dict[str, Any]) -> None:
        del kwargs
        width = self.em("width")
        edge = width / 12
        for number in range(3):
            self.put(_Line(width / 6, 0.0, self.rule), edge + number * width / 3, -self.axis)
        self.bbox = BBox(0, width, self.axis - self.rule / 2, self.axis + self.rule / 2)


class _Harpoons(_Node, tag="harpoons"):
    """Two arrows above each other: the font has none that stretch. The shorter one is half as wide."""

    def _lay_out(self, kwargs: dict[str, Any]) -> None:
        width = kwargs["width"]
        upper, lower = _PAIRS[self.element.text or ""]
        low, high = 0.0, 0.0
        for (sign, share), lift in ((upper, 0.13 * self.unit), (lower, -0.13 * self.unit)):
            element = Element("mo", {**self.element.attrib, "stretchy": "true"})
            element.text = sign
            arrow = Mnode.fromelement(element, parent=self, width=width * share)
            self.put(arrow, (width - arrow.bbox.xmax) / 2, -lift)
            low, high = min(low, arrow.bbox.ymin + lift), max(high, arrow.bbox.ymax + lift)
        self.bbox = BBox(0, width, low, high)


_PAIRS = {
    sign: ((above, float(above_share)), (below, float(below_share)))
    for sign, above, above_share, below, below_share in read_table(__file__, "arrow_pairs.tsv")
}


class _Arrow(_Node, tag="arrow"):
    def _lay_out(self, kwargs: dict[str, Any]) -> None:
        sign, *labels = self.element
        under, over = (Mnode.fromelement(each, parent=self, **kwargs) for each in labels)
        width = max(self.em("width"), under.bbox.xmax, over.bbox.xmax)
        if sign.text in _PAIRS:
            sign.tag = "harpoons"
        arrow = Mnode.fromelement(sign, parent=self, width=width)
        start = self.em("lspace")
        width = max(width, arrow.bbox.xmax)
        self.put(arrow, start + (width - arrow.bbox.xmax) / 2, 0)
        gap = 0.12 * self.unit
        low, high = arrow.bbox.ymin, arrow.bbox.ymax
        if over.bbox.ymax > over.bbox.ymin:
            self.put(over, start + (width - over.bbox.xmax) / 2, -(high + gap - over.bbox.ymin))
            high += gap + over.bbox.ymax - over.bbox.ymin
        if under.bbox.ymax > under.bbox.ymin:
            self.put(under, start + (width - under.bbox.xmax) / 2, -low + gap + under.bbox.ymax)
            low -= gap + under.bbox.ymax - under.bbox.ymin
        self.bbox = BBox(0, start + width + self.em("rspace"), low, high)


class _Enclosure(_Node, tag="enclosure"):
    def _lay_out(self, kwargs: dict[str, Any]) -> None:
        inner = Mnode.fromelement(self.element[0], parent=self, **kwargs)
        notations = set(self.element.get("notation", "").split())
        line = self.rule
        is_struck = all("strike" in each for each in notations)
        around = 0.06 * self.unit if is_struck else 0.28 * self.unit
        start = around + (0.45 * self.unit if "phasorangle" in notations else 0)
        width = start + inner.xadvance() + around
        low, high = inner.bbox.ymin - around, inner.bbox.ymax + around
        height = high - low
        self.put(inner, start, 0)
        for sides, (x, y, across, down) in (
            ({"box", "actuarial"}, (0.0, -high, width, 0.0)),
            ({"box", "phasorangle"}, (0.0, -low, width, 0.0)),
            ({"box"}, (0.0, -high, 0.0, height)),
            ({"box", "actuarial"}, (width, -high, 0.0, height)),
            ({"updiagonalstrike"}, (0.0, -low, width, -height)),
            ({"downdiagonalstrike"}, (0.0, -high, width, height)),
            ({"horizontalstrike"}, (0.0, -(low + high) / 2, width, 0.0)),
            ({"phasorangle"}, (0.0, -low, start, -height)),
        ):
            if notations & sides:
                self.put(_Line(across, down, line), x, y)
        self.bbox = BBox(0, width, low, high)


class _Cell(NamedTuple):
    """A cell of a grid."""

    node: Mnode
    side: float  # the share of the free width that is before it
    names: frozenset[str]  # its classes


class _Grid(_Node, tag="grid"):
    def _lay_out(self, kwargs: dict[str, Any]) -> None:
        kwargs = {name: value for name, value in kwargs.items() if name in {"sup", "sub"}}
        kind = self.element.get("kind", "")
        room, strut, depth, gap = _SPACING.get(kind, _SPACING[""])
        rows = [[self._cell(cell, kwargs) for cell in line] for line in self.element]
        columns = max(len(row) for row in rows)
        widths = [max(row[column].node.xadvance() for row in rows if column < len(row)) for column in range(columns)]
        lefts = self._lefts(kind, rows, widths, room)
        width = lefts[-1] + widths[-1]
        is_ruled = any(name.endswith(("-before", "-behind")) for row in rows for cell in row for name in cell.names)
        edge = room * self.unit / 2 if is_ruled else 0.0
        heights = [max(strut * self.unit, *(cell.node.bbox.ymax for cell in row)) for row in rows]
        depths = [max(depth * self.unit, *(-cell.node.bbox.ymin for cell in row)) for row in rows]
        total = sum(heights) + sum(depths) + gap * self.unit * (len(rows) - 1)
        y = -self.axis - total / 2
        edges = [y]
        for row, high, low in zip(rows, heights, depths, strict=True):
            for column, (node, side, _) in enumerate(row):
                free = (width if kind == "multline" else widths[column]) - node.xadvance()
                self.put(node, edge + lefts[column] + free * side, y + high)
            y += high + low + gap * self.unit
            edges.append(y - gap * self.unit / 2)
        edges[-1] = y - gap * self.unit
        self._rule_rows(rows, edges, width + 2 * edge)
        self._rule_columns(rows, edges, [edge + each for each in lefts], width + 2 * edge, room * self.unit / 2)
        self.bbox = BBox(0, width + 2 * edge, self.axis - total / 2, self.axis + total / 2)

    def _cell(self, cell: Element, kwargs: dict[str, Any]) -> _Cell:
        node = Mnode.fromelement(cell[0], parent=self, **kwargs)
        side = {"left": 0.0, "right": 1.0}.get(cell.get("side", ""), 0.5)
        return _Cell(node, side, frozenset(cell.get("names", "").split()))

    def _lefts(self, kind: str, rows: list[list[_Cell]], widths: list[float], room: float) -> list[float]:
        labels = {column for row in rows for column, cell in enumerate(row) if "tag" in cell.names}
        lefts, x = [], 0.0
        for column, width in enumerate(widths):
            if column in labels:
                x += 2.0 * self.unit
            elif column and (kind != "aligned" or column % 2 == 0):
                x += room * self.unit
            lefts.append(x)
            x += width
        return lefts

    def _rule_rows(self, rows: list[list[_Cell]], edges: list[float], width: float) -> None:
        for row, above, below in zip(rows, edges, edges[1:], strict=False):
            names = frozenset[str]().union(*(cell.names for cell in row))
            for side, y in (("above", above), ("below", below)):
                if names & {f"rule-{side}", f"dashes-{side}"}:
                    self.put(_Line(width, 0.0, self.rule, dashes=f"dashes-{side}" in names), 0.0, y)

    def _rule_columns(
        self, rows: list[list[_Cell]], edges: list[float], lefts: list[float], width: float, half: float
    ) -> None:
        drawn: set[float] = set()
        for row in rows:
            for cell, left in zip(row, lefts, strict=False):
                for side, x in (("before", left - half), ("behind", width)):
                    if cell.names & {f"rule-{side}", f"dashes-{side}"} and x not in drawn:
                        drawn.add(x)
                        line = _Line(0.0, edges[-1] - edges[0], self.rule, dashes=f"dashes-{side}" in cell.names)
                        self.put(line, x, edges[0])


# In em: column gap, minimum height and depth of a row, row gap.
_SPACING = {kind: tuple(map(float, lengths)) for kind, *lengths in read_table(__file__, "spacing.tsv")}
