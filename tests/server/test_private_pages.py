"""Pages for some readers, behind a password, and with an end."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import httpx
import pytest

from mdpublish_server.ratelimit.guesses import FAILURE_SPAN
from mdpublish_server.services.reading import CODE_TRIES, MAX_MAILS, MAX_PASSWORDS, MAX_REQUESTS
from mdpublish_server.state import AppState
from mdpublish_server.storage import Database
from mdpublish_server.storage.tables import READER_LINKS, READER_SESSIONS
from mdpublish_server.storage.transactions import Row, Statement, Transaction
from tests.image_files import PNG
from tests.server.api_requests import create, get, publish, publish_new, refusal, unpublish, update
from tests.server.browsers import Connect, Member, alerts, notices
from tests.server.conftest import NOW, Travel
from tests.server.private_pages import PASSWORD, READER, ask, begin_reading, mail_of, path_of, text_of, unlock
from tests.server.smtp_server import Mailbox

pytestmark = pytest.mark.anyio

SECRET = "# Zwetschgenkuchen"


@pytest.fixture
def environment(mailbox: Mailbox) -> dict[str, str]:
    return {"MDPUBLISH_SMTP_URL": mailbox.url, "MDPUBLISH_MAIL_FROM": "service@example.org"}


@pytest.fixture
async def page(berta: Member) -> dict[str, Any]:
    """A page for one reader and a domain."""
    return await publish_new(berta.program, SECRET, visibility="specific", readers=[READER, "@example.net"])


@pytest.fixture
async def locked(berta: Member) -> dict[str, Any]:
    """A page with a password."""
    return await publish_new(berta.program, SECRET, password=PASSWORD)


def is_open(response: httpx.Response) -> bool:
    return response.status_code == 200 and "Zwetschgenkuchen" in response.text


def rows(database: Database, table: Any) -> list[Row]:
    with database.read_transaction() as transaction:
        return list(transaction.rows(Statement(table.select())))


def shown(response: httpx.Response) -> tuple[int, bytes, dict[str, str]]:
    """Return all of a response but its request id, and the value of its cookie."""
    headers = {name: value for name, value in response.headers.items() if name != "x-request-id"}
    if "set-cookie" in headers:
        cookie, _, attributes = headers["set-cookie"].partition(";")
        headers["set-cookie"] = f"{cookie.partition('=')[0]}, {len(cookie)} characters;{attributes}"
    return response.status_code, response.content, headers


async def test_form_is_all_that_strangers_get(client: httpx.AsyncClient, page: dict[str, Any]) -> None:
    form = await client.get(page["published_url"])
    assert (form.status_code, form.headers["cache-control"]) == (200, "private, no-store")
    assert form.headers["x-robots-tag"] == "noindex"
    assert "This page is private" in form.text
    assert "Zwetschgenkuchen" not in text_of(form)


async def test_link_opens_the_page_in_the_browser_that_asked(
    client: httpx.AsyncClient, page: dict[str, Any], mailbox: Mailbox
) -> None:
    sent_form = await ask(client, page["published_url"], "Rita@Example.COM ")
    assert sent_form.headers["location"] == f"/read/sent?page={path_of(page['published_url'])}"
    assert "on its way" in (await client.get(sent_form.headers["location"])).text
    mail = mail_of(mailbox, 1)
    assert mail.to == READER
    opened = await client.get(mail.link)
    assert (opened.status_code, opened.headers["location"]) == (303, path_of(page["published_url"]))
    assert "HttpOnly" in opened.headers["set-cookie"]
    assert "SameSite=lax" in opened.headers["set-cookie"]
    assert is_open(await client.get(page["published_url"]))
    assert (await client.get(mail.link)).status_code == 404


async def test_mail_has_both_forms_and_names_nothing_but_the_address(
    client: httpx.AsyncClient, page: dict[str, Any], mailbox: Mailbox
) -> None:
    await ask(client, page["published_url"])
    (handed,) = mailbox.wait(1)
    mail = mail_of(mailbox, 1)
    for kind in ("plain", "html"):
        part = handed.message.get_body((kind,))
        assert part is not None
        content = part.get_content()
        assert mail.link in content
        assert mail.code in content
        assert page["published_url"] in content
        assert "Zwetschgenkuchen" not in content


async def test_elsewhere_the_link_asks_for_the_code_whatever_a_scanner_sends(
    client: httpx.AsyncClient, other: httpx.AsyncClient, page: dict[str, Any], mailbox: Mailbox
) -> None:
    await ask(client, page["published_url"])
    mail = mail_of(mailbox, 1)
    followed = await other.get(mail.link)
    assert followed.status_code == 200
    assert 'autocomplete="one-time-code"' in followed.text
    for form in ({"x": "y"}, {"code": ""}, {"code": "x"}):
        assert (await other.post(mail.link, data=form)).status_code == 401
    assert not is_open(await other.get(page["published_url"]))
    assert (await other.post(mail.link, data={"code": mail.code})).status_code == 303
    assert is_open(await other.get(page["published_url"]))


async def test_code_opens_the_page_in_the_browser_that_asked(
    client: httpx.AsyncClient, other: httpx.AsyncClient, page: dict[str, Any], mailbox: Mailbox
) -> None:
    await ask(client, page["published_url"])
    form = {"page": path_of(page["published_url"]), "code": mail_of(mailbox, 1).code}
    assert (await other.post("/read", data=form)).status_code == 401
    assert (await client.post("/read", data=form)).status_code == 303
    assert is_open(await client.get(page["published_url"]))


async def test_code_is_worthless_after_some_tries(
    client: httpx.AsyncClient, page: dict[str, Any], mailbox: Mailbox
) -> None:
    await ask(client, page["published_url"])
    mail = mail_of(mailbox, 1)
    wrong = "0000-0000" if mail.code != "0000-0000" else "0000-0001"
    form = {"page": path_of(page["published_url"])}
    for _ in range(CODE_TRIES):
        assert (await client.post("/read", data={**form, "code": wrong})).status_code == 401
    assert (await client.post("/read", data={**form, "code": mail.code})).status_code == 401


async def test_link_and_code_end_after_ten_minutes(
    client: httpx.AsyncClient, page: dict[str, Any], mailbox: Mailbox, travel: Travel
) -> None:
    await ask(client, page["published_url"])
    mail = mail_of(mailbox, 1)
    travel(timedelta(minutes=10))
    assert (await client.get(mail.link)).status_code == 404
    form = {"page": path_of(page["published_url"]), "code": mail.code}
    assert (await client.post("/read", data=form)).status_code == 401


async def test_listed_and_other_addresses_get_the_same_responses_from_the_same_work(
    client_from: Connect, page: dict[str, Any], mailbox: Mailbox, state: AppState
) -> None:
    assert state.mailer is not None
    state.mailer.start()
    responses: list[list[Any]] = []
    for email in (READER, "anyone@example.net", "nobody@example.com"):
        async with client_from("127.0.0.1") as browser:
            before = len(rows(state.database, READER_LINKS))
            # One more than are mailed.
            sent_form = [await ask(browser, page["published_url"], email) for _ in range(MAX_MAILS + 1)]
            sent = await browser.get(sent_form[0].headers["location"])
            guessed = await browser.post("/read", data={"page": path_of(page["published_url"]), "code": "x"})
            repeated = await browser.get(page["published_url"])
            added = len(rows(state.database, READER_LINKS)) - before
            responses.append([added, *map(shown, (*sent_form, sent, guessed, repeated))])
    assert responses[0] == responses[1] == responses[2]
    recipients = {recipient for handed in mailbox.wait(2 * MAX_MAILS) for recipient in handed.recipients}
    assert recipients == {READER, "anyone@example.net"}
    assert len(mailbox.handed) == 2 * MAX_MAILS
    await state.mailer.stop()


async def test_network_asks_for_so_many_mails_an_hour(
    client: httpx.AsyncClient, client_from: Connect, page: dict[str, Any]
) -> None:
    for number in range(MAX_REQUESTS):
        assert (await ask(client, page["published_url"], f"n{number}@example.com")).status_code == 303
    refused = await ask(client, page["published_url"])
    assert refused.status_code == 429
    assert "Retry-After" in refused.headers
    async with client_from("127.0.1.1") as elsewhere:
        assert (await ask(elsewhere, page["published_url"])).status_code != 429


async def test_session_opens_what_names_its_reader_for_thirty_days(
    client: httpx.AsyncClient, page: dict[str, Any], berta: Member, mailbox: Mailbox, travel: Travel
) -> None:
    second = await publish_new(berta.program, SECRET, title="B", visibility="specific", readers=["@example.com"])
    third = await publish_new(berta.program, SECRET, title="C", visibility="specific", readers=["rita@example.net"])
    await begin_reading(client, mailbox, page["published_url"])
    travel(timedelta(days=30, seconds=-1))
    assert is_open(await client.get(page["published_url"]))
    assert is_open(await client.get(second["published_url"]))
    assert not is_open(await client.get(third["published_url"]))
    travel(timedelta(seconds=1))
    assert not is_open(await client.get(page["published_url"]))


@pytest.mark.parametrize("way", ["api", "revoke", "revoke all"])
async def test_revoking_ends_sessions_and_links_at_once_and_for_good(
    client: httpx.AsyncClient, page: dict[str, Any], berta: Member, mailbox: Mailbox, database: Database, way: str
) -> None:
    await begin_reading(client, mailbox, page["published_url"])
    await ask(client, page["published_url"])
    pending = mail_of(mailbox, 2).link
    assert is_open(await client.get(page["published_url"]))
    path = f"/documents/{page['id']}/access"
    assert "Last seen" in (await berta.browser.get(path)).text
    if way == "api":
        await update(berta.program, page["id"], readers=["@example.net"])
    else:
        form = {"reader": READER} if way == "revoke" else {}
        revoked = await berta.browser.post(f"{path}/revoke", data={**form, "x": "y"})
        assert revoked.status_code == 303
    left = [] if way == "revoke all" else ["@example.net"]
    assert (await get(berta.program, page["id"]))["readers"] == left
    assert not is_open(await client.get(page["published_url"]))
    # Whoever is listed again begins anew.
    await update(berta.program, page["id"], readers=[READER])
    assert not is_open(await client.get(page["published_url"]))
    assert (await client.get(pending)).status_code == 404
    assert rows(database, READER_SESSIONS) == []


async def test_owner_makes_personal_links_which_a_newer_one_and_revoking_end(
    client: httpx.AsyncClient, client_from: Connect, page: dict[str, Any], berta: Member
) -> None:
    path = f"/documents/{page['id']}/access"
    links = []
    for _ in range(2):
        created = await berta.browser.post(f"{path}/link", data={"reader": READER})
        assert created.status_code == 303
        shown_page = await berta.browser.get(path)
        links.append(shown_page.text.partition("<code>http://127.0.0.1:8000")[2].partition("</code>")[0])
    assert (await client.get(links[0])).status_code == 404
    button = await client.get(links[1])
    assert button.status_code == 200
    assert not is_open(await client.get(page["published_url"]))
    for _ in range(2):
        async with client_from("127.0.0.1") as browser:
            assert (await browser.post(links[1], data={"x": "y"})).status_code == 303
            assert is_open(await browser.get(page["published_url"]))
    assert (await berta.browser.post(f"{path}/link", data={"reader": "@example.net"})).status_code == 404
    assert (await berta.browser.post(f"{path}/link", data={"reader": "eve@example.org"})).status_code == 404
    await berta.browser.post(f"{path}/revoke", data={"reader": READER})
    assert (await client.get(links[1])).status_code == 404


async def test_password_opens_its_page_alone(
    client: httpx.AsyncClient, locked: dict[str, Any], berta: Member, hashes: Callable[[], int]
) -> None:
    other = await publish_new(berta.program, SECRET, title="B", password=PASSWORD)
    hashes()
    wrong = await unlock(client, locked["published_url"], "close sesame")
    assert (wrong.status_code, alerts(wrong)) == (401, ["The password is incorrect."])
    assert hashes() == 1
    assert (await unlock(client, locked["published_url"])).status_code == 303
    assert hashes() == 1
    assert is_open(await client.get(locked["published_url"]))
    assert not is_open(await client.get(other["published_url"]))


async def test_new_password_even_an_equal_one_ends_sessions(
    client: httpx.AsyncClient, locked: dict[str, Any], berta: Member
) -> None:
    await unlock(client, locked["published_url"])
    await update(berta.program, locked["id"], password=PASSWORD)
    assert not is_open(await client.get(locked["published_url"]))
    await update(berta.program, locked["id"], password=None)
    assert is_open(await client.get(locked["published_url"]))


async def test_passwords_are_limited_before_they_are_hashed(
    client: httpx.AsyncClient, locked: dict[str, Any], hashes: Callable[[], int], travel: Travel
) -> None:
    hashes()
    for _ in range(MAX_PASSWORDS):
        assert (await unlock(client, locked["published_url"], "wrong")).status_code == 401
    assert hashes() == MAX_PASSWORDS
    assert (await unlock(client, locked["published_url"])).status_code == 429
    assert hashes() == 0
    travel(FAILURE_SPAN)
    assert (await unlock(client, locked["published_url"])).status_code == 303


async def test_private_page_has_its_origin_and_no_script(
    client: httpx.AsyncClient, locked: dict[str, Any], berta: Member
) -> None:
    await update(berta.program, locked["id"], content="```\ncode\n```")
    await unlock(client, locked["published_url"])
    page = await client.get(locked["published_url"])
    directives = page.headers["content-security-policy"].split("; ")
    assert "sandbox allow-same-origin allow-popups" in directives
    assert "default-src 'none'" in directives
    assert not any(directive.startswith("script-src") for directive in directives)
    assert "<script" not in page.text


async def test_page_with_both_asks_for_both(
    client: httpx.AsyncClient, page: dict[str, Any], berta: Member, mailbox: Mailbox
) -> None:
    await update(berta.program, page["id"], password=PASSWORD)
    await unlock(client, page["published_url"])
    assert 'name="address"' in (await client.get(page["published_url"])).text
    await begin_reading(client, mailbox, page["published_url"])
    assert is_open(await client.get(page["published_url"]))


async def test_page_that_ended_is_gone_until_it_is_renewed(
    client: httpx.AsyncClient, berta: Member, state: AppState, travel: Travel
) -> None:
    end = NOW + timedelta(days=1)
    page = await publish_new(berta.program, SECRET, expires_at=end.isoformat())
    assert is_open(await client.get(page["published_url"]))
    travel(timedelta(days=1))
    ended = await client.get(page["published_url"])
    assert (ended.status_code, "Zwetschgenkuchen" in ended.text) == (410, False)
    # What deletes demos keeps it.
    await state.cleanup.run_once()
    assert (await get(berta.program, page["id"]))["expires_at"] == "2026-03-02T12:00:00.123456Z"
    repeated = await berta.program.post(f"/v1/documents/{page['id']}/publish", json={})
    assert refusal(repeated) == (400, "validation_error")
    await publish(berta.program, page["id"], expires_at=(end + timedelta(days=1)).isoformat())
    assert is_open(await client.get(page["published_url"]))
    await update(berta.program, page["id"], expires_at=None)
    travel(timedelta(days=9))
    assert is_open(await client.get(page["published_url"]))


async def test_image_of_a_private_page_is_public_while_another_page_shows_it(
    client: httpx.AsyncClient, berta: Member, anna: Member
) -> None:
    url = (await berta.program.post("/v1/images", content=PNG)).json()["url"]
    content = f"![x]({url})"
    private = await publish_new(berta.program, content, visibility="specific", readers=[])
    assert (await client.get(url)).status_code == 404
    # Not for a page of another account, nor for a draft.
    await publish_new(anna.program, content)
    draft = await create(berta.program, content=content)
    assert (await client.get(url)).status_code == 404
    await publish(berta.program, draft)
    assert (await client.get(url)).status_code == 200
    await update(berta.program, draft, content="none")
    assert (await client.get(url)).status_code == 404
    await update(berta.program, private["id"], visibility="link")
    assert (await client.get(url)).headers["cache-control"].startswith("public")


async def test_private_page_of_another_account_hides_nobodys_image(
    client: httpx.AsyncClient, berta: Member, anna: Member
) -> None:
    url = (await anna.program.post("/v1/images", content=PNG)).json()["url"]
    await publish_new(berta.program, f"![x]({url})", visibility="specific", readers=[])
    assert (await client.get(url)).status_code == 200


@pytest.mark.parametrize("option", [{"password": PASSWORD}, {"expires_at": "2026-04-01T00:00:00Z"}])
async def test_public_page_with_a_password_or_an_end_is_not_listed(
    client: httpx.AsyncClient, berta: Member, option: dict[str, str]
) -> None:
    await publish_new(berta.program, "x", title="Plain", visibility="public")
    await publish_new(berta.program, SECRET, title="Zwetschgenkuchen", visibility="public", slug="zwetschgen", **option)
    for path in ("/u/berta", "/u/berta/feed.atom", "/sitemap.xml"):
        listed = await client.get(path)
        assert listed.status_code == 200
        assert "zwetschgen" not in listed.text.lower(), path
    assert (await client.get("/u/berta/zwetschgen")).headers["x-robots-tag"] == "noindex"


async def test_page_that_was_public_is_private_at_once(client: httpx.AsyncClient, berta: Member) -> None:
    page = await publish_new(berta.program, SECRET)
    first = await client.get(page["published_url"])
    for option in ({"password": PASSWORD}, {"visibility": "specific"}):
        await publish(berta.program, page["id"], **option)
        hidden = await client.get(page["published_url"], headers={"If-None-Match": first.headers["etag"]})
        assert (hidden.status_code, is_open(hidden)) == (200, False)
        await update(berta.program, page["id"], password=None, visibility="link")
        assert is_open(await client.get(page["published_url"]))


async def test_page_for_everybody_costs_no_statement_more(
    client: httpx.AsyncClient, berta: Member, monkeypatch: pytest.MonkeyPatch
) -> None:
    image = (await berta.program.post("/v1/images", content=PNG)).json()["url"]
    url = (await publish_new(berta.program, f"# Open ![x]({image})", show_source=True))["published_url"]
    executed: list[str] = []
    execute = Transaction._execute

    def counting(transaction: Transaction, statement: Statement, values: dict[str, object]) -> None:
        executed.append(statement.compiled(transaction.dialect)[0])
        execute(transaction, statement, values)

    monkeypatch.setattr(Transaction, "_execute", counting)
    counts = []
    client.cookies.set("reader", "x")
    for path in (url, f"{url}.md", f"{url}.png", image):
        executed.clear()
        assert (await client.get(path)).status_code == 200
        statements = [sql for sql in executed if "page_changes" not in sql]
        assert not any("reader_" in sql for sql in statements), path
        counts.append(len(statements))
    assert counts == [1, 2, 2, 1]


async def test_owner_sets_readers_password_and_end_on_the_site(anna: Member, berta: Member) -> None:
    page = await publish_new(berta.program, SECRET)
    path = f"/documents/{page['id']}/access"
    form = {
        "visibility": "specific",
        "readers": "Rita@example.com, @example.net, a@bücher.example, @例え.example\n",
        "password": PASSWORD,
        "expires_at": "2026-03-09T10:00",
    }
    saved = await berta.browser.post(path, data=form)
    assert saved.headers["location"] == f"{path}?done=saved"
    assert notices(await berta.browser.get(saved.headers["location"])) == ["Saved."]
    stored = await get(berta.program, page["id"])
    assert (stored["visibility"], stored["readers"]) == (
        "specific",
        [READER, "@example.net", "a@xn--bcher-kva.example", "@xn--r8jz45g.example"],
    )
    assert (stored["has_password"], stored["expires_at"]) == (True, "2026-03-09T10:00:00.000000Z")
    await berta.browser.post(path, data={"visibility": "link", "no_password": "yes", "expires_at": ""})
    stored = await get(berta.program, page["id"])
    assert (stored["visibility"], stored["has_password"], stored["expires_at"]) == ("link", False, None)
    wrong = await berta.browser.post(path, data={"readers": "nobody"})
    assert wrong.status_code == 400
    assert "nobody</textarea>" in wrong.text
    assert (await anna.browser.get(path)).status_code == 404
    assert (await anna.browser.post(f"{path}/revoke", data={"x": "y"})).status_code == 404


async def test_unpublished_page_is_not_found_also_past_its_end(
    client: httpx.AsyncClient, berta: Member, travel: Travel
) -> None:
    page = await publish_new(berta.program, "a", expires_at=(NOW + timedelta(days=1)).isoformat())
    await unpublish(berta.program, page["id"])

    travel(timedelta(days=2))

    assert (await client.get(page["published_url"])).status_code == 404
