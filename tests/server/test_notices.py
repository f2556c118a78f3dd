"""An author gets the notices of the library from the API and on the web."""

from dataclasses import asdict

import httpx
import pytest

from mdpublish_core import Notice, convert
from mdpublish_core.notices import MAX_NOTICES
from tests.server.api_requests import create, publish, publish_demo, publish_new, update

pytestmark = pytest.mark.anyio

MARKDOWN = "# Plan\n\n> [a](irc:b) <blink>\n\n| a |\n|---|\n| `b | <c>` |\n"
NOTICES = convert(MARKDOWN).notices
EXPECTED = [asdict(notice) for notice in NOTICES]


async def test_published_document_returns_the_notices_of_its_page(free: httpx.AsyncClient) -> None:
    document_id = await create(free, content=MARKDOWN)

    assert (await update(free, document_id, title="Draft"))["notices"] == []
    assert (await publish(free, document_id))["notices"] == EXPECTED
    assert (await update(free, document_id, title="Plan"))["notices"] == EXPECTED
    assert (await update(free, document_id, content="# Plan"))["notices"] == []
    assert (await publish_new(free, MARKDOWN))["notices"] == EXPECTED


async def test_notices_of_front_matter_and_of_the_page_come_once_each(
    client: httpx.AsyncClient, free: httpx.AsyncClient
) -> None:
    markdown = f"---\ntitle: a: b\ntemplate: none\n---\n{MARKDOWN}"
    notices = convert(markdown).notices
    both = {(notice.code, notice.line, notice.column) for notice in notices}

    published = await publish_new(free, markdown)
    assert {("front-matter-repaired", 2, 1), ("front-matter-ignored", 3, 1), ("unsafe-link", 7, 3)} <= both
    for response in (published, await publish_demo(client, markdown)):
        shown = [(each["code"], each["line"], each["column"]) for each in response["notices"]]
        assert len(shown) == len(both)
        assert set(shown) == both
        assert shown == sorted(shown, key=lambda place: place[1])


@pytest.mark.parametrize("template", ["executive", "swiss"])
async def test_notices_from_two_sources_are_limited_together(client: httpx.AsyncClient, template: str) -> None:
    names = ", ".join(f"x{number}" for number in range(150))
    markdown = f"---\ntemplate: {template}\nextensions: [{names}]\n---\n"

    notices = (await publish_demo(client, markdown))["notices"]

    unlisted = 51 if template == "executive" else 50
    assert len(notices) == MAX_NOTICES + 1
    assert notices[-1]["message"] == f"{unlisted} more notices of this kind are not listed"


async def test_demo_page_returns_its_notices(client: httpx.AsyncClient) -> None:
    assert (await publish_demo(client, MARKDOWN))["notices"] == EXPECTED


async def test_web_page_gets_the_notices_with_place_source_and_fix(client: httpx.AsyncClient) -> None:
    fields = {"content": MARKDOWN, "template_id": "swiss", "theme_mode": "light"}
    headers = {"Sec-Fetch-Site": "same-origin", "Accept": "application/json"}

    response = await client.post("/preview", data=fields, headers=headers)

    assert response.json()["notices"] == EXPECTED
    assert response.json()["html"].startswith("<!DOCTYPE html>")


def test_all_fields_of_a_notice_are_in_the_api() -> None:
    from mdpublish_core.client import models

    assert models.Notice.__struct_fields__ == tuple(Notice.__dataclass_fields__)
