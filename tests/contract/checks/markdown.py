"""The Markdown that the service reads."""

from tests.contract.claims import claim
from tests.contract.requests import converted
from tests.contract.service import Service

CONVERT = "/v1/convert"


MERMAID = {
    "flowchart": "flowchart LR\nA --> B",
    "sequence": "sequenceDiagram\nA->>B: Hi",
    "class": "classDiagram\nclass Animal",
    "state": "stateDiagram-v2\n[*] --> Idle",
    "ER": "erDiagram\nA ||--o{ B : has",
    "pie": 'pie\n"a": 1\n"b": 2',
    "gantt": "gantt\ndateFormat YYYY-MM-DD\nTask :2026-01-01, 3d",
    "journey": "journey\nsection Day\nWork: 3: Me",
    "mindmap": "mindmap\n  root\n    leaf",
    "timeline": "timeline\n2025 : Start\n2026 : End",
    "quadrant": "quadrantChart\nx-axis Low --> High\ny-axis Low --> High\nA: [0.3, 0.6]",
    "git graph": "gitGraph\ncommit\ncommit",
}
CHARTS = ("bar", "line", "pie", "doughnut", "radar", "polarArea")
ENGINES = ("dot", "neato", "twopi", "circo", "fdp", "sfdp", "osage", "patchwork")


async def drawn(service: Service, fence: str) -> None:
    """Assert that a fence becomes an image, without a notice."""
    result = await converted(service, fence, images="cid")
    assert result["notices"] == [], fence
    assert result["media"] or "<svg" in result["html"], fence


@claim("markdown.standard")
async def standard(service: Service) -> None:
    source = "# H\n\n> quote\n\n1. one\n\n| a | b |\n|---|---|\n| c | d |\n\n- [x] done\n\n```py\nx\n```\n\n~~no~~"
    result = (await converted(service, source, destination="html"))["html"]
    for tag in ("<h1>", "<blockquote>", "<ol>", "<table>", "<pre>", "<del>", 'type="checkbox"'):
        assert tag in result


@claim("markdown.mermaid")
async def mermaid(service: Service) -> None:
    for source in MERMAID.values():
        await drawn(service, f"```mermaid\n{source}\n```")


@claim("markdown.chart")
async def chart(service: Service) -> None:
    for kind in CHARTS:
        await drawn(
            service,
            f'```chart\n{{"type": "{kind}", "data": {{"labels": ["a", "b"], "datasets": [{{"data": [1, 2]}}]}}}}\n```',
        )
    points = '{"type": "scatter", "data": {"datasets": [{"data": [{"x": 1, "y": 2}, {"x": 2, "y": 3}]}]}}'
    await drawn(service, f"```chart\n{points}\n```")
    mixed = '{"data": {"labels": ["a"], "datasets": [{"type": "bar", "data": [1]}, {"type": "line", "data": [2]}]}}'
    await drawn(service, f"```chart\n{mixed}\n```")


@claim("markdown.graphviz")
async def graphviz(service: Service) -> None:
    for engine in ENGINES:
        await drawn(service, f"```dot\ngraph {{ layout={engine}; a; b }}\n```")


@claim("markdown.math")
async def math(service: Service) -> None:
    result = (await converted(service, "Inline $x^2$.\n\n$$\\frac{a}{b}$$"))["html"]
    assert "<msup><mi>x</mi><mn>2</mn></msup>" in result
    assert '<math display="block"><mfrac>' in result


@claim("markdown.callouts")
async def callouts(service: Service) -> None:
    for kind in ("NOTE", "TIP", "IMPORTANT", "WARNING", "CAUTION"):
        result = (await converted(service, f"> [!{kind}]\n> Text"))["html"]
        assert f"[!{kind}]" not in result
        assert f'<p class="title">{kind.title()}</p>' in result
        assert f'<div class="callout {kind.lower()}" role="note">' in result
