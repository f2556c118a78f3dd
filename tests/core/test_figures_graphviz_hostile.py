import os
import re
import struct
from collections.abc import Iterator
from pathlib import Path

import pytest
from lxml import etree

from mdpublish_core import get_template
from mdpublish_core.figures import graphviz
from mdpublish_core.figures.errors import FigureError
from mdpublish_core.figures.graphviz import sanitizer
from mdpublish_core.figures.graphviz.engine import ENGINES
from mdpublish_core.figures.protocol import decode_result, encode_request
from mdpublish_core.figures.request import FailedFigure, FigureRequest, RenderedFigure
from mdpublish_core.figures.svg import clean_svg
from mdpublish_core.templates.style import figure_theme
from mdpublish_core.workers import Worker, WorkerFailure

pytestmark = pytest.mark.needs("pygraphviz")

SECONDS = 8.0

HUGE = "1e300"

# Rendered or rejected with a reason, in time and without a crash.
BOUNDED = {
    "peripheries": "graph { a [peripheries=2000000000] }",
    "default peripheries": 'graph { node [peripheries="2e9"]; a; subgraph cluster_x { peripheries=2000000000; b } }',
    "sides": "graph { a [shape=polygon, sides=2000000000] }",
    "sizes": f'graph {{ a [fontsize="{HUGE}"]; b [width="{HUGE}", height="{HUGE}"]; c [penwidth="{HUGE}", margin="{HUGE}"] }}',
    "no numbers": 'graph { nodesep=nan; a [fontsize=nan, width=inf, height="-inf"]; b [fontsize="0x1p1000"] }',
    "distances": f'digraph {{ nodesep="{HUGE}"; ranksep="{HUGE} equally"; a -> b [minlen=2000000000, weight=2147483647] }}',
    "whole": f'graph {{ dpi=1e9; resolution=1e9; size="{HUGE},{HUGE}!"; ratio="{HUGE}"; pad="{HUGE}"; a }}',
    "viewport": f'graph {{ viewport="{HUGE},{HUGE},{HUGE}"; page="1,1"; rotate="{HUGE}"; a -- b }}',
    "iterations": "graph { nslimit=1e9; mclimit=1e9; maxiter=2000000000; searchsize=2000000000; a -- b -- c -- a }",
    "places": f'graph {{ layout=neato; scale="{HUGE}"; a [pos="{HUGE},{HUGE}!"]; b [pos="nan,inf!"]; a -- b [len="{HUGE}"] }}',
    "dimensions": "graph { layout=neato; dim=2000000000; dimen=2000000000; a -- b; a -- c }",
    "packing": "graph { layout=circo; pack=2000000000; packmode=array_u2000000000; a; b }",
    "polygon": f'graph {{ a [shape=polygon, skew="{HUGE}", distortion="{HUGE}", orientation="{HUGE}"] }}',
    "samples": "graph { layout=neato; overlap=false; a [shape=circle, samplepoints=2000000000]; b }",
    "areas": f'graph {{ layout=patchwork; a [area="{HUGE}"]; b [area=0] }}',
    "gradients": 'graph { a [style=filled, fillcolor="red;nan:blue;inf", gradientangle=2000000000] }',
    "spans": 'graph { a [label=<<TABLE><TR><TD COLSPAN="60000" ROWSPAN="60000">x</TD></TR></TABLE>>] }',
    "letters": 'graph { a [label=<<FONT POINT-SIZE="1e9">x</FONT>>] }',
    "records under patchwork": 'graph { layout=patchwork; node [shape=record, label="{a|b}"]; x; y [shape=Mrecord] }',
    "edges": f"graph {{ {{ {' '.join(f'a{n}' for n in range(120))} }} -- {{ {' '.join(f'b{n}' for n in range(120))} }} }}",
    "nodes": f"graph {{ {' '.join(f'a{n}' for n in range(sanitizer.MAX_NODES + 1))} }}",
    "clusters": f"graph {{ {' '.join(f'subgraph cluster_{n} {{ a{n} }}' for n in range(sanitizer.MAX_SUBGRAPHS + 1))} }}",
    "deep": f"graph {{ {''.join(f'subgraph cluster_{n} {{' for n in range(1_000))} a {'}' * 1_000} }}",
    "deeper": f"graph {{ {'{' * 90_000} a {'}' * 90_000} }}",
    "tables": f"graph {{ a [label=<{'<TABLE><TR><TD>' * 3_000}x{'</TD></TR></TABLE>' * 3_000}>] }}",
    "bold": f"graph {{ a [label=<{'<B>' * 20_000}x{'</B>' * 20_000}>] }}",
    "fields": 'graph { a [shape=record, label="' + "{a|" * 4_000 + "b" + "}" * 4_000 + '"] }',
    "long label": f'graph {{ a [label="{"W" * 90_000}"] }}',
    "long source": "graph { a }" + " " * sanitizer.MAX_SOURCE_BYTES,
    "colours": f'graph {{ a -- b [color="{":".join(["red"] * 2_000)}"] }}',
    "arrows": f"digraph {{ a -> b [arrowhead={'o' * 10_000}] }}",
    "one edge many times": f"digraph {{ {'a -> b;' * 4_000} }}",
    "zero bytes": 'digraph { a\0 -> b\0 [label="x\0y"] }',
    "lone surrogates": 'digraph { "\ud800" -> "b\udfff" }',
    "control characters": 'digraph { a [label="&#1;\x01\x1b[2J&#xD800;&#xffff;"]; b [label=<x&#1;y>] }',
    "charsets": 'digraph { charset=latin1; a [label="é&eacute;"] } digraph { charset="big-5"; b }',
    "open string": 'digraph { a [label="x',
    "open comment": "digraph { /* ",
    "open html": "digraph { a [label=<<b",
    "only angles": "<" * 50_000,
    "only quotes": '"' * 50_001,
}

