"""A running service with accounts, to which vectors are sent."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http import HTTPStatus
from pathlib import Path
from time import sleep

import httpx

from mdpublish_server.services.accounts import add_key, create_account, sign_in
from mdpublish_server.storage import migrate, open_database
from mdpublish_server.storage.accounts import set_operator
from tests.browser.vectors.monitored_page import OpenedResponse
from tests.running import running_service

_MANY = "1000000000"
_SETTINGS = {"MDPUBLISH_PRO_RATE_LIMIT": _MANY, "MDPUBLISH_PRO_MONTHLY_QUOTA": _MANY}

NAMED = "stranger"

_TRIES = 60


@dataclass(frozen=True, slots=True)
class Member:
    key: str
    session: str


@dataclass(slots=True)
class Stage:
    url: str
    client: httpx.Client
    named: Member
    nameless: Member
    paths: list[str] = field(default_factory=list)

    documents: list[str] = field(default_factory=list)
    """Ids; their account is also an operator."""

    rejected: int = 0
    """Demo pages rejected by the scanner."""

    @property
    def sheets(self) -> dict[str, bytes]:
        url = f"{self.url}/static/site.css"
        return {url: self.client.get(url).content}

    def get(self, path: str, *, member: Member | None = None) -> OpenedResponse:
        return self._opened(self.client.get(f"{self.url}{path}", headers=_cookie(member)))

    def post(self, path: str, form: Mapping[str, str], *, member: Member | None = None) -> OpenedResponse:
        headers = {**_cookie(member), "Origin": self.url, "Sec-Fetch-Site": "same-origin"}
        return self._opened(self.client.post(f"{self.url}{path}", data=sent(form), headers=headers))

    def api_post(self, path: str, body: Mapping[str, object], member: Member | None = None) -> httpx.Response:
        """Try again while a busy machine has no worker free."""
        headers = {"Authorization": f"Bearer {member.key}"} if member else {}
        for _ in range(_TRIES):
            response = self.client.post(f"{self.url}/v1{path}", json=sent(body), headers=headers)
            if response.status_code != HTTPStatus.SERVICE_UNAVAILABLE:
                break
            sleep(float(response.headers["retry-after"]))
        return response

    def publish(self, content: str, *, title: str, description: str, member: Member) -> str:
        body = {"content": content, "title": title, "description": description}
        created = self.api_post("/documents/publish", {**body, "visibility": "public", "show_source": True}, member)
        assert created.status_code == 201, created.text
        if member is self.named:
            self.documents.append(created.json()["id"])
        return self._added_path(created.json()["published_url"])

    def publish_demo(self, content: str, *, title: str) -> str:
        """Publish a demo page, or from an account if the scanner rejects it."""
        created = self.api_post("/demo/publish", {"content": content, "title": title})
        if created.status_code == 400 and created.json()["error"]["code"] == "content_rejected":
            self.rejected += 1
            return self.publish(content, title=title, description="", member=self.nameless)
        assert created.status_code == 201, created.text
        return self._added_path(created.json()["url"])

    def _added_path(self, url: str) -> str:
        path = httpx.URL(url).path
        self.paths.append(path)
        return path

    def _opened(self, response: httpx.Response) -> OpenedResponse:
        # Chromium opens it at a URL of its own.
        return OpenedResponse(
            url=str(response.request.url),
            body=response.content,
            headers=dict(response.headers),
            status=response.status_code,
        )


@contextmanager
def stage(folder: Path) -> Iterator[Stage]:
    """Run the service with two accounts: an operator with a username, and one without."""
    database_url = f"sqlite:///{folder / 'mdpublish.db'}"
    migrate(database_url)
    database = open_database(database_url)
    now = datetime.now(UTC)
    members = []
    with database.write_transaction() as transaction:
        for username in (NAMED, None):
            email = f"{username or 'nameless'}@example.org"
            account = create_account(
                transaction, email=email, password_hash=None, now=now, username=username, plan="pro"
            )
            set_operator(transaction, account.id, operator=username == NAMED)
            key = add_key(transaction, account, name="stage", now=now)
            members.append(Member(key.raw, sign_in(transaction, account, now=now)))
    database.close()
    with running_service(folder, settings=_SETTINGS) as urls, httpx.Client(timeout=60) as client:
        named, nameless = members
        yield Stage(urls[0].rstrip("/"), client, named, nameless)


def _cookie(member: Member | None) -> dict[str, str]:
    return {"Cookie": f"session={member.session}"} if member else {}


def sent(values: Mapping[str, object]) -> dict[str, object]:
    """Replace lone surrogates, which cannot be encoded."""
    return {
        name: value.encode("utf-8", "replace").decode() if isinstance(value, str) else value
        for name, value in values.items()
    }
