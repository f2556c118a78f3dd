"""Allowed elements, attributes and CSS properties."""

from collections.abc import Mapping

NAMESPACE = "http://www.w3.org/2000/svg"
XLINK = "http://www.w3.org/1999/xlink"
XML = "http://www.w3.org/XML/1998/namespace"

_BOX = {"x": "length", "y": "length", "width": "size", "height": "size"}
_TEXT_ATTRIBUTES = {
    "x": "lengths",
    "y": "lengths",
    "dx": "lengths",
    "dy": "lengths",
    "rotate": "lengths",
    "textLength": "size",
    "lengthAdjust": "spacing|spacingAndGlyphs",
}
_VIEW = {"viewBox": "box", "preserveAspectRatio": "aspect"}
_UNITS = "userSpaceOnUse|objectBoundingBox"
_GRADIENT = {"gradientUnits": _UNITS, "gradientTransform": "transform", "spreadMethod": "pad|reflect|repeat"}

ELEMENTS: Mapping[str, Mapping[str, str]] = {
    "svg": {**_BOX, **_VIEW},
    "g": {},
    "a": {},
    "defs": {},
    "symbol": {**_BOX, **_VIEW, "refX": "length", "refY": "length"},
    "use": _BOX,
    "title": {},
    "desc": {},
    "path": {"d": "path", "pathLength": "size"},
    "rect": {**_BOX, "rx": "size", "ry": "size", "pathLength": "size"},
    "circle": {"cx": "length", "cy": "length", "r": "size", "pathLength": "size"},
    "ellipse": {"cx": "length", "cy": "length", "rx": "size", "ry": "size", "pathLength": "size"},
    "line": {"x1": "length", "y1": "length", "x2": "length", "y2": "length", "pathLength": "size"},
    "polyline": {"points": "points", "pathLength": "size"},
    "polygon": {"points": "points", "pathLength": "size"},
    "text": _TEXT_ATTRIBUTES,
    "tspan": _TEXT_ATTRIBUTES,
    "textPath": {
        "startOffset": "length",
        "textLength": "size",
        "lengthAdjust": "spacing|spacingAndGlyphs",
        "method": "align|stretch",
        "spacing": "auto|exact",
        "side": "left|right",
    },
    "marker": {
        **_VIEW,
        "refX": "length",
        "refY": "length",
        "markerWidth": "size",
        "markerHeight": "size",
        "markerUnits": "strokeWidth|userSpaceOnUse",
        "orient": "orient",
    },
    "clipPath": {"clipPathUnits": _UNITS},
    "mask": {**_BOX, "maskUnits": _UNITS, "maskContentUnits": _UNITS},
    "pattern": {
        **_BOX,
        **_VIEW,
        "patternUnits": _UNITS,
        "patternContentUnits": _UNITS,
        "patternTransform": "transform",
    },
    "linearGradient": {"x1": "length", "y1": "length", "x2": "length", "y2": "length", **_GRADIENT},
    "radialGradient": {
        "cx": "length",
        "cy": "length",
        "r": "size",
        "fx": "length",
        "fy": "length",
        "fr": "size",
        **_GRADIENT,
    },
    "stop": {"offset": "offset"},
}
"""Allowed elements and their attributes, with a value kind (see `values`) or allowed words. Others are removed with
their content.
"""

PROPERTIES: Mapping[str, str] = {
    "alignment-baseline": "auto|baseline|before-edge|text-before-edge|middle|central|after-edge|text-after-edge"
    "|ideographic|alphabetic|hanging|mathematical|text-top|text-bottom",
    "baseline-shift": "shift",
    "clip-path": "reference",
    "clip-rule": "nonzero|evenodd",
    "color": "color",
    "direction": "ltr|rtl",
    "display": "display",
    "dominant-baseline": "auto|alphabetic|ideographic|middle|central|mathematical|hanging|text-before-edge"
    "|text-after-edge|text-top|text-bottom|use-script|no-change|reset-size",
    "fill": "paint",
    "fill-opacity": "opacity",
    "fill-rule": "nonzero|evenodd",
    "font-family": "families",
    "font-size": "font-size",
    "font-stretch": "normal|ultra-condensed|extra-condensed|condensed|semi-condensed|semi-expanded|expanded"
    "|extra-expanded|ultra-expanded",
    "font-style": "normal|italic|oblique",
    "font-variant": "normal|small-caps",
    "font-weight": "weight",
    "letter-spacing": "spacing",
    "marker-end": "reference",
    "marker-mid": "reference",
    "marker-start": "reference",
    "mask": "reference",
    "mask-type": "luminance|alpha",
    "opacity": "opacity",
    "overflow": "visible|hidden|auto|scroll",
    "paint-order": "order",
    "shape-rendering": "auto|optimizeSpeed|crispEdges|geometricPrecision",
    "stop-color": "color",
    "stop-opacity": "opacity",
    "stroke": "paint",
    "stroke-dasharray": "dashes",
    "stroke-dashoffset": "length",
    "stroke-linecap": "butt|round|square",
    "stroke-linejoin": "miter|round|bevel",
    "stroke-miterlimit": "size",
    "stroke-opacity": "opacity",
    "stroke-width": "size",
    "text-anchor": "start|middle|end",
    "text-decoration": "decoration",
    "text-rendering": "auto|optimizeSpeed|optimizeLegibility|geometricPrecision",
    "transform": "transform",
    "transform-origin": "origin",
    "unicode-bidi": "normal|embed|isolate|bidi-override|isolate-override|plaintext",
    "vector-effect": "none|non-scaling-stroke",
    "visibility": "visible|hidden|collapse",
    "white-space": "normal|nowrap|pre|pre-wrap|pre-line|break-spaces",
    "word-spacing": "spacing",
    "writing-mode": "horizontal-tb|vertical-rl|vertical-lr|lr|lr-tb|rl|rl-tb|tb|tb-rl",
}
"""Allowed properties with their value kinds."""

