"""Account settings: username, password and deletion."""

import asyncio
import re
from collections.abc import Callable
from datetime import datetime, timedelta

import httpx
import pytest
from markupsafe import escape
from sqlalchemy import func, select

from mdpublish_server.services.accounts import sign_in
from mdpublish_server.services.email_tokens import PASSWORD as TO_CHOOSE_A_PASSWORD
from mdpublish_server.services.email_tokens import create_email_token
from mdpublish_server.state import AppState
from mdpublish_server.storage import Database
from mdpublish_server.storage.accounts import set_plan
from mdpublish_server.storage.tables import ACCOUNTS, DOCUMENTS, EMAIL_TOKENS, KEYS, PAGES, PERMALINKS, SESSIONS
from mdpublish_server.storage.transactions import Statement
from tests.server.api_requests import MISSING, claim, create, publish, publish_demo, publish_new, redirect_from, update
from tests.server.browsers import (
    Connect,
    Member,
    account_now,
    alerts,
    notices,
    take_password,
)
from tests.server.conftest import Travel
from tests.server.members import PASSWORD, cookie_of

pytestmark = pytest.mark.anyio

PAGE = "/account/settings"

NEW = "staple battery"

CHANGE = {"current_password": PASSWORD, "new_password": NEW}


@pytest.fixture
def rows(database: Database) -> Callable[[], dict[str, int]]:
    """Returns the number of rows by table."""

    def count() -> dict[str, int]:
        with database.read_transaction() as transaction:
            tables = (ACCOUNTS, PERMALINKS, DOCUMENTS, KEYS, EMAIL_TOKENS, PAGES, SESSIONS)
            matches = (
                (table.name, transaction.row(Statement(select(func.count()).select_from(table)))) for table in tables
            )
            return {name: row[0] for name, row in matches if row}

    return count


async def language_at(member: Member, url: str) -> str:
    """Return the language that a page declares."""
    match = re.search(r'<html lang="([^"]*)"', (await member.browser.get(url)).text)
    assert match
    return match[1]


async def set_language(member: Member, language: str) -> httpx.Response:
    return await member.browser.post(f"{PAGE}/language", data={"language": language})


async def test_default_language_changes_pages_at_once(anna: Member, database: Database) -> None:
    urls = [
        (await publish_new(anna.program, content))["published_url"]
        for content in ("Olá", "Привет, мир", "---\nlang: fr\n---\nBonjour")
    ]
    assert [await language_at(anna, url) for url in urls] == ["en", "ru", "fr"]

    response = await set_language(anna, " pt-BR ")

    assert (response.status_code, response.headers["location"]) == (303, f"{PAGE}?done=language")
    page = await anna.browser.get(response.headers["location"])
    assert "The default language has been saved." in notices(page)[0]
    assert 'value="pt-BR"' in page.text
    account = account_now(database, anna)
    assert account.default_language == "pt-BR"
    assert [await language_at(anna, url) for url in urls] == ["pt-BR", "ru", "fr"]

    assert (await set_language(anna, "")).status_code == 303
    assert [await language_at(anna, url) for url in urls] == ["en", "ru", "fr"]


async def test_new_and_updated_pages_have_the_default_language(anna: Member) -> None:
    await set_language(anna, "de")
    document_id = await create(anna.program, title="Tag", content="Ein Tag")

    published = await publish(anna.program, document_id)
    assert published["notices"] == []
    stored = await anna.browser.get(published["published_url"])
    assert '<html lang="de">' in stored.text
    await update(anna.program, document_id, content="Zwei Tage")
    assert await language_at(anna, published["published_url"]) == "de"

    demo = await publish_demo(anna.browser, "Hallo")
    assert await language_at(anna, demo["url"]) == "en"
    claimed = await claim(anna.program, demo["claim_token"])
    assert await language_at(anna, claimed.json()["published_url"]) == "de"


