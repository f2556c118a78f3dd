"""API keys on the site: created, shown once, used, revoked; never another account's."""

import logging
import re
import shlex
from datetime import datetime, timedelta
from hashlib import sha256
from html import unescape

import httpx
import pytest
from sqlalchemy import select

from mdpublish_server.storage import Database, Key
from mdpublish_server.storage.keys import list_keys
from mdpublish_server.storage.tables import KEYS
from mdpublish_server.storage.transactions import Statement
from tests.server.api_requests import MISSING
from tests.server.browsers import Connect, Member, account_now, alerts, make_member, notices, whole
from tests.server.conftest import Travel

pytestmark = pytest.mark.anyio

PAGE = "/account/keys"

RAW = re.compile(r"svc_[0-9a-f]{64}")


@pytest.fixture
def berta(database: Database, client_from: Connect, times: list[datetime]) -> Member:
    return make_member(database, client_from, "berta", now=times[-1])


def keys(database: Database, member: Member) -> list[Key]:
    with database.read_transaction() as transaction:
        return list(list_keys(transaction, member.account.id))


async def test_key_is_shown_until_the_page_is_left_and_works(
    anna: Member, database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG):
        created = await anna.browser.post(PAGE, data={"name": " A <b>laptop</b> "})
        page = await anna.browser.get(created.headers["location"])

    assert (created.status_code, created.headers["location"]) == (303, PAGE)
    assert (page.status_code, page.headers["cache-control"]) == (200, "no-store")
    (raw,) = set(RAW.findall(page.text))
    assert f"<code>{raw}</code>" in page.text
    assert "<b>" not in page.text
    assert raw not in str(created.headers)
    assert raw not in str(page.headers)
    assert raw not in caplog.text
    response = await anna.program.get("/v1/usage", headers={"Authorization": f"Bearer {raw}"})
    assert response.status_code == 200
    # Shown by a reload, but not after another page; and not stored.
    assert RAW.findall((await anna.browser.get(PAGE)).text)
    for path in ("/account", PAGE, "/account/settings"):
        assert not RAW.search((await anna.browser.get(path)).text)
    with database.read_transaction() as transaction:
        stored = str(transaction.rows(Statement(select(*KEYS.c))))
    assert raw not in stored
    assert sha256(raw.encode()).hexdigest() in stored


async def test_command_with_the_new_key_works(anna: Member, client: httpx.AsyncClient) -> None:
    created = await anna.browser.post(PAGE, data={"name": "Laptop"}, follow_redirects=True)
    (command,) = re.findall(r"<code>(curl .*?)</code>", unescape(created.text))
    program, option, header, url = shlex.split(command)
    name, _, value = header.partition(": ")

    response = await client.get(url, headers={name: value})

    assert (program, option) == ("curl", "-H")
    assert (response.status_code, response.json()["tier"]) == (200, "free")


async def test_list_shows_name_last_four_and_use(anna: Member, database: Database, travel: Travel) -> None:
    (key,) = keys(database, anna)
    page = await anna.browser.get(PAGE)
    assert f"svc_…{key.last_four}" in page.text
    assert "annas key" in page.text
    assert "Never used" in page.text
    assert 'Created <time datetime="2026-03-01T12:00:00.123456+00:00">1 March 2026</time>' in page.text
    travel(timedelta(days=1))
    await anna.program.get("/v1/usage")
    page = await anna.browser.get(PAGE)
    assert re.search(r"Last used <time [^>]+>2 March 2026, 12:00 UTC</time>", page.text)
    for secret in (key.key_hash, key.key_hash[:16]):
        assert secret not in page.text


async def test_account_has_a_maximum_of_two_active_keys(anna: Member, database: Database) -> None:
    assert "1 of 2 used" in (await anna.browser.get(PAGE)).text
    assert (await anna.browser.post(PAGE, data={"name": "second"})).status_code == 303
    await anna.browser.get("/account")
    full = await anna.browser.get(PAGE)
    assert "2 of 2 used. Revoke one to create another." in full.text
    assert '<button disabled aria-describedby="used">Create key</button>' in full.text
    assert 'id="name"' not in full.text
    page = await anna.browser.post(PAGE, data={"name": "third <i>"})
    assert (page.status_code, alerts(page)) == (
        403,
        ["An account can have at most 2 active keys; revoke one first."],
    )
    assert 'value="third &lt;i&gt;"' in page.text
    assert not RAW.search(page.text)
    assert len(keys(database, anna)) == 2


