"""Handing an account's documents to another: pages move, former URLs redirect, and what is left can be done again."""

import httpx
import pytest

from mdpublish_server.settings import Settings
from mdpublish_server.storage import Database
from mdpublish_server.storage.accounts import MISCOUNTED
from tests.image_files import PNG
from tests.server.api_requests import publish_new, redirect_from, update
from tests.server.audit_events import events
from tests.server.browsers import Member, account_now, make_member, put_on
from tests.server.command import Run, refusal, runner
from tests.server.conftest import NOW

pytestmark = pytest.mark.anyio


@pytest.fixture
def run(settings: Settings) -> Run:
    return runner({"MDPUBLISH_DATABASE_URL": settings.database_url, "MDPUBLISH_IMAGE_STORE": settings.image_store})


@pytest.fixture
def cleo(database: Database, client_from: object) -> Member:
    """A member on the Pro plan with the username `cleo`."""
    return make_member(database, client_from, "cleo", now=NOW, plan="pro", username="cleo")  # type: ignore[arg-type]


def counted(database: Database, member: Member) -> tuple[int, int]:
    account = account_now(database, member)
    return account.documents, account.pages


def give(run: Run, giver: Member, taker: Member) -> str:
    done = run("account", "hand-over", giver.account.email, taker.account.email)
    assert done.exit_code == 0, done.stderr
    return done.stderr.splitlines()[-1]


async def test_pages_stay_readable_and_former_urls_redirect(
    berta: Member, cleo: Member, client: httpx.AsyncClient, database: Database, run: Run
) -> None:
    page = await publish_new(berta.program, "A walrus", title="Garden", slug="garden", visibility="public")
    await berta.program.post("/v1/documents", json={"title": "Draft", "content": "text"})
    assert run("account", "deactivate", "berta@example.org").exit_code == 0
    assert (await client.get("/u/berta/garden")).status_code == 200
    assert give(run, berta, cleo) == "handed over 2 documents to cleo@example.org"

    assert await redirect_from(client, "/u/berta/garden") == "http://127.0.0.1:8000/u/cleo/garden"
    shown = await client.get("/u/cleo/garden")
    assert (shown.status_code, "A walrus" in shown.text) == (200, True)
    assert 'href="http://127.0.0.1:8000/u/cleo/garden"' in shown.text
    assert (counted(database, berta), counted(database, cleo)) == ((0, 0), (2, 1))
    listed = (await cleo.browser.get("/documents", params={"q": "walrus"})).text
    assert page["id"] in listed
    changed = await update(cleo.program, page["id"], content="Another")
    assert changed["id"] == page["id"]
    handed = events(run, "--kind", "document.handed_over")
    assert [(event["account_id"], event["object"]) for event in handed if event["object"] == page["id"]] == [
        (berta.account.id, page["id"]),
        (cleo.account.id, page["id"]),
    ]


async def test_taken_address_gets_a_suffix(berta: Member, cleo: Member, client: httpx.AsyncClient, run: Run) -> None:
    await publish_new(cleo.program, "mine", slug="garden")
    await publish_new(berta.program, "a walrus", slug="garden")
    give(run, berta, cleo)
    assert "mine" in (await client.get("/u/cleo/garden")).text
    moved = await redirect_from(client, "/u/berta/garden")
    assert moved.startswith("http://127.0.0.1:8000/u/cleo/garden-")
    assert "a walrus" in (await client.get(moved)).text


async def test_redirect_ends_when_the_giver_takes_the_address_again(
    berta: Member, cleo: Member, client: httpx.AsyncClient, run: Run
) -> None:
    await publish_new(berta.program, "a walrus", slug="garden")
    give(run, berta, cleo)
    await publish_new(berta.program, "a seal", slug="garden")
    assert "a seal" in (await client.get("/u/berta/garden")).text
    assert "a walrus" in (await client.get("/u/cleo/garden")).text


@pytest.mark.parametrize("names", [("berta", "anna"), ("anna", "cleo"), ("anna", "dora")])
async def test_pages_of_accounts_without_a_username_move_too(
    anna: Member,
    berta: Member,
    cleo: Member,
    client: httpx.AsyncClient,
    client_from: object,
    database: Database,
    run: Run,
    names: tuple[str, str],
) -> None:
    dora = make_member(database, client_from, "dora", now=NOW, plan="pro")  # type: ignore[arg-type]
    members = {"anna": anna, "berta": berta, "cleo": cleo, "dora": dora}
    giver, taker = (members[name] for name in names)
    put_on(database, anna, "pro")
    page = await publish_new(giver.program, "a walrus", slug="garden")
    give(run, giver, taker)
    shown = await client.get(page["published_url"], follow_redirects=True)
    assert (shown.status_code, "a walrus" in shown.text) == (200, True)
    place = f"/u/{taker.account.username}/garden" if taker.account.username else "/d/garden"
    assert shown.url.path == place


async def test_full_plan_stops_it_and_a_second_run_goes_on(
    berta: Member, anna: Member, client: httpx.AsyncClient, database: Database, run: Run
) -> None:
    for number in range(5):
        await publish_new(berta.program, f"text {number}", slug=f"page-{number}")
    stopped = run("account", "hand-over", berta.account.email, anna.account.email)
    assert refusal(stopped) == (
        "anna@example.org: The Free plan allows 3 documents; delete one or ask the operator for another plan; "
        "handed over 3 of 5 documents; run the command again for the others"
    )
    assert (counted(database, berta), counted(database, anna)) == ((2, 2), (3, 3))
    put_on(database, anna, "pro")
    assert give(run, berta, anna) == "handed over 2 documents to anna@example.org"
    assert give(run, berta, anna) == "handed over 0 documents to anna@example.org"
    for number in range(5):
        shown = await client.get(f"/u/berta/page-{number}", follow_redirects=True)
        assert f"text {number}" in shown.text


async def test_images_go_along_and_outlive_the_account(
    berta: Member, cleo: Member, client: httpx.AsyncClient, database: Database, run: Run
) -> None:
    image = (await berta.program.post("/v1/images", content=PNG, headers={"Content-Type": "image/png"})).json()
    for slug in ("first", "second"):
        await publish_new(berta.program, f"![A dot]({image['url']})", slug=slug, visibility="public")
    taken = account_now(database, berta).image_bytes
    assert taken > 0
    give(run, berta, cleo)
    assert [account_now(database, each).image_bytes for each in (berta, cleo)] == [0, taken]
    assert run("account", "delete", "berta@example.org", "--yes").exit_code == 0
    assert (await client.get(image["url"])).status_code == 200


async def test_counters_are_right_afterwards(berta: Member, cleo: Member, database: Database, run: Run) -> None:
    await publish_new(berta.program, "text", slug="garden")
    give(run, berta, cleo)
    with database.read_transaction() as transaction:
        assert transaction.rows(MISCOUNTED) == []


@pytest.mark.parametrize("taker", ["berta@example.org", "anna@example.org"])
async def test_taker_must_be_another_account_that_has_access(berta: Member, anna: Member, run: Run, taker: str) -> None:
    assert run("account", "deactivate", anna.account.email).exit_code == 0
    refused = run("account", "hand-over", berta.account.email, taker)
    assert (refused.exit_code, "must be another account" in refused.stderr) == (2, True)
