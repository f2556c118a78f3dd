"""`POST /v1/import`."""

from base64 import b64encode
from typing import Any

from tests.contract.claims import claim
from tests.contract.requests import converted, failure
from tests.contract.service import Service
from tests.core.readers.docx.test_read_docx import PNG
from tests.core.readers.docx.word_sources import paragraph, run, with_entry, word_file
from tests.server.api_requests import refusal, used

IMPORT = "/v1/import"
VALIDATION_ERROR = (400, "validation_error")
SAMPLE = "<h1>Garden day</h1><p>Some <b>bold</b> text and <a href=https://example.org/>a link</a>.</p><ul><li>one<li>two</ul>"
EMAIL = b"Subject: Garden day\n\nBring gloves.\n"


async def imported(service: Service, content: str | bytes, **options: str) -> dict[str, Any]:
    """Send HTML or, if it is bytes, a file."""
    body = {"html": content} if isinstance(content, str) else {"file": b64encode(content).decode()}
    response = await service.pro.post(IMPORT, json={**body, **options})
    assert response.status_code == 200, response.text
    return dict(response.json())


async def refused(service: Service, **body: object) -> None:
    assert refusal(await service.free.post(IMPORT, json=body)) == VALIDATION_ERROR


@claim("import.200", "import.response.markdown")
async def html_becomes_markdown(service: Service) -> None:
    result = await imported(service, SAMPLE)
    assert set(result) == {"markdown", "title", "notices", "media"}
    assert result["markdown"] == (
        "# Garden day\n\nSome **bold** text and [a link](https://example.org/).\n\n- one\n- two\n"
    )
    html = (await converted(service, result["markdown"], destination="html"))["html"]
    assert (await imported(service, html))["markdown"] == result["markdown"]


@claim("import.stateless")
async def nothing_is_stored(service: Service) -> None:
    await imported(service, SAMPLE)
    assert (await service.pro.get("/v1/documents")).json()["data"] == []


@claim("import.body.alternatives")
async def one_of_two_is_required(service: Service) -> None:
    assert (await imported(service, "x"))["markdown"] == (await imported(service, b"x"))["markdown"] == "x\n"
    await refused(service)
    await refused(service, html="x", file="eA==")


@claim("import.body.html")
async def html_size(service: Service) -> None:
    await imported(service, "x" * 102_400)
    for wrong in ("", "x" * 102_401, "é" * 51_201, 1):
        await refused(service, html=wrong)


@claim("import.body.file")
async def file_size(service: Service) -> None:
    # Of what a page may have, most is an attribute that is not read.
    await imported(service, b"<p title='%s'>x" % (b"x" * 4_000_000))
    response = await service.free.post(IMPORT, json={"file": b64encode(bytes(20_000_000)).decode(), "format": "docx"})
    assert "must be a Word document" in response.json()["error"]["message"]
    for wrong in ("", "?", b64encode(bytes(20_000_001)).decode(), 1):
        await refused(service, file=wrong)


@claim("import.body.format")
async def file_format(service: Service) -> None:
    word = word_file(paragraph("Text."))
    notebook = b'{"cells": [{"cell_type": "markdown", "source": "Text."}], "metadata": {}, "nbformat": 4}'
    for content in (word, notebook, b"<p>Text.", b"Text."):
        assert (await imported(service, content))["markdown"] == "Text.\n"
    for content, name, markdown in (
        (word, "docx", "Text.\n"),
        (notebook, "ipynb", "Text.\n"),
        (EMAIL, "eml", "---\ntitle: Garden day\n---\n\nBring gloves.\n"),
        (b"a;b\n1;2\n", "csv", "| a   | b   |\n| --- | --- |\n| 1   | 2   |\n"),
    ):
        assert (await imported(service, content, format=name))["markdown"] == markdown
    await refused(service, file="eA==", format="rtf")
    await refused(service, html="x", format="html")


@claim("import.body.media")
async def media(service: Service) -> None:
    assert await imported(service, SAMPLE, media="inline") == await imported(service, SAMPLE)
    await refused(service, html="x", media="upload")


@claim("import.body.comments")
async def comments(service: Service) -> None:
    word = word_file(paragraph(f'<w:ins w:author="Ben">{run("Text.")}</w:ins>'))
    body = {"file": b64encode(word).decode()}
    written, named = [
        (await service.free.post(IMPORT, json={**body, "comments": value})).json() for value in (True, False)
    ]
    assert (written["markdown"], written["notices"]) == ("Text. <!-- Ben inserts 'Text.' -->\n", [])
    assert (named["markdown"], len(named["notices"])) == ("Text.\n", 1)
    await refused(service, html="x", comments=True)


@claim("import.response.title")
async def title(service: Service) -> None:
    assert (await imported(service, SAMPLE))["title"] == "Garden day"
    assert (await imported(service, EMAIL, format="eml"))["title"] == "Garden day"
    assert (await imported(service, "<p>x"))["title"] == "Untitled"


@claim("import.response.media")
async def images_are_in_the_response(service: Service) -> None:
    data = b64encode(PNG).decode()
    result = await imported(service, f"<img alt=dot src='data:image/png;base64,{data}'>")
    (image,) = result["media"]
    assert set(image) == {"content_id", "media_type", "data"}
    assert result["markdown"] == f"![dot]({image['content_id']})\n"
    assert (image["media_type"], image["data"]) == ("image/png", data)


@claim("import.response.notices")
async def notices(service: Service) -> None:
    assert (await imported(service, SAMPLE))["notices"] == []
    (notice,) = (await imported(service, "<a href=javascript:b>a</a>"))["notices"]
    assert notice["code"] == "unsafe-link"


@claim("import.hostile")
async def hostile_file_is_refused(service: Service) -> None:
    cell = "<w:tbl><w:tr><w:tc>", "</w:tc></w:tr></w:tbl>"
    for content, name in (
        (with_entry(word_file(""), "word/document.xml", b" " * 100_000_000), "docx"),
        (word_file(cell[0] * 10_000 + paragraph("x") + cell[1] * 10_000), "docx"),
        (word_file(paragraph("x"))[:-30], "docx"),
        (b"<div>" * 1_000, "html"),
        (b"<p>x" * 1_250_001, "html"),
        (b'{"cells": ' + b"[" * 100_000, "ipynb"),
        (b"," * 200_000 + b"x", "csv"),
    ):
        await refused(service, file=b64encode(content).decode(), format=name)
    assert (await imported(service, "x"))["markdown"] == "x\n"


@claim("import.500.conversion_error")
async def import_fails(service: Service) -> None:
    service.configure(is_fragile=True)
    for html in ("raise:secret", "crash:", "exit:1", "bomb:", "spin:"):
        assert failure(await service.free.post(IMPORT, json={"html": html})) == (500, "conversion_error")
        assert await used(service.free) == 0
    assert (await service.free.post(IMPORT, json={"html": "x"})).status_code == 200
