"""Documents that are deleted on the site are gone for readers and programs, and can be restored for 30 days."""

from datetime import timedelta

import pytest
from sqlalchemy import update

from mdpublish_server.services.cleanup import clean_up_batch, delete_account_batch
from mdpublish_server.storage import Database
from mdpublish_server.storage.accounts import retire_account
from mdpublish_server.storage.tables import DOCUMENT_WORDS, DOCUMENTS, TRASH
from mdpublish_server.storage.transactions import Statement
from tests.server.api_requests import create, get, publish
from tests.server.browsers import Member, account_now, alerts, put_on
from tests.server.conftest import NOW
from tests.server.test_web_documents_editing import choose, id_of, write

pytestmark = pytest.mark.anyio

DELETED = "/documents/deleted"


def numbers(database: Database) -> list[int]:
    """Return how many documents are stored, indexed and in the trash."""
    with database.read_transaction() as transaction:
        return [len(transaction.rows(Statement(table.select()))) for table in (DOCUMENTS, DOCUMENT_WORDS, TRASH)]


async def deleted(member: Member, *, slug: str | None = None) -> str:
    """Return the path of a document that was published, then deleted on the site."""
    path = await write(member, "# Garden day\n\nRoses.\n", do="publish")
    if slug:
        await choose(member, path, slug=slug)
    await member.browser.post(f"{path}/delete")
    return path


async def test_deleted_document_is_gone_for_readers_and_programs(anna: Member, database: Database) -> None:
    path = await deleted(anna)

    assert (await anna.program.get(f"/v1{path}")).status_code == 404
    assert (await anna.browser.get(path)).status_code == 404
    assert "Garden day" not in (await anna.browser.get("/documents?q=roses")).text
    account = account_now(database, anna)
    assert (account.documents, account.pages) == (0, 0)
    assert numbers(database) == [1, 0, 1]
    assert "Garden day" in (await anna.browser.get(DELETED)).text


async def test_restored_document_is_found_and_published_again(berta: Member, database: Database) -> None:
    path = await deleted(berta, slug="garden")
    taken = await berta.program.post("/v1/documents/publish", json={"content": "x", "slug": "garden"})
    assert taken.status_code == 409

    response = await berta.browser.post(f"{path}/restore")

    assert response.headers["location"] == f"{path}?done=undeleted"
    document = await get(berta.program, id_of(path))
    assert (document["is_published"], document["slug"]) == (True, "garden")
    assert "Roses." in (await berta.browser.get("/u/berta/garden")).text
    assert "<mark>" in (await berta.browser.get("/documents?q=roses")).text
    account = account_now(database, berta)
    assert (account.documents, account.pages) == (1, 1)
    assert numbers(database) == [1, 1, 0]
    assert (await berta.browser.post(f"{path}/restore")).status_code == 404


async def test_document_whose_page_has_ended_meanwhile_is_kept(anna: Member, database: Database) -> None:
    path = await deleted(anna)
    with database.write_transaction() as transaction:
        transaction.change(Statement(update(DOCUMENTS).values(expires_at=NOW)))
        clean_up_batch(transaction, NOW + timedelta(days=1))

    assert (await anna.browser.post(f"{path}/restore")).status_code == 303
    document = await get(anna.program, id_of(path))
    assert (document["is_published"], document["content"]) == (False, "# Garden day\n\nRoses.\n")


async def test_restoring_past_the_limit_of_the_plan_is_refused(anna: Member, database: Database) -> None:
    path = await deleted(anna)
    put_on(database, anna, "free")
    for _ in range(3):
        await create(anna.program, content="x")

    page = await anna.browser.post(f"{path}/restore")

    assert page.status_code == 403
    assert "allows 3 documents" in alerts(page)[0]
    assert "Garden day" in page.text


async def test_deleted_document_is_erased_at_once_on_demand(anna: Member, database: Database) -> None:
    path = await deleted(anna)

    response = await anna.browser.post(f"{path}/erase")

    assert response.headers["location"] == f"{DELETED}?done=erased"
    assert numbers(database) == [0, 0, 0]
    assert (await anna.browser.post(f"{path}/restore")).status_code == 404


async def test_document_that_is_not_deleted_is_not_erased(anna: Member, database: Database) -> None:
    path = await write(anna, "# Garden day\n")

    assert (await anna.browser.post(f"{path}/erase")).status_code == 404
    assert numbers(database) == [1, 1, 0]


async def test_another_account_restores_and_erases_nothing(anna: Member, berta: Member, database: Database) -> None:
    path = await deleted(anna)

    assert (await berta.browser.post(f"{path}/restore")).status_code == 404
    assert (await berta.browser.post(f"{path}/erase")).status_code == 404
    assert numbers(database)[2] == 1
    assert "Garden day" not in (await berta.browser.get(DELETED)).text


@pytest.mark.parametrize("age", [0, 1, 29])
async def test_trash_says_when_a_document_was_deleted_and_is_erased(anna: Member, database: Database, age: int) -> None:
    await deleted(anna)
    with database.write_transaction() as transaction:
        at = NOW - timedelta(days=age)
        transaction.change(Statement(update(TRASH).values(deleted_at=at)))

    trash = (await anna.browser.get(DELETED)).text
    assert f">Deleted </span>{at:%-d %B}<" in trash if age else ">Deleted </span>today<" in trash
    assert f">{30 - age} day{'s' if age < 29 else ''}<" in trash


@pytest.mark.parametrize(("age", "left"), [(timedelta(days=29), 1), (timedelta(days=31), 0)])
async def test_deleted_document_is_erased_after_30_days(
    anna: Member, database: Database, age: timedelta, left: int
) -> None:
    await deleted(anna)

    with database.write_transaction() as transaction:
        clean_up_batch(transaction, NOW + age)

    assert numbers(database) == [left, 0, left]


async def test_deleted_documents_go_with_their_account(anna: Member, database: Database) -> None:
    await deleted(anna)
    document = await create(anna.program, content="x")
    await publish(anna.program, document)
    with database.write_transaction() as transaction:
        retire_account(transaction, anna.account.id, now=NOW)
        while delete_account_batch(transaction):
            pass

    assert numbers(database) == [0, 0, 0]


async def test_program_deletes_at_once(anna: Member, database: Database) -> None:
    document = await create(anna.program, content="x")

    await anna.program.delete(f"/v1/documents/{document}")

    assert numbers(database) == [0, 0, 0]
