"""What people, programs and an operator do that the audit log records, while all of it is killed."""

import asyncio
import re
from base64 import b32decode
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from hashlib import sha256
from html import unescape
from itertools import count, cycle
from random import Random
from statistics import fmean
from subprocess import PIPE, Popen, TimeoutExpired
from time import monotonic, time
from typing import Any
from urllib.parse import urlencode

import httpx

from mdpublish_server.services.accounts import NewKey
from tests.server.apps import CALLBACK, CHALLENGE
from tests.server.test_second_factor import code_at
from tests.stress.processes import PATIENCE
from tests.stress.service import KillableService

PASSWORD = "correct horse"

FIRST_DAYS = 3_600
"""For which the operator's first cleanup keeps events; each further one keeps them a day less."""

KILLED = 1 / 6
"""Of the operator's commands."""

MANY = 50
"""Tries of what can be done again: a database that was killed is back after some."""

Event = tuple[str, str]
"""Its kind, and what it is about: "" if who causes it does not know that."""


def about(event: Mapping[str, Any]) -> str:
    """Return what an event of the log is about, as who caused it knows it."""
    changed = {**event["before"], **event["after"]}
    if event["kind"] == "command.ran":
        return str(changed["arguments"][0])
    if event["kind"] == "audit.purged":
        age = datetime.fromisoformat(event["at"]) - datetime.fromisoformat(changed["until"])
        return str(round(age / timedelta(days=1)))
    if event["kind"] == "document.handed_over":
        return f"{event['object']} by {'giver' if event['account_id'] == event['before']['account'] else 'taker'}"
    return str(event["object"] or changed.get("email") or event["account_id"] or "")


class Ledger:
    """How often events were sent for, and acknowledged by a response or an exit status of 0."""

    def __init__(self) -> None:
        self.sent: Counter[Event] = Counter()
        self.acknowledged: Counter[Event] = Counter()

    def minimum(self, kinds: Iterable[str]) -> int:
        """Return how many events were acknowledged of the kind that has fewest."""
        return min(map(by_kind(self.acknowledged).__getitem__, kinds))

    def judge(self, recorded: Iterable[Mapping[str, Any]]) -> None:
        """Compare with all events of the log."""
        logged = Counter((event["kind"], about(event)) for event in recorded)
        lost = {each: times for each, times in self.acknowledged.items() if each[1] and logged[each] < times}
        assert not lost, lost
        # Of an event whose object was not known before, there is one a request.
        twice = {each: times for each, times in logged.items() if times > (self.sent[each] or 1)}
        assert not twice, twice
        acknowledged, sent, kinds = map(by_kind, (self.acknowledged, self.sent, logged))
        for kind in sent | kinds:
            times = (acknowledged[kind], kinds[kind], sent[kind])
            assert times == tuple(sorted(times)), (kind, times)


def by_kind(events: Counter[Event]) -> Counter[str]:
    kinds: Counter[str] = Counter()
    for (kind, _), times in events.items():
        kinds[kind] += times
    return kinds


class Requests:
    """Requests whose events are entered in a ledger."""

    def __init__(self, client: httpx.AsyncClient, ledger: Ledger) -> None:
        self.client = client
        self._ledger = ledger

    async def send(
        self,
        method: str,
        path: str,
        *events: Event,
        others: Sequence[Event] = (),
        status: int | None = None,
        **options: Any,
    ) -> httpx.Response:
        """Send a request that causes `events`, and maybe `others`, and expect `status`, or success."""
        self._ledger.sent.update([*events, *others])
        try:
            response = await self.client.request(method, path, **options)
        except httpx.ConnectError:
            self._ledger.sent.subtract([*events, *others])
            raise
        if response.status_code in (500, 503):
            assert response.status_code == 503, response.text
            raise httpx.ConnectError("not available")
        is_expected = response.status_code == status if status else response.status_code < 400
        assert is_expected, (path, response.status_code, response.text)
        self._ledger.acknowledged.update(events)
        return response

    def know(self, kind: str, now_known: str) -> None:
        """Say what an acknowledged event was about, since the response says it."""
        for counted in (self._ledger.sent, self._ledger.acknowledged):
            counted[kind, ""] -= 1
            counted[kind, now_known] += 1

    async def publish(self, key: str) -> dict[str, Any]:
        headers = {"Authorization": f"Bearer {key}"}
        content = {"content": "text", "visibility": "public"}
        event = ("document.published", "")
        response = await self.send("POST", "/v1/documents/publish", event, json=content, headers=headers)
        document: dict[str, Any] = response.json()
        self.know("document.published", document["id"])
        return document


