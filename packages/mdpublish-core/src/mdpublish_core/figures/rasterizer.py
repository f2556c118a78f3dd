"""PNG of SVG, by resvg: the only module that names it.

resvg reads no network, but would read files that an `image` names, aborts the process on sizes out of all bounds, and
draws no text without a family that it knows. So pictures in pictures are taken out, bounds are set first, and the font
that is shipped stands in for every family.
"""

import math
import re
from functools import lru_cache
from unicodedata import category, name

from lxml import etree

from mdpublish_core.errors import InvalidFigure, MissingExtra
from mdpublish_core.figures.fonts import FONT_FAMILY, font_path, missing_characters
from mdpublish_core.html import HtmlWriter

MAX_SVG_BYTES = 2_000_000
"""SVG that is read, in bytes: ten times the largest figure of Mermaid's own examples."""

MAX_PIXELS = 16_000_000
"""Pixels of a picture: 4,000 times 4,000. They take four bytes each while it is drawn."""

MAX_SIDE = 16_000
"""Pixels of a side: resvg aborts the process at 60,000."""

MAX_PNG_BYTES = 8_000_000
"""PNG that is returned, in bytes."""

_SVG = "http://www.w3.org/2000/svg"

# What would bring other pictures in, from files too.
_IMAGE_ELEMENTS = frozenset({"image", "feImage"})

# Lengths of the root element; a unit is one that CSS has a fixed size for, in px.
_LENGTH = re.compile(r"\s*(\d{1,9}(?:\.\d{1,9})?)(px|pt|pc|mm|cm|in|)\s*")
_UNITS = {"": 1.0, "px": 1.0, "pt": 4 / 3, "pc": 16.0, "mm": 96 / 25.4, "cm": 96 / 2.54, "in": 96.0}

# Which scripts and blocks of signs are tried for whether the system has a font for them, in one text; each takes a drawing.
_MAX_KINDS = 16

# What no font has, so that it is drawn as whatever stands for a missing character.
_UNASSIGNED = "\U000effff"


def render_png(svg: str, *, width: int | None = None, scale: float = 1.0, background_color: str | None = None) -> bytes:
    """Return an SVG as PNG, `width` px wide, or `scale` times its own size; the height follows.

    `background_color` is the colour behind it, as `#rrggbb`; without one, what nothing is drawn on is transparent.
    Text is drawn with the font of `fonts`, and with the system's where that lacks a character. Pictures in it are left out.

    Raises `InvalidFigure` where it is no SVG or passes a bound, and `MissingExtra`.
    """
    root = _parsed(svg)
    natural_width, natural_height = _size(root)
    factor = scale if width is None else width / natural_width
    if not (math.isfinite(factor) and factor > 0):
        raise InvalidFigure(f"is to be drawn {factor:g} times its size; allowed: more than 0")
    pixel_width, pixel_height = max(1.0, natural_width * factor), max(1.0, natural_height * factor)
    _check_size(pixel_width, pixel_height)
    for element in list(root.iter("{*}*")):
        if etree.QName(element).localname in _IMAGE_ELEMENTS:
            _remove(element)
    if root.get("viewBox") is None:
        root.set("viewBox", f"0 0 {natural_width:g} {natural_height:g}")
    root.set("width", str(round(pixel_width)))
    root.set("height", str(round(pixel_height)))
    characters = "".join(map(str, root.itertext()))
    sized_svg = etree.tostring(root, encoding="unicode")
    png = _rasterize(
        sized_svg, with_system_fonts=bool(missing_characters(set(characters))), background_color=background_color
    )
    if len(png) > MAX_PNG_BYTES:
        raise InvalidFigure(
            f"comes to {len(png):,} bytes of PNG; at most {MAX_PNG_BYTES:,} are allowed; draw it smaller"
        )
    return png


def missing_glyphs(characters: str) -> frozenset[str]:
    """Return the characters of a text for which neither the shipped font nor the system has a glyph.

    One character speaks for its script, or for its neighbours among signs; of a text in more than 16 of these, the rest is
    taken to be missing. Raises `MissingExtra`.
    """
    kinds: dict[str, list[str]] = {}
    for each in sorted(missing_characters(set(characters))):
        kinds.setdefault(_kind(each), []).append(each)
    missing: set[str] = set()
    for number, alike in enumerate(kinds.values()):
        if number >= _MAX_KINDS or not _system_draws(alike[0]):
            missing.update(alike)
    return frozenset(missing)


