"""Errors and notices for chart authors: syntax, limits, and ignored options."""

import json
from typing import Any

import pytest

from mdpublish_core import Notice, convert
from mdpublish_core.figures.charts.reading.sources import ChartSource
from mdpublish_core.figures.errors import FigureError
from mdpublish_core.writers.outputs import DESTINATIONS
from tests.visual.rendered_charts import drawn_labels, paint_of, render_chart, render_svg, tooltips

pytestmark = pytest.mark.needs("resvg_py")

TYPES = "bar, line, pie, doughnut, radar, polarArea, scatter, bubble"

IS_SOURCE = "the chart figure is shown as its source: "


def bar(options: Any = None, *, data: Any = None, labels: Any = None, **dataset: Any) -> dict[str, Any]:
    datasets = [{"label": "Votes", "data": [1, 2] if data is None else data, **dataset}]
    return {
        "type": "bar",
        "data": {"labels": labels or ["Red", "Blue"], "datasets": datasets},
        "options": options or {},
    }


def scaled(**scales: Any) -> dict[str, Any]:
    return bar({"scales": scales})


def timed(first: Any = "1970-01-01", last: Any = "2024-01-01", **options: Any) -> dict[str, Any]:
    data = [{"x": first, "y": 1}, {"x": last, "y": 2}]
    return {
        "type": "line",
        "data": {"datasets": [{"data": data}]},
        "options": {"scales": {"x": {"type": "time", **options}}},
    }


def timed_twice(days: int) -> dict[str, Any]:
    """Two series over this many days, each on its own axis."""
    data = [{"x": 0, "y": 1}, {"x": days * 86_400_000, "y": 2}]
    axis = {"type": "time", "time": {"unit": "day"}}
    return {
        "type": "line",
        "data": {"datasets": [{"data": data, "xAxisID": name} for name in ("x", "x2")]},
        "options": {"scales": {"x": axis, "x2": axis}},
    }


def refused(source: Any) -> FigureError:
    with pytest.raises(FigureError) as problem:
        render_chart(source)
    return problem.value


def messages(source: Any) -> list[str]:
    return [remark.message for remark in render_chart(source).remarks]


def fence(source: Any) -> str:
    return f"```chart\n{source if isinstance(source, str) else json.dumps(source)}\n```\n"


# Syntax errors


@pytest.mark.parametrize(
    ("source", "hint", "line", "column"),
    [
        ('{"a": 1 "b": 2}', "missing comma before '\"b\":'", 1, 9),
        ("{a: 1 b: 2}", "missing comma before 'b:'", 1, 7),
        ('{"a": [1 2]}', "missing comma before '2]}'", 1, 10),
        ('{"a": [[1, 2] [3]]}', "missing comma before '[3]]}'", 1, 15),
        ('{"a" 1}', "missing colon after the key", 1, 6),
        ("{'a' 1}", "missing colon after the key", 1, 6),
        ('{"a": "one\ntwo"}', "line break in a string; use \\n", 1, 11),
        ("{'a': 'one\ntwo'}", "line break in a string; use \\n", 1, 11),
        ('{"a": 1} b', "unexpected 'b' after the end", 1, 10),
        ('{"a": 1}}', "unexpected '}' after the end", 1, 9),
        ('{"a": [1}', "unexpected '}'; an earlier bracket is not closed", 1, 9),
        ('{"a":}', "missing value", 1, 6),
        ('{"a": , "b": 1}', "missing value", 1, 7),
        ('{"a": <b>}', "missing value before '<b>}'", 1, 7),
        ("{,}", "missing key before ',}'", 1, 2),
        ('{"a": "\\x"}', "invalid backslash in a string; use \\\\", 1, 8),
        ('{"a": "b', "missing quote at the end of a string", 1, 7),
        ("{a: 'b", "missing quote at the end of a string", 1, 5),
        ("{a: `b", "missing ` at the end of a template literal", 1, 5),
        ("{a: 1, /* why", "comment is not closed; add */", 1, 8),
        ("{a: function () { return 1", "unexpected end; code is not closed", 1, 5),
        ("{a: f(1]}", "unexpected ']'; an earlier bracket is not closed", 1, 8),
        ('{"a": 12px}', "unexpected 'px}' after a number", 1, 9),
        ('{"a": 0x}', "unexpected 'x}' after a number", 1, 8),
        ("{«a»: 1}", "missing key before '«a»:'", 1, 2),
        ('{"a": [1, 2', "unexpected end", 1, 12),
        ("// nothing", "unexpected end", 1, 11),
        ("{\n\n", "unexpected end", 1, 2),
        ("{\n  a: {\n    b: [1 2]\n  }\n}", "missing comma before '2]'", 3, 11),
    ],
)
def test_syntax_error_has_its_position_and_a_hint(source: str, hint: str, line: int, column: int) -> None:
    problem = refused(source)

    assert problem.problem == f"invalid JSON: {hint}"
    assert (problem.line, problem.column) == (line, column)