async def test_page_ignores_the_default_language_of_another_account(anna: Member, berta: Member) -> None:
    url = (await publish_new(anna.program, "Text"))["published_url"]
    etag = (await anna.browser.get(url)).headers["etag"]

    await set_language(berta, "de")

    page = await anna.browser.get(url)
    assert '<html lang="en">' in page.text
    assert page.headers["etag"] == etag


async def test_preview_has_the_default_language(anna: Member) -> None:
    await set_language(anna, "nl")
    document_id = await create(anna.program, content="Dag")

    preview = await anna.browser.get(f"/documents/{document_id}/preview?place=page")

    assert preview.status_code == 200
    assert '<html lang="nl">' in preview.text


async def test_language_that_is_no_tag_is_refused(anna: Member, database: Database) -> None:
    for language in ("german", "de_DE", "d", "de-", '"><script>', "x" * 101, "de-" + "abcde-" * 20 + "f"):
        await set_language(anna, "de")

        response = await set_language(anna, language)

        assert response.status_code == 400, language
        assert "Language must be a BCP 47 language tag, such as en or de-CH" in alerts(response)[0], language
        assert f'value="{escape(language)}"' in response.text, language
        account = account_now(database, anna)
        assert account.default_language == "de", language


async def test_username_is_set_and_old_urls_redirect(anna: Member, database: Database) -> None:
    url = (await publish_new(anna.program, title="Garden day"))["published_url"]

    response = await anna.browser.post(f"{PAGE}/username", data={"username": " Anna-B "})

    assert (response.status_code, response.headers["location"]) == (303, f"{PAGE}?done=username")
    page = await anna.browser.get(response.headers["location"])
    assert "The username has been saved." in notices(page)[0]
    assert 'value="anna-b"' in page.text
    assert "/u/anna-b/" in await redirect_from(anna.browser, url)
    account = account_now(database, anna)
    assert account.username == "anna-b"
    # Setting the same username changes nothing.
    assert (await anna.browser.post(f"{PAGE}/username", data={"username": "anna-b"})).status_code == 303


async def test_wrong_username_is_reported_at_the_field(anna: Member, berta: Member, database: Database) -> None:
    for username, status, output in (
        ("", 400, "(got 0)"),
        ("ab", 400, "(got 2)"),
        ("admin", 400, "reserved"),
        ("a<b>c", 400, "must consist of letters"),
        ('"><script>alert(1)</script>', 400, "must consist of letters"),
        ("berta", 409, "taken"),
        ("BERTA", 409, "taken"),
    ):
        page = await anna.browser.post(f"{PAGE}/username", data={"username": username})
        assert page.status_code == status, username
        (alert,) = alerts(page)
        assert output in alert, username
        assert "<script" not in page.text.replace(SCRIPT, ""), username
        assert 'aria-describedby="username-error username-hint" aria-invalid="true"' in page.text, username
        assert page.headers["cache-control"] == "no-store", username
        account, other = account_now(database, anna), account_now(database, berta)
        assert (account.username, other.username) == (None, "berta"), username


async def test_password_change_ends_all_sessions_but_this_one(
    anna: Member, database: Database, client_from: Connect, times: list[datetime]
) -> None:
    with database.write_transaction() as transaction:
        other = sign_in(transaction, anna.account, now=times[-1])

    response = await anna.browser.post(f"{PAGE}/password", data=CHANGE)

    assert (response.status_code, response.headers["location"]) == (303, f"{PAGE}?done=password")
    token = cookie_of(response).value
    assert token not in (anna.token, other)
    header = response.headers["set-cookie"].lower()
    assert "httponly" in header
    assert "samesite=lax" in header
    assert notices(await anna.browser.get(response.headers["location"]))
    for old in (anna.token, other):
        async with client_from("127.0.0.1") as browser:
            browser.cookies.set("session", old)
            assert (await browser.get(PAGE)).status_code == 303
    async with client_from("127.0.0.1") as browser:
        for password, status in ((PASSWORD, 401), (NEW, 303)):
            form = {"email": "anna@example.org", "password": password}
            assert (await browser.post("/signin", data=form)).status_code == status
    # Keys remain valid.
    assert (await anna.program.get("/v1/usage")).status_code == 200