class Commands:
    """Runs `mdpublish-server`, and kills some of what it runs."""

    def __init__(self, service: KillableService, ledger: Ledger, random: Random) -> None:
        self._service = service
        self._ledger = ledger
        self._random = random
        self._seconds = [1.0]
        self.kills = 0

    async def run(
        self,
        *arguments: str,
        events: Sequence[Event] = (),
        others: Sequence[Event] = (),
        tries: int = 1,
        settings: Mapping[str, str] | None = None,
    ) -> str | None:
        """Return the output of a command that causes `events`, and maybe `others`; None if it was killed or failed.

        The first of several tries may be killed, and a further one finds what it did: all of them cause the events once.
        """
        self._ledger.sent.update([*events, *others])
        for attempt in range(tries):
            is_killed = attempt == 0 and self._random.random() < KILLED
            output = await asyncio.to_thread(self._run, arguments, settings or {}, is_killed=is_killed)
            if output is not None:
                self._ledger.acknowledged.update(events)
                return output
        return None

    def _run(self, arguments: Sequence[str], settings: Mapping[str, str], *, is_killed: bool) -> str | None:
        # The first part of its time, it imports.
        seconds = fmean(self._seconds[-10:]) * self._random.uniform(0.5, 1.1)
        command, environment = self._service.command(*arguments), {**self._service.environment, **settings}
        began = monotonic()
        with Popen(command, env=environment, cwd=self._service.folder, stdout=PIPE, stderr=PIPE, text=True) as process:
            try:
                output, errors = process.communicate(timeout=seconds if is_killed else PATIENCE)
            except TimeoutExpired:
                assert is_killed, arguments
                process.kill()
                process.communicate()
                self.kills += 1
                return None
        assert "Traceback" not in errors, errors
        if process.returncode:
            return None
        self._seconds.append(monotonic() - began)
        return output


