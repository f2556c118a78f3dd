"""Renders Graphviz requests."""

import re
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from dataclasses import replace
from functools import partial
from itertools import chain

from mdpublish_core.css.colors import MIN_GRAPHICS_CONTRAST
from mdpublish_core.figures import words
from mdpublish_core.figures.costs import layout_steps
from mdpublish_core.figures.errors import FigureError, SourceRefused
from mdpublish_core.figures.graphviz import bindings, sanitizer, sources, text_output, warnings
from mdpublish_core.figures.graphviz.bindings import EDGE, GRAPH, Graph, Item
from mdpublish_core.figures.graphviz.defaults import apply_defaults
from mdpublish_core.figures.graphviz.labels import MAX_CHARACTERS, RECORDS, label_text, node_text
from mdpublish_core.figures.graphviz.postprocessing import postprocess
from mdpublish_core.figures.graphviz.sources import end_of_html
from mdpublish_core.figures.graphviz.text_output import Drawn
from mdpublish_core.figures.request import MIN_SIDE, EngineOutput, FigureRequest, Remark
from mdpublish_core.figures.words import words_of

ENGINES = ("dot", "neato", "twopi", "circo", "fdp", "sfdp", "osage", "patchwork")
"""https://graphviz.org/docs/layouts/"""

# Of an item: circo routes edges around each other.
_COSTS = {"circo": 4}

_SIDEWAYS = frozenset({"LR", "RL"})

# Neither scaled down by `size` nor without any height. Such a drawing is right however small: a row of dots has 12 px.
_UNSCALED = re.compile(rb"scale\(1 1\) rotate\(0\) translate\((\S+) (?!\1\))")


def render(request: FigureRequest) -> EngineOutput:
    """Render a graph as written, else with its slips repaired; raises `FigureError`."""
    source = sources.strip_unwritable(request.source)
    try:
        return _render(request, source)
    except SourceRefused as refusal:
        # Imported lazily: most graphs are right.
        from mdpublish_core.figures.graphviz import repairs

        parsed = replace(request, forms=frozenset({"text"}))
        return repairs.render_refused(
            source, refusal, partial(_render, request), lambda content: replace(_render(parsed, content), remarks=())
        )


def _render(request: FigureRequest, source: str) -> EngineOutput:
    sanitizer.check_source(source)
    html_labels = sources.find_html_labels(source)
    sanitizer.check_tables(html_labels)
    with bindings.parse_graph(source) as graph:
        sanitizer.check_size(graph)
        images = [image for node in graph.nodes() if (image := _named_for_image(node))]
        images += [image for label in html_labels for image in words.images_of(label)]
        engine = _layout_engine(request, graph)
        title = label_text(graph, "label", html_labels=html_labels, with_html=False)
        drawn = text_output.read_model(graph, engine, html_labels=html_labels)
        outline = drawn.model.outline(title=label_text(graph, "label", html_labels=html_labels))
        svg, said, steps, is_unscaled = None, "", 0, False
        if request.forms & {"svg", "png"}:
            sanitizer.sanitize_attributes(graph, html_labels=html_labels)
            steps = layout_steps(_COSTS.get(engine, 1) * (graph.count_nodes() + graph.count_edges()))
            # The fence's engine takes precedence over the graph's attribute.
            graph.declare(GRAPH, "layout", engine)
            if request.is_transposed:
                _set(graph, "rankdir", "TB" if graph.get("rankdir").upper() in _SIDEWAYS else "LR")
            if engine == "patchwork":
                _square_records(graph, html_labels)
            apply_defaults(graph, engine, request.theme)
            content, said = _draw(graph, engine, html_labels)
            if warnings.ILL_FORMED in said and any(map(warnings.BARE_AMPERSAND.search, html_labels)):
                raise SourceRefused(warnings.AMPERSAND)
            is_unscaled = _UNSCALED.search(content) is not None and not graph.get("viewport")
            svg = postprocess(content, request.theme, has_background=bool(graph.get("bgcolor")))
    return EngineOutput(
        svg=svg,
        plain_text=outline.plain_text() if "text" in request.forms else None,
        title=" ".join(title.split()),
        description=outline.description(),
        min_side=0 if is_unscaled else MIN_SIDE,
        can_transpose=engine == ENGINES[0],
        layout_steps=steps,
        line_contrast=MIN_GRAPHICS_CONTRAST,
        labels=drawn.model.labels,
        shows_all=True,
        remarks=(
            *lost_words(source, drawn, outline.title),
            *words.lost_images(images, source),
            *warnings.remarks_of(said, source),
        ),
    )


def _layout_engine(request: FigureRequest, graph: Graph) -> str:
    requested = request.option.get("engine") or (
        request.language if request.language in ENGINES[1:] else graph.get("layout")
    )
    engine = requested.strip().lower() or ENGINES[0]
    if engine not in ENGINES:
        raise FigureError(f"unknown Graphviz engine {requested[:40]!r}; allowed: {', '.join(ENGINES)}")
    return engine


