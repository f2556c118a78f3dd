"""Slips of a developer who is new: misspelt, mistyped, misplaced. Each response says what is wrong and what to do.

The rows were written before what the code says to them was read.
"""

import gzip
import json
import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from click.testing import CliRunner
from mcp.client.client import Client
from mcp_types import CallToolResult

import mdpublish_core as core
from mdpublish_core import errors
from mdpublish_core.cli import main
from mdpublish_core.cli.mcp.server import build_server
from mdpublish_server.state import AppState
from tests.server.api_requests import create
from tests.server.conftest import MakeOwner, Owner, Travel
from tests.server.test_mcp import connected, http_client

INNER = re.compile(r"Traceback|pydantic|msgspec|line \d+, in |\.py\b|<class")
"""What a message must not show."""

FORM = {"Content-Type": "multipart/form-data; boundary=b"}
PNG = {"Content-Type": "image/png"}
NEW, PUBLISH, CONVERT, IMPORT = "/v1/documents", "/v1/documents/publish", "/v1/convert", "/v1/import"


def part(name: str, content: str, file: str = "") -> str:
    named = f'; filename="{file}"' if file else ""
    return f'--b\r\nContent-Disposition: form-data; name="{name}"{named}\r\n\r\n{content}\r\n--b--\r\n'


