"""`POST /v1/convert`, its destinations, and the Markdown that the service reads."""

import re
from io import BytesIO
from zipfile import ZipFile

from tests.contract.claims import claim
from tests.contract.requests import converted, failure
from tests.contract.service import Service
from tests.pdf_files import reader_of
from tests.server.api_requests import refusal, used

CONVERT = "/v1/convert"
DESTINATIONS = ("google-docs", "word", "slack", "onenote", "email", "plain-text", "generic", "html")
VALIDATION_ERROR = (400, "validation_error")
SAMPLE = "# Title\n\nSome **bold** and *italic* `code` and [a link](https://example.org/).\n\n- one\n- two\n"
PNG = (
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJg"
    "gg=="
)


async def refused(service: Service, **body: object) -> None:
    assert refusal(await service.free.post(CONVERT, json=body)) == VALIDATION_ERROR


@claim("convert.200")
async def convert(service: Service) -> None:
    result = await converted(service, SAMPLE)
    fields = {
        "html",
        "plain_text",
        "destination",
        "template_id",
        "theme_mode",
        "media",
        "notices",
        "delivery",
        "repairs",
    }
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
    await refused(service, markdown="x", theme_mode="auto")


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


@claim("convert.body.format")
async def file_formats(service: Service) -> None:
    assert await converted(service, "x", format="json") == await converted(service, "x")
    body = {"markdown": "# a", "format": "docx"}
    response = await service.free.post(CONVERT, json=body)
    assert response.status_code == 200
    assert response.headers["content-disposition"] == "attachment; filename=a.docx"
    with ZipFile(BytesIO(response.content)) as archive:
        assert "word/document.xml" in archive.namelist()
    same = await service.free.post(CONVERT, json={**body, "destination": "word"})
    assert same.content == response.content
    mail = await service.free.post(CONVERT, json={**body, "format": "eml"})
    assert mail.headers["content-type"] == "message/rfc822"
    blocks = await service.free.post(CONVERT, json={**body, "format": "blocks"})
    assert [each["text"] for each in blocks.json()["messages"]] == ["a"]
    assert await used(service.free) == 4
    await refused(service, **{**body, "destination": "slack"})
    await refused(service, **{**body, "format": "rtf"})


@claim("convert.body.layout")
async def layout(service: Service) -> None:
    layout = {"paper": "letter", "margin": 30, "sides": "two", "toc": True, "footnotes": "page"}
    body = {"markdown": "## a\n\nb[^1]\n\n[^1]: c"}
    plain, printed = [await service.free.post(CONVERT, json={**body, "format": "pdf", **each}) for each in ({}, layout)]
    assert [round(reader_of(each.content).pages[0].mediabox.height) for each in (plain, printed)] == [842, 792]
    word = {"markdown": "x", "format": "docx"}
    assert (await service.free.post(CONVERT, json={**word, "paper": "letter", "toc": True})).status_code == 200
    for name, value in layout.items():
        await refused(service, markdown="x", **{name: value})
    await refused(service, **word, margin=30)
    for name, value in {"paper": "a3", "margin": 4, "sides": "three", "toc": "yes", "footnotes": "side"}.items():
        await refused(service, **{**body, "format": "pdf", name: value})


@claim("convert.body.extensions")
async def extensions(service: Service) -> None:
    source = "one\ntwo ==a== H~2~O :tada:"
    html = (await converted(service, source, destination="html"))["html"]
    assert html == "<p>one\ntwo <mark>a</mark> H<del>2</del>O :tada:</p>\n"
    names = ["breaks", "emoji", "sub-superscript", "no-highlight", "no-math", "math"]
    html = (await converted(service, source, destination="html", extensions=names))["html"]
    assert html == "<p>one<br />\ntwo ==a== H<sub>2</sub>O 🎉</p>\n"
    await refused(service, markdown="x", extensions=["nosuch"])
    await refused(service, markdown="x", extensions="breaks")


@claim("convert.body.repair")
async def repair(service: Service) -> None:
    source = "Prices rose【1†source】."
    for body, html in (({}, f"<p>{source}</p>\n"), ({"repair": True}, "<p>Prices rose.</p>\n")):
        assert (await converted(service, source, destination="html", **body))["html"] == html
    await refused(service, markdown="x", repair="yes")


@claim("convert.response.repairs")
async def repairs(service: Service) -> None:
    source = "# Wages\n\nPrices rose【1†source】."
    assert (await converted(service, source))["repairs"] == []
    (place,) = (await converted(service, source, repair=True))["repairs"]
    assert place == {"code": "citation-mark", "line": 3, "before": "【1†source】", "after": ""}


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
    assert image["data"] == PNG.partition(",")[2]


@claim("convert.response.notices")
async def notices(service: Service) -> None:
    assert (await converted(service, SAMPLE))["notices"] == []
    (notice,) = (await converted(service, "[a](javascript:b)"))["notices"]
    assert notice["code"] == "unsafe-link"
    assert "javascript:b" in notice["message"]
    (notice,) = (await converted(service, "> " * 2_000 + "deep"))["notices"]
    assert (notice["code"], notice["line"]) == ("nesting-too-deep", 1)


@claim("convert.response.delivery")
async def delivery(service: Service) -> None:
    result = await converted(service, f"{SAMPLE}\n| c |\n|---|\n", destination="slack")
    assert {"construct": "emphasis", "form": "as-is", "count": 2, "lines": [3]} in result["delivery"]
    assert {"construct": "table", "form": "monospaced", "count": 1, "lines": [8]} in result["delivery"]


@claim("convert.500.conversion_error", "error.no-internals")
async def conversion_fails(service: Service) -> None:
    service.configure(is_fragile=True)
    for number, markdown in enumerate(("raise:secret", "crash:", "exit:1", "recurse:")):
        response = await service.free.post(CONVERT, json={"markdown": markdown})
        assert failure(response) == (500, "conversion_error")
        assert await used(service.free) == number
        assert (await service.free.post(CONVERT, json={"markdown": "x"})).status_code == 200