async def test_password_change_spoils_links_to_choose_one(
    anna: Member, database: Database, times: list[datetime], rows: Callable[[], dict[str, int]]
) -> None:
    with database.write_transaction() as transaction:
        create_email_token(
            transaction, TO_CHOOSE_A_PASSWORD, email=anna.account.email, account=anna.account, now=times[-1]
        )
    await anna.browser.post(f"{PAGE}/password", data=CHANGE)
    assert rows()["letters"] == 0


async def test_wrong_password_is_reported_at_its_field(anna: Member, database: Database) -> None:
    rows: tuple[tuple[dict[str, str], int, str, str], ...] = (
        ({}, 401, "current-password", "password is incorrect"),
        ({"new_password": NEW}, 401, "current-password", "password is incorrect"),
        ({"current_password": "wrong", "new_password": NEW}, 401, "current-password", "password is incorrect"),
        ({"current_password": "\ud800", "new_password": NEW}, 401, "current-password", "password is incorrect"),
        ({"current_password": PASSWORD}, 400, "new-password", "8 to 200 characters (got 0)"),
        ({"current_password": PASSWORD, "new_password": "short"}, 400, "new-password", "8 to 200 characters (got 5)"),
        (
            {"current_password": PASSWORD, "new_password": "x" * 201},
            400,
            "new-password",
            "8 to 200 characters (got 201)",
        ),
        ({"current_password": PASSWORD, "new_password": "x" * 20_000}, 400, "current-password", "at most 10,000 bytes"),
    )
    for form, status, field, output in rows:
        before = account_now(database, anna)
        body = "&".join(f"{name}={value}" for name, value in form.items()).encode("utf-8", "surrogatepass")
        headers = {"Content-Type": "application/x-www-form-urlencoded"}

        page = await anna.browser.post(f"{PAGE}/password", content=body, headers=headers)

        assert page.status_code == status, form
        (alert,) = alerts(page)
        assert output in alert, form
        assert f'id="{field}-error"' in page.text, form
        assert "set-cookie" not in page.headers, form
        assert account_now(database, anna) == before, form
        # Passwords are never shown again.
        for value in form.values():
            assert f'value="{value}"' not in page.text, form
        assert (await anna.browser.get(PAGE)).status_code == 200, form


@pytest.mark.parametrize("path", [f"{PAGE}/password", "/account/delete"])
async def test_passwords_are_tried_as_seldom_as_at_signing_in(
    anna: Member, path: str, travel: Travel, rows: Callable[[], dict[str, int]]
) -> None:
    before = rows()
    wrong = {"current_password": "wrong", "password": "wrong", "new_password": NEW}
    # Five of the session, and five of its network.
    for _ in range(10):
        assert (await anna.browser.post(path, data=wrong)).status_code == 401
    right = {"current_password": PASSWORD, "password": PASSWORD, "new_password": NEW}
    page = await anna.browser.post(path, data=right)
    assert page.status_code == 429
    assert int(page.headers["retry-after"]) == 15 * 60
    assert "too many failed sign-ins" in alerts(page)[0].lower()
    # The session remains valid.
    assert (await anna.browser.get(PAGE)).status_code == 200
    assert rows() == before
    travel(timedelta(minutes=15))
    assert (await anna.browser.post(path, data=right)).status_code == 303


async def test_account_without_a_password_is_reported_how_to_get_one(anna: Member, database: Database) -> None:
    take_password(database, anna)
    for path in (PAGE, "/account/delete"):
        page = await anna.browser.get(path)
        assert page.status_code == 200
        assert "This account has no password yet. Ask the operator to set one." in page.text
        assert 'type="password"' not in page.text
    assert (await anna.browser.post(f"{PAGE}/password", data=CHANGE)).status_code == 401
    assert (await anna.browser.post("/account/delete", data={"password": PASSWORD})).status_code == 401
    assert account_now(database, anna).id == anna.account.id


