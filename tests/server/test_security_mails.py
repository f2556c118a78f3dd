"""Mails about security events: one for each, with what to do, and never more than its owner can read."""

import re
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import timedelta

import httpx
import pytest
from starlette.types import ASGIApp

from mdpublish_server.services.email_tokens import PASSWORD as TO_CHOOSE_A_PASSWORD
from mdpublish_server.services.email_tokens import create_email_token
from mdpublish_server.services.security_mails import MAX_MAILS
from mdpublish_server.state import AppState
from tests.server.apps import App, browser, serving
from tests.server.browsers import Member
from tests.server.command import runner
from tests.server.conftest import Travel
from tests.server.members import PASSWORD
from tests.server.smtp_server import Handed, Mailbox, is_logged

pytestmark = pytest.mark.anyio

FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"

NEW = "a brand new password"

SITE = "http://127.0.0.1:8000"


@pytest.fixture
def environment(mailbox: Mailbox) -> dict[str, str]:
    return {"MDPUBLISH_SMTP_URL": mailbox.url, "MDPUBLISH_MAIL_FROM": "service@example.org"}


@pytest.fixture
async def served(state: AppState) -> AsyncIterator[ASGIApp]:
    """The application with `/mcp`, and the mailer, running."""
    assert state.mailer
    state.mailer.start()
    async with serving(state) as served:
        yield served
    await state.mailer.stop()


@pytest.fixture
def person(served: ASGIApp, anna: Member) -> httpx.AsyncClient:
    """Anna's browser, which names itself."""
    return dressed(browser(served, anna.token))


def dressed(client: httpx.AsyncClient) -> httpx.AsyncClient:
    client.headers["User-Agent"] = FIREFOX
    return client


async def all_mails(state: AppState, mailbox: Mailbox) -> list[Handed]:
    """Return what was mailed, once nothing waits."""
    assert state.mailer is not None
    await state.mailer.stop()
    return mailbox.handed


async def change(person: httpx.AsyncClient, _state: AppState, _anna: Member) -> str:
    form = {"current_password": PASSWORD, "new_password": NEW, "programs": "yes"}
    assert (await person.post("/account/settings/password", data=form)).status_code == 303
    return NEW


async def reset(person: httpx.AsyncClient, state: AppState, anna: Member) -> str:
    with state.database.write_transaction() as transaction:
        token = create_email_token(
            transaction, TO_CHOOSE_A_PASSWORD, email=anna.account.email, account=anna.account, now=state.clock()
        )
    for status in (303, 404):
        assert (await person.post(f"/reset/{token}", data={"password": NEW})).status_code == status
    return token


async def sign_out_everywhere(person: httpx.AsyncClient, _state: AppState, anna: Member) -> str:
    assert (await person.post("/account/sessions/signout")).status_code == 303
    return anna.token


async def connect(person: httpx.AsyncClient, _state: AppState, _anna: Member) -> str:
    app = App(person, person)
    await app.register(client_name="Visit https://evil.example")
    await app.consent(decision="cancel")
    code = await app.code()
    assert (await app.exchange(code)).status_code == 200
    return code


async def create_key(person: httpx.AsyncClient, _state: AppState, _anna: Member) -> str:
    nonce = re.search(r'name="nonce" value="([^"]+)"', (await person.get("/account/keys")).text)
    assert nonce
    form = {"name": "Visit https://evil.example", "nonce": nonce[1]}
    # Sent twice, it creates one key.
    for _ in range(2):
        response = await person.post("/account/keys", data=form)
        assert response.status_code == 303
    key = re.search(r"svc_[0-9a-f]{64}", (await person.get("/account/keys")).text)
    assert key
    return key[0]


async def enter(person: httpx.AsyncClient, _state: AppState, anna: Member) -> str:
    person.cookies.clear()
    form = {"email": anna.account.email, "password": PASSWORD}
    # The second time, its cookie tells that the browser is known.
    for status, password in ((401, "wrong horse"), (303, PASSWORD), (303, PASSWORD)):
        assert (await person.post("/signin", data={**form, "password": password})).status_code == status
    return person.cookies["session"]


