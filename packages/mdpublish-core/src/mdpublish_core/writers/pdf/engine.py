"""HTML to PDF with WeasyPrint, in a worker process; no other module imports it.

It recurses over boxes, so it runs in a thread with a large stack. Only `data:` URLs are read.
"""

import math
import mimetypes
import os
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, redirect_stdout, suppress
from importlib.util import find_spec
from io import StringIO
from pathlib import Path
from typing import Any, BinaryIO

_STACK_BYTES = 1 << 28
_MAX_FRAMES = 30_000
_MAX_MARGIN = 240.0  # in px
_MAX_MISSES = 4
"""Elements in one word, of which none can be divided."""
_FORMULA_FONT = "STIX Two Math"

# Importing it would read the system's lists, which a confined process may not.
mimetypes.knownfiles.clear()

_problem: Exception | None = None
try:
    # It prints advice where a library is missing; `doctor` has better.
    with redirect_stdout(StringIO()):
        import pydyf  # type: ignore[import-untyped]  # it has no types
        import weasyprint  # type: ignore[import-untyped]  # nor has it
        import weasyprint.css as css_engine  # type: ignore[import-untyped]  # nor has it
        import weasyprint.draw as draw_engine  # type: ignore[import-untyped]
        import weasyprint.layout.block as block_engine  # type: ignore[import-untyped]
        import weasyprint.layout.inline as line_engine  # type: ignore[import-untyped]
        import weasyprint.pdf.tags as tag_engine  # type: ignore[import-untyped]
        import weasyprint.stacking as stacking_engine  # type: ignore[import-untyped]
        import weasyprint.svg as svg_engine  # type: ignore[import-untyped]
        from weasyprint.css.properties import INITIAL_VALUES  # type: ignore[import-untyped]
        from weasyprint.formatting_structure import boxes  # type: ignore[import-untyped]
        from weasyprint.layout.preferred import shrink_to_fit  # type: ignore[import-untyped]
        from weasyprint.pdf.stream import Stream  # type: ignore[import-untyped]
        from weasyprint.stacking import StackingContext
        from weasyprint.svg.text import Style as SvgStyle  # type: ignore[import-untyped]
        from weasyprint.text.ffi import FROM_UNITS, ffi, pango  # type: ignore[import-untyped]
        from weasyprint.text.fonts import FontConfiguration, fontconfig, pangoft2  # type: ignore[import-untyped]
        from weasyprint.text.line_break import split_first_line  # type: ignore[import-untyped]
        from weasyprint.urls import URLFetcher  # type: ignore[import-untyped]
except (ImportError, OSError) as error:
    _problem = error


def _load(_payload: bytes) -> bytes:
    """Return WeasyPrint's version. Raises what importing it raised."""
    if _problem is not None:
        raise _problem
    return str(weasyprint.__version__).encode()


def _print(payload: bytes) -> bytes:
    results: list[bytes | BaseException] = []

    def run() -> None:
        try:
            results.append(_pdf(payload.decode()))
        except BaseException as error:  # noqa: BLE001  (raised in the main thread)
            results.append(error)

    threading.stack_size(_STACK_BYTES)
    sys.setrecursionlimit(_MAX_FRAMES)
    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    if isinstance(results[0], BaseException):
        raise results[0]
    return results[0]


def _pdf(html: str) -> bytes:
    """Return a line of the characters for which there is no font, and the PDF."""
    page = weasyprint.HTML(
        # Without a base, an import in a stylesheet raises. Line separators would end lines, with a box.
        string=html.translate({0x2028: " ", 0x2029: " "}),
        base_url="about:blank",
        url_fetcher=URLFetcher(allowed_protocols={"data"}),
    )
    missing: set[str] = set()

    def finish(document: Any, pdf: Any) -> None:
        codepoints = (codepoint for font in document.fonts.values() for codepoint in font.missing)
        missing.update(chr(codepoint) for codepoint in codepoints if codepoint >= ord(" "))
        _complete_tags(pdf)

    content: bytes = page.write_pdf(
        font_config=_fonts(), finisher=finish, pdf_variant="pdf/ua-1", presentational_hints=True
    )
    return "".join(sorted(missing)).encode() + b"\n" + content