def _named_for_image(node: Item) -> str:
    """Return the image of a node, which gets its name if it shows nothing else."""
    image = node.get("image")
    if image and not node.get("label").strip():
        node.set("label", r"\N")
    return image


def _draw(graph: Graph, engine: str, html_labels: frozenset[str]) -> tuple[bytes, str]:
    try:
        content, said = bindings.render_svg(graph, engine)
    except SourceRefused:
        # Nodes of a cluster have the rank of others.
        _set(graph, "newrank", "true")
        return bindings.render_svg(graph, engine)
    if warnings.LOSES_LABELS.search(said):
        graph.declare(EDGE, "xlabel", "")
        for edge in graph.edges():
            # Graphviz does not tell HTML from text.
            if "<" not in edge.get("label") and not edge.get("xlabel"):
                edge.set("xlabel", edge.get("label"))
                edge.set("label", "")
        content, said = bindings.render_svg(graph, engine)
    if warnings.LOST_EDGE in said and any(node.get("shape") in RECORDS for node in graph.nodes()):
        _square_records(graph, html_labels)
        content, said = bindings.render_svg(graph, engine)
        said += warnings.BETWEEN_RECORDS
    return content, said


def _set(graph: Graph, name: str, value: str) -> None:
    graph.declare(GRAPH, name, value)
    graph.set(name, value)


def _square_records(graph: Graph, html_labels: frozenset[str]) -> None:
    """Turn records into boxes: patchwork crashes on them, and dot loses edges between neighbors."""
    for node in graph.nodes():
        if node.get("shape") in RECORDS:
            label = node_text(node, html_labels=html_labels)
            node.set("shape", "box")
            node.set("label", label.replace("\\", "\\\\"))


_TOKEN = re.compile(
    r"""
    (?P<comment>//[^\n]*|/\*.*?(?:\*/|\Z)|^\#[^\n]*)
    | (?P<string>"(?:[^"\\]|\\.)*+"?)
    | (?P<html><)
    | (?P<id>[\w.]+)
    | (?P<sign>[^\s])
    """,
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)
_LABELS = frozenset({"label", "xlabel", "headlabel", "taillabel"})
# In lower case, with what authors take for `label`.
_MEANT = _LABELS | {"lable", "labels", "text", "title", "caption"}
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
# An escape for a name, and the letters beside it, which are one word when it is drawn.
_NAMED = re.compile(r"\w*\\[NGETHL]\w*")
_BREAK = re.compile(r"</?(?:br|hr|vr|t[dr]|table)\b[^<>]*>", re.IGNORECASE)
_LAST_WORD = re.compile(r"(?:<[^<>]*|[\w\\]+)\Z")
_TAG_OR_PORT = re.compile(r"<[^<>]*>")


def lost_words(source: str, drawn: Drawn, title: str) -> Iterator[Remark]:
    """Return a remark for each label with words that are neither drawn nor hidden by the author."""
    nodes = (word for node in drawn.model.nodes.values() for word in (node.label, *node.details))
    edges = (word for edge in drawn.model.edges for word in (edge.label, edge.tail_label, edge.head_label))
    groups = (group.label for group in drawn.model.groups.values())
    written = chain(_written(source), (_port(source, port) for port in drawn.missing_ports))
    return words.lost_words(written, words_of(" ".join((title, *nodes, *edges, *groups, *drawn.hidden))))


def _port(source: str, port: str) -> tuple[AbstractSet[str], int | None, str]:
    named = re.search(rf":\s*+\"?{re.escape(port)}\b", source)
    line = source.count("\n", 0, named.start()) + 1 if named else None
    return words_of(port), line, '; a label of an edge is written [label="…"]'


def _written(source: str) -> Iterator[tuple[AbstractSet[str], int, str]]:
    """Yield the words of each label, with its line."""
    before, name, position = "", "", 0
    line, counted = 1, 0
    while match := _TOKEN.search(source, position):
        content, start, position = match[0], match.start(), match.end()
        if match["comment"]:
            continue
        if match["html"]:
            position = end_of_html(source, position)
            content = source[start:position]
        # `+` joins strings.
        if before in {"=", "+"} and name.lower() in _MEANT:
            line, counted = line + source.count("\n", counted, start), start
            remedy = "" if name in _LABELS else f"; Graphviz has no attribute {name!r}, write `label`"
            yield words_of(_plain(content[1:-1] if match["html"] else content)), line, remedy
        elif match["id"] or match["string"]:
            name = content.strip('"')
        before = content


def _plain(label: str) -> str:
    if len(label) > MAX_CHARACTERS:
        # What is read of it ends with a part of a word.
        label = _LAST_WORD.sub("", label[:MAX_CHARACTERS])
    label = _ESCAPE.sub(lambda escape: " " if escape[1] in "nlr\n" else escape[1], _NAMED.sub(" ", label))
    return _TAG_OR_PORT.sub("", _BREAK.sub(" ", label))
