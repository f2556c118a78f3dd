"""Files that an assistant hands over are downloaded once, and long outputs are resources of their account alone."""

import asyncio
from datetime import datetime, timedelta
from email import message_from_bytes
from email.policy import default
from typing import Any

import httpx
import pytest
from mcp import MCPError
from mcp_types import CallToolResult, ResourceLink, TextResourceContents
from sqlalchemy import select

from mdpublish_core import read_file
from mdpublish_core.mcp.schemas import MAX_OUTPUT_CHARACTERS
from mdpublish_server.mcp import tools
from mdpublish_server.services import copy_pages
from mdpublish_server.services.cleanup import clean_up_batch
from mdpublish_server.services.copy_pages import LIFETIME, MAX_PAGES
from mdpublish_server.state import AppState
from mdpublish_server.storage.tables import COPY_PAGES
from mdpublish_server.storage.transactions import Statement
from tests.server.conftest import MakeOwner, Travel
from tests.server.test_mcp import Assistant, connected

pytestmark = pytest.mark.anyio

MARKDOWN = "# Garden day\n\nThe roses are *out*.\n"
LONG = "*word* " * MAX_OUTPUT_CHARACTERS


async def delivered(state: AppState, headers: dict[str, str], *files: str, **arguments: Any) -> dict[str, str]:
    async with connected(state, headers) as assistant:
        given = {"markdown": MARKDOWN, "destinations": [], **arguments}
        links: dict[str, str] = (await assistant.use("deliver", files=files, **given))["files"]
        return links


async def test_files_are_downloaded_once(state: AppState, make_owner: MakeOwner, client: httpx.AsyncClient) -> None:
    links = await delivered(state, make_owner().headers, "docx", "eml", "docx", theme_mode="dark")
    assert list(links) == ["docx", "eml"]

    assert (await client.head(links["docx"])).status_code == 200
    word = await client.get(links["docx"])
    assert word.headers["content-disposition"] == "attachment; filename=garden-day.docx"
    assert (word.headers["cache-control"], word.headers["x-robots-tag"]) == ("no-store", "noindex")
    assert read_file(word.content, ".docx").markdown.startswith("# Garden day")
    mail = message_from_bytes((await client.get(links["eml"])).content, policy=default)
    assert mail["subject"] == "Garden day"

    for link in links.values():
        assert (await client.get(link)).status_code == 404
        assert (await client.head(link)).status_code == 404


async def test_of_concurrent_downloads_one_succeeds(
    state: AppState, make_owner: MakeOwner, client: httpx.AsyncClient
) -> None:
    link = (await delivered(state, make_owner().headers, "docx"))["docx"]
    responses = await asyncio.gather(*(client.get(link) for _ in range(4)))
    assert sorted(response.status_code for response in responses) == [200, 404, 404, 404]


async def test_link_ends_after_an_hour_and_is_stored_as_a_hash(
    state: AppState, make_owner: MakeOwner, client: httpx.AsyncClient, travel: Travel, times: list[datetime]
) -> None:
    link = (await delivered(state, make_owner().headers, "docx"))["docx"]
    token = link.rpartition("/")[2]
    assert len(token) == 22
    with state.database.write_transaction() as transaction:
        assert token not in str(transaction.rows(Statement(select(COPY_PAGES))))
    # Neither page nor upload.
    assert (await client.get(link.replace("/download/", "/copy/"))).status_code == 404
    assert (await client.put(link.replace("/download/", "/upload/"), content=b"a")).status_code == 404

    travel(timedelta(hours=1))
    assert (await client.get(link)).status_code == 404
    with state.database.write_transaction() as transaction:
        clean_up_batch(transaction, times[-1] + LIFETIME)
        assert transaction.rows(Statement(select(COPY_PAGES))) == []


async def test_copy_page_is_no_file(state: AppState, make_owner: MakeOwner, client: httpx.AsyncClient) -> None:
    async with connected(state, make_owner().headers) as assistant:
        page = (await assistant.use("deliver", markdown=MARKDOWN, destinations=["word"]))["copy_url"]
    assert (await client.get(page.replace("/copy/", "/download/"))).status_code == 404
    assert (await client.get(page)).status_code == 200


async def test_files_of_an_account_are_bounded(state: AppState, make_owner: MakeOwner, times: list[datetime]) -> None:
    owner = make_owner()
    file: dict[str, Any] = {"content": "a", "destination": ".docx", "template_id": "swiss", "theme_mode": "light"}
    with state.database.write_transaction() as transaction:
        for _ in range(MAX_PAGES):
            copy_pages.add(transaction, owner.account.id, **file, now=times[-1])
    async with connected(state, owner.headers) as assistant:
        message = await assistant.error("deliver", markdown="a", destinations=[], files=["eml"])
    assert "at most 100 copy pages and files at a time" in message


async def test_unknown_kind_of_file_is_refused(state: AppState, make_owner: MakeOwner) -> None:
    async with connected(state, make_owner().headers) as assistant:
        assert "docx" in await assistant.error("deliver", markdown="a", destinations=[], files=["../x"])


async def long_output(assistant: Assistant) -> ResourceLink:
    result = await assistant.client.call_tool(
        "convert", {"markdown": LONG[:90_000], "destination": "html", "include_output": True}
    )
    assert isinstance(result, CallToolResult)
    [_, link] = result.content
    assert isinstance(link, ResourceLink)
    assert dict(result.structured_content or {})["output"] is None
    assert link.mime_type == "text/html"
    return link


async def test_long_output_is_a_resource_of_its_account(state: AppState, make_owner: MakeOwner, travel: Travel) -> None:
    owner = make_owner("rosa")
    async with connected(state, owner.headers) as assistant:
        link = await long_output(assistant)
        [content] = (await assistant.client.read_resource(link.uri)).contents
        assert isinstance(content, TextResourceContents)
        assert content.text.startswith("<p><em>word</em>")
        assert len(content.text.encode()) == link.size
    async with connected(state, make_owner().headers) as stranger:
        with pytest.raises(MCPError):
            await stranger.client.read_resource(link.uri)
        assert "(not_found)" in await stranger.error("convert", upload_id=link.uri[20:], destination="html")
    travel(LIFETIME)
    async with connected(state, owner.headers) as assistant:
        with pytest.raises(MCPError):
            await assistant.client.read_resource(link.uri)


async def test_output_that_no_resource_holds_is_left_out(
    state: AppState, make_owner: MakeOwner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tools, "MAX_RESULT_CHARACTERS", MAX_OUTPUT_CHARACTERS)
    async with connected(state, make_owner().headers) as assistant:
        result = await assistant.use("convert", markdown=LONG[:90_000], destination="html", include_output=True)
    assert result["next_step"].endswith("more than the 20,000 that a result may have.")