# Method, path, body as JSON or as it is, status, the words that matter; headers.
REQUESTS: tuple[tuple[Any, ...], ...] = (
    # Bodies
    ("POST", NEW, "title=x", 400, "Content-Type must be application/json", {"Content-Type": "text/plain"}),
    ("POST", NEW, json.dumps('{"title": "x"}'), 400, "must be a JSON object (got a string)"),
    ("POST", NEW, '[{"title": "x"}]', 400, "must be a JSON object (got an array)"),
    ("POST", NEW, "null", 400, "must be a JSON object (got null)"),
    ("POST", CONVERT, "{'markdown': 'x'}", 400, "not valid JSON in UTF-8: object keys must be strings (byte 1)"),
    ("POST", CONVERT, '{"markdown": "x",}', 400, "not valid JSON in UTF-8: trailing comma in object"),
    ("POST", CONVERT, '{"markdown": "# a\n"}', 400, "not valid JSON in UTF-8: invalid character (byte 17)"),
    ("POST", CONVERT, "", 400, "must be a JSON object (got an empty body)"),
    ("POST", CONVERT, "# Hello", 400, "not valid JSON in UTF-8"),
    ("POST", NEW, '{"title": "x"}'.encode("utf-16"), 400, "not valid JSON in UTF-8"),
    ("POST", NEW, b'{"title": "caf\xe9"}', 400, "must be UTF-8"),
    ("POST", NEW, gzip.compress(b"{}"), 400, "Content-Encoding must be left out", {"Content-Encoding": "gzip"}),
    ("POST", CONVERT, part("markdown", "x"), 400, "Content-Type must be application/json (got 'multipart", FORM),
    # Names
    ("POST", CONVERT, {"content": "x"}, 400, "markdown is required (got name 'content')"),
    ("POST", CONVERT, {"text": "x", "to": "slack"}, 400, "markdown is required (got names 'text', 'to')"),
    ("POST", PUBLISH, {"markdown": "x"}, 400, "content is required (got name 'markdown')"),
    ("POST", IMPORT, {"htm": "<p>x"}, 400, "one of html, file is required (got name 'htm')"),
    (
        "POST",
        IMPORT,
        {"content": "<p>x", "name": "a"},
        400,
        "one of html, file is required (got names 'content', 'name')",
    ),
    ("POST", CONVERT, {"markdown": "x", "templateId": "ink"}, 400, "'templateId'; did you mean template_id?"),
    ("POST", PUBLISH, {"content": "x", "visibilty": "public"}, 400, "'visibilty'; did you mean visibility?"),
    ("GET", f"{NEW}?limits=5", None, 400, "'limits'; did you mean limit?"),
    ("GET", f"{NEW}?offset=5", None, 400, "unknown name 'offset'; leave out", {"Prefer": "handling=strict"}),
    ("GET", NEW, {"limit": 5}, 400, "unknown name 'body'; leave out", {"Prefer": "handling=strict"}),
    # Values
    ("POST", PUBLISH, {"content": "x", "show_source": 1}, 400, "show_source must be a boolean (got an integer)"),
    ("POST", PUBLISH, {"content": "x", "show_source": "true"}, 400, "show_source must be a boolean (got a string)"),
    ("POST", CONVERT, {"markdown": ["x"]}, 400, "markdown must be a string (got an array)"),
    ("POST", CONVERT, {"markdown": ""}, 400, "markdown must be 1 to 102,400 bytes of UTF-8 (got 0)"),
    ("POST", CONVERT, {"markdown": "x" * 102_401}, 400, "markdown must be at most 102,400 bytes of UTF-8"),
    ("POST", NEW, {"title": 5}, 400, "title must be a string (got an integer)"),
    ("POST", NEW, {"title": "x" * 300}, 400, "title must be at most 200 characters (got 300)"),
    ("POST", CONVERT, {"markdown": "x", "destination": "Slack"}, 400, "(got 'Slack'); did you mean 'slack'?"),
    ("POST", CONVERT, {"markdown": "x", "destination": "gdocs"}, 400, "(got 'gdocs'); did you mean 'google-docs'?"),
    ("POST", CONVERT, {"markdown": "x", "extensions": ["maths"]}, 400, "(got 'maths'); did you mean 'math'?"),
    ("POST", CONVERT, {"markdown": "x", "extensions": "math"}, 400, "extensions must be an array (got a string)"),
    ("POST", NEW, {"template_id": "swis"}, 400, "(got 'swis'); did you mean 'swiss'?"),
    ("GET", "/v1/templates?category=bussiness", None, 400, "(got 'bussiness'); did you mean 'business'?"),
    ("POST", PUBLISH, {"content": "x", "visibility": "private"}, 400, "must be one of link, public, specific"),
    ("POST", PUBLISH, {"content": "x", "expires_at": "31.12.2099"}, 400, "in ISO 8601, such as 2027-01-31T12:00:00Z"),
    ("POST", PUBLISH, {"content": "x", "expires_at": 4_102_444_800}, 400, "expires_at must be a string"),
    ("POST", PUBLISH, {"content": "x", "readers": "a@example.org"}, 400, "readers must be an array (got a string)"),
    ("POST", CONVERT, {"markdown": "x", "format": "pdf", "margin": "9mm"}, 400, "margin must be an integer"),
    ("POST", CONVERT, {"markdown": "x", "margin": 9}, 400, "margin must be left out, unless format is pdf"),
    ("GET", f"{NEW}?limit=all", None, 400, "limit must be an integer (got 'all')"),
    ("GET", f"{NEW}?cursor=2", None, 400, "cursor must be the next_cursor of an earlier response"),
    ("PATCH", f"{NEW}/ID", {"title": None}, 400, "title must be a string (got null)"),
    ("PATCH", f"{NEW}/ID", {"title": "x"}, 412, 'its ETag "', {"If-Match": "x"}),
    ("POST", NEW, {"title": "x"}, 400, "Idempotency-Key must be 1 to 255 printable ASCII", {"Idempotency-Key": ""}),
    ("POST", "/v1/demo/claim", {"claimToken": "x"}, 400, "'claimToken'; did you mean claim_token?"),
    # Files
    ("POST", "/v1/images", {"file": "eA=="}, 400, "Content-Type must be that of an image, or multipart/form-data"),
    ("POST", "/v1/images", b"PK\3\4zip", 400, "no image: it must be PNG, JPEG", PNG),
    ("POST", "/v1/images", "<!DOCTYPE html><p>Not found", 400, "no image: it must be PNG, JPEG", PNG),
    ("POST", "/v1/images", "\ufeff <html><p>Not found", 400, "no image: it must be PNG, JPEG", PNG),
    ("POST", "/v1/images", "", 400, "must be an image file (got an empty body)", PNG),
    ("POST", "/v1/images", part("note", "x"), 400, "must have a field with a file (got none)", FORM),
    (
        "POST",
        "/v1/images",
        part("file", "x", "a.png"),
        400,
        "Leave Content-Type to your HTTP client",
        {"Content-Type": "multipart/form-data"},
    ),
    ("POST", IMPORT, {"file": "data:text/html;base64,eA=="}, 400, "file must be base64, without a data: prefix"),
    ("POST", IMPORT, {"file": "JVBERi0xLjQK"}, 400, "must not be .pdf; save it as .docx"),
    ("POST", IMPORT, {"file": "eA==", "format": ".docx"}, 400, "(got '.docx'); did you mean 'docx'?"),
    ("POST", IMPORT, {"html": "x", "file": "eA=="}, 400, "one of html, file is required (got 2)"),
    # Paths and methods
    ("GET", CONVERT, None, 405, "GET is not allowed; allowed methods: POST"),
    ("PUT", f"{NEW}/ID", {"title": "x"}, 405, "PUT is not allowed; allowed methods: DELETE, GET, HEAD, PATCH"),
    ("GET", "/documents", None, 404, "did you mean /v1/documents?"),
    ("POST", "/convert", {"markdown": "x"}, 404, "did you mean /v1/convert?"),
    ("GET", "/v2/documents", None, 404, "did you mean /v1/documents?"),
    ("GET", "/api/v1/documents", None, 404, "did you mean /v1/documents?"),
    ("GET", "/V1/Documents", None, 404, "did you mean /v1/documents?"),
    ("POST", "/v1/document", {"title": "x"}, 404, "did you mean /v1/documents?"),
    ("POST", "/v1/convert/", {"markdown": "x"}, 404, "did you mean /v1/convert?"),
    ("POST", f"{NEW}/ID/unpublish", None, 404, "did you mean /v1/documents/{id}/publish?"),
    ("GET", f"{NEW}/undefined", None, 404, "No document has this id"),
    ("GET", "/v1/accounts/me", None, 404, "/openapi.json lists them all"),
    # Keys
    ("GET", NEW, None, 401, "API key required; send the header Authorization: Bearer", {"Authorization": None}),
    ("GET", NEW, None, 401, "send the header Authorization: Bearer <API_KEY>", {"Authorization": "KEY"}),
    ("GET", NEW, None, 401, "send the header Authorization: Bearer <API_KEY>", {"Authorization": "Token KEY"}),
    ("GET", NEW, None, 401, "svc_ and 64 hexadecimal digits (got 65 characters)", {"Authorization": "Bearer CUT"}),
    ("GET", NEW, None, 401, "svc_ and 64 hexadecimal digits (got 70 characters)", {"Authorization": 'Bearer "KEY"'}),
    ("GET", NEW, None, 401, "mistyped, expired or revoked", {"Authorization": f"Bearer svc_{'0' * 64}"}),
)


