"""The second factor of accounts with a password: set up, asked for, used once, and removed."""

import hmac
import re
from base64 import b32decode
from datetime import timedelta
from html import unescape

import httpx
import pytest
from sqlalchemy import select

from mdpublish_server.auth.second_factor import totp_of
from mdpublish_server.services.email_tokens import PASSWORD as RESET
from mdpublish_server.services.email_tokens import create_email_token
from mdpublish_server.storage import Database
from mdpublish_server.storage.tables import ACCOUNTS
from mdpublish_server.storage.transactions import Statement
from tests.server.browsers import Member, account_now, alerts
from tests.server.command import runner
from tests.server.conftest import NOW, Travel
from tests.server.members import PASSWORD, PERSON

pytestmark = pytest.mark.anyio

PAGE = "/account/second-factor"

STEP = timedelta(seconds=30)


def code_at(secret: bytes, seconds: int, digits: int = 6) -> str:
    """Compute a code as RFC 4226 and RFC 6238 have it, without the library that the service uses."""
    digest = hmac.digest(secret, (seconds // 30).to_bytes(8, "big"), "sha1")
    offset = digest[-1] & 15
    number = int.from_bytes(digest[offset : offset + 4], "big") & 0x7FFFFFFF
    return f"{number % 10**digits:0{digits}}"


class Phone:
    """An app that has scanned the QR code."""

    def __init__(self, secret: bytes) -> None:
        self.secret = secret
        self.recovery_codes: list[str] = []

    def code(self, later: timedelta = timedelta()) -> str:
        return code_at(self.secret, int((NOW + later).timestamp()))


@pytest.fixture
async def phone(anna: Member) -> Phone:
    """Of Anna, who turned the second factor on a step ago."""
    page = (await anna.browser.get(PAGE)).text
    phone = Phone(b32decode(re.search(r"Secret: <code>([A-Z2-7]+)<", page)[1]))  # type: ignore[index]
    sealed = unescape(re.search(r'name="sealed" value="([^"]+)"', page)[1])  # type: ignore[index]
    form = {"password": PASSWORD, "code": phone.code(-STEP), "sealed": sealed}
    turned_on = await anna.browser.post(PAGE, data=form)
    assert turned_on.status_code == 303, turned_on.text
    codes = (await anna.browser.get(turned_on.headers["location"])).text
    phone.recovery_codes = re.findall(r"<code>([A-Z2-7]{8}-[A-Z2-7]{8})</code>", codes)
    return phone


async def give_password(client: httpx.AsyncClient, **others: str) -> httpx.Response:
    response = await client.post("/signin", data={**PERSON, **others})
    assert (response.status_code, response.headers["location"]) == (303, "/signin/code")
    assert "session" not in client.cookies
    return response


async def give_code(client: httpx.AsyncClient, code: str) -> httpx.Response:
    return await client.post("/signin/code", data={"code": code})


async def is_signed_in(client: httpx.AsyncClient) -> bool:
    return (await client.get("/account")).status_code == 200


@pytest.mark.parametrize(
    ("seconds", "code"),
    [(59, "94287082"), (1_111_111_109, "07081804"), (1_111_111_111, "14050471"), (20_000_000_000, "65353130")],
)
def test_codes_are_those_of_the_standard(seconds: int, code: str) -> None:
    """RFC 6238, appendix B."""
    secret = b"12345678901234567890"
    assert code_at(secret, seconds, digits=8) == code
    assert totp_of(secret).generate(seconds).decode() == code[2:]


async def test_code_is_asked_for_after_the_password(client: httpx.AsyncClient, phone: Phone) -> None:
    await give_password(client, next="/account/keys")
    assert not await is_signed_in(client)
    assert "anna@example.org" in (await client.get("/signin/code")).text
    signed_in = await give_code(client, f" {phone.code()[:3]} {phone.code()[3:]} ")
    assert (signed_in.status_code, signed_in.headers["location"]) == (303, "/account/keys")
    assert await is_signed_in(client)
    assert "half" not in client.cookies


async def test_code_without_a_password_opens_nothing(client: httpx.AsyncClient, phone: Phone) -> None:
    assert (await give_code(client, phone.code())).status_code == 410
    client.cookies.set("half", client.cookies.get("device") or "x")
    assert (await give_code(client, phone.code())).status_code == 410


async def test_password_is_of_use_for_five_minutes(client: httpx.AsyncClient, phone: Phone, travel: Travel) -> None:
    await give_password(client)
    late = timedelta(minutes=5, seconds=1)
    travel(late)
    assert (await give_code(client, phone.code(late))).status_code == 410


async def test_code_is_accepted_once(client: httpx.AsyncClient, other: httpx.AsyncClient, phone: Phone) -> None:
    await give_password(client)
    assert (await give_code(client, phone.code())).status_code == 303
    await give_password(other)
    for code in (phone.code(), phone.code(-STEP)):
        replayed = await give_code(other, code)
        assert (replayed.status_code, alerts(replayed)) == (401, ["The code is incorrect, or was used before."])
    assert (await give_code(other, phone.code(STEP))).status_code == 303


@pytest.mark.parametrize("steps", [-3, -2, 2, 3])
async def test_codes_of_other_times_are_refused(client: httpx.AsyncClient, phone: Phone, steps: int) -> None:
    await give_password(client)
    assert (await give_code(client, phone.code(steps * STEP))).status_code == 401


async def test_recovery_codes_are_of_use_once_each(
    client: httpx.AsyncClient, other: httpx.AsyncClient, phone: Phone, database: Database
) -> None:
    assert len(set(phone.recovery_codes)) == 10
    first, second, *_ = phone.recovery_codes
    await give_password(client)
    assert (await give_code(client, first.lower())).status_code == 303
    await give_password(other)
    assert (await give_code(other, first)).status_code == 401
    assert (await give_code(other, second.replace("-", " "))).status_code == 303
    with database.read_transaction() as transaction:
        (row,) = transaction.rows(Statement(select(ACCOUNTS.c.totp_secret, ACCOUNTS.c.recovery_hashes)))
    assert not any(code.replace("-", "") in row[1] for code in phone.recovery_codes)
    assert phone.secret.hex() not in row[0]


async def test_guesses_are_limited_though_the_password_is_right(client: httpx.AsyncClient, phone: Phone) -> None:
    for _ in range(5):
        await give_password(client)
        assert (await give_code(client, "000000")).status_code == 401
    await give_password(client)
    assert (await give_code(client, phone.code())).status_code == 429


async def test_changes_of_the_account_ask_for_a_code(anna: Member, phone: Phone, travel: Travel) -> None:
    change = {"current_password": PASSWORD, "new_password": "staple battery"}
    password = "/account/settings/password"
    for code in ("", "000000"):
        assert (await anna.browser.post(password, data={**change, "code": code})).status_code == 401
        assert (
            await anna.browser.post("/account/delete", data={"password": PASSWORD, "code": code})
        ).status_code == 401
    assert 'name="code"' in (await anna.browser.get("/account/settings")).text
    travel(STEP)
    changed = await anna.browser.post(password, data={**change, "code": phone.code(STEP)})
    assert changed.status_code == 303, changed.text
    travel(STEP)
    last = {"password": "staple battery", "code": phone.code(2 * STEP)}
    assert (await anna.browser.post("/account/delete", data=last)).headers["location"] == "/?done=goodbye"


async def test_reset_by_mail_asks_for_a_code(
    client: httpx.AsyncClient, phone: Phone, anna: Member, database: Database
) -> None:
    with database.write_transaction() as transaction:
        token = create_email_token(transaction, RESET, email="anna@example.org", account=anna.account, now=NOW)
    reset = await client.post(f"/reset/{token}", data={"password": "staple battery"})
    assert (reset.status_code, reset.headers["location"]) == (303, "/signin/code")
    assert not await is_signed_in(client)
    assert (await give_code(client, phone.code())).status_code == 303
    assert await is_signed_in(client)


async def test_forms_that_take_a_password_on_the_way_do_not_do_without_the_code(
    client: httpx.AsyncClient, anna: Member, phone: Phone
) -> None:
    assert phone.recovery_codes
    created = await anna.program.post("/v1/documents", json={"content": "# Garden"})
    form = {"content": "# Other", "title": "", **PERSON}
    refused = await client.post(f"/documents/{created.json()['id']}", data=form)
    assert refused.status_code == 401
    assert not await is_signed_in(client)


async def test_wrong_code_or_password_turns_nothing_on(anna: Member, database: Database) -> None:
    page = (await anna.browser.get(PAGE)).text
    assert "<svg" in page
    sealed = unescape(re.search(r'name="sealed" value="([^"]+)"', page)[1])  # type: ignore[index]
    secret = b32decode(re.search(r"Secret: <code>([A-Z2-7]+)<", page)[1])  # type: ignore[index]
    right = {"password": PASSWORD, "code": Phone(secret).code(), "sealed": sealed}
    for changed, status in (({"code": "000000"}, 401), ({"password": "wrong horse"}, 401)):
        refused = await anna.browser.post(PAGE, data={**right, **changed})
        assert refused.status_code == status
        assert sealed in unescape(refused.text)
    assert account_now(database, anna).totp_secret is None


async def test_form_of_another_account_or_none_is_refused(anna: Member, berta: Member) -> None:
    page = (await berta.browser.get(PAGE)).text
    sealed = unescape(re.search(r'name="sealed" value="([^"]+)"', page)[1])  # type: ignore[index]
    for wrong in (sealed, "", "x"):
        form = {"password": PASSWORD, "code": "000000", "sealed": wrong}
        assert (await anna.browser.post(PAGE, data=form)).status_code == 410


async def test_removal_takes_password_and_code(anna: Member, phone: Phone, database: Database) -> None:
    remove = f"{PAGE}/remove"
    assert (await anna.browser.post(remove, data={"password": PASSWORD, "code": "0"})).status_code == 401
    assert (await anna.browser.post(remove, data={"password": "x" * 8, "code": phone.code()})).status_code == 401
    assert (await anna.browser.post(PAGE, data={"password": PASSWORD, "code": phone.code()})).status_code == 409
    assert (await anna.browser.post(remove, data={"password": PASSWORD, "code": phone.code()})).status_code == 303
    account = account_now(database, anna)
    assert (account.totp_secret, account.recovery_hashes) == (None, ())


async def test_operators_command_removes_it(
    client: httpx.AsyncClient, phone: Phone, anna: Member, database: Database, database_url: str
) -> None:
    assert phone.recovery_codes
    run = runner({"MDPUBLISH_DATABASE_URL": database_url})
    run("account", "second-factor", "anna@example.org")
    assert account_now(database, anna).totp_secret is None
    assert (await client.post("/signin", data=PERSON)).headers["location"] == "/documents"
