"""Authentication by API key, and by session where allowed."""

import asyncio
import re
from collections.abc import Callable
from datetime import datetime, timedelta
from hashlib import sha256

import httpx
import pytest

from mdpublish_server.errors import Conflict, NotFound, QuotaExceeded
from mdpublish_server.services.accounts import (
    SESSION_LIFETIME,
    NewKey,
    add_key,
    delete_account,
    revoke_key,
    sign_in,
    suspend,
)
from mdpublish_server.storage import Database, Key
from mdpublish_server.storage.accounts import find_account
from mdpublish_server.storage.keys import list_keys
from mdpublish_server.storage.tables import METADATA
from mdpublish_server.storage.transactions import Statement
from tests.server.api_requests import MISSING, SITE, claim, publish_demo, publish_new, refusal, used
from tests.server.conftest import NOW, Owner

pytestmark = pytest.mark.anyio

MICROSECOND = timedelta(microseconds=1)

# All operations except demo publish, which needs no authentication.
CLOSED = [
    ("POST", "/v1/convert"),
    ("POST", "/v1/documents"),
    ("GET", "/v1/documents"),
    ("POST", "/v1/documents/publish"),
    ("GET", f"/v1/documents/{MISSING}"),
    ("PATCH", f"/v1/documents/{MISSING}"),
    ("DELETE", f"/v1/documents/{MISSING}"),
    ("POST", f"/v1/documents/{MISSING}/publish"),
    ("DELETE", f"/v1/documents/{MISSING}/publish"),
    ("POST", "/v1/demo/claim"),
    ("GET", "/v1/templates"),
    ("GET", "/v1/usage"),
]
SESSION_TAKEN = {("POST", "/v1/demo/claim"), ("GET", "/v1/usage")}


@pytest.fixture
def owner(make_owner: Callable[..., Owner]) -> Owner:
    return make_owner()


@pytest.fixture
def keys_of(database: Database) -> Callable[[Owner], list[Key]]:
    """Reads an account's stored keys."""

    def read(owner: Owner) -> list[Key]:
        with database.read_transaction() as transaction:
            return list(list_keys(transaction, owner.account.id))

    return read


@pytest.fixture
def new_key(database: Database, times: list[datetime]) -> Callable[[Owner], NewKey]:
    def make(owner: Owner) -> NewKey:
        with database.write_transaction() as transaction:
            account = find_account(transaction, owner.account.id)
            assert account
            return add_key(transaction, account, name="second", now=times[-1])

    return make


@pytest.fixture
def revoke(database: Database, times: list[datetime]) -> Callable[[Owner, Key], None]:
    def end(owner: Owner, key: Key) -> None:
        with database.write_transaction() as transaction:
            revoke_key(transaction, owner.account, key.id, now=times[-1])

    return end


@pytest.fixture
def session(client: httpx.AsyncClient, owner: Owner, database: Database, times: list[datetime]) -> httpx.AsyncClient:
    """A client with a session and no key."""
    with database.write_transaction() as transaction:
        client.cookies.set("session", sign_in(transaction, owner.account, now=times[-1]))
    return client


async def status_with(client: httpx.AsyncClient, authorization: str) -> int:
    return (await client.get("/v1/documents", headers={"Authorization": authorization})).status_code


# Requests without a valid key


@pytest.mark.parametrize(("method", "path"), CLOSED)
async def test_every_operation_but_demo_publish_takes_a_key(client: httpx.AsyncClient, method: str, path: str) -> None:
    for headers in ({}, {"Authorization": f"Bearer svc_{'0' * 64}"}):
        # Authentication precedes validation of the body.
        response = await client.request(method, path, content=b"no JSON", headers=headers)
        assert refusal(response) == (401, "unauthorized")
        assert response.headers["www-authenticate"] == "Bearer"


async def test_demo_is_published_without_a_key_and_with_any(client: httpx.AsyncClient) -> None:
    await publish_demo(client)
    client.headers["Authorization"] = "Bearer nonsense"
    await publish_demo(client)


@pytest.mark.parametrize(("method", "path"), [*CLOSED, ("POST", "/v1/demo/publish")])
async def test_no_operation_is_allowed_over_plain_http(
    client_from: Callable[[str], httpx.AsyncClient], owner: Owner, method: str, path: str
) -> None:
    async with client_from("192.0.2.1") as client:
        response = await client.request(method, path, json={"content": "x"}, headers=owner.headers)
    assert refusal(response) == (403, "forbidden")
    assert "HTTPS is required" in response.json()["error"]["message"]


