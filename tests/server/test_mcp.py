"""`/mcp`, as the SDK's client uses it."""

import json
import re
from base64 import b64encode
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from typing import Any

import httpx
import httpx2
import pytest
from mcp import MCPError
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CallToolResult
from sqlalchemy import select
from starlette.applications import Starlette

from mdpublish_core import convert, read_html
from mdpublish_core.cli.mcp.server import build_server as local_server
from mdpublish_core.mcp.schemas import MAX_OUTPUT_CHARACTERS
from mdpublish_server.app import make_app
from mdpublish_server.mcp import mcp_endpoint
from mdpublish_server.mcp.internal_api import InternalApi
from mdpublish_server.mcp.server import build_server
from mdpublish_server.mcp.tools import Tools
from mdpublish_server.services import copy_pages
from mdpublish_server.services.cleanup import clean_up_batch
from mdpublish_server.services.copy_pages import LIFETIME, MAX_PAGES
from mdpublish_server.state import AppState
from mdpublish_server.storage.tables import COPY_PAGES
from mdpublish_server.storage.transactions import Statement
from tests.server.conftest import MakeOwner, Travel
from tests.server.test_web_landing import Elements

pytestmark = pytest.mark.anyio

MARKDOWN = "# Garden day\n\nThe roses are *out*.\n"
SLACK = {"destination": "slack"}
INITIALIZE = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}


class Assistant:
    """A client with a key."""

    def __init__(self, client: Client) -> None:
        self.client = client

    async def use(self, name: str, **arguments: object) -> dict[str, Any]:
        result = await self.client.call_tool(name, arguments)
        assert isinstance(result, CallToolResult)
        assert not result.is_error, result
        return dict(result.structured_content or {})

    async def error(self, name: str, **arguments: object) -> str:
        result = await self.client.call_tool(name, arguments)
        assert isinstance(result, CallToolResult)
        assert result.is_error
        return str(result.content[0].text)  # type: ignore[union-attr]


@asynccontextmanager
async def connected(state: AppState, headers: dict[str, str]) -> AsyncIterator[Assistant]:
    async with (
        http_client(state, headers) as http,
        Client(streamable_http_client("http://127.0.0.1:8000/mcp", http_client=http)) as client,
    ):
        yield Assistant(client)


@asynccontextmanager
async def http_client(state: AppState, headers: dict[str, str]) -> AsyncIterator[httpx2.AsyncClient]:
    endpoint = mcp_endpoint(state, make_app(state))
    assert endpoint
    app = Starlette(routes=endpoint.routes)
    async with (
        endpoint.running(),
        httpx2.AsyncClient(
            transport=httpx2.ASGITransport(app), headers=headers, base_url="http://127.0.0.1:8000"
        ) as client,
    ):
        yield client


async def test_document_is_written_published_and_taken_down(
    state: AppState, make_owner: MakeOwner, client: httpx.AsyncClient
) -> None:
    async with connected(state, make_owner(username="anna").headers) as assistant:
        created = await assistant.use("create_document", markdown=MARKDOWN, title="Garden", template="paper")
        assert created["title"] == "Garden"

        published = await assistant.use("publish_document", document_id=created["document_id"])
        page = await client.get(published["published_url"])
        assert "The roses are" in page.text

        await assistant.use(
            "update_document", document_id=created["document_id"], markdown="# Garden day\n\nThey are gone.\n"
        )
        page = await client.get(published["published_url"])
        assert "They are gone" in page.text

        await assistant.use("unpublish_document", document_id=created["document_id"])
        assert (await client.get(published["published_url"])).status_code in (404, 410)

        [listed] = (await assistant.use("list_documents"))["documents"]
        assert (listed["document_id"], listed["is_published"]) == (created["document_id"], False)


async def test_documents_are_in_folders(state: AppState, make_owner: MakeOwner) -> None:
    async with connected(state, make_owner().headers) as assistant:
        ids = [
            (await assistant.use("create_document", content="# A", folder=folder))["document_id"]
            for folder in ("Work", "", None)
        ]
        listed = [(await assistant.use("list_documents", folder=folder))["documents"] for folder in ("WORK", "", None)]
        unknown = await assistant.error("list_documents", folder="Wrok")
        await assistant.use("update_document", document_id=ids[1], folder="work")
        moved = await assistant.use("update_document", document_id=ids[0], folder="")
        await assistant.use("update_document", document_id=ids[1], title="B")
        folders = [(await assistant.use("get_document", document_id=each))["folder"] for each in ids]

    every = [None, None, "Work"]
    assert [[each["folder"] for each in documents] for documents in listed] == [["Work"], every, every]
    assert unknown.endswith(
        "folder must be one that a document is in (got 'Wrok'); choose from: Work (validation_error)"
    )
    assert (moved["document_id"], folders) == (ids[0], [None, "work", None])


