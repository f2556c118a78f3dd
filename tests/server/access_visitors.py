"""A service in this process with the browsers and programs that visit it, and all that they ask for."""

import asyncio
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from http.cookies import SimpleCookie
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode
from uuid import uuid4

from starlette.types import ASGIApp, Message

from mdpublish_server.auth.authentication import ACCESS_PREFIX, secret_hash
from mdpublish_server.conversion.converter import Converter
from mdpublish_server.services.accounts import add_key, create_account, sign_in
from mdpublish_server.services.reading import _begin
from mdpublish_server.settings import read_settings
from mdpublish_server.state import AppState
from mdpublish_server.storage import AppGrant, AppToken, ReaderSession, Transaction, open_database
from mdpublish_server.storage.apps import GRANT, TOKEN
from tests.server.access_model import APPS, VISITORS, Document, Model
from tests.server.apps import serving
from tests.server.private_pages import READER, path_of

YEARS = timedelta(days=3650)

UNCHANGED = {"if-none-match": "*"}
"""Asks for nothing but whether there is something: no file is drawn or read."""


class PlainResponse(NamedTuple):
    """A response."""

    status: int
    headers: dict[str, str]
    content: str

    def json(self) -> Any:
        return json.loads(self.content)


@dataclass(slots=True)
class Browser:
    """A browser or a program that calls the application in place: it keeps cookies, and follows no redirect."""

    app: ASGIApp
    ip: str
    headers: dict[str, str] = field(default_factory=dict)
    cookies: dict[str, str] = field(default_factory=dict)

    async def request(
        self,
        method: str,
        path: str,
        *,
        body: object = None,
        form: dict[str, str] | None = None,
        headers: Mapping[str, str] = {},
    ) -> PlainResponse:
        sent = {"host": "127.0.0.1:8000", **self.headers, **headers}
        content = b"" if body is None else json.dumps(body, default=datetime.isoformat).encode()
        if body is not None:
            sent["content-type"] = "application/json"
        elif form is not None:
            content = urlencode(form).encode()
            sent["content-type"] = "application/x-www-form-urlencoded"
        if self.cookies:
            sent["cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        return await self.send(method, path, content, sent)

    async def send(self, method: str, path: str, content: bytes, headers: dict[str, str]) -> PlainResponse:
        path, _, query = path.partition("?")
        headers = {**headers, "content-length": str(len(content))} if content else headers
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": path,
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "root_path": "",
            "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
            "client": (self.ip, 50000),
            "server": ("127.0.0.1", 8000),
        }
        unread, started, pieces = [content], list[Message](), list[bytes]()

        async def receive() -> Message:
            if not unread:
                await asyncio.Event().wait()
            return {"type": "http.request", "body": unread.pop(), "more_body": False}

        async def take(message: Message) -> None:
            if message["type"] == "http.response.start":
                started.append(message)
            else:
                pieces.append(message.get("body", b""))

        await self.app(scope, receive, take)
        received = dict[str, str]()
        for name, value in started[0]["headers"]:
            received[name.decode().lower()] = value.decode("latin-1")
            if name.lower() == b"set-cookie":
                self.cookies |= {each.key: each.value for each in SimpleCookie(value.decode()).values()}
        return PlainResponse(started[0]["status"], received, b"".join(pieces).decode("utf-8", "replace"))


class Service:
    """The service; each example has accounts, names and a network of its own, so that one database serves them all."""

    def __init__(self, converter: Converter, migrated: Path, folder: Path) -> None:
        self.runner = asyncio.Runner()
        self.times = [datetime.fromisoformat("2026-03-01T12:00:00+00:00")]
        database = folder / "test.db"
        database.write_bytes(migrated.read_bytes())
        url = f"sqlite:///{database}"
        rates = {f"MDPUBLISH_{name}_RATE_LIMIT": "100000" for name in ("FREE", "PRO")}
        settings = {"MDPUBLISH_DATABASE_URL": url, "MDPUBLISH_IMAGE_STORE": str(folder / "images"), **rates}
        self.database = open_database(url)
        self.state = AppState(
            read_settings(settings), database=self.database, converter=converter, clock=lambda: self.times[-1]
        )
        self._serving = serving(self.state)
        self.app = self.runner.run(self._serving.__aenter__())
        self.examples = count(1)

    def close(self) -> None:
        self.runner.run(self._serving.__aexit__(None, None, None))
        self.runner.close()
        self.database.close()