def _parsed(svg: str) -> "etree._Element":
    try:
        content = svg.encode()
    except UnicodeEncodeError as error:
        raise InvalidFigure(f"holds a lone surrogate at character {error.start + 1}; take it out") from None
    if len(content) > MAX_SVG_BYTES:
        raise InvalidFigure(f"is {len(content):,} bytes of SVG; at most {MAX_SVG_BYTES:,} are allowed; make it simpler")
    parser = etree.XMLParser(resolve_entities=False, no_network=True, remove_comments=True, remove_pis=True)
    try:
        root = etree.fromstring(content, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise InvalidFigure(f"is not well-formed XML: {error}") from None
    if root.tag != f"{{{_SVG}}}svg":
        raise InvalidFigure(f"begins with the element {root.tag!r}; allowed: svg, in the namespace {_SVG}")
    if root.getroottree().docinfo.internalDTD is not None:
        raise InvalidFigure("has a document type, which could define entities; take it out")
    return root


def _size(root: "etree._Element") -> tuple[float, float]:
    """Return the width and the height that an SVG gives itself, in px; its `viewBox` speaks where they are left out."""
    box = re.split(r"[\s,]+", (root.get("viewBox") or "").strip())
    sizes = []
    for attribute, index in (("width", 2), ("height", 3)):
        value = root.get(attribute, "100%")
        length = _LENGTH.fullmatch(value) or (_LENGTH.fullmatch(box[index]) if len(box) == 4 else None)
        if length is None:
            raise InvalidFigure(
                f"has no size: {attribute} is {value[:40]!r} and there is no viewBox; give one of them in px"
            )
        sizes.append(float(length[1]) * _UNITS[length[2]])
    if min(sizes) <= 0:
        raise InvalidFigure(f"is {sizes[0]:g} by {sizes[1]:g} px; allowed: more than 0")
    return sizes[0], sizes[1]


def _check_size(width: float, height: float) -> None:
    if max(width, height) > MAX_SIDE or width * height > MAX_PIXELS:
        raise InvalidFigure(
            f"comes to {width:,.0f} by {height:,.0f} px; allowed: sides of {MAX_SIDE:,} px and "
            f"{MAX_PIXELS:,} px in all; draw it smaller"
        )


def _remove(element: "etree._Element") -> None:
    """Take an element out, and leave the text behind it."""
    parent = element.getparent()
    if parent is None:
        return
    tail, before = element.tail or "", element.getprevious()
    if before is None:
        parent.text = (parent.text or "") + tail
    else:
        before.tail = (before.tail or "") + tail
    parent.remove(element)


def _rasterize(svg: str, *, with_system_fonts: bool, background_color: str | None = None) -> bytes:
    # Before what it needs: both come with the same extra.
    font = str(font_path())
    try:
        from resvg_py import svg_to_bytes
    except ModuleNotFoundError:
        raise MissingExtra("figures", "resvg-py") from None
    try:
        return svg_to_bytes(
            svg_string=svg,
            background=background_color,
            dpi=96,
            skip_system_fonts=not with_system_fonts,
            font_files=[font],
            font_family=FONT_FAMILY,
            serif_family=FONT_FAMILY,
            sans_serif_family=FONT_FAMILY,
            cursive_family=FONT_FAMILY,
            fantasy_family=FONT_FAMILY,
            monospace_family=FONT_FAMILY,
        )
    except ValueError as error:
        raise InvalidFigure(f"cannot be drawn: {error}") from None
    except BaseException as error:
        # What resvg did not foresee arrives as an exception of Rust's, which is none of Python's own kinds.
        if type(error).__name__ != "PanicException":
            raise
        raise InvalidFigure("cannot be drawn: resvg broke off") from None


def _kind(character: str) -> str:
    """Return what characters have in common that a font has or lacks together: the script, or a block of signs."""
    if category(character)[0] in "LMN":
        return name(character, "").partition(" ")[0]
    return f"{ord(character) >> 8:x}"


@lru_cache(maxsize=1024)
def _system_draws(character: str) -> bool:
    return _rendered_sample(character) != _rendered_sample(_UNASSIGNED)


@lru_cache(maxsize=1024)
def _rendered_sample(character: str) -> bytes:
    """Return a small picture of a character, in whichever font has it."""
    writer = HtmlWriter()
    writer.start("svg", (("xmlns", _SVG), ("width", 24), ("height", 24)))
    writer.start("text", (("x", 2), ("y", 18), ("font-family", FONT_FAMILY), ("font-size", 16)))
    writer.write_text(character)
    writer.end()
    writer.end()
    return _rasterize(writer.finish(), with_system_fonts=True)
