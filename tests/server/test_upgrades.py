"""Databases of former versions can be upgraded, on SQLite and PostgreSQL.

The dumps in `upgrades` were made by those versions: see its README.
"""

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest
from alembic import command
from psycopg import sql
from sqlalchemy import Engine, MetaData, insert, select, text
from sqlalchemy.engine import make_url

from mdpublish_server.errors import Conflict
from mdpublish_server.services.document_search import search_documents
from mdpublish_server.services.revision_history import content_of
from mdpublish_server.storage import Database, revisions
from mdpublish_server.storage.database import _config, _engine
from mdpublish_server.storage.document_revisions import find_revision, list_revisions
from mdpublish_server.storage.documents import find_document
from mdpublish_server.storage.private_files import create_private_file
from tests.server.api_requests import claim, get, publish, publish_new, redirect_from, refusal, unpublish, update
from tests.server.command import runner
from tests.server.conftest import Owner
from tests.server.test_services_health import wrong

pytestmark = pytest.mark.anyio

UPGRADES = Path(__file__).parent / "upgrades"

PASSWORD = "correct horse battery"
"""Of every account in the dumps."""

OF_ACCOUNTS = pytest.mark.parametrize("dump", ["rest-api"], indirect=True)
"""Only dumps with accounts, which the first version lacked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dump:
    """A dump, and the expectations written by `upgrades/make.py`."""

    statements: str
    expectations: dict[str, Any]

    def __getitem__(self, name: str) -> Any:
        return self.expectations[name]

    def headers(self, key: str) -> dict[str, str]:
        return {"Authorization": f"Bearer {self['keys'][key]}"}


@pytest.fixture(params=["first-version", "rest-api"])
def dump(request: pytest.FixtureRequest) -> Dump:
    """The dump of a former version."""
    sql_file, json_file = (UPGRADES / f"{request.param}.{kind}" for kind in ("sql", "json"))
    return Dump(statements=sql_file.read_text("utf-8"), expectations=json.loads(json_file.read_text("utf-8")))


@pytest.fixture
def old_sqlite(dump: Dump, tmp_path: Path) -> str:
    """The URL of a database as the former version left it."""
    create_private_file(tmp_path / "old.db")
    with closing(sqlite3.connect(tmp_path / "old.db")) as connection:
        connection.executescript(dump.statements)
    return f"sqlite:///{tmp_path}/old.db"


@pytest.fixture
def old_postgresql(old_sqlite: str, postgresql_server: str) -> Iterator[str]:
    """The same rows in PostgreSQL, in the former version's schema."""
    name = sql.Identifier("upgraded")
    with psycopg.connect(postgresql_server, autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(name))
        url = make_url(postgresql_server).set(database="upgraded").render_as_string(hide_password=False)
        source, target = _engine(old_sqlite), _engine(url)
        copy_rows(source, target)
        source.dispose()
        target.dispose()
        yield url
        connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(name))


def copy_rows(source: Engine, target: Engine) -> None:
    with source.connect() as reading, target.begin() as writing:
        revision = reading.scalar(text("SELECT version_num FROM alembic_version"))
        command.upgrade(_config(writing), str(revision))
        old, new = MetaData(), MetaData()
        old.reflect(reading)
        new.reflect(writing)
        for table in new.sorted_tables:
            rows = [row._asdict() for row in reading.execute(select(old.tables[table.name]))]
            if rows and table.name != "alembic_version":
                writing.execute(insert(table), rows)


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest) -> str:
    """The URL of the former version's database, upgraded with `migrate`."""
    url: str = request.getfixturevalue(f"old_{request.param}")
    current, newest = revisions(url)
    assert current != newest
    assert runner({"MDPUBLISH_DATABASE_URL": url})("migrate").exit_code == 0
    return url


async def test_every_page_is_served_with_its_content(dump: Dump, client: httpx.AsyncClient) -> None:
    for path, read in dump["pages"].items():
        page = await client.get(path)
        assert page.status_code == 200, path
        assert read in page.text, path
        assert f'href="http://127.0.0.1:8000{path}"' in page.text


