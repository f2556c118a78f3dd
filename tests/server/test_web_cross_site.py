"""Every form of the site is refused from another origin, with and without a session."""

import httpx
import pytest

from mdpublish_server.state import AppState
from mdpublish_server.storage.tables import METADATA
from mdpublish_server.storage.transactions import Row, Statement
from mdpublish_server.web.public.pages import PublishedPages
from mdpublish_server.web.routes import site_routes
from mdpublish_server.web.site import Site
from tests.server.members import FOREIGN

pytestmark = pytest.mark.anyio

PUBLIC, ACCOUNTS = "http://127.0.0.1:8000", "http://accounts.example:8000"

VALUES = {
    "template_id": "ink",
    "theme_mode": "dark",
    "id": "00000000-0000-4000-8000-000000000000",
    "document_id": "00000000-0000-4000-8000-000000000000",
    "token": "x",
    "number": "1",
}
"""Of the parameters in paths. The check comes before anything is looked up."""

FORM = {"content": "# Hello", "email": "anna@example.org", "password": "correct horse", "place": "slack"}


def forms(state: AppState) -> list[tuple[str, str, str]]:
    """Return method, path and site of all that changes something, in the table of routes."""
    site = Site(state.settings)
    public, accounts = site_routes(state, site, PublishedPages(state.page_server, site, state.settings))
    sites = ((public, state.settings.public_url), (accounts, state.settings.dashboard_url))
    return [
        (method, path.format(**VALUES), site)
        for routes, site in sites
        for path, methods in routes.items()
        for method in methods
        if method != "GET"
    ]


def stored(state: AppState) -> list[list[Row]]:
    with state.database.read_transaction() as transaction:
        return [list(transaction.rows(Statement(table.select()))) for table in METADATA.sorted_tables]


@pytest.fixture(params=[PUBLIC, ACCOUNTS])
def environment(request: pytest.FixtureRequest) -> dict[str, str]:
    return {"MDPUBLISH_PUBLIC_URL": PUBLIC, "MDPUBLISH_DASHBOARD_URL": request.param}


async def test_every_form_is_refused_from_another_origin(operator: httpx.AsyncClient, state: AppState) -> None:
    taken = []
    before = stored(state)
    for method, path, site in forms(state):
        for headers in FOREIGN:
            response = await operator.request(method, f"{site}{path}", data=FORM, headers=headers)
            is_refused = response.status_code == 403 and "Cross-site request rejected" in response.text
            if not is_refused or "set-cookie" in response.headers:
                taken.append((method, path, headers, response.status_code))

    assert taken == []
    assert stored(state) == before


async def test_every_form_is_taken_from_its_own_origin(operator: httpx.AsyncClient, state: AppState) -> None:
    refused = []
    for method, path, site in forms(state):
        for headers in ({"Sec-Fetch-Site": "same-origin"}, {"Origin": site}):
            response = await operator.request(method, f"{site}{path}", data=FORM, headers=headers)
            if response.status_code == 403:
                refused.append((method, path, headers))

    assert refused == []


def test_forms_of_each_part_of_the_site_are_in_the_table(state: AppState) -> None:
    paths = {path for _, path, _ in forms(state)}

    assert paths >= {"/", "/report", "/preview", "/download.md", "/signin", "/account/delete", "/operator/invitations"}
    assert paths >= {"/forgot", *(f"/{each}/x" for each in ("signup", "confirm", "reset", "claim"))}
    document = f"/documents/{VALUES['document_id']}"
    assert paths >= {f"{document}/publish", f"{document}/revisions/1/restore", "/account/settings/password"}


async def test_requests_with_a_key_are_no_forms(free: httpx.AsyncClient) -> None:
    for headers in FOREIGN:
        assert (await free.post("/v1/convert", json={"markdown": "x"}, headers=headers)).status_code == 200
