"""What each destination gives."""

import re

from tests.contract.claims import claim
from tests.contract.requests import converted
from tests.contract.service import Service

CONVERT = "/v1/convert"
SAMPLE = "# Title\n\nSome **bold** and *italic* `code` and [a link](https://example.org/).\n\n- one\n- two\n"


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