@OF_ACCOUNTS
async def test_pages_keep_how_they_were_published(dump: Dump, client: httpx.AsyncClient) -> None:
    pages = {path.rpartition("/")[2].rpartition("-")[0]: await client.get(path) for path in dump["pages"]}
    public, link = pages["second"], pages["garden-day"]
    assert "x-robots-tag" not in public.headers
    assert link.headers["x-robots-tag"] == "noindex"
    assert '<meta name="description" content="What runs" />' in public.text
    assert "Published with mdpublish" not in public.text
    assert "Published with mdpublish" in link.text


async def test_pages_hide_their_source(dump: Dump, client: httpx.AsyncClient) -> None:
    for path in dump["pages"]:
        assert f"{path}.md" not in (await client.get(path)).text
        assert (await client.get(f"{path}.md")).status_code == 404


@OF_ACCOUNTS
async def test_former_urls_redirect_in_one_hop(dump: Dump, client: httpx.AsyncClient) -> None:
    for path, target in dump["redirects"].items():
        assert httpx.URL(await redirect_from(client, path)).path == target


@OF_ACCOUNTS
async def test_pages_that_were_gone_stay_so(dump: Dump, client: httpx.AsyncClient) -> None:
    for path in dump["missing"]:
        assert (await client.get(path)).status_code == 404, path


async def test_expired_page_is_reported(dump: Dump, client: httpx.AsyncClient) -> None:
    for path in dump["expired"]:
        assert (await client.get(path)).status_code == 410, path


async def test_demos_expire_when_they_were_to(
    dump: Dump, client: httpx.AsyncClient, travel: Callable[[timedelta], None]
) -> None:
    demos = [path for path in dump["pages"] if path.startswith("/p/")]
    travel(timedelta(hours=47, minutes=59))
    assert [(await client.get(path)).status_code for path in demos] == [200] * len(demos)
    travel(timedelta(minutes=5))
    assert [(await client.get(path)).status_code for path in demos] == [410] * len(demos)


async def test_claim_token_claims_its_page(
    dump: Dump, client: httpx.AsyncClient, make_owner: Callable[..., Owner], database_url: str
) -> None:
    client.headers.update(make_owner("eve", plan="pro", username="eve").headers)
    demos = {path: token for path, token in dump["claim_tokens"].items() if path in dump["pages"]}
    for path, token in demos.items():
        claimed = await claim(client, token)
        assert claimed.status_code == 200, claimed.text
        target = await redirect_from(client, path)
        assert target == claimed.json()["published_url"]
        assert dump["pages"][path] in (await client.get(target)).text
        assert refusal(await claim(client, token)) == (404, "not_found")
    assert wrong(MDPUBLISH_DATABASE_URL=database_url) == []


async def test_claim_token_of_an_expired_page_is_reported(
    dump: Dump, client: httpx.AsyncClient, make_owner: Callable[..., Owner]
) -> None:
    client.headers.update(make_owner("eve").headers)
    assert refusal(await claim(client, dump["claim_tokens"]["expired"])) == (410, "expired")


@OF_ACCOUNTS
async def test_used_claim_token_is_reported(dump: Dump, client: httpx.AsyncClient) -> None:
    client.headers.update(dump.headers("laptop"))
    assert refusal(await claim(client, dump["claim_tokens"]["used"])) == (404, "not_found")


@OF_ACCOUNTS
def test_documents_are_found_by_their_titles(dump: Dump, database: Database) -> None:
    with database.read_transaction() as transaction:
        for document_id in dump["documents"]:
            document = find_document(transaction, document_id)
            assert document is not None
            assert document.account_id is not None
            matches = search_documents(transaction, document.account_id, document.title, cursor=None, limit=20)
            assert document_id in [hit.document.id for hit in matches.hits]


@OF_ACCOUNTS
async def test_key_gets_every_document_as_it_was(dump: Dump, client: httpx.AsyncClient) -> None:
    client.headers.update(dump.headers("laptop"))
    listed = (await client.get("/v1/documents")).json()["data"]
    assert [each["id"] for each in listed] == list(dump["documents"])
    for document_id, document in dump["documents"].items():
        assert document.items() <= (await get(client, document_id)).items()


@OF_ACCOUNTS
async def test_keys_that_were_refused_are_refused(dump: Dump, client: httpx.AsyncClient) -> None:
    for key in ("revoked", "suspended"):
        assert refusal(await client.get("/v1/usage", headers=dump.headers(key))) == (401, "unauthorized")