async def delete(person: httpx.AsyncClient, _state: AppState, _anna: Member) -> str:
    assert (await person.post("/account/delete", data={"password": PASSWORD})).status_code == 303
    return PASSWORD


Do = Callable[[httpx.AsyncClient, AppState, Member], Awaitable[str]]

RESET = "/forgot"

EVENTS: list[tuple[Do, str, list[str]]] = [
    (change, "The password of your account on mdpublish was changed", [RESET, "/account/sessions"]),
    (reset, "The password of your account on mdpublish was reset by email", [RESET, "/account/sessions"]),
    (sign_out_everywhere, "Your account on mdpublish was signed out everywhere", [RESET, "/account/sessions"]),
    (connect, "An app was connected to your account on mdpublish", [RESET, "/account/apps"]),
    (create_key, "An API key was created for your account on mdpublish", [RESET, "/account/keys"]),
    (enter, "A new browser signed in to your account on mdpublish", [RESET, "/account/sessions"]),
    (delete, "Your account on mdpublish was deleted", []),
]


@pytest.mark.parametrize(("event", "what", "links"), EVENTS)
async def test_event_is_mailed_once_with_what_to_do(
    person: httpx.AsyncClient, state: AppState, anna: Member, mailbox: Mailbox, event: Do, what: str, links: list[str]
) -> None:
    secret = await event(person, state, anna)

    (handed,) = await all_mails(state, mailbox)

    assert handed.recipients == [anna.account.email]
    assert handed.message["Subject"] == what
    body = handed.message.get_content().replace("\r\n", "\n")
    assert body.startswith(
        f"{what}.\n\nWhen: 1 March 2026, 12:00 UTC\nBy: Firefox on Linux, network 127.0.0.0/24\n\n"
        "If you expected this, there is nothing to do. If not, "
    )
    assert re.findall(rf"{SITE}(/\S+)", body) == links
    assert "choose a new password" in body if links else "ask the operator of this service" in body
    assert secret not in body
    # What anybody chose is not mailed.
    assert "evil" not in body


async def test_links_of_mails_lead_to_pages(anna: Member) -> None:
    for path in {link for _, _, links in EVENTS for link in links}:
        assert (await anna.browser.get(path)).status_code == 200, path


async def test_refused_change_is_not_mailed(
    person: httpx.AsyncClient, state: AppState, mailbox: Mailbox, anna: Member
) -> None:
    form = {"current_password": "wrong horse", "new_password": NEW}
    assert (await person.post("/account/settings/password", data=form)).status_code == 401
    assert (await person.post("/account/delete", data={"password": "wrong horse"})).status_code == 401
    for _ in range(2):
        await person.post("/account/keys", data={"name": "x" * 101})
    assert (await person.post("/forgot", data={"email": anna.account.email})).status_code == 303
    assert [str(each.message["Subject"]) for each in await all_mails(state, mailbox)] == [
        "Reset your password on mdpublish"
    ]


async def test_flood_of_one_event_is_mailed_a_few_times_and_the_last_says_so(
    served: ASGIApp, state: AppState, mailbox: Mailbox, anna: Member, travel: Travel
) -> None:
    async def sign_in_from_new_browser() -> None:
        form = {"email": anna.account.email, "password": PASSWORD}
        assert (await dressed(browser(served)).post("/signin", data=form)).status_code == 303

    for _ in range(MAX_MAILS + 3):
        await sign_in_from_new_browser()
    # Another event has a budget of its own.
    assert (await browser(served, anna.token).post("/account/sessions/signout")).status_code == 303
    bodies = [each.message.get_content() for each in mailbox.wait(MAX_MAILS + 1)]
    last = f"This is email {MAX_MAILS} of this kind within an hour. Further ones are not sent."
    assert [last in body for body in bodies] == [False] * (MAX_MAILS - 1) + [True, False]
    travel(timedelta(hours=1))
    await sign_in_from_new_browser()
    assert last not in (await all_mails(state, mailbox))[-1].message.get_content()
    assert len(mailbox.handed) == MAX_MAILS + 2


