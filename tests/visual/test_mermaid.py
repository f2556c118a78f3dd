"""Mermaid diagrams compared with Mermaid in Chromium: all render, quickly, with the same words, and nothing is clipped.

What Mermaid rejects need not render. Times include the worker process; the fastest of three excludes load on the
machine.
"""

import re
from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING

import pytest
from lxml import etree

from mdpublish_core import list_templates
from mdpublish_core.figures.request import FailedFigure, RenderedFigure
from mdpublish_core.options.styles import ThemeMode
from tests.cpu_time import slowness
from tests.remarks import Report
from tests.visual.chromium import Layout, Mark, Mermaid, MermaidResult, layouts, offline_page, words_of
from tests.visual.legibility import (
    clipped_text,
    covered_text,
    low_contrast_marks,
    low_contrast_text,
    overlapping_labels,
    overlapping_text,
    oversized_text,
)
from tests.visual.mermaid_diagrams import (
    OTHER_TYPES,
    TYPES,
    Diagram,
    crowded_diagrams,
    diagrams,
    our_diagrams,
    packaged_diagrams,
)
from tests.visual.rendering import THEMES, figure_request, median, quantile, render_timed, theme_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.visual_figures

MIN_DRAWN = 0.99
MEDIAN_MS, P95_MS = 12.0, 50.0
"""Of this, repairing what cannot be read takes 2.4 on average, the engine half."""
MIN_FITTING = 0.995
MAX_OVERLAPPING = 0.005
DIAGRAMS_OF_EACH_TYPE = 20

# Deliberate differences.
EXCEPTIONS: Mapping[str, str] = {
    "link and links: menus of actors": "menus that open by a click are no part of a picture that stands still",
    "texts in quotes with signs": "Mermaid escapes `<` twice, and so shows it as `&lt;`",
}

MODES: tuple[ThemeMode, ...] = ("light", "dark")
MERMAID_THEMES = ("default", "dark", "forest", "neutral", "base")
SHORT_THEMES = ("forest", "dark")

# Commit ids are random in Mermaid.
_COMMIT = re.compile(r"\d+-[0-9a-f]{4,}")

# We label as many days as fit.
_DAY = re.compile(r"\d{4}-\d\d-\d\d")

_PAGE = '<div style="font-family:{family}">{svg}</div>'


@pytest.fixture(scope="module")
def by_mermaid(browser: "Browser") -> dict[Diagram, MermaidResult]:
    mermaid = Mermaid(browser)
    return {diagram: mermaid.render(diagram.source) for diagram in diagrams()}


@pytest.fixture(scope="module")
def laid_out(browser: "Browser") -> dict[tuple[Diagram, str], Layout]:
    page = offline_page(browser)
    layouts_by_figure: dict[tuple[Diagram, str], Layout] = {}
    for name in THEMES:
        figures = {diagram: figure for diagram in diagrams() if (figure := figure_of(diagram, name))}
        markups = [markup(figure, theme_of(name).font_family) for figure in figures.values()]
        layouts_by_figure.update(zip([(diagram, name) for diagram in figures], layouts(page, markups), strict=True))
    return layouts_by_figure


def figure_of(diagram: Diagram, theme: str = "swiss") -> RenderedFigure | None:
    result, _ = render_timed(figure_request("mermaid", diagram.source, theme_of(theme)))
    return result if isinstance(result, RenderedFigure) and result.svg else None


def markup(figure: RenderedFigure, family: str) -> str:
    assert figure.svg is not None
    return _PAGE.format(family=family.replace('"', "'"), svg=figure.svg.document())


def words(figure: RenderedFigure) -> Counter[str]:
    assert figure.svg is not None
    root = etree.fromstring(figure.svg.document().encode())
    return words_of([str(piece) for text_element in root.iter("{*}text") for piece in text_element.itertext()])


def is_grid(diagram: Diagram, mark: Mark) -> bool:
    """A calendar's lines and days off are faint on purpose."""
    return diagram.kind == "gantt" and (mark.name == "line" or mark.stroke == "none")


