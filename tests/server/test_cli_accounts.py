"""Commands for accounts, keys and pages."""

import asyncio
import re
from datetime import UTC, datetime, timedelta
from urllib.parse import urlsplit

import httpx
import pytest

from mdpublish_server.errors import NotFound
from mdpublish_server.services.accounts import PASSWORD_RESET
from mdpublish_server.services.email_tokens import create_email_token, find_valid_token
from mdpublish_server.storage import Database
from mdpublish_server.storage.accounts import find_account_by_email
from tests.server.command import Run, refusal, runner
from tests.server.conftest import Travel
from tests.server.test_services_health import wrong

KEY = re.compile(r"svc_[0-9a-f]{64}\n")
EMAIL = "anna@example.org"
PASSWORD = "a long password of anna's"
DATE = "must be a date such as 2027-01-31 or 2027-01-31T12:00:00Z"

pytestmark = pytest.mark.anyio


@pytest.fixture
def times() -> list[datetime]:
    """The application uses the system clock, as the command does."""
    return [datetime.now(UTC)]


@pytest.fixture
def run(database_url: str) -> Run:
    return runner({"MDPUBLISH_DATABASE_URL": database_url})


@pytest.fixture
def anna(run: Run) -> dict[str, str]:
    """Headers with the key of an account created by the command."""
    assert run("account", "add", EMAIL, "--plan", "pro").exit_code == 0
    return {"Authorization": f"Bearer {run('key', 'add', EMAIL).stdout.strip()}"}


def test_account_is_added_and_listed(run: Run) -> None:
    added = run("account", "add", "Anna@Example.org", "--username", "anna", "--plan", "pro")
    assert (added.exit_code, added.stdout) == (0, "")
    assert added.stderr == "added anna@example.org (pro)\n"
    run("account", "add", "ben@example.org")
    month = f"{datetime.now(UTC):%Y-%m}"
    listed = run("account", "list")
    assert listed.stderr == ""
    assert [line.split("\t") for line in listed.stdout.splitlines()] == [
        ["anna@example.org", "anna", "pro", "0", "0", f"{month}: 0", "active"],
        ["ben@example.org", "-", "free", "0", "0", f"{month}: 0", "active"],
    ]


def test_account_becomes_an_operators_and_is_one_no_longer(run: Run) -> None:
    run("account", "add", EMAIL)
    assert run("account", "operator", EMAIL).stderr == f"{EMAIL} is an operator\n"
    assert run("account", "list").stdout.endswith("\tactive operator\n")
    assert run("account", "operator", EMAIL, "--end").stderr == f"{EMAIL} is no longer an operator\n"
    assert run("account", "list").stdout.endswith("\tactive\n")


def test_account_with_a_taken_email_is_refused(run: Run, anna: dict[str, str]) -> None:
    assert anna
    assert EMAIL in refusal(run("account", "add", EMAIL.upper()))


def test_account_with_a_taken_username_is_refused_and_not_created(run: Run) -> None:
    run("account", "add", EMAIL, "--username", "anna")
    assert "'anna' is taken" in refusal(run("account", "add", "ben@example.org", "--username", "anna"))
    assert "ben@" not in run("account", "list").stdout


def test_mistake_is_reported(run: Run, anna: dict[str, str]) -> None:
    rows: tuple[tuple[list[str], str, str], ...] = (
        (["account", "add", "no address"], "", "(got 'no address')"),
        (["account", "add", "ben@example.org", "--username", "a"], "", "username"),
        (["account", "add", "ben@example.org", "--username", "admin"], "", "admin"),
        (["account", "add", "ben@example.org", "--plan", "gold"], "", "'gold' is not one of"),
        (["account", "add", "ben@example.org", "--password-stdin"], "short\n", "password"),
        (["account", "add", "ben@example.org", "--password-stdin"], "", "password"),
        (["account", "plan", EMAIL, "gold"], "", "'gold' is not one of"),
        (["account", "plan", EMAIL, "pro", "--until", "tomorrow"], "", f"{DATE} (got 'tomorrow')"),
        (["account", "plan", EMAIL, "pro", "--until", "2027-02-30"], "", f"{DATE} (got '2027-02-30')"),
        (["account", "plan", EMAIL, "free", "--until", "2027-01-31"], "", "--until does not apply to the Free plan"),
        (["account", "username", EMAIL, "Not Allowed!"], "", "username"),
        (["account", "password", EMAIL], "short\n", "password"),
        (["key", "revoke", EMAIL, "none"], "", "no active key 'none'"),
        (["page", "takedown", "/d/none"], "", "no page"),
        (["page", "takedown", "none"], "", "no page"),
    )
    for arguments, given, output in rows:
        assert anna, arguments
        assert output.lower() in refusal(run(*arguments, given=given)).lower(), arguments
        assert run("account", "list").stdout.count("\n") == 1, arguments


