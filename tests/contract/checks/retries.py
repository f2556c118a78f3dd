"""`Idempotency-Key`."""

from datetime import timedelta

import httpx
from sqlalchemy import select

from mdpublish_server.storage.tables import REPLAYS
from mdpublish_server.storage.transactions import Statement
from tests.contract.claims import claim
from tests.contract.service import Service
from tests.server.api_requests import publish_demo, refusal, used

KEY = {"Idempotency-Key": "0b7c2f1e-6a56-4f0e-9d1a-0a5a3c1b7e42"}
CREATE = "/v1/documents"
PUBLISH = "/v1/documents/publish"
DEMO = "/v1/demo/publish"
REPLAYED = "idempotency-replayed"


async def number_of_documents(client: httpx.AsyncClient) -> int:
    return len((await client.get(CREATE)).json()["data"])


@claim("retry.replayed")
async def response_is_replayed(service: Service) -> None:
    token = (await publish_demo(service.anyone))["claim_token"]
    for number, (path, body) in enumerate(
        (
            (CREATE, {"title": "A"}),
            (PUBLISH, {"content": "x"}),
            ("/v1/demo/claim", {"claim_token": token}),
            (DEMO, {"content": "x"}),
        ),
        1,
    ):
        first = await service.pro.post(path, json=body, headers=KEY)
        second = await service.pro.post(path, json=body, headers=KEY)
        assert (second.status_code, second.content) == (first.status_code, first.content)
        assert REPLAYED not in first.headers
        assert second.headers[REPLAYED] == "true"
        assert second.headers.get("etag") == first.headers.get("etag")
        assert await number_of_documents(service.pro) == min(number, 3)
    response = await service.pro.post("/v1/demo/claim", json={"claim_token": token})
    assert refusal(response) == (404, "not_found")


@claim("retry.day")
async def key_is_new_after_a_day(service: Service) -> None:
    service.clock.stop()
    start = service.clock.now
    first = await service.free.post(CREATE, json={}, headers=KEY)
    service.clock.set(start + timedelta(hours=24) - timedelta(microseconds=1))
    assert (await service.free.post(CREATE, json={}, headers=KEY)).json() == first.json()
    service.clock.set(start + timedelta(hours=24))
    second = await service.free.post(CREATE, json={}, headers=KEY)
    assert second.json()["id"] != first.json()["id"]


@claim("retry.scope")
async def key_is_of_account_and_path(service: Service) -> None:
    body = {"content": "x"}
    for client, path in (
        (service.free, CREATE),
        (service.pro, CREATE),
        (service.free, PUBLISH),
        (service.anyone, DEMO),
    ):
        response = await client.post(path, json=body, headers=KEY)
        assert response.status_code == 201
        assert REPLAYED not in response.headers


@claim("retry.errors")
async def refusal_is_replayed(service: Service) -> None:
    for is_replay in (False, True):
        response = await service.free.post(CREATE, json={"title": 1}, headers=KEY)
        assert refusal(response) == (400, "validation_error")
        assert (REPLAYED in response.headers) is is_replay


@claim("retry.errors.run-again")
async def failure_is_not_replayed(service: Service) -> None:
    service.configure({"MDPUBLISH_PRO_MONTHLY_QUOTA": "1"}, is_fragile=True)
    for _ in range(2):
        response = await service.pro.post(PUBLISH, json={"content": "raise:x"}, headers=KEY)
        assert refusal(response) == (500, "render_error")
        assert REPLAYED not in response.headers
    # The month's last request may be replayed.
    for _ in range(2):
        assert (await service.pro.post(CREATE, json={}, headers={"Idempotency-Key": "last"})).status_code == 201
    for _ in range(2):
        response = await service.pro.post(CREATE, json={}, headers=KEY)
        assert refusal(response) == (429, "quota_exceeded")
        assert REPLAYED not in response.headers


@claim("retry.counted")
async def replay_counts_for_the_rate(service: Service) -> None:
    service.clock.stop()
    for remaining in (9, 8, 7):
        response = await service.free.post(CREATE, json={}, headers=KEY)
        assert int(response.headers["x-ratelimit-remaining"]) == remaining
    assert await used(service.free) == 1


@claim("retry.key.format")
async def key_has_a_format(service: Service) -> None:
    for wrong in ("", "x" * 256, "café", "a\tb"):
        response = await service.free.post(CREATE, json={}, headers={b"Idempotency-Key": wrong.encode()})
        assert refusal(response) == (400, "validation_error")
    assert (await service.free.post(CREATE, json={}, headers={"Idempotency-Key": "x" * 255})).status_code == 201


@claim("retry.key.anonymous")
async def anonymous_key_is_long(service: Service) -> None:
    for length, status in ((31, 400), (32, 201)):
        response = await service.anyone.post(DEMO, json={"content": "x"}, headers={"Idempotency-Key": "k" * length})
        assert response.status_code == status


@claim("retry.stored")
async def key_and_response_are_not_stored(service: Service) -> None:
    response = await service.anyone.post(DEMO, json={"content": "x"}, headers=KEY)
    with service.database.read_transaction() as transaction:
        stored = repr(transaction.rows(Statement(select(REPLAYS))))
    for secret in (KEY["Idempotency-Key"], response.json()["claim_token"], "claim_token"):
        assert secret not in stored


@claim("retry.other")
async def other_operations_ignore_the_key(service: Service) -> None:
    for _ in range(2):
        response = await service.free.post("/v1/convert", json={"markdown": "x"}, headers=KEY)
        assert response.status_code == 200
        assert REPLAYED not in response.headers
    assert await used(service.free) == 2
