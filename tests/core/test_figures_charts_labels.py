"""Labels of charts are wrapped between words, then compressed; what is cut even so is in the tooltip and the table."""

import json
import re
from typing import Any

import pytest

from mdpublish_core import convert

YEARS = [str(year) for year in range(2005, 2024)]
LONG = ["Customer acquisition and marketing department", "Administration of the internal infrastructure", "Sales"]


def drawn(kind: str, labels: list[str], **options: Any) -> str:
    data = {"labels": labels, "datasets": [{"label": "Amount", "data": [3] * len(labels)}]}
    content = convert(f"```chart\n{json.dumps({'type': kind, 'data': data, 'options': options})}\n```").content
    return re.split("</?svg", str(content))[1]


def shown_words(svg: str) -> str:
    return " ".join(re.sub("<title>.*?</title>|<[^>]*>", " ", re.sub("<desc>.*?</desc>", "", svg)).split())


@pytest.mark.parametrize("angle", [0, 45, 90])
@pytest.mark.parametrize("ratio", [1, 4, 8])
def test_years_are_whole_at_any_angle(angle: int, ratio: int) -> None:
    svg = drawn(
        "line", YEARS[:8], aspectRatio=ratio, scales={"x": {"ticks": {"minRotation": angle, "maxRotation": angle}}}
    )
    assert "…" not in svg
    assert {"2005", "2012"} <= set(shown_words(svg).split())


def test_numbers_on_many_axes_are_whole() -> None:
    datasets = [{"label": f"S{each}", "data": [1000, 2010], "yAxisID": f"y{each}"} for each in range(8)]
    chart = {"type": "line", "data": {"labels": ["a", "b"], "datasets": datasets}}
    assert "…" not in convert(f"```chart\n{json.dumps(chart)}\n```").content


@pytest.mark.parametrize("kind", ["bar", "radar"])
def test_long_labels_are_wrapped(kind: str) -> None:
    words = shown_words(drawn(kind, LONG, indexAxis="y"))
    for label in LONG:
        assert label in words


def test_radar_with_labels_of_several_words_fills_its_chart() -> None:
    def radius(labels: list[str]) -> float:
        lines = re.findall(r'<(?:line|path)[^>]*?d="M([\d.]+) ([\d.]+)L([\d.]+) ([\d.]+)"', drawn("radar", labels))
        return max(abs(float(x) - float(left)) for left, _, x, _ in lines)

    words = ["Technical knowledge", "Time management", "Problem solving", "Team spirit", "Sales talk"]
    assert radius(words) > 0.75 * radius(["Technical", "Time", "Problem", "Team", "Sales"])


def test_label_that_would_be_hard_to_read_is_cut_with_a_tooltip() -> None:
    label = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft"
    svg = drawn("bar", [label, "b"], indexAxis="y")
    assert "…" in svg
    assert f"<title>{label}</title>" in svg
