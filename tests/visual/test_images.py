"""Every figure renders as an image that is not empty and shows text, even without system fonts."""

import struct
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest
from lxml import etree

from mdpublish_core.figures.errors import FigureError
from mdpublish_core.figures.fonts import missing_characters
from mdpublish_core.figures.math import Macros, parse_formula
from mdpublish_core.figures.pool import JOBS_MODULE
from mdpublish_core.figures.protocol import decode_result, encode_request
from mdpublish_core.figures.rasterizer import missing_glyphs, render_png
from mdpublish_core.figures.request import FigureRequest, RenderedFigure
from mdpublish_core.resources.figure_kinds import Form
from mdpublish_core.workers import Worker
from tests.core.png_images import PngImage
from tests.remarks import Report
from tests.visual import formulas, graphviz_graphs, mermaid_diagrams
from tests.visual.rendering import SECONDS, figure_request, render_timed, theme_of

pytestmark = pytest.mark.visual_figures

MIN_DRAWN = 0.99

_NO_FONTS = '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig><dir>{folder}</dir></fontconfig>'

# Characters missing from our font; most machines have a font for some.
_FOREIGN = "漢अ한กᎠ\u2315\u1d15"

BOTH: frozenset[Form] = frozenset({"png", "svg"})


@cache
def requests() -> Mapping[str, FigureRequest]:
    return {f"{request.kind}: {name}": request for name, request in _requests()}


def _requests() -> Iterator[tuple[str, FigureRequest]]:
    theme = theme_of("swiss")
    for diagram in mermaid_diagrams.diagrams():
        yield str(diagram), figure_request("mermaid", diagram.source, theme, BOTH)
    for graph in graphviz_graphs.graphs():
        yield graph.name, figure_request("dot", graph.source, theme, BOTH, "dot")
    for sample in formulas.samples():
        try:
            read = parse_formula(sample.tex, display=sample.display, macros=Macros())
        except FigureError:
            continue
        if not read.is_definition:
            yield f"{sample.collection} {sample.tex}", figure_request("math", read.mathml(), theme, BOTH)


def figures() -> Iterator[tuple[str, RenderedFigure]]:
    for name, request in requests().items():
        result, _ = render_timed(request)
        if isinstance(result, RenderedFigure) and result.svg and result.png:
            yield name, result


def without_text(svg: str) -> str | None:
    root = etree.fromstring(svg.encode())
    text_elements = [
        text_element for text_element in root.iter("{*}text") if "".join(map(str, text_element.itertext())).strip()
    ]
    for text_element in text_elements:
        parent = text_element.getparent()
        assert parent is not None
        parent.remove(text_element)
    return etree.tostring(root, encoding="unicode") if text_elements else None


def emptied(svg: str) -> str:
    root = etree.fromstring(svg.encode())
    for child in list(root):
        root.remove(child)
    return etree.tostring(root, encoding="unicode")


def test_figures_become_images(report: Report) -> None:
    rendered = Counter(name.partition(":")[0] for name, _ in figures())
    expected = Counter(request.kind for request in requests().values())
    failures = [
        f"{name}: {result}"
        for name, request in requests().items()
        if not (isinstance(result := render_timed(request)[0], RenderedFigure) and result.png)
    ]

    report("pictures: " + ", ".join(f"{rendered[kind]:,} of {expected[kind]:,} {kind}" for kind in expected))
    assert len(failures) <= (1 - MIN_DRAWN) * expected.total(), "\n".join(failures)


def test_no_image_is_blank() -> None:
    blank = []
    for name, figure in figures():
        assert figure.svg is not None
        assert figure.png is not None
        width, height = struct.unpack(">II", figure.png[16:24])
        assert width >= figure.width * 0.9 or max(width, height) > 1000, name
        if figure.png == render_png(
            emptied(figure.svg.document()), width=width, background_color=theme_of("swiss").background
        ):
            blank.append(name)

    assert blank == []


def test_labels_are_in_the_image(report: Report) -> None:
    lettered, bare = 0, []
    for name, figure in figures():
        assert figure.svg is not None
        assert figure.png is not None
        svg = figure.svg.document()
        wordless = without_text(svg)
        if wordless is None:
            continue
        lettered += 1
        # The displayed width, unless the image is smaller.
        width = min(figure.width, struct.unpack(">I", figure.png[16:20])[0])
        if render_png(svg, width=width) == render_png(wordless, width=width):
            bare.append(name)

    report(f"pictures: {lettered:,} figures with letters")
    assert lettered > 0
    assert bare == []


def test_image_needs_no_system_font(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, report: Report) -> None:
    (tmp_path / "fonts").mkdir()
    (tmp_path / "fonts.conf").write_text(_NO_FONTS.format(folder=tmp_path / "fonts"), "utf-8")
    expected = {name: figure for name, figure in figures() if not _needs_system_fonts(figure)}
    monkeypatch.setenv("FONTCONFIG_FILE", str(tmp_path / "fonts.conf"))
    monkeypatch.setenv("HOME", str(tmp_path))
    worker = Worker(JOBS_MODULE)
    try:
        others = [name for name, figure in expected.items() if _render_in(worker, requests()[name]).png != figure.png]
        sign = next((each for each in _FOREIGN if not missing_glyphs(each)), "")
        foreign = figure_request("mermaid", f"flowchart\n    a[{sign * 9} a]\n", theme_of("swiss"), BOTH)
        fontless, furnished = _render_in(worker, foreign), render_timed(foreign)[0]
    finally:
        worker.close()

    report(
        f"pictures: {len(expected):,} drawn again without any font of the system's, which has a sign of its own: {sign!r}"
    )
    assert others == []
    # The images differ only if system fonts are needed.
    assert isinstance(furnished, RenderedFigure)
    assert (fontless.png != furnished.png) == bool(sign)


def test_image_has_the_background_of_its_template() -> None:
    request = figure_request("mermaid", "flowchart\n    a --> b\n", theme_of("terminal", "dark"), BOTH)
    result, _ = render_timed(request)

    assert isinstance(result, RenderedFigure)
    assert result.png is not None
    assert PngImage.decode(result.png).pixel(0, 0) == theme_of("terminal", "dark").background


def _needs_system_fonts(figure: RenderedFigure) -> bool:
    assert figure.svg is not None
    return bool(missing_characters("".join(map(str, etree.fromstring(figure.svg.document().encode()).itertext()))))


def _render_in(worker: Worker, request: FigureRequest) -> RenderedFigure:
    result = decode_result(worker.run("render", encode_request(request), seconds=4 * SECONDS[request.kind]))
    assert isinstance(result, RenderedFigure)
    return result
