"""The pictures of published pages: where they are, who may keep them, and that none is drawn twice."""

import asyncio
import re
import struct
from collections.abc import AsyncIterator, Callable, Iterator
from datetime import datetime, timedelta
from typing import Any

import httpx
import pytest

from mdpublish_core import social_image
from mdpublish_server.accounts import set_username, suspend, take_page_down
from mdpublish_server.app import make_app
from mdpublish_server.conversion import Converter, Share, UnfurlRequest
from mdpublish_server.demos import DEMO_LIFETIME
from mdpublish_server.errors import RenderError
from mdpublish_server.settings import Settings
from mdpublish_server.state import make_state
from mdpublish_server.storage import Database
from mdpublish_server.storage.accounts import find_account_by_email
from mdpublish_server.web.public.unfurls import CACHE_BYTES, _Kept

pytestmark = pytest.mark.anyio


@pytest.fixture
def drawn(converter: Converter) -> Iterator[list[str]]:
    """The jobs that workers did, by name."""
    jobs: list[str] = []
    converter.observe(lambda job, _outcome, _seconds: jobs.append(job))
    yield jobs
    converter.observe(lambda _job, _outcome, _seconds: None)


@pytest.fixture
async def demo(client: httpx.AsyncClient) -> str:
    body = {"content": "# Hello", "title": "Greeting", "template_id": "paper", "theme_mode": "dark"}
    return str((await client.post("/v1/demo/publish", json=body)).json()["url"])


async def published(owner: httpx.AsyncClient, *, title: str = "A title", visibility: str = "link") -> dict[str, str]:
    created = (await owner.post("/v1/documents", json={"content": "text", "title": title})).json()
    answer = await owner.post(f"/v1/documents/{created['id']}/publish", json={"visibility": visibility})
    assert answer.status_code == 200, answer.text
    return {"id": created["id"], "url": answer.json()["published_url"]}


async def test_picture_shows_title_template_and_site(client: httpx.AsyncClient, demo: str) -> None:
    answer = await client.get(f"{demo}.png")

    assert answer.status_code == 200
    assert answer.headers["content-type"] == "image/png"
    assert answer.content == social_image("Greeting", template="paper", theme_mode="dark", site_name="mdpublish")
    assert struct.unpack(">II", answer.content[16:24]) == (1200, 630)


async def test_page_names_its_picture(client: httpx.AsyncClient, demo: str) -> None:
    page = await client.get(demo)

    assert re.findall('property="og:image" content="(.*?)"', page.text) == [f"{demo}.png"]


async def test_pictures_are_beside_all_kinds_of_pages(
    client: httpx.AsyncClient, free: httpx.AsyncClient, pro: httpx.AsyncClient, demo: str
) -> None:
    urls = [demo, (await published(free))["url"], (await published(pro))["url"]]

    assert [re.sub("^http://[^/]*/(.).*", r"\1", url) for url in urls] == ["p", "d", "u"]
    assert [(await client.get(f"{url}.png")).status_code for url in urls] == [200, 200, 200]


async def test_picture_of_a_public_page_may_be_shown_by_others_and_is_asked_for_anew(
    client: httpx.AsyncClient, pro: httpx.AsyncClient
) -> None:
    answer = await client.get(f"{(await published(pro, visibility='public'))['url']}.png")

    assert answer.headers["cache-control"] == "no-cache"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["cross-origin-resource-policy"] == "cross-origin"
    assert "x-robots-tag" not in answer.headers


async def test_picture_of_a_page_for_those_with_its_link_is_not_listed(
    client: httpx.AsyncClient, pro: httpx.AsyncClient, demo: str
) -> None:
    for url in (demo, (await published(pro))["url"]):
        answer = await client.get(f"{url}.png")

        assert answer.headers["cache-control"] == "no-cache"
        assert answer.headers["x-robots-tag"] == "noindex"


