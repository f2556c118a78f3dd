"""Every tool returns what its output schema says, and has one."""

from typing import Any

import httpx
import jsonschema  # type: ignore[import-untyped]  # it has no types
import pytest

from mdpublish_server.state import AppState
from tests.mcp_outputs import check_output
from tests.server.conftest import MakeOwner
from tests.server.test_mcp import connected

pytestmark = pytest.mark.anyio

MARKDOWN = "# Garden\n\n[a](javascript:b)\n"


async def test_every_tool_returns_the_fields_of_its_schema(
    state: AppState, make_owner: MakeOwner, client: httpx.AsyncClient
) -> None:
    async with connected(state, make_owner(username="anna").headers) as assistant:
        tools = (await assistant.client.list_tools()).tools
        called = set()

        async def use(name: str, **arguments: Any) -> dict[str, Any]:
            content = await assistant.use(name, **arguments)
            check_output(tools, name, content)
            called.add(name)
            return content

        await use("convert", markdown=MARKDOWN, destination="word", include_output=True)
        await use("convert", markdown="word " * 5_000, destination="word", include_output=True)
        await use("import", html="<p>a")
        draft = await use("create_document", markdown=MARKDOWN)
        stored = await use("create_document", markdown=MARKDOWN, title="Garden", publish=True)
        assert (draft["published_url"], stored["published_url"][-9:]) == (None, "na/garden")
        document = {"document_id": stored["document_id"]}
        await use("deliver", **document, destinations=["slack"], files=["docx"], publish=True)
        await use("deliver", markdown=MARKDOWN, destinations=[])
        upload = await use("create_upload")
        await client.put(upload["url"], content=b"word " * 5_000)
        await use("update_document", **document, upload_id=upload["upload_id"])
        page = await use("publish_document", **document)
        assert page["published_url"] == stored["published_url"]
        assert (await use("get_document", **document))["next_offset"] == 20_000
        await use("list_documents", limit=1)
        assert await use("unpublish_document", **document) == {**document, "is_published": False}
        await use("list_templates")
        await use("get_usage")
        assert called == {tool.name for tool in tools}


async def test_other_content_is_noticed(state: AppState, make_owner: MakeOwner) -> None:
    async with connected(state, make_owner().headers) as assistant:
        tools = (await assistant.client.list_tools()).tools
        usage = await assistant.use("get_usage")
    for spoiled in ({**usage, "used": "2"}, {**usage, "more": 1}, {}):
        with pytest.raises(jsonschema.ValidationError):
            check_output(tools, "get_usage", spoiled)
