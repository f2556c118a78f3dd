"""Graphviz's regression graphs, from Debian's source package."""

from dataclasses import dataclass
from functools import cache

from tests.corpora.debian import SourceFile, fetch_folder

COUNT = 259
"""Includes two duplicates."""

_PACKAGE = SourceFile(
    suite="bookworm",
    package="graphviz",
    archive="graphviz_2.42.2.orig.tar.bz2",
    archive_sha256="1daed697d9cdd7fac3b320336fa98dd3518dd211769301dc716869fc3d5409b1",
    path="rtest/graphs/",
    sha256="",
)


@dataclass(frozen=True, slots=True)
class Graph:
    name: str
    source: str


@cache
def graphs() -> tuple[Graph, ...]:
    """Raises `FetchFailure`."""
    graphs_read = [Graph(name, _decode(content)) for name, content in fetch_folder(_PACKAGE, ".gv")]
    assert len(graphs_read) == COUNT, f"read {len(graphs_read)} graphs"
    return tuple(sorted(graphs_read, key=lambda graph: graph.name))


def _decode(content: bytes) -> str:
    """Some declare Latin-1."""
    try:
        return content.decode()
    except UnicodeDecodeError:
        return content.decode("latin-1")


UNSTYLED = (
    Graph("flow", 'digraph { rankdir=LR; Start -> Check -> Done [label="yes"]; Check -> Start [style=dashed, label="no"] }'),
    Graph("records", 'digraph { node [shape=record]; a [label="<l>left|{top|<r>bottom}"]; b [label="x|y"]; a:r -> b }'),
    Graph(
        "tables",
        "digraph { node [shape=plain]; a [label=<<TABLE CELLSPACING='0'><TR><TD><B>users</B></TD></TR>"
        "<TR><TD>id <I>integer</I></TD></TR></TABLE>>]; a -> b [headlabel=one, taillabel=many] }",
    ),
    Graph(
        "clusters",
        "digraph { label=Whole; subgraph cluster_a { label=Outer; subgraph cluster_b { style=filled; label=Inner; a -> "
        "b } c } c -> a; p [shape=point]; p -> c }",
    ),
    Graph("grounds", "digraph { node [style=filled]; a -> b; b [shape=box, style=rounded]; c [shape=doublecircle]; b -> c }"),
    Graph("arrows", "digraph { a -> b [dir=both, arrowhead=odot, arrowtail=diamond, decorate=true, label=both]; b -> b }"),
    Graph("black", "digraph { node [color=black, fontcolor=black]; a -> b [color=black, fontcolor=black, label=ink] }"),
    *(
        Graph(engine, f"graph {{ layout={engine}; subgraph cluster_x {{ label=X; a -- b }} b -- c -- d -- b; c -- e [label=l] }}")
        for engine in ("neato", "twopi", "circo", "fdp", "sfdp", "osage", "patchwork")
    ),
)  # fmt: skip
"""Graphs without colors but black, which means the text color."""