@pytest.mark.parametrize(("name", "stored"), [("", "API key"), ("\x00\n", "API key"), ("x" * 100, "x" * 100)])
async def test_name_is_cleaned(anna: Member, database: Database, name: str, stored: str) -> None:
    assert (await anna.browser.post(PAGE, data={"name": name})).status_code == 303
    assert {key.name for key in keys(database, anna)} == {"annas key", stored}


async def test_name_that_is_too_long_is_reported_at_the_field(anna: Member, database: Database) -> None:
    page = await anna.browser.post(PAGE, data={"name": "x" * 101})
    assert (page.status_code, alerts(page)) == (400, ["Name must be at most 100 characters (got 101)."])
    assert f'value="{"x" * 101}"' in page.text
    assert 'aria-describedby="name-error name-hint"' in page.text
    assert len(keys(database, anna)) == 1


async def test_revoking_is_confirmed_and_holds_at_once(anna: Member, database: Database) -> None:
    (key,) = keys(database, anna)
    page = await anna.browser.get(f"{PAGE}/{key.id}/revoke")
    assert page.status_code == 200
    assert f"svc_…{key.last_four}" in page.text
    assert (await anna.program.get("/v1/usage")).status_code == 200

    response = await anna.browser.post(f"{PAGE}/{key.id}/revoke")

    assert (response.status_code, response.headers["location"]) == (303, f"{PAGE}?done=revoked")
    page = await anna.browser.get(response.headers["location"])
    assert notices(page) == ["The key has been revoked and no longer works."]
    assert re.search(r"Revoked <time [^>]+>1 March 2026</time>", page.text)
    assert (await anna.program.get("/v1/usage")).status_code == 401
    account = account_now(database, anna)
    assert account.active_keys == 0


async def test_revoked_keys_are_forgotten_beyond_twenty(anna: Member, database: Database, travel: Travel) -> None:
    for number in range(23):
        travel(timedelta(minutes=1))
        assert (await anna.browser.post(PAGE, data={"name": f"number {number}"})).status_code == 303
        newest = next(key for key in keys(database, anna) if key.name == f"number {number}")
        await anna.browser.post(f"{PAGE}/{newest.id}/revoke")
    assert {key.name for key in keys(database, anna)} == {"annas key"} | {f"number {number}" for number in range(3, 23)}
    assert (await anna.program.get("/v1/usage")).status_code == 200


@pytest.mark.parametrize("method", ["GET", "POST"])
async def test_malformed_missing_revoked_and_others_ids_are_given_the_same_response(
    anna: Member, berta: Member, database: Database, method: str
) -> None:
    (theirs,) = keys(database, berta)
    await anna.browser.post(PAGE, data={"name": "old"})
    old = next(key for key in keys(database, anna) if key.name == "old")
    await anna.browser.post(f"{PAGE}/{old.id}/revoke")
    before = keys(database, anna), keys(database, berta), account_now(database, berta)

    pages = [
        await anna.browser.request(method, f"{PAGE}/{key_id}/revoke")
        for key_id in (theirs.id, old.id, MISSING, theirs.id.upper(), "x", "%00", "a" * 400)
    ]

    assert {page.status_code for page in pages} == {404}
    assert len({whole(page) for page in pages}) == 1
    assert (keys(database, anna), keys(database, berta), account_now(database, berta)) == before
    assert (await berta.program.get("/v1/usage")).status_code == 200
    listing = await anna.browser.get(PAGE)
    assert (
        theirs.last_four not in re.findall(r"svc_…(....)", listing.text)
        or theirs.last_four == keys(database, anna)[0].last_four
    )
    assert "bertas key" not in listing.text