class Member:
    """Uses a browser, and a program."""

    def __init__(
        self, service: KillableService, ledger: Ledger, commands: Commands, email: str, account_id: str, key: NewKey
    ) -> None:
        self._service = service
        self._ledger = ledger
        self._commands = commands
        self._email = email
        self._id = account_id
        self._key = key
        self._languages = cycle(("de", "fr", "it", "es", "nl"))
        self._nonces = count()
        self._client_id = ""
        self._may_have_factor = False

    async def work(self, is_over: asyncio.Event) -> None:
        while not is_over.is_set():
            if self._may_have_factor:
                off = ("second_factor.changed", self._id)
                done = await self._commands.run("account", "second-factor", self._email, others=[off])
                self._may_have_factor = done is None
                continue
            try:
                async with connected(self._service) as client:
                    requests = Requests(client, self._ledger)
                    await self._program(requests)
                    await self._sign_in(requests)
                    await self._delete_and_restore(requests)
                    await self._apps(requests)
                    await self._account(requests)
                    await self._second_factor(requests)
                    await requests.send("POST", "/signout", ("session.ended", session_of(client)))
            except httpx.TransportError:
                await asyncio.sleep(0.05)

    async def _program(self, requests: Requests) -> None:
        headers = {"Authorization": f"Bearer {self._key.raw}"}
        document_id = (await requests.publish(self._key.raw))["id"]
        path = f"/v1/documents/{document_id}"
        change = {"visibility": "link"}
        await requests.send("PATCH", path, ("document.access", document_id), json=change, headers=headers)
        unpublished = ("document.unpublished", document_id)
        await requests.send("DELETE", f"{path}/publish", unpublished, headers=headers)
        await requests.send("DELETE", path, ("document.deleted", document_id), headers=headers)

    async def _sign_in(self, requests: Requests) -> None:
        wrong = {"email": self._email, "password": "not the right one"}
        await requests.send("POST", "/signin", ("session.refused", self._id), status=401, data=wrong)
        form = {**wrong, "password": PASSWORD}
        await requests.send("POST", "/signin", ("session.began", ""), status=303, data=form)
        requests.know("session.began", session_of(requests.client))
        form = {"current_password": PASSWORD, "new_password": PASSWORD}
        events = [("password.changed", self._id), ("session.ended", self._id), ("session.began", "")]
        await requests.send("POST", "/account/settings/password", *events, status=303, data=form)
        requests.know("session.began", session_of(requests.client))

    async def _delete_and_restore(self, requests: Requests) -> None:
        document_id = (await requests.publish(self._key.raw))["id"]
        path, deleted = f"/documents/{document_id}", ("document.deleted", document_id)
        await requests.send("POST", f"{path}/delete", deleted, status=303)
        restored = ("document.restored", document_id)
        # Afterwards, its page is published again, unless the database is not available.
        others = [("document.published", document_id)]
        await requests.send("POST", f"{path}/restore", restored, others=others, status=303)
        headers = {"Authorization": f"Bearer {self._key.raw}"}
        await requests.send("DELETE", f"/v1{path}", deleted, headers=headers)

    async def _apps(self, requests: Requests) -> None:
        if not self._client_id:
            app = {"client_name": "An app", "redirect_uris": [CALLBACK], "token_endpoint_auth_method": "none"}
            self._client_id = (await requests.send("POST", "/register", json=app)).json()["client_id"]
        for grant in await self._grants(requests):
            await requests.send("POST", f"/account/apps/{grant}/disconnect", ("app.disconnected", grant))
        query = {"response_type": "code", "client_id": self._client_id, "redirect_uri": CALLBACK}
        query |= {"code_challenge": CHALLENGE, "code_challenge_method": "S256"}
        form = {"account": self._id, "answer": "allow", "convert": "on"}
        path = f"/authorize?{urlencode(query)}"
        allowed = await requests.send("POST", path, ("app.connected", ""), status=303, data=form)
        assert allowed.headers["location"].startswith(CALLBACK), allowed.headers["location"]
        (grant,) = await self._grants(requests)
        requests.know("app.connected", grant)

    async def _grants(self, requests: Requests) -> list[str]:
        return re.findall(r'"/account/apps/([^/"]+)/disconnect"', (await requests.send("GET", "/account/apps")).text)

    async def _account(self, requests: Requests) -> None:
        await requests.send("POST", "/account/export", ("account.exported", self._id))
        listed = (await requests.send("GET", "/account/keys")).text
        for key_id in set(re.findall(r'href="/account/keys/([^/"]+)/', listed)) - {self._key.key.id}:
            await requests.send("POST", f"/account/keys/{key_id}/revoke", ("key.revoked", key_id))
        nonce = sha256(f"{self._id} {next(self._nonces)}".encode()).hexdigest()[:22]
        form = {"name": "another", "nonce": nonce}
        await requests.send("POST", "/account/keys", ("key.created", ""), status=303, data=form)
        for _ in range(2):
            # Another one than before, also if a kill lost the last.
            data = {"language": next(self._languages)}
            await requests.send("POST", "/account/settings/language", ("account.changed", self._id), data=data)

    async def _second_factor(self, requests: Requests) -> None:
        path, changed = "/account/second-factor", ("second_factor.changed", self._id)
        page = (await requests.send("GET", path)).text
        secret, sealed = (
            text_in(pattern, page) for pattern in (r"Secret: <code>([A-Z2-7]+)<", r'"sealed" value="([^"]+)"')
        )
        form = {"password": PASSWORD, "code": code_at(b32decode(secret), int(time())), "sealed": sealed}
        self._may_have_factor = True
        codes = await requests.send("POST", path, changed, status=303, data=form)
        page = (await requests.send("GET", codes.headers["location"])).text
        form = {"password": PASSWORD, "code": text_in(r"<code>([A-Z2-7]{8}-[A-Z2-7]{8})</code>", page)}
        await requests.send("POST", f"{path}/remove", changed, status=303, data=form)
        self._may_have_factor = False


