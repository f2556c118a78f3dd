"""The audit log of a service that is killed by SIGKILL while people and programs work with it.

An event whose response arrived is in the log once; one whose response was lost is there once or not at all.
"""

import asyncio
import json
from collections import Counter
from hashlib import sha256
from itertools import cycle
from pathlib import Path
from random import Random
from typing import Any

import httpx

from mdpublish_server.auth.passwords import hash_password
from mdpublish_server.services.accounts import NewKey, add_key, create_account
from mdpublish_server.storage import migrate, open_database
from tests.server.conftest import NOW
from tests.stress.service import KillableService
from tests.stress.test_kills import KILLS

PASSWORD = "correct horse"
TOKEN = "0123456789abcdef" * 2
WORKERS = 3
EVENTS_PER_KILL = 2
"""Of each kind."""

KINDS = (
    "document.published",
    "document.access",
    "document.unpublished",
    "document.deleted",
    "session.began",
    "session.ended",
    "key.created",
    "key.revoked",
    "account.changed",
    "account.exported",
)

Seen = Counter[tuple[str, str]]


class Worker:
    """A member, who uses a browser, and a program; and the directory, which says that the member has left, and is back."""

    def __init__(self, service: KillableService, email: str, account_id: str, key: NewKey) -> None:
        self.service = service
        self.email = email
        self.account_id = account_id
        self.key = key.raw
        self.key_id = key.key.id
        self.languages = cycle(("de", "fr", "it", "es", "nl"))
        self.sent: Counter[str] = Counter()
        self.acknowledged: Seen = Counter()

    async def work(self, is_over: asyncio.Event) -> None:
        while not is_over.is_set():
            try:
                async with httpx.AsyncClient(base_url=self.service.url, timeout=300.0, trust_env=False) as client:
                    await self._work_once(client)
            except httpx.TransportError:
                await asyncio.sleep(0.05)

    async def _send(
        self, client: httpx.AsyncClient, kind: str, method: str, path: str, about: str = "", **options: object
    ) -> httpx.Response:
        self.sent[kind] += 1
        response = await client.request(method, path, **options)  # type: ignore[arg-type]
        if response.status_code < 400:
            self.acknowledged[kind, about] += 1
        else:
            assert response.status_code == 503, response.text
            raise httpx.ConnectError("not available")
        return response

    async def _work_once(self, client: httpx.AsyncClient) -> None:
        program: dict[str, Any] = {"headers": {"Authorization": f"Bearer {self.key}"}}
        content = {"content": "text", "visibility": "public"}
        published = await self._send(
            client, "document.published", "POST", "/v1/documents/publish", json=content, **program
        )
        document_id = published.json()["id"]
        self.acknowledged["document.published", document_id] = self.acknowledged.pop(("document.published", ""))
        path = f"/v1/documents/{document_id}"
        change = {"visibility": "link"}
        await self._send(client, "document.access", "PATCH", path, document_id, json=change, **program)
        await self._send(client, "document.unpublished", "DELETE", f"{path}/publish", document_id, **program)
        await self._send(client, "document.deleted", "DELETE", path, document_id, **program)

        form = {"email": self.email, "password": PASSWORD}
        await self._send(client, "session.began", "POST", "/signin", data=form)
        token = client.cookies["session"]
        session_id = sha256(sha256(token.encode()).hexdigest().encode()).hexdigest()[:32]
        self.acknowledged["session.began", session_id] = self.acknowledged.pop(("session.began", ""))
        await self._send(client, "account.exported", "POST", "/account/export")
        listed = (await client.get("/account/keys")).text
        for part in listed.split('href="/account/keys/')[1:]:
            key_id = part.partition("/")[0]
            if key_id != self.key_id:
                await self._send(client, "key.revoked", "POST", f"/account/keys/{key_id}/revoke", key_id)
        nonce = sha256(f"{self.sent}".encode()).hexdigest()[:32]
        await self._send(client, "key.created", "POST", "/account/keys", data={"name": "another", "nonce": nonce})
        for _ in range(2):
            # Another one than before, also if a kill lost the last.
            data = {"language": next(self.languages)}
            await self._send(client, "account.changed", "POST", "/account/settings/language", data=data)
        await self._send(client, "session.ended", "POST", "/signout", session_id)


async def kill_while_working(service: KillableService, workers: list[Worker], kills: int, random: Random) -> None:
    is_over = asyncio.Event()
    tasks = [asyncio.create_task(worker.work(is_over)) for worker in workers]
    for _ in range(kills):
        await asyncio.sleep(random.uniform(0.5, 2.0))
        await asyncio.to_thread(service.kill)
        await asyncio.to_thread(service.start)
    minimum = EVENTS_PER_KILL * kills
    while not all(task.done() for task in tasks):
        counts = Counter(dict.fromkeys(KINDS, 0))
        for worker in workers:
            for (kind, _), count in worker.acknowledged.items():
                counts[kind] += count
        if min(counts.values()) >= minimum:
            is_over.set()
        await asyncio.sleep(0.1)
    await asyncio.gather(*tasks)


@KILLS
def test_acknowledged_events_are_in_the_log_once(tmp_path: Path, kills: int) -> None:
    url = f"sqlite:///{tmp_path}/test.db"
    migrate(url)
    service = KillableService(tmp_path, url)
    database, workers = open_database(url), []
    for number in range(WORKERS):
        email = f"worker{number}@example.org"
        with database.write_transaction() as transaction:
            account = create_account(
                transaction, email=email, password_hash=hash_password(PASSWORD), now=NOW, plan="pro"
            )
            key = add_key(transaction, account, name="program", now=NOW)
        workers.append(Worker(service, email, account.id, key))
    database.close()
    with service.running():
        asyncio.run(kill_while_working(service, workers, kills, Random(kills)))
    events = [json.loads(line) for line in service.run("audit", "--json").splitlines()]
    ids = {worker.key_id for worker in workers}
    events = [event for event in events if event["object"] not in ids]

    totals: Counter[str] = Counter()
    for worker in workers:
        recorded = [event for event in events if event["account_id"] == worker.account_id]
        logged = Counter((event["kind"], event["object"] or "") for event in recorded)
        unique = {each: count for each, count in logged.items() if each[0] in KINDS and each[1]}
        assert set(unique.values()) == {1}, [each for each, count in unique.items() if count > 1]
        kinds = Counter(event["kind"] for event in recorded)
        for (kind, about), count in worker.acknowledged.items():
            assert not about or logged[kind, about] == 1, (kind, about)
            totals[kind] += count
        for kind in KINDS:
            acknowledged = sum(count for (each, _), count in worker.acknowledged.items() if each == kind)
            assert acknowledged <= kinds[kind] <= worker.sent[kind], kind
    lost = sum(worker.sent.total() for worker in workers) - totals.total()
    print(f"{kills} kills, acknowledged {dict(totals)}, {lost} requests without a response")  # noqa: T201  (a report)
    assert min(totals[kind] for kind in KINDS) >= EVENTS_PER_KILL * kills
