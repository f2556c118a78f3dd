"""Charts written as JavaScript to exhaust the reader: all are read or refused in time linear in their length."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from statistics import median
from time import process_time

import pytest

from mdpublish_core.figures.charts.reading.sources import ChartSource
from mdpublish_core.figures.errors import FigureError
from mdpublish_core.options.limits import DEFAULT_LIMITS
from tests.remarks import remark
from tests.security.cases import counted, halves, repeated

pytestmark = pytest.mark.security

SIZE = 400_000
"""Characters; four times what a document of the service may have."""

SECONDS = DEFAULT_LIMITS.max_figure_seconds
MAX_GROWTH = 6.0
"""For four times the length; a quadratic reader takes sixteen times as long."""

MIN_SECONDS = 0.02
"""Shorter times say nothing about growth."""

RUNS = 3


def code(unit: str, after: str = "") -> Callable[[int], str]:
    return repeated(unit, before="{a: f(", after=after)


KINDS: Mapping[str, Callable[[int], str]] = {
    "nested objects": halves("{a:", "}", middle="1"),
    "nested lists": halves("[", "]", middle="1"),
    "objects that are not closed": repeated("{a:"),
    "nested lists in a variable": lambda size: "const a = " + halves("[", "]")(size),
    "brackets in code": lambda size: "{a: f" + halves("(", ")", middle="")(size) + "}",
    "brackets in code that are not closed": code("("),
    "mixed brackets in code": lambda size: "{a: f(" + halves("[({", "})]", middle="")(size) + ")}",
    "string that is not closed": repeated("a", before="{a: '"),
    "strings that are not closed": repeated("'\n", before="{a: f("),
    "quotes in code": code("'\""),
    "backslashes in a string": repeated("\\", before="{a: '"),
    "escapes": repeated("\\u0041", before="{a: '", after="'}"),
    "escapes that are invalid": repeated("\\u", before="{a: '", after="'}"),
    "surrogates": repeated("\\ud83d", before="{a: '", after="'}"),
    "line continuations": repeated("\\\n", before="{a: '", after="'}"),
    "comment that is not closed": repeated("a", before="{/*"),
    "comments that are not closed": repeated("/*", before="{"),
    "stars in a comment": repeated("*", before="{/*"),
    "comments": repeated("/**/", before="{", after="}"),
    "comments in code": code("/**/"),
    "comments of one line": repeated("//\n", before="{", after="}"),
    "comments of one line in code": code("//\n"),
    "template that is not closed": repeated("a", before="{a: `"),
    "templates in templates": repeated("${`", before="{a: `"),
    "templates in templates, closed": lambda size: "{a: `" + halves("${`", "`}", middle="")(size) + "`}",
    "escaped backticks": repeated("\\`", before="{a: `"),
    "functions": counted("a{0}: function (v) {{ return v; }},", before="{", after="}"),
    "arrow functions": counted("a{0}: v => v,", before="{", after="}"),
    "methods": counted("a{0}(v) {{ }},", before="{", after="}"),
    "functions in a list": repeated("v => v,", before="{a: [", after="]}"),
    "functions in functions": repeated("function () {", before="{a: "),
    "parameters that never end": repeated("(a, ", before="{a: "),
    "arrows that are none": repeated("(a) =", before="{a: "),
    "slashes in code": code("/"),
    "regular expressions that never end": code("=/["),
    "regular expressions": code("=/[/]/"),
    "products": repeated("1*", before="{a: ", after="1}"),
    "operators": repeated("1+", before="{a: ", after="1}"),
    "signs": repeated("-", before="{a: ", after="1}"),
    "dots": repeated(".", before="{a: ", after="}"),
    "digits": repeated("9", before="{a: ", after="}"),
    "digits with separators": repeated("9_", before="{a: ", after="}"),
    "hexadecimal digits": repeated("f", before="{a: 0x", after="}"),
    "exponents": repeated("9", before="{a: 1e", after="}"),
    "long name": repeated("a", before="{", after=": 1}"),
    "long name as a value": repeated("a", before="{a: ", after="}"),
    "names": repeated("a ", before=""),
    "names with dots": repeated("a.", before=""),
    "names with dots and spaces": repeated("a . ", before="new "),
    "white space": repeated(" ", before="{", after="a"),
    "line breaks": repeated("\n", before="const a = f()"),
    "lines of code": repeated("f\n+", before="const a = "),
    "holes": repeated(",", before="{a: [1", after="]}"),
    "spreads": repeated("...a,", before="const a = [1]; const b = [", after="]"),
    "spreads that double": counted("const a{0} = [...a, ...a];", before="const a = [1];"),
    "variables": counted("const a{0} = {{type: 1, data: 2}};"),
    "variables that double": lambda size: (
        "const a0 = [1];" + "".join(f"const a{n + 1} = [a{n}, a{n}];" for n in range(size // 28))
    ),
    "declarations without end": repeated("const a = "),
    "types without end": repeated("const a: b"),
    "charts": repeated("new Chart(a, {});"),
    "charts in charts": repeated("new Chart(a, "),
    "new": repeated("new "),
    "dates": repeated("new Date(1, 1),", before="{a: [", after="]}"),
    "dates in dates": repeated("new Date("),
    "exports": repeated("module.exports = "),
    "scripts": repeated("<script>"),
    "script tags without end": repeated("<script ", before="<p>"),
    "scripts without end": repeated("<script></script", before="<p>"),
    "quotes of a word processor": repeated("\N{LEFT DOUBLE QUOTATION MARK}", before="{"),
}


def seconds_for(source: str) -> float:
    """Return the median CPU time of reading, and of finding the line of an option."""
    times = []
    for _ in range(RUNS):
        start = process_time()
        with suppress(FigureError):
            ChartSource(source).line(("a", 0))
        times.append(process_time() - start)
    return median(times)


def test_hostile_javascript_is_read_or_refused_in_linear_time(request: pytest.FixtureRequest) -> None:
    measured = {name: (seconds_for(kind(SIZE // 4)), seconds_for(kind(SIZE))) for name, kind in KINDS.items()}
    slowest = max(measured, key=lambda name: measured[name][1])

    remark(
        request.config, f"charts as JavaScript: slowest of {len(KINDS)} kinds: {slowest}, {measured[slowest][1]:.2f} s"
    )
    assert [name for name, (_, whole) in measured.items() if whole > SECONDS] == []
    assert [
        f"{name}: {whole / part:.1f}"
        for name, (part, whole) in measured.items()
        if whole > MIN_SECONDS and whole > MAX_GROWTH * part
    ] == []