@pytest.mark.parametrize(
    "authorization",
    [
        "",
        "Bearer",
        "Bearer ",
        "{key}",
        "Basic {key}",
        "Token {key}",
        "Bearer{key}",
        "Bearer {key}0",
        "Bearer {short}",
        "Bearer {key},",
        "Bearer {upper}",
        "Bearer {bare}",
        "Bearer {hash}",
        "Bearer svc_",
        "Bearer " + "x" * 5_000,
        "Bearer ' OR 1=1 --",
    ],
)
async def test_what_is_no_key_is_unauthorized(client: httpx.AsyncClient, owner: Owner, authorization: str) -> None:
    value = authorization.format(
        key=owner.key,
        short=owner.key[:-1],
        upper=owner.key.upper(),
        bare=owner.key.removeprefix("svc_"),
        hash=sha256(owner.key.encode()).hexdigest(),
    )
    response = await client.get("/v1/documents", headers={"Authorization": value})
    assert refusal(response) == (401, "unauthorized")
    assert owner.key[4:] not in response.text


async def test_bytes_beyond_ascii_are_no_key(client: httpx.AsyncClient) -> None:
    headers = [(b"Authorization", b"Bearer \xff\xfe")]
    assert refusal(await client.get("/v1/usage", headers=headers)) == (401, "unauthorized")


@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "BEARER"])
async def test_scheme_is_taken_in_any_case(client: httpx.AsyncClient, owner: Owner, scheme: str) -> None:
    assert await status_with(client, f"{scheme} {owner.key}") == 200


async def test_key_in_the_query_or_in_a_cookie_is_none(client: httpx.AsyncClient, owner: Owner) -> None:
    assert (await client.get("/v1/usage", params={"key": owner.key})).status_code == 401
    client.cookies.set("session", owner.key)
    assert (await client.get("/v1/usage")).status_code == 401


# Keys


async def test_key_is_its_prefix_and_64_hexadecimal_characters(make_owner: Callable[..., Owner]) -> None:
    first, second = make_owner("a"), make_owner("b")
    assert re.fullmatch(r"svc_[0-9a-f]{64}", first.key)
    assert first.key != second.key


async def test_only_the_sha_256_of_a_key_is_stored(
    owner: Owner, keys_of: Callable[[Owner], list[Key]], database: Database
) -> None:
    (key,) = keys_of(owner)
    assert key.key_hash == sha256(owner.key.encode()).hexdigest()
    assert key.last_four == owner.key[-4:]

    with database.read_transaction() as transaction:
        stored = [row for table in METADATA.sorted_tables for row in transaction.rows(Statement(table.select()))]
    assert stored
    assert owner.key[4:-4] not in repr(stored)


async def test_two_active_keys_are_the_maximum(
    client: httpx.AsyncClient,
    owner: Owner,
    keys_of: Callable[[Owner], list[Key]],
    new_key: Callable[[Owner], NewKey],
    revoke: Callable[[Owner, Key], None],
) -> None:
    second = new_key(owner)
    assert await status_with(client, f"Bearer {owner.key}") == 200
    assert await status_with(client, f"Bearer {second.raw}") == 200

    with pytest.raises(QuotaExceeded, match="at most 2 active keys"):
        new_key(owner)
    assert len(keys_of(owner)) == 2

    revoke(owner, second.key)
    assert await status_with(client, f"Bearer {new_key(owner).raw}") == 200
    with pytest.raises(QuotaExceeded):
        new_key(owner)


async def test_revoked_key_is_unauthorized_at_once_and_the_other_stays(
    client: httpx.AsyncClient,
    owner: Owner,
    new_key: Callable[[Owner], NewKey],
    revoke: Callable[[Owner, Key], None],
) -> None:
    second = new_key(owner)
    revoke(owner, second.key)

    response = await client.get("/v1/usage", headers={"Authorization": f"Bearer {second.raw}"})
    assert refusal(response) == (401, "unauthorized")
    assert await status_with(client, f"Bearer {owner.key}") == 200
    with pytest.raises(NotFound):
        revoke(owner, second.key)


async def test_key_of_another_account_cannot_be_revoked(
    client: httpx.AsyncClient,
    owner: Owner,
    make_owner: Callable[..., Owner],
    keys_of: Callable[[Owner], list[Key]],
    revoke: Callable[[Owner, Key], None],
) -> None:
    other = make_owner("other")
    with pytest.raises(NotFound):
        revoke(owner, keys_of(other)[0])
    assert await status_with(client, f"Bearer {other.key}") == 200


async def test_last_use_of_a_key_is_stored_to_the_minute(
    client: httpx.AsyncClient,
    owner: Owner,
    keys_of: Callable[[Owner], list[Key]],
    times: list[datetime],
    travel: Callable[[timedelta], None],
) -> None:
    assert keys_of(owner)[0].used_at is None
    first = times[-1]

    await status_with(client, f"Bearer {owner.key}")
    assert keys_of(owner)[0].used_at == first
    travel(timedelta(minutes=1) - MICROSECOND)
    await status_with(client, f"Bearer {owner.key}")
    assert keys_of(owner)[0].used_at == first
    travel(MICROSECOND)
    await status_with(client, f"Bearer {owner.key}")
    assert keys_of(owner)[0].used_at == first + timedelta(minutes=1)


