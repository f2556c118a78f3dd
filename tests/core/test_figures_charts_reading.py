"""Charts as people and assistants write them: JSON5, JavaScript, code that is left out with a notice."""

import math
from typing import Any

import pytest

from mdpublish_core import convert
from mdpublish_core.figures.charts.reading.sources import ChartSource
from mdpublish_core.figures.errors import FigureError
from tests.visual.rendered_charts import render_chart

pytestmark = pytest.mark.needs("resvg_py")

AS_JSON = '{"type": "bar", "data": {"labels": ["a", "b"], "datasets": [{"label": "Books", "data": [1, 2.5]}]}}'

DATA = "{labels: ['a', 'b'], datasets: [{label: 'Books', data: [1, 2.5]}]}"


def read(source: str) -> dict[str, Any]:
    return dict(ChartSource(source).chart)


def value(source: str) -> Any:
    return read(f"{{a: {source}}}").get("a", "left out")


def messages(source: str) -> list[str]:
    return [remark.message for remark in render_chart(source).remarks]


def lines(source: str) -> list[int | None]:
    return [remark.line for remark in render_chart(source).remarks]


# Values


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("'it\\'s \"so\"'", 'it\'s "so"'),
        ('"it\'s"', "it's"),
        ("'one\\\ntwo'", "onetwo"),
        ("'\\x41\\u0042\\u{1F600}\\ud83d\\ude00\\n\\v\\0\\q'", "AB😀😀\n\v\0q"),
        ("'\\ud83d'", "\ud83d"),
        ("'a\ttab'", "a\ttab"),
        ("`one\ntwo`", "one\ntwo"),
        ("+1", 1),
        ("- 2", -2),
        (".5", 0.5),
        ("5.", 5.0),
        ("1e3", 1000.0),
        ("0xFF", 255),
        ("-0x10", -16),
        ("0b101", 5),
        ("0o17", 15),
        ("1_000", 1000),
        ("24 * 60 * 60 * 1000", 86_400_000),
        ("3 / 2", 1.5),
        ("Math.PI", math.pi),
        ("-0.5 * Math.PI", -math.pi / 2),
        ("-Math.PI / 2", -math.pi / 2),
        ("NaN", None),
        ("Infinity", None),
        ("-Infinity", None),
        ("undefined", None),
        ("True", True),
        ("None", None),
        ("!0", True),
        ("!1", False),
        ("[1, 2, ]", [1, 2]),
        ("[1, , 2]", [1, None, 2]),
        ("{'b-c': 1, d: 2, 3: 4, $e_é: 5, true: 6,}", {"b-c": 1, "d": 2, "3": 4, "$e_é": 5, "true": 6}),
        ("/* one */ 1 // two", 1),
        ("1\n", 1),
        ("{b: 1, b: 2}", {"b": 2}),
        ("'bar' as const", "bar"),
        ("new Date('2026-03-02')", "2026-03-02"),
        ("new Date(2026, 2, 2)", 1772409600000),
        ("new Date(2026, 14)", 1803859200000),
        ("Date.UTC(2026, 2, 2, 1, 2, 3, 4)", 1772413323004),
        ("new Date(1772409600000)", 1772409600000),
    ],
)
def test_value_is_read_as_by_javascript(source: str, expected: Any) -> None:
    assert value(f"{source}\n") == expected


@pytest.mark.parametrize(
    "code",
    [
        "function (v) { return v + '}'; }",
        "function named(v) { if (v) { return [v]; } }",
        "async () => { await f(); }",
        "v => v + ' %'",
        "(v, {dataset}) => dataset[v]",
        "(v) => ({ b: v })",
        "(v) => /[}\"']/.test(v) ? 'x' : \"}\"",
        "v => { // it's }\n return `${v ? `}${v}` : '}'} }`; /* } */ }",
        "(a / 2) / (b / 3)",
        "ctx.createLinearGradient(0, 0, 0, 400)",
        "Utils.CHART_COLORS.red",
        "Utils.numbers({count: 7, min: -100})",
        "colors[0]",
        "'a' + 'b'",
        "24 * 60 * x",
        "1 / 0",
        "2 ** 3",
        "x ? 'red' : {b: 1}",
        "`up to ${maximum}`",
        "new Date()",
        "new Date(year, 1)",
        "new Intl.NumberFormat('de')",
        "class { }",
        "!done",
        "-maximum",
        "[1, 2, 3].map(v => v * 2)",
        "nothing",
    ],
)
def test_code_is_left_out(code: str) -> None:
    assert read(f"{{a: {code}, b: 1}}") == {"b": 1}


