import gzip
import json
from base64 import b64encode
from dataclasses import asdict
from typing import Any

import httpx
import pytest
from msgspec import msgpack

from mdpublish_core import read_file, read_html
from mdpublish_core.hosting.workers import JobTooLarge, Worker
from mdpublish_server.conversion.converter import JOBS_MODULE
from mdpublish_server.conversion.protocol import ImportJob
from mdpublish_server.conversion.uploads import ACCOUNT_BYTES, UPLOADED_BYTES, Uploads
from mdpublish_server.errors import ServiceUnavailable
from mdpublish_server.models import ImportRequest
from mdpublish_server.state import AppState
from tests.core.readers.docx.word_sources import paragraph, run, word_file
from tests.core.readers.html.test_html_sources import FIXTURES
from tests.server.api_requests import refusal, used
from tests.server.conftest import MakeOwner

pytestmark = pytest.mark.anyio

PATH = "/v1/import"
MARKDOWN = "# Plan\n\n- [x] one[^1] $x^2$\n\n> [!NOTE]\n> two\n\n```python\nx = 1\n```\n\n[^1]: three\n"


def file_of(content: bytes, **options: str) -> dict[str, str]:
    return {"file": b64encode(content).decode(), **options}


@pytest.mark.parametrize("name", ["google_docs", "word", "chatgpt"])
async def test_clipboard_is_read_as_the_library_does(free: httpx.AsyncClient, name: str) -> None:
    html = (FIXTURES / f"{name}.html").read_text("utf-8")
    response = await free.post(PATH, json={"html": html})

    expected = read_html(html)
    assert response.status_code == 200
    assert response.json() == {
        "markdown": expected.markdown,
        "title": expected.document.title or "Untitled",
        "notices": [asdict(notice) for notice in expected.notices],
        "media": [
            {"content_id": each.content_id, "media_type": each.media_type, "data": b64encode(each.data).decode()}
            for each in expected.media
        ],
    }


async def test_saved_page_is_read_whole_unless_its_main_text_is_asked_for(free: httpx.AsyncClient) -> None:
    page = "<html><body><nav>a</nav><main>b</main></body></html>"
    bodies = [{"html": page}, {"html": page, "whole_page": False}, file_of(page.encode()) | {"whole_page": False}]

    responses = [(await free.post(PATH, json=body)).json() for body in bodies]

    assert [response["markdown"] for response in responses] == ["a\n\nb\n", "b\n", "b\n"]
    assert [[notice["code"] for notice in each["notices"]] for each in responses[1:]] == [["content-left-out"]] * 2


async def test_our_own_word_file_comes_back(free: httpx.AsyncClient) -> None:
    word = (await free.post("/v1/convert", json={"markdown": MARKDOWN, "format": "docx"})).content
    response = await free.post(PATH, json=file_of(word))

    assert (response.json()["markdown"], response.json()["title"]) == (MARKDOWN, "Plan")
    assert response.json()["markdown"] == read_file(word, ".docx").markdown


async def test_comments_of_a_word_file_are_written_on_request(free: httpx.AsyncClient) -> None:
    word = word_file(paragraph(f'<w:ins w:author="Ben">{run("a")}</w:ins>'))
    response = await free.post(PATH, json={**file_of(word), "comments": True})

    assert (response.json()["markdown"], response.json()["notices"]) == ("a <!-- Ben inserts 'a' -->\n", [])
    for body in ({"html": "<p>a</p>"}, file_of(b"<p>a</p>")):
        refused = await free.post(PATH, json={**body, "comments": True})
        assert (refused.status_code, "comments" in refused.text) == (400, True)


async def test_long_response_is_compressed_once(free: httpx.AsyncClient) -> None:
    body = {"html": "<p>word" * 1_000}
    async with free.stream("POST", PATH, json=body, headers={"Accept-Encoding": "gzip"}) as response:
        content = b"".join([piece async for piece in response.aiter_raw()])

    assert response.headers["content-encoding"] == "gzip"
    assert json.loads(gzip.decompress(content))["markdown"] == "word\n\n" * 999 + "word\n"