@pytest.mark.parametrize("source", ["", " \n "])
def test_empty_chart_says_what_to_write(source: str) -> None:
    assert refused(source).problem == "the chart is empty; write `{…}`, with `type` and `data`"


@pytest.mark.parametrize(
    ("source", "line"),
    [
        ('{\n  "type": "treemap",\n  "data": {}\n}', 2),
        ("{data: {datasets: [\n{data: [1]},\n{data: [1],\ntype: 'x'}]}, type: 'bar'}", 4),
        ("{type: 'bar', data: {datasets: []},\noptions: {scales: {\ny: {type: 'x'}}}}", 3),
    ],
)
def test_unknown_type_has_its_line(source: str, line: int) -> None:
    assert refused(source).line == line


def test_curly_quotes_are_read_as_straight_ones() -> None:
    source = "{“type”: „bar“,\n‘data’: {labels: [“A”], datasets: [{data: [1]}]}}"

    output = render_chart(source)

    assert [(each.line, each.column, each.line_text) for each in output.repairs] == [
        (1, 2, '{"type": "bar",'),
        (2, 1, "'data': {labels: [\"A\"], datasets: [{data: [1]}]}}"),
    ]


def test_curly_quotes_in_a_string_stay() -> None:
    output = render_chart('{"type": "bar", "data": {"labels": ["“A”"], "datasets": [{"data": [1]}]}}')

    assert output.repairs == ()
    assert "“A”" in str(output.table)


def test_error_beside_curly_quotes_is_reported() -> None:
    assert refused("{“a”: 1 b: 2}").problem == "invalid JSON: missing comma before 'b:'"


@pytest.mark.parametrize("source", ["[1]", "7", "null", '"bar"', "true"])
def test_json_that_is_no_object_is_refused(source: str) -> None:
    assert refused(source).problem == "a chart must be a JSON object"
    assert refused(source).line == 1


@pytest.mark.parametrize("number", ["1e999", "-1e309", "1e201", "9" * 400, "0x" + "f" * 400])
def test_invalid_number_is_refused_with_its_position(number: str) -> None:
    problem = refused(f'{{"type": "bar",\n "data": {{"datasets": [{{"data": [1, {number}]}}]}}}}')

    assert number[:40] in problem.problem
    assert (problem.line, problem.column) == (2, 37)


@pytest.mark.parametrize(
    ("before", "prefix", "line", "column"),
    [
        ("", "", 3, 9),
        ("# Title\n\nText.\n\n", "", 7, 9),
        ("- item\n\n", "  ", 5, 11),
        ("1. one\n   - two\n\n", "     ", 6, 14),
        ("> quote\n>\n", "> ", 5, 11),
        ("> - item\n>\n", ">   ", 5, 13),
        ("> [!NOTE]\n", "> ", 4, 11),
        ("", "  ", 3, 11),
        ("a[^n]\n\n[^n]: note\n\n", "    ", 7, 13),
    ],
)
@pytest.mark.parametrize("destination", ["generic", "plain-text", "email"])
def test_error_position_is_that_in_the_document(
    destination: str, before: str, prefix: str, line: int, column: int
) -> None:
    block = ["```chart", '{"type": "bar",', ' "data" {}}', "```"]
    document = before + "".join(f"{prefix}{each}\n" for each in block)
    lines = document.splitlines()

    assert lines[line - 1][column - 1] == "{"
    assert convert(document, to=destination).notices == (
        Notice("figure-failed", f"{IS_SOURCE}invalid JSON: missing colon after the key", line, column, "{}}"),
    )


@pytest.mark.parametrize("destination", [name for name in DESTINATIONS if name != "html"])
def test_chart_with_an_error_is_its_source_everywhere(destination: str) -> None:
    conversion = convert(f"{fence('{broken: 1 2}')}\n{fence(bar())}", to=destination)

    assert [(notice.code, notice.line) for notice in conversion.notices] == [("figure-failed", 2)]
    assert "{broken: 1 2}" in conversion.text
    assert "{broken: 1 2}" in conversion.plain_text