class Visitors:
    """Two accounts with their browsers, a reader, a friend who hears passwords, a stranger, and apps."""

    def __init__(self, service: Service) -> None:
        self.service = service
        number = next(service.examples)
        self.username = f"berta{number}"
        self.network = f"127.{number >> 16}.{number >> 8 & 255}.{number & 255}"
        self.browsers = {name: self._browser() for name in VISITORS}
        self.programs = {name: self._browser() for name in (*APPS, "foreign")}
        with service.database.write_transaction() as transaction:
            self._join(transaction, self.username, "owner", "key", username=self.username)
            self._join(transaction, f"carl{number}", "account", "foreign", username=None)

    def _browser(self) -> Browser:
        return Browser(self.service.app, self.network)

    def _join(self, transaction: Transaction, name: str, visitor: str, program: str, *, username: str | None) -> None:
        now = self.service.times[-1]
        account = create_account(
            transaction, email=f"{name}@example.org", password_hash=None, username=username, plan="pro", now=now
        )
        self.browsers[visitor].cookies["session"] = sign_in(transaction, account, now=now)
        key = add_key(transaction, account, name="key", now=now)
        self.programs[program].headers["authorization"] = f"Bearer {key.raw}"
        if visitor != "owner":
            return
        self.account_id = account.id
        for app in set(APPS) - {"key"}:
            token, scopes = ACCESS_PREFIX + uuid4().hex, " ".join(APPS[app])
            grant = AppGrant(
                id=str(uuid4()),
                account_id=account.id,
                client_id=app,
                client_name=app,
                redirect_uri="http://127.0.0.1/",
                scopes=scopes,
                resource=self.service.state.apps.resource,
                code_hash=secret_hash(f"{token} code"),
                code_challenge="",
                created_at=now,
                expires_at=now + YEARS,
            )
            GRANT.add(transaction, grant)
            hashed = secret_hash(token)
            TOKEN.add(
                transaction, AppToken(token_hash=hashed, grant_id=grant.id, scopes=scopes, expires_at=now + YEARS)
            )
            self.programs[app].headers["authorization"] = f"Bearer {token}"

    def begin_to_read(self) -> None:
        """Begin a session with a listed address, as after a mail; what the browser has proved stays."""
        reader = self.browsers["reader"]
        session = ReaderSession(
            id=str(uuid4()),
            token_hash="",
            account_id=self.account_id,
            email=READER,
            expires_at=self.service.times[-1] + YEARS,
        )
        with self.service.database.write_transaction() as transaction:
            reader.cookies["reader"] = _begin(transaction, session, reader.cookies.get("reader"))

    def run(self, by: Browser, method: str, path: str, **sent: Any) -> PlainResponse:
        return self.service.runner.run(by.request(method, path, **sent))

    def request_api(self, by: str, method: str, path: str, body: object = None) -> PlainResponse:
        """Call the API as the owner's key, or as an app."""
        return self.run(self.programs[by], method, path, body=body)

    def name_of(self, browser: Browser) -> str:
        return next(name for name, each in [*self.browsers.items(), *self.programs.items()] if each is browser)

    def use_tool(self, by: str, name: str, **arguments: Any) -> tuple[bool, str]:
        """Call an assistant's tool; return whether it succeeded, and all that it said."""
        called = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": name, "arguments": arguments}}
        accept = "application/json, text/event-stream"
        response = self.run(self.programs[by], "POST", "/mcp", body=called, headers={"accept": accept})
        if response.status != 200:
            assert response.status == 403, response
            return False, response.content
        return not response.json()["result"].get("isError"), response.content


class Observation(NamedTuple):
    """A request that changes nothing, and what must be true of its response."""

    browser: Browser
    path: str
    is_right: Callable[[PlainResponse], bool]
    headers: Mapping[str, str] = {}


def has(marker: str, *, when: bool) -> Callable[[PlainResponse], bool]:
    return lambda response: (marker in response.content or marker in str(response.headers)) is when


def is_status(*expected: int) -> Callable[[PlainResponse], bool]:
    return lambda response: response.status in expected