@pytest.fixture
def owner(make_owner: MakeOwner) -> Owner:
    return make_owner("anna", plan="pro", username="anna")


@pytest.mark.anyio
async def test_each_wrong_request_is_refused_in_one_line(
    client: httpx.AsyncClient, owner: Owner, travel: Travel
) -> None:
    client.headers["Authorization"] = f"Bearer {owner.key}"
    document_id = await create(client, content="# A")
    faults = []
    for method, path, body, status, words, *more in REQUESTS:
        travel(timedelta(seconds=1))
        headers = {
            "Content-Type": "application/json",
            "Authorization": f"Bearer {owner.key}",
            **(more[0] if more else {}),
        }
        sent = {
            name: value.replace("KEY", owner.key).replace("CUT", owner.key[:65])
            for name, value in headers.items()
            if value is not None
        }
        if "Authorization" not in sent:
            del client.headers["Authorization"]
        content = json.dumps(body) if isinstance(body, dict) else body
        response = await client.request(method, path.replace("ID", document_id), content=content, headers=sent)
        client.headers["Authorization"] = f"Bearer {owner.key}"
        message = response.json()["error"]["message"] if "json" in response.headers.get("content-type", "") else ""
        if response.status_code != status or words not in message or "\n" in message or INNER.search(message):
            faults.append((method, path, words, response.status_code, message))
    assert faults == []
    listed = (await client.get(NEW)).json()["data"]
    assert [each["id"] for each in listed] == [document_id], "a refused request wrote"


@pytest.mark.anyio
async def test_key_with_another_body_is_named(client: httpx.AsyncClient, owner: Owner) -> None:
    headers = {"Authorization": f"Bearer {owner.key}", "Idempotency-Key": "a"}
    for title, status in (("one", 201), ("two", 422)):
        response = await client.post(NEW, json={"title": title}, headers=headers)
        assert response.status_code == status
    assert "use another key for another request" in response.json()["error"]["message"]