class _Run(str):
    """Text shaped as a whole: the engine draws each item of an iteration, so that Arabic letters would not join."""

    __slots__ = ()

    def __iter__(self) -> Iterator[str]:
        yield str(self)


def _draw_text(svg: Any, node: Any, font_size: float) -> None:
    """Draw a drawing's text in runs, and with `paint-order: stroke`: the engine's outlines would hide the text."""
    attributes = node.attrib
    if "data-glyph" in attributes:
        _draw_glyph(svg, node, font_size)
        return
    has_several_positions = any(len(attributes.get(name, "").replace(",", " ").split()) > 1 for name in _POSITIONS)
    if node.text and not has_several_positions and not attributes.get("letter-spacing"):
        node._etree_node.text = _Run(node.text)  # noqa: SLF001  (no other way without a copy of the module)
    if node.text and attributes.get("paint-order", "").startswith("stroke"):
        cursors = list(svg.cursor_position), list(svg.cursor_d_position)
        fill = attributes.get("fill")
        attributes["fill"] = "none"
        svg.stream.begin_marked_content("Span", pydyf.Dictionary({"ActualText": pydyf.String("")}))
        _draw_run(svg, node, font_size)
        svg.stream.end_marked_content()
        svg.cursor_position, svg.cursor_d_position = cursors
        attributes |= {"fill": fill or "black", "stroke": "none"}
    _draw_run(svg, node, font_size)


def _draw_glyph(svg: Any, node: Any, font_size: float) -> None:
    """Draw a formula's glyph, which has a number in its font; scripts and large operators have no character."""
    style = SvgStyle(INITIAL_VALUES, font_family=[_FORMULA_FONT], font_size=font_size)
    style.font_config = svg.font_config
    layout = split_first_line("x", style, svg.context, math.inf, 0)[0]
    layout.reactivate(style)
    pango_font = layout.get_first_line()[0].runs[0].data.item.analysis.font
    font, size = svg.stream.add_font(pango_font)
    number = min(int(node.get("data-glyph")), font.glyph_count - 1)
    if number not in font.widths:
        pango.pango_font_get_glyph_extents(pango_font, number, svg.stream.ink_rect, svg.stream.logical_rect)
        font.widths[number] = round(svg.stream.logical_rect.width * 1000 * FROM_UNITS / size)
        font.to_unicode[number] = node.text
    svg.stream.push_state()
    fill, stroke = svg.set_graphical_state(node, font_size)
    svg.stream.begin_text()
    svg.fill_stroke(fill, stroke, text=True)
    svg.stream.set_text_matrix(1, 0, 0, -1, float(node.get("x")), float(node.get("y")))
    svg.stream.set_font_size(font.hash, size)
    svg.stream.show_text(f"<{number:04x}>")
    svg.stream.end_text()
    svg.stream.pop_state()


_POSITIONS = ("x", "y", "dx", "dy", "rotate")


def _sum_lengths(*arguments: Any) -> Any:
    """Return a `calc()`'s value, or None to ignore it: the engine asserts for a variable without a value."""
    with suppress(AssertionError):
        return _sum(*arguments)


def _physical_float(style: Any, name: str, value: str) -> str:
    """Return the side to which an element floats, by its block's direction: the engine knows only left and right."""
    side = str(_float(style, name, value))
    if not side.startswith("inline-"):
        return side
    around = style.parent_style or style
    while around["display"] in {("inline", "flow"), ("contents",)} and around.parent_style:
        around = around.parent_style
    return "left" if (side == "inline-start") == (around["direction"] == "ltr") else "right"


def _place_float(context: Any, box: Any, *arguments: Any) -> None:
    """Place what floats in a line without moving the text before it, as `_align_line` moves all of the line."""
    _place(context, box, *arguments[:4], (), *arguments[5:])
    # Around nested elements, the room is less by those of one side only.
    side, other = ("right", "left") if box.style["direction"] == "ltr" else ("left", "right")
    widths = arguments[-4]
    widths[side], widths[other] = widths[side] + widths[other], 0


