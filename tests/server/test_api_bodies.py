"""Parsing of request bodies, the same in all operations."""

from collections.abc import AsyncIterator

import httpx
import pytest

pytestmark = pytest.mark.anyio

PATH = "/v1/demo/publish"


async def refusal(response: httpx.Response) -> tuple[int, str, str]:
    """Return an error's status, code and message; the envelope must have no other fields."""
    error = response.json()["error"]
    assert response.json() == {"error": {"code": error["code"], "message": error["message"], "status": error["status"]}}
    assert response.status_code == error["status"]
    assert response.headers["content-type"] == "application/json"
    return error["status"], error["code"], error["message"]


@pytest.mark.parametrize(
    ("body", "message"),
    [
        pytest.param(b"", "The body must be a JSON object (got an empty body)", id="empty"),
        pytest.param(b"# Title", "The body is not valid JSON", id="Markdown"),
        pytest.param(b'{"content": "x"', "The body is not valid JSON", id="cut off"),
        pytest.param(b'{"content": "x"} y', "The body is not valid JSON", id="trailing"),
        pytest.param(b'{"content": NaN}', "The body is not valid JSON", id="NaN"),
        pytest.param(b'{"content": 1e999}', "The body is not valid JSON", id="infinite number"),
        pytest.param(b'{"content": ' + b"9" * 5_000 + b"}", "The body is not valid JSON", id="5,000 digits"),
        pytest.param(b'{"content": "a\x00b"}', "The body is not valid JSON", id="raw NUL"),
        pytest.param(b'{"content": "a\nb"}', "The body is not valid JSON", id="raw line end"),
        pytest.param(b'\xef\xbb\xbf{"content": "x"}', "The body is not valid JSON", id="byte-order mark"),
        pytest.param('{"content": "x"}'.encode("utf-16"), "The body ", id="UTF-16"),
        pytest.param(b'{"content": "\xff"}', "The body must be UTF-8", id="invalid UTF-8"),
        pytest.param(b'{"\xff": "x"}', "The body must be UTF-8", id="invalid UTF-8 in a key"),
        pytest.param(b'{"content": "\xed\xa0\x80"}', "The body must be UTF-8", id="surrogate in UTF-8"),
        pytest.param(b'{"content": "\\ud800"}', "The body is not valid JSON", id="lone high surrogate"),
        pytest.param(b'{"content": "\\udc00 x"}', "The body is not valid JSON", id="lone low surrogate"),
        pytest.param(b'{"content": "\\ud800\\ud800"}', "The body is not valid JSON", id="two high surrogates"),
        pytest.param(b"[" * 100_000, "The body's JSON is nested too deeply", id="100,000 arrays"),
        pytest.param(b'{"a":' * 100_000, "The body's JSON is nested too deeply", id="100,000 objects"),
        pytest.param(
            b'{"content": "x", "a": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
            "The body's JSON is nested too deeply",
            id="100,000 arrays in an unknown field",
        ),
        pytest.param(b"null", "The body must be a JSON object", id="null"),
        pytest.param(b'"text"', "The body must be a JSON object", id="string"),
        pytest.param(b"[]", "The body must be a JSON object", id="array"),
        pytest.param(b"1", "The body must be a JSON object", id="number"),
    ],
)
async def test_body_that_is_no_json_object_is_refused(client: httpx.AsyncClient, body: bytes, message: str) -> None:
    status, code, output = await refusal(await client.post(PATH, content=body))
    assert (status, code) == (400, "invalid_body")
    assert output.startswith(message)


@pytest.mark.parametrize("content_type", ["text/plain", "application/x-www-form-urlencoded", "", "json", "x" * 9_000])
async def test_other_content_type_is_refused(client: httpx.AsyncClient, content_type: str) -> None:
    response = await client.post(PATH, content=b'{"content": "x"}', headers={"Content-Type": content_type})
    status, code, output = await refusal(response)
    assert (status, code) == (400, "invalid_body")
    assert "application/json" in output
    assert len(output) < 200


async def test_larger_body_of_unknown_length_is_refused_while_it_arrives(client: httpx.AsyncClient) -> None:
    sent = 0

    async def endless() -> AsyncIterator[bytes]:
        nonlocal sent
        while True:
            sent += 1
            yield b" " * 10_000

    response = await client.post(PATH, content=endless())

    assert (await refusal(response))[:2] == (400, "validation_error")
    assert response.headers["connection"] == "close"
    assert sent == 101


@pytest.mark.parametrize("length", ["9" * 5_000, "²", "-1", "x"])
async def test_strange_declared_length_does_not_break_the_service(client: httpx.AsyncClient, length: str) -> None:
    headers = [(b"Content-Length", length.encode("latin-1"))]
    response = await client.post(PATH, content=b'{"content": "x"}', headers=headers)
    assert response.status_code in (201, 400)