def test_destination_that_draws_charts_has_no_remarks() -> None:
    conversion = convert(fence("{broken"), to="html")

    assert conversion.html == '<pre><code class="language-chart">{broken\n</code></pre>\n'
    assert conversion.notices == ()


# Types and scales


@pytest.mark.parametrize("kind", ["sankey", "Bar", "", 5, None, False, ["bar"], {"bar": 1}])
def test_unknown_type_is_refused_with_the_known_ones(kind: Any) -> None:
    assert f"`type` must be one of {TYPES}" in refused({**bar(), "type": kind}).problem
    if kind:
        assert f"`type` must be one of {TYPES}" in refused(bar(type=kind)).problem


def test_unknown_type_is_named() -> None:
    assert refused({**bar(), "type": "sankey"}).problem == f"`type` must be one of {TYPES} (got 'sankey')"
    assert refused({"data": {}}).problem == f"`type` must be one of {TYPES}"
    assert "'bar'" not in refused({**bar(), "type": ["bar"]}).problem


def test_type_of_all_datasets_will_do() -> None:
    datasets = [{"type": kind, "data": [1, 2]} for kind in ("bar", "line")]

    assert len(tooltips(render_svg({"data": {"labels": ["a", "b"], "datasets": datasets}}))) == 4
    assert "`type` must be one of" in refused({"data": {"datasets": [*datasets, {"data": [1]}]}}).problem


@pytest.mark.parametrize(
    ("scales", "problem"),
    [
        (
            {"x": {"type": "log"}},
            "`scales.x.type` must be one of category, linear, logarithmic, time, timeseries, radialLinear (got 'log')",
        ),
        ({"lower": {}}, "`scales.lower` has no axis; add "),
        ({"x": {"type": "radialLinear"}}, "`scales.x.type` must not be 'radialLinear' on the x axis"),
        ({"r": {"type": "linear"}}, "`scales.r.type` must not be 'linear' on the r axis"),
    ],
)
def test_invalid_scale_is_refused(scales: Any, problem: str) -> None:
    assert problem in refused(scaled(**scales)).problem


# Limits


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        (bar(data=[1] * 20_001), "a chart must have at most 20,000 values (got 20,001)"),
        (bar(data={str(key): 1 for key in range(20_001)}), "a chart must have at most 20,000 values (got 20,001)"),
        (
            {"type": "line", "data": {"datasets": [{"data": [1] * 15_000}, {"data": [1] * 5_001}]}},
            "a chart must have at most 20,000 values (got 20,001)",
        ),
        (
            {"type": "pie", "data": {"datasets": [{"data": [1] * 1_001}]}},
            "a pie chart must have at most 1,000 values (got 1,001)",
        ),
        ({"type": "bar", "data": {"datasets": [{}] * 101}}, "a chart must have at most 100 datasets (got 101)"),
        (bar(labels=["a"] * 20_001), "a chart must have at most 20,000 labels (got 20,001)"),
        (scaled(x={"labels": ["a"] * 20_001}), "a chart must have at most 20,000 labels (got 20,001)"),
        (
            bar(labels=["a" * 501]),
            "strings must be at most 500 characters (got 501: 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'…)",
        ),
        (bar(label="a" * 501), "at most 500 characters (got 501"),
        (bar(label=["a", "b" * 501]), "at most 500 characters (got 501"),
        (bar({"plugins": {"title": {"text": "a" * 501}}}), "at most 500 characters (got 501"),
        (bar(data=[{"x": "a" * 501, "y": 1}]), "at most 500 characters (got 501"),
        (scaled(**{f"x{number}": {} for number in range(9)}), "a chart must have at most 10 scales (got 11)"),
        (bar({"aspectRatio": 0.1}), "height must be 20 to 4,000 px (got 5,600 with `aspectRatio` 0.1)"),
        (bar({"aspectRatio": 1e-9}), "(got 560,000,000,000 with `aspectRatio` 1e-09)"),
        (bar({"aspectRatio": 1e9}), "height must be 20 to 4,000 px"),
        (bar({"aspectRatio": 40}), "height must be 20 to 4,000 px (got 14 with `aspectRatio` 40)"),
        (bar({"aspectRatio": -1}), "`aspectRatio` must be more than 0 (got -1)"),
        (scaled(y={"ticks": {"count": 1_001}}), "`ticks.count` must be 2 to 1,000 (got 1,001)"),
        (scaled(y={"ticks": {"count": 1}}), "`ticks.count` must be 2 to 1,000 (got 1)"),
        (scaled(y={"ticks": {"stepSize": -1}}), "`ticks.stepSize` must be more than 0 (got -1)"),
        (timed(time={"unit": "second"}), "at most 20,000 steps in total (got steps of 1 second on `x`);"),
        (timed(-8.64e15, 8.64e15), "at most 20,000 steps in total (got steps of 1 year on `x`);"),
        (timed(time={"unit": "year"}, ticks={"stepSize": 0.001}), "(got steps of 0.001 year on `x`)"),
        (timed_twice(10_001), "time scales must have at most 20,000 steps in total (got steps of 1 day on `x2`)"),
        (timed(time={"parser": "foo"}), "`time.parser` is invalid: date pattern 'foo' has unknown letter 'f'"),
        (timed(time={"tooltipFormat": "n"}), "invalid date format: date pattern 'n' has unknown letter 'n'"),
        (timed(time={"displayFormats": {"year": "n"}}), "date pattern 'n' has unknown letter 'n'"),
        (scaled(y={"ticks": {"format": {"style": "currency"}}}), "`ticks.format` is invalid: "),
    ],
)
def test_bound_that_is_passed_is_named_with_what_arrived(source: Any, problem: str) -> None:
    assert problem in refused(source).problem


