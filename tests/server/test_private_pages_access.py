"""Visitors of ten kinds at every route of the table, and a marker of a private page that must not come out."""

import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import httpx
import pytest

from mdpublish_server.api import OPERATIONS
from mdpublish_server.services.accounts import set_username
from mdpublish_server.state import AppState
from mdpublish_server.storage import Database
from mdpublish_server.storage.accounts import find_account
from mdpublish_server.web.public.pages import PublishedPages
from mdpublish_server.web.routes import site_routes
from mdpublish_server.web.site import Site
from tests.server.api_requests import publish_new, update
from tests.server.browsers import Connect, Member
from tests.server.conftest import Travel
from tests.server.private_pages import PASSWORD, READER, begin_reading, path_of, text_of, unlock
from tests.server.smtp_server import Mailbox

pytestmark = pytest.mark.anyio

MARKER = "Zwetschgenkuchen"

IMAGE = f'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><title>{MARKER}</title><rect width="9" height="9"/></svg>'

# Of the account that the other pages are of.
OLD_NAME = "berta"
NAME = "berta-b"

ALLOWED = {"specific": {"owner", "reader"}, "password": {"owner", "right password"}}
"""Which visitors see a page, by what protects it."""


ALL_ROUTES = ("owner", "other account", "reader", "anonymous")
"""Visitors that see lists and other pages of the site too."""

METHODS = {"anonymous": ("GET", "HEAD")}


@dataclass(frozen=True, slots=True)
class Secrets:
    """A page with its image and all that names it."""

    kind: str
    document_id: str
    path: str
    image_path: str
    social_image: bytes

    @property
    def slug(self) -> str:
        return self.path.rpartition("/")[2]

    def parameters(self) -> dict[str, list[str]]:
        """Values of the parameters of routes; a route with another one needs an entry here."""
        return {
            "username": [NAME, OLD_NAME],
            "slug": [self.slug, f"old-{self.slug}"],
            "id": [self.document_id],
            "document_id": [self.document_id],
            "name": [self.image_path.rpartition("/")[2]],
            "number": ["1"],
            "identifier": ["abcdefgh"],
            "token": ["0" * 64],
            "template_id": ["swiss"],
            "theme_mode": ["light"],
        }


@pytest.fixture
def environment(mailbox: Mailbox) -> dict[str, str]:
    return {"MDPUBLISH_SMTP_URL": mailbox.url, "MDPUBLISH_MAIL_FROM": "service@example.org"}


async def publish_secret(berta: Member, kind: str) -> Secrets:
    """Publish a private page, first under another slug."""
    protections: dict[str, dict[str, Any]] = {
        "specific": {"visibility": "specific", "readers": [READER]},
        "password": {"password": PASSWORD},
    }
    uploaded = await berta.program.post("/v1/images", content=IMAGE)
    assert uploaded.status_code == 201, uploaded.text
    image = uploaded.json()["url"]
    content = f"# {MARKER}\n\nHefeteig {MARKER} ![{MARKER}]({image})\n"
    fields = {
        "title": f"{MARKER} {kind}",
        "description": MARKER,
        "show_source": True,
        "offer_pdf": True,
        "slug": f"old-{kind}",
    }
    new = await publish_new(berta.program, content, **fields, **protections[kind])
    await update(berta.program, new["id"], slug=kind)
    path = f"/u/{OLD_NAME}/{kind}"
    social = await berta.browser.get(f"{path}.png")
    assert social.status_code == 200
    return Secrets(kind, new["id"], path.replace(OLD_NAME, NAME), path_of(image), social.content)


@pytest.fixture
async def secrets(berta: Member, database: Database, state: AppState) -> list[Secrets]:
    secrets = [await publish_secret(berta, kind) for kind in ("specific", "password")]
    # A list that the secrets must not be in.
    await publish_new(berta.program, "plain", title="Plain", visibility="public")
    with database.write_transaction() as transaction:
        account = find_account(transaction, berta.account.id)
        assert account is not None
        set_username(transaction, account, NAME, now=state.clock())
    return secrets


def routes(state: AppState) -> list[str]:
    """Return all paths that answer to GET, from the tables of routes."""
    site = Site(state.settings)
    tables = site_routes(state, site, PublishedPages(state.page_server, site, state.settings))
    served = [path for table in tables for path, methods in table.items() if "GET" in methods]
    return [*served, *(f"/v1{each.path}" for each in OPERATIONS if each.method == "GET"), "/openapi.json"]


def paths(state: AppState, secret: Secrets, *, is_all: bool) -> list[str]:
    """Return the path of each route for all values of its parameters, and with all queries that name a page.

    Without `is_all`, leave out those that have no parameter which a page is named by.
    """
    all_paths = []
    of_pages = {"username", "slug", "id", "document_id", "name"}
    for template in routes(state):
        if not is_all and not of_pages & set(re.findall(r"\{(\w+)\}", template)):
            continue
        filled = [template]
        for name in re.findall(r"\{(\w+)\}", template):
            filled = [path.replace(f"{{{name}}}", value) for path in filled for value in secret.parameters()[name]]
        all_paths += filled
    queries = [f"{path}?page={secret.path}" for path in ("/report", "/read/sent")]
    return [*all_paths, *queries, "/documents?q=Hefeteig", f"/d/{secret.slug}", f"/d/{secret.slug}.md"]