def _align_line(context: Any, line: Any, room: float, last: bool) -> float:
    """Return how far a line moves beside what floats at its start; the engine would overlay it, or leave the page."""
    offset = float(_align(context, line, room, last))
    floats = list(_floats_in(line))
    if line.style["direction"] == "ltr":
        sides = (each.position_x + each.margin_width() for each in floats if each.style["float"] == "left")
        offset += max((side - line.position_x for side in sides), default=0)
        moved = offset
    else:
        sides = (each.position_x for each in floats if each.style["float"] == "right")
        offset += max((line.position_x - side for side in sides), default=0)
        moved = -offset - line.width
    for each in floats:
        each.translate(-moved)
    return offset


def _floats_in(box: Any) -> Iterator[Any]:
    for child in box.children:
        if child.is_floated():
            yield child
        elif isinstance(child, boxes.InlineBox):
            yield from _floats_in(child)


class _TooWideError(Exception):
    pass


class _Unbroken(list[Any]):
    """Children of a line none of which is its first one, so that no word is divided."""

    misses = 0

    def __len__(self) -> int:
        return 1


def _split_line(context: Any, box: Any, start: float, end: float, *arguments: Any) -> Any:
    """Lay out a line, dividing words only if it is too wide: to the engine, nested text always starts a line."""
    *places, _children, initial_style, line_style = arguments
    if not isinstance(box, boxes.LineBox):
        return _split_element(context, box, start, end, *arguments)
    shapes = context.excluded_shapes.copy()
    with suppress(_TooWideError):
        split = _split_inline(context, box, start, end, *places, _Unbroken(), initial_style, line_style)
        if box.position_x + split[0].width - _trailing_space(context, split[0]) <= end + 0.01:
            return split
    context.excluded_shapes = shapes
    for placed in places[3:]:
        placed.clear()
    return _split_inline(context, box, start, end, *arguments)


def _split_element(context: Any, box: Any, start: float, end: float, *arguments: Any) -> Any:
    """Split an element with padding: the engine drops what is before its text, and after words with a break in them."""
    left = box.margin_left + box.border_left_width + box.padding_left
    right = box.margin_right + box.border_right_width + box.padding_right
    before, after = (left, right) if box.style["direction"] == "ltr" else (right, left)
    room = end - (before if arguments[1] is None else 0)
    split = _split_inline(context, box, start, room, *arguments)
    is_whole = isinstance(arguments[-3], _Unbroken) and split[1] is None
    if is_whole and 0.01 < start + split[0].margin_width() - end <= after:
        earlier = _split_inline(context, box, start, room - after, *arguments)
        split = earlier if earlier[1] is not None and earlier[0].children else split
    return split


def _break_earlier(*arguments: Any) -> Any:
    """Return where the line breaks before what is too wide; trying all that follows would take quadratic time."""
    place, children = _break_waiting(*arguments), arguments[9]
    if isinstance(children, _Unbroken) and not place:
        children.misses += 1
        if children.misses > _MAX_MISSES:
            raise _TooWideError
    return place


def _split_words(words: str, style: Any, context: Any, room: float, *arguments: Any, **named: Any) -> Any:
    """Split a line's words: where only the space after the last one has no room, the engine ends the line at the first."""
    split = _split_first(words, style, context, room, *arguments, **named)
    if split[2] is None or not words.endswith(" ") or style["white_space"] not in {"normal", "pre-line"}:
        return split
    layout, length, rest, *sizes = _split_first(words[:-1], style, context, room, *arguments, **named)
    return (layout, length, len(words.encode()), *sizes) if rest is None and sizes[0] <= room else split


