"""SVG to PNG with resvg; no other module imports it.

resvg reads files named by `image`, aborts the process on excessive sizes, and renders no text in unknown families. So
images are removed, sizes are checked first, and shipped faces replace all families: installed ones differ by machine.
"""

import math
import re
from collections.abc import Iterable
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from unicodedata import bidirectional, category, name

from lxml import etree

from mdpublish_core.errors import InvalidFigure, importing_extra
from mdpublish_core.figures.fonts import FONT_FAMILY, SANS_SERIF, family_of, files_of, missing_characters
from mdpublish_core.html import HtmlWriter

MAX_SVG_BYTES = 2_000_000
"""Ten times the largest of Mermaid's own examples."""

MAX_PIXELS = 16_000_000
"""Four bytes each while rendering."""

MAX_SIDE = 16_000
"""In px; resvg aborts at 60,000."""

MAX_PNG_BYTES = 8_000_000

_SVG = "http://www.w3.org/2000/svg"

# They can load other images, including files.
_IMAGE_ELEMENTS = frozenset({"image", "feImage"})

_REMOVED = "removed"

# Lengths on the root element, in px.
_LENGTH = re.compile(r"\s*(\d{1,9}(?:\.\d{1,9})?)(px|pt|pc|mm|cm|in|)\s*")
_UNITS = {"": 1.0, "px": 1.0, "pt": 4 / 3, "pc": 16.0, "mm": 96 / 25.4, "cm": 96 / 2.54, "in": 96.0}

_OFFSET = re.compile(r"(-?\d{0,9}\.?\d{1,9})(em|px|)")
_FROM_RIGHT = frozenset({"R", "AL"})
_FONT_SIZE = 16.0  # px, by default

# Scripts and symbol blocks tested for fonts; each test renders an image.
_MAX_KINDS = 16

# Shown for characters that no font has.
_BOX = "\N{WHITE SQUARE}"

# In no font, so it renders as a missing character.
_UNASSIGNED = "\U000effff"


def render_png(svg: str, *, width: int | None = None, scale: float = 1.0, background_color: str | None = None) -> bytes:
    """Render SVG as PNG of `width` px, or scaled by `scale`, on a transparent background by default.

    `background_color` is `#rrggbb`. Missing characters come from system fonts; embedded images are removed. Raises
    `InvalidFigure` if the SVG is invalid or exceeds a limit, and `MissingExtra`.
    """
    root = _parsed(svg)
    natural_width, natural_height = _size(root)
    factor = scale if width is None else width / natural_width
    if not (math.isfinite(factor) and factor > 0):
        raise InvalidFigure(f"must be scaled by more than 0 (got {factor:g})")
    pixel_width, pixel_height = max(1.0, natural_width * factor), max(1.0, natural_height * factor)
    _check_size(pixel_width, pixel_height)
    for element in list(root.iter("{*}*")):
        if etree.QName(element).localname in _IMAGE_ELEMENTS or _is_empty_span(element):
            element.tag = _REMOVED
    etree.strip_elements(root, _REMOVED, with_tail=False)
    _resolve_offsets(root)
    if root.get("viewBox") is None:
        root.set("viewBox", f"0 0 {natural_width:g} {natural_height:g}")
    root.set("width", str(round(pixel_width)))
    root.set("height", str(round(pixel_height)))
    undrawn = _replace_missing(root)
    families = _replace_families(root)
    png = _rasterize(
        etree.tostring(root, encoding="unicode"),
        families[0],
        files_of(families),
        with_system_fonts=undrawn,
        background_color=background_color,
    )
    if len(png) > MAX_PNG_BYTES:
        raise InvalidFigure(f"must be at most {MAX_PNG_BYTES:,} bytes of PNG (got {len(png):,}); make it smaller")
    return png


def missing_glyphs(characters: str) -> frozenset[str]:
    """Test one character per script or symbol block, of up to 16; raises `MissingExtra`."""
    kinds: dict[str, list[str]] = {}
    for each in sorted(missing_characters(set(characters))):
        kinds.setdefault(_kind(each), []).append(each)
    missing: set[str] = set()
    for number, alike in enumerate(kinds.values()):
        if number >= _MAX_KINDS or not _system_draws(alike[0]):
            missing.update(alike)
    return frozenset(missing)


def describe() -> str:
    """Return the rasterizer's name and version; raises `MissingExtra`."""
    with importing_extra("figures", "resvg-py"):
        return f"resvg-py {version('resvg-py')}"