def comparable(pairs: Counter[str]) -> Counter[str]:
    """Drop generated ids and the number of days."""
    words = Counter("commit" if _COMMIT.fullmatch(word) else word for word in pairs.elements())
    days = [word for word in words if _DAY.fullmatch(word)]
    for day in days:
        del words[day]
    return words + Counter({"days": min(len(days), 2)})


def test_collection_has_enough_of_each_type() -> None:
    numbers = Counter(diagram.kind for diagram in our_diagrams())

    assert set(numbers) == set(TYPES)
    assert min(numbers.values()) >= DIAGRAMS_OF_EACH_TYPE


def test_mermaid_itself_draws_the_collection(by_mermaid: dict[Diagram, MermaidResult], report: Report) -> None:
    refused = [f"{diagram}: {drawn.error}" for diagram, drawn in by_mermaid.items() if drawn.error]

    report(f"mermaid: of {len(by_mermaid)} diagrams, Mermaid itself refuses {len(refused)}")
    assert refused == []


@pytest.mark.short
def test_diagrams_are_drawn(by_mermaid: dict[Diagram, MermaidResult], report: Report) -> None:
    expected = [diagram for diagram, drawn in by_mermaid.items() if not drawn.error]
    failures = [diagram for diagram in expected if figure_of(diagram) is None]
    for kind in TYPES:
        of_kind = [diagram for diagram in expected if diagram.kind == kind]
        drawn = [figure for diagram in of_kind if (figure := figure_of(diagram)) and figure.svg]
        sizes = [len(figure.svg.document().encode()) for figure in drawn if figure.svg]
        with_text = sum(figure.plain_text is not None for figure in drawn)
        times = [_milliseconds(diagram) for diagram in of_kind]
        report(
            f"mermaid {kind}: {len(drawn)} of {len(of_kind)} drawn, {with_text} also in letters; median "
            f"{median(times):.1f} ms, p95 {quantile(times, 0.95):.1f} ms, {median(sizes):,.0f} bytes"
        )

    problems = [
        f"{diagram}: {render_timed(figure_request('mermaid', diagram.source, theme_of('swiss')))[0]}"
        for diagram in failures
    ]
    assert len(expected) - len(failures) >= MIN_DRAWN * len(expected), "\n".join(problems)


def test_other_types_of_the_package_are_reported(report: Report) -> None:
    others = [diagram for diagram in packaged_diagrams() if diagram.kind not in TYPES]
    drawn = [diagram for diagram in others if figure_of(diagram)]

    report(f"mermaid, other types: {len(drawn)} of the {len(others)} examples in the package are drawn too")
    results = [render_timed(figure_request("mermaid", diagram.source, theme_of("swiss")))[0] for diagram in others]
    problems = [result.problem for result in results if isinstance(result, FailedFigure)]
    # Of services upon one another, readers see one.
    engine = [
        each for each in problems if each.startswith("the engine") and "connect them to different sides" not in each
    ]
    assert engine == []


def test_diagrams_are_drawn_quickly(report: Report) -> None:
    times = {diagram: _milliseconds(diagram) for diagram in diagrams()}

    slowest = sorted(times, key=lambda diagram: -times[diagram])[:5]
    report(f"mermaid: median {median([*times.values()]):.1f} ms, p95 {quantile([*times.values()], 0.95):.1f} ms")
    report("mermaid, slowest: " + "; ".join(f"{diagram} {times[diagram]:.0f} ms" for diagram in slowest))
    assert median([*times.values()]) <= MEDIAN_MS * slowness()
    assert quantile([*times.values()], 0.95) <= P95_MS * slowness()


def test_figures_show_the_words_that_mermaid_shows(by_mermaid: dict[Diagram, MermaidResult], report: Report) -> None:
    same, elsewhere, lost = 0, 0, []
    for diagram, drawn in by_mermaid.items():
        figure = figure_of(diagram)
        if drawn.error or figure is None:
            continue
        theirs, ours = comparable(drawn.words), comparable(words(figure))
        if theirs == ours:
            same += 1
        elif Counter("".join(theirs.elements())) == Counter("".join(ours.elements())):
            # Words broken elsewhere.
            elsewhere += 1
        elif diagram.name not in EXCEPTIONS:
            lost.append(f"{diagram}: lost {dict(theirs - ours)}, added {dict(ours - theirs)}")
    total = len(by_mermaid)
    report(
        f"mermaid: {same} of {total} with Mermaid's words, {elsewhere} more with its letters, {len(EXCEPTIONS)} excepted"
    )

    assert lost == [], "\n".join(lost)