@pytest.mark.parametrize(
    "arguments",
    [
        ["account", "plan", "nobody@example.org", "pro"],
        ["account", "username", "nobody@example.org", "nobody"],
        ["account", "password", "nobody@example.org"],
        ["account", "suspend", "nobody@example.org"],
        ["account", "delete", "nobody@example.org", "--yes"],
        ["key", "add", "nobody@example.org"],
        ["key", "list", "nobody@example.org"],
        ["key", "revoke", "nobody@example.org", "abcd"],
    ],
)
def test_unknown_account_is_reported(run: Run, arguments: list[str]) -> None:
    output = refusal(run(*arguments, given=f"{PASSWORD}\n"))
    assert output == "no account has the address nobody@example.org; see mdpublish-server account list"


async def test_key_is_printed_alone_and_works(run: Run, client: httpx.AsyncClient) -> None:
    run("account", "add", EMAIL)
    added = run("key", "add", EMAIL, "--name", "ci")
    assert KEY.fullmatch(added.stdout)
    assert added.stderr == ""
    usage = await client.get("/v1/usage", headers={"Authorization": f"Bearer {added.stdout.strip()}"})
    assert usage.json()["tier"] == "free"


def test_third_key_is_refused_until_one_is_revoked(run: Run) -> None:
    run("account", "add", EMAIL)
    first = run("key", "add", EMAIL).stdout.strip()
    run("key", "add", EMAIL, "--name", "second")
    assert "at most 2 active keys" in refusal(run("key", "add", EMAIL))
    assert run("key", "revoke", EMAIL, first[-4:]).stderr == f"revoked …{first[-4:]}\n"
    assert KEY.fullmatch(run("key", "add", EMAIL).stdout)
    states = [line.split("\t")[2:] for line in run("key", "list", EMAIL).stdout.splitlines()]
    assert [(name, used, state.split()[0]) for name, _, used, state in states] == [
        ("API key", "never used", "revoked"),
        ("second", "never used", "active"),
        ("API key", "never used", "active"),
    ]


async def test_list_of_keys_never_shows_a_key(run: Run, anna: dict[str, str], client: httpx.AsyncClient) -> None:
    await client.get("/v1/usage", headers=anna)
    listed = run("key", "list", EMAIL).stdout
    raw = anna["Authorization"].split()[1]
    assert raw not in listed
    assert f"…{raw[-4:]}" in listed
    assert "never used" not in listed


async def test_revoked_key_is_refused_at_once(run: Run, anna: dict[str, str], client: httpx.AsyncClient) -> None:
    assert (await client.get("/v1/usage", headers=anna)).status_code == 200
    key_id = run("key", "list", EMAIL).stdout.split("\t")[0]
    assert run("key", "revoke", EMAIL, key_id).exit_code == 0
    assert (await client.get("/v1/usage", headers=anna)).status_code == 401


async def test_plan_is_set_until_a_date(
    run: Run, anna: dict[str, str], client: httpx.AsyncClient, travel: Travel
) -> None:
    tomorrow = datetime.now(UTC) + timedelta(days=1)
    output = run("account", "plan", EMAIL, "pro", "--until", f"{tomorrow:%Y-%m-%dT%H:%M:%SZ}")
    assert output.stderr == f"{EMAIL} is on pro until {tomorrow:%Y-%m-%dT%H:%M:%SZ}\n"
    assert f"pro until {tomorrow:%Y-%m-%dT%H:%M:%SZ}" in run("account", "list").stdout
    assert (await client.get("/v1/usage", headers=anna)).json()["tier"] == "pro"
    travel(timedelta(days=2))
    assert (await client.get("/v1/usage", headers=anna)).json()["tier"] == "free"


def test_date_without_a_time_is_its_beginning_in_utc(run: Run, anna: dict[str, str]) -> None:
    assert anna
    assert run("account", "plan", EMAIL, "pro", "--until", "2027-01-31").stderr.endswith("until 2027-01-31T00:00:00Z\n")
    output = run("account", "plan", EMAIL, "pro", "--until", "2027-01-31T02:00:00+02:00").stderr
    assert output.endswith("until 2027-01-31T00:00:00Z\n")
    assert run("account", "plan", EMAIL, "free").stderr == f"{EMAIL} is on free\n"