async def test_document_is_published_as_it_is_created(state: AppState, make_owner: MakeOwner) -> None:
    async with connected(state, make_owner(username="anna").headers) as assistant:
        created = await assistant.use("create_document", markdown=MARKDOWN, title="Garden", publish=True)

        assert "/u/anna/garden" in created["published_url"]


async def test_long_document_is_read_in_parts(state: AppState, make_owner: MakeOwner) -> None:
    content = "word " * MAX_OUTPUT_CHARACTERS
    async with connected(state, make_owner().headers) as assistant:
        created = await assistant.use("create_document", markdown=content, title="Words")
        part = await assistant.use("get_document", document_id=created["document_id"])
        parts = [part["content"]]
        while part["next_offset"]:
            part = await assistant.use("get_document", document_id=created["document_id"], offset=part["next_offset"])
            parts.append(part["content"])

    assert "".join(parts) == content
    assert len(parts) == 5


async def test_conversion_has_notices_first_and_output_only_when_asked_for(
    state: AppState, make_owner: MakeOwner
) -> None:
    async with connected(state, make_owner().headers) as assistant:
        result = await assistant.use("convert", markdown="[a](javascript:b)\n", destination="slack")
        assert next(iter(result)) == "notices"
        assert [notice["code"] for notice in result["notices"]] == ["unsafe-link"]
        assert result["delivery"] == "1 link of another scheme as text"
        assert result["output"] is None

        result = await assistant.use("convert", markdown="*a*\n", destination="slack", include_output=True)
        assert result["output"] == "_a_\n"

        result = await assistant.use(
            "convert", markdown="word " * MAX_OUTPUT_CHARACTERS, destination="html", include_output=True
        )
        assert result["output"] is None
        assert "more than the 20,000" in result["next_step"]


async def test_email_files_and_blocks_are_text_for_the_assistant(state: AppState, make_owner: MakeOwner) -> None:
    async with connected(state, make_owner().headers) as assistant:
        mail = await assistant.use("convert", markdown="# Hi", destination="email", format="eml", include_output=True)
        blocks = await assistant.use(
            "convert", markdown="# Hi", destination="slack", format="blocks", include_output=True
        )
        wrong = await assistant.error("convert", markdown="# Hi", destination="word", format="blocks")

    assert mail["output"].startswith("Subject: Hi\r\n")
    assert [each["text"] for each in json.loads(blocks["output"])] == ["Hi"]
    assert "format blocks is for the destination slack alone (got 'word')" in wrong


async def test_import_has_the_fields_of_the_command_and_long_texts_in_parts(
    state: AppState, make_owner: MakeOwner
) -> None:
    html = "<h1>Plan</h1><a href=javascript:b>a</a>" + "<p>word" * 6_000
    async with connected(state, make_owner().headers) as assistant:
        first = await assistant.use("import", html=html)
        second = await assistant.use("import", html=html, offset=first["next_offset"])
        table = await assistant.use("import", file=b64encode(b"a,b\n1,2\n").decode(), format="csv")
        refused = await assistant.error("import")
        not_html = await assistant.error("import", html=html, comments=True)

    async with Client(local_server(None)) as command:
        of_the_command = await command.call_tool("import", {"html": html})
    assert isinstance(of_the_command, CallToolResult)
    assert first == of_the_command.structured_content
    assert next(iter(first)) == "notices"
    assert (first["title"], second["next_offset"]) == ("Plan", None)
    assert first["markdown"] + second["markdown"] == read_html(html).markdown
    assert "comments must be left out, unless file is given" in not_html
    assert table["markdown"].startswith("| a   | b   |")
    assert refused.endswith("one of html, file is required (got 0) (validation_error)")