def _parsed(svg: str) -> "etree._Element":
    try:
        content = svg.encode()
    except UnicodeEncodeError as error:
        raise InvalidFigure(f"contains a lone surrogate at character {error.start + 1}") from None
    if len(content) > MAX_SVG_BYTES:
        raise InvalidFigure(f"must be at most {MAX_SVG_BYTES:,} bytes of SVG (got {len(content):,}); make it simpler")
    parser = etree.XMLParser(resolve_entities=False, no_network=True, remove_comments=True, remove_pis=True)
    try:
        root = etree.fromstring(content, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise InvalidFigure(f"is not well-formed XML: {error}") from None
    if root.tag != f"{{{_SVG}}}svg":
        raise InvalidFigure(f"must have the root element svg in the namespace {_SVG} (got {root.tag!r})")
    if root.getroottree().docinfo.internalDTD is not None:
        raise InvalidFigure("must not have a document type")
    return root


def _is_empty_span(element: "etree._Element") -> bool:
    """Return whether text has no size: resvg leaves it out, but moves each later character to another's position."""
    return element.tag == f"{{{_SVG}}}tspan" and element.get("font-size") == "0"


def _resolve_offsets(root: "etree._Element") -> None:
    """Add `dy` to `y` in text from right to left: resvg moves one letter by it, and the others of the line stay."""
    for text_element in root.iter(f"{{{_SVG}}}text"):
        characters = "".join(map(str, text_element.itertext()))
        if not any(bidirectional(each) in _FROM_RIGHT for each in characters):
            continue
        y = 0.0
        for line in (text_element, *text_element.iterfind(f"{{{_SVG}}}tspan[@x]")):
            position, offset = (_resolved(line, name) for name in ("y", "dy"))
            y = (y if position is None else position) + (offset or 0.0)
            line.attrib.pop("dy", "")
            line.set("y", f"{y:g}")


def _resolved(element: "etree._Element", name: str) -> float | None:
    """Return a length in px."""
    match = _OFFSET.fullmatch(element.get(name, ""))
    if match is None:
        return None
    return float(match[1]) * (_font_size(element) if match[2] == "em" else 1.0)


def _font_size(element: "etree._Element") -> float:
    around: etree._Element | None = element
    while around is not None:
        if match := _LENGTH.fullmatch(around.get("font-size", "")):
            return float(match[1]) * _UNITS[match[2]]
        around = around.getparent()
    return _FONT_SIZE


def _size(root: "etree._Element") -> tuple[float, float]:
    """Return width and height in px, by default from the `viewBox`."""
    box = re.split(r"[\s,]+", (root.get("viewBox") or "").strip())
    sizes = []
    for attribute, index in (("width", 2), ("height", 3)):
        value = root.get(attribute, "100%")
        length = _LENGTH.fullmatch(value) or (_LENGTH.fullmatch(box[index]) if len(box) == 4 else None)
        if length is None:
            raise InvalidFigure(f"has no size: it needs a viewBox, or {attribute} in px (got {value[:40]!r})")
        sizes.append(float(length[1]) * _UNITS[length[2]])
    if min(sizes) <= 0:
        raise InvalidFigure(f"must be larger than 0 px (got {sizes[0]:g} by {sizes[1]:g} px)")
    return sizes[0], sizes[1]


def _replace_missing(root: "etree._Element") -> bool:
    """Show a box for characters in no font, after which resvg draws nothing; return whether system fonts are needed."""
    foreign = missing_characters(set("".join(map(str, root.itertext()))))
    if not foreign:
        return False
    missing = missing_glyphs("".join(foreign))
    boxes = dict.fromkeys(map(ord, missing), _BOX)
    for element in root.iter("{*}*") if missing else ():
        element.text = element.text and element.text.translate(boxes)
        element.tail = element.tail and element.tail.translate(boxes)
    return missing != foreign


def _replace_families(root: "etree._Element") -> list[str]:
    """Replace families by shipped ones; return these, that of the root first."""
    root.set("font-family", root.get("font-family") or SANS_SERIF)
    families = []
    for element in root.iter("{*}*"):
        if family := element.get("font-family"):
            families.append(family_of(family))
            element.set("font-family", families[-1])
    return families


def _check_size(width: float, height: float) -> None:
    if max(width, height) > MAX_SIDE or width * height > MAX_PIXELS:
        raise InvalidFigure(
            f"must be at most {MAX_SIDE:,} px per side and {MAX_PIXELS:,} px in all "
            f"(got {width:,.0f} by {height:,.0f} px); make it smaller"
        )


def _rasterize(
    svg: str, family: str, fonts: Iterable[Path], *, with_system_fonts: bool, background_color: str | None = None
) -> bytes:
    """Draw text of unknown families in `family`."""
    with importing_extra("figures", "resvg-py"):
        from resvg_py import svg_to_bytes
    try:
        return svg_to_bytes(
            svg_string=svg,
            background=background_color,
            dpi=96,
            skip_system_fonts=not with_system_fonts,
            font_files=list(map(str, fonts)),
            font_family=family,
            serif_family=family,
            sans_serif_family=family,
            cursive_family=family,
            fantasy_family=family,
            monospace_family=family,
        )
    except ValueError as error:
        raise InvalidFigure(f"cannot be rendered: {error}") from None
    except BaseException as error:
        # A Rust panic is a BaseException.
        if type(error).__name__ != "PanicException":
            raise
        raise InvalidFigure("cannot be rendered: resvg crashed") from None


def _kind(character: str) -> str:
    """Return the script or symbol block, which fonts support as a whole."""
    if category(character)[0] in "LMN":
        return name(character, "").partition(" ")[0]
    return f"{ord(character) >> 8:x}"


@lru_cache(maxsize=1024)
def _system_draws(character: str) -> bool:
    return _rendered_sample(character) != _rendered_sample(_UNASSIGNED)


@lru_cache(maxsize=1024)
def _rendered_sample(character: str) -> bytes:
    writer = HtmlWriter()
    writer.start("svg", (("xmlns", _SVG), ("width", 24), ("height", 24)))
    writer.element("text", character, (("x", 2), ("y", 18), ("font-family", FONT_FAMILY), ("font-size", 16)))
    writer.end()
    return _rasterize(writer.finish(), FONT_FAMILY, files_of([]), with_system_fonts=True)
