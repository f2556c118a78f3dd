"""Our charts compared with Chart.js in Chromium: positions, colors, images.

Differences of more than a pixel fail, except those in `EXCEPTIONS`.
"""

import copy
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from time import thread_time
from typing import TYPE_CHECKING, Any

import pytest

from tests.cpu_time import slowness
from tests.remarks import Report
from tests.visual import chart_dumps
from tests.visual.chart_configurations import KINDS, Configuration, configurations
from tests.visual.chart_differences import Comparison, axis_differences, compare, differences
from tests.visual.chart_ranges import NUMBERS, ranges
from tests.visual.chartjs import ChartJs, Overlap, ReferenceChart, Screenshots, chromium
from tests.visual.rendering import median, quantile

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.visual_charts

MIN_CONFIGURATIONS = 700
MIN_OF_EACH_KIND = 15
MIN_AREA_OVERLAP = 0.9
MIN_COLOR_OVERLAP = 0.95  # share of pixels in the same color
MEDIAN_MS = 5.0
MANY_POINTS = 20_000
MANY_POINTS_SECONDS = 0.5

# Deliberate differences.
_GRAY = "Chart.js draws everything in grey that has no colour once anything has one; ours has the palette's"
_BELOW = "Chart.js cuts the names; the legend stands below here, where they are whole"

EXCEPTIONS: Mapping[str, str] = {
    "line: points by options.elements.point": _GRAY,
    "legends_and_titles: colours plugin not enabled": _GRAY,
    "legends_and_titles: options.datasets.line with colours": "Chart.js paints its palette over these colours of an author's",
    "legends_and_titles: legend, no label": "Chart.js writes `undefined`; what has no name is not named here",
    "legends_and_titles: legend, empty label": "Chart.js leaves a box without a name; what has no name is not named here",
    "legends_and_titles: layout.padding with x and y, which count for nothing": "they count here, as elsewhere in Chart.js",
    "legends_and_titles: legend labels, textAlign center at the left": _BELOW,
    "legends_and_titles: legend of a pie, many items in columns": _BELOW,
    "legends_and_titles: legend, long names at the right": _BELOW,
    "legends_and_titles: legend, many items in columns at the left": _BELOW,
    "legends_and_titles: legend, many items in several columns": _BELOW,
    "legends_and_titles: title of a radar chart, legend at the left": _BELOW,
    "legends_and_titles: titles and a legend at one side": _BELOW,
    "time: spanGaps in milliseconds": "where a missing value is also far from the next, Chart.js draws a line from zero",
}

COMPLAINTS: Mapping[str, str] = {"axes: ticks.stepSize too small for the limit": "Limiting to 1000."}


@pytest.fixture(scope="module")
def browser() -> Iterator["Browser"]:
    with chromium() as browser:
        yield browser


@pytest.fixture(scope="module")
def chartjs(browser: "Browser") -> ChartJs:
    return ChartJs(browser)


@pytest.fixture(scope="module")
def by_chartjs(chartjs: ChartJs) -> dict[Configuration, ReferenceChart]:
    return dict(zip(configurations(), chartjs.draw(configurations(), with_png=False), strict=True))


@pytest.fixture(scope="module")
def geometry_comparisons(by_chartjs: dict[Configuration, ReferenceChart]) -> dict[Configuration, Comparison]:
    return dict(compare(configurations(), by_chartjs, None))


@pytest.fixture(scope="module")
def image_comparisons(browser: "Browser", chartjs: ChartJs) -> dict[Configuration, Comparison]:
    page = Screenshots(browser)
    pictured = dict(zip(configurations(), chartjs.draw(configurations()), strict=True))
    return dict(compare(configurations(), pictured, page))


def is_similar(overlap: Overlap) -> bool:
    return overlap.area >= MIN_AREA_OVERLAP and overlap.color >= MIN_COLOR_OVERLAP


@pytest.mark.short
def test_collection_has_enough_of_each_kind() -> None:
    numbers = Counter(each.kind for each in configurations())

    assert numbers.total() >= MIN_CONFIGURATIONS
    assert set(numbers) == set(KINDS)
    assert min(numbers.values()) >= MIN_OF_EACH_KIND


@pytest.mark.short
def test_configurations_have_unique_names() -> None:
    names = Counter(map(str, configurations()))

    assert [name for name, number in names.items() if number > 1] == []


@pytest.mark.short
def test_all_datasets_have_colors_or_none() -> None:
    # One explicit color disables Chart.js's palette for all.
    def colors(configuration: Configuration) -> set[bool]:
        datasets = configuration.json["data"]["datasets"]
        return {key in dataset for dataset in datasets for key in ("backgroundColor", "borderColor")}

    assert [str(each) for each in configurations() if len(colors(each)) > 1] == []


@pytest.mark.short
def test_chartjs_itself_draws_the_collection(by_chartjs: dict[Configuration, ReferenceChart], report: Report) -> None:
    refused = [f"{each}: {charted.error}" for each, charted in by_chartjs.items() if charted.error]
    complaints = [
        f"{each}: {complaint}"
        for each, charted in by_chartjs.items()
        for complaint in charted.complaints
        if COMPLAINTS.get(str(each), "none expected") not in complaint
    ]

    report(f"charts: of {len(by_chartjs)} configurations, Chart.js itself refuses {len(refused)}")
    assert refused == []
    assert complaints == []