def _lay_out_block(
    context: Any, box: Any, bottom_space: float, skip_stack: Any, around: Any, *arguments: Any, **named: Any
) -> Any:
    """Lay out a block, which `--fit` makes as wide as its words: the engine does not know `fit-content`."""
    if box.style["__fit"] and box.width == "auto":
        lengths = (getattr(box, f"{name}_{side}") for name in ("margin", "padding") for side in ("left", "right"))
        borders = box.border_left_width + box.border_right_width
        room = around.width - borders - sum(length for length in lengths if length != "auto")
        tracking = box.style["letter_spacing"]
        # It breaks lines as if their letters were no closer.
        slack = 0 if tracking == "normal" else max(0, -3 * tracking / box.style["font_size"])
        box.width = min(room, shrink_to_fit(context, box, room) * (1 + slack))
    if (box.style["column_width"], box.style["column_count"]) != ("auto", "auto"):
        # Of columns with a height, those that the width has no room for would stand off the paper.
        box.style["height"] = box.height = "auto"
    return _lay_out(context, box, bottom_space, skip_stack, around, *arguments, **named)


def _trailing_space(context: Any, box: Any) -> float:
    """Return the width of the spaces that hang over the end of a line, those in code too."""
    last = box
    while getattr(last, "children", ()):
        last = last.children[-1]
    content = getattr(last, "text", "")
    if not content or last.style["white_space"] != "pre-wrap":
        return float(_collapsed_space(context, box))
    return float(last.width) * (1 - len(content.rstrip(" ")) / len(content))


@contextmanager
def _mark_content(stream: Any, box: Any, tag: str) -> Iterator[None]:
    """Mark what has a tag, and running titles and page numbers, which belong to no element, as such: PDF/UA-1, 7.8."""
    if box.element is not None:
        with _mark(stream, box, tag):
            yield
    else:
        side = "/Header" if box.position_y < _MAX_MARGIN else "/Footer"
        stream.begin_marked_content("Artifact", pydyf.Dictionary({"Type": "/Pagination", "Subtype": side}))
        yield
        stream.end_marked_content()


def _dispatch_flow(box: Any, page: Any, *arguments: Any) -> Any:
    """Leave what is in the flow to `_draw_flow`: the engine paints what is positioned, or cut, behind all text."""
    placed = getattr(box, "_box", box)
    style = placed.style
    is_in_flow = placed.is_outside_marker or (
        isinstance(placed, boxes.BlockLevelBox)
        and placed.is_in_normal_flow()
        and (style["position"] != "static" or style["overflow"] != "visible")
        and (style["z_index"], style["opacity"], style["transform"] or ()) == ("auto", 1, ())
    )
    if not is_in_flow:
        return _dispatch(box, page, *arguments)
    arguments[-1][StackingContext.from_box(placed, page)] = {}
    return None


def _draw_flow(page: Any, stream: Any, blocks: Any) -> None:
    """Paint blocks as they follow one another, and the mark of an item before its text."""
    for block, inner in blocks.items():
        if isinstance(block, StackingContext):
            draw_engine.draw_stacking_context(stream, block)
        else:
            marks: dict[Any, Any] = {
                each: {} for each in inner if isinstance(each, StackingContext) and each.box.is_outside_marker
            }
            _draw_flow(page, stream, marks)
            _draw_blocks(page, stream, {block: {each: inner[each] for each in inner if each not in marks}})


def _tag_boxes(box: Any, *arguments: Any) -> Iterator[Any]:
    if isinstance(box, boxes.MarginBox):
        return
    is_formula = box.element is not None and box.element.get("class") == "formula"
    for element in _tag(box, *arguments):
        if is_formula:
            element["S"] = "/Formula"
        yield element