@OF_ACCOUNTS
async def test_plan_and_requests_of_the_month_are_stored(
    dump: Dump, client: httpx.AsyncClient, database_url: str
) -> None:
    usage = (await client.get("/v1/usage", headers=dump.headers("laptop"))).json()
    assert usage["tier"] == "pro"
    accounts = runner({"MDPUBLISH_DATABASE_URL": database_url})("account", "list").stdout
    rows = [line.split("\t") for line in accounts.splitlines()]
    assert [(row[0], row[1], *row[3:7]) for row in rows] == [
        ("anna@example.org", "anna-b", "6", "3", "2026-02: 11", "active"),
        ("ben@example.org", "-", "1", "1", "2026-02: 1", "active"),
        ("carla@example.org", "carla", "1", "1", "2026-02: 1", "suspended"),
    ]


@OF_ACCOUNTS
@pytest.mark.usefixtures("dump")
async def test_old_password_signs_in(client: httpx.AsyncClient) -> None:
    wrong = await client.post("/signin", data={"email": "anna@example.org", "password": "another"})
    assert wrong.status_code != 303
    for email in ("anna@example.org", "ben@example.org"):
        client.cookies.clear()
        signed_in = await client.post("/signin", data={"email": email, "password": PASSWORD})
        assert signed_in.status_code == 303
        assert email in (await client.get("/account")).text
    client.cookies.clear()
    suspended = await client.post("/signin", data={"email": "carla@example.org", "password": PASSWORD})
    assert suspended.status_code != 303


@OF_ACCOUNTS
async def test_who_was_signed_in_stays_so(dump: Dump, client: httpx.AsyncClient) -> None:
    client.cookies.set("session", dump["session"])
    page = await client.get("/account")
    assert page.status_code == 200
    assert "anna@example.org" in page.text


@OF_ACCOUNTS
@pytest.mark.usefixtures("dump")
async def test_nobody_gets_the_username_of_a_deleted_account(make_owner: Callable[..., Owner]) -> None:
    with pytest.raises(Conflict, match="dora"):
        make_owner("eve", username="dora")


@OF_ACCOUNTS
async def test_old_documents_are_edited_and_published(dump: Dump, client: httpx.AsyncClient, database_url: str) -> None:
    client.headers.update(dump.headers("laptop"))
    by_title = {document["title"]: document_id for document_id, document in dump["documents"].items()}
    await update(client, by_title["Garden day"], content="We meet on **Sunday**.")
    garden = next(path for path in dump["pages"] if "garden-day" in path)
    assert "<strong>Sunday</strong>" in (await client.get(garden)).text
    draft = await publish(client, by_title["Draft"])
    assert "never <em>published</em>" in (await client.get(draft["published_url"])).text
    await publish(client, by_title["Unpublished"])
    second = next(path for path in dump["missing"] if "/unpublished-" in path)
    assert "/u/anna-b/unpublished-" in await redirect_from(client, second)
    taken_down = await client.post(f"/v1/documents/{by_title['Taken down']}/publish", json={})
    assert refusal(taken_down) == (403, "forbidden")
    await unpublish(client, by_title["Code"])
    await publish_new(client, "new")
    assert wrong(MDPUBLISH_DATABASE_URL=database_url) == []


@OF_ACCOUNTS
async def test_old_document_gets_a_revision_when_its_content_is_replaced(
    dump: Dump, client: httpx.AsyncClient, database: Database
) -> None:
    client.headers.update(dump.headers("laptop"))
    document_id = next(each for each, document in dump["documents"].items() if document["title"] == "Garden day")
    before = await get(client, document_id)
    await update(client, document_id, content="We meet on **Sunday**.")
    with database.read_transaction() as transaction:
        (summary,) = list_revisions(transaction, document_id)
        revision = find_revision(transaction, document_id, summary.number)
    assert revision
    assert (revision.title, content_of(revision)) == (before["title"], before["content"])


@pytest.mark.usefixtures("dump")
def test_doctor_finds_nothing_wrong(database_url: str) -> None:
    assert wrong(MDPUBLISH_DATABASE_URL=database_url) == []
