"""Secrets shown after a redirect: they survive reload and Back, for ten minutes, and nobody else can read them."""

from datetime import timedelta

import httpx
import pytest
from sqlalchemy import select

from mdpublish_server.settings import read_settings
from mdpublish_server.storage import Database
from mdpublish_server.storage.tables import DEMO_PAGES, SERVER_KEYS
from mdpublish_server.storage.transactions import Statement
from tests.server.conftest import Travel

pytestmark = pytest.mark.anyio

FORM = {"content": "# Hello", "template_id": "swiss", "theme_mode": "light"}

OWNER_LINK = "/claim/"


async def publish(client: httpx.AsyncClient) -> str:
    """Publish a demo, and return the path of the page that shows its owner link."""
    response = await client.post("/", data=FORM)
    assert response.status_code == 303, response.text
    return response.headers["location"]


async def test_owner_link_is_shown_after_reload_and_after_reading_the_page(client: httpx.AsyncClient) -> None:
    path = await publish(client)
    first = await client.get(path)
    await client.get(f"/p/{path.rpartition('/')[2]}")

    reloaded = await client.get(path)

    assert OWNER_LINK in first.text
    assert reloaded.text == first.text


@pytest.mark.parametrize("other", ["/", "/signin", "/account"])
async def test_another_page_of_the_site_deletes_it(client: httpx.AsyncClient, other: str) -> None:
    path = await publish(client)

    await client.get(other)

    page = await client.get(path)
    assert page.status_code == 200
    assert OWNER_LINK not in page.text
    assert "It is not shown again" in page.text


async def test_it_lasts_ten_minutes(client: httpx.AsyncClient, travel: Travel) -> None:
    path = await publish(client)

    travel(timedelta(minutes=10))
    assert OWNER_LINK in (await client.get(path)).text
    travel(timedelta(seconds=1))
    assert OWNER_LINK not in (await client.get(path)).text


async def test_cookie_is_encrypted_and_for_the_server_alone(client: httpx.AsyncClient, database: Database) -> None:
    response = await client.post("/", data=FORM)
    cookie = response.headers["set-cookie"]
    page = await client.get(response.headers["location"])
    token = page.text.partition(OWNER_LINK)[2][:36]

    assert token not in cookie
    assert "HttpOnly; Max-Age=600; Path=/; SameSite=lax" in cookie
    with database.read_transaction() as transaction:
        stored = repr([transaction.rows(Statement(select(table))) for table in (DEMO_PAGES, SERVER_KEYS)])
    assert token not in stored


@pytest.mark.parametrize("value", ["x", "", "gAAAAAB" + "a" * 300, "\\"])
async def test_cookie_of_another_origin_shows_nothing(client: httpx.AsyncClient, value: str) -> None:
    path = await publish(client)
    client.cookies.clear()

    page = await client.get(path, headers={"Cookie": f"secret={value}"})

    assert page.status_code == 200
    assert OWNER_LINK not in page.text


async def test_secret_of_one_page_is_not_shown_on_another(client: httpx.AsyncClient) -> None:
    first, second = await publish(client), await publish(client)
    cookie = {"Cookie": f"secret={client.cookies['secret']}"}

    assert OWNER_LINK not in (await client.get(first, headers=cookie)).text
    assert OWNER_LINK in (await client.get(second, headers=cookie)).text


def test_cookie_is_bound_to_the_host_over_https() -> None:
    assert read_settings({"MDPUBLISH_PUBLIC_URL": "https://example.org"}).cookie_prefix == "__Host-"


async def test_owner_link_of_a_deleted_demo_is_gone(client: httpx.AsyncClient) -> None:
    path = await publish(client)
    page = await client.get(path)
    token = page.text.partition(OWNER_LINK)[2][:36]
    cookie = client.cookies["secret"]
    await client.post(f"/claim/{token}/delete")

    gone = await client.get(path, headers={"Cookie": f"secret={cookie}"})

    assert gone.status_code == 404
