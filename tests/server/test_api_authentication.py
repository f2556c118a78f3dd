"""Authentication by API key. What the contract states of keys and sessions is checked in `tests/contract`."""

from collections.abc import Callable
from datetime import datetime, timedelta
from hashlib import sha256

import httpx
import pytest

from mdpublish_server.errors import NotFound
from mdpublish_server.services.accounts import revoke_key
from mdpublish_server.storage import Database, Key
from mdpublish_server.storage.keys import list_keys
from tests.server.api_requests import refusal
from tests.server.conftest import MakeOwner, Owner, Travel

pytestmark = pytest.mark.anyio

MICROSECOND = timedelta(microseconds=1)


@pytest.fixture
def owner(make_owner: MakeOwner) -> Owner:
    return make_owner()


@pytest.fixture
def keys_of(database: Database) -> Callable[[Owner], list[Key]]:
    """Reads an account's stored keys."""

    def read(owner: Owner) -> list[Key]:
        with database.read_transaction() as transaction:
            return list(list_keys(transaction, owner.account.id))

    return read


@pytest.fixture
def revoke(database: Database, times: list[datetime]) -> Callable[[Owner, Key], None]:
    def end(owner: Owner, key: Key) -> None:
        with database.write_transaction() as transaction:
            revoke_key(transaction, owner.account, key.id, now=times[-1])

    return end


async def status_with(client: httpx.AsyncClient, authorization: str) -> int:
    return (await client.get("/v1/documents", headers={"Authorization": authorization})).status_code


# Requests without a valid key


async def test_what_is_no_key_is_unauthorized(client: httpx.AsyncClient, owner: Owner) -> None:
    for authorization in (
        None,
        "",
        "Bearer",
        "Bearer ",
        "Bearer{key}",
        "Bearer\t{key}",
        "Bearer {key},",
        "Bearer {key}, Bearer {key}",
        "Bearer {hash}",
        "Bearer svc_",
        "Bearer \xe9\xff",
        "Bearer " + "x" * 20_000,
        "Bearer ' OR 1=1 --",
    ):
        headers = []
        if authorization is not None:
            value = authorization.format(key=owner.key, hash=sha256(owner.key.encode()).hexdigest())
            headers = [(b"Authorization", value.encode("latin-1"))]
        response = await client.get("/v1/documents", headers=headers)
        assert refusal(response) == (401, "unauthorized"), authorization
        what = "API key required" if authorization is None else "Invalid API key"
        message = f"{what}; send the header Authorization: Bearer <API_KEY>"
        assert response.json()["error"]["message"].startswith(message), authorization
        assert response.headers["www-authenticate"] == "Bearer", authorization


# Keys


async def test_key_of_another_account_cannot_be_revoked(
    client: httpx.AsyncClient,
    owner: Owner,
    make_owner: MakeOwner,
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
    travel: Travel,
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
