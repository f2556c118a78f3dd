"""The SVG sanitizer, through which all SVG from engines passes.

etree ──sanitizer──▶ node tree ──contrast──▶ readable tree ──pruning, references──▶ visible tree ──▶ CleanSvg
         │                        └── geometry
         └── allowlist, values, stylesheets
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from lxml import etree

from mdpublish_core.figures.boxes import Box
from mdpublish_core.figures.errors import FigureError
from mdpublish_core.figures.svg.allowlist import NAMESPACE, SHAPES
from mdpublish_core.figures.svg.contrast import DrawnText, Readability, ensure_readable
from mdpublish_core.figures.svg.frames import holding
from mdpublish_core.figures.svg.geometry import box_of, outlines
from mdpublish_core.figures.svg.pruning import prune
from mdpublish_core.figures.svg.references import References
from mdpublish_core.figures.svg.sanitizer import MAX_DEPTH, SvgNode, sanitize
from mdpublish_core.figures.svg.theme_modes import DARK_ONLY, LIGHT_ONLY, merge_modes, mode_variables
from mdpublish_core.figures.svg.values import format_number, normalize_attribute
from mdpublish_core.html import HtmlWriter

__all__ = [
    "DARK_ONLY",
    "LIGHT_ONLY",
    "MAX_SIDE",
    "MAX_SVG_BYTES",
    "NAMESPACE",
    "SHAPES",
    "CleanSvg",
    "DrawnText",
    "Readability",
    "box_of",
    "clean_svg",
    "mode_variables",
    "outlines",
]

MAX_SVG_BYTES = 2_000_000
"""Size of input and output: ten times the largest of Mermaid's own examples."""

MAX_SIDE = 1_000_000
"""In px."""

_MAX_ATTRIBUTES = 500
"""Per element, counted as `=` after `<`: libxml2 compares attributes pairwise."""

# Entity definitions; Graphviz's plain document type is allowed.
_DEFINITIONS = re.compile(r"<!(?:ENTITY|ATTLIST|ELEMENT|NOTATION)|<!DOCTYPE[^>\[]*\[")


@dataclass(frozen=True, slots=True, kw_only=True)
class CleanSvg:
    """Sanitized SVG for any page, with an id prefix set by the page."""

    width: float
    """In CSS px."""

    height: float

    view_box: str
    """x, y, width, height."""

    attributes: tuple[tuple[str, str], ...] = ()
    """Inherited, such as fonts and colors."""

    parts: tuple[str, ...] = ()
    """Markup, split where the id prefix is inserted."""

    title: str = ""
    """Not in `parts`."""

    description: str = ""
    """Not in `parts`."""

    def inner(self, prefix: str) -> str:
        """Return the markup inside the root; `prefix` must be unique in the page."""
        return prefix.join(self.parts)

    def document(self, prefix: str = "f") -> str:
        size = (
            ("width", format_number(self.width)),
            ("height", format_number(self.height)),
            ("viewBox", self.view_box),
        )
        return serialize_document((*size, *self.attributes), self.title, self.description, self.inner(prefix))


def clean_svg(
    svg: str,
    readability: Readability | None = None,
    *,
    dark: tuple[str, Readability | None] | None = None,
    drawn: list[DrawnText] | None = None,
) -> CleanSvg:
    """Sanitize untrusted SVG; with `readability`, also make its text and lines readable.

    With `dark`, the SVG of dark mode, the result shows one or the other, by the reader's mode. What is drawn as text
    is added to `drawn`.

    Raises `FigureError` if it is not SVG, exceeds a limit or has circular references.
    """
    tree, clean = _allowed(svg, readability, [] if drawn is None else drawn)
    if dark is not None:
        dark_tree, dark_clean = _allowed(*dark, [])
        if clean.view_box != dark_clean.view_box:
            raise FigureError("the figure has another size in dark mode; choose a theme mode")
        tree = merge_modes(tree, dark_tree)
    parts = serialize_parts(tree, prune(tree))
    _check_bytes(sum(map(len, parts)), "the sanitized SVG")
    attributes = tuple((name, value) for name, value in tree.attributes.items() if value)
    return replace(clean, attributes=attributes, parts=parts)


def _allowed(svg: str, readability: Readability | None, drawn: list[DrawnText]) -> tuple[SvgNode, CleanSvg]:
    """Return the allowed tree, and what is not written from it; add drawn text."""
    root = _parsed(svg)
    width, height, view_box = _size(root)
    tree = sanitize(root)
    drawn += [] if readability is None else ensure_readable(tree, readability)
    if readability is not None and readability.shows_all:
        width, height, view_box = _around(drawn, width, height, view_box)
    title, description = _pop_children(tree, "title"), _pop_children(tree, "desc")
    for name in ("x", "y", "width", "height", "viewBox", "transform"):
        tree.attributes.pop(name, None)
    _wrap_references(tree)
    return tree, CleanSvg(width=width, height=height, view_box=view_box, title=title, description=description)


def _around(drawn: Iterable[DrawnText], width: float, height: float, view_box: str) -> tuple[float, float, str]:
    """Return the size and the view, widened where text would be cut off."""
    view = Box.at(*map(float, view_box.split()))
    wider = holding(view, [box for _, box, *_ in drawn if box])
    if wider == view:
        return width, height, view_box
    box = " ".join(format_number(each) for each in (wider.left, wider.top, wider.width, wider.height))
    return round(width * wider.width / view.width, 3), round(height * wider.height / view.height, 3), box


