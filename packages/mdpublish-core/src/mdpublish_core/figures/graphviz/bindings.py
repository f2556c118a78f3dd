"""Wrapper for pygraphviz; no other module imports it.

Graphviz's C code has global state, writes errors to stderr and can crash the process.
"""

import os
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, cast

from pygraphviz import graphviz as gv

from mdpublish_core.figures.errors import FigureError, SourceRefused

if TYPE_CHECKING:
    from pygraphviz.graphviz import Context, Handle, Symbol

GRAPH, NODE, EDGE = 0, 1, 2  # as numbered by cgraph

# The same default as in Graphviz's own programs. Without it, an unset label and an empty label cannot be told apart.
gv.agattr(None, NODE, b"label", rb"\N")

MAX_SVG_BYTES = 5_000_000

UNPLACED = "Graphviz cannot place the nodes of this graph; leave out `concentrate` and the ranks of nodes in clusters"
# What it says then, on stderr alone: it returns a drawing of nothing, or of all nodes in one place.
_UNPLACED = re.compile("rebuild_vlists|install_in_rank")

_MAX_ERROR_BYTES = 10_000
_MAX_PROBLEM_CHARACTERS = 200

# Make Graphviz measure text with this package's fonts only. It reads these variables when it first measures; other
# libraries read them too, so they are set only for that moment.
_FONT_METRICS = Path(__file__).parent / "font_metrics"
_FONT_ENVIRONMENT = {
    "FONTCONFIG_FILE": str(_FONT_METRICS / "fonts.conf"),
    "PANGOCAIRO_BACKEND": "fc",
    "XDG_DATA_HOME": str(_FONT_METRICS),
}

_SYNTAX_ERROR = re.compile(r"Error: (?:[^\n:]*: )?syntax error in line (\d+)(?: (near [^\n]*|scanning [^\n]*))?")
_ERROR = re.compile(r"Error: ([^\n]*)")


class Item:
    """A graph, subgraph, node or edge; valid only inside `parse_graph`."""

    __slots__ = ("handle", "kind")

    def __init__(self, kind: int, handle: "Handle") -> None:
        self.kind = kind
        self.handle = handle

    @property
    def key(self) -> int:
        return int(self.handle)

    @property
    def name(self) -> str:
        return _decode(gv.agnameof(self.handle) or b"")

    def get(self, name: str) -> str:
        symbol = gv.agattrsym(self.handle, name.encode())
        return "" if symbol is None else _decode(gv.agxget(self.handle, symbol))

    def set(self, name: str, value: str) -> None:
        symbol = gv.agattrsym(self.handle, name.encode())
        assert symbol is not None, name
        gv.agxset(self.handle, symbol, value.encode())


class Graph(Item):
    """A graph or subgraph."""

    __slots__ = ()

    def __init__(self, handle: "Handle") -> None:
        super().__init__(GRAPH, handle)

    @property
    def is_directed(self) -> bool:
        return bool(gv.agisdirected(self.handle))

    def count_nodes(self) -> int:
        return gv.agnnodes(self.handle)

    def count_edges(self) -> int:
        return gv.agnedges(self.handle)

    def subgraphs(self) -> "Iterator[Graph]":
        handle = gv.agfstsubg(self.handle)
        while handle is not None:
            yield Graph(handle)
            handle = gv.agnxtsubg(handle)

    def all_subgraphs(self) -> "Iterator[tuple[int, Graph]]":
        """Yield nested subgraphs in preorder with their depth, from 1."""
        waiting = [self.subgraphs()]
        while waiting:
            subgraph = next(waiting[-1], None)
            if subgraph is None:
                waiting.pop()
                continue
            yield len(waiting), subgraph
            waiting.append(subgraph.subgraphs())

    def nodes(self) -> Iterator[Item]:
        handle = gv.agfstnode(self.handle)
        while handle is not None:
            yield Item(NODE, handle)
            handle = gv.agnxtnode(self.handle, handle)

    def edges(self) -> Iterator[Item]:
        node = gv.agfstnode(self.handle)
        while node is not None:
            edge = gv.agfstout(self.handle, node)
            while edge is not None:
                yield Item(EDGE, edge)
                edge = gv.agnxtout(self.handle, edge)
            node = gv.agnxtnode(self.handle, node)

    def declared(self, kind: int) -> dict[str, str]:
        """Return attributes with their default values."""
        declared: dict[str, str] = {}
        symbol: Symbol | None = None
        while True:
            try:
                symbol = gv.agnxtattr(self.handle, kind, symbol)
            except StopIteration:
                return declared
            declared[_decode(gv.agattrname(symbol))] = _decode(gv.agattrdefval(symbol))

    def declare(self, kind: int, name: str, value: str) -> None:
        gv.agattr(self.handle, kind, name.encode(), value.encode())

    def set_html(self, item: Item, name: str, value: str) -> None:
        gv.agsafeset_label(self.handle, item.handle, name.encode(), f"<{value}>".encode(), b"")


