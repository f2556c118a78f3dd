"""Allowed elements, attributes and CSS properties: the tables of `allowlist.json`."""

from collections.abc import Mapping

from mdpublish_core.data_files import read_data

NAMESPACE = "http://www.w3.org/2000/svg"
XLINK = "http://www.w3.org/1999/xlink"
XML = "http://www.w3.org/XML/1998/namespace"

TABLES = read_data(__file__, "allowlist.json")

ELEMENTS: Mapping[str, Mapping[str, str]] = TABLES["elements"]
"""Allowed elements and their attributes, with a value kind (see `values`) or allowed words. Others are removed.
"""

PROPERTIES: Mapping[str, str] = TABLES["properties"]
"""Allowed properties with their value kinds."""

GEOMETRY: Mapping[str, str] = TABLES["geometry"]
"""Also CSS properties: https://www.w3.org/TR/SVG2/geometry.html"""

CSS_GEOMETRY_ELEMENTS = frozenset(TABLES["geometry_elements"])

# Not written, or only in another form.
_READ_ALONE = frozenset({"color", "display", "transform-origin", "white-space"})

_STOP = frozenset({"stop-color", "stop-opacity"})
_OUTPUT_PROPERTIES = frozenset(PROPERTIES) - _READ_ALONE - _STOP

_SHAPE = _OUTPUT_PROPERTIES - {*TABLES["textual"], "mask-type", "overflow"}
_NOT_IN_TEXT = {"fill-rule", "clip-rule", "marker-start", "marker-mid", "marker-end", "mask-type", "overflow"}

SHAPES = frozenset({"path", "rect", "circle", "ellipse", "line", "polyline", "polygon"})

OUTPUT_PROPERTIES: Mapping[str, frozenset[str]] = {
    **dict.fromkeys(ELEMENTS, _OUTPUT_PROPERTIES),
    **dict.fromkeys(SHAPES, _SHAPE),
    **dict.fromkeys(("text", "tspan", "textPath"), _OUTPUT_PROPERTIES - _NOT_IN_TEXT),
    **dict.fromkeys(("linearGradient", "radialGradient", "title", "desc"), frozenset()),
    "stop": _STOP,
}
"""Properties that affect the element or its content."""

INHERITED = frozenset(PROPERTIES) - frozenset(TABLES["not_inherited"])

INITIAL_VALUES: Mapping[str, str] = TABLES["initial_values"]
"""For inherited properties; others are omitted instead."""

SHOWN_BY_REFERENCE = frozenset(TABLES["shown_by_reference"])
"""Rendered only by reference, regardless of `display`."""

REFERENCE_TARGETS: Mapping[str, frozenset[str]] = {
    name: frozenset(targets) for name, targets in TABLES["reference_targets"].items()
}
"""Allowed targets of properties, and of `href` by element."""
