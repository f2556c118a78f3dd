"""Run a former version of the service and dump its database.

Usage: README.md. A second file holds its secrets, which are shown only once, and what `test_upgrades.py` expects.
"""

import json
import re
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

HERE = Path(__file__).parent

# Clock of the old version, in UTC. The tests' clock shows March 1, 12:00.
LONG_AGO = "2026-02-20 12:00:00"
LAST_WEEK = "2026-02-25 18:00:00"
YESTERDAY = "2026-02-28 12:00:00"

# From Debian's package libfaketime. Its `faketime` command would be the process we stop, and exit before the service.
FAKETIME = "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1"

PASSWORD = "correct horse battery"

GARDEN = "# Garden day\n\nWe meet on **Saturday**, 10 o'clock.\n\n- spade\n- [x] seeds\n"
CODE = '# Code\n\n```python\nprint("from the first version")\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n'
SIGNS = "No heading, but äöü, 漢字, `<script>alert(1)</script>` & \"quotes\" 'too'.\n\n> [!NOTE]\n> A callout.\n"


@dataclass(slots=True, kw_only=True)
class Expectations:
    """What must still hold after an upgrade."""

    pages: dict[str, str] = field(default_factory=dict)
    """A fragment of the page by path."""

    redirects: dict[str, str] = field(default_factory=dict)
    missing: list[str] = field(default_factory=list)
    expired: list[str] = field(default_factory=list)

    claim_tokens: dict[str, str] = field(default_factory=dict)
    """By the demo's later state or path."""

    documents: dict[str, dict[str, Any]] = field(default_factory=dict)
    """Anna's documents as returned by the API, by id."""

    keys: dict[str, str] = field(default_factory=dict)
    session: str | None = None


