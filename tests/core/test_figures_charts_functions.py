"""Functions of ticks, data labels and colors. Node 24 gives the same values."""

import pytest

from mdpublish_core import convert
from mdpublish_core.figures.charts.functions import MAX_CHARACTERS, MAX_STEPS, read_function
from mdpublish_core.figures.charts.operators import NotEvaluated

CONTEXT = {"raw": -2.0, "parsed": {"x": 1, "y": -2.0}, "dataIndex": 1, "dataset": {"label": "Net", "data": [1, -2]}}


@pytest.mark.parametrize(
    ("source", "arguments", "value"),
    [
        ("value => '$' + value", [1200], "$1200"),
        ("function(value) { return '$' + value; }", [4500.5], "$4500.5"),
        ("function format(value, index) { return index + ': ' + value }", [5, 1], "1: 5"),
        ("callback(value) { return value + ' ms' }", [5], "5 ms"),
        ("(value: number) => value.toFixed(2) + ' €'", [2.5], "2.50 €"),
        ("(v) => `${v}%`", [5], "5%"),
        ("v => `$${(v / 1000).toFixed(0)}k`", [42_000], "$42k"),
        ("v => v.toLocaleString()", [1_234_567.891], "1,234,567.891"),
        ("v => v.toLocaleString('de-DE', {minimumFractionDigits: 2}) + ' €'", [1234.5], "1.234,50 €"),
        ("v => new Intl.NumberFormat('en-US', {style: 'currency', currency: 'USD'}).format(v)", [12.5], "$12.50"),
        ("v => { if (v >= 1e6) { return v / 1e6 + 'M'; } else if (v >= 1000) return v / 1000 + 'k'; return v }", [2500], "2.5k"),
        ("v => { const k = Math.round(v / 1000); return k + 'K' }", [1499], "1K"),
        ("v => Math.round(-2.5) + Math.max(v, 3, 1)", [2], 1),
        ("v => v === 0 ? '0' : v > 0 ? '+' + v : v", [3], "+3"),
        ("v => v == '3' && v !== '3'", [3], True),
        ("v => v?.name ?? 'none'", [{}], "none"),
        ("v => ['low', 'high'][v] || '?'", [1], "high"),
        ("v => (-v) ** 2 + 7 % 4 * 2", [3], 15),
        ("v => 0.1 + 0.2", [], 0.30000000000000004),
        ("v => 1 / 0 + ''", [], "Infinity"),
        ("v => (2.5).toFixed(0) + (-2.5).toFixed(0) + 1.005.toFixed(2)", [], "3-31.00"),
        ("v => v.slice(0, 3).toUpperCase() + v.length", ["January"], "JAN7"),
        ("v => v.split(' ')", ["two words"], ["two", "words"]),
        ("v => Number.isInteger(v) ? v : null", [2.5], None),
        ("c => c.raw < 0 ? 'red' : 'green'", [CONTEXT], "red"),
        ("c => c.dataset.label + c.dataset.data[c.dataIndex]", [CONTEXT], "Net-2"),
        ("v => { /* none */ } // at all", [1], None),
        ("v => { if (v > 5) { var more = 1 } return more }", [1], None),
        (r"v => 'a\u00e9\n' + v", [1], "aé\n1"),
        ("v => Intl.NumberFormat('en-US').format(v)", [1234.5], "1,234.5"),
        (r"v => '$' + v.toString().replace(/\B(?=(\d{3})+(?!\d))/g, ',')", [1234567], "$1,234,567"),
        ("v => `${Math.floor(v / 60)}:${String(v % 60).padStart(2, '0')}`", [125], "2:05"),
        ("v => { let r = v; r /= 100; r += 1; return r + '%' }", [250], "3.5%"),
        ("v => [v, null, 'units'].join(' ')", [3], "3  units"),
        ("v => ['a', 'b'].includes(v) + ['a', 'b'].indexOf(v)", ["b"], 2),
        ("(v, c) => (v / c.dataset.data.reduce((a, b) => a + b, 0) * 100).toFixed(1) + '%'", [1, {"dataset": {"data": [1, 2, 5]}}], "12.5%"),
        ("(v, c) => { let sum = 0; c.map(function (d) { sum += d; }); return v / sum; }", [1, [1, 3]], 0.25),
        ("v => v.filter(x => x > 1).map((x, i) => { const y = x * 10; return y + i })", [[1, 2, 3]], [20, 31]),
        ("v => { 'use strict'; v.forEach(x => x + 1); return v[0] }", [[5]], 5),
    ],
)  # fmt: skip
def test_value_is_that_of_javascript(source: str, arguments: list[object], value: object) -> None:
    function = read_function(source)

    assert function is not None
    assert function(*arguments) == value  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "source",
    [
        "v => window.alert(v)", "v => names[v]", "v => { while (true) {} }", "v => v.map(x => x)", "v => (() => v)()",
        "v => v = 1", "v => new Date()", "async v => v", "v => /a/.test(v)", "v => eval('1')", "v => { throw v }", "",
        "v => " + "(" * 200 + "v" + ")" * 200, "v => " + "v + " * 400 + "v", "v => '" + "a" * MAX_CHARACTERS + "'",
        "v => `${`", "v => this.constructor.constructor('return 1')()", "v => v['toFixed'](2)", "red", "rgb(1, 2, 3)", "({raw}) => raw",
            "v => [1].map(x => [2].map(y => y))", "v => [1].map(v => v)", "v => { w = 1; return w }", "v => { v.w = 1 }", "v => { v++; return v }",
            "v => { const f = x => x; return f(v) }", "v => ({}).map(x => x)", "v => { for (const x of v) {} return 1 }",
    ],
)  # fmt: skip
def test_other_code_is_not_read_or_has_no_value(source: str) -> None:
    function = read_function(source)

    if function is not None:
        with pytest.raises(NotEvaluated):
            function(1)