async def test_picture_that_is_known_is_not_sent_again_nor_drawn(
    client: httpx.AsyncClient, pro: httpx.AsyncClient, drawn: list[str]
) -> None:
    url = (await published(pro, visibility="public", title="Known"))["url"]
    tag = (await client.head(f"{url}.png")).headers["etag"]
    drawn.clear()

    for known in (tag, f"W/{tag}", f'"other", {tag}', "*"):
        answer = await client.get(f"{url}.png", headers={"If-None-Match": known})
        assert (answer.status_code, answer.content) == (304, b"")
        assert answer.headers["etag"] == tag
        assert answer.headers["cache-control"] == "no-cache"
    assert drawn == []
    assert (await client.get(f"{url}.png", headers={"If-None-Match": '"other"'})).status_code == 200


async def test_304_needs_no_drawing_even_of_a_picture_that_never_was(
    client: httpx.AsyncClient, pro: httpx.AsyncClient, drawn: list[str]
) -> None:
    url = (await published(pro, title="Not seen before"))["url"]
    drawn.clear()

    answer = await client.get(f"{url}.png", headers={"If-None-Match": "*"})

    assert answer.status_code == 304
    assert drawn == []


@pytest.mark.parametrize(
    "change",
    [{"title": "Another"}, {"template_id": "ink"}, {"theme_mode": "dark"}],
    ids=lambda change: next(iter(change)),
)
async def test_tag_changes_with_what_is_shown(
    client: httpx.AsyncClient, pro: httpx.AsyncClient, change: dict[str, str]
) -> None:
    page = await published(pro)
    before = await client.get(f"{page['url']}.png")
    await pro.patch(f"/v1/documents/{page['id']}", json=change)
    after = await client.get(f"{page['url']}.png")

    assert before.headers["etag"] != after.headers["etag"]
    assert before.content != after.content


async def test_tag_stays_while_only_the_text_changes(client: httpx.AsyncClient, pro: httpx.AsyncClient) -> None:
    page = await published(pro)
    before = await client.get(f"{page['url']}.png")
    await pro.patch(f"/v1/documents/{page['id']}", json={"content": "other"})
    after = await client.get(f"{page['url']}.png")

    assert before.headers["etag"] == after.headers["etag"]


async def test_picture_is_drawn_once(client: httpx.AsyncClient, demo: str, drawn: list[str]) -> None:
    drawn.clear()

    answers = await asyncio.gather(*(client.get(f"{demo}.png") for _ in range(8)))
    later = await client.get(f"{demo}.png?v=2")

    assert {answer.content for answer in [*answers, later]} == {later.content}
    assert drawn == ["unfurl"]


async def test_head_has_the_headers_of_get(client: httpx.AsyncClient, demo: str) -> None:
    head, answer = await client.head(f"{demo}.png"), await client.get(f"{demo}.png")

    names = ("content-type", "content-length", "etag", "cache-control")
    assert [head.headers[name] for name in names] == [answer.headers[name] for name in names]


async def test_other_methods_are_refused(client: httpx.AsyncClient, demo: str) -> None:
    answer = await client.post(f"{demo}.png")

    assert (answer.status_code, answer.headers["allow"]) == (405, "GET, HEAD")


@pytest.mark.parametrize(
    "path",
    [
        "/u/nobody/nothing.png",
        "/d/nothing.png",
        "/p/nothing.png",
        "/p/.png",
        "/d/a.b.png",
        "/d/%00.png",
        "/u/a/%2e.png",
    ],
)
async def test_where_no_page_is_there_is_no_picture(client: httpx.AsyncClient, path: str) -> None:
    answer = await client.get(path)

    assert answer.status_code == 404
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["cache-control"] == "no-store"