@pytest.mark.parametrize(
    "method",
    ["a(v) { return v }", "async a(v) { return v }", "get a() { return 1 }", "*a() { }", "[a]: 1", "a", "...a"],
)
def test_method_computed_key_and_unknown_name_are_left_out(method: str) -> None:
    assert {key: each for key, each in read(f"{{{method}, b: 1}}").items() if key != "[a]"} == {"b": 1}


# Programs


@pytest.mark.parametrize(
    "program",
    [
        f"{{type: 'bar', data: {DATA}}}",
        f"{{type: 'bar', data: {DATA}}};\n",
        f"const config = {{type: 'bar', data: {DATA}}}",
        f"const config = {{\n  type: 'bar',\n  data: {DATA}\n}}\nconst other = 1",
        f"const data = {DATA};\nconst config = {{type: 'bar', data}};",
        f"const data = {DATA}\nlet options = {{}}\nvar config = {{type: 'bar', data: data, options}}",
        (
            "const labels = ['a', 'b'], values = [1, 2.5];\n"
            "const config = {type: 'bar', data: {labels, datasets: [{label: 'Books', data: values}]}};"
        ),
        f"new Chart(ctx, {{type: 'bar', data: {DATA}}});",
        f"const config = {{type: 'bar', data: {DATA}}};\nconst chart = new Chart(document.getElementById('c'), config);",
        (
            f"import Chart from 'chart.js/auto';\nconst ctx = document.querySelector('#c').getContext('2d')\n"
            f"window.chart = new Chart(ctx, {{type: 'bar', data: {DATA}}});"
        ),
        f"document.addEventListener('DOMContentLoaded', () => {{\n  new Chart('c', {{type: 'bar', data: {DATA}}});\n}});",
        f"function show() {{ const data = {DATA}; return new Chart(ctx, {{type: 'bar', data}}); }}\nshow();",
        f"window.onload = function () {{\n  var chart = new Chart(ctx, {{type: 'bar', data: {DATA}}});\n}};",
        f"module.exports = {{type: 'bar', data: {DATA}}};",
        f"module.exports = {{config: {{type: 'bar', data: {DATA}}}}};",
        f"export default {{type: 'bar', data: {DATA}}};",
        f"const config: ChartConfiguration<'bar'> = {{type: 'bar', data: {DATA}}};",
        f"const common = {{type: 'bar'}};\nconst config = {{...common, data: {DATA}}};",
        f"'use strict';\nconst f = (v) => {{ return v; }}\nconst config = {{type: 'bar', data: {DATA}}};",
        (
            f'<div>It\'s here</div>\n<canvas id="c"></canvas>\n<script src="chart.js"></script>\n'
            f"<script>\nnew Chart(ctx, {{type: 'bar', data: {DATA}}});\n</script>"
        ),
        '{"config": ' + AS_JSON + "}",
    ],
)
def test_chart_is_found_in_its_program(program: str) -> None:
    assert render_chart(program).svg == render_chart(AS_JSON).svg


def test_first_of_several_charts_is_drawn() -> None:
    first, second = (f"new Chart(a, {{type: '{kind}', data: {DATA}}});\n" for kind in ("bar", "line"))

    assert render_chart(first + second).svg == render_chart(first).svg


def test_variables_cannot_multiply_without_end() -> None:
    steps = "".join(f"const v{number} = [{f'v{number - 1},' * 10}];\n" for number in range(1, 30))
    program = f"const v0 = ['a'];\n{steps}const config = {{type: 'bar', data: {{labels: v29}}}};"

    with pytest.raises(FigureError, match="variables must expand to at most 200,000 values") as problem:
        read(program)

    assert problem.value.line is not None