@pytest.fixture
async def visitors(
    secrets: list[Secrets],
    berta: Member,
    anna: Member,
    client: httpx.AsyncClient,
    client_from: Connect,
    mailbox: Mailbox,
) -> AsyncIterator[dict[str, httpx.AsyncClient]]:
    """The kinds of visitors but those after the end, each with whatever sessions they got."""
    specific, password = secrets
    names = (
        "anonymous",
        "robot",
        "reader",
        "revoked reader",
        "reader of another page",
        "wrong password",
        "right password",
    )
    async with AsyncExitStack() as stack:
        browsers = {name: await stack.enter_async_context(client_from("127.0.0.1")) for name in names[1:]}
        browsers["anonymous"] = client
        browsers["robot"].headers["User-Agent"] = "Mozilla/5.0 (compatible; Googlebot/2.1)"
        # The other page is of the same account, whose sessions they share.
        other = await publish_new(
            berta.program, "other", title="Other", visibility="specific", readers=["olaf@example.com"]
        )
        await update(berta.program, specific.document_id, readers=[READER, "rob@example.com"])
        await begin_reading(browsers["reader"], mailbox, specific.path)
        await begin_reading(browsers["revoked reader"], mailbox, specific.path, "rob@example.com")
        await begin_reading(browsers["reader of another page"], mailbox, other["published_url"], "olaf@example.com")
        await update(berta.program, specific.document_id, readers=[READER])
        assert (await unlock(browsers["wrong password"], password.path, "close sesame")).status_code == 401
        assert (await unlock(browsers["right password"], password.path)).status_code == 303
        yield {"owner": berta.browser, "other account": anna.browser, **browsers}


def shows(response: httpx.Response, secret: Secrets) -> bool:
    """Return whether a response has the marker, or the page's social image, PDF or new address."""
    is_file = response.content == secret.social_image or response.content.startswith(b"%PDF-")
    return is_file or MARKER in text_of(response)


async def leaks(
    browser: httpx.AsyncClient,
    state: AppState,
    secret: Secrets,
    *,
    is_all: bool = False,
    methods: tuple[str, ...] = ("GET",),
) -> list[str]:
    leaked = []
    for path in paths(state, secret, is_all=is_all):
        for method in methods:
            response = await browser.request(method, path)
            assert response.status_code != 500, (path, response.text)
            is_moved = response.status_code == 301 and secret.slug in response.headers["location"]
            if shows(response, secret) or (is_moved and path.startswith(("/u/", "/d/"))):
                leaked.append(f"{method} {path}")
    return leaked


@pytest.mark.corpora
async def test_nobody_but_those_who_may_sees_anything_of_a_private_page(
    visitors: dict[str, httpx.AsyncClient], secrets: list[Secrets], state: AppState
) -> None:
    for secret in secrets:
        for name, browser in visitors.items():
            leaked = await leaks(browser, state, secret, is_all=name in ALL_ROUTES, methods=METHODS.get(name, ("GET",)))
            if name not in ALLOWED[secret.kind]:
                assert leaked == [], name
                continue
            visible = (
                secret.path,
                f"{secret.path}.md",
                f"{secret.path}.pdf",
                f"{secret.path}.png",
                secret.image_path,
                f"/report?page={secret.path}",
            )
            assert {f"GET {path}" for path in visible} <= set(leaked), name
            if name != "owner":
                # Nothing but the page, and redirects to it from former addresses.
                former = [
                    f"GET /u/{user}/{slug}{suffix}"
                    for user in (NAME, OLD_NAME)
                    for slug in (secret.slug, f"old-{secret.slug}")
                    for suffix in ("", ".md", ".pdf", ".png")
                ]
                others = set(leaked) - {f"GET {path}" for path in visible} - set(former)
                assert others <= {f"GET /d/{secret.slug}", f"GET /d/{secret.slug}.md"}, name


async def test_nobody_sees_anything_of_a_page_that_ended(
    visitors: dict[str, httpx.AsyncClient], secrets: list[Secrets], berta: Member, state: AppState, travel: Travel
) -> None:
    for secret in secrets:
        end = (state.clock() + timedelta(hours=1)).isoformat()
        await update(berta.program, secret.document_id, expires_at=end)
    travel(timedelta(hours=1))
    for secret in secrets:
        for name in ("reader", "right password", "anonymous"):
            assert await leaks(visitors[name], state, secret) == [], name
        for name, browser in visitors.items():
            ended = await browser.get(secret.path)
            assert (ended.status_code, shows(ended, secret)) == (410, False), name


async def test_who_may_see_a_page_leaves_nothing_in_caches(
    visitors: dict[str, httpx.AsyncClient], secrets: list[Secrets]
) -> None:
    for secret in secrets:
        for name in ALLOWED[secret.kind]:
            for path in (
                secret.path,
                f"{secret.path}.md",
                f"{secret.path}.pdf",
                f"{secret.path}.png",
                secret.image_path,
                f"/u/{OLD_NAME}/{secret.slug}",
            ):
                response = await visitors[name].get(path)
                assert response.headers["cache-control"] == "private, no-store", path
                assert response.headers["x-robots-tag"] == "noindex", path
                tag = response.headers.get("etag", '"x"')
                revalidated = await visitors["anonymous"].get(path, headers={"If-None-Match": tag})
                assert revalidated.status_code in (200, 404), path
                assert not shows(revalidated, secret), path
                anything = await visitors["anonymous"].get(path, headers={"If-None-Match": "*"})
                assert anything.status_code in (200, 404), path