@pytest.mark.parametrize(
    "source",
    [
        "v => v.foo.bar",
        "v => v.toFixed(-1)",
        "v => v % 0",
        "v => v.toFixed('x')",
        "(a, b) => b.length",
        "v => ({labels: []}).getLabelForValue()",
    ],
)
def test_call_without_a_value_raises(source: str) -> None:
    function = read_function(source)
    assert function is not None

    with pytest.raises(NotEvaluated):
        function(1)


def test_functions_inside_are_called_a_bounded_number_of_times() -> None:
    function = read_function("v => v.map(x => 1).reduce((a, b) => a + b)")

    assert function is not None
    assert function([0] * (MAX_STEPS // 2)) == MAX_STEPS // 2
    with pytest.raises(NotEvaluated, match=f"at most {MAX_STEPS} times"):
        function([0] * MAX_STEPS)


def test_long_lists_have_no_methods() -> None:
    function = read_function("v => v.join()")

    assert function is not None
    with pytest.raises(NotEvaluated, match="500 items"):
        function([0] * 501)


def test_strings_stay_short() -> None:
    doubled = "+".join(["v"] * 100)
    function = read_function(f"v => {doubled}")
    assert function is not None

    assert len(str(function("a" * 400))) == 500


BAR = (
    "```chart\n{{type: 'bar', data: {{labels: ['North', 'South'], datasets: [{{label: 'Net', data: [1200, -300], {dataset}}}]}}, "
    "options: {{{options}}}}}\n```\n"
)


def drawn(dataset: str = "", options: str = "") -> tuple[str, list[str]]:
    conversion = convert(BAR.format(dataset=dataset, options=options), to="generic")
    return conversion.html, [notice.message for notice in conversion.notices]


def test_ticks_are_labelled_by_a_function() -> None:
    html, notices = drawn(
        options="scales: {y: {ticks: {callback: v => '$' + v.toLocaleString()}}, x: {ticks: {callback(v, i) { return i ? this.getLabelForValue(v).slice(0, 2) : null }}}}"
    )

    assert "$1,200</text>" in html
    assert ">So</text>" in html
    assert ">North</text>" not in html
    assert notices == []


def test_colors_are_those_of_a_function() -> None:
    html, notices = drawn('backgroundColor: \'c => c.parsed.y < 0 ? "#aa0011" : "#00aa11"\'')

    assert 'fill="#aa0011"' in html
    assert 'fill="#00aa11"' in html
    assert notices == []


def test_data_labels_are_those_of_a_function() -> None:
    html, notices = drawn(
        options="plugins: {datalabels: {formatter: (v, c) => c.chart.data.labels[c.dataIndex] + ' ' + v.toFixed(1)}}"
    )

    assert ">North 1200.0</text>" in html
    assert notices == []


def test_function_without_a_value_is_named() -> None:
    _, notices = drawn(
        "borderColor: c => c.foo.bar",
        "scales: {y: {ticks: {callback: v => v.foo.bar}}}, plugins: {datalabels: {formatter: v => v.foo.bar}}",
    )

    assert notices == [
        "in the chart figure, `data.datasets[0].borderColor` is ignored: 'bar' of no object; the default is used",
        "in the chart figure, `options.scales.y.ticks.callback` is ignored: 'foo' of no object; ticks show their values",
        "in the chart figure, `options.plugins.datalabels.formatter` is ignored: 'foo' of no object; labels show the values",
    ]