def test_depth_is_bounded_through_variables() -> None:
    steps = "".join(f"const v{number} = [v{number - 1}];\n" for number in range(1, 60))

    with pytest.raises(FigureError, match="at most 40 levels"):
        read(f"const v0 = [];\n{steps}const config = {{type: 'bar', data: v59}};")


@pytest.mark.parametrize(
    "program", ["type: bar\n", "const a = 1", "f()", "const data = {labels: []};", "<p>A chart</p>"]
)
def test_program_without_a_chart_is_refused_with_the_remedy(program: str) -> None:
    with pytest.raises(FigureError, match="no chart configuration; write "):
        read(program)


# Notices


def test_notice_names_option_line_reason_and_what_was_done() -> None:
    source = f"""{{
  type: 'bar',
  data: {DATA},
  options: {{
    onClick: (event) => {{}},
    plugins: {{
      tooltip: {{ callbacks: {{ label(context) {{ return context.raw; }} }} }},
    }},
    scales: {{
      y: {{
        ticks: {{ callback: (value) => names[value] }},
        grid: {{ color: Utils.color('red') }},
      }}
    }}
  }}
}}"""

    assert list(zip(lines(source), messages(source), strict=True)) == [
        (
            5,
            "`options.onClick` is ignored: only short functions for ticks, data labels and colors are run; charts are static",
        ),
        (
            7,
            (
                "`options.plugins.tooltip.callbacks.label` is ignored: only short functions for ticks, data labels and colors are run; "
                "tooltips show label and value"
            ),
        ),
        (
            11,
            "`options.scales.y.ticks.callback` is ignored: only short functions for ticks, data labels and colors are run; ticks show their values; use `format`",
        ),
        (
            12,
            "`options.scales.y.grid.color` is ignored: code is not run (`Utils.color('red')`); the default is used",
        ),
    ]


def test_notice_has_its_line_in_the_document() -> None:
    document = f"# Title\n\n> ```chart\n> {{type: 'bar',\n>  data: {DATA},\n>  options: {{onHover: f => 1}}}}\n> ```\n"
    (notice,) = convert(document, to="generic").notices

    assert (notice.code, notice.line) == ("chart-option-ignored", 6)
    assert notice.message == (
        "in the chart figure, `options.onHover` is ignored: only short functions for ticks, data labels and colors are run; charts are static"
    )


def test_line_of_an_invalid_value_is_known_in_plain_json_too() -> None:
    source = '{"type": "bar",\n "data": {"datasets": [{"data": [1]},\n  {"data": [2],\n   "borderColor": "bluish"}]}}'

    assert lines(source) == [4]
    assert messages(source) == [
        "`data.datasets[1].borderColor` must be a CSS color (got 'bluish'); the default is used"
    ]


def test_line_of_an_option_in_a_variable_is_where_it_is_written() -> None:
    source = f"const scales = {{\n  y: {{min: 'low'}}\n}};\nconst config = {{type: 'bar', data: {DATA}, options: {{scales}}}};"

    assert lines(source) == [2]


def test_dates_made_by_code_are_read_in_utc() -> None:
    source = """{type: 'line', data: {datasets: [{data: [
      {x: new Date('2026-03-02'), y: 1},
      {x: new Date(2026, 2, 5), y: 2}]}]},
      options: {scales: {x: {type: 'time', time: {unit: 'day'}}}}}"""

    assert messages(source) == ["`data.datasets[0].data[0].x` and other dates made by code are read in UTC"]
    assert lines(source) == [2]
    assert [row[0] for row in render_chart(source).table[1:]] == ["2026-03-02", "Mar 5, 2026, 12:00:00 a.m."]


def test_value_made_by_code_is_a_gap() -> None:
    source = "{type: 'line', data: {labels: ['a', 'b'], datasets: [{data: [1, f()]}]}}"

    assert messages(source) == ["`data.datasets[0].data[1]` is ignored: code is not run (`f()`); there is no value"]
    assert render_chart(source).table[2] == ("b", "")


def test_number_that_is_not_finite_is_a_gap() -> None:
    source = '{"type": "line", "data": {"labels": ["a", "b", "c"], "datasets": [{"data": [NaN, 1, -Infinity]}]}}'

    assert messages(source) == []
    assert [row[1] for row in render_chart(source).table[1:]] == ["", "1", ""]