async def test_formatting_that_conforming_parsers_explode_on_is_refused(free: httpx.AsyncClient) -> None:
    html = "".join(f"<b><i><u><font color={number}><p>" for number in range(4_000))[:86_000]

    response = await free.post(PATH, json={"html": html})

    assert refusal(response) == (400, "validation_error")
    assert response.json()["error"]["message"].startswith("the HTML: elements must nest at most 255 deep (got more); ")
    assert await used(free) == 1


async def test_text_of_a_file_is_bounded(free: httpx.AsyncClient) -> None:
    response = await free.post(PATH, json=file_of(b"x" * 5_000_001))

    assert refusal(response) == (400, "validation_error")
    assert response.json()["error"]["message"] == (
        "file must have at most 5,000,000 bytes of text (got 5,000,001); split it"
    )


@pytest.mark.parametrize(
    "body",
    ["<w:p/>" * 50_000, paragraph('<w:r><w:footnoteReference w:id="1"/></w:r>' * 50_000)],
    ids=["empty", "notes"],
)
async def test_small_file_of_too_many_paragraphs_is_refused(free: httpx.AsyncClient, body: str) -> None:
    word = word_file(body, footnotes=f'<w:footnote w:id="1">{paragraph("note")}</w:footnote>')
    assert len(word) < 12_000

    response = await free.post(PATH, json=file_of(word))

    assert refusal(response) == (400, "validation_error")
    message = response.json()["error"]["message"]
    assert message.startswith("The file must have at most 80,000 paragraphs, runs and texts (got 100,00")


async def test_small_file_makes_no_huge_response(free: httpx.AsyncClient) -> None:
    blips = "".join(f'<w:r><w:drawing><a:blip r:embed="i{number}"/></w:drawing></w:r>' for number in range(2))
    images = {f"i{number}": b"\x89PNG\r\n\x1a\n" + bytes([number]) * 10_000_000 for number in range(2)}
    word = word_file(paragraph(blips), {}, **images)
    assert len(word) < 50_000

    response = await free.post(PATH, json=file_of(word))

    assert refusal(response) == (500, "conversion_error")
    assert response.json()["error"]["message"].startswith("Output must be at most 20,000,000 bytes (got 20,000,016)")
    assert await used(free) == 0


def test_file_that_needs_too_much_memory_costs_its_own_worker_alone() -> None:
    """It is libxml2 that finds too little, and returns an empty document."""
    worker = Worker(JOBS_MODULE, memory_bytes=260_000_000, is_confined=True)

    def run(request: ImportRequest) -> dict[str, Any]:
        result = msgpack.decode(worker.run("read_file", msgpack.encode(ImportJob(request=request)), seconds=60.0))
        return dict(json.loads(result["body"]))

    try:
        with pytest.raises(JobTooLarge):
            run(ImportRequest(file=b"<b>x</b> " * 500_000))
        assert run(ImportRequest(html="<b>x</b>"))["markdown"] == "**x**\n"
    finally:
        worker.close()


async def test_files_of_an_account_at_a_time_are_bounded(
    state: AppState, client: httpx.AsyncClient, make_owner: MakeOwner
) -> None:
    one, other = make_owner("one"), make_owner("other")
    with state.uploads.hold(one.account.id, ACCOUNT_BYTES):
        refused = await client.post(PATH, json={"html": "x"}, headers=one.headers)
        taken = await client.post(PATH, json={"html": "x"}, headers=other.headers)

    assert refusal(refused) == (503, "service_unavailable")
    assert refused.json()["error"]["message"].startswith("Too many of your files are being read")
    assert taken.status_code == 200
    assert (await client.post(PATH, json={"html": "x"}, headers=one.headers)).status_code == 200
    assert (await client.get("/v1/usage", headers=one.headers)).json()["used"] == 1


def test_files_of_all_accounts_at_a_time_are_bounded() -> None:
    uploads = Uploads()
    with (
        uploads.hold("a", ACCOUNT_BYTES),
        uploads.hold("b", ACCOUNT_BYTES),
        uploads.hold("c", ACCOUNT_BYTES),
        uploads.hold("d", UPLOADED_BYTES - 3 * ACCOUNT_BYTES),
        pytest.raises(ServiceUnavailable, match="Too many files are being read"),
        uploads.hold("e", 1),
    ):
        pass
    with uploads.hold("e", ACCOUNT_BYTES):
        pass
