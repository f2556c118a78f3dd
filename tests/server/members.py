"""Accounts created through forms, and what responses must not reveal."""

from http.cookies import Morsel, SimpleCookie
from typing import Any

import httpx
from argon2 import PasswordHasher

from mdpublish_server.auth import passwords
from mdpublish_server.storage import Account, Database
from mdpublish_server.storage.accounts import list_accounts

PASSWORD = "correct horse"

CHEAP_HASHER = PasswordHasher(time_cost=1, memory_cost=16, parallelism=1)
"""Takes microseconds where the service's takes 35 ms."""

PERSON = {"email": "anna@example.org", "password": PASSWORD}

FOREIGN: tuple[dict[str, str], ...] = (
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
    {"Sec-Fetch-Site": "cross-site", "Origin": "http://127.0.0.1:8000"},
    {"Sec-Fetch-Site": ""},
    {"Sec-Fetch-Site": "Same-Origin"},
    {"Origin": "https://evil.example"},
    {"Origin": "null"},
    {"Origin": ""},
    {"Origin": "http://127.0.0.1:8000.evil.example"},
    {"Origin": "http://127.0.0.1:8001"},
    {"Origin": "https://127.0.0.1:8000"},
)
"""Cross-origin requests."""

SAME_ORIGIN: tuple[dict[str, str], ...] = (
    {},
    {"Sec-Fetch-Site": "same-origin"},
    {"Sec-Fetch-Site": "none"},
    {"Origin": "http://127.0.0.1:8000"},
    {"Sec-Fetch-Site": "same-origin", "Origin": "http://127.0.0.1:8000"},
)
"""Same-origin requests, and requests of programs."""


async def join(client: httpx.AsyncClient, **fields: str) -> httpx.Response:
    """Sign up without a mail server and sign in. Return the response to the sign-in."""
    form = {**PERSON, **fields}
    ready = await client.post("/signup", data=form)
    assert ready.status_code == 303, ready.text
    response = await client.post("/signin", data=form)
    assert response.status_code == 303, response.text
    return response


def accounts(database: Database) -> list[Account]:
    with database.read_transaction() as transaction:
        return list(list_accounts(transaction))


def cookie_of(response: httpx.Response) -> "Morsel[str]":
    """Return the response's only cookie but the one that remembers the device."""
    (header,) = [each for each in response.headers.get_list("set-cookie") if "device=" not in each.partition(";")[0]]
    (cookie,) = SimpleCookie(header).values()
    return cookie


def shown_to(response: httpx.Response, email: str) -> tuple[int, str, dict[str, str]]:
    """Return what a response reveals: all but the given email address, its length and the request id."""
    mine = ("content-length", "x-request-id")
    headers = {name: value for name, value in response.headers.items() if name not in mine}
    return response.status_code, response.text.replace(email, "EMAIL"), headers


class CountingHasher(PasswordHasher):
    """The service's hasher, counting hashes: the expensive part of a sign-in."""

    def __init__(self) -> None:
        known = passwords._HASHER
        super().__init__(
            time_cost=known.time_cost,
            memory_cost=known.memory_cost,
            parallelism=known.parallelism,
            hash_len=known.hash_len,
            salt_len=known.salt_len,
        )
        self.runs = 0

    def since(self) -> int:
        """Return the count and reset it."""
        runs, self.runs = self.runs, 0
        return runs

    def hash(self, *args: Any, **options: Any) -> str:
        self.runs += 1
        return super().hash(*args, **options)

    def verify(self, *args: Any, **options: Any) -> Any:
        self.runs += 1
        return super().verify(*args, **options)