@pytest.mark.short
@pytest.mark.parametrize(
    ("path", "value", "what"),
    [
        (("area", "left"), 32.0, "area.left"),
        (("scales", "y", "max"), 15.000001, "scales.y.max"),
        (("scales", "y", "ticks", 1, "label"), "2.0", "scales.y.ticks[1].label"),
        (("scales", "x", "labels", 0, "cx"), 0.0, "scales.x.labels[0].cx"),
        (("scales", "x", "labels"), [], "scales.x.labels.length"),
        (("legend", "items", 0, "fillStyle"), "rgba(54, 162, 235, 0.52)", "legend.items[0].fillStyle"),
        (("datasets", 0, "elements", 2, "y"), None, "datasets[0].elements[2]"),
        (("datasets", 0, "elements", 2, "borderWidth"), 1, "datasets[0].elements[2].borderWidth"),
        (("datasets", 0, "type"), "line", "datasets[0].type"),
    ],
)
def test_judge_sees_what_differs(
    by_chartjs: dict[Configuration, ReferenceChart], path: tuple[str | int, ...], value: object, what: str
) -> None:
    theirs = next(charted.dump for each, charted in by_chartjs.items() if each.kind == "bar")
    assert theirs is not None
    ours = copy.deepcopy(theirs)
    parent: Any = ours
    for step in path[:-1]:
        parent = parent[step]
    parent[path[-1]] = value

    assert differences(theirs, theirs) == []
    assert [difference.what for difference in differences(theirs, ours)] == [what]


@pytest.mark.short
def test_charts_match_chartjs_geometry(geometry_comparisons: dict[Configuration, Comparison], report: Report) -> None:
    wrong: list[str] = []
    for kind in KINDS:
        of_kind = {each: comparison for each, comparison in geometry_comparisons.items() if each.kind == kind}
        drawn = [each for each in of_kind.values() if not each.problem]
        same = sum(not each.differences for each in drawn)
        number = sum(len(each.differences) for each in drawn)
        report(f"charts {kind}: {len(drawn)} of {len(of_kind)} drawn, {same} the same, {number} differences")
        for each, comparison in of_kind.items():
            if str(each) in EXCEPTIONS:
                continue
            wrong += [f"{each}: {difference}" for difference in comparison.differences]
            wrong += [f"{each}: {comparison.problem}"] if comparison.problem else []

    assert wrong == [], "\n".join(wrong)


def test_charts_match_chartjs_pixels(image_comparisons: dict[Configuration, Comparison], report: Report) -> None:
    overlaps = {each: comparison.overlap for each, comparison in image_comparisons.items() if comparison.overlap}
    assert overlaps, "nothing is drawn"
    for kind in KINDS:
        of_kind = [overlap for each, overlap in overlaps.items() if each.kind == kind]
        areas, colors = [each.area for each in of_kind], [each.color for each in of_kind]
        if of_kind:
            report(
                f"charts {kind}: overlap median {median(areas):.3f}, least {min(areas):.3f}; colours least {min(colors):.3f}"
            )

    wrong = [
        f"{each}: area {overlap.area:.3f}, colour {overlap.color:.3f}"
        for each, overlap in overlaps.items()
        if not is_similar(overlap) and str(each) not in EXCEPTIONS
    ]
    assert wrong == [], "\n".join(wrong)


def test_exceptions_are_needed(image_comparisons: dict[Configuration, Comparison]) -> None:
    by_name = {str(each): comparison for each, comparison in image_comparisons.items()}
    for name in EXCEPTIONS:
        comparison = by_name[name]
        alike = comparison.overlap is not None and is_similar(comparison.overlap)
        assert comparison.differences or comparison.problem or not alike, f"{name} is none any more"


@pytest.mark.short
def test_ticks_equal_chartjs(chartjs: ChartJs, report: Report) -> None:
    judged = list(ranges())
    by_type: dict[str, int] = defaultdict(int)
    wrong: list[str] = []
    for each, charted in zip(judged, chartjs.draw(judged, with_png=False), strict=True):
        axis_result = axis_differences(each, charted)
        by_type[each.name.partition(" ")[0]] += not axis_result
        wrong += [f"{each}: {difference}\n    {each.source}" for difference in axis_result[:1]]
    for kind, number in NUMBERS.items():
        report(f"charts, axes: {by_type[kind]} of {number} ranges of type {kind} have Chart.js's ticks")

    assert wrong == [], "\n".join(wrong)


def test_charts_are_drawn_quickly(report: Report) -> None:
    times = {each: _milliseconds(each.source) for each in configurations()}

    slowest = sorted(times, key=lambda each: -times[each])[:5]
    report(f"charts: median {median([*times.values()]):.1f} ms, p95 {quantile([*times.values()], 0.95):.1f} ms")
    report("charts, slowest: " + "; ".join(f"{each} {times[each]:.0f} ms" for each in slowest))
    assert median([*times.values()]) <= MEDIAN_MS * slowness()


@pytest.mark.parametrize("kind", ["line", "scatter", "bar"])
def test_many_points_are_drawn_quickly(kind: str, report: Report) -> None:
    points = ",".join(f'{{"x":{x},"y":{x * 7919 % 1009}}}' for x in range(MANY_POINTS))
    axis = '"options":{"scales":{"x":{"type":"linear"}}}'
    source = f'{{"type":"{kind}","data":{{"datasets":[{{"label":"Many","data":[{points}]}}]}},{axis}}}'

    seconds = _milliseconds(source) / 1000

    report(f"charts: a {kind} chart of {MANY_POINTS:,} points takes {seconds:.2f} s")
    assert seconds <= MANY_POINTS_SECONDS * slowness()


def _milliseconds(source: str) -> float:
    """Return the CPU time of the fastest of three, to exclude load on the machine."""
    request = chart_dumps.request_of(source)
    times = []
    for _ in range(3):
        start = thread_time()
        chart_dumps.render_chart(request)
        times.append((thread_time() - start) * 1000)
    return min(times)