FILES: dict[str, str | bytes] = {
    "a.md": "# Hello\n",
    "b.md": "# B\n",
    "folder/x.md": "# X\n",
    "latin.md": b"caf\xe9",
    "a.png": b"\x89PNG\r\n\x1a\n\0",
    "a.pdf": b"%PDF-1.7\n\xe2\0",
    "real.docx": b"PK\3\4\0\xff",
    "bad/mdpublish.toml": "to = docx\n",
    "bad/a.md": "# A\n",
    "misspelt/mdpublish.toml": "tempalte = 'ink'\n",
    "misspelt/a.md": "# A\n",
    "yaml.yml": "site_name: x\n",
    "site/mdpublish.toml": "[site]\ntitel = 'x'\n",
    "site/index.md": "# A\n",
    "theme.toml": "name = 3\n",
}

# Command line, exit status, the words that matter.
COMMANDS = (
    # Files
    ("convert", 2, "Missing argument 'FILE|-'"),
    ("convert none.md", 1, "cannot read none.md: No such file"),
    ("convert folder", 1, "folder is a directory; use: mdpublish batch folder DST"),
    ("convert latin.md", 1, "latin.md is not valid UTF-8 (byte 4); save it as UTF-8"),
    ("convert a.png", 1, "a.png is not text; for a Word file, use: mdpublish import"),
    ("convert a.pdf", 1, "a.pdf is not text"),
    ("convert real.docx", 1, "real.docx must be a Word document"),
    ("check real.docx", 1, "use: mdpublish import real.docx"),
    ("format real.docx", 2, "use: mdpublish import real.docx"),
    ("import a.pdf", 1, "a.pdf must not be .pdf; save it as .docx"),
    ("import a.md", 2, "unknown input format '.md'; choose from: .docx"),
    ("import real.docx", 1, "real.docx must be a Word document"),
    ("convert https://example.org/a.md", 1, "URLs are not supported; use: curl"),
    ("batch a.md out", 2, "a.md is a file; use: mdpublish convert a.md"),
    ("site a.md out", 2, "a.md is a file; use: mdpublish convert a.md --to page"),
    ("site none out", 1, "none is not a folder"),
    # Outputs
    ("convert a.md --to htlm", 2, "did you mean 'html'?"),
    ("convert a.md --to gdocs", 2, "did you mean 'google-docs'?"),
    ("convert a.md -o a.odt", 2, "cannot write .odt files; LibreOffice can open .docx"),
    ("convert a.md -o none/a.html", 1, "cannot write none/a.html: make its folder first"),
    ("convert a.md -o folder", 1, "cannot write folder: Is a directory"),
    ("convert a.md -o a.docx --to slack", 2, "a.docx requires --to docx (got --to slack)"),
    ("convert a.md -o a.html -o b.html", 2, "--output is there 2 times; it takes one value"),
    ("convert a.md -o a.html --output b.html", 2, "--output is there 2 times"),
    ("convert a.md --to html --to slack", 2, "--to is there 2 times"),
    ("batch folder out --to html --to slack", 2, "--to is there 2 times"),
    ("site folder out --lang de --lang en", 2, "--lang is there 2 times"),
    ("convert a.md b.md -o a.html", 2, "unexpected extra argument (b.md)"),
    # Options
    ("convert a.md --templat ink", 2, "--template"),
    ("convert a.md --template swis", 2, "did you mean 'swiss'?"),
    ("convert a.md --template theme.toml", 1, "theme.toml: name: must be one line"),
    ("convert a.md --extension maths", 2, "did you mean 'math'?"),
    ("convert a.md --theme-mode drak", 2, "is not one of 'light', 'dark', 'auto'"),
    ("convert a.md -o a.pdf --margin 20mm", 2, "'--margin': must be an integer from 5 to 60 (got '20mm')"),
    ("convert a.md -o a.pdf --margin 200", 2, "'--margin': must be an integer from 5 to 60 (got 200)"),
    ("format a.md --wrap wide", 2, "'--wrap': must be an integer from 20 to 10,000 (got 'wide')"),
    ("batch folder out --workers 0", 2, "'--workers': must be an integer from 1 to 256 (got 0)"),
    ("site folder out --port 99999", 2, "'--port': must be an integer from 0 to 65,535 (got 99999)"),
    ("preview a.md --port abc", 2, "'--port': must be an integer from 0 to 65,535 (got 'abc')"),
    ("convert a.md --lang english", 2, "--lang requires --to page"),
    ("convert a.md --mail-to nobody -o a.eml", 2, "invalid email address 'nobody'; use name@example.org"),
    # Options of other programs
    ("convert a.md -t docx", 2, "No such option '-t'; use --to."),
    ("convert a.md --write docx", 2, "No such option '--write'; use --to."),
    ("convert a.md --standalone", 2, "No such option '--standalone'; use --output FILE.html."),
    ("import real.docx --extract-media=x", 2, "No such option '--extract-media'; use --media-folder."),
    ("import real.docx -f docx", 2, "No such option '-f'; use --from."),
    ("doctor --json", 2, "No such option '--json'; use --output-format json."),
    ("convert a.md --pdf-engine=x", 2, "No such option '--pdf-engine'"),
    # Commands
    ("cnvert a.md", 2, "no such command 'cnvert'; did you mean 'convert'?"),
    ("a.md", 2, "to convert a file: mdpublish convert a.md"),
    ("serve", 2, "no such command 'serve'; choose from: convert, "),
    ("templates --category bussiness", 2, "did you mean 'business'?"),
    ("check a.md --ignore brokenlink", 2, "did you mean 'broken-link'?"),
    # Configuration
    ("convert bad/a.md", 2, "bad/mdpublish.toml is not valid TOML: Invalid value (at line 1"),
    ("convert misspelt/a.md", 2, "tempalte: unknown key; did you mean 'template'?"),
    ("convert a.md --config yaml.yml", 2, "yaml.yml is not valid TOML"),
    ("site site out", 1, "unknown setting 'titel'; did you mean 'title'?"),
    # The network
    ("publish a.md", 2, "name a service: --service URL, the variable MDPUBLISH_URL, or mdpublish login"),
    ("publish a.md --service 127.0.0.1:1", 2, "begins with https:// (got '127.0.0.1:1')"),
    ("send a.md", 2, "name the recipients: --to ADDRESS"),
    ("send a.md --to a@example.org", 2, "name the sender: --from"),
    ("send a.md --slack", 2, "set MDPUBLISH_SLACK_WEBHOOK"),
    ("mcp --folder none", 2, "'none' does not exist"),
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, content in FILES.items():
        path = tmp_path / "work" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    monkeypatch.chdir(tmp_path / "work")
    monkeypatch.setattr("click.get_app_dir", lambda name: str(tmp_path / "settings" / name))
    return tmp_path / "work"


def test_each_wrong_command_is_refused_in_one_line(folder: Path) -> None:
    faults = []
    for line, status, words in COMMANDS:
        result = CliRunner().invoke(main, line.split(), env=dict.fromkeys(("MDPUBLISH_URL", "MDPUBLISH_API_KEY"), ""))
        message = result.stderr.partition("Error: ")[2]
        shown = [each for each in message.splitlines() if words in each and not INNER.search(each)]
        if (result.exit_code, len(shown)) != (status, 1):
            faults.append((line, words, result.exit_code, result.stderr))
    assert faults == []
    assert {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()} == set(FILES)


@pytest.mark.usefixtures("folder")
def test_value_given_twice_of_a_list_is_two_values() -> None:
    arguments = ["convert", "a.md", "--to", "html", "--extension", "breaks", "--extension", "emoji"]
    assert CliRunner().invoke(main, arguments).exit_code == 0


# Code, the error, the words that matter. `PATH` is a path, `TREE` a document.
LIBRARY_MISTAKES: tuple[tuple[str, type[Exception], str], ...] = (
    ("convert('x', to='htlm')", errors.UnknownOutput, "did you mean 'html'?"),
    ("convert('x', to=3)", errors.InvalidArgument, "to must be a name or an Output (got int)"),
    ("convert('x', output='html')", TypeError, "unexpected keyword argument 'output'"),
    ("convert('x', template='swis')", errors.UnknownTemplate, "did you mean 'swiss'?"),
    ("convert('x', template='theme.toml')", errors.UnknownTemplate, "unknown template 'theme.toml'; choose from"),
    ("convert('x', theme_mode='drak')", errors.UnknownThemeMode, "did you mean 'dark'?"),
    ("convert('x', extensions='math')", errors.InvalidArgument, "extensions must be a list of str (got str)"),
    ("convert('x', extensions=['maths'])", errors.UnknownExtension, "did you mean 'math'?"),
    ("convert(PATH)", errors.InvalidArgument, "(got PosixPath); read it: markdown.read_text()"),
    ("read_html(PATH)", errors.InvalidArgument, "(got PosixPath); read it: html.read_text()"),
    ("convert('x', css=PATH)", errors.InvalidArgument, "(got PosixPath); read it: css.read_text()"),
    ("convert(b'x')", errors.InvalidArgument, "(got bytes); decode it: markdown.decode()"),
    ("convert(None)", errors.InvalidArgument, "markdown must be a str (got None)"),
    ("convert('x', options={'toc': True})", errors.InvalidArgument, "options must be None for generic (got dict)"),
    ("convert('x', to='docx', options=PdfOptions())", errors.InvalidArgument, "options must be DocxOptions or None"),
    ("PageOptions(titel='x')", TypeError, "unexpected keyword argument 'titel'"),
    ("PdfOptions(margin='20mm')", errors.InvalidArgument, "margin of PdfOptions must be an int or None (got str)"),
    ("PdfOptions(margin=500)", errors.InvalidArgument, "must be 5 to 60 millimeters (got 500)"),
    ("get_template('swis')", errors.UnknownTemplate, "did you mean 'swiss'?"),
    ("read_file(b'x', 'docx')", errors.UnknownInputFormat, "did you mean '.docx'?"),
    ("read_file(b'x', '.pdf')", errors.InvalidFile, "must not be .pdf; save it as .docx"),
    ("render('x', to='html')", errors.InvalidArgument, "document must be a Document, as parse returns it (got str)"),
    ("convert('x', limits={'max_depth': 5})", errors.InvalidArgument, "limits must be a Limits (got dict)"),
)


@pytest.mark.parametrize(("code", "error", "words"), LIBRARY_MISTAKES)
def test_each_wrong_call_says_what_is_wrong(code: str, error: type[Exception], words: str) -> None:
    with pytest.raises(error) as raised:
        eval(code, {**vars(core), "PATH": Path("a.md"), **{n: getattr(core, n) for n in core.__all__}})
    assert words in str(raised.value)
    assert "\n" not in str(raised.value)


# Tool, arguments, the words that matter.
TOOL_MISTAKES: tuple[tuple[str, dict[str, Any], str], ...] = (
    ("convrt", {"markdown": "x"}, "unknown tool 'convrt'; did you mean 'convert'? Choose from: "),
    ("create_page", {"content": "x"}, "unknown tool 'create_page'"),
    ("convert", {"destination": "slack"}, "markdown"),
    ("convert", {"markdown": 5, "destination": "slack"}, "markdown must be a valid string"),
    ("convert", {"markdown": "x", "destination": "gmail"}, "(got 'gmail')|unknown output 'gmail'"),
    ("convert", {"markdown": "x", "destination": "slack", "templte": "ink"}, "did you mean 'template'? Choose from"),
    ("import", {}, "html"),
)


def message_of(result: object) -> str:
    assert isinstance(result, CallToolResult)
    assert result.is_error
    return str(result.content[0].text)  # type: ignore[union-attr]


@pytest.mark.anyio
async def test_each_wrong_tool_call_says_what_is_wrong(state: AppState, owner: Owner, travel: Travel) -> None:
    async with connected(state, owner.headers) as remote, Client(build_server(None)) as local:
        for name, arguments, words in TOOL_MISTAKES:
            travel(timedelta(seconds=1))
            for client in (remote.client, local):
                message = message_of(await client.call_tool(name, arguments))
                assert any(each in message for each in words.split("|")), message
                assert "\n" not in message
                assert not INNER.search(message)


@pytest.mark.anyio
async def test_what_is_no_json_rpc_is_refused_in_our_words(state: AppState, owner: Owner) -> None:
    async with http_client(state, owner.headers) as client:
        bodies: tuple[Any, ...] = (
            {"id": 1, "method": "ping"},
            {"jsonrpc": "1.0", "id": 1, "method": "ping"},
            [],
            "x",
            5,
        )
        for body in bodies:
            response = await client.post("/mcp", json=body)
            error = response.json()["error"]
            assert (response.status_code, error["code"]) == (400, -32600), body
            assert error["message"] == 'the body must be one JSON object with "jsonrpc": "2.0"', body