def nested(depth: int) -> str:
    """A chart with this many levels of nesting in total."""
    return '{"type": "bar", "options": {"a": ' + "[" * (depth - 2) + "]" * (depth - 2) + "}}"


def test_depth_is_bounded() -> None:
    assert render_chart(nested(40)).svg
    assert refused(nested(41)).problem == "JSON must be nested at most 40 levels deep"
    assert "40" in refused('{"a":' + "[" * 200_000).problem
    assert "40" in refused('{"a":' * 200_000).problem


@pytest.mark.parametrize(
    "source",
    [
        bar(data=[1] * 20_000),
        {"type": "pie", "data": {"datasets": [{"data": [1] * 1_000}]}},
        {"type": "line", "data": {"datasets": [{"data": [1] * 200}] * 100}},
        bar(labels=["a" * 500, "b"], label="c" * 500),
        scaled(**{f"x{number}": {} for number in range(8)}),
        bar({"aspectRatio": 0.14}),
        bar({"aspectRatio": 28}),
        scaled(y={"ticks": {"count": 1_000}}),
        scaled(y={"ticks": {"stepSize": 1e-9}}),
        timed(time={"unit": "day"}),
        timed_twice(10_000),
        timed("-004000-01-01", "+009999-01-01"),
    ],
    ids=lambda source: source["type"],
)
def test_what_is_within_the_bounds_is_drawn(source: Any) -> None:
    sketch = render_chart(source)

    assert sketch.svg
    assert len(sketch.svg) < 2_000_000


@pytest.mark.parametrize("key", ["label", "labels"])
def test_lines_of_a_name_are_bounded_together(key: str) -> None:
    name = ["a line"] * 50_000

    assert "at most" in refused(bar(labels=[name, name]) if key == "labels" else bar(label=name)).problem


def test_keys_of_a_map_are_bounded_as_other_strings() -> None:
    assert "at most 500 characters (got 501" in refused(bar(data={"a" * 501: 1})).problem


def test_scales_that_datasets_name_count_too() -> None:
    datasets = [{"data": [1], "xAxisID": f"x{number}", "yAxisID": f"y{number}"} for number in range(40)]

    assert (
        "a chart must have at most 10 scales (got 80)"
        in refused({"type": "bar", "data": {"datasets": datasets}}).problem
    )


# Options that need scripts


@pytest.mark.parametrize(
    ("source", "path"),
    [
        (bar({"onClick": "function (event) {}"}), "options.onClick"),
        (bar({"onClick": "  async function(e){}"}), "options.onClick"),
        (scaled(y={"ticks": {"callback": "(value) => names(value) + ' %'"}}), "options.scales.y.ticks.callback"),
        (scaled(y={"ticks": {"callback": "value => names[value]"}}), "options.scales.y.ticks.callback"),
        (
            bar({"plugins": {"tooltip": {"callbacks": {"label": "async ({ dataset, raw }) => raw"}}}}),
            "options.plugins.tooltip.callbacks.label",
        ),
        (bar(backgroundColor="ctx => ctx.raw > limit ? 'red' : 'blue'"), "data.datasets[0].backgroundColor"),
        (bar(segment={"borderColor": "function(c){}"}), "data.datasets[0].segment.borderColor"),
    ],
)
def test_function_is_ignored_with_its_path(source: Any, path: str) -> None:
    (message,) = messages(source)

    assert message.startswith(f"`{path}` is ignored: only short functions for ticks, data labels and colors are run; ")