async def test_person_copies_what_an_assistant_wrote(
    state: AppState, make_owner: MakeOwner, client: httpx.AsyncClient, travel: Travel
) -> None:
    async with connected(state, make_owner().headers) as assistant:
        result = await assistant.use(
            "deliver", markdown=MARKDOWN, destinations=["word"], template="paper", theme_mode="dark"
        )
    url = result["copy_url"]
    assert re.fullmatch(r"http://127.0.0.1:8000/copy/[\w-]{22}", url)

    page = await client.get(url)
    elements = Elements(page.text)
    assert page.headers["x-robots-tag"] == "noindex"
    assert MARKDOWN in page.text
    assert [each["value"] for each in elements.all("option") if "selected" in each] == ["paper"]
    assert [each["value"] for each in elements.all("button") if each.get("aria-pressed") == "true"] == ["word"]

    travel(timedelta(hours=1))
    assert (await client.get(url)).status_code == 404


async def test_copy_pages_of_an_account_are_bounded_and_deleted(
    state: AppState, make_owner: MakeOwner, times: list[datetime]
) -> None:
    owner = make_owner()
    page: dict[str, Any] = {"content": "a", "destination": "word", "template_id": "swiss", "theme_mode": "light"}
    with state.database.write_transaction() as transaction:
        for _ in range(MAX_PAGES - 1):
            copy_pages.add(transaction, owner.account.id, **page, now=times[-1])
    async with connected(state, owner.headers) as assistant:
        await assistant.use("deliver", markdown="a", destinations=["word"])
        message = await assistant.error("deliver", markdown="a", destinations=["word"])
        assert "at most 100 copy pages and files at a time" in message

    times.append(times[-1] + LIFETIME)
    with state.database.write_transaction() as transaction:
        clean_up_batch(transaction, times[-1])
        assert transaction.rows(Statement(select(COPY_PAGES))) == []


async def test_each_tool_counts_as_its_call_of_the_api(
    state: AppState, make_owner: MakeOwner, client: httpx.AsyncClient
) -> None:
    owner = make_owner()
    async with connected(state, owner.headers) as assistant:
        await assistant.use("convert", markdown="a", destination="html")
        await assistant.use("create_document", markdown="a")
        await assistant.use("list_documents")
        await assistant.use("list_templates", category="academic")
        used = (await assistant.use("get_usage"))["used"]

    assert used == 2
    assert (await client.get("/v1/usage", headers=owner.headers)).json()["used"] == 2


async def test_errors_are_those_of_the_api(state: AppState, make_owner: MakeOwner) -> None:
    async with connected(state, make_owner().headers) as assistant:
        missing = await assistant.error("get_document", document_id="../usage")
        assert missing.endswith("(not_found)")
        assert "(got 'pdf') (validation_error)" in await assistant.error("convert", markdown="a", destination="pdf")
        assert "(forbidden)" in await assistant.error("create_document", markdown="a", template="thesis")


async def test_key_is_required_for_any_request(state: AppState) -> None:
    for authorization in (None, "Bearer wrong", "Basic YTpi"):
        headers: dict[str, str] = {} if authorization is None else {"Authorization": authorization}
        async with http_client(state, headers) as client:
            for method in ("POST", "GET", "HEAD", "DELETE", "OPTIONS", "PUT"):
                response = await client.request(method, "/mcp", json=INITIALIZE)

                assert response.status_code == 401, (authorization, method)
                assert "resource_metadata=" in response.headers["www-authenticate"], (authorization, method)
                if method != "HEAD":
                    assert response.json()["error"]["code"] == "unauthorized", (authorization, method)


async def test_other_methods_are_refused(state: AppState, make_owner: MakeOwner) -> None:
    async with http_client(state, make_owner().headers) as client:
        for method in ("GET", "HEAD", "DELETE", "OPTIONS"):
            response = await client.request(method, "/mcp")
            assert (response.status_code, response.headers["allow"]) == (405, "POST")


@pytest.mark.parametrize("path", ["/mcp", "/mcp/"])
async def test_any_header_of_media_types_is_accepted(state: AppState, make_owner: MakeOwner, path: str) -> None:
    rows = ((None, "json"), ("*/*", "json"), ("application/json", "json"), ("text/event-stream", "event-stream"))
    async with http_client(state, make_owner().headers) as client:
        client.headers.pop("accept")
        for accept, subtype in (*rows, ("text/event-stream, application/json", "json")):
            response = await client.post(path, json=INITIALIZE, headers={"Accept": accept} if accept else {})
            body = response.text.partition("data: ")[2] if subtype == "event-stream" else response.text
            assert response.status_code == 200, accept
            assert response.headers["content-type"].split(";")[0].endswith(f"/{subtype}"), accept
            assert len(json.loads(body)["result"]["tools"]) >= 10, accept