class Service:
    """A former version with its own database. `command` is its `mdpublish-server`."""

    def __init__(self, command: str, database: Path) -> None:
        self._command = command
        self._database = database

    def run(self, clock: str, *arguments: str, given: str = "") -> str:
        """Run a command at the time `clock` and return its output."""
        return subprocess.run(
            [self._command, *arguments],
            env=self._at(clock),
            input=given,
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        ).stdout.strip()

    @contextmanager
    def serving(self, clock: str) -> Iterator[httpx.Client]:
        """Run the service, starting at the time `clock`, and yield a client."""
        command = [self._command, "serve", "--port", "8000"]
        with subprocess.Popen(command, env=self._at(clock), stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout
            assert process.stdout.readline().startswith("mdpublish is at "), "does it run already?"
            try:
                with httpx.Client(base_url="http://127.0.0.1:8000", trust_env=False) as client:
                    yield client
            finally:
                process.terminate()
                process.stdout.read()  # until it exits

    def _at(self, clock: str) -> dict[str, str]:
        return {
            "MDPUBLISH_DATABASE_URL": f"sqlite:///{self._database}",
            "LD_PRELOAD": FAKETIME,
            "FAKETIME": f"@{clock}",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
            "TZ": "UTC",
        }


def first_version(service: Service) -> Expectations:
    """Publish demos through the API and the form; one expires before the tests' clock starts."""
    expectations = Expectations()
    with service.serving(LONG_AGO) as client:
        expired = _demo(client, "# Expired", title="Expired")
        expectations.expired.append(_path(expired))
        expectations.claim_tokens["expired"] = expired["claim_token"]
    with service.serving(YESTERDAY) as client:
        for content, read, options in (
            (GARDEN, "<strong>Saturday</strong>", {"title": "Garden", "theme_mode": "dark"}),
            (CODE, "from the first version", {}),
            (SIGNS, "äöü, 漢字, <code>&lt;script&gt;alert(1)&lt;/script&gt;</code>", {"title": "<b>A & B</b>"}),
        ):
            demo = _demo(client, content, **options)
            expectations.pages[_path(demo)] = read
            expectations.claim_tokens[_path(demo)] = demo["claim_token"]
        form = {"content": "# By the form\r\n\r\nof the site", "template_id": "swiss", "theme_mode": "light"}
        path, token = _by_form(client, form)
        expectations.pages[path] = "of the site"
        expectations.claim_tokens[path] = token
    return expectations


def rest_api(service: Service) -> Expectations:
    """Use every feature of accounts."""
    expectations = Expectations()
    with service.serving(LONG_AGO) as client:
        cleaned_up = _demo(client, "# Swept")
        expectations.expired.append(_path(cleaned_up))
        expectations.claim_tokens["expired"] = cleaned_up["claim_token"]
        form = {"email": "anna@example.org", "password": PASSWORD, "username": "anna"}
        _done(client.post("/signup", data=form), 303)
        service.run(LONG_AGO, "account", "plan", "anna@example.org", "pro", "--until", "2030-01-31")
        for name, options in (("ben", ()), ("carla", ("--username", "carla")), ("dora", ("--username", "dora"))):
            add = ("account", "add", f"{name}@example.org", "--password-stdin", *options)
            service.run(LONG_AGO, *add, given=f"{PASSWORD}\n")
        for name, key in (("anna", "laptop"), ("anna", "revoked"), ("ben", "phone"), ("carla", "suspended")):
            expectations.keys[key] = service.run(LONG_AGO, "key", "add", f"{name}@example.org", "--name", key)
        service.run(LONG_AGO, "key", "revoke", "anna@example.org", expectations.keys["revoked"][-4:])
        _let_anna_publish(_api_client(client, expectations.keys["laptop"]), service, expectations)
        _let_others_publish(client, service, expectations)
    with service.serving(LAST_WEEK) as client:
        expired = _demo(client, "# Expired, not swept")
        expectations.expired.append(_path(expired))
    with service.serving(YESTERDAY) as client:
        for becomes in ("live", "claimed-later"):
            demo = _demo(client, f"# Demo\n\nwhich is {becomes}", title="Demo")
            expectations.pages[_path(demo)] = f"which is {becomes}"
            expectations.claim_tokens[_path(demo)] = demo["claim_token"]
        form = {"email": "anna@example.org", "password": PASSWORD}
        _done(client.post("/signin", data=form), 303)
        expectations.session = client.cookies["session"]
        client.cookies.clear()
        anna = _api_client(client, expectations.keys["laptop"])
        for document in _done(anna("GET", "/v1/documents"))["data"]:
            expectations.documents[document["id"]] = _done(anna("GET", f"/v1/documents/{document['id']}"))
    return expectations


ApiRequest = Callable[..., httpx.Response]


def _let_anna_publish(send: ApiRequest, service: Service, expectations: Expectations) -> None:
    _done(send("POST", "/v1/documents", json={"title": "Draft", "content": "never *published*"}), 201)
    link = _published(send, GARDEN, title="Garden day", template_id="paper")
    public = _published(send, CODE, title="Code", template_id="dracula", theme_mode="dark", description="What runs")
    options = {"visibility": "public", "hide_badge": True, "page_width": "wide"}
    former = []
    for slug in ("first-slug", "second-slug"):
        former.append(_path(public))
        public |= _done(send("POST", f"/v1/documents/{public['id']}/publish", json={"slug": slug, **options}))
    unpublished = _published(send, "x", title="Unpublished")
    _done(send("DELETE", f"/v1/documents/{unpublished['id']}/publish"))
    taken_down = _published(send, "x", title="Taken down")
    service.run(LONG_AGO, "page", "takedown", taken_down["published_url"])
    deleted = _published(send, "x", title="Deleted")
    _done(send("DELETE", f"/v1/documents/{deleted['id']}"))
    expectations.missing += map(_path, (unpublished, taken_down, deleted))
    demo = _done(send("POST", "/v1/demo/publish", json={"content": "# Claimed\n\nby *Anna*"}), 201)
    claimed = _done(send("POST", "/v1/demo/claim", json={"claim_token": demo["claim_token"]}))
    expectations.claim_tokens["used"] = demo["claim_token"]
    former.append(_path(demo))
    # Her pages move to the new username.
    service.run(LONG_AGO, "account", "username", "anna@example.org", "anna-b")
    for page, read in ((link, "Saturday"), (public, "from the first version"), (claimed, "by <em>Anna</em>")):
        moved = _path(page).replace("/u/anna/", "/u/anna-b/")
        expectations.pages[moved] = read
        expectations.redirects[_path(page)] = moved
    for path, page in zip(former, (public, public, claimed), strict=True):
        expectations.redirects[path] = _path(page).replace("/u/anna/", "/u/anna-b/")


def _let_others_publish(client: httpx.Client, service: Service, expectations: Expectations) -> None:
    ben = _published(_api_client(client, expectations.keys["phone"]), SIGNS, title="Ben's", template_id="mono")
    expectations.pages[_path(ben)] = "äöü, 漢字"
    carla = _published(_api_client(client, expectations.keys["suspended"]), "x", title="Carla's")
    service.run(LONG_AGO, "account", "suspend", "carla@example.org")
    service.run(LONG_AGO, "account", "delete", "dora@example.org", "--yes")
    expectations.missing.append(_path(carla))


def _api_client(client: httpx.Client, key: str) -> ApiRequest:
    def send(method: str, path: str, **options: Any) -> httpx.Response:
        return client.request(method, path, headers={"Authorization": f"Bearer {key}"}, **options)

    return send


def _published(send: ApiRequest, content: str, **fields: str) -> dict[str, Any]:
    return _done(send("POST", "/v1/documents/publish", json={"content": content, **fields}), 201)


def _demo(client: httpx.Client, content: str, **fields: str) -> dict[str, Any]:
    return _done(client.post("/v1/demo/publish", json={"content": content, **fields}), 201)


def _by_form(client: httpx.Client, form: dict[str, str]) -> tuple[str, str]:
    response = client.post("/", data={**form, "action": "publish"}, headers={"Origin": "http://127.0.0.1:8000"})
    path = re.search(r"/p/[a-z0-9]{20}", response.text)
    token = re.search(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", response.text)
    assert path, response.text
    assert token, response.text
    return path[0], token[0]


def _done(response: httpx.Response, status: int = 200) -> dict[str, Any]:
    assert response.status_code == status, response.text
    return dict(response.json()) if response.headers.get("content-type") == "application/json" else {}


def _path(page: dict[str, Any]) -> str:
    return httpx.URL(page["published_url"] if "published_url" in page else page["url"]).path


VERSIONS: dict[str, Callable[[Service], Expectations]] = {"first-version": first_version, "rest-api": rest_api}


def main(name: str, command: str, folder: str) -> None:
    """Write the dump `name` and its expectations. `folder` is an empty folder for the database."""
    database = Path(folder) / "mdpublish.db"
    expectations = VERSIONS[name](Service(command, database))
    with closing(sqlite3.connect(database)) as connection:
        (HERE / f"{name}.sql").write_text("\n".join(connection.iterdump()) + "\n", "utf-8")
    values = {each: getattr(expectations, each) for each in Expectations.__slots__}
    markdown = json.dumps({each: value for each, value in values.items() if value}, indent=2, ensure_ascii=False)
    (HERE / f"{name}.json").write_text(markdown + "\n", "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