if _problem is None:
    _mark, Stream.marked = Stream.marked, _mark_content
    _tag, tag_engine._build_box_tree = tag_engine._build_box_tree, _tag_boxes  # noqa: SLF001
    _dispatch, stacking_engine._dispatch = stacking_engine._dispatch, _dispatch_flow  # noqa: SLF001
    _draw_blocks, draw_engine.draw_block_level = draw_engine.draw_block_level, _draw_flow
    _collapsed_space, line_engine.trailing_whitespace_size = line_engine.trailing_whitespace_size, _trailing_space
    _split_inline, line_engine.split_inline_box = line_engine.split_inline_box, _split_line
    _break_waiting, line_engine._break_waiting_children = line_engine._break_waiting_children, _break_earlier  # noqa: SLF001
    _split_first, line_engine.split_first_line = line_engine.split_first_line, _split_words
    _place, line_engine._out_of_flow_layout = line_engine._out_of_flow_layout, _place_float  # noqa: SLF001
    _align, line_engine.text_align = line_engine.text_align, _align_line
    _lay_out, block_engine.block_box_layout = block_engine.block_box_layout, _lay_out_block
    _float, css_engine.COMPUTER_FUNCTIONS["float"] = css_engine.COMPUTER_FUNCTIONS["float"], _physical_float
    _sum, css_engine._resolve_calc_sum = css_engine._resolve_calc_sum, _sum_lengths  # noqa: SLF001  (no other way to keep the rest)
    _draw_run = svg_engine.text
    svg_engine.text = _draw_text
    svg_engine.TAGS |= {tag: _draw_text for tag, draw in svg_engine.TAGS.items() if draw is _draw_run}


def _fonts() -> Any:
    """Return the installed fonts and those of this package, which have the last word where none is installed."""
    from mdpublish_core.errors import MissingExtra
    from mdpublish_core.figures.fonts import face_styles, font_path

    fonts = FontConfiguration()
    if hasattr(os, "memfd_create"):
        fonts._folder = _FontFiles({})  # noqa: SLF001  (nor this)
    files = [style.path for face in ("Roboto", "STIX Two Text", "JetBrains Mono") for style in face_styles()[face]]
    with suppress(MissingExtra):
        files.append(font_path())
    if (package := find_spec("ziamath")) and package.origin:
        files.append(Path(package.origin).parent / "fonts" / "STIXTwoMath-Regular.ttf")
    for file in files:
        fontconfig.FcConfigAppFontAddFile(fonts._config, str(file).encode())  # noqa: SLF001  (no other way without copies)
    # Without faces of the template's own, Pango would find none of these.
    pangoft2.pango_fc_font_map_config_changed(ffi.cast("PangoFcFontMap *", fonts.font_map))
    return fonts


class _FontFiles:
    """A folder of fonts in memory for the engine, and a file of it: a confined process writes none to a folder."""

    def __init__(self, opened: dict[str, BinaryIO], name: str = "") -> None:
        self._opened, self._name = opened, name

    def __truediv__(self, name: str) -> "_FontFiles":
        return _FontFiles(self._opened, name)

    def __bool__(self) -> bool:
        return False  # nothing to remove

    def exists(self) -> bool:
        return self._name in self._opened

    def write_bytes(self, content: bytes) -> None:
        file = self._opened[self._name] = os.fdopen(os.memfd_create(self._name), "w+b")
        file.write(content)
        file.flush()

    def as_posix(self) -> str:
        return f"/proc/self/fd/{self._opened[self._name].fileno()}"


def _complete_tags(pdf: Any) -> None:
    """Mark header cells as a column's or a row's (PDF/UA-1, 7.5), and items' contents as bodies (ISO 32000-1, 14.8)."""
    objects = (each for each in pdf.objects if "S" in getattr(each, "keys", tuple)())
    elements = {each.reference: each for each in objects}
    for cell in elements.values():
        if cell["S"] == "/TH" and "A" in cell:
            part = elements.get(elements[cell["P"]]["P"], {})
            cell["A"]["Scope"] = "/Row" if part.get("S") == "/TBody" else "/Column"
    for item in [each for each in elements.values() if each["S"] == "/LI"]:
        labels = [kid for kid in item["K"] if elements[kid]["S"] in {"/Lbl", "/LBody"}]
        if inside := [kid for kid in item["K"] if elements[kid]["S"] not in {"/Lbl", "/LBody"}]:
            body = pydyf.Dictionary({**item, "S": "/LBody", "K": pydyf.Array(inside), "P": item.reference})
            pdf.add_object(body)
            item["K"] = pydyf.Array([*labels, body.reference])
            for kid in inside:
                elements[kid]["P"] = body.reference


JOBS: Mapping[str, Callable[[bytes], bytes]] = {"load": _load, "render": _print}
