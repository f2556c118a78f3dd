"""Arguments of `/mcp`'s tools, as the SDK's client sends them: none with a meaning is dropped, options arrive."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import httpx
import pytest
from mcp.client.client import Client
from mcp_types import CallToolResult

from mdpublish_server.mcp.internal_api import InternalApi
from mdpublish_server.mcp.server import build_server
from mdpublish_server.mcp.tools import PAGE_OPTIONS, Tools
from mdpublish_server.models import PublishOptions
from mdpublish_server.state import AppState
from tests.mcp_arguments import check_absent_values, check_schema, check_unknown_names, error_line
from tests.server.conftest import MakeOwner
from tests.server.private_pages import PASSWORD, READER, unlock
from tests.server.test_mcp import connected

pytestmark = pytest.mark.anyio

ID = "9f6c1b34-9a53-4c53-8a83-6c1a8f0f2b11"
SECRET = "The roses are out."
MARKDOWN = f"# Garden day\n\n{SECRET}\n"


def user(client: Client) -> Callable[[str, dict[str, Any]], Any]:
    async def use(name: str, arguments: dict[str, Any]) -> CallToolResult:
        result = await client.call_tool(name, arguments)
        assert isinstance(result, CallToolResult)
        return result

    return use


def ready(document_id: str) -> dict[str, dict[str, Any]]:
    """Return arguments with which each tool works."""
    return {
        "convert": {"markdown": "a", "destination": "slack"},
        "import": {"html": "<p>a"},
        "create_document": {"content": MARKDOWN},
        "deliver": {"markdown": "a", "destinations": ["slack"]},
        "create_upload": {},
        "list_documents": {},
        "get_document": {"document_id": document_id},
        "update_document": {"document_id": document_id},
        "publish_document": {"document_id": document_id},
        "unpublish_document": {"document_id": document_id},
        "list_templates": {},
        "get_usage": {},
    }


async def test_each_slip_is_refused_with_what_was_meant() -> None:
    # Nothing runs, so there need be nothing to run.
    async with Client(build_server(Tools(InternalApi(None), None))) as client:  # type: ignore[arg-type]
        await check_unknown_names(user(client), (await client.list_tools()).tools, ready(ID))


async def test_unknown_argument_is_refused_before_anything_runs(state: AppState, make_owner: MakeOwner) -> None:
    async with connected(state, make_owner().headers) as assistant:
        for tool in (await assistant.client.list_tools()).tools:
            line = await assistant.error(tool.name, **ready(ID)[tool.name], publsh=True)
            assert line.startswith("unknown argument 'publsh'; ")

        assert (await assistant.use("list_documents"))["documents"] == []
        assert (await assistant.use("get_usage"))["used"] == 0


async def test_argument_without_a_value_is_left_out(state: AppState, make_owner: MakeOwner) -> None:
    async with connected(state, make_owner(plan="pro").headers) as assistant:
        tools = (await assistant.client.list_tools()).tools
        stored = await assistant.use("create_document", content=MARKDOWN, publish=True, password=PASSWORD)
        document_id = stored["document_id"]

        assert await check_absent_values(user(assistant.client), tools, ready(document_id)) > 150
        republished = await assistant.use("publish_document", document_id=document_id, password=None)
        assert republished["has_password"]


@pytest.mark.parametrize("name", ["get_document", "publish_document"])
@pytest.mark.parametrize("value", [None, "", "null"])
async def test_required_argument_without_a_value_is_named(
    state: AppState, make_owner: MakeOwner, name: str, value: str | None
) -> None:
    async with connected(state, make_owner().headers) as assistant:
        result = await user(assistant.client)(name, {"document_id": value})

    assert error_line(result) == "document_id is required"


async def test_schemas_are_open_and_plain(state: AppState, make_owner: MakeOwner) -> None:
    async with connected(state, make_owner().headers) as assistant:
        for tool in (await assistant.client.list_tools()).tools:
            check_schema(tool)


@pytest.mark.parametrize(
    "options", [{"visibility": "specific"}, {}, {"visibility": None}, {"visibility": ""}, {"visibility": "null"}]
)
async def test_page_is_not_open_that_an_assistant_publishes_for_readers(
    state: AppState, make_owner: MakeOwner, client: httpx.AsyncClient, options: dict[str, str | None]
) -> None:
    async with connected(state, make_owner(plan="pro", username="anna").headers) as assistant:
        created = await assistant.use("create_document", content=MARKDOWN, title="Garden")
        published = await assistant.use(
            "publish_document",
            document_id=created["document_id"],
            readers=[READER],
            password=PASSWORD,
            **options,
        )
    page = await client.get(published["published_url"])

    assert (published["visibility"], published["has_password"]) == ("specific", True)
    assert SECRET not in page.text
    assert "no-store" in page.headers["cache-control"]


@pytest.mark.parametrize("tool", ["create_document", "publish_document"])
@pytest.mark.parametrize(
    "options",
    [
        {"visiblity": "specific"},
        {"access": "private"},
        {"visibility": "private"},
        {"visibility": "specific", "readers": "nobody"},
        {"passwort": PASSWORD},
        {"password": ""},
        {"password": "short"},
        {"expires": "2030-01-01"},
        {"expires_at": "tomorrow"},
    ],
)
async def test_page_is_not_published_with_an_option_that_is_not_understood(
    state: AppState, make_owner: MakeOwner, client: httpx.AsyncClient, tool: str, options: dict[str, str]
) -> None:
    async with connected(state, make_owner(plan="pro", username="anna").headers) as assistant:
        document: dict[str, Any] = {"markdown": MARKDOWN, "title": "Garden", "publish": True}
        if tool == "publish_document":
            created = await assistant.use("create_document", content=MARKDOWN, title="Garden")
            document = {"document_id": created["document_id"]}
        error_line(await user(assistant.client)(tool, {**document, **options}))

    assert (await client.get("/u/anna/garden")).status_code == 404


async def test_each_publishing_tool_has_the_options_of_the_api(state: AppState, make_owner: MakeOwner) -> None:
    async with connected(state, make_owner().headers) as assistant:
        tools = {tool.name: tool.input_schema["properties"] for tool in (await assistant.client.list_tools()).tools}

    assert set(PAGE_OPTIONS) == set(PublishOptions.__struct_fields__)
    for name in ("create_document", "publish_document", "update_document"):
        assert set(PAGE_OPTIONS) <= set(tools[name])


@pytest.mark.parametrize("tool", ["create_document", "publish_document", "update_document"])
async def test_options_are_stored_as_those_of_the_api(
    state: AppState, make_owner: MakeOwner, client: httpx.AsyncClient, tool: str
) -> None:
    owner = make_owner(plan="pro", username="anna")
    end = (state.clock() + timedelta(days=9)).strftime("%Y-%m-%dT12:00:00.000000Z")
    options = {
        "visibility": "public",
        "readers": [READER],
        "expires_at": end,
        "slug": "day-of-roses",
        "description": "Roses.",
        "page_width": "wide",
        "show_source": True,
        "offer_pdf": True,
    }
    async with connected(state, owner.headers) as assistant:
        given: dict[str, Any] = {"content": MARKDOWN, "publish": True}
        if tool != "create_document":
            given = {"document_id": (await assistant.use("create_document", content=MARKDOWN))["document_id"]}
        changed = await assistant.use(tool, **given, **options, password=PASSWORD, hide_badge=True)
        read = await assistant.use("get_document", document_id=changed["document_id"])
        page = (await assistant.use("publish_document", document_id=changed["document_id"]))["published_url"]
    stored = (await client.get(f"/v1/documents/{changed['document_id']}", headers=owner.headers)).json()

    assert {name: stored[name] for name in options} == options
    access = {"visibility": "public", "has_password": True, "expires_at": end}
    assert {name: changed[name] for name in access} == {name: read[name] for name in access} == access
    assert page.endswith("/u/anna/day-of-roses")
    assert SECRET not in (await client.get(page)).text
    assert (await unlock(client, page)).status_code == 303
    assert SECRET in (await client.get(page)).text


async def test_plan_is_that_of_the_api(state: AppState, make_owner: MakeOwner, client: httpx.AsyncClient) -> None:
    async with connected(state, make_owner(username="anna").headers) as assistant:
        created = await assistant.use("create_document", content=MARKDOWN, title="Garden")
        for options in ({"visibility": "specific"}, {"readers": READER}, {"slug": "roses"}, {"hide_badge": True}):
            refused = await assistant.error("publish_document", document_id=created["document_id"], **options)
            assert refused.endswith("requires the Pro plan (forbidden)")

    assert (await client.get("/u/anna/garden")).status_code == 404


async def test_draft_takes_no_options_of_a_page_in_silence(state: AppState, make_owner: MakeOwner) -> None:
    async with connected(state, make_owner(plan="pro").headers) as assistant:
        refused = await assistant.error("create_document", content="a", visibility="specific", password=PASSWORD)
        assert (await assistant.use("list_documents"))["documents"] == []
        draft = await assistant.use(
            "create_document", content="a", description="Roses.", page_width="wide", hide_badge=False, readers=[]
        )

    assert refused.endswith("visibility, password can be set with publish, or by publish_document (validation_error)")
    assert draft["visibility"] is None


async def test_other_names_are_taken_where_they_mean_one_thing(state: AppState, make_owner: MakeOwner) -> None:
    async with connected(state, make_owner(plan="pro").headers) as assistant:
        stored = await assistant.use("create_document", markdown=MARKDOWN, template_id="paper")
        changed = await assistant.use("update_document", id=stored["document_id"], markdown="# Other\n")
        read = await assistant.use("get_document", id=stored["document_id"])
        converted = await assistant.use("convert", content="*a*", to="slack", include_output="true")
        delivered = await assistant.use("deliver", id=stored["document_id"], to="slack", files="docx")
        pasted = await assistant.use("deliver", content="a", destination="slack")
        twice = await assistant.error("create_document", markdown="a", content="b")
        unclear = await assistant.error("import", content="a")

    assert changed["document_id"] == stored["document_id"]
    assert (read["content"], read["template_id"]) == ("# Other\n", "paper")
    assert converted["output"] == "_a_\n"
    assert (list(delivered["delivery"]), list(delivered["files"])) == (["slack", "word"], ["docx"])
    assert list(pasted["delivery"]) == ["slack"]
    assert twice == "give content once; it has another value by another name"
    assert unclear.startswith("unknown argument 'content';")


@pytest.mark.parametrize("written", ["null", "[1]", "{}", '["a"]', '"a"', "true", "12", " ", "\u00e9\U0001f339"])
async def test_text_that_reads_as_json_stays_a_text(state: AppState, make_owner: MakeOwner, written: str) -> None:
    async with connected(state, make_owner().headers) as assistant:
        stored = await assistant.use("create_document", content=written, title=f"-{written}-")
        await assistant.use("update_document", document_id=stored["document_id"], title=written, description=written)
        page = await assistant.use("publish_document", document_id=stored["document_id"], password="[1, 2, 3, 4]")
        read = await assistant.use("get_document", document_id=stored["document_id"])

    assert (read["content"], read["title"]) == (written, written.strip() or "Untitled")
    assert page["has_password"]


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        ("list_documents", {"limit": "many"}, "limit must be a valid integer, unable to parse string as an integer"),
        ("list_documents", {"limit": 0}, "limit must be greater than or equal to 1"),
        ("create_document", {"content": 1}, "content must be a valid string"),
        ("convert", {"markdown": "a"}, "destination is required"),
        ("convert", {}, "destination is required"),
        (
            "deliver",
            {"markdown": "a", "destinations": ["slack"], "files": "odt"},
            "files.0 must be 'docx', 'pdf', 'eml' or 'adf'",
        ),
        ("no_such_tool", {}, f"unknown tool 'no_such_tool'; choose from: {', '.join(ready(ID))}"),
    ],
)
async def test_error_is_one_line_that_the_assistant_can_mend(
    state: AppState, make_owner: MakeOwner, name: str, arguments: dict[str, Any], message: str
) -> None:
    async with connected(state, make_owner().headers) as assistant:
        assert error_line(await user(assistant.client)(name, arguments)) == message