def test_exceptions_are_needed(by_mermaid: dict[Diagram, MermaidResult]) -> None:
    by_name = {diagram.name: diagram for diagram in diagrams()}
    for name in EXCEPTIONS:
        figure = figure_of(by_name[name])
        assert figure is not None
        assert comparable(by_mermaid[by_name[name]].words) != comparable(words(figure)), f"{name} is none any more"


def test_labels_fit_into_their_shapes(laid_out: dict[tuple[Diagram, str], Layout], report: Report) -> None:
    labels = sum(text_box.shape is not None for layout in laid_out.values() for text_box in layout.text_boxes)
    problems = [
        f"{diagram} in {theme}: {text_box.label!r} in a {text_box.shape}"
        for (diagram, theme), layout in laid_out.items()
        for text_box in oversized_text(layout)
    ]

    report(f"mermaid: {labels - len(problems):,} of {labels:,} labels fit into their shapes, in {len(THEMES)} looks")
    assert len(problems) <= (1 - MIN_FITTING) * labels, "\n".join(problems)


def test_no_label_is_cut_off(laid_out: dict[tuple[Diagram, str], Layout]) -> None:
    problems = [
        f"{diagram} in {theme}: {text_box.label!r} at {text_box.points[0]} of {layout.view}"
        for (diagram, theme), layout in laid_out.items()
        for text_box in clipped_text(layout)
    ]

    assert problems == [], "\n".join(problems)


def test_labels_do_not_overlap(laid_out: dict[tuple[Diagram, str], Layout], report: Report) -> None:
    labels = sum(len(layout.text_boxes) for layout in laid_out.values())
    problems = [
        f"{diagram} in {theme}: {one.label!r} and {other.label!r}"
        for (diagram, theme), layout in laid_out.items()
        for one, other in overlapping_text(layout)
    ]

    report(f"mermaid: {len(problems):,} pairs of {labels:,} labels stand on one another")
    assert len(problems) <= MAX_OVERLAPPING * labels, "\n".join(problems)


@pytest.mark.parametrize("mode", ["light", "dark"])
@pytest.mark.parametrize("template", [template.id for template in list_templates("free")])
def test_colors_are_distinguishable(browser: "Browser", template: str, mode: str) -> None:
    theme = theme_of(template, "dark" if mode == "dark" else "light")
    drawn = [
        (diagram, result)
        for diagram in diagrams()
        if not diagram.has_colors
        and isinstance(result := render_timed(figure_request("mermaid", diagram.source, theme))[0], RenderedFigure)
        and result.svg
    ]
    problems: list[str] = []
    laid_out = layouts(offline_page(browser), [markup(figure, theme.font_family) for _, figure in drawn])
    for (diagram, _), layout in zip(drawn, laid_out, strict=True):
        problems += [
            f"{diagram}: {text_box.label!r} in {text_box.fill} has {ratio:.2f}"
            for text_box, ratio in low_contrast_text(layout, theme.background)
        ]
        problems += [
            f"{diagram}: a {mark.name} with line {mark.stroke} and ground {mark.fill} has {ratio:.2f}"
            for mark, ratio in low_contrast_marks(layout, theme.background)
            if not is_grid(diagram, mark)
        ]

    assert len(drawn) > 0.8 * len(diagrams())
    assert problems == [], "\n".join(problems)


def crowded_layouts(browser: "Browser", mode: ThemeMode, named: str = "") -> dict[Diagram, Layout]:
    """Lay out the crowded diagrams, in a theme of Mermaid's if one is named."""
    theme = theme_of("swiss", mode)
    drawn: dict[Diagram, RenderedFigure] = {}
    for diagram in crowded_diagrams():
        directive = f'%%{{init: {{"theme": "{named}"}}}}%%\n' if named and "%%{init" not in diagram.source else ""
        result, _ = render_timed(figure_request("mermaid", directive + diagram.source, theme))
        if isinstance(result, RenderedFigure) and result.svg:
            drawn[diagram] = result
    pages = [markup(figure, theme.font_family) for figure in drawn.values()]
    return dict(zip(drawn, layouts(offline_page(browser), pages), strict=True))


