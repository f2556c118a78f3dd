"""`POST /v1/convert`, its destinations, and the Markdown that the service reads."""

import base64
import re
from typing import Any

from tests.contract.claims import claim
from tests.contract.service import Service
from tests.server.api_requests import refusal, used

CONVERT = "/v1/convert"
DESTINATIONS = ("google-docs", "word", "slack", "onenote", "email", "plain-text", "generic", "html")
VALIDATION_ERROR = (400, "validation_error")
SAMPLE = "# Title\n\nSome **bold** and *italic* `code` and [a link](https://example.org/).\n\n- one\n- two\n"
PNG = (
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJg"
    "gg=="
)


async def converted(service: Service, markdown: str, **options: Any) -> dict[str, Any]:
    response = await service.pro.post(CONVERT, json={"markdown": markdown, **options})
    assert response.status_code == 200, response.text
    return dict(response.json())


async def refused(service: Service, **body: object) -> None:
    assert refusal(await service.free.post(CONVERT, json=body)) == VALIDATION_ERROR


@claim("convert.200")
async def convert(service: Service) -> None:
    result = await converted(service, SAMPLE)
    fields = {"html", "plain_text", "destination", "template_id", "theme_mode", "media", "notices"}
    assert set(result) == fields


@claim("convert.stateless")
async def nothing_is_stored(service: Service) -> None:
    await converted(service, SAMPLE)
    assert (await service.pro.get("/v1/documents")).json()["data"] == []


@claim("convert.body.markdown")
async def markdown(service: Service) -> None:
    await refused(service)
    await refused(service, markdown="")
    await refused(service, markdown=1)
    await converted(service, " ")


@claim("convert.body.markdown.size")
async def markdown_size(service: Service) -> None:
    await converted(service, "x" * 102_400)
    await refused(service, markdown="x" * 102_401)
    await refused(service, markdown="é" * 51_201)
    await converted(service, "é" * 51_200)


@claim("convert.body.destination")
async def destination(service: Service) -> None:
    assert (await converted(service, "x"))["destination"] == "generic"
    for each in DESTINATIONS:
        assert (await converted(service, "x", destination=each))["destination"] == each
    for each in ("fax", "Generic", ""):
        await refused(service, markdown="x", destination=each)


@claim("convert.body.template_id")
async def template_id(service: Service) -> None:
    assert (await converted(service, "x"))["template_id"] == "swiss"
    for each in ("mono", "dracula"):
        assert (await converted(service, "x", template_id=each))["template_id"] == each
    await refused(service, markdown="x", template_id="nosuch")


@claim("convert.body.theme_mode")
async def theme_mode(service: Service) -> None:
    light, dark = await converted(service, "x"), await converted(service, "x", theme_mode="dark")
    assert (light["theme_mode"], dark["theme_mode"]) == ("light", "dark")
    assert light["html"] != dark["html"]
    await refused(service, markdown="x", theme_mode="sepia")


@claim("convert.body.images")
async def images(service: Service) -> None:
    source = f"![dot]({PNG})"
    for destination, form, has_media in (
        ("email", None, True),
        ("email", "data", False),
        ("generic", None, False),
        ("generic", "cid", True),
    ):
        result = await converted(service, source, destination=destination, images=form)
        assert bool(result["media"]) is has_media
        assert ("cid:" in result["html"]) is has_media
    await refused(service, markdown="x", images="attachment")


@claim("convert.body.extensions")
async def extensions(service: Service) -> None:
    source = "one\ntwo ==a=="
    assert (await converted(service, source, destination="html"))["html"] == "<p>one\ntwo <mark>a</mark></p>\n"
    result = await converted(service, source, destination="html", extensions=["breaks", "no-highlight"])
    assert result["html"] == "<p>one<br />\ntwo ==a==</p>\n"
    await refused(service, markdown="x", extensions=["nosuch"])
    await refused(service, markdown="x", extensions="breaks")


@claim("convert.response.html")
async def html(service: Service) -> None:
    outputs = {each: (await converted(service, SAMPLE, destination=each))["html"] for each in DESTINATIONS}
    assert all(isinstance(output, str) and "Title" in output for output in outputs.values())
    assert len(set(outputs.values())) == len(DESTINATIONS)


@claim("convert.response.plain_text")
async def plain_text(service: Service) -> None:
    for each in DESTINATIONS:
        result = (await converted(service, SAMPLE, destination=each))["plain_text"]
        assert "bold" in result
        assert not re.search(r"<\w|\*\*|`", result)