class Operator:
    """Has only the command; people whose accounts are made and deleted by it publish something in between."""

    def __init__(
        self, service: KillableService, ledger: Ledger, commands: Commands, heir: str, *, at_a_time: int
    ) -> None:
        self._service = service
        self._ledger = ledger
        self._run = commands.run
        self._heir = heir
        self._at_a_time = at_a_time
        self._numbers = count()
        self._days = count(FIRST_DAYS, -1)

    async def work(self, is_over: asyncio.Event) -> None:
        while not is_over.is_set():
            leaving = [self._person_leaves() for _ in range(self._at_a_time)]
            await asyncio.gather(*leaving, self._invite_and_purge())

    async def _person_leaves(self) -> None:
        email = f"leaver{next(self._numbers)}@example.org"
        if await self._run("account", "add", email, "--plan", "pro", events=[("account.created", email)]) is None:
            return
        key = await self._run("key", "add", email, events=[("key.created", "")], others=[("key.created", "")], tries=2)
        if key is None:
            return
        pages, lost = await self._publish(key.strip(), 2)
        ids = [page["id"] for page in pages]
        await self._run(
            "page", "takedown", pages[0]["published_url"], events=[("document.taken_down", ids[0])], tries=2
        )
        revoked = ("key.revoked", "")
        left = [("account.changed", ""), revoked]
        await self._run("account", "deactivate", email, events=left, others=[revoked], tries=MANY)
        given = [("document.handed_over", f"{each} by {who}") for each in ids for who in ("giver", "taker")]
        others = [("document.handed_over", "")] * (2 * lost)
        await self._run("account", "hand-over", email, self._heir, events=given, others=others, tries=MANY)
        await self._run("account", "delete", email, "--yes", events=[("account.deleted", email)], tries=2)

    async def _publish(self, key: str, number: int) -> tuple[list[dict[str, Any]], int]:
        """Return documents, and how many requests have no response, which may have made others."""
        pages: list[dict[str, Any]] = []
        lost = 0
        while len(pages) < number:
            try:
                async with connected(self._service) as client:
                    pages.append(await Requests(client, self._ledger).publish(key))
            except httpx.TransportError:
                lost += 1
                await asyncio.sleep(0.05)
        return pages, lost

    async def _invite_and_purge(self) -> None:
        for _ in range(self._at_a_time):
            link = await self._run("invitation", "add", events=[("invitation.created", "")])
            if link is not None:
                token = link.strip().rpartition("/")[2]
                invitation_id = sha256(token.encode()).hexdigest()[:12]
                revoked = ("invitation.revoked", invitation_id)
                await self._run("invitation", "revoke", invitation_id, events=[revoked], tries=2)
            days = str(next(self._days))
            settings = {"MDPUBLISH_AUDIT_DAYS": days}
            await self._run("cleanup", events=[("audit.purged", days)], tries=MANY, settings=settings)


def connected(service: KillableService) -> httpx.AsyncClient:
    return httpx.AsyncClient(base_url=service.url, timeout=PATIENCE, trust_env=False)


def session_of(client: httpx.AsyncClient) -> str:
    """Return the id that the log has of the browser's session."""
    token_hash = sha256(client.cookies["session"].encode()).hexdigest()
    return sha256(token_hash.encode()).hexdigest()[:32]


def text_in(pattern: str, page: str) -> str:
    match = re.search(pattern, page)
    assert match, page
    return unescape(match[1])
