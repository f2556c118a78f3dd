import gzip
from collections.abc import AsyncIterator
from threading import current_thread
from typing import Any

import httpx
import pytest
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route, Router

from mdpublish_server.middleware import compression
from mdpublish_server.middleware.compression import INLINE_BYTES, MIN_BYTES, Compression

pytestmark = pytest.mark.anyio

GZIP = {"Accept-Encoding": "gzip"}


async def _repeat(request: Request) -> Response:
    """Respond with the size, type, status and headers of the query."""
    expected = dict(request.query_params)
    size = int(expected.pop("size", 2_000))
    media_type = expected.pop("type", "application/json")
    status = int(expected.pop("status", 200))
    return Response(b"0123456789"[: size % 10] + b"0123456789" * (size // 10), status, expected, media_type)


async def _stream(_request: Request) -> Response:
    async def parts() -> AsyncIterator[bytes]:
        for _ in range(3):
            yield b" " * 2_000

    return StreamingResponse(parts(), media_type="application/json")


async def _empty(_request: Request) -> Response:
    return Response(status_code=304, headers={"ETag": '"x"'})


@pytest.fixture
def client() -> httpx.AsyncClient:
    routes = [
        Route("/", _repeat, methods=["GET", "POST"]),
        Route("/stream", _stream),
        Route("/empty", _empty),
    ]
    transport = httpx.ASGITransport(Compression(Router(routes)))
    return httpx.AsyncClient(transport=transport, base_url="http://service.test")


async def fetch(client: httpx.AsyncClient, *, path: str = "/", headers: dict[str, str], **query: Any) -> httpx.Response:
    """Return the response, with its undecoded body as `extensions["raw"]`."""
    async with client.stream("GET", path, params=query, headers=headers) as response:
        response.extensions["raw"] = b"".join([chunk async for chunk in response.aiter_raw()])
    return response


@pytest.mark.parametrize("size", [MIN_BYTES, 5_000, INLINE_BYTES, INLINE_BYTES + 1, 1_000_000])
@pytest.mark.parametrize(
    "media_type", ["application/json", "text/html; charset=utf-8", "text/css", "text/markdown", "application/xml"]
)
async def test_content_is_gzipped(client: httpx.AsyncClient, size: int, media_type: str) -> None:
    zipped = await fetch(client, headers=GZIP, size=size, type=media_type)
    plain = await fetch(client, headers={"Accept-Encoding": "identity"}, size=size, type=media_type)

    assert zipped.headers["content-encoding"] == "gzip"
    assert gzip.decompress(zipped.extensions["raw"]) == plain.extensions["raw"]
    assert len(zipped.extensions["raw"]) < size / 5
    assert zipped.headers["content-length"] == str(len(zipped.extensions["raw"]))
    assert "content-encoding" not in plain.headers
    assert plain.headers["content-length"] == str(size)
    assert zipped.headers["vary"] == plain.headers["vary"] == "Accept-Encoding"


async def test_large_body_is_compressed_outside_the_event_loop(
    client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads = []
    compress = compression._gzip

    def watched(body: bytes) -> bytes:
        threads.append(current_thread())
        return compress(body)

    monkeypatch.setattr(compression, "_gzip", watched)
    for size in (INLINE_BYTES, INLINE_BYTES + 1):
        await fetch(client, headers=GZIP, size=size)

    assert [thread is current_thread() for thread in threads] == [True, False]


@pytest.mark.parametrize("accept_encoding", ["", "br", "identity", "gzip;q=0", "x" * 10_000])
async def test_client_that_takes_no_gzip_gets_none(client: httpx.AsyncClient, accept_encoding: str) -> None:
    response = await fetch(client, headers={"Accept-Encoding": accept_encoding})
    assert "content-encoding" not in response.headers
    assert response.headers["vary"] == "Accept-Encoding"


@pytest.mark.parametrize("accept_encoding", ["gzip, deflate, br, zstd", "*", "x," * 1_000 + "gzip"])
async def test_client_that_takes_gzip_among_others_gets_it(client: httpx.AsyncClient, accept_encoding: str) -> None:
    response = await fetch(client, headers={"Accept-Encoding": accept_encoding})
    assert response.headers["content-encoding"] == "gzip"


async def test_short_body_is_sent_as_it_is(client: httpx.AsyncClient) -> None:
    response = await fetch(client, headers=GZIP, size=MIN_BYTES - 1)
    assert "content-encoding" not in response.headers
    assert len(response.extensions["raw"]) == MIN_BYTES - 1


@pytest.mark.parametrize("media_type", ["image/png", "application/zip", "font/woff2", "application/octet-stream"])
async def test_what_does_not_shrink_is_sent_as_it_is(client: httpx.AsyncClient, media_type: str) -> None:
    response = await fetch(client, headers=GZIP, type=media_type)
    assert "content-encoding" not in response.headers
    assert "vary" not in response.headers


async def test_ready_bytes_pass_untouched(client: httpx.AsyncClient) -> None:
    query = {"content-encoding": "gzip", "etag": '"x-gzip"', "vary": "Accept-Encoding", "type": "text/html"}
    response = await client.send(client.build_request("GET", "/", params=query, headers=GZIP), stream=True)
    raw = b"".join([chunk async for chunk in response.aiter_raw()])
    assert raw == b"0123456789" * 200
    assert response.headers.get_list("content-encoding") == ["gzip"]
    assert response.headers["etag"] == '"x-gzip"'


async def test_stream_passes_as_it_is(client: httpx.AsyncClient) -> None:
    response = await fetch(client, path="/stream", headers=GZIP)
    assert response.extensions["raw"] == b" " * 6_000
    assert "content-encoding" not in response.headers


async def test_response_without_a_body_passes(client: httpx.AsyncClient) -> None:
    response = await fetch(client, path="/empty", headers=GZIP)
    assert (response.status_code, response.headers["etag"]) == (304, '"x"')


async def test_errors_are_gzipped_too(client: httpx.AsyncClient) -> None:
    response = await fetch(client, headers=GZIP, status=500)
    assert (response.status_code, response.headers["content-encoding"]) == (500, "gzip")


@pytest.mark.parametrize(("etag", "sent"), [('"x"', 'W/"x"'), ('W/"x"', 'W/"x"')])
async def test_etag_of_other_bytes_is_weak(client: httpx.AsyncClient, etag: str, sent: str) -> None:
    assert (await fetch(client, headers=GZIP, etag=etag)).headers["etag"] == sent
    assert (await fetch(client, headers={"Accept-Encoding": "br"}, etag=etag)).headers["etag"] == etag


@pytest.mark.parametrize("vary", ["Cookie", "accept-encoding", "Cookie, Accept-Encoding"])
async def test_what_an_response_varies_by_is_stored(client: httpx.AsyncClient, vary: str) -> None:
    names = (await fetch(client, headers=GZIP, vary=vary)).headers["vary"].lower().split(", ")
    assert names.count("accept-encoding") == 1
    assert ("cookie" in names) is vary.startswith("Cookie")


async def test_head_gives_the_headers_of_get(client: httpx.AsyncClient) -> None:
    get = await client.get("/", headers=GZIP)
    head = await client.head("/", headers=GZIP)
    assert head.headers == get.headers