@pytest.mark.short
def test_crowded_diagrams_of_all_types_are_legible(browser: "Browser", report: Report) -> None:
    """Print a table by type: drawn, with a text form, text that fits, and text that is readable in both modes."""
    by_mode = {mode: crowded_layouts(browser, mode) for mode in MODES}
    light = by_mode["light"]
    covered = [
        f"{diagram}: {box.label!r} by a {box.cover}" for diagram in light for box in covered_text(light[diagram])
    ]
    clipped = [f"{diagram}: {box.label!r}" for diagram in light for box in clipped_text(light[diagram])]
    weak = [
        f"{diagram} in {mode} mode: {box.label!r} has {ratio:.2f}"
        for mode, drawn in by_mode.items()
        for diagram, layout in drawn.items()
        for box, ratio in low_contrast_text(layout, theme_of("swiss", mode).background)
    ]
    for kind in (*TYPES, *OTHER_TYPES):
        of_kind = [diagram for diagram in crowded_diagrams() if diagram.kind == kind]
        drawn = [diagram for diagram in of_kind if diagram in light]
        with_text = sum((figure_of(diagram) or RenderedFigure()).plain_text is not None for diagram in drawn)
        labels = sum(len(light[diagram].text_boxes) for diagram in drawn)
        outside = sum(len(oversized_text(light[diagram])) + len(clipped_text(light[diagram])) for diagram in drawn)
        unread = sum(f"{diagram} in" in line for line in weak for diagram in drawn)
        report(
            f"mermaid, crowded {kind}: {len(drawn)} of {len(of_kind)} drawn, {with_text} in letters, "
            f"{labels - outside} of {labels} labels in their boxes, {2 * labels - unread} of {2 * labels} readable"
        )

    assert [diagram for diagram in crowded_diagrams() if diagram not in light] == []
    assert covered == []
    assert clipped == []
    assert weak == [], "\n".join(weak)


def test_crowded_labels_overlap_less_than_in_mermaid(browser: "Browser", report: Report) -> None:
    mermaid = Mermaid(browser)
    theirs = [
        f"{diagram}: {one!r} and {other!r}"
        for diagram in crowded_diagrams()
        for one, other in overlapping_labels(mermaid.render(diagram.source).labels)
    ]
    ours = [
        f"{diagram}: {one.label!r} and {other.label!r}"
        for diagram, layout in crowded_layouts(browser, "light").items()
        for one, other in overlapping_text(layout)
    ]

    report(f"mermaid, crowded: {len(ours)} pairs of labels stand on one another, {len(theirs)} in Mermaid")
    assert len(ours) < len(theirs), "\n".join(ours)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    "named", [pytest.param(named, marks=[pytest.mark.short] * (named in SHORT_THEMES)) for named in MERMAID_THEMES]
)
def test_themes_of_mermaid_are_readable(browser: "Browser", named: str, mode: ThemeMode, report: Report) -> None:
    drawn = crowded_layouts(browser, mode, named)
    weak = [
        f"{diagram}: {box.label!r} in {box.fill} has {ratio:.2f}"
        for diagram, layout in drawn.items()
        for box, ratio in low_contrast_text(layout, theme_of("swiss", mode).background)
    ]
    covered = [f"{diagram}: {box.label!r}" for diagram, layout in drawn.items() for box in covered_text(layout)]
    labels = sum(len(layout.text_boxes) for layout in drawn.values())

    report(f"mermaid, theme {named} in {mode} mode: {labels - len(weak)} of {labels} labels readable")
    assert weak == [], "\n".join(weak)
    assert covered == []


def _milliseconds(diagram: Diagram) -> float:
    return min(render_timed(figure_request("mermaid", diagram.source, theme_of(theme)))[1] for theme in THEMES)
