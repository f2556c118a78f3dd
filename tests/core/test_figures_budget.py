"""The figures of a document cost at most `max_figure_steps`, counted alike on every machine."""

from collections.abc import Iterator

import pytest

from mdpublish_core import Conversion, Limits, convert, get_template
from mdpublish_core.figures import pool
from mdpublish_core.figures.allowance import FigureBudget
from mdpublish_core.figures.costs import MAX_LAYOUT_STEPS, layout_steps
from mdpublish_core.figures.request import FailedFigure, FigureRequest, RenderedFigure
from mdpublish_core.templates.style import figure_theme
from mdpublish_core.workers import JobStalled, JobTimedOut, WorkerDied
from mdpublish_core.writers.outputs import DESTINATIONS

pytestmark = pytest.mark.needs("pygraphviz", "resvg_py")

FEW = Limits(max_figure_steps=40_000)

THEME = figure_theme(get_template("swiss"), "light")

# Of a report; `{0}` makes each one different.
ORDINARY = (
    (
        "```mermaid\nflowchart TD\n  a[Order {0}] --> b{{In stock?}}\n  b -->|yes| c[Ship it]\n  b -->|no| d[Order "
        "more]\n  d --> e[Wait for {0} days] --> b\n  c --> f[Send the invoice] --> g((end))\n```\n"
    ),
    (
        "```mermaid\nsequenceDiagram\n  Browser->>API: GET /orders/{0}\n  API->>Database: SELECT\n  Database-->>API: "
        "rows\n  API-->>Browser: 200\n```\n"
    ),
    '```mermaid\npie title Orders of week {0}\n  "open" : 1{0}\n  "shipped" : 20\n  "returned" : 3\n```\n',
    "```mermaid\ngantt\n  dateFormat YYYY-MM-DD\n  section Release {0}\n  design : a1, 2024-01-01, 9d\n  build : after a1, 20d\n```\n",
    (
        "```mermaid\nstateDiagram-v2\n  [*] --> draft{0}\n  draft{0} --> review\n  review --> draft{0}\n  review --> "
        "published\n  published --> [*]\n```\n"
    ),
    "```mermaid\nerDiagram\n  CUSTOMER{0} ||--o{{ ORDER : places\n  ORDER ||--|{{ LINE : contains\n  ORDER {{\n    int id\n    date day\n  }}\n```\n",
    "```dot\ndigraph {{ rankdir=LR; load{0} -> parse -> check -> write; check -> report; parse -> report }}\n```\n",
    "```dot\ndigraph {{ a{0} -> b -> c -> d -> e; a{0} -> c; b -> e; c -> e; e -> f [label=again] }}\n```\n",
    '```chart\n{{"type": "bar", "data": {{"labels": ["Q1", "Q2", "Q3"], "datasets": [{{"label": "Sales", "data": [{0}, 3, 5]}}]}}}}\n```\n',
    (
        '```chart\n{{"type": "line", "data": {{"labels": ["Jan", "Feb", "Mar", "Apr"], "datasets": [{{"label": "a", "data": [{0}, 3, 5, 4]}},'
        ' {{"label": "b", "data": [4, 2, 6, 1]}}]}}}}\n```\n'
    ),
)

REPORT = "\n".join(figure.format(number) for number in range(10) for figure in ORDINARY)


def graphs(count: int) -> str:
    return "\n".join(f"```dot\ndigraph {{ a{number} -> b }}\n```\n" for number in range(count))


def late(conversion: Conversion) -> list[str]:
    return [notice.message for notice in conversion.notices if "max_figure_steps" in notice.message]


@pytest.fixture
def forgotten() -> Iterator[None]:
    """Render again what other tests have rendered."""
    pool._results.cache_clear()
    yield
    pool._results.cache_clear()


@pytest.mark.parametrize("destination", [name for name in DESTINATIONS if name != "html"])
def test_figures_past_the_steps_are_their_source_with_one_notice(destination: str) -> None:
    conversion = convert(graphs(30), to=destination, limits=FEW)

    assert late(conversion) == [
        (
            "the dot figure and all others from here on are shown as their source: earlier figures used up the 40,000 "
            "steps of work allowed; split the document or pass Limits(max_figure_steps=…)"
        )
    ]
    assert "digraph { a29 -&gt; b }" in conversion.text or "digraph { a29 -> b }" in conversion.plain_text
    assert "digraph { a0 " not in conversion.plain_text or destination in {"plain-text", "slack"}
    assert convert(graphs(2), to=destination, limits=FEW).notices == ()


