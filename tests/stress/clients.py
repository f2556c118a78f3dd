"""Clients that change documents and record what the service acknowledged.

After a crash, a document is in the last acknowledged state or that of the request without a response.
"""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, Protocol
from urllib.parse import urlsplit

import httpx


class Service(Protocol):
    """Where the clients send requests, and how its commands are run."""

    url: str

    def run(self, *arguments: str) -> str:
        """Return the output."""


ACCOUNTS = 2
CLIENTS_OF_ACCOUNT = 3

_MAX_DOCUMENTS = 6

# The outcome is unknown: of the service, or of a proxy whose server was killed or hangs.
_UNAVAILABLE = (502, 503, 504)


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    content: str
    path: str | None


GONE = None
"""A deleted document."""


@dataclass(slots=True, kw_only=True)
class Client:
    key: str
    random: Random
    known: dict[str, State | None] = field(default_factory=dict)
    unsure: dict[str, State | None] = field(default_factory=dict)
    """Requested without a response."""
    statuses: Counter[int] = field(default_factory=Counter)
    acknowledged: int = 0
    """Requests with a response."""
    sent: int = 0

    async def work(self, url: str, stop: asyncio.Event) -> None:
        headers = {"Authorization": f"Bearer {self.key}"}
        async with httpx.AsyncClient(base_url=url, headers=headers, timeout=60) as http:
            while not stop.is_set():
                try:
                    await self._change(http)
                except httpx.TransportError:
                    return

    async def verify(self, url: str) -> None:
        headers = {"Authorization": f"Bearer {self.key}"}
        async with httpx.AsyncClient(base_url=url, headers=headers, timeout=60) as http:
            for document_id, known in list(self.known.items()):
                current = await self._fetch(http, document_id)
                allowed = [known, self.unsure[document_id]] if document_id in self.unsure else [known]
                assert _shape(current) in [_shape(state) for state in allowed], (document_id, current, allowed)
                self.known[document_id] = current
                if known is GONE and current is GONE:
                    del self.known[document_id]
                if known is not None and known.path is not None and (current is None or current.path != known.path):
                    page = await http.get(known.path)
                    # A deletion frees the slug: another client may have published there before the crash.
                    is_another = current is GONE and page.status_code == 200 and known.content not in page.text
                    assert page.status_code == 404 or is_another, (document_id, known, current, page.status_code)
        self.unsure.clear()

    async def _change(self, http: httpx.AsyncClient) -> None:
        free = [document_id for document_id, state in self.known.items() if state and document_id not in self.unsure]
        if len(free) < 2 or (len(free) < _MAX_DOCUMENTS and self.random.random() < 0.3):
            await self._create(http)
            return
        document_id = self.random.choice(free)
        state = self.known[document_id]
        assert state is not None
        change = self.random.choice([self._edit, self._edit, self._publish, self._unpublish, self._delete])
        await change(http, document_id, state)

    async def _create(self, http: httpx.AsyncClient) -> None:
        content = self._content()
        if self.random.random() < 0.5:
            response = await self._send(http, "POST", "/v1/documents", json={"title": "Crash", "content": content})
        else:
            response = await self._send(
                http, "POST", "/v1/documents/publish", json={"title": "Crash", "content": content}
            )
        if response is not None:
            self.known[response["id"]] = State(content=content, path=_path(response.get("published_url")))

    async def _edit(self, http: httpx.AsyncClient, document_id: str, state: State) -> None:
        target = replace(state, content=self._content())
        await self._move(
            http, "PATCH", f"/v1/documents/{document_id}", document_id, target, {"content": target.content}
        )

    async def _publish(self, http: httpx.AsyncClient, document_id: str, state: State) -> None:
        target = replace(state, path=state.path or "?")
        path = f"/v1/documents/{document_id}/publish"
        response = await self._move(http, "POST", path, document_id, target, {})
        if response is not None:
            self.known[document_id] = replace(target, path=_path(response["published_url"]))

    async def _unpublish(self, http: httpx.AsyncClient, document_id: str, state: State) -> None:
        path = f"/v1/documents/{document_id}/publish"
        await self._move(http, "DELETE", path, document_id, replace(state, path=None))

    async def _delete(self, http: httpx.AsyncClient, document_id: str, _state: State) -> None:
        await self._move(http, "DELETE", f"/v1/documents/{document_id}", document_id, GONE)

    async def _move(
        self,
        http: httpx.AsyncClient,
        method: str,
        path: str,
        document_id: str,
        target: State | None,
        body: dict[str, str] | None = None,
    ) -> dict[str, Any] | None:
        self.unsure[document_id] = target
        response = await self._send(http, method, path, json=body)
        if response is not None:
            del self.unsure[document_id]
            self.known[document_id] = target
        return response

    async def _send(self, http: httpx.AsyncClient, method: str, path: str, **options: Any) -> dict[str, Any] | None:
        self.sent += 1
        response = await http.request(method, path, **options)
        self.statuses[response.status_code] += 1
        if response.status_code in _UNAVAILABLE:
            await asyncio.sleep(0.05)
            return None
        assert response.status_code in (200, 201), (method, path, response.status_code, response.text)
        self.acknowledged += 1
        body: dict[str, Any] = response.json()
        return body

    async def _fetch(self, http: httpx.AsyncClient, document_id: str) -> State | None:
        response = await http.get(f"/v1/documents/{document_id}")
        if response.status_code == 404:
            return GONE
        assert response.status_code == 200, response.text
        document = response.json()
        state = State(content=document["content"], path=f"/d/{document['slug']}" if document["is_published"] else None)
        if state.path is not None:
            page = await http.get(state.path)
            assert page.status_code == 200, page.text
            assert state.content in page.text, "the page shows another text than the document's"
        return state

    def _content(self) -> str:
        return f"word{self.random.getrandbits(64):016x}"


