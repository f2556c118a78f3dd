"""A running service with accounts."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx

from mdpublish_server.auth.passwords import hash_password
from mdpublish_server.services.accounts import add_key, create_account, sign_in
from mdpublish_server.storage import Database, open_database
from mdpublish_server.storage.accounts import set_operator
from tests.running import running_service
from tests.server import smtp_server
from tests.server.smtp_server import Mailbox

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext

PASSWORD = "correct horse"

_hashed = cache(hash_password)

# One worker of each kind starts sooner; rate limits are off, also those of CPU time.
_SETTINGS = {
    "MDPUBLISH_WORKERS": "1",
    "MDPUBLISH_DEMO_WORKERS": "1",
    "MDPUBLISH_FREE_RATE_LIMIT": "1000",
    "MDPUBLISH_PRO_RATE_LIMIT": "1000",
    "MDPUBLISH_SITE_CPU_SECONDS": "0",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    email: str
    key: str
    session: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    url: str
    client: httpx.Client
    database: Database
    mailbox: Mailbox | None

    def open_account(
        self, email: str, *, username: str | None = None, plan: str = "free", is_operator: bool = False
    ) -> Member:
        """Create an account directly in the database."""
        now = datetime.now(UTC)
        with self.database.write_transaction() as transaction:
            account = create_account(
                transaction, email=email, password_hash=_hashed(PASSWORD), now=now, username=username, plan=plan
            )
            set_operator(transaction, account.id, operator=is_operator)
            key = add_key(transaction, account, name="Build server", now=now)
            return Member(email=email, key=key.raw, session=sign_in(transaction, account, now=now))

    def sign_in(self, context: "BrowserContext", member: Member | None) -> "BrowserContext":
        """Sign a member in, if one is given, and return the context."""
        if member:
            context.add_cookies([{"name": "session", "value": member.session, "url": self.url}])
        return context

    def api_post(self, path: str, body: Mapping[str, object], member: Member | None = None) -> dict[str, Any]:
        return self._request("POST", path, body, member)

    def api_patch(self, path: str, body: Mapping[str, object], member: Member) -> dict[str, Any]:
        return self._request("PATCH", path, body, member)

    def api_get(self, path: str, member: Member) -> dict[str, Any]:
        response = self.client.get(f"/v1{path}", headers={"Authorization": f"Bearer {member.key}"})
        assert response.is_success, response.text
        return dict(response.json())

    def _request(self, method: str, path: str, body: Mapping[str, object], member: Member | None) -> dict[str, Any]:
        headers = {"Authorization": f"Bearer {member.key}"} if member else {}
        response = self.client.request(method, f"/v1{path}", json=dict(body), headers=headers)
        assert response.is_success, response.text
        return dict(response.json())

    def publish(self, member: Member, content: str, **options: object) -> dict[str, Any]:
        draft: dict[str, object] = {"content": content, "title": "Untitled"}
        draft |= {name: options.pop(name) for name in ("template_id", "theme_mode", "title") if name in options}
        document = self.api_post("/documents", draft, member)
        return {**document, **self.api_post(f"/documents/{document['id']}/publish", options, member)}

    def email_link(self, email: str) -> str:
        """Wait for a recipient's first email and return its link."""
        assert self.mailbox is not None, "this service sends no mail"
        count = 1
        while True:
            for handed in self.mailbox.wait(count):
                if handed.recipients == [email]:
                    body = handed.message.get_body(("plain",))
                    assert body is not None
                    words: list[str] = body.get_content().split()
                    return next(word for word in words if word.startswith(self.url))
            count = len(self.mailbox.handed) + 1


@contextmanager
def served(folder: Path, *, mails: bool = False, **settings: str) -> Iterator[Served]:
    """`settings` are `MDPUBLISH_` variables in lower case."""
    given = {**_SETTINGS, **{f"MDPUBLISH_{name.upper()}": value for name, value in settings.items()}}
    if not mails:
        with _running(folder, given, None) as service:
            yield service
        return
    with smtp_server.running() as mailbox:
        given |= {"MDPUBLISH_SMTP_URL": mailbox.url, "MDPUBLISH_MAIL_FROM": "service@example.org"}
        with _running(folder, given, mailbox) as service:
            yield service


@contextmanager
def _running(folder: Path, settings: Mapping[str, str], mailbox: Mailbox | None) -> Iterator[Served]:
    with running_service(folder, settings=settings) as urls:
        url = urls[0].rstrip("/")
        database = open_database(f"sqlite:///{folder / 'mdpublish.db'}")
        with httpx.Client(base_url=url, timeout=120) as client:
            # Made for the first who asks, which on a busy machine may take longer than the service lets wait.
            for place in ("google-docs", "slack", "email"):
                while client.get(f"/preview/excerpt?place={place}").status_code == 503:
                    pass
            yield Served(url=url, client=client, database=database, mailbox=mailbox)
        database.close()