def _parsed(svg: str) -> "etree._Element":
    try:
        content = svg.encode()
    except UnicodeEncodeError as error:
        raise FigureError(f"the SVG contains a lone surrogate at character {error.start + 1}") from None
    _check_bytes(len(content), "the SVG")
    if _DEFINITIONS.search(svg):
        raise FigureError("the SVG must not have a document type with definitions")
    attribute_count = max(piece.count("=") for piece in svg.split("<"))
    if attribute_count > _MAX_ATTRIBUTES:
        raise FigureError(f"an SVG element must have at most {_MAX_ATTRIBUTES} attributes (got {attribute_count:,})")
    parser = etree.XMLParser(
        encoding="utf-8", resolve_entities=False, no_network=True, remove_comments=True, remove_pis=True
    )
    try:
        root = etree.fromstring(content, parser)
    except etree.XMLSyntaxError as error:
        if "depth" in str(error):
            raise FigureError(f"the SVG is nested more than {MAX_DEPTH} elements deep") from None
        raise FigureError(f"the SVG is not well-formed XML: {error.msg}") from None
    if root.tag != f"{{{NAMESPACE}}}svg":
        raise FigureError(f"the root element must be svg in the namespace {NAMESPACE} (got {str(root.tag)[:60]!r})")
    return root


def _check_bytes(count: int, what: str) -> None:
    if count > MAX_SVG_BYTES:
        raise FigureError(f"{what} must be at most {MAX_SVG_BYTES:,} bytes (got {count:,}); simplify the figure")


def _size(root: "etree._Element") -> tuple[float, float, str]:
    """Return width and height in px, by default from the `viewBox`, and the view box."""
    view_box = normalize_attribute("box", root.get("viewBox", ""))
    sides = [_side(root.get(name, "")) for name in ("width", "height")]
    if None in sides:
        if view_box is None:
            raise FigureError("the SVG has no size: it needs width and height in px, or a viewBox")
        sides = [_side(each) for each in view_box.split()[2:]]
    width, height = (round(side or 0.0, 3) for side in sides)
    if not (0 < width <= MAX_SIDE and 0 < height <= MAX_SIDE):
        raise FigureError(
            f"the sides of the SVG must be more than 0 and at most {MAX_SIDE:,} px "
            f"(got {width:,.12g} by {height:,.12g} px)"
        )
    return width, height, view_box or f"0 0 {format_number(width)} {format_number(height)}"


def _side(value: str) -> float | None:
    """Return a length in px; None if relative."""
    length = normalize_attribute("size", value)
    return float(length) if length and length[-1].isdigit() else None


def _wrap_references(tree: SvgNode) -> None:
    """Move the root's references into a group: root attributes cannot hold id prefixes."""
    if tree.references:
        referring = {name: tree.attributes.pop(name, "") for name in tree.references}
        tree.children = [SvgNode("g", referring, tree.children, references=tree.references)]
        tree.references = {}


def _pop_children(tree: SvgNode, tag: str) -> str:
    """Remove children of the root; return the first one's text."""
    matches = [child for child in tree.children if isinstance(child, SvgNode) and child.tag == tag]
    tree.children = [child for child in tree.children if not (isinstance(child, SvgNode) and child.tag == tag)]
    return str(matches[0].children[0]) if matches else ""


# Not allowed in XML, so never in the input. In URLs, it is percent-encoded, and only where a scheme would be.
_CUT = "\0"
_CUTS = re.compile(r'\0|(?<="#)%00(?=-)')


def serialize_parts(root: SvgNode, references: References) -> tuple[str, ...]:
    """Write a tree as markup, split where the id prefix is inserted."""
    writer = HtmlWriter()
    for child in root.children:
        _write(child, references, writer)
    return tuple(_CUTS.split(writer.finish()))


def serialize_document(attributes: Iterable[tuple[str, str]], title: str, description: str, inner: str) -> str:
    writer = HtmlWriter()
    writer.start("svg", (("xmlns", NAMESPACE), *attributes))
    for tag, content in (("title", title), ("desc", description)):
        if content:
            writer.element(tag, content)
    writer.raw(inner)
    writer.end()
    return writer.finish()


def _write(node: SvgNode | str, references: References, writer: HtmlWriter) -> None:
    if isinstance(node, str):
        writer.write_text(node)
    elif node.children:
        writer.start(node.tag, _attributes(node, references))
        for child in node.children:
            _write(child, references, writer)
        writer.end()
    else:
        writer.empty(node.tag, _attributes(node, references))


def _attributes(node: SvgNode, references: References) -> list[tuple[str, str]]:
    name = references.names.get(id(node))
    id_attribute = [("id", f"{_CUT}{name}")] if name else []
    plain = [(name, value) for name, value in node.attributes.items() if name not in node.references]
    return [*id_attribute, *plain, *((name, _reference(node, name, references)) for name in node.references)]


def _reference(node: SvgNode, attribute: str, references: References) -> str:
    target = references.target(node, attribute)
    assert target, f"{attribute} refers to nothing"
    fragment = f"#{_CUT}{references.names[id(target)]}"
    if attribute == "href":
        return fragment
    other = node.attributes[attribute]
    return f"url({fragment}) {other}" if other not in {"", "none"} else f"url({fragment})"
