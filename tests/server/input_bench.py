"""Tests of bad input: an account with a published document, checks of every response, and database snapshots."""

import re
from collections.abc import AsyncIterator
from dataclasses import dataclass

import httpx
from sqlalchemy import select

from mdpublish_server.api.operations import Operation
from mdpublish_server.storage import Database
from mdpublish_server.storage.tables import METADATA
from mdpublish_server.storage.transactions import Row, Statement
from tests.image_files import PNG
from tests.server.bad_values import MARK

# A rejected request may change the request count and the time its key was last used.
MAY_CHANGE = (("accounts", "used"), ("accounts", "month"), ("keys", "used_at"))

ROWS = {
    name: Statement(
        select(*(column for column in table.c if (name, column.name) not in MAY_CHANGE)).order_by(*table.primary_key)
    )
    for name, table in METADATA.tables.items()
}

INTERNALS = re.compile(
    r"traceback|sqlalchemy|sqlite|psycopg|postgres|msgspec|mdpublish_server|site-packages|\.py\b|`", re.IGNORECASE
)


def rows_of(database: Database) -> dict[str, list[Row]]:
    """Return all rows without the columns that a rejected request may change."""
    with database.read_transaction() as transaction:
        return {name: list(transaction.rows(statement)) for name, statement in ROWS.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """A Pro client, its published document, and an image of its own."""

    client: httpx.AsyncClient
    database: Database
    document: str
    image: str

    def rows(self) -> dict[str, list[Row]]:
        return rows_of(self.database)

    def path(self, operation: Operation) -> str:
        return f"/v1{operation.path.replace('{id}', self.image if operation.tag == 'Images' else self.document)}"

    async def send(
        self, operation: Operation, body: bytes | AsyncIterator[bytes] | None, *, content_type: str = "application/json"
    ) -> httpx.Response:
        """Send a request and check its response."""
        headers = {"Content-Type": content_type}
        response = await self.client.request(operation.method, self.path(operation), content=body, headers=headers)
        check(response)
        return response


def check(response: httpx.Response) -> None:
    """Assert that a response is not a server error and reveals no internals."""
    assert response.status_code < 500, response.text[:500]
    for name in ("x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"):
        assert response.headers[name].isdigit()
    headers = repr(response.headers.raw).lower()
    assert MARK not in headers
    assert "set-cookie" not in headers
    assert not INTERNALS.search(headers)
    assert response.headers["content-type"] == "application/json"
    if response.status_code >= 400:
        error = response.json()["error"]
        assert response.json() == {"error": {name: error[name] for name in ("code", "message", "status")}}
        assert error["status"] == response.status_code
        assert len(error["message"]) < 2_000
        assert error["message"].isprintable(), error["message"]
        assert not INTERNALS.search(error["message"]), error["message"]


def code(response: httpx.Response) -> tuple[int, str | None]:
    return response.status_code, response.json()["error"]["code"] if response.status_code >= 400 else None


def headers_of(response: httpx.Response) -> dict[str, str]:
    """Return the headers that could distinguish two responses; of varying ones, only the names."""
    varying = ("x-request-id", "x-ratelimit-remaining", "x-ratelimit-reset", "date")
    return {name: "" if name in varying else value for name, value in response.headers.items()}


def message(response: httpx.Response) -> str:
    return str(response.json()["error"]["message"])


async def make_bench(client: httpx.AsyncClient, database: Database) -> Bench:
    created = (await client.post("/v1/documents", json={"title": "Greeting", "content": "# Hello"})).json()
    assert (await client.post(f"/v1/documents/{created['id']}/publish", json={})).status_code == 200
    image = await client.post("/v1/images", content=PNG, headers={"Content-Type": "image/png"})
    return Bench(client=client, database=database, document=created["id"], image=image.json()["id"])
