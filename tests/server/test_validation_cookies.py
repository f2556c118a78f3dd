"""Reading of the session cookie."""

import ast
import http.cookies
from pathlib import Path
from typing import Any

import httpx
import pytest
import starlette.requests
from starlette.requests import Request

import mdpublish_server
from mdpublish_server.middleware.protocol import HEAD_BYTES
from mdpublish_server.validation.cookies import read_cookie
from tests.server.members import PASSWORD, PERSON, join

ESCAPES = "\\" * (HEAD_BYTES - 500)


def read(*headers: str, name: str = "session") -> str | None:
    pairs = [(b"cookie", header.encode("latin-1")) for header in headers]
    return read_cookie(
        Request({"type": "http", "headers": [(b"host", b"x"), *pairs, (b"x-cookie", b"session=no")]}), name
    )


@pytest.mark.parametrize(
    ("header", "name", "value"),
    [
        # RFC 6265, section 3.1.
        ("SID=31d4d96e407aad42", "SID", "31d4d96e407aad42"),
        ("SID=31d4d96e407aad42; lang=en-US", "SID", "31d4d96e407aad42"),
        ("SID=31d4d96e407aad42; lang=en-US", "lang", "en-US"),
        # Browsers send quotes as they were set.
        ('session="abc"', "session", "abc"),
        ('a="1"; session="abc" ; b="2"', "session", "abc"),
        ('session="a\\"b"', "session", 'a\\"b'),
        ('session="', "session", '"'),
        ('session=""', "session", ""),
        # Spaces around names and values are no part of them.
        ("a=b;session=abc", "session", "abc"),
        ("a=b;\t session \t=\t abc \t; c=d", "session", "abc"),
        # A value may contain equals signs and any other character.
        ("session=a=b==", "session", "a=b=="),
        ("session=a,b c/é", "session", "a,b c/é"),
        ("session=", "session", ""),
        ("__Host-session=abc; session=def", "__Host-session", "abc"),
        ("session=old; a=b; session=new", "session", "new"),
    ],
)
def test_value_is_what_browsers_send(header: str, name: str, value: str) -> None:
    assert read(header, name=name) == value


@pytest.mark.parametrize(
    "header", ["", ";", "; ;=;", "session", "session;", "=session", "Session=abc", "xsession=abc", "a=session", "a=b"]
)
def test_cookie_of_another_name_has_no_value(header: str) -> None:
    assert read(header) is None


def test_cookies_in_several_headers_are_read() -> None:
    assert read("a=b", "session=abc", "c=d") == "abc"
    assert read() is None


@pytest.mark.parametrize("header", ["session=abc", 'a=b; session="abc"; c=d', "session=; x", "a;session=abc;;"])
def test_value_is_the_one_of_starlettes_parser(header: str) -> None:
    assert read(header) == starlette.requests.cookie_parser(header)["session"]


@pytest.fixture
def no_cookie_parser(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fail where a request's cookies are parsed with `http.cookies`; setting cookies stays possible."""

    def parse(*_arguments: Any, **_options: Any) -> Any:
        pytest.fail("cookies were parsed with http.cookies")

    monkeypatch.setattr(http.cookies, "_unquote", parse)
    monkeypatch.setattr(starlette.requests, "cookie_parser", parse)


@pytest.mark.anyio
@pytest.mark.usefixtures("no_cookie_parser")
async def test_no_request_parses_cookies_with_the_standard_library(client: httpx.AsyncClient) -> None:
    for path in ("/", "/signin", "/account", "/documents", "/v1/usage", "/u/anna", "/healthz"):
        response = await client.get(path, headers={"Cookie": f'session="{ESCAPES}"; a="{ESCAPES}"'})
        assert response.status_code in (200, 303, 401, 404), path


@pytest.mark.anyio
async def test_session_is_found_among_other_cookies(client: httpx.AsyncClient) -> None:
    await join(client)
    await client.post("/signin", data={**PERSON, "password": PASSWORD})
    token = client.cookies["session"]
    client.cookies.clear()
    for cookies in (f"session={token}", f'a="{ESCAPES}"; session="{token}"; b=c'):
        assert (await client.get("/account", headers={"Cookie": cookies})).status_code == 200
    assert (await client.get("/account", headers={"Cookie": f"session={token}x"})).status_code == 303


def test_no_module_reads_all_cookies_of_a_request() -> None:
    for path in Path(mdpublish_server.__file__).parent.rglob("*.py"):
        attributes = {
            node.attr for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Attribute)
        }
        assert "cookies" not in attributes, path