def test_chart_is_drawn_as_if_functions_were_not_there() -> None:
    with_function, without = bar(backgroundColor="() => red"), bar()

    assert render_chart(with_function).svg == render_chart(without).svg


def test_label_like_a_function_is_a_label() -> None:
    title = {"plugins": {"title": {"display": True, "text": "function of time"}}}
    sketch = render_chart(bar(title, labels=["x => y", "() => 0"], label="function f"))

    assert sketch.remarks == ()
    assert sketch.title == "function of time"
    assert {"x => y", "() => 0"} < {row[0] for row in sketch.table}
    assert sketch.table[0][1] == "function f"


@pytest.mark.parametrize("name", ["animation", "animations", "transitions"])
@pytest.mark.parametrize("value", [True, {}, {"duration": 5}])
def test_what_would_move_is_left_out(name: str, value: Any) -> None:
    remark = f"`options.{name}` is ignored: charts are static"

    assert messages(bar({name: value})) == [remark]
    assert render_chart(bar({name: False})).remarks == ()


def test_other_plugins_are_left_out() -> None:
    names = ("legend", "title", "subtitle", "tooltip", "filler", "colors", "decimation", "datalabels", "annotation")
    known: dict[str, Any] = {name: {} for name in names}
    reason = "is ignored: only the plugins datalabels and annotation are supported"

    assert messages(bar({"plugins": known})) == []
    assert messages(bar({"plugins": {"zoom": {}, **known, "streaming": {}}})) == [
        f"`options.plugins.zoom` {reason}",
        f"`options.plugins.streaming` {reason}",
    ]
    assert messages({**bar(), "plugins": [{"id": "mine"}]}) == [f"`plugins` {reason}"]


# Values of another type


@pytest.mark.parametrize(
    ("source", "remark"),
    [
        (bar(backgroundColor="blurple"), "`data.datasets[0].backgroundColor` must be a CSS color (got 'blurple')"),
        (bar(backgroundColor=["red", 7]), "`data.datasets[0].backgroundColor` must be a CSS color (got '7')"),
        (bar(borderColor="var(--accent)"), "`data.datasets[0].borderColor` must be a CSS color (got 'var(--accent)')"),
        (bar(backgroundColor="b" * 90), f"`data.datasets[0].backgroundColor` must be a CSS color (got '{'b' * 39}…')"),
        (bar(borderWidth={"top": "wide"}), "`data.datasets[0].borderWidth.top` must be a number (got 'wide')"),
        (bar(categoryPercentage="half"), "`data.datasets[0].categoryPercentage` must be a number (got 'half')"),
        (bar(type="line", borderWidth="wide"), "`data.datasets[0].borderWidth` must be a number (got 'wide')"),
        (
            bar(type="line", borderDash=[2, "long"]),
            "`data.datasets[0].borderDash` is ignored: must be a list of lengths (got '[2, \"long\"]')",
        ),
        (
            bar(type="line", borderDash=[2, -1]),
            "`data.datasets[0].borderDash` is ignored: must be a list of lengths (got '[2, -1]')",
        ),
        (scaled(y={"ticks": {"stepSize": "one"}}), "`options.scales.y.ticks.stepSize` must be a number (got 'one')"),
        (scaled(y={"ticks": {"count": {}}}), "`options.scales.y.ticks.count` must be a number (got '{}')"),
        (scaled(y=7), "`options.scales.y` is ignored: must be an object (got '7')"),
        (bar({"plugins": {"legend": "below"}}), "`options.plugins.legend` is ignored: must be an object (got 'below')"),
        (bar({"indexAxis": "z"}), "`options.indexAxis` must be x or y (got 'z')"),
        (
            bar({"plugins": {"legend": {"position": "below"}}}),
            '`options.plugins.legend.position` must be "top" or "left"',
        ),
        (
            bar({"plugins": {"legend": {"labels": {"font": {"size": "big"}}}}}),
            "`options.plugins.legend.labels.font.size` must be a number (got 'big')",
        ),
    ],
)
def test_value_of_another_kind_is_remarked(source: Any, remark: str) -> None:
    (message,) = messages(source)

    assert message.startswith(remark)