@claim("convert.response.echo")
async def choices_are_returned(service: Service) -> None:
    chosen = {"destination": "word", "template_id": "mono", "theme_mode": "dark"}
    result = await converted(service, "x", **chosen)
    assert {name: result[name] for name in chosen} == chosen


@claim("convert.response.media")
async def media(service: Service) -> None:
    result = await converted(service, f"![dot]({PNG})", destination="email")
    (image,) = result["media"]
    assert set(image) == {"content_id", "media_type", "data"}
    assert f"cid:{image['content_id']}" in result["html"]
    assert image["media_type"] == "image/png"
    assert base64.b64decode(image["data"]).startswith(b"\x89PNG")


@claim("convert.response.notices")
async def notices(service: Service) -> None:
    assert (await converted(service, SAMPLE))["notices"] == []
    (notice,) = (await converted(service, "[a](javascript:b)"))["notices"]
    assert notice["code"] == "unsafe-link"


@claim("convert.400.validation_error")
async def wrong_field(service: Service) -> None:
    for body in ({}, {"markdown": "x" * 102_401}, {"markdown": "x", "destination": "fax"}):
        await refused(service, **body)
    await refused(service, markdown="x", template_id="nosuch")


@claim("convert.403.forbidden")
async def pro_template(service: Service) -> None:
    body = {"markdown": "x", "template_id": "nord"}
    assert (await service.pro.post(CONVERT, json=body)).status_code == 200
    assert refusal(await service.free.post(CONVERT, json=body)) == (403, "forbidden")


@claim("convert.500.conversion_error")
async def conversion_fails(service: Service) -> None:
    service.configure(is_fragile=True)
    for failure in ("raise:secret", "crash:"):
        response = await service.free.post(CONVERT, json={"markdown": failure})
        assert refusal(response) == (500, "conversion_error")
        assert "secret" not in response.text
    assert await used(service.free) == 0


# Destinations


@claim("destination.google-docs")
async def google_docs(service: Service) -> None:
    result = (await converted(service, SAMPLE, destination="google-docs"))["html"]
    assert re.search(r'<h1 [^>]*style="[^"]*-aw-style-name:heading1', result)
    assert re.search(r'<p [^>]*style="[^"]*-aw-style-name:body-text', result)
    assert re.search(r'<span style="[^"]*font-weight:700[^"]*">bold</span>', result)


@claim("destination.word")
async def word(service: Service) -> None:
    result = (await converted(service, SAMPLE, destination="word"))["html"]
    assert re.search(r"<h1 [^>]*style=", result)
    assert "mso-style-name" in result


@claim("destination.slack")
async def slack(service: Service) -> None:
    result = (await converted(service, SAMPLE, destination="slack"))["html"]
    for expected in ("*bold*", "_italic_", "`code`", "<https://example.org/|a link>", "• one"):
        assert expected in result


@claim("destination.onenote")
async def onenote(service: Service) -> None:
    result = (await converted(service, SAMPLE, destination="onenote"))["html"]
    assert "<h1" in result
    assert "<li" in result
    assert "style=" in result
    assert "<style" not in result
    assert "class=" not in result


@claim("destination.email")
async def email(service: Service) -> None:
    result = (await converted(service, SAMPLE, destination="email"))["html"]
    for tag in ("h1", "p", "code", "a href", "li"):
        elements = re.findall(rf"<{tag}\b[^>]*>", result)
        assert elements
        assert all(" style=" in element for element in elements)
    assert 'rel="stylesheet"' not in result


@claim("destination.plain-text")
async def plain(service: Service) -> None:
    result = await converted(service, SAMPLE, destination="plain-text")
    assert result["html"] == result["plain_text"]
    assert result["html"].startswith("Title\n=====\n\nSome bold and italic")
    assert re.search(r"^\W+one\n\W+two\n", result["html"], re.MULTILINE)


@claim("destination.generic")
async def generic(service: Service) -> None:
    swiss = (await converted(service, SAMPLE))["html"]
    mono = (await converted(service, SAMPLE, template_id="mono"))["html"]
    for result, name in ((swiss, "swiss"), (mono, "mono")):
        assert "<style>" in result
        assert f"mdpublish-{name}" in result
        assert "<strong>bold</strong>" in result
    assert swiss != mono


@claim("destination.html")
async def bare_html(service: Service) -> None:
    result = (await converted(service, SAMPLE, destination="html"))["html"]
    assert result.startswith("<h1>Title</h1>\n<p>Some <strong>bold</strong> and <em>italic</em> <code>code</code>")
    assert "style" not in result
    mono = await converted(service, SAMPLE, destination="html", template_id="mono")
    assert mono["html"] == result


# Markdown

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