@pytest.mark.parametrize("path", ["/sse", "/mcp/sse"])
async def test_older_transport_s_paths_name_mcp(state: AppState, make_owner: MakeOwner, path: str) -> None:
    async with http_client(state, make_owner().headers) as client:
        for method in ("GET", "POST"):
            response = await client.request(method, path)
            assert response.status_code == 404, method
            assert "connect to http://127.0.0.1:8000/mcp" in response.json()["error"]["message"], method


async def test_tools_say_what_they_take(state: AppState, make_owner: MakeOwner) -> None:
    async with connected(state, make_owner().headers) as assistant:
        listed = await assistant.client.list_tools()

    for tool in listed.tools:
        assert tool.description
        for name, field in tool.input_schema["properties"].items():
            assert field["description"].endswith("."), (tool.name, name)
    hints = {tool.name: tool.annotations for tool in listed.tools}
    assert {
        name for name, each in hints.items() if each and each.read_only_hint is not True and each.destructive_hint
    } == {
        "publish_document",
        "unpublish_document",
        "update_document",
    }
    fields = {tool.name: tool.input_schema["properties"] for tool in listed.tools}
    assert fields["list_documents"]["limit"]["default"] == 20
    # Estimated at three characters a token, which is more than tokenizers take for English and JSON. Three tools have
    # the options of a page: what an assistant cannot say there, a page would be published without.
    size = sum(len(tool.model_dump_json(exclude_none=True, by_alias=True)) for tool in listed.tools)
    assert size / 3 <= 4_000, f"tools have {size:,} characters of 12,000: shorten a description"


async def test_long_text_is_sent_past_the_assistant_once(
    state: AppState, make_owner: MakeOwner, client: httpx.AsyncClient, travel: Travel
) -> None:
    owner, other = make_owner(), make_owner("berta")
    async with connected(state, owner.headers) as assistant:
        upload = await assistant.use("create_upload")
        missing = await assistant.error("create_document", upload_id=upload["upload_id"])
        sent = await client.put(upload["url"], content=MARKDOWN.encode() + b"\0")
        assert sent.json() == {"upload_id": upload["upload_id"], "bytes": len(MARKDOWN) + 1}
        assert (await client.put(upload["url"], content=b"again")).status_code == 404
        created = await assistant.use("create_document", upload_id=upload["upload_id"], title="Garden")
        document = await assistant.use("get_document", document_id=created["document_id"])
        both = await assistant.error("convert", markdown="a", upload_id=upload["upload_id"], destination="slack")
    assert document["content"] == f"{MARKDOWN}\ufffd"
    assert missing.endswith("nothing was sent to this upload, or its 10 minutes are over (not_found)")
    assert both.endswith("give either markdown or upload_id (validation_error)")

    async with connected(state, other.headers) as assistant:
        assert "(not_found)" in await assistant.error("create_document", upload_id=upload["upload_id"])
        late = await assistant.use("create_upload")
        travel(timedelta(minutes=10))
        assert (await client.put(late["url"], content=b"a")).status_code == 404
    assert (await client.get(upload["url"].replace("/upload/", "/copy/"))).status_code == 404


@pytest.mark.parametrize(
    ("content", "message"),
    [(b"", "empty body"), (b"\xff", "must be UTF-8 (byte 1"), (b"a" * 1_000_001, "at most 1,000,000 bytes")],
)
async def test_upload_of_something_else_is_refused_and_can_be_repeated(
    state: AppState, make_owner: MakeOwner, client: httpx.AsyncClient, content: bytes, message: str
) -> None:
    async with connected(state, make_owner().headers) as assistant:
        url = (await assistant.use("create_upload"))["url"]
    refused = await client.put(url, content=content)
    assert refused.status_code == 400
    assert message in refused.json()["error"]["message"]
    assert (await client.put(url, content=b"a")).status_code == 200


