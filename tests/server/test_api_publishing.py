"""Publish, republish, unpublish, and the resulting page. URLs: `test_api_permalinks.py`."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import httpx
import pytest

from mdpublish_server.storage import Database
from mdpublish_server.storage.tables import PAGES
from mdpublish_server.storage.transactions import Statement
from tests.server.api_requests import (
    BADGE,
    create,
    get,
    page_of,
    publish,
    publish_demo,
    publish_new,
    refusal,
    unpublish,
    update,
    used,
)

pytestmark = pytest.mark.anyio

BADGE_LINE = '<a href="http://127.0.0.1:8000">Published with mdpublish</a>'
PUBLISHED_FIELDS = {
    "id",
    "title",
    "published_url",
    "published_at",
    "template_id",
    "word_count",
    "reading_time_minutes",
    "notices",
}


# Publishing


async def test_document_is_published_with_defaults(free: httpx.AsyncClient) -> None:
    document_id = await create(free, title="Garden", content="# Garden\n\nWe *meet*.")
    published = await publish(free, document_id)

    assert published == {
        "id": document_id,
        "title": "Garden",
        "published_url": published["published_url"],
        "published_at": "2026-03-01T12:00:00.123456Z",
        "template_id": "swiss",
        "word_count": 3,
        "reading_time_minutes": 1,
        "notices": [],
    }
    document = await get(free, document_id)
    assert document["is_published"] is True
    assert document["slug"] == published["published_url"].rpartition("/")[2]
    assert document["published_at"] == published["published_at"]
    assert (document["visibility"], document["page_width"]) == ("link", "standard")
    assert document["description"] is None


async def test_document_is_published_by_a_request_without_a_body(free: httpx.AsyncClient) -> None:
    document_id = await create(free)
    assert (await free.post(f"/v1/documents/{document_id}/publish")).status_code == 200


async def test_document_is_created_and_published_in_one_request(free: httpx.AsyncClient) -> None:
    body = {
        "content": "# Garden\n\nWe meet.",
        "title": "Garden",
        "template_id": "mono",
        "theme_mode": "dark",
        "description": "About it.",
    }
    response = await free.post("/v1/documents/publish", json=body)

    published = response.json()
    assert response.status_code == 201
    assert set(published) == PUBLISHED_FIELDS
    assert (published["title"], published["template_id"], published["word_count"]) == ("Garden", "mono", 3)
    document = await get(free, published["id"])
    assert {name: document[name] for name in body} == body
    assert document["is_published"] is True
    assert (document["visibility"], document["page_width"]) == ("link", "standard")
    assert document["created_at"] == document["updated_at"] == document["published_at"] == published["published_at"]


async def test_create_and_publish_has_defaults(free: httpx.AsyncClient) -> None:
    document = await get(free, (await publish_new(free, "x"))["id"])
    assert (document["title"], document["template_id"], document["theme_mode"]) == ("Untitled", "swiss", "light")
    assert document["description"] is None


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({}, "content is required"),
        ({"content": None}, "content is required"),
        ({"content": ""}, "content must be 1 to 1,000,000 bytes of UTF-8 (got 0)"),
        ({"content": "x" * 1_000_001}, "content must be at most 1,000,000 bytes of UTF-8 (got 1,000,001)"),
        ({"content": "x", "template_id": "nosuch"}, "template_id must be one of "),
        ({"content": "x", "theme_mode": "sepia"}, "theme_mode must be one of light, dark (got 'sepia')"),
        ({"content": "x", "title": "x" * 201}, "title must be at most 200 characters (got 201)"),
        ({"content": "x", "description": "x" * 501}, "description must be at most 500 characters (got 501)"),
        ({"content": "x", "slug": "No"}, "slug must be 3 to 60 characters (got 2)"),
    ],
)
async def test_wrong_field_of_create_and_publish_is_named_and_nothing_is_stored(
    pro: httpx.AsyncClient, body: dict[str, object], message: str
) -> None:
    response = await pro.post("/v1/documents/publish", json=body)
    assert refusal(response) == (400, "validation_error")
    assert response.json()["error"]["message"].startswith(message)
    assert (await pro.get("/v1/documents")).json()["data"] == []


async def test_page_is_created_with_its_options(pro: httpx.AsyncClient) -> None:
    published = await publish_new(pro, visibility="public", hide_badge=True, page_width="full", description="D")
    document = await get(pro, published["id"])
    assert (document["visibility"], document["page_width"], document["description"]) == ("public", "full", "D")
    page = await pro.get(published["published_url"])
    assert "x-robots-tag" not in page.headers
    assert "Published with" not in page.text


async def test_untitled_page_shows_its_first_heading_as_title(pro: httpx.AsyncClient) -> None:
    published = await publish_new(pro, "Text\n\n# Garden *day*")
    assert (published["title"], (await get(pro, published["id"]))["title"]) == ("Untitled", "Untitled")
    page = (await pro.get(published["published_url"])).text
    assert "<title>Garden day</title>" in page
    assert '<meta property="og:title" content="Garden day" />' in page
    assert '<meta property="og:image:alt" content="Garden day" />' in page

    await update(pro, published["id"], title="Plan")
    assert "<title>Plan</title>" in (await pro.get(published["published_url"])).text


async def test_page_without_title_and_heading_is_untitled(pro: httpx.AsyncClient) -> None:
    published = await publish_new(pro, "Text")
    assert "<title>Untitled</title>" in (await pro.get(published["published_url"])).text


async def test_white_space_is_content(free: httpx.AsyncClient) -> None:
    assert (await publish_new(free, " "))["word_count"] == 0


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"hide_badge": 1}, "hide_badge must be a boolean (got an integer)"),
        ({"visibility": "specific"}, "visibility must be one of link, public (got 'specific')"),
        ({"page_width": "narrow"}, "page_width must be one of standard, wide, full (got 'narrow')"),
        ({"description": "x" * 501}, "description must be at most 500 characters (got 501)"),
    ],
)
async def test_wrong_option_is_named_and_nothing_is_published(
    pro: httpx.AsyncClient, body: dict[str, object], message: str
) -> None:
    document_id = await create(pro)
    response = await pro.post(f"/v1/documents/{document_id}/publish", json=body)
    assert refusal(response) == (400, "validation_error")
    assert response.json()["error"]["message"] == message
    assert (await get(pro, document_id))["is_published"] is False


@pytest.mark.parametrize(("words", "minutes"), [(0, 1), (1, 1), (200, 1), (201, 2), (400, 2), (401, 3), (2_001, 11)])
async def test_reading_takes_a_minute_for_200_words_and_one_is_the_minimum(
    free: httpx.AsyncClient, words: int, minutes: int
) -> None:
    document_id = await create(free, content="word " * words)
    published = await publish(free, document_id)
    assert (published["word_count"], published["reading_time_minutes"]) == (words, minutes)


# Republishing


async def test_republishing_keeps_url_time_and_options(
    pro: httpx.AsyncClient, travel: Callable[[timedelta], None]
) -> None:
    document_id = await create(pro, title="Garden", content="x")
    options = {
        "slug": "garden",
        "description": "About it.",
        "hide_badge": True,
        "visibility": "public",
        "page_width": "wide",
    }
    first = await publish(pro, document_id, **options)
    before = await get(pro, document_id)
    page = await pro.get(first["published_url"])

    travel(timedelta(days=1))
    second = await publish(pro, document_id)

    assert second == first
    assert await get(pro, document_id) == before
    after = await pro.get(first["published_url"])
    assert after.text == page.text
    assert "x-robots-tag" not in after.headers
    assert BADGE_LINE not in after.text


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("description", "Other."),
        ("description", None),
        ("visibility", "link"),
        ("page_width", "full"),
    ],
)
async def test_republishing_changes_the_option_that_is_sent(
    pro: httpx.AsyncClient, option: str, value: str | None
) -> None:
    document_id = await create(pro)
    await publish(pro, document_id, slug="garden", description="D", visibility="public", page_width="wide")
    before = await get(pro, document_id)
    await publish(pro, document_id, **{option: value})
    after = await get(pro, document_id)
    assert {**after, "updated_at": ""} == {**before, option: value, "updated_at": ""}


async def test_title_changed_before_republishing_keeps_the_url(pro: httpx.AsyncClient) -> None:
    document_id = await create(pro, title="Garden")
    first = await publish(pro, document_id, visibility="public")
    await update(pro, document_id, title="Kitchen")
    second = await publish(pro, document_id)
    assert second["published_url"] == first["published_url"]
    assert second["title"] == "Kitchen"


async def test_page_width_set_before_publishing_is_stored(free: httpx.AsyncClient) -> None:
    document_id = await create(free)
    await update(free, document_id, page_width="wide", description="D")
    await publish(free, document_id)
    document = await get(free, document_id)
    assert (document["page_width"], document["description"], document["visibility"]) == ("wide", "D", "link")


# Updating published documents


@pytest.mark.parametrize(
    ("change", "shown"),
    [
        ({"content": "# New"}, {"content": "# New"}),
        ({"title": "New"}, {"title": "New"}),
        ({"template_id": "mono"}, {"template": "mono"}),
        ({"theme_mode": "dark"}, {"theme_mode": "dark"}),
        ({"description": "New & <b>"}, {"description": "New & <b>"}),
        ({"page_width": "full"}, {"page_width": "full"}),
    ],
)
async def test_change_shows_at_once_on_the_live_page(
    free: httpx.AsyncClient, change: dict[str, str], shown: dict[str, Any]
) -> None:
    published = await publish_new(free, "# Old", title="Old")
    url = published["published_url"]
    old = await free.get(url)
    assert old.text == page_of("# Old", title="Old", url=url)

    await update(free, published["id"], **change)

    new = await free.get(url, headers={"If-None-Match": old.headers["etag"]})
    assert new.status_code == 200
    assert new.text == page_of(**{"content": "# Old", "title": "Old", "url": url, **shown})
    assert new.headers["cache-control"] == "no-cache"
    document = await get(free, published["id"])
    assert document["is_published"] is True
    assert document["published_at"] == published["published_at"]


async def test_change_of_an_unpublished_document_shows_nowhere(free: httpx.AsyncClient) -> None:
    published = await publish_new(free, "old")
    await unpublish(free, published["id"])
    await update(free, published["id"], content="new")
    assert (await free.get(published["published_url"])).status_code == 404


# Unpublishing


async def test_unpublished_page_is_gone_and_the_document_stays(free: httpx.AsyncClient) -> None:
    published = await publish_new(free, "x", title="Garden", description="D")
    before = await get(free, published["id"])
    response = await free.delete(f"/v1/documents/{published['id']}/publish")

    assert (response.status_code, response.json()) == (200, {"id": published["id"], "is_published": False})
    gone = await free.get(published["published_url"])
    assert gone.status_code == 404
    assert "Garden" not in gone.text
    assert await get(free, published["id"]) == {**before, "is_published": False, "slug": None, "published_at": None}
    (summary,) = (await free.get("/v1/documents")).json()["data"]
    assert (summary["is_published"], summary["slug"]) == (False, None)


async def test_bytes_of_an_unpublished_page_are_not_stored(free: httpx.AsyncClient, database: Database) -> None:
    gone, stored = await publish_new(free), await publish_new(free)
    await unpublish(free, gone["id"])
    with database.read_transaction() as transaction:
        assert [row[0] for row in transaction.rows(Statement(PAGES.select()))] == [stored["id"]]


async def test_unpublishing_twice_or_what_never_was_published_is_the_same(free: httpx.AsyncClient) -> None:
    published = await publish_new(free)
    never = await create(free)
    for document_id in (published["id"], published["id"], never):
        response = await free.delete(f"/v1/documents/{document_id}/publish")
        assert (response.status_code, response.json()) == (200, {"id": document_id, "is_published": False})
    # The quota has room for three pages again.
    await publish(free, published["id"])
    await publish(free, never)
    await publish_new(free)


async def test_republishing_gives_the_same_url_and_a_new_time(
    free: httpx.AsyncClient, travel: Callable[[timedelta], None]
) -> None:
    first = await publish_new(free, "x", title="Garden")
    await unpublish(free, first["id"])
    travel(timedelta(days=1))

    second = await publish(free, first["id"])

    assert second["published_url"] == first["published_url"]
    assert second["published_at"] == "2026-03-02T12:00:00.123456Z"
    assert (await free.get(first["published_url"])).status_code == 200


async def test_republishing_keeps_the_options(pro: httpx.AsyncClient) -> None:
    document_id = await create(pro)
    first = await publish(
        pro, document_id, slug="garden", hide_badge=True, visibility="public", page_width="full", description="D"
    )
    page = await pro.get(first["published_url"])
    await unpublish(pro, document_id)
    await publish(pro, document_id)
    assert (await pro.get(first["published_url"])).text == page.text


# The page


async def test_page_is_the_librarys(pro: httpx.AsyncClient) -> None:
    document_id = await create(pro, title="T & t", content="# A\n\n*b*", template_id="nord", theme_mode="dark")
    url = (await publish(pro, document_id, description='Say "x"', page_width="full"))["published_url"]
    expected = page_of(
        "# A\n\n*b*",
        title="T & t",
        url=url,
        template="nord",
        theme_mode="dark",
        description='Say "x"',
        page_width="full",
    )
    assert (await pro.get(url)).text == expected
    assert f'<link rel="canonical" href="{url}" />' in expected
    assert '<meta name="description" content="Say &quot;x&quot;" />' in expected


async def test_page_that_only_a_link_leads_to_is_not_indexed(pro: httpx.AsyncClient) -> None:
    page = await pro.get((await publish_new(pro))["published_url"])
    assert page.headers["x-robots-tag"] == "noindex"
    assert '<meta name="robots" content="noindex" />' in page.text


async def test_public_page_may_be_indexed(pro: httpx.AsyncClient) -> None:
    document_id = await create(pro, content="x")
    url = (await publish(pro, document_id, visibility="public"))["published_url"]
    page = await pro.get(url)
    assert "x-robots-tag" not in page.headers
    assert page.text == page_of("x", url=url, indexed=True)
    assert "noindex" not in page.text

    await publish(pro, document_id, visibility="link")
    assert (await pro.get(url)).headers["x-robots-tag"] == "noindex"


async def test_badge_names_and_links_the_service_unless_hidden(pro: httpx.AsyncClient) -> None:
    document_id = await create(pro, content="x")
    url = (await publish(pro, document_id))["published_url"]
    assert (await pro.get(url)).text == page_of("x", url=url, badge=BADGE)
    assert BADGE_LINE in (await pro.get(url)).text

    await publish(pro, document_id, hide_badge=True)
    assert (await pro.get(url)).text == page_of("x", url=url, badge=None)
    await update(pro, document_id, content="y")
    assert (await pro.get(url)).text == page_of("y", url=url, badge=None)

    await publish(pro, document_id, hide_badge=False)
    assert (await pro.get(url)).text == page_of("y", url=url, badge=BADGE)


async def test_demo_page_is_not_indexed_and_shows_the_badge(client: httpx.AsyncClient) -> None:
    page = await client.get((await publish_demo(client))["url"])
    assert page.headers["x-robots-tag"] == "noindex"
    assert BADGE_LINE in page.text


async def test_page_is_sandboxed_as_a_demo_is(free: httpx.AsyncClient) -> None:
    demo = await free.get((await publish_demo(free))["url"])
    page = await free.get((await publish_new(free))["published_url"])
    assert page.headers["content-security-policy"] == demo.headers["content-security-policy"]
    assert "allow-same-origin" not in page.headers["content-security-policy"]


async def test_publishing_counts_one_request_however_often_it_reads(free: httpx.AsyncClient) -> None:
    document_id = await create(free)
    before = await used(free)
    await publish(free, document_id)
    assert await used(free) == before + 1
