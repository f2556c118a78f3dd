"""Social images of published pages: URLs, caching, and rendering each only once."""

import asyncio
import re
import struct
from collections.abc import Iterator
from datetime import datetime

import httpx
import pytest

from mdpublish_core import social_image
from mdpublish_server.app import make_app
from mdpublish_server.conversion.converter import Converter
from mdpublish_server.services.accounts import set_username, suspend, take_page_down
from mdpublish_server.services.demos import DEMO_LIFETIME
from mdpublish_server.settings import Settings
from mdpublish_server.state import AppState
from mdpublish_server.storage import Database
from mdpublish_server.storage.accounts import find_account_by_email
from tests.sampling import sampled
from tests.server.api_requests import SITE, publish_demo
from tests.server.conftest import NOW, Travel

pytestmark = pytest.mark.anyio


@pytest.fixture
async def demo(client: httpx.AsyncClient) -> str:
    body = {"content": "# Hello", "title": "Greeting", "template_id": "paper", "theme_mode": "dark"}
    return str((await client.post("/v1/demo/publish", json=body)).json()["url"])


async def published(owner: httpx.AsyncClient, *, title: str = "A title", visibility: str = "link") -> dict[str, str]:
    created = (await owner.post("/v1/documents", json={"content": "text", "title": title})).json()
    response = await owner.post(f"/v1/documents/{created['id']}/publish", json={"visibility": visibility})
    assert response.status_code == 200, response.text
    return {"id": created["id"], "url": response.json()["published_url"]}


async def test_image_shows_title_template_and_site(client: httpx.AsyncClient, demo: str) -> None:
    response = await client.get(f"{demo}.png")

    assert response.status_code == 200
    assert response.headers["content-type"] == "image/png"
    assert response.content == social_image("Greeting", template="paper", theme_mode="dark", site_name="mdpublish")
    assert struct.unpack(">II", response.content[16:24]) == (1200, 630)


async def test_image_of_an_untitled_page_shows_the_first_heading(
    client: httpx.AsyncClient, pro: httpx.AsyncClient, jobs: list[str]
) -> None:
    created = (await pro.post("/v1/documents/publish", json={"content": "Text\n\n# Garden *day*"})).json()
    for heading in ("Garden day", "Tool day"):
        jobs.clear()
        for _ in range(2):
            image = await client.get(f"{created['published_url']}.png")
            assert image.content == social_image(heading, site_name="mdpublish")
        assert jobs == ["read_title", "social_image"]
        await pro.patch(f"/v1/documents/{created['id']}", json={"content": "# Tool day"})


async def test_images_exist_for_all_kinds_of_pages(
    client: httpx.AsyncClient, free: httpx.AsyncClient, pro: httpx.AsyncClient, demo: str
) -> None:
    urls = [demo, (await published(free))["url"], (await published(pro))["url"]]

    assert [re.sub("^http://[^/]*/(.).*", r"\1", url) for url in urls] == ["p", "d", "u"]
    assert [(await client.get(f"{url}.png")).status_code for url in urls] == [200, 200, 200]


async def test_image_of_a_public_page_may_be_shown_by_others_and_is_revalidated(
    client: httpx.AsyncClient, pro: httpx.AsyncClient
) -> None:
    response = await client.get(f"{(await published(pro, visibility='public'))['url']}.png")

    assert response.headers["cache-control"] == "no-cache"
    assert response.headers["x-content-type-options"] == "nosniff"
    assert response.headers["cross-origin-resource-policy"] == "cross-origin"
    assert "x-robots-tag" not in response.headers


async def test_image_of_a_page_for_those_with_its_link_is_not_listed(
    client: httpx.AsyncClient, pro: httpx.AsyncClient, demo: str
) -> None:
    for url in (demo, (await published(pro))["url"]):
        response = await client.get(f"{url}.png")

        assert response.headers["cache-control"] == "no-cache"
        assert response.headers["x-robots-tag"] == "noindex"


async def test_image_that_is_known_is_not_resent_nor_rendered(
    client: httpx.AsyncClient, pro: httpx.AsyncClient, jobs: list[str]
) -> None:
    url = (await published(pro, visibility="public", title="Known"))["url"]
    tag = (await client.head(f"{url}.png")).headers["etag"]
    jobs.clear()

    for known in (tag, f"W/{tag}", f'"other", {tag}', "*"):
        response = await client.get(f"{url}.png", headers={"If-None-Match": known})
        assert (response.status_code, response.content) == (304, b"")
        assert response.headers["etag"] == tag
        assert response.headers["cache-control"] == "no-cache"
    assert jobs == []
    assert (await client.get(f"{url}.png", headers={"If-None-Match": '"other"'})).status_code == 200


async def test_304_needs_no_rendering_even_of_a_image_that_never_was(
    client: httpx.AsyncClient, pro: httpx.AsyncClient, jobs: list[str]
) -> None:
    url = (await published(pro, title="Not seen before"))["url"]
    jobs.clear()

    response = await client.get(f"{url}.png", headers={"If-None-Match": "*"})

    assert response.status_code == 304
    assert jobs == []


