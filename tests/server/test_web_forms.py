"""Reading of forms."""

import asyncio
from urllib.parse import parse_qs, urlencode

import pytest
from starlette.requests import Request
from starlette.types import Message

from mdpublish_server.errors import ValidationError
from mdpublish_server.web.forms import read_form, read_form_lists, read_text_form
from mdpublish_server.web.public.draft_form import DraftForm

pytestmark = pytest.mark.anyio


def request_with(body: bytes, content_type: bytes = b"application/x-www-form-urlencoded; charset=utf-8") -> Request:
    async def receive() -> Message:
        return {"type": "http.request", "body": body}

    return Request({"type": "http", "method": "POST", "headers": [(b"content-type", content_type)]}, receive)


async def read(body: bytes, *names: str) -> dict[str, str]:
    return await read_form(request_with(body), names)


@pytest.mark.parametrize("repetitions", [1, 5_000])
@pytest.mark.parametrize("content", ["", "a b+c", "漢字 é\r\n", "100 % of %41 & more = 1", "\x00%", "😀"])
async def test_text_is_what_a_browser_sent(content: str, repetitions: int) -> None:
    content *= repetitions
    body = urlencode({"title": "x", "content": content, "other": "y"}).encode()
    assert await read(body, "content", "title", "missing") == {"content": content, "title": "x"}


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"&",
        b"a",
        b"a=",
        b"=b",
        b"a=1&a=2",
        b"a=%",
        b"a=%4",
        b"a=%zz%41",
        b"a=%ff",
        b"a=%c3",
        b"a=b=c",
        b"a%3D=b",
        b"+a=+",
    ],
)
async def test_malformed_form_is_read_as_by_the_standard_library(body: bytes) -> None:
    fields = {name: values[-1] for name, values in parse_qs(body.decode(), keep_blank_values=True).items()}
    assert await read(body, *fields) == fields


async def test_repeated_fields_are_read_in_their_order_and_bounded() -> None:
    request = request_with(b"a=1&b=x&a=2&a=%33")
    assert await read_form_lists(request, max_fields=4) == {"a": ["1", "2", "3"], "b": ["x"]}
    with pytest.raises(ValidationError, match="at most 3 fields"):
        await read_form_lists(request_with(b"a=1&b=x&a=2&a=%33"), max_fields=3)


@pytest.mark.parametrize("offset", range(4))
@pytest.mark.parametrize("unit", ["%41", "%C3%A9", "%%41", "%4"])
async def test_escapes_are_whole_wherever_a_slice_ends(unit: str, offset: int) -> None:
    body = "a=" + "x" * offset + unit * 10_000
    assert await read(body.encode(), "a") == {"a": parse_qs(body)["a"][0]}


async def test_others_go_on_while_a_large_form_is_decoded() -> None:
    reading = asyncio.create_task(read(b"a=" + b"%41a" * 200_000, "a"))
    iterations = 0
    while not reading.done():
        await asyncio.sleep(0)
        iterations += 1
    assert iterations >= 800_000 // 16_384
    assert await reading == {"a": "Aa" * 200_000}


async def test_form_of_too_many_fields_is_refused() -> None:
    assert await read(b"&".join([b"a=1"] * 10), "a") == {"a": "1"}
    with pytest.raises(ValidationError, match="at most 10 fields"):
        await read(b"&".join([b"a=1"] * 11), "a")


async def test_scripts_send_a_text_as_json() -> None:
    async def sent(body: bytes) -> DraftForm:
        return await read_text_form(request_with(body, b"application/json"), DraftForm)

    assert await sent(b'{"content": "a+b%20\\u00e9", "other": "x"}') == DraftForm(content="a+b%20é")
    for body in (
        b"",
        b"content=a",
        b"[]",
        b'{"content": 1}',
        b'{"content": null}',
        b'{"content": "\\ud800"}',
        b'"\xff"',
    ):
        with pytest.raises(ValidationError, match="not an object of strings"):
            await sent(body)