async def test_flood_of_one_account_silences_no_other(
    served: ASGIApp, state: AppState, mailbox: Mailbox, anna: Member, berta: Member
) -> None:
    for member in (anna,) * (MAX_MAILS + 1) + (berta,):
        form = {"email": member.account.email, "password": PASSWORD}
        assert (await browser(served).post("/signin", data=form)).status_code == 303
    handed = await all_mails(state, mailbox)
    assert [each.recipients[0] for each in handed].count(berta.account.email) == 1
    assert len(handed) == MAX_MAILS + 1


@pytest.mark.parametrize(("event", "what"), [each[:2] for each in EVENTS])
async def test_mail_server_that_refuses_fails_nothing(
    person: httpx.AsyncClient,
    state: AppState,
    anna: Member,
    mailbox: Mailbox,
    caplog: pytest.LogCaptureFixture,
    event: Do,
    what: str,
) -> None:
    mailbox.reply = lambda _tries: "550 no such mailbox"
    secret = await event(person, state, anna)
    assert await is_logged("Email not sent", caplog)
    for unlogged in (secret, anna.account.email, what):
        assert unlogged not in caplog.text


async def test_mails_about_security_go_before_others(person: httpx.AsyncClient, state: AppState, anna: Member) -> None:
    assert state.mailer is not None
    await state.mailer.stop()
    await change(person, state, anna)
    security, others = state.mailer._queues
    assert (len(security), len(others)) == (1, 0)


@pytest.mark.parametrize(
    ("command", "given", "mails"),
    [
        (["account", "password"], f"{NEW}\n", ["The password of your account on mdpublish was changed"]),
        (["account", "suspend"], "", ["Your account on mdpublish was suspended"]),
        (["account", "suspend", "--end"], "", []),  # It was not suspended.
        (["key", "add"], "", ["An API key was created for your account on mdpublish"]),
        (["account", "delete", "--yes"], "", ["Your account on mdpublish was deleted"]),
        (["account", "plan", "pro"], "", []),
    ],
)
def test_operators_commands_are_mailed_without_a_place(
    anna: Member,
    mailbox: Mailbox,
    database_url: str,
    environment: dict[str, str],
    command: list[str],
    given: str,
    mails: list[str],
) -> None:
    run = runner({"MDPUBLISH_DATABASE_URL": database_url, **environment})
    result = run(*command[:2], anna.account.email, *command[2:], given=given)
    assert result.exit_code == 0, result.output
    assert [str(each.message["Subject"]) for each in mailbox.handed] == mails
    for handed in mailbox.handed:
        body = handed.message.get_content()
        assert "By: the operator of this service" in body
        assert "network" not in body
        assert "If not, " in body


def test_end_of_a_suspension_is_mailed(
    anna: Member, mailbox: Mailbox, database_url: str, environment: dict[str, str]
) -> None:
    run = runner({"MDPUBLISH_DATABASE_URL": database_url, **environment})
    for options in ((), ("--end",)):
        assert run("account", "suspend", anna.account.email, *options).exit_code == 0
    subjects = [str(each.message["Subject"]) for each in mailbox.handed]
    assert subjects[1:] == ["The suspension of your account on mdpublish was ended"]


def test_operators_command_works_while_the_mail_server_is_down(anna: Member, database_url: str) -> None:
    settings = {"MDPUBLISH_SMTP_URL": "smtp://127.0.0.1:1", "MDPUBLISH_MAIL_FROM": "service@example.org"}
    run = runner({"MDPUBLISH_DATABASE_URL": database_url, **settings})
    assert run("account", "suspend", anna.account.email).exit_code == 0
    assert anna.account.email in run("account", "list").stdout