async def test_tag_changes_with_what_is_shown(client: httpx.AsyncClient, pro: httpx.AsyncClient) -> None:
    rows: tuple[dict[str, str], ...] = ({"title": "Another"}, {"template_id": "ink"}, {"theme_mode": "dark"})
    for change in rows:
        page = await published(pro)
        before = await client.get(f"{page['url']}.png")
        await pro.patch(f"/v1/documents/{page['id']}", json=change)
        after = await client.get(f"{page['url']}.png")

        assert before.headers["etag"] != after.headers["etag"], change
        assert before.content != after.content, change


async def test_tag_stays_while_only_the_content_changes(client: httpx.AsyncClient, pro: httpx.AsyncClient) -> None:
    page = await published(pro)
    before = await client.get(f"{page['url']}.png")
    await pro.patch(f"/v1/documents/{page['id']}", json={"content": "other"})
    after = await client.get(f"{page['url']}.png")

    assert before.headers["etag"] == after.headers["etag"]


async def test_image_is_drawn_once(client: httpx.AsyncClient, demo: str, jobs: list[str]) -> None:
    jobs.clear()

    responses = await asyncio.gather(*(client.get(f"{demo}.png") for _ in range(8)))
    later = await client.get(f"{demo}.png?v=2")

    assert {response.content for response in [*responses, later]} == {later.content}
    assert jobs == ["social_image"]


async def test_other_methods_are_refused(client: httpx.AsyncClient, demo: str) -> None:
    response = await client.post(f"{demo}.png")

    assert (response.status_code, response.headers["allow"]) == (405, "GET, HEAD")


async def test_missing_page_has_no_image(client: httpx.AsyncClient) -> None:
    for path in (
        "/u/nobody/nothing.png",
        "/d/nothing.png",
        "/p/nothing.png",
        "/p/.png",
        "/d/a.b.png",
        "/d/%00.png",
        "/u/a/%2e.png",
    ):
        response = await client.get(path)

        assert response.status_code == 404, path
        assert response.headers["content-type"] == "text/html; charset=utf-8", path
        assert response.headers["cache-control"] == "no-store", path


async def test_image_moves_with_its_page(client: httpx.AsyncClient, pro: httpx.AsyncClient, database: Database) -> None:
    url = (await published(pro, title="Moved"))["url"]
    with database.write_transaction() as transaction:
        account = find_account_by_email(transaction, "pro@example.org")
        assert account
        set_username(transaction, account, "other-user", now=NOW)
    moved, page = await client.get(f"{url}.png"), await client.get(url)

    assert (moved.status_code, page.status_code) == (301, 301)
    assert moved.headers["location"] == f"{page.headers['location']}.png"
    assert moved.headers["cache-control"] == "no-cache"
    assert (await client.get(moved.headers["location"])).status_code == 200


async def test_image_expires_with_its_page(client: httpx.AsyncClient, demo: str, travel: Travel) -> None:
    assert (await client.get(f"{demo}.png")).status_code == 200
    travel(DEMO_LIFETIME)

    assert (await client.get(f"{demo}.png")).status_code == (await client.get(demo)).status_code == 410


async def test_image_is_gone_with_its_page(
    client: httpx.AsyncClient, pro: httpx.AsyncClient, database: Database
) -> None:
    first, second, third = [await published(pro) for _ in range(3)]
    images = [f"{each['url']}.png" for each in (first, second, third)]
    assert [(await client.get(url)).status_code for url in images] == [200, 200, 200]

    await pro.delete(f"/v1/documents/{first['id']}/publish")
    with database.write_transaction() as transaction:
        take_page_down(transaction, second["id"])
    assert [(await client.get(url)).status_code for url in images] == [404, 404, 200]

    with database.write_transaction() as transaction:
        account = find_account_by_email(transaction, "pro@example.org")
        assert account
        suspend(transaction, account, suspended=True)
    assert [(await client.get(url)).status_code for url in images] == [404, 404, 404]


@pytest.fixture(scope="module")
def harmed() -> Iterator[Converter]:
    """Workers that fail on marked titles."""
    converter = Converter(
        workers=1, demo_workers=1, jobs_module="tests.server.conversion_jobs", seconds=1.0, backstop=60.0
    )
    yield converter
    converter.close()


@pytest.mark.parametrize("harm", ["echo:no picture", *sampled(["raise:x", "abort:", "crash:", "exit:", "spin:"], 4)])
async def test_failure_is_a_page_that_reports_it_and_the_next_image_is_drawn(
    client: httpx.AsyncClient,
    settings: Settings,
    database: Database,
    harmed: Converter,
    times: list[datetime],
    harm: str,
) -> None:
    urls = [(await publish_demo(client, "a", title=title))["url"] for title in (harm, "Harmless")]
    app = make_app(AppState(settings, database=database, converter=harmed, clock=lambda: times[-1]))
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url=SITE) as harmed_client:
        failed, following = [await harmed_client.get(f"{url}.png") for url in urls]

    assert failed.status_code == 500
    assert failed.headers["content-type"] == "text/html; charset=utf-8"
    assert failed.headers["cache-control"] == "no-store"
    assert following.status_code == 200