async def test_account_is_deleted_whole_and_nobody_elses(
    anna: Member, berta: Member, database: Database, state: AppState, rows: Callable[[], dict[str, int]]
) -> None:
    theirs = (await publish_new(berta.program, title="Theirs"))["published_url"]
    only_berta = rows()
    await anna.browser.post(f"{PAGE}/username", data={"username": "anna"})
    url = (await publish_new(anna.program, title="Mine"))["published_url"]
    await create(anna.program)

    page = await anna.browser.get("/account/delete")
    for shown in ("2 documents", "1 published page,", "1 API key<", "the username anna"):
        assert shown in page.text
    assert account_now(database, anna).id == anna.account.id

    response = await anna.browser.post("/account/delete", data={"password": PASSWORD})

    assert (response.status_code, response.headers["location"]) == (303, "/?done=goodbye")
    assert "Max-Age=0" in response.headers["set-cookie"]
    page = await anna.browser.get(response.headers["location"])
    assert page.status_code == 200
    assert notices(page) == ["Your account and all its data have been deleted."]
    anna.browser.cookies.set("session", anna.token)
    assert (await anna.browser.get("/account")).status_code == 303
    assert (await anna.browser.get(url)).status_code == 404
    assert (await anna.program.get("/v1/usage")).status_code == 401
    assert (await berta.browser.get(theirs)).status_code == 200
    # Only Berta's rows remain.
    await state.cleanup.delete_accounts()
    left = rows()
    assert {name: left[name] for name in ("documents", "pages", "addresses")} == {
        name: only_berta[name] for name in ("documents", "pages", "addresses")
    }
    assert (left["accounts"], left["keys"], left["sessions"]) == (1, 1, 1)
    # The username stays reserved.
    taken = await berta.browser.post(f"{PAGE}/username", data={"username": "anna"})
    assert taken.status_code == 409


async def test_two_forms_at_once_do_not_undo_each_other(anna: Member) -> None:
    responses = await asyncio.gather(
        *(
            anna.browser.post(f"{PAGE}/password", data={**CHANGE, "new_password": f"{NEW}{number}"})
            for number in range(3)
        )
    )
    statuses = sorted(response.status_code for response in responses)
    # The others arrive later, with an ended session or an outdated password.
    assert statuses[0] == 303
    assert sum(response.headers.get("location", "").endswith("done=password") for response in responses) == 1


OVERVIEW = "/account"


async def test_overview_shows_what_is_taken_of_the_plan(anna: Member) -> None:
    await publish_new(anna.program, title="Mine")
    page = await anna.browser.get(OVERVIEW)
    assert page.status_code == 200
    for shown in (
        ">Free<",
        '<span class="figure">1</span> <span class="muted">of 1,000</span>',
        ">resets 1 April<",
        '<span class="figure">1</span> <span class="muted">of 3</span>',
        '<meter aria-labelledby="pages" min="0" max="3" value="1">',
        "Choose a username",
    ):
        assert shown in page.text


async def test_overview_of_pro_has_no_limits_but_the_requests(
    berta: Member, database: Database, travel: Travel
) -> None:
    with database.write_transaction() as transaction:
        set_plan(transaction, berta.account.id, "pro", until=datetime.fromisoformat("2026-03-20T00:00:00Z"))
    page = await berta.browser.get(OVERVIEW)
    for shown in (">Pro, until <", "20 March 2026, 00:00 UTC", "of 10,000", "no limit", "MB of 5 GB", "berta"):
        assert shown in page.text
    assert "Choose a username" not in page.text
    travel(timedelta(days=20))
    page = await berta.browser.get(OVERVIEW)
    assert ">Free<" in page.text
    assert "until" not in page.text