@pytest.mark.usefixtures("forgotten")
@pytest.mark.parametrize("destination", ["email", "generic"])
def test_the_same_figures_are_drawn_by_one_process_from_a_cache_and_by_several(
    destination: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, repeated = (convert(graphs(30), to=destination, limits=FEW) for _ in range(2))
    pool._results.cache_clear()
    monkeypatch.setattr(pool, "FIGURES_PER_PROCESS", 5)
    in_parallel = convert(graphs(30), to=destination, limits=FEW)

    assert len(late(first)) == 1
    assert first.html == repeated.html == in_parallel.html
    assert first.notices == repeated.notices == in_parallel.notices
    assert [each.data for each in first.media] == [each.data for each in repeated.media]
    assert [each.data for each in first.media] == [each.data for each in in_parallel.media]


@pytest.mark.usefixtures("forgotten")
def test_no_more_figures_are_rendered_than_shown() -> None:
    conversion = convert(graphs(30), to="email", limits=FEW)

    assert len(pool._results()._values) == len(conversion.media)


@pytest.mark.usefixtures("forgotten")
def test_sources_of_figures_that_fail_count_in_the_cache() -> None:
    """Otherwise documents that only fail would fill the memory of a process."""
    notices = convert(f"```dot\ngraph {{ {'a -- [ ' * 4_000}\n```", to="generic").notices
    assert [each.code for each in notices] == ["figure-failed"]
    assert pool._results()._size > 28_000


def test_equal_figures_are_rendered_and_counted_once() -> None:
    conversion = convert(graphs(1) * 200, to="email", limits=FEW)

    assert conversion.html.count("<img ") == 200
    assert late(conversion) == []


def test_without_steps_no_figure_is_drawn() -> None:
    conversion = convert(f"{graphs(1)}\nLet $\\frac{{x}}{{2}}$ be.\n", to="email", limits=Limits(max_figure_steps=0))

    assert len(late(conversion)) == 1
    assert "<img " not in conversion.html


def test_images_late_in_a_document_have_no_palette() -> None:
    conversion = convert(graphs(12), to="email", limits=Limits(max_figure_steps=250_000))

    color_types = [media.data[25] for media in conversion.media]
    assert late(conversion) == []
    assert set(color_types) == {3, 6}
    assert color_types == sorted(color_types)


@pytest.mark.needs("merman")
def test_report_of_a_hundred_ordinary_figures_is_within_the_steps() -> None:
    """Of all destinations, `email` has the largest images, and texts too. `nightly` converts such a report."""
    conversion = convert(
        "\n".join(each.format(7) for each in ORDINARY), to="email", limits=Limits(max_figure_steps=500_000)
    )

    assert conversion.notices == ()
    assert conversion.html.count("<img ") == len(ORDINARY)


@pytest.mark.nightly
@pytest.mark.needs("merman")
@pytest.mark.parametrize("destination", ["generic", "email", "google-docs", "onenote", "word"])
def test_report_of_a_hundred_ordinary_figures_is_drawn_as_a_whole(destination: str) -> None:
    conversion = convert(REPORT, to=destination)

    assert [notice for notice in conversion.notices if notice.code == "figure-failed"] == []
    assert conversion.html.count("<img ") + conversion.html.count("<svg ") >= 100


def test_large_images_and_invisible_edges_cost_steps() -> None:
    def steps(source: str, *, has_palette: bool = True) -> int:
        request = FigureRequest(
            kind="dot", source=source, theme=THEME, forms=frozenset({"png"}), language="dot", has_palette=has_palette
        )
        return pool.render(request, seconds=20).steps

    small = steps("graph { a }")
    invisible = " ".join(f"a{number}" for number in range(20))

    assert 2_000 < small < 10_000
    assert steps("graph { a [width=9, height=9] }") > 20 * small
    assert steps("graph { a [width=9, height=9] }", has_palette=False) < steps("graph { a [width=9, height=9] }")
    assert (
        steps(f'digraph {{ size="1,1"; edge [style=invis]; node [style=invis]; {{{invisible}}} -> {{{invisible}}} }}')
        > 100_000
    )
    assert steps("graph {" + "x" * 1_000) > 10_000


def test_layout_costs_at_most_what_a_figure_may_take() -> None:
    assert layout_steps(20) == 400
    assert layout_steps(10_000) == MAX_LAYOUT_STEPS


def test_figure_past_its_time_costs_that_time_and_a_stalled_one_nothing() -> None:
    assert pool._lost_steps(JobTimedOut("it took long"), 2.0) == 2_000_000
    assert pool._lost_steps(WorkerDied("it crashed"), 2.0) == 300_000
    assert pool._lost_steps(JobStalled("it stalled"), 2.0) == 0


def test_the_figure_that_exceeds_the_steps_is_the_last() -> None:
    budget = FigureBudget(seconds=1.0, steps=100)
    results = [budget.count(RenderedFigure(steps=60)) for _ in range(3)]

    assert [isinstance(each, FailedFigure) for each in results] == [False, False, True]
    assert budget.is_exhausted