# Known to crash Graphviz itself.
DEADLY = {
    "edges as angles where there is no dot": "graph { layout=twopi; splines=ortho; a -- b [label=x]; b -- c; c -- a; a -- a }"
}


@pytest.fixture(scope="module")
def worker() -> Iterator[Worker]:
    worker = Worker("mdpublish_core.figures.worker")
    worker.run("load", b"dot", seconds=60)
    yield worker
    worker.close()


def request_of(source: str, **options: str) -> FigureRequest:
    theme = figure_theme(get_template("swiss"), "dark")
    return FigureRequest(
        kind="dot", source=source, theme=theme, forms=frozenset({"svg", "text"}), options=tuple(options.items())
    )


def svg_of(source: str, **options: str) -> "etree._Element":
    svg = graphviz.render(request_of(source, **options)).svg
    assert svg is not None
    return etree.fromstring(svg)


@pytest.mark.parametrize("name", BOUNDED)
def test_hostile_graph_is_drawn_or_refused(worker: Worker, name: str) -> None:
    result = decode_result(worker.run("render", encode_request(request_of(BOUNDED[name])), seconds=SECONDS))

    assert isinstance(result, RenderedFigure | FailedFigure)
    if isinstance(result, FailedFigure):
        assert result.problem


@pytest.mark.parametrize(
    "name", ["peripheries", "sizes", "no numbers", "distances", "polygon", "records under patchwork"]
)
def test_hostile_graph_is_survived_by_every_engine(worker: Worker, name: str) -> None:
    for engine in ENGINES:
        result = decode_result(
            worker.run("render", encode_request(request_of(BOUNDED[name], engine=engine)), seconds=SECONDS)
        )

        assert isinstance(result, RenderedFigure | FailedFigure)


@pytest.mark.parametrize("name", DEADLY)
def test_crash_of_graphviz_leaves_the_parent_process_alone(worker: Worker, name: str) -> None:
    with pytest.raises(WorkerFailure):
        worker.run("render", encode_request(request_of(DEADLY[name])), seconds=SECONDS)

    worker.run("load", b"dot", seconds=60)
    result = decode_result(worker.run("render", encode_request(request_of("graph { a -- b }")), seconds=SECONDS))
    assert isinstance(result, RenderedFigure)


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        (BOUNDED["edges"], "the graph must have at most 5,000 edges (got 14,400)"),
        (BOUNDED["nodes"], "the graph must have at most 3,000 nodes (got 3,001)"),
        (BOUNDED["clusters"], "the graph must have at most 1,000 subgraphs (got 1,001)"),
        (BOUNDED["deep"], "subgraphs must be nested at most 200 deep (got 201)"),
        (BOUNDED["long source"], "the graph must be at most 500,000 bytes (got 500,011)"),
        (BOUNDED["spans"], "must span at most 1,000 columns or rows (got 60,000)"),
    ],
)
def test_exceeded_limit_is_reported(source: str, problem: str) -> None:
    with pytest.raises(FigureError, match=re.escape(problem)):
        graphviz.render(request_of(source))


@pytest.fixture
def image(tmp_path: Path) -> Path:
    """The start of a PNG of 300 by 200 px. Graphviz reserves space for an image that it opens."""
    path = tmp_path / "image.png"
    path.write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + struct.pack(">IIBBBBB", 300, 200, 8, 2, 0, 0, 0) + bytes(400))
    return path


IMAGE = '<TABLE><TR><TD>kept</TD><TD><IMG SRC="{path}"/></TD></TR></TABLE>'


