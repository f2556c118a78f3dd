"""Figures in the service: each worker renders them in its own process, and no figure breaks its conversion."""

import gzip
import re
from base64 import b64decode, b64encode
from hashlib import sha256
from typing import Any

import pytest
from msgspec import json

from mdpublish_core import PageOptions
from mdpublish_server.conversion.converter import Converter, Share
from mdpublish_server.conversion.protocol import ConvertJob, RenderJob
from mdpublish_server.models import ConvertRequest

FLOW = "```mermaid\nflowchart LR\n  a[Begin] --> b[End]\n```\n"

# Crashes Graphviz.
DEADLY = "```dot\ngraph { layout=twopi; splines=ortho; a -- b [label=x]; b -- c; c -- a; a -- a }\n```\n"

# Its layout exceeds a figure's two-second limit.
ENDLESS = (
    "```dot\ngraph { " + " ".join(f"n{one} -- n{other};" for one in range(95) for other in range(one)) + " }\n```\n"
)

CHART = """\
```chart
{"type": "bar", "data": {"labels": ["Q1", "Q2"], "datasets": [{"label": "North", "data": [3, 5]}]}, "options": {"animation": {}}}
```
"""

# Many times the data allowed in a chart.
HOSTILE_CHART = f"""\
```chart
{{"type": "radar", "__proto__": 1, "data": {{"labels": {[*range(20_000)]}, "datasets": [{{"fill": true, "data": {[1] * 20_000}}}]}}}}
```
"""

pytestmark = [pytest.mark.anyio, pytest.mark.needs("mmdr", "pygraphviz")]


@pytest.fixture
def converter(converter: Converter, monkeypatch: pytest.MonkeyPatch) -> Converter:
    """The workers that all tests share, which have time on a busy machine."""
    monkeypatch.setattr(converter, "_backstop", 120.0)
    return converter


async def converted(converter: Converter, markdown: str, **requested: Any) -> dict[str, Any]:
    job = ConvertJob(request=ConvertRequest(markdown=markdown, **requested))
    response: dict[str, Any] = json.decode((await converter.convert(job, client_id="a")).body)
    return response


async def test_mail_brings_its_figures_along(converter: Converter) -> None:
    response = await converted(converter, f"{FLOW}\n$\\frac{{x}}{{2}}$\n", destination="email")

    assert [media["media_type"] for media in response["media"]] == ["image/png", "image/png"]
    for media in response["media"]:
        assert b64decode(media["data"]).startswith(b"\x89PNG")
        assert f'src="cid:{media["content_id"]}"' in response["html"]
    assert response["notices"] == []


async def test_page_holds_its_figures_and_its_style_is_known_by_its_hash(converter: Converter) -> None:
    options = PageOptions(title="T")
    job = RenderJob(markdown=f"{FLOW}\n$x^2$\n", template_id="swiss", theme_mode="dark", options=options, scanned=True)
    rendered = await converter.render(job, share=Share.DEMO, client_id="a")
    html = gzip.decompress(rendered.body).decode()

    assert html.count("<svg ") == html.count("<math>") == 1
    (style,) = re.findall(r"<style>(.*?)</style>", html, re.DOTALL)
    assert rendered.style_hash == f"sha256-{b64encode(sha256(style.encode()).digest()).decode()}"
    assert not re.search(r"<[^>]* style=", html)


async def test_page_holds_its_charts_their_tips_and_their_data(converter: Converter) -> None:
    options = PageOptions(title="T")
    job = RenderJob(markdown=CHART, template_id="swiss", theme_mode="dark", options=options, scanned=True)
    rendered = await converter.render(job, share=Share.DEMO, client_id="a")
    html = gzip.decompress(rendered.body).decode()

    assert "<title>Q1: 3</title>" in html
    assert html.count('<details class="data">') == 1
    assert "<script" not in html.partition('<figure class="drawing')[2].partition("</details>")[0]
    assert not re.search(r"<[^>]* style=", html)


async def test_chart_is_reported_of_what_is_left_out(converter: Converter) -> None:
    response = await converted(converter, f"# T\n\n{CHART}", destination="email")

    ((code, line),) = [(notice["code"], notice["line"]) for notice in response["notices"]]
    assert (code, line) == ("chart-option-ignored", 4)
    assert [media["media_type"] for media in response["media"]] == ["image/png"]
    assert 'alt="Bar chart. North: Q1: 3, Q2: 5"' in response["html"]


async def test_chart_that_is_too_much_costs_itself_alone(converter: Converter) -> None:
    await converted(converter, FLOW)
    response = await converted(converter, f"{CHART}\n{HOSTILE_CHART}\n{FLOW}")

    assert response["html"].count("<svg ") >= 2
    assert "Begin" in response["html"]
    assert {notice["code"] for notice in response["notices"]} <= {"chart-option-ignored", "figure-failed"}


@pytest.mark.nightly
@pytest.mark.short
@pytest.mark.parametrize("figure", [DEADLY, ENDLESS])
async def test_figure_that_kills_or_holds_its_engine_costs_itself_alone(converter: Converter, figure: str) -> None:
    await converted(converter, FLOW)
    response = await converted(converter, f"{FLOW}\n{figure}\n{FLOW.replace('Begin', 'Start')}")

    assert response["html"].count("<svg ") == 2
    (notice,) = response["notices"]
    assert (notice["code"], notice["line"]) == ("figure-failed", 6)
    assert "is shown as its source" in notice["message"]


@pytest.mark.nightly
@pytest.mark.short
async def test_many_figures_that_hold_their_engines_leave_time_for_the_response(converter: Converter) -> None:
    endless = "\n".join(ENDLESS.replace("n0", f"m{number}") for number in range(4))
    response = await converted(converter, f"# T\n\n{endless}\n\nThe end.")

    assert "The end." in response["html"]
    assert [notice["line"] for notice in response["notices"]] == [3, 7, 11]
    assert "earlier figures used up the 4 s of CPU time allowed" in response["notices"][-1]["message"]