@dataclass(slots=True, kw_only=True)
class Load:
    service: Service
    random: Random
    clients: list[Client] = field(default_factory=list)

    def open_accounts(self) -> None:
        for number in range(ACCOUNTS):
            email = f"client{number}@example.org"
            self.service.run("account", "add", email, "--plan", "pro")
            key = self.service.run("key", "add", email).strip()
            self.clients += [Client(key=key, random=Random(self.random.random())) for _ in range(CLIENTS_OF_ACCOUNT)]

    async def work_until(self, killed: Callable[[], Awaitable[None]]) -> None:
        stop = asyncio.Event()
        work = [asyncio.create_task(client.work(self.service.url, stop)) for client in self.clients]
        await asyncio.sleep(0.1 + 1.4 * self.random.random())
        try:
            await killed()
        finally:
            stop.set()
        await asyncio.gather(*work)

    def verify(self) -> None:
        """Check that no write is lost, that counters are right, and that `doctor` agrees."""

        async def verify() -> None:
            await asyncio.gather(*(client.verify(self.service.url) for client in self.clients))

        asyncio.run(verify())
        self._verify_counts()
        output = self.service.run("doctor", "--deep")
        assert "ERROR" not in output, output

    def statuses(self) -> Counter[int]:
        return sum((client.statuses for client in self.clients), Counter())

    def _verify_counts(self) -> None:
        """Check that all acknowledged requests are counted, and only requests that were sent."""
        for number in range(ACCOUNTS):
            clients = self.clients[number * CLIENTS_OF_ACCOUNT : (number + 1) * CLIENTS_OF_ACCOUNT]
            headers = {"Authorization": f"Bearer {clients[0].key}"}
            used = httpx.get(f"{self.service.url}/v1/usage", headers=headers, timeout=60).json()["used"]
            assert sum(client.acknowledged for client in clients) <= used <= sum(client.sent for client in clients)


def _shape(state: State | None) -> tuple[str, bool] | None:
    """The service chooses the path."""
    return None if state is None else (state.content, state.path is not None)


def _path(url: str | None) -> str | None:
    return None if url is None else urlsplit(url).path