GEOMETRY: Mapping[str, str] = {
    "x": "length",
    "y": "length",
    "cx": "length",
    "cy": "length",
    "r": "size",
    "rx": "size",
    "ry": "size",
    "width": "size",
    "height": "size",
}
"""Also CSS properties: https://www.w3.org/TR/SVG2/geometry.html"""

CSS_GEOMETRY_ELEMENTS = frozenset({"svg", "use", "rect", "circle", "ellipse"})

_TEXTUAL = frozenset(
    {
        "alignment-baseline",
        "baseline-shift",
        "direction",
        "dominant-baseline",
        "font-family",
        "font-size",
        "font-stretch",
        "font-style",
        "font-variant",
        "font-weight",
        "letter-spacing",
        "text-anchor",
        "text-decoration",
        "text-rendering",
        "unicode-bidi",
        "word-spacing",
        "writing-mode",
    }
)

# Not written, or only in another form.
_READ_ALONE = frozenset({"color", "display", "transform-origin", "white-space"})

_STOP = frozenset({"stop-color", "stop-opacity"})
_OUTPUT_PROPERTIES = frozenset(PROPERTIES) - _READ_ALONE - _STOP

_SHAPE = _OUTPUT_PROPERTIES - _TEXTUAL - {"mask-type", "overflow"}
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

INHERITED = frozenset(PROPERTIES) - {
    "alignment-baseline",
    "baseline-shift",
    "clip-path",
    "display",
    "mask",
    "mask-type",
    "opacity",
    "overflow",
    "stop-color",
    "stop-opacity",
    "text-decoration",
    "transform",
    "transform-origin",
    "unicode-bidi",
    "vector-effect",
}

INITIAL_VALUES: Mapping[str, str] = {
    "color": "#000000",
    "fill": "#000000",
    "fill-opacity": "1",
    "fill-rule": "nonzero",
    "clip-rule": "nonzero",
    "dominant-baseline": "auto",
    "font-size": "16",
    "font-stretch": "normal",
    "font-style": "normal",
    "font-variant": "normal",
    "font-weight": "400",
    "letter-spacing": "0",
    "marker-end": "none",
    "marker-mid": "none",
    "marker-start": "none",
    "paint-order": "normal",
    "stroke": "none",
    "stroke-dasharray": "none",
    "stroke-dashoffset": "0",
    "stroke-linecap": "butt",
    "stroke-linejoin": "miter",
    "stroke-miterlimit": "4",
    "stroke-opacity": "1",
    "stroke-width": "1",
    "text-anchor": "start",
    "visibility": "visible",
    "white-space": "normal",
    "word-spacing": "0",
}
"""For inherited properties; others are omitted instead."""

SHOWN_BY_REFERENCE = frozenset(
    {"marker", "symbol", "clipPath", "mask", "pattern", "linearGradient", "radialGradient", "stop"}
)
"""Rendered only by reference, regardless of `display`."""

REFERENCE_TARGETS: Mapping[str, frozenset[str]] = {
    "fill": frozenset({"linearGradient", "radialGradient", "pattern"}),
    "stroke": frozenset({"linearGradient", "radialGradient", "pattern"}),
    "clip-path": frozenset({"clipPath"}),
    "mask": frozenset({"mask"}),
    "marker-start": frozenset({"marker"}),
    "marker-mid": frozenset({"marker"}),
    "marker-end": frozenset({"marker"}),
    "use": SHAPES | {"g", "a", "svg", "symbol", "use", "text"},
    "textPath": SHAPES,
    "pattern": frozenset({"pattern"}),
    "linearGradient": frozenset({"linearGradient", "radialGradient"}),
    "radialGradient": frozenset({"linearGradient", "radialGradient"}),
}
"""Allowed targets of properties, and of `href` by element."""
