"""What a new password, signing out everywhere, suspension and deletion end: each goes the same way."""

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass

import httpx
import pytest
from starlette.types import ASGIApp

from mdpublish_server.services.accounts import sign_in, suspend
from mdpublish_server.services.email_tokens import PASSWORD as PASSWORD_RESET
from mdpublish_server.services.email_tokens import create_email_token
from mdpublish_server.state import AppState
from tests.server.api_requests import publish_new
from tests.server.apps import App, browser, serving
from tests.server.browsers import Connect, Member
from tests.server.members import PASSWORD
from tests.server.private_pages import READER, ask, mail_of
from tests.server.smtp_server import Mailbox

pytestmark = pytest.mark.anyio

NEW = "a brand new password"

CHANGE = {"current_password": PASSWORD, "new_password": NEW}


@pytest.fixture
def environment(mailbox: Mailbox) -> dict[str, str]:
    return {"MDPUBLISH_SMTP_URL": mailbox.url, "MDPUBLISH_MAIL_FROM": "service@example.org"}


@dataclass(frozen=True, slots=True)
class Access:
    """All that berta's account can be reached by."""

    app: App
    tokens: dict[str, str]
    other: httpx.AsyncClient
    reset: str
    links: tuple[str, str]


@pytest.fixture
async def served(state: AppState) -> AsyncIterator[ASGIApp]:
    async with serving(state) as served:
        yield served


@pytest.fixture
async def access(
    served: ASGIApp, state: AppState, berta: Member, client: httpx.AsyncClient, mailbox: Mailbox, client_from: Connect
) -> Access:
    app = App(browser(served), browser(served, berta.token))
    tokens, now = await app.connect(), state.clock()
    page = await publish_new(berta.program, visibility="specific", readers=[READER])
    path = f"/documents/{page['id']}/access"
    await berta.browser.post(f"{path}/link", data={"reader": READER})
    shown = (await berta.browser.get(path)).text
    personal = shown.partition("<code>http://127.0.0.1:8000")[2].partition("</code>")[0]
    await ask(client, page["published_url"])
    with state.database.write_transaction() as transaction:
        other = client_from("127.0.0.1")
        other.cookies.set("session", sign_in(transaction, berta.account, now=now))
        reset = create_email_token(
            transaction, PASSWORD_RESET, email=berta.account.email, account=berta.account, now=now
        )
    access = Access(app, tokens, other, f"/reset/{reset}", (personal, mail_of(mailbox, 2).link))
    for link in (*access.links, access.reset):
        assert (await client.post(link, data={"code": "x"})).status_code != 404
    assert (await other.get("/account")).status_code == 200
    return access


async def change(_state: AppState, berta: Member, _access: Access) -> None:
    assert (await berta.browser.post("/account/settings/password", data=CHANGE)).status_code == 303


async def change_with_programs(_state: AppState, berta: Member, _access: Access) -> None:
    form = {**CHANGE, "programs": "yes"}
    assert (await berta.browser.post("/account/settings/password", data=form)).status_code == 303


async def reset(_state: AppState, berta: Member, access: Access) -> None:
    form = {"password": NEW}
    assert (await berta.browser.post(access.reset, data=form)).status_code == 303


async def reset_as_offered(_state: AppState, berta: Member, access: Access) -> None:
    assert 'name="programs" value="yes" checked' in (await berta.browser.get(access.reset)).text
    form = {"password": NEW, "programs": "yes"}
    assert (await berta.browser.post(access.reset, data=form)).status_code == 303


async def sign_out_everywhere(_state: AppState, berta: Member, _access: Access) -> None:
    assert (await berta.browser.post("/account/sessions/signout")).status_code == 303
    assert (await berta.browser.get("/account")).status_code == 303


async def be_suspended(state: AppState, berta: Member, _access: Access) -> None:
    with state.database.write_transaction() as transaction:
        suspend(transaction, berta.account, suspended=True)
        suspend(transaction, berta.account, suspended=False)


async def delete(_state: AppState, berta: Member, _access: Access) -> None:
    assert (await berta.browser.post("/account/delete", data={"password": PASSWORD})).status_code == 303


@pytest.mark.parametrize(
    ("event", "ends_programs"),
    [
        (change, False),
        (change_with_programs, True),
        (reset, False),
        (reset_as_offered, True),
        (sign_out_everywhere, False),
        (be_suspended, False),
        (delete, True),
    ],
)
async def test_event_ends_sessions_and_links_and_programs_if_asked(
    event: Callable[[AppState, Member, Access], Awaitable[None]],
    ends_programs: bool,
    state: AppState,
    berta: Member,
    access: Access,
    client: httpx.AsyncClient,
) -> None:
    await event(state, berta, access)
    assert (await access.other.get("/account")).status_code == 303
    for link in (*access.links, access.reset):
        assert (await client.get(link)).status_code == 404, link
    key = (await berta.program.get("/v1/usage")).status_code
    app = (await access.app.request_mcp(access.tokens["access_token"])).status_code
    refreshed = (await access.app.refresh(access.tokens["refresh_token"])).status_code
    assert (key, app, refreshed) == ((401, 401, 400) if ends_programs else (200, 200, 200))


async def test_change_of_a_password_offers_to_end_programs(berta: Member) -> None:
    assert 'name="programs" value="yes">' in (await berta.browser.get("/account/settings")).text


async def test_keys_that_ended_leave_room_for_new_ones(berta: Member) -> None:
    await berta.browser.post("/account/settings/password", data={**CHANGE, "programs": "yes"})
    listed = (await berta.browser.get("/account/keys")).text
    assert "bertas key" in listed
    for _ in range(2):
        assert (await berta.browser.post("/account/keys", data={"name": "new"})).status_code == 303


async def test_events_of_one_account_end_nothing_of_another(anna: Member, berta: Member) -> None:
    await berta.browser.post("/account/settings/password", data={**CHANGE, "programs": "yes"})
    assert (await anna.browser.get("/account")).status_code == 200
    assert (await anna.program.get("/v1/usage")).status_code == 200