async def test_username_moves_pages(run: Run, anna: dict[str, str], client: httpx.AsyncClient) -> None:
    published = await client.post("/v1/documents/publish", json={"content": "x", "slug": "letter"}, headers=anna)
    assert urlsplit(published.json()["published_url"]).path == "/d/letter"
    assert run("account", "username", EMAIL, "Anna").stderr == f"{EMAIL} has the username anna\n"
    moved = await client.get("/d/letter")
    assert (moved.status_code, urlsplit(moved.headers["location"]).path) == (301, "/u/anna/letter")
    assert (await client.get("/u/anna/letter")).status_code == 200
    run("account", "add", "ben@example.org")
    assert "taken" in refusal(run("account", "username", "ben@example.org", "anna"))


async def test_password_signs_in_and_a_new_one_replaces_it(run: Run, client: httpx.AsyncClient) -> None:
    run("account", "add", EMAIL, "--password-stdin", given=f"{PASSWORD}\r\n")
    form = {"email": EMAIL, "password": PASSWORD}
    origin = {"Origin": "http://127.0.0.1:8000"}
    signed_in = await client.post("/signin", data=form, headers=origin)
    assert signed_in.status_code == 303
    assert (await client.get("/v1/usage")).status_code == 200
    assert run("account", "password", EMAIL, given="another password\n").stderr == f"changed the password of {EMAIL}\n"
    assert (await client.get("/v1/usage")).status_code == 401
    assert (await client.post("/signin", data=form, headers=origin)).status_code == 401


async def test_suspended_account_is_refused_until_the_suspension_ends(
    run: Run, anna: dict[str, str], client: httpx.AsyncClient
) -> None:
    published = await client.post("/v1/documents/publish", json={"content": "x"}, headers=anna)
    path = urlsplit(published.json()["published_url"]).path
    assert run("account", "suspend", EMAIL).stderr == f"{EMAIL} is suspended\n"
    assert run("account", "list").stdout.endswith("\tsuspended\n")
    assert (await client.get("/v1/usage", headers=anna)).status_code == 401
    assert (await client.get(path)).status_code == 404
    assert run("account", "suspend", EMAIL, "--end").stderr == f"{EMAIL} is active\n"
    assert (await client.get("/v1/usage", headers=anna)).status_code == 200
    assert (await client.get(path)).status_code == 200


async def test_deleted_account_is_gone_with_its_pages_once_it_is_confirmed(
    run: Run, anna: dict[str, str], client: httpx.AsyncClient
) -> None:
    published = await client.post("/v1/documents/publish", json={"content": "x"}, headers=anna)
    declined = run("account", "delete", EMAIL, given="n\n")
    assert declined.exit_code == 1
    assert "Delete anna@example.org with 1 documents?" in declined.stderr
    assert run("account", "delete", EMAIL).exit_code == 1
    assert (await client.get("/v1/usage", headers=anna)).status_code == 200
    assert run("account", "delete", EMAIL, given="y\n").stderr.endswith(f"deleted {EMAIL}\n")
    assert (await client.get("/v1/usage", headers=anna)).status_code == 401
    assert (await client.get(urlsplit(published.json()["published_url"]).path)).status_code == 404
    assert run("account", "list").stdout == ""


async def test_page_is_taken_down_and_the_content_stays(
    run: Run, anna: dict[str, str], client: httpx.AsyncClient, database_url: str
) -> None:
    published = (await client.post("/v1/documents/publish", json={"content": "x"}, headers=anna)).json()
    path = urlsplit(published["published_url"]).path
    assert run("page", "takedown", published["published_url"]).stderr == f"took down {path}\n"
    assert (await client.get(path)).status_code == 404
    document = (await client.get(f"/v1/documents/{published['id']}", headers=anna)).json()
    assert (document["content"], document["is_published"]) == ("x", False)
    second = await client.post(f"/v1/documents/{published['id']}/publish", json={}, headers=anna)
    assert second.status_code == 403
    assert await asyncio.to_thread(wrong, MDPUBLISH_DATABASE_URL=database_url) == []


async def test_demo_is_taken_down_with_its_content(run: Run, client: httpx.AsyncClient) -> None:
    demo = (await client.post("/v1/demo/publish", json={"content": "x"})).json()
    path = urlsplit(demo["url"]).path
    assert run("page", "takedown", path).exit_code == 0
    assert (await client.get(path)).status_code == 404
    assert "no page" in refusal(run("page", "takedown", path))


def test_new_password_spoils_links_to_choose_one_that_were_mailed_before(run: Run, database: Database) -> None:
    run("account", "add", EMAIL)
    now = datetime.now(UTC)
    with database.write_transaction() as transaction:
        account = find_account_by_email(transaction, EMAIL)
        token = create_email_token(transaction, PASSWORD_RESET, email=EMAIL, account=account, now=now)
    assert run("account", "password", EMAIL, given=f"{PASSWORD}\n").exit_code == 0
    with database.read_transaction() as transaction, pytest.raises(NotFound):
        find_valid_token(transaction, PASSWORD_RESET, token, now=now)
