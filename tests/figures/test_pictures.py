"""Every figure as a picture: it is made, shows something, and has its letters, on a machine without any font too."""

import struct
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest
from lxml import etree

from mdpublish_core.figure_kinds import Form
from mdpublish_core.figures.fonts import lacking
from mdpublish_core.figures.math import Macros, parse_formula
from mdpublish_core.figures.pool import JOBS_MODULE
from mdpublish_core.figures.protocol import decode_result, encode_request
from mdpublish_core.figures.rasters import png_of, undrawable
from mdpublish_core.figures.request import FigureError, FigureRequest, RenderedFigure
from mdpublish_core.workers import Worker
from tests.core.pictures import Picture
from tests.figures import formulas, graphviz_graphs, mermaid_diagrams
from tests.figures.drafts import SECONDS, draft, look_of, order_of
from tests.remarks import remark

pytestmark = pytest.mark.figures

LEAST_DRAWN = 0.99

# A machine that has a folder for fonts, and nothing in it.
_NO_FONTS = '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig><dir>{folder}</dir></fontconfig>'

# What the shipped font lacks, so that only a font of the system's can draw it; most machines have one for some of them.
_FOREIGN = "漢अ한กᎠ\u2315\u1d15"

BOTH: frozenset[Form] = frozenset({"png", "svg"})

Say = Callable[[str], None]


@pytest.fixture
def say(request: pytest.FixtureRequest) -> Say:
    return lambda line: remark(request.config, line)


@cache
def requests() -> Mapping[str, FigureRequest]:
    """The orders for a picture of every figure of the collections, each with a name."""
    return {f"{request.kind}: {name}": request for name, request in _requests()}


def _requests() -> Iterator[tuple[str, FigureRequest]]:
    look = look_of("swiss")
    for diagram in mermaid_diagrams.diagrams():
        yield str(diagram), order_of("mermaid", diagram.source, look, BOTH)
    for graph in graphviz_graphs.graphs():
        yield graph.name, order_of("dot", graph.source, look, BOTH, "dot")
    for sample in formulas.samples():
        try:
            read = parse_formula(sample.tex, display=sample.display, macros=Macros())
        except FigureError:
            # Whether a formula is understood is for another test.
            continue
        if not read.is_definition:
            yield f"{sample.collection} {sample.tex}", order_of("math", read.mathml(), look, BOTH)


def drawings() -> Iterator[tuple[str, RenderedFigure]]:
    for name, request in requests().items():
        answer, _ = draft(request)
        if isinstance(answer, RenderedFigure) and answer.svg and answer.png:
            yield name, answer


def without_text(svg: str) -> str | None:
    """Return a drawing without its letters, None where it has none that are seen."""
    root = etree.fromstring(svg.encode())
    texts = [text for text in root.iter("{*}text") if "".join(map(str, text.itertext())).strip()]
    for text in texts:
        parent = text.getparent()
        assert parent is not None
        parent.remove(text)
    return etree.tostring(root, encoding="unicode") if texts else None


def emptied(svg: str) -> str:
    """Return a drawing of which nothing but its size is left."""
    root = etree.fromstring(svg.encode())
    for child in list(root):
        root.remove(child)
    return etree.tostring(root, encoding="unicode")


def test_figures_become_pictures(say: Say) -> None:
    made = Counter(name.partition(":")[0] for name, _ in drawings())
    wanted = Counter(request.kind for request in requests().values())
    failures = [
        f"{name}: {answer}"
        for name, request in requests().items()
        if not (isinstance(answer := draft(request)[0], RenderedFigure) and answer.png)
    ]

    say("pictures: " + ", ".join(f"{made[kind]:,} of {wanted[kind]:,} {kind}" for kind in wanted))
    assert len(failures) <= (1 - LEAST_DRAWN) * wanted.total(), "\n".join(failures)


def test_no_picture_is_blank() -> None:
    blank = []
    for name, drawing in drawings():
        assert drawing.svg is not None
        assert drawing.png is not None
        width, height = struct.unpack(">II", drawing.png[16:24])
        assert width >= drawing.width * 0.9 or max(width, height) > 1000, name
        if drawing.png == png_of(emptied(drawing.svg.document()), width=width, ground=look_of("swiss").background):
            blank.append(name)

    assert blank == []


def test_letters_are_in_the_picture(say: Say) -> None:
    lettered, bare = 0, []
    for name, drawing in drawings():
        assert drawing.svg is not None
        assert drawing.png is not None
        svg = drawing.svg.document()
        wordless = without_text(svg)
        if wordless is None:
            continue
        lettered += 1
        # As wide as it is shown, or as its picture, where that has fewer pixels.
        width = min(drawing.width, struct.unpack(">I", drawing.png[16:20])[0])
        if png_of(svg, width=width) == png_of(wordless, width=width):
            bare.append(name)

    say(f"pictures: {lettered:,} figures with letters")
    assert lettered > 0
    assert bare == []


def test_picture_needs_no_font_of_the_system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, say: Say) -> None:
    (tmp_path / "fonts").mkdir()
    (tmp_path / "fonts.conf").write_text(_NO_FONTS.format(folder=tmp_path / "fonts"), "utf-8")
    wanted = {name: drawing for name, drawing in drawings() if not _lacks(drawing)}
    monkeypatch.setenv("FONTCONFIG_FILE", str(tmp_path / "fonts.conf"))
    monkeypatch.setenv("HOME", str(tmp_path))
    worker = Worker(JOBS_MODULE)
    try:
        others = [name for name, drawing in wanted.items() if _drawn_by(worker, requests()[name]).png != drawing.png]
        sign = next((each for each in _FOREIGN if not undrawable(each)), "")
        foreign = order_of("mermaid", f"flowchart\n    a[{sign * 9} a]\n", look_of("swiss"), BOTH)
        fontless, furnished = _drawn_by(worker, foreign), draft(foreign)[0]
    finally:
        worker.close()

    say(
        f"pictures: {len(wanted):,} drawn again without any font of the system's, which has a sign of its own: {sign!r}"
    )
    assert others == []
    # That there was none shows in what only a system's font can draw.
    assert isinstance(furnished, RenderedFigure)
    assert (fontless.png != furnished.png) == bool(sign)


def test_picture_has_the_ground_of_its_template() -> None:
    request = order_of("mermaid", "flowchart\n    a --> b\n", look_of("terminal", "dark"), BOTH)
    answer, _ = draft(request)

    assert isinstance(answer, RenderedFigure)
    assert answer.png is not None
    assert Picture.of(answer.png).pixel(0, 0) == look_of("terminal", "dark").background


def _lacks(drawing: RenderedFigure) -> bool:
    """Tell whether a drawing has letters that only a font of the system's can draw."""
    assert drawing.svg is not None
    return bool(lacking("".join(map(str, etree.fromstring(drawing.svg.document().encode()).itertext()))))


def _drawn_by(worker: Worker, request: FigureRequest) -> RenderedFigure:
    answer = decode_result(worker.run("render", encode_request(request), seconds=4 * SECONDS[request.kind]))
    assert isinstance(answer, RenderedFigure)
    return answer