@pytest.mark.parametrize(
    "source",
    [
        bar(type="line", pointStyle="heart"),
        bar(type="line", fill="half"),
        bar(type="line", data="1, 2"),
        bar({"aspectRatio": "wide"}),
        bar(borderWidth="wide"),
        bar(barThickness="wide"),
        bar(data=["many", "few"]),
        scaled(y={"position": "middle"}),
        timed(time={"unit": "decade"}),
        timed("yesterday", "today"),
        {"type": "bar", "data": {"datasets": {"data": [1, 2]}}},
    ],
)
def test_value_that_means_nothing_is_remarked(source: Any) -> None:
    assert render_chart(source).remarks != ()


@pytest.mark.parametrize("value", [None, False])
def test_empty_options_have_no_remarks(value: Any) -> None:
    source = bar(backgroundColor=value, borderWidth=value, label=value)

    assert render_chart(source).remarks == ()
    assert render_chart(bar({"scales": {"x": value, "y": value}, "plugins": {"legend": value}})).remarks == ()


def test_numbers_may_be_strings() -> None:
    sketch = render_chart(bar({"aspectRatio": "1"}, data=["1", "2.5"], borderWidth="2", borderColor="red"))

    assert sketch.remarks == ()
    assert [row[1] for row in sketch.table[1:]] == ["1", "2.5"]
    assert 'height="560"' in (sketch.svg or "")


def test_remarks_are_few_and_not_repeated() -> None:
    sketch = render_chart(bar({f"on{number}": "function () {}" for number in range(50)}, backgroundColor=["no", "no"]))

    assert len(set(sketch.remarks)) == 6
    assert sketch.remarks[-1].message == "46 more parts are ignored or changed"


def test_remarks_are_notices_at_the_lines_of_their_options() -> None:
    source = bar({"animation": {}}, backgroundColor="blurple")
    conversion = convert(f"# Title\n\n{fence(source)}")

    assert conversion.notices == (
        Notice(
            "chart-option-ignored",
            "in the chart figure, `options.animation` is ignored: charts are static",
            4,
            1,
            json.dumps(source),
        ),
        Notice(
            "chart-option-ignored",
            "in the chart figure, `data.datasets[0].backgroundColor` must be a CSS color (got 'blurple'); the default is used",
            4,
            1,
            json.dumps(source),
        ),
    )
    assert convert(fence(source), to="html").notices == ()


def test_legend_without_room_for_all_names_is_remarked() -> None:
    datasets = [{"label": f"A rather long name, number {number}", "data": [1]} for number in range(60)]
    (message,) = messages({"type": "bar", "data": {"datasets": datasets}})

    assert "the legend has no space for all names" in message


# JSON as JavaScript reads it


def test_last_of_equal_names_counts_as_in_javascript() -> None:
    assert ChartSource('{"a": 1, "a": 2}').chart == {"a": 2}


def test_numbers_are_read_as_javascript_reads_them() -> None:
    read = ChartSource(
        '{"a": [9007199254740992, 12345678901234567890, 1e21, -0, 0.1, 1E2, 1e-199, 5e-324, 1e-999]}'
    ).chart

    assert read["a"] == [9007199254740992, 12345678901234567890.0, 1e21, 0, 0.1, 100.0, 1e-199, 0.0, 0.0]


def test_characters_may_be_escaped() -> None:
    sketch = render_chart(
        '{"type": "bar", "data": {"labels": ["\\u0041\\ud83d\\ude00\\n\\"<"], "datasets": [{"data": [1]}]}}'
    )

    assert sketch.table[1][0].split() == ["A😀", '"<']


def test_authors_strings_are_escaped_everywhere() -> None:
    root = render_svg(bar(labels=["<b>&amp;</b>", "]]>"], label="</svg><script>"))

    assert {"<b>&amp;</b>", "]]>", "</svg><script>"} <= set(drawn_labels(root))
    assert tooltips(root) == ["<b>&amp;</b>: 1", "]]>: 2"]
    assert {paint_of(each, "fill") for each in root.iter("{*}text")} != {""}


@pytest.mark.parametrize(
    "keys",
    [
        '"series": [{"name": "a", "data": [1]}]',
        '"rows": [{"label": "a", "value": 1}]',
        '"xAxis": "n", "data": [{"n": 1}]',
    ],
)
def test_chart_of_another_program_is_shown_as_its_source(keys: str) -> None:
    conversion = convert(f'```chart\n{{"type": "bar", {keys}}}\n```\n', to="generic")

    (notice,) = conversion.notices
    assert notice.code == "figure-failed"
    assert "another program" in notice.message