@pytest.mark.parametrize(
    "graph",
    [
        'a [image="{path}"]',
        'node [image="{path}"]; a; subgraph {{ node [image="{path}"]; b }}',
        'a [shape=epsf, shapefile="{path}"]; b [shape=custom, shapefile="{path}"]',
        'imagepath="{folder}"; fontpath="{folder}"; a [image="image.png"]',
        'stylesheet="{path}"; _background="c 7 -#ff0000 I 0 0 10 10 4 -{path}"; a',
        "a [label=<" + IMAGE + ">, xlabel=<" + IMAGE + ">]; a -- b [label=<" + IMAGE + ">]",
        "a -- b [headlabel=<" + IMAGE + ">, taillabel=<" + IMAGE + ">]",
        "label=<" + IMAGE + ">; subgraph cluster_a {{ label=<" + IMAGE + ">; a }}",
        "node [label=<" + IMAGE + ">]; a; subgraph {{ node [label=<" + IMAGE + ">]; b }}",
        "a [label=<"
        + IMAGE.replace("IMG ", "img\n")
        + ">]; b [label=<"
        + IMAGE.replace("/></TD>", "></IMG></TD>")
        + ">]",
        '/* " */ a [label=<' + IMAGE + '>] // "\n b [label="\\\\"]; c [label=<' + IMAGE + '>]\n# "\n',
        "a [label=<<!-- x -->" + IMAGE + ">]; b [label=<" + IMAGE.replace("kept", "<IMG/>") + ">]",
    ],
)
def test_no_file_is_opened(worker: Worker, image: Path, graph: str) -> None:
    def document(path: Path) -> str:
        source = "graph {" + graph.format(path=path, folder=path.parent) + "}"
        result = decode_result(worker.run("render", encode_request(request_of(source)), seconds=SECONDS))
        assert isinstance(result, RenderedFigure)
        assert result.svg is not None
        return result.svg.document()

    drawn = document(image)
    assert drawn == document(image.parent / "no" / "image.png")
    assert "image" not in drawn


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="Windows has no such files")
def test_file_that_would_be_waited_at_is_not(worker: Worker, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    source = f'graph {{ a [image="{tmp_path}/fifo", label=<{IMAGE.format(path=tmp_path / "fifo")}>] }}'

    assert isinstance(
        decode_result(worker.run("render", encode_request(request_of(source)), seconds=SECONDS)), RenderedFigure
    )


def test_label_keeps_the_content_around_an_image() -> None:
    root = svg_of("graph { a [label=<" + IMAGE.format(path="/etc/passwd") + ">] }")

    assert ["".join(map(str, label.itertext())) for label in root.iter("{*}text")] == ["kept"]
    assert list(root.iter("{*}image")) == []


@pytest.mark.parametrize(
    "scheme",
    ["javascript:alert(1)", "JaVaScRiPt:x", "data:text/html,x", " vbscript:x", "file:///etc/passwd", "//host/x"],
)
def test_link_leads_nowhere_but_to_the_web(scheme: str) -> None:
    every = ", ".join(
        f'{attribute}{name}="{scheme}"'
        for attribute in ("", "edge", "head", "label", "tail")
        for name in ("URL", "href")
    )
    root = svg_of(
        f"digraph {{ graph [{every}]; node [{every}]; edge [{every}, label=l, headlabel=h, taillabel=t]; a -> b;"
        f' subgraph cluster_x {{ URL="{scheme}"; c }} "{scheme}" [label=d, URL="\\N"];'
        f' e [label=<<TABLE HREF="{scheme}"><TR><TD HREF="{scheme}">e</TD></TR></TABLE>>] }}'
    )

    assert [link.get("{http://www.w3.org/1999/xlink}href") for link in root.iter("{*}a")] == []


def test_attribute_that_graphviz_does_not_escape_is_no_markup() -> None:
    out = 'red"/><script>alert(1)</script><g onload="x'
    quoted = out.replace('"', '\\"')
    html = out.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;").replace(">", "&gt;")
    source = (
        f'digraph {{ bgcolor="{quoted}"; fontname="{quoted}"; label=l; a [color="{quoted}", fontcolor="{quoted}", fontname="{quoted}"];'
        f' b [style="filled,{quoted}", fillcolor="{quoted}", URL="https://b.example", target="{quoted}"];'
        f' a -> b [color="{quoted}", labelfontname="{quoted}", headlabel=h];'
        f' c [label=<<FONT COLOR="{html}" FACE="{html}">c</FONT>>] }}'
    )
    svg = graphviz.render(request_of(source)).svg
    assert svg is not None
    clean = etree.fromstring(clean_svg(svg).document())

    assert list(clean.iter("{*}script")) == []
    assert not [name for element in clean.iter() for name in element.attrib if str(name).startswith("on")]


def test_label_is_always_plain_text() -> None:
    label = "</text><script>alert(1)</script>"
    root = svg_of(
        f'digraph {{ a [label="{label}", tooltip="\\"><script>"]; "-->{label}" -> b; c [id="x\\" onload=\\"y", class="z\\" onload=\\"y"];'
        ' d [color="red\\" onload=\\"x", fontname="x\\" onload=\\"y", style=filled, fillcolor="url(http://host/x)"] }'
    )

    assert list(root.iter("{*}script")) == []
    assert not [name for element in root.iter() for name in element.attrib if str(name).startswith("on")]
    assert label in [each.text for each in root.iter("{*}text")]
    assert not [each for each in root.iter() if "host" in each.get("fill", "")]
