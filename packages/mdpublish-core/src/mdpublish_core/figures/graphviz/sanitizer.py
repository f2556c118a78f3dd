"""Size limits and allowed attribute values.

Attributes that name files are emptied before Graphviz sees them; numbers that could stall or crash it are clamped.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from functools import partial

from mdpublish_core.data_files import read_data
from mdpublish_core.figures.errors import FigureError
from mdpublish_core.figures.graphviz.bindings import EDGE, GRAPH, NODE, Graph, Item

MAX_SOURCE_BYTES = 500_000
"""Graphviz's largest regression graph that renders in seconds has 377,525."""

MAX_NODES = 3_000
MAX_EDGES = 5_000
MAX_SUBGRAPHS = 1_000
"""The largest of them have 1,235 nodes and 2,438 edges."""

MAX_SPAN = 1_000
"""Span of a table cell: Graphviz allocates all columns and rows, and aborts when out of memory."""

MAX_DEPTH = 200
"""Depth of nested subgraphs: the engines recurse on the C stack."""

_FILE_ATTRIBUTES = (
    "_background", "fontpath", "image", "imagepath", "imagepos", "imagescale", "shapefile", "stylesheet",
)  # fmt: skip

# Attributes that change the images' number, encoding, size or ids.
_RESERVED_ATTRIBUTES = (
    "charset", "class", "dpi", "id", "layer", "layerlistsep", "layersep", "layerselect", "output", "page", "pagedir",
    "resolution", "xdotversion",
)  # fmt: skip

# Written to the SVG unescaped.
_UNESCAPED = (
    "bgcolor", "color", "colorscheme", "fillcolor", "fontcolor", "fontname", "fontnames", "labelfontcolor",
    "labelfontname", "pencolor", "style", "target",
)  # fmt: skip
_MARKUP = re.compile("[\"'<>&]")

_LINKS = tuple(f"{prefix}{name}" for prefix in ("", "edge", "head", "label", "tail") for name in ("URL", "href"))
ALLOWED_LINK = re.compile(r"\s*(?:https?://|mailto:)", re.IGNORECASE)

# Lengths are in inches, font sizes in points.
_RANGES: Mapping[str, tuple[float, float]] = read_data(__file__, "ranges.json")

# Numbers in C's syntax.
_NUMBER = re.compile(
    r"[+-]?(?:0[xX][0-9a-fA-F.]*(?:[pP][+-]?\d+)?|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|\b(?:inf(?:inity)?|nan)\b)",
    re.IGNORECASE,
)

_SPAN = re.compile(r"""\b(?:col|row)span\s*=\s*["']\s*\+?0*(\d+)""", re.IGNORECASE)

_LABELS = ("label", "xlabel", "headlabel", "taillabel")
_IMAGE = re.compile(r"""</?img(?![\w-])(?:"[^"]*"|'[^']*'|[^'">])*>""", re.IGNORECASE)
_IMAGE_START = re.compile("<(/?img)", re.IGNORECASE)


def check_source(source: str) -> None:
    length = len(source.encode())
    if length > MAX_SOURCE_BYTES:
        raise FigureError(f"the graph must be at most {MAX_SOURCE_BYTES:,} bytes (got {length:,}); shorten or split it")


def check_tables(html_labels: Iterable[str]) -> None:
    for label in html_labels:
        for match in _SPAN.finditer(label):
            span = int(match[1][:10])
            if span > MAX_SPAN:
                raise FigureError(f"a table cell must span at most {MAX_SPAN:,} columns or rows (got {span:,})")


def check_size(graph: Graph) -> None:
    _check("nodes", graph.count_nodes(), MAX_NODES)
    _check("edges", graph.count_edges(), MAX_EDGES)
    for count, (depth, _) in enumerate(graph.all_subgraphs(), 1):
        _check("subgraphs", count, MAX_SUBGRAPHS)
        if depth > MAX_DEPTH:
            raise FigureError(f"subgraphs must be nested at most {MAX_DEPTH:,} deep (got {depth:,})")


def _check(what: str, count: int, limit: int) -> None:
    if count > limit:
        raise FigureError(f"the graph must have at most {limit:,} {what} (got {count:,}); shrink or split it")


def sanitize_attributes(graph: Graph, *, html_labels: frozenset[str]) -> None:
    """Apply `_RULES`; `html_labels` are from the source."""
    graphs = [graph, *(each for _, each in graph.all_subgraphs())]
    for kind, items in ((GRAPH, graphs), (NODE, graph.nodes()), (EDGE, graph.edges())):
        declared = graph.declared(kind)
        rules = {name: _RULES[name] for name in declared if name in _RULES}
        for name, rule in rules.items():
            sanitized = rule(declared[name])
            if sanitized != declared[name]:
                graph.declare(kind, name, sanitized)
        labels = [name for name in _LABELS if name in declared]
        if not rules and not labels:
            continue
        for item in items:
            for name, rule in rules.items():
                value = item.get(name)
                sanitized = rule(value)
                if sanitized != value:
                    item.set(name, sanitized)
            for name in labels:
                _remove_images(graph, item, name, html_labels)


def _remove_images(graph: Graph, item: Item, name: str, html_labels: frozenset[str]) -> None:
    value = item.get(name)
    if not _IMAGE_START.search(value):
        return
    # Plain text that looks like HTML must stay plain text.
    if value in html_labels:
        graph.set_html(item, name, _IMAGE_START.sub(r"&lt;\1", _IMAGE.sub("", value)))
    else:
        item.set(name, value)


def clamp_numbers(value: str, minimum: float, maximum: float) -> str:
    def bound(match: re.Match[str]) -> str:
        try:
            number = float(match[0])
        except ValueError:
            # Hexadecimal numbers are not parsed by `float`.
            return f"{minimum:g}"
        if number != number or not minimum <= number <= maximum:  # noqa: PLR0124  (what is no number differs from itself)
            return f"{maximum if number > maximum else minimum:.9g}"
        return match[0]

    return _NUMBER.sub(bound, value[:_MAX_NUMBERS])


# In characters; `pos` of an edge can have hundreds of points.
_MAX_NUMBERS = 100_000


def _started(value: str) -> str:
    """Seed the random start, for deterministic output."""
    return f"{value}1" if "rand" in value.lower() and not any(map(str.isdigit, value)) else value


_RULES: Mapping[str, Callable[[str], str]] = {
    **{name: partial(clamp_numbers, minimum=low, maximum=high) for name, (low, high) in _RANGES.items()},
    **dict.fromkeys((*_FILE_ATTRIBUTES, *_RESERVED_ATTRIBUTES), lambda _: ""),
    **dict.fromkeys(_LINKS, lambda value: value if ALLOWED_LINK.match(value) else ""),
    **dict.fromkeys(_UNESCAPED, lambda value: _MARKUP.sub("", value)),
    # Graphviz renders nothing if `layers` is set but no layer exists.
    "layers": lambda _: "one",
    "start": _started,
}