async def test_picture_moves_with_its_page(
    client: httpx.AsyncClient, pro: httpx.AsyncClient, database: Database
) -> None:
    url = (await published(pro, title="Moved"))["url"]
    with database.writing() as transaction:
        account = find_account_by_email(transaction, "pro@example.org")
        assert account
        set_username(transaction, account, "other-user")
    moved, page = await client.get(f"{url}.png"), await client.get(url)

    assert (moved.status_code, page.status_code) == (301, 301)
    assert moved.headers["location"] == f"{page.headers['location']}.png"
    assert moved.headers["cache-control"] == "no-cache"
    assert (await client.get(moved.headers["location"])).status_code == 200


async def test_picture_expires_with_its_page(
    client: httpx.AsyncClient, demo: str, travel: Callable[[timedelta], None]
) -> None:
    assert (await client.get(f"{demo}.png")).status_code == 200
    travel(DEMO_LIFETIME)

    assert (await client.get(f"{demo}.png")).status_code == (await client.get(demo)).status_code == 410


async def test_picture_is_gone_with_its_page(
    client: httpx.AsyncClient, pro: httpx.AsyncClient, database: Database
) -> None:
    first, second, third = [await published(pro) for _ in range(3)]
    pictures = [f"{each['url']}.png" for each in (first, second, third)]
    assert [(await client.get(url)).status_code for url in pictures] == [200, 200, 200]

    await pro.delete(f"/v1/documents/{first['id']}/publish")
    with database.writing() as transaction:
        take_page_down(transaction, second["id"])
    assert [(await client.get(url)).status_code for url in pictures] == [404, 404, 200]

    with database.writing() as transaction:
        account = find_account_by_email(transaction, "pro@example.org")
        assert account
        suspend(transaction, account, suspended=True)
    assert [(await client.get(url)).status_code for url in pictures] == [404, 404, 404]


class TestWhereDrawingFails:
    """Workers whose job fails on titles that say so."""

    @pytest.fixture
    def harmed(self) -> Iterator[Converter]:
        converter = Converter(workers=1, demo_workers=1, jobs_module="tests.server.conversion_jobs", seconds=1.5)
        yield converter
        converter.close()

    @pytest.fixture
    async def harmed_client(
        self, settings: Settings, database: Database, harmed: Converter, times: list[datetime]
    ) -> AsyncIterator[httpx.AsyncClient]:
        state = make_state(settings, database=database, converter=harmed, clock=lambda: times[-1])
        transport: Any = httpx.ASGITransport(make_app(state), raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000") as client:
            yield client

    @pytest.mark.parametrize("harm", ["abort:", "crash:", "exit:", "hang:", "raise:x", "spin:"])
    async def test_failure_is_a_page_that_says_so_and_the_next_picture_is_drawn(
        self, client: httpx.AsyncClient, harmed_client: httpx.AsyncClient, harm: str
    ) -> None:
        urls = [
            (await client.post("/v1/demo/publish", json={"content": "a", "title": title})).json()["url"]
            for title in (harm, "Harmless")
        ]

        failed = await harmed_client.get(f"{urls[0]}.png")
        following = await harmed_client.get(f"{urls[1]}.png")

        assert failed.status_code == 500
        assert failed.headers["content-type"] == "text/html; charset=utf-8"
        assert failed.headers["cache-control"] == "no-store"
        assert following.status_code == 200

    async def test_what_is_no_picture_is_not_sent(self, harmed: Converter) -> None:
        request = UnfurlRequest(title="echo:no picture", template_id="swiss", theme_mode="light", site_name="")

        with pytest.raises(RenderError):
            await harmed.unfurl(request, share=Share.DEMO, caller="a")


def test_memory_for_pictures_is_bounded() -> None:
    kept = _Kept(100)  # bytes
    for number in range(10):
        kept.put(str(number), bytes(30))
    kept.get("7")
    kept.put("10", bytes(30))
    kept.put("10", bytes(40))

    assert [number for number in range(11) if kept.get(str(number))] == [7, 9, 10]
    assert kept.get("10") == bytes(40)
    assert CACHE_BYTES <= 32_000_000
