"""A thousand networks against one page and one account for ten minutes of the service's clock, in this process.

Each asks for mails of a listed address and types codes and passwords as fast as it is let. The chance to guess one code
in an hour is computed from what was admitted; meanwhile a reset arrives, and right passwords work.
"""

from collections import Counter
from datetime import timedelta

import httpx
import pytest

from mdpublish_server.services.reading import CODE_ALPHABET, CODE_CHARACTERS, CODE_TRIES, MAX_MAILS
from tests.remarks import remark
from tests.server.api_requests import publish_new
from tests.server.browsers import Connect, Member
from tests.server.conftest import Travel
from tests.server.members import PASSWORD as ACCOUNT_PASSWORD
from tests.server.private_pages import PASSWORD, READER, path_of, unlock
from tests.server.smtp_server import Handed, Mailbox

pytestmark = [pytest.mark.anyio, pytest.mark.stress]

NETWORKS = 1_000
MINUTES = 10

OWNER = {"email": "berta@example.org", "password": ACCOUNT_PASSWORD}

Statuses = Counter[tuple[str, int]]


@pytest.fixture
def environment(mailbox: Mailbox) -> dict[str, str]:
    return {"MDPUBLISH_SMTP_URL": mailbox.url, "MDPUBLISH_MAIL_FROM": "service@example.org"}


class Attacker:
    """A network's browser, which comes back when a refusal says that it may."""

    def __init__(self, browser: httpx.AsyncClient, number: int, urls: tuple[str, str], statuses: Statuses) -> None:
        email = READER if number % 2 else f"n{number}@example.net"
        self._browser = browser
        self._statuses = statuses
        self._due: dict[str, int] = {}
        self._forms = {
            "mail": ("/read", {"page": path_of(urls[0]), "address": email}),
            "code": ("/read", {"page": path_of(urls[0]), "code": "ZZZZ-ZZZZ"}),
            "password": ("/read", {"page": path_of(urls[1]), "password": "a wrong password"}),
            "sign-in": ("/signin", {**OWNER, "password": "a wrong password"}),
            "reset": ("/forgot", {"email": OWNER["email"]}),
        }

    async def attack(self, minute: int) -> None:
        """Send each form once, but codes as often as a mail allows; without a mail none, as nothing is compared."""
        for kind, (path, form) in self._forms.items():
            for _ in range(CODE_TRIES if kind == "code" else 1):
                is_vain = kind == "code" and not self._browser.cookies.get("reader")
                if is_vain or self._due.get(kind, 0) > minute:
                    break
                response = await self._browser.post(path, data=form)
                self._statuses[kind, response.status_code] += 1
                if response.status_code == 429:
                    self._due[kind] = minute + int(response.headers["retry-after"]) // 60


def is_reset(handed: Handed) -> bool:
    return handed.recipients == [OWNER["email"]]


async def test_thousand_networks_guess_no_code_and_lock_nobody_out(
    client: httpx.AsyncClient,
    client_from: Connect,
    berta: Member,
    mailbox: Mailbox,
    travel: Travel,
    pytestconfig: pytest.Config,
) -> None:
    readers = await publish_new(berta.program, visibility="specific", readers=[READER, "@example.net"])
    locked = await publish_new(berta.program, password=PASSWORD)
    urls, statuses = (readers["published_url"], locked["published_url"]), Statuses()
    assert (await client.post("/signin", data=OWNER)).status_code == 303

    attackers = [
        # Networks of loopback, which needs no HTTPS.
        Attacker(client_from(f"127.{number >> 8}.{number & 255}.1"), number, urls, statuses)
        for number in range(1, NETWORKS + 1)
    ]
    for minute in range(MINUTES):
        for attacker in attackers:
            await attacker.attack(minute)
        travel(timedelta(minutes=1))

    # The owner, in a browser that signed in before, and in a new one; a reader, in a new one.
    assert (await client.post("/signin", data={**OWNER, "password": "a slip"})).status_code == 401
    assert (await client.post("/signin", data=OWNER)).status_code == 303
    async with client_from("127.100.1.1") as elsewhere, client_from("127.100.2.1") as reader:
        assert (await elsewhere.post("/signin", data=OWNER)).status_code == 303
        assert (await unlock(reader, urls[1])).status_code == 303
    before = len(mailbox.handed)
    assert (await client.post("/forgot", data={"email": OWNER["email"]})).status_code == 303
    assert is_reset(mailbox.wait(before + 1)[-1])

    # A code that is typed is compared with that of each mail which the browser asked for.
    chance = MAX_MAILS * statuses["code", 401] / len(CODE_ALPHABET) ** CODE_CHARACTERS * 60 / MINUTES
    mails = sum(not is_reset(handed) for handed in mailbox.handed)
    remark(pytestconfig, f"{dict(statuses)}; {mails} mails of codes; chance to guess one in an hour {chance:.1e}")
    assert 0 < chance <= 1e-6
    assert 0 < mails <= 30
