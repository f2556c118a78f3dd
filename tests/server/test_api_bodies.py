"""Bodies whose length is unknown or wrong."""

from collections.abc import AsyncIterator

import httpx
import pytest

from tests.server.api_requests import refusal

pytestmark = pytest.mark.anyio

PATH = "/v1/demo/publish"


async def test_larger_body_of_unknown_length_is_refused_while_it_arrives(client: httpx.AsyncClient) -> None:
    sent = 0

    async def endless() -> AsyncIterator[bytes]:
        nonlocal sent
        while True:
            sent += 1
            yield b" " * 10_000

    response = await client.post(PATH, content=endless())

    assert refusal(response) == (400, "validation_error")
    assert response.headers["connection"] == "close"
    assert sent == 101


async def test_strange_declared_length_does_not_break_the_service(client: httpx.AsyncClient) -> None:
    for length in ("9" * 5_000, "²", "-1", "x"):
        headers = [(b"Content-Length", length.encode("latin-1"))]
        response = await client.post(PATH, content=b'{"content": "x"}', headers=headers)
        assert response.status_code in (201, 400), length