def endpoints(edge: Item) -> tuple[Item, Item]:
    return Item(NODE, gv.agtail(edge.handle)), Item(NODE, gv.aghead(edge.handle))


def is_cluster(subgraph: Graph) -> bool:
    return subgraph.name.startswith("cluster") or subgraph.get("cluster").lower() in {"true", "yes", "1"}


@contextmanager
def parse_graph(source: str) -> Iterator[Graph]:
    """Yield the first graph of a source; raises `FigureError`."""
    # `agread` needs a real file with a descriptor.
    with _anonymous_file() as file:
        file.write(source.encode())
        file.flush()
        file.seek(0)
        with _captured_errors() as errors:
            try:
                handle = gv.agread(file, None)
            except ValueError:
                problem = _problem(errors, "the source contains no graph")
                raise SourceRefused(problem.problem, problem.line) from None
    try:
        yield Graph(handle)
    finally:
        gv.agclose(handle)


def render_svg(graph: Graph, engine: str) -> tuple[bytes, str]:
    """Return an SVG, and what Graphviz says about it."""
    load_fonts()
    content, said = _render_svg(graph, engine)
    if len(content) > MAX_SVG_BYTES:
        raise FigureError(
            f"the graph must be at most {MAX_SVG_BYTES:,} bytes of SVG (got {len(content):,}); make it smaller"
        )
    return content, said


def _render_svg(graph: Graph, engine: str) -> tuple[bytes, str]:
    content: int | bytes = b""
    context = gv.gvContextWithBuiltins()
    try:
        with _captured_errors() as errors:
            if engine == "sfdp":
                _restart_random_numbers(context)
            failed: int | bytes = gv.gvLayout(context, graph.handle, engine.encode())
            if not failed:
                failed, content = gv.gvRenderData(context, graph.handle, b"svg")
                gv.gvFreeLayout(context, graph.handle)
            if failed:
                raise _problem(errors, "Graphviz cannot lay out the graph")
            said = _said(errors)
            if _UNPLACED.search(said):
                raise SourceRefused(UNPLACED)
    finally:
        gv.gvFreeContext(context)
    assert isinstance(content, bytes)
    return content, said


def _restart_random_numbers(context: "Context") -> None:
    """Lay out a graph: `sfdp` goes on with the numbers of the last one, and each drawing and theme mode would differ."""
    with parse_graph("graph { a -- b }") as graph:
        gv.gvLayout(context, graph.handle, b"sfdp")
        gv.gvFreeLayout(context, graph.handle)


@cache
def load_fonts() -> None:
    """Make Graphviz load this package's fonts; it does so only once per process."""
    before = {name: os.environ.get(name) for name in _FONT_ENVIRONMENT}
    os.environ.update(_FONT_ENVIRONMENT)
    try:
        with parse_graph("graph { a [label=<a<b>b</b>>] }") as graph:
            _render_svg(graph, "dot")
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def _anonymous_file() -> BinaryIO:
    """Open a file without a path; a confined process may create no other."""
    if hasattr(os, "memfd_create"):  # on Linux
        return os.fdopen(os.memfd_create("mdpublish"), "w+b")
    return cast("BinaryIO", tempfile.TemporaryFile("w+b"))


@contextmanager
def _captured_errors() -> Iterator[BinaryIO]:
    with _anonymous_file() as errors:
        saved_stderr = os.dup(2)
        os.dup2(errors.fileno(), 2)
        try:
            yield errors
        finally:
            os.dup2(saved_stderr, 2)
            os.close(saved_stderr)


def _problem(errors: BinaryIO, otherwise: str) -> FigureError:
    output = _said(errors)
    syntax = _SYNTAX_ERROR.search(output)
    if syntax:
        where = syntax[2] or "at the end: a string, bracket or brace is not closed"
        return FigureError(f"syntax error {where}"[:_MAX_PROBLEM_CHARACTERS], int(syntax[1]))
    error = _ERROR.search(output)
    return FigureError((error[1] if error else otherwise)[:_MAX_PROBLEM_CHARACTERS])


def _said(errors: BinaryIO) -> str:
    errors.seek(0)
    return errors.read(_MAX_ERROR_BYTES).decode("utf-8", "replace")


def _decode(value: bytes) -> str:
    return value.decode("utf-8", "replace")