def observations(model: Model, visitors: Visitors, images: list[str]) -> Iterator[Observation]:
    """Yield all that each visitor can ask for, with what the table says of it."""
    for visitor, browser in visitors.browsers.items():
        for document in model.documents:
            if document.path:
                yield from _observations_of_page(model, visitor, browser, document)
            if document.id:
                yield from _observations_of_document(visitor, browser, document)
        for document in model.deleted:
            for path in (document.path, *document.former):
                yield Observation(browser, path, is_status(404))
                yield Observation(browser, f"{path}.md", is_status(404))
        for number, url in enumerate(images):
            yield _observation_of_image(model, visitor, browser, number, path_of(url))
    yield from _observations_of_lists(model, visitors)
    yield from _observations_of_programs(model, visitors)


def _observations_of_page(model: Model, visitor: str, browser: Browser, document: Document) -> Iterator[Observation]:
    path, gone, is_shown = document.path, model.gone(document), model.sees(visitor, document)

    def is_page(response: PlainResponse) -> bool:
        is_uncached = not (is_shown and document.is_private) or response.headers["cache-control"] == "private, no-store"
        is_missing = model.is_live(document) or response.status == gone
        is_indexed = response.status != 200 or ("x-robots-tag" in response.headers) is not document.is_listed
        return has(document.marker, when=is_shown)(response) and is_uncached and is_missing and is_indexed

    def file(suffix: str, *, is_offered: bool) -> Observation:
        status = (304 if is_offered else 404) if is_shown else gone
        return Observation(browser, f"{path}{suffix}", is_status(status), UNCHANGED)

    yield Observation(browser, path, is_page)
    yield Observation(browser, f"{path}.md", has(document.marker, when=is_shown and document.show_source))
    yield file(".png", is_offered=True)
    yield file(".pdf", is_offered=document.offer_pdf)
    yield Observation(browser, f"/report?page={path}", has(document.marker, when=is_shown))
    for former in document.former:
        for suffix, is_there in (("", True), (".md", document.show_source), (".pdf", document.offer_pdf)):
            moved = f"http://127.0.0.1:8000{path}{suffix}" if is_shown and is_there else None

            def is_moved(response: PlainResponse, moved: str | None = moved) -> bool:
                return response.headers.get("location") == moved and document.marker not in response.content

            yield Observation(browser, f"{former}{suffix}", is_moved)


def _observations_of_document(visitor: str, browser: Browser, document: Document) -> Iterator[Observation]:
    """Yield what only an owner sees of a document."""
    is_shown, mine = visitor == "owner" and document.is_owned, f"/documents/{document.id}"
    for path in (mine, f"{mine}/preview", f"{mine}/access", f"{mine}/revisions"):
        yield Observation(browser, path, is_status(*((200,) if is_shown else (303, 404))))
    if not is_shown:
        yield Observation(browser, f"{mine}/revisions/1/preview", has(document.marker, when=False))


def _observation_of_image(model: Model, visitor: str, browser: Browser, number: int, path: str) -> Observation:
    is_shown = model.shows_image(visitor, number)
    caching = "public, max-age=3600" if model.is_shared(visitor, number) else "private, no-store"

    def is_image(response: PlainResponse) -> bool:
        if not is_shown:
            return response.status == 404
        return response.status == 304 and response.headers["cache-control"] == caching

    return Observation(browser, path, is_image, UNCHANGED)


def _observations_of_lists(model: Model, visitors: Visitors) -> Iterator[Observation]:
    stranger, owner, account = (visitors.browsers[name] for name in ("stranger", "owner", "account"))
    for document in filter(lambda each: each.id, model.documents):
        is_listed = model.is_live(document) and document.is_listed
        for path in (f"/u/{model.username}", f"/u/{model.username}/feed.atom"):
            yield Observation(stranger, path, has(document.marker, when=is_listed))
        if document.path:
            yield Observation(stranger, "/sitemap.xml", has(f"{document.path}<", when=is_listed))
        for path in ("/documents", "/documents?q=backen"):
            yield Observation(owner, path, has(document.marker, when=document.is_owned))
            yield Observation(account, path, has(document.marker, when=False))


def _observations_of_programs(model: Model, visitors: Visitors) -> Iterator[Observation]:
    for app, program in visitors.programs.items():
        reads = app != "foreign" and "documents.read" in APPS[app]
        for document in filter(lambda each: each.id, model.documents):
            is_shown = reads and document.is_owned
            yield Observation(program, f"/v1/documents/{document.id}", has(document.marker, when=is_shown))
            yield Observation(program, "/v1/documents", has(document.marker, when=is_shown))
        yield Observation(program, "/v1/images", has("/i/", when=reads))