async def test_document_is_delivered_by_one_call(
    state: AppState, make_owner: MakeOwner, client: httpx.AsyncClient
) -> None:
    markdown = f"{MARKDOWN}\n[a](javascript:b)\n"
    async with connected(state, make_owner(username="anna").headers) as assistant:
        draft = await assistant.use("deliver", markdown=markdown, destinations=["word", "slack", "word"])
        published = await assistant.use("deliver", markdown=markdown, destinations=[], title="Garden", publish=True)
        email = await assistant.use("deliver", document_id=published["document_id"], destinations=["email"])
        upload = await assistant.use("create_upload")
        await client.put(upload["url"], content=b"# Long")
        of_upload = await assistant.use("deliver", upload_id=upload["upload_id"], destinations=["word"])
        error = await assistant.error("deliver", destinations=["word"])

    assert [notice["code"] for notice in draft["notices"]] == ["unsafe-link"]
    assert draft["delivery"] == {
        "word": "1 link of another scheme as text",
        "slack": "1 heading as bold text, 1 link of another scheme as text",
    }
    assert (draft["published_url"], draft["document_id"]) == (None, None)
    page = Elements((await client.get(draft["copy_url"])).text)
    assert [each["value"] for each in page.all("button") if each.get("aria-pressed") == "true"] == ["word"]
    assert published["published_url"].endswith("/u/anna/garden")
    assert published["copy_url"] is None
    assert (email["document_id"], list(email["delivery"])) == (published["document_id"], ["email"])
    assert "# Long" in (await client.get(of_upload["copy_url"])).text
    assert error.endswith("give one of markdown, upload_id, document_id (validation_error)")


async def test_guide_and_documents_are_resources_and_prompts_begin_a_chat(
    state: AppState, make_owner: MakeOwner
) -> None:
    async with connected(state, make_owner().headers) as assistant:
        created = await assistant.use("create_document", markdown=MARKDOWN)
        guide = (await assistant.client.read_resource("mdpublish://guide")).contents[0]
        stored = (await assistant.client.read_resource(f"mdpublish://documents/{created['document_id']}")).contents[0]
        with pytest.raises(MCPError):
            await assistant.client.read_resource("mdpublish://documents/8d0fc1a4-95c6-4c2e-8a05-6ef9f6e4f1e0")
        prompts = (await assistant.client.list_prompts()).prompts
        prompt = await assistant.client.get_prompt("publish_this", {"markdown": MARKDOWN})

    assert (stored.text, stored.mime_type) == (MARKDOWN, "text/markdown")  # type: ignore[union-attr]
    # At three characters a token.
    assert len(guide.text) / 3 <= 1_500  # type: ignore[union-attr]
    assert [each.title for each in prompts] == ["Publish this", "Make this a Word report", "Let me paste this"]
    assert MARKDOWN in str(prompt.messages[0].content.text)  # type: ignore[union-attr]


async def test_wrong_prompts_and_ids_get_an_error_without_a_traceback(
    state: AppState, make_owner: MakeOwner, caplog: pytest.LogCaptureFixture
) -> None:
    rows: tuple[tuple[dict[str, Any], int, str], ...] = (
        ({"method": "prompts/get", "params": {"name": "nope"}}, -32602, "Unknown prompt: nope"),
        ({"method": "prompts/get", "params": {"name": "paste_this"}}, -32602, "destination"),
        *(
            ({"method": "prompts/get", "params": {"name": "paste_this", "arguments": more}}, -32602, words)
            for more, words in (
                (SLACK | {"x": "y"}, "x"),
                (SLACK | {"destinaton": "x"}, "destinaton"),
                ({}, "destination"),
            )
        ),
        ({"id": None}, -32600, "id must be a string or an integer"),
        ({"id": 1.5}, -32600, "id must be a string or an integer"),
        ({"id": True}, -32600, "id must be a string or an integer"),
        ({"id": [1], "method": "initialize"}, -32600, "id must be a string or an integer"),
    )
    async with http_client(state, make_owner().headers) as client:
        for change, code, words in rows:
            response = (await client.post("/mcp", json=INITIALIZE | change)).json()
            assert response["error"]["code"] == code, change
            assert words in response["error"]["message"], change
            assert response["id"] == (1.5 if change.get("id") == 1.5 else None if "id" in change else 1), change
        for served in (0, -7, "", "a", 2**40):
            response = (await client.post("/mcp", json=INITIALIZE | {"id": served})).json()
            assert (response["id"], "result" in response) == (served, True), served
        notification = {"jsonrpc": "2.0", "method": "notifications/initialized"}
        for each in (notification, notification | {"id": None}):
            assert (await client.post("/mcp", json=each)).status_code == 202, each
    assert "Traceback" not in caplog.text


async def test_conversion_of_what_the_guide_shows_has_no_notice() -> None:
    async with Client(build_server(Tools(InternalApi(None), None))) as client:  # type: ignore[arg-type]
        [guide] = (await client.read_resource("mdpublish://guide")).contents
    assert "create_upload" in guide.text  # type: ignore[union-attr]
    assert convert(guide.text, to="word").notices == ()  # type: ignore[union-attr]