async def test_keys_created_at_once_are_limited_to_two(owner: Owner, database: Database, times: list[datetime]) -> None:
    async def attempt() -> bool:
        try:
            await database.write(lambda transaction: add_key(transaction, owner.account, name="", now=times[-1]))
        except QuotaExceeded:
            return False
        return True

    created = await asyncio.gather(*(attempt() for _ in range(8)))
    assert created.count(True) == 1


# Accounts


async def test_suspended_account_is_unauthorized_and_its_pages_are_gone_until_that_ends(
    client: httpx.AsyncClient, owner: Owner, database: Database
) -> None:
    client.headers.update(owner.headers)
    published = await publish_new(client, "kept")

    with database.write_transaction() as transaction:
        suspend(transaction, owner.account, suspended=True)
    assert refusal(await client.get("/v1/documents")) == (401, "unauthorized")
    assert refusal(await client.post("/v1/convert", json={"markdown": "x"})) == (401, "unauthorized")
    assert (await client.get(published["published_url"])).status_code == 404

    with database.write_transaction() as transaction:
        suspend(transaction, owner.account, suspended=False)
    assert "kept" in (await client.get(published["published_url"])).text
    assert [each["id"] for each in (await client.get("/v1/documents")).json()["data"]] == [published["id"]]


async def test_deleted_accounts_keys_pages_and_documents_are_gone(
    client: httpx.AsyncClient, make_owner: Callable[..., Owner], database: Database
) -> None:
    owner = make_owner(username="garden")
    client.headers.update(owner.headers)
    published = await publish_new(client)
    with database.write_transaction() as transaction:
        delete_account(transaction, owner.account, now=NOW)
    assert refusal(await client.get("/v1/usage")) == (401, "unauthorized")
    assert (await client.get(published["published_url"])).status_code == 404

    # The username stays reserved.
    with pytest.raises(Conflict):
        make_owner("other", username="garden")


# Sessions


@pytest.mark.parametrize(("method", "path"), CLOSED)
async def test_session_is_taken_for_claim_and_usage_only(session: httpx.AsyncClient, method: str, path: str) -> None:
    response = await session.request(method, path, json={"claim_token": MISSING})
    assert (response.status_code != 401) is ((method, path) in SESSION_TAKEN)


async def test_session_claims_a_demo(session: httpx.AsyncClient, owner: Owner) -> None:
    demo = await publish_demo(session)
    response = await claim(session, demo["claim_token"])
    assert response.status_code == 200
    assert (await session.get(f"/v1/documents/{demo['id']}", headers=owner.headers)).status_code == 200
    assert await used(session) == 1


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"Origin": SITE}, 200),
        ({"Sec-Fetch-Site": "same-origin"}, 200),
        ({"Origin": "https://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
        ({"Sec-Fetch-Site": "cross-site", "Origin": SITE}, 403),
    ],
)
async def test_claim_by_session_from_another_site_is_forbidden(
    session: httpx.AsyncClient, headers: dict[str, str], status: int
) -> None:
    demo = await publish_demo(session)
    response = await session.post("/v1/demo/claim", json={"claim_token": demo["claim_token"]}, headers=headers)
    assert response.status_code == status
    if status == 403:
        assert refusal(response) == (403, "forbidden")
        assert (await session.get(demo["url"])).status_code == 200


async def test_claim_by_key_may_come_from_anywhere(free: httpx.AsyncClient) -> None:
    demo = await publish_demo(free)
    headers = {"Origin": "https://elsewhere.example", "Sec-Fetch-Site": "cross-site"}
    response = await free.post("/v1/demo/claim", json={"claim_token": demo["claim_token"]}, headers=headers)
    assert response.status_code == 200


async def test_session_ends_at_its_time(session: httpx.AsyncClient, travel: Callable[[timedelta], None]) -> None:
    travel(SESSION_LIFETIME - MICROSECOND)
    assert (await session.get("/v1/usage")).status_code == 200
    travel(MICROSECOND)
    assert refusal(await session.get("/v1/usage")) == (401, "unauthorized")


async def test_wrong_key_is_not_helped_by_a_session(session: httpx.AsyncClient) -> None:
    response = await session.get("/v1/usage", headers={"Authorization": "Bearer wrong"})
    assert refusal(response) == (401, "unauthorized")


async def test_suspended_accounts_session_is_unauthorized(
    session: httpx.AsyncClient, owner: Owner, database: Database
) -> None:
    with database.write_transaction() as transaction:
        suspend(transaction, owner.account, suspended=True)
    assert refusal(await session.get("/v1/usage")) == (401, "unauthorized")
