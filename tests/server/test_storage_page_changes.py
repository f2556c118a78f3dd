"""The counters of changed pages: raised by what changes a page that was seen, and by nothing else."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import datetime

import httpx
import pytest

from mdpublish_server.errors import ServiceError
from mdpublish_server.services.accounts import set_username, suspend
from mdpublish_server.services.page_access import ANYBODY
from mdpublish_server.services.page_serving import PageServer, PageView
from mdpublish_server.state import AppState
from mdpublish_server.storage import Account, Database, Stamp
from mdpublish_server.storage.accounts import delete_account, find_account, set_default_language, set_plan
from mdpublish_server.storage.page_changes import page_changes
from tests.server.api_requests import claim, create, delete, publish, publish_demo, publish_new, unpublish, update, used
from tests.server.conftest import MakeOwner, Owner

pytestmark = pytest.mark.anyio

PATHS = ("/u/anna/garden", "/u/anna/kitchen", "/u/anna-b/garden", "/u/anna-b/kitchen", "/d/garden", "/d/kitchen")

Seen = dict[str, tuple[str | None, str | None, bool, datetime | None]]


class Site:
    """The pages as a process without memory sees them."""

    def __init__(self, state: AppState, paths: list[str]) -> None:
        self.state = state
        self.paths = paths

    async def seen(self) -> Seen:
        server = PageServer(self.state.database, self.state.page_server._pages, self.state.clock)
        views = {path: await view_of(server, path) for path in self.paths}
        return {
            path: (view.page.etag if view.page else None, view.moved_to, view.is_indexed, view.until)
            for path, view in views.items()
            if view is not None
        }

    async def stamp(self) -> Stamp:
        return await self.state.database.read(page_changes)

    @asynccontextmanager
    async def changed(self) -> AsyncIterator[None]:
        """Pages that were seen look different, and the counter says so."""
        before, stamp = await self.seen(), await self.stamp()
        yield
        after = await self.seen()
        assert [path for path, view in before.items() if after.get(path) != view]
        assert (await self.stamp()).changes != stamp.changes

    @asynccontextmanager
    async def added(self) -> AsyncIterator[None]:
        """There are new pages; those that were seen are as they were."""
        before, stamp = await self.seen(), await self.stamp()
        yield
        assert before.items() <= (await self.seen()).items()
        now = await self.stamp()
        assert now.additions != stamp.additions
        assert now.changes == stamp.changes

    @asynccontextmanager
    async def unchanged(self) -> AsyncIterator[None]:
        before, stamp = await self.seen(), await self.stamp()
        yield
        assert await self.seen() == before
        assert await self.stamp() == stamp


async def view_of(server: PageServer, path: str) -> PageView | None:
    try:
        return await server.view(path, network="tests", visitor=ANYBODY)
    except ServiceError:
        return None


@pytest.fixture
def site(state: AppState) -> Site:
    return Site(state, list(PATHS))


@pytest.fixture
def owner(make_owner: MakeOwner) -> Owner:
    return make_owner("anna", plan="pro", username="anna")


@pytest.fixture
def anna(client: httpx.AsyncClient, owner: Owner) -> httpx.AsyncClient:
    client.headers.update(owner.headers)
    return client


@pytest.fixture
def account(database: Database, owner: Owner) -> Callable[[Callable[..., object]], Awaitable[None]]:
    """Changes Anna's account: `await account(lambda transaction, account: ...)`."""

    async def change(work: Callable[..., object]) -> None:
        def run(transaction: object) -> None:
            one = find_account(transaction, owner.account.id)
            assert isinstance(one, Account)
            work(transaction, one)

        await database.write(run)

    return change


async def test_drafts_requests_and_new_accounts_change_no_page(
    anna: httpx.AsyncClient, site: Site, make_owner: MakeOwner
) -> None:
    await publish_new(anna, slug="garden")
    async with site.unchanged():
        draft = await create(anna, content="x")
        await update(anna, draft, content="y", title="Z")
        converted = await anna.post("/v1/convert", json={"markdown": "x", "output_format": "html"})
        assert converted.status_code == 200, converted.text
        await used(anna)
        make_owner("ben", username="ben")
        await delete(anna, draft)


async def test_new_pages_change_no_other(anna: httpx.AsyncClient, site: Site) -> None:
    await publish_new(anna, slug="garden")
    async with site.added():
        await publish(anna, await create(anna, content="x"), slug="kitchen")
    async with site.added():
        await publish_new(anna, "y")
    async with site.added():
        await publish_demo(anna)


async def test_edits_are_changes(anna: httpx.AsyncClient, site: Site) -> None:
    document = (await publish_new(anna, slug="garden", visibility="link"))["id"]
    async with site.changed():
        await update(anna, document, content="y")
    async with site.changed():
        await update(anna, document, visibility="public")
    async with site.changed():
        await publish(anna, document, slug="kitchen")
    async with site.changed():
        await unpublish(anna, document)
    async with site.added():
        await publish(anna, document)
    async with site.changed():
        await delete(anna, document)


async def test_what_concerns_an_account_is_a_change(
    anna: httpx.AsyncClient, site: Site, state: AppState, account: Callable[[Callable[..., object]], Awaitable[None]]
) -> None:
    await publish_new(anna, slug="garden", hide_badge=True)
    now = state.clock()
    async with site.changed():
        await account(lambda transaction, one: set_plan(transaction, one.id, "free", until=None))
    async with site.changed():
        await account(lambda transaction, one: set_default_language(transaction, one.id, "tr"))
    async with site.changed():
        await account(lambda transaction, one: set_username(transaction, one, "anna-b", now=now))
    async with site.changed():
        await account(lambda transaction, one: suspend(transaction, one, suspended=True))
    await account(lambda transaction, one: suspend(transaction, one, suspended=False))
    async with site.changed():
        await account(lambda transaction, one: delete_account(transaction, one.id))


async def test_new_slug_of_a_released_username_ends_a_redirect(
    anna: httpx.AsyncClient,
    site: Site,
    state: AppState,
    account: Callable[[Callable[..., object]], Awaitable[None]],
    make_owner: MakeOwner,
) -> None:
    await publish_new(anna, slug="garden")
    now = state.clock()
    async with site.changed():
        await account(lambda transaction, one: set_username(transaction, one, "anna-b", now=now))
    async with site.unchanged():
        second = make_owner("second", plan="pro", username="anna")
    anna.headers.update(second.headers)
    async with site.changed():
        await publish_new(anna, "of the second", slug="garden")


async def test_claim_of_a_demo_page_is_a_change(anna: httpx.AsyncClient, site: Site) -> None:
    demo = await publish_demo(anna)
    site.paths.append(httpx.URL(demo["url"]).path)
    assert site.paths[-1] in await site.seen()
    async with site.changed():
        assert (await claim(anna, demo["claim_token"])).status_code == 200