async def test_notice_never_comes_from_the_url(anna: Member) -> None:
    for path in (OVERVIEW, PAGE, "/documents", "/account/keys"):
        for code in ("evil", "<script>alert(1)</script>", "", "published%00"):
            page = await anna.browser.get(f"{path}?done={code}")
            assert page.status_code == 200
            assert not notices(page)
            assert "alert(1)" not in page.text


def header_of(page: httpx.Response) -> str:
    """Return a page's header, whichever entry is current."""
    (header,) = re.findall("<header.*?</header>", page.text, re.DOTALL)
    return re.sub(' aria-current="[a-z]+"', "", header)


async def test_header_of_an_account_is_on_every_page(anna: Member, client: httpx.AsyncClient) -> None:
    header = header_of(await anna.browser.get(OVERVIEW))
    demo = await publish_demo(client)
    others = ("/templates", "/templates/swiss/light", "/report/thanks", "/nosuch", "/nosuch/nosuch")
    for path in (
        PAGE,
        "/documents",
        "/documents/new",
        f"/documents/{MISSING}",
        *others,
        f"/claim/{demo['claim_token']}/delete",
    ):
        assert header_of(await anna.browser.get(path)) == header, path
    assert header_of(await client.get("/nosuch")) == header_of(await client.get("/templates"))
    # A cached page is the same for every visitor.
    assert header_of(await anna.browser.get("/docs")) == header_of(await client.get("/docs"))


SCRIPT = '<script type="module" src="/static/site.js">'

PAGES_OF_MEMBERS = (OVERVIEW, "/documents", "/account/keys", PAGE, "/account/delete")


async def test_pages_are_nobodys_to_keep_or_to_index(anna: Member, client: httpx.AsyncClient) -> None:
    for path in PAGES_OF_MEMBERS:
        page = await anna.browser.get(path)
        assert (page.status_code, page.headers["cache-control"]) == (200, "no-store"), path
        assert '<meta name="robots" content="noindex">' in page.text, path
        assert re.findall("<script[^>]*>", page.text) == [SCRIPT], path
        assert "script-src 'self'; " in page.headers["content-security-policy"], path
        assert " style=" not in page.text, path
        stranger = await client.get(path)
        assert (stranger.status_code, stranger.headers["location"]) == (303, f"/signin?next={path}"), path
        assert (await anna.browser.head(path)).status_code == 200, path


async def test_what_changes_something_is_no_link(anna: Member) -> None:
    for path in (
        "/documents/x/publish",
        "/documents/x/unpublish",
        f"{PAGE}/username",
        f"{PAGE}/password",
        "/account/export",
    ):
        assert (await anna.browser.get(path)).status_code == 405, path


async def test_stranger_changes_nothing(
    client: httpx.AsyncClient, anna: Member, rows: Callable[[], dict[str, int]]
) -> None:
    document = await create(anna.program, content="x")
    before = rows()
    for path in (f"/documents/{document}/delete", "/account/keys", "/account/delete", "/account/export"):
        response = await client.post(path, data={"password": PASSWORD, "name": "x"})
        assert (response.status_code, response.headers["location"]) == (303, "/signin")
    assert rows() == before


@pytest.mark.parametrize(
    "payload",
    ["<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "'-alert(1)-'", "{{ 7 * 7 }}", "</title><h1>x"],
)
async def test_markup_of_titles_and_names_is_escaped(anna: Member, payload: str) -> None:
    document = await create(anna.program, title=payload, content="x")
    await anna.browser.post("/account/keys", data={"name": payload})
    for path in ("/documents", f"/documents/{document}/delete", "/account/keys"):
        page = (await anna.browser.get(path)).text.replace(SCRIPT, "")
        assert str(escape(payload)) in page
        for raw in ("<script", "<img", "</title><h1>"):
            assert raw not in page
