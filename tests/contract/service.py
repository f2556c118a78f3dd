"""A service with a database and a clock of its own, which records the requests of a check."""

import asyncio
import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import Any

import httpx
from sqlalchemy.engine import make_url

from mdpublish_server.app import make_app
from mdpublish_server.conversion.converter import Converter
from mdpublish_server.services.accounts import add_key, create_account, set_username, sign_in, suspend
from mdpublish_server.settings import read_settings
from mdpublish_server.state import AppState
from mdpublish_server.storage import Account, Database, open_database
from mdpublish_server.storage.accounts import find_account, set_plan
from tests.server.api_requests import SITE

HERE = "127.0.0.1"
ELSEWHERE = "192.0.2.1"

_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_SHOWN_BODY = 60
_RETRIES = 60


class Clock:
    """A clock that stands still, but for a second before each request, which is the window of the rate limit."""

    def __init__(self) -> None:
        self.now = datetime(2026, 3, 1, 12, 0, 0, 123456, tzinfo=UTC)
        self.step = timedelta(seconds=1)

    def __call__(self) -> datetime:
        return self.now

    def stop(self) -> None:
        """Let no time pass between requests."""
        self.step = timedelta(0)

    def advance(self, **span: float) -> None:
        self.now += timedelta(**span)

    def set(self, time: datetime) -> None:
        """Set the time of the next request, from which on the clock stands still."""
        self.stop()
        self.now = time


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """A request and its response; `code` is that of an error."""

    method: str
    path: str
    body: bytes
    status: int
    code: str | None

    def __str__(self) -> str:
        path = _UUID.sub("{id}", self.path)
        body = " ".join(_UUID.sub("{id}", self.body.decode("utf-8", "replace")).split())
        if len(body) > _SHOWN_BODY:
            body = f"{body[:_SHOWN_BODY]}…"
        return " ".join(filter(None, (self.method, path, body, "→", str(self.status), self.code)))


class Service:
    """The clients `free` (no username), `pro` (username `pro-user`) and `anyone` (no key), each from this machine."""

    def __init__(self, database_url: str, converters: Callable[[bool], Converter]) -> None:
        self.exchanges: list[Exchange] = []
        self.clock = Clock()
        self.retries = True
        """Whether clients send a request again that a busy machine refused (503), as they should."""
        self.database_url = database_url
        self.database: Database = open_database(self.database_url)
        self.accounts: dict[str, Account] = {}
        self._converters = converters
        self._clients: list[httpx.AsyncClient] = []
        self.configure()

    def configure(self, environment: dict[str, str] | None = None, *, is_fragile: bool = False) -> None:
        """Start the application again with these settings; fragile workers fail where a text begins with `raise:`."""
        settings = read_settings({"MDPUBLISH_DATABASE_URL": self.database_url, **(environment or {})})
        self.state: AppState = AppState(
            settings, database=self.database, converter=self._converters(is_fragile), clock=self.clock
        )
        self.app = make_app(self.state)

    def client(self, key: str | None = None, *, from_ip: str = HERE, url: str = SITE) -> httpx.AsyncClient:
        client = httpx.AsyncClient(transport=_Transport(self, from_ip), base_url=url)
        if key is not None:
            client.headers["Authorization"] = f"Bearer {key}"
        self._clients.append(client)
        return client

    def account(self, name: str, *, plan: str = "free", username: str | None = None) -> httpx.AsyncClient:
        """Create an account and return a client with its key."""
        with self.database.write_transaction() as transaction:
            account = create_account(
                transaction,
                email=f"{name}@example.org",
                password_hash=None,
                username=username,
                plan=plan,
                now=self.clock.now,
            )
            key = add_key(transaction, account, name="contract", now=self.clock.now)
        self.accounts[name] = account
        return self.client(key.raw)

    @cached_property
    def free(self) -> httpx.AsyncClient:
        return self.account("free")

    @cached_property
    def pro(self) -> httpx.AsyncClient:
        return self.account("pro", plan="pro", username="pro-user")

    @cached_property
    def anyone(self) -> httpx.AsyncClient:
        return self.client()

    def browser(self, name: str) -> httpx.AsyncClient:
        """Return a client that is signed in to an account."""
        browser = self.client()
        with self.database.write_transaction() as transaction:
            browser.cookies.set("session", sign_in(transaction, self.accounts[name], now=self.clock.now))
        return browser

    def put_on(self, plan: str, *, name: str = "pro", until: datetime | None = None) -> None:
        """Set an account's plan, as the operator's command does."""
        with self.database.write_transaction() as transaction:
            set_plan(transaction, self.accounts[name].id, plan, until=until)

    def rename(self, username: str, *, name: str = "pro") -> None:
        with self.database.write_transaction() as transaction:
            account = find_account(transaction, self.accounts[name].id)
            assert account
            set_username(transaction, account, username, now=self.clock.now)

    def suspend(self, *, suspended: bool, name: str = "pro") -> None:
        with self.database.write_transaction() as transaction:
            suspend(transaction, self.accounts[name], suspended=suspended)

    def lose_database(self) -> None:
        """Start the application again with a database that does not exist."""
        self.retries = False
        self.database.close()
        missing = make_url(self.database_url).set(database="/missing/contract.db")
        self.database = open_database(missing.render_as_string(hide_password=False))
        self.configure()

    async def close(self) -> None:
        for client in self._clients:
            await client.aclose()
        self.database.close()


class _Transport(httpx.AsyncBaseTransport):
    """Sends requests to the service's application, records them, and moves its clock."""

    def __init__(self, service: Service, from_ip: str) -> None:
        self._service = service
        self._from_ip = from_ip

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        response = await self._send(request)
        for _ in range(_RETRIES if self._service.retries else 0):
            if response.status_code != 503:
                break
            await asyncio.sleep(int(response.headers["retry-after"]))
            response = await self._send(request)
        return response

    async def _send(self, request: httpx.Request) -> httpx.Response:
        service = self._service
        service.clock.now += service.clock.step
        transport = httpx.ASGITransport(service.app, raise_app_exceptions=False, client=(self._from_ip, 50000))
        body = await request.aread()
        response = await transport.handle_async_request(request)
        await response.aread()
        exchange = Exchange(
            method=request.method,
            path=request.url.raw_path.decode("ascii"),
            body=body,
            status=response.status_code,
            code=_error_code(response),
        )
        service.exchanges.append(exchange)
        return response


def _error_code(response: httpx.Response) -> str | None:
    if response.status_code < 400 or response.headers.get("content-type") != "application/json":
        return None
    try:
        envelope: Any = json.loads(response.text)
        return str(envelope["error"]["code"])
    except (ValueError, KeyError, TypeError):
        return None
