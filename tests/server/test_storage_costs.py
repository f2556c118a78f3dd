"""What statements cost with much data: rows are found by indexes, and a request reads as many as it shows."""

import pkgutil
import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import datetime, timedelta
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg.sql import Literal
from sqlalchemy import func, select, text

import mdpublish_server.storage
from mdpublish_server.services import feeds
from mdpublish_server.services.accounts import create_account
from mdpublish_server.services.cleanup import clean_up_batch, delete_account_batch
from mdpublish_server.services.document_search import search_documents
from mdpublish_server.services.feeds import PublicPages
from mdpublish_server.storage import Account, Database, Transaction, open_database
from mdpublish_server.storage.accounts import claim_username, find_account, retire_account
from mdpublish_server.storage.database import sqlite_path
from mdpublish_server.storage.documents import CREATED, TITLE, edited_at_rank, list_documents
from mdpublish_server.storage.public_pages import FeedPosition, list_public_pages, newer_position_at
from mdpublish_server.storage.slug_claims import claim_permalink
from mdpublish_server.storage.timestamps import to_microseconds
from mdpublish_server.storage.transactions import POSTGRESQL, SQLITE, Statement
from tests.server.conftest import NOW

READS_ALL = {
    "accounts.miscounted": "counts again for `doctor`",
    "demo_usage.bytes": "has one row",
    "demo_usage.miscounted": "counts again for `doctor`",
    "images.all": "lists all images for `doctor --deep`",
    "images.idle_accounts": "looks once a day for images that nothing has shown",
    "invitations.all": "lists all invitations, of which there are few",
    "page_changes._COUNTERS": "has one row, on PostgreSQL sixteen",
    "public_pages.parts": "has a row for 20,000 public pages",
    "server_keys.key": "has one row",
}

OF_ONE = {
    "documents.add_counted": POSTGRESQL,
    "search_index.matching_postgresql": POSTGRESQL,
    "search_index.matching_sqlite": SQLITE,
}
"""Statements for one of the databases."""

NO_SCAN = r"SCAN (CONSTANT ROW|document_index VIRTUAL TABLE INDEX \d+:[<>=]*M)"
"""One row, or what an index of words finds."""

FEW = 100

PLANNED = 5
"""Executions that PostgreSQL plans with their parameters."""

SEARCHES = ("common", "comm", "even common", "rare", "common rare", "number50 comm", "title", "absent")

Work = Callable[[Transaction], object]


def statements(dialect: str) -> Iterator[tuple[str, Statement]]:
    """Yield all statements of the package for a database, by module and name."""
    for module in pkgutil.iter_modules(mdpublish_server.storage.__path__):
        values = vars(import_module(f"mdpublish_server.storage.{module.name}"))
        named = {**values, **values.get("_SQL", {})}
        names = {each: f"{module.name}.{name}" for name, each in named.items() if isinstance(each, Statement)}
        yield from ((name, each) for each, name in names.items() if OF_ONE.get(name, dialect) == dialect)


def test_modules_run_all_statements_of_their_files() -> None:
    folder = Path(mdpublish_server.storage.__path__[0])
    unused = {}
    for file in folder.glob("*.sql"):
        names = re.findall(r"^-- name: (\w+)$", file.read_text("utf-8"), re.MULTILINE)
        source = file.with_suffix(".py").read_text("utf-8")
        run = re.findall(r"_SQL\[(f?)\"(\w+)", source)
        beginnings = tuple(name for is_beginning, name in run if is_beginning)
        unused[file.name] = [each for each in names if ("", each) not in run and not each.startswith(beginnings)]
    assert not any(unused.values()), unused


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_statements_find_rows_by_indexes_on_sqlite(database_url: str) -> None:
    scans = {}
    with closing(sqlite3.connect(str(sqlite_path(database_url)))) as connection:
        for name, statement in statements(SQLITE):
            sql, _ = statement.compiled(SQLITE)
            nothing = dict.fromkeys(re.findall(r":(\w+)", sql))
            plan = [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {sql}", nothing)]
            if scan := [step for step in plan if step.startswith("SCAN") and not re.match(NO_SCAN, step)]:
                scans[name] = scan
    assert scans.keys() == READS_ALL.keys(), scans


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
def test_statements_find_rows_by_indexes_on_postgresql(database_url: str) -> None:
    scans = {}
    with psycopg.connect(database_url) as connection:
        connection.execute("SET enable_seqscan = off")
        connection.execute("SET plan_cache_mode = force_generic_plan")
        for name, statement in statements(POSTGRESQL):
            sql, _ = statement.compiled(POSTGRESQL)
            nothing = dict.fromkeys(re.findall(r"%\((\w+)\)s", sql))
            plan = connection.execute(f"EXPLAIN (GENERIC_PLAN) {numbered(sql)}" if nothing else f"EXPLAIN {sql}")
            if scan := [step for (step,) in plan if "Seq Scan" in step or "Disabled" in step]:
                scans[name] = scan
    assert scans.keys() <= READS_ALL.keys(), scans


def numbered(sql: str) -> str:
    """Return SQL with PostgreSQL's own parameters."""
    names = list(dict.fromkeys(re.findall(r"%\((\w+)\)s", sql)))
    return re.sub(r"%\((\w+)\)s", lambda match: f"${names.index(match[1]) + 1}", sql)


class Counting(Transaction):
    """Counts the rows that PostgreSQL reads, with the worse of two plans."""

    __slots__ = ("connection", "is_prepared", "rows_read")

    def __init__(self, connection: psycopg.Connection[Any], *, is_prepared: bool) -> None:
        super().__init__(connection.cursor(), POSTGRESQL)
        self.connection = connection
        self.is_prepared = is_prepared
        self.rows_read = 0

    def _execute(self, statement: Statement, values: dict[str, object]) -> None:
        sql, constants = statement.compiled(POSTGRESQL)
        named = {**constants, **values}
        names = dict.fromkeys(re.findall(r"%\((\w+)\)s", sql))
        given = f"({', '.join(Literal(named[name]).as_string() for name in names)})" if names else ""
        self.connection.execute(f"PREPARE counted AS {numbered(sql).replace('%%', '%')}")
        with self.connection.transaction(force_rollback=True):
            first = self._rows_read(f"EXECUTE counted{given}")
        # From the sixth execution on, PostgreSQL may take a plan that does not know the parameters.
        for _ in range(PLANNED if self.is_prepared else 0):
            self.connection.execute(f"EXPLAIN EXECUTE counted{given}")
        with self.connection.transaction(force_rollback=True):
            self.rows_read += max(first, self._rows_read(f"EXECUTE counted{given}"))
        self.connection.execute("DEALLOCATE counted")
        super()._execute(statement, values)

    def _rows_read(self, sql: str) -> int:
        plans = self.connection.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {sql}").fetchone()
        assert plans is not None
        return rows_of(plans[0][0]["Plan"])


def rows_of(plan: dict[str, Any]) -> int:
    """Return how many rows the scans of a plan read."""
    inner = sum(rows_of(part) for part in plan.get("Plans", ()))
    if "Scan" not in plan["Node Type"]:
        return inner
    read = sum(plan.get(name, 0) for name in ("Actual Rows", "Rows Removed by Filter", "Rows Removed by Index Recheck"))
    return inner + int(read * plan["Actual Loops"])


def cost_on_postgresql(database_url: str, work: Work, *, is_prepared: bool) -> int:
    with psycopg.connect(database_url) as connection:
        transaction = Counting(connection, is_prepared=is_prepared)
        work(transaction)
        connection.rollback()
    return transaction.rows_read


def cost_on_sqlite(database_url: str, work: Work, **_: bool) -> int:
    """Return how many instructions SQLite's virtual machine runs."""
    instructions = 0

    def count() -> None:
        nonlocal instructions
        instructions += 1

    with closing(sqlite3.connect(str(sqlite_path(database_url)), isolation_level=None)) as connection:
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("BEGIN")
        # Some changes merge segments of the index, for all that came before.
        connection.execute("INSERT INTO document_index (document_index, rank) VALUES ('automerge', 0)")
        connection.set_progress_handler(count, 1)
        work(Transaction(connection.cursor(), SQLITE))
        connection.set_progress_handler(None, 1)
        connection.execute("ROLLBACK")
    return instructions


def fill(transaction: Transaction, *, documents: int) -> str:
    """Add an account with documents, half of them public pages, and return its id; another has as many newer ones."""
    numbers = (
        f"(WITH RECURSIVE s(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM s WHERE n < {documents - 1}) SELECT n FROM s) AS s"
        if transaction.dialect == SQLITE
        else f"generate_series(0, {documents - 1}) AS s(n)"
    )
    big, busy = (
        create_account(
            transaction, email=f"{name}@example.org", password_hash=None, username=name, plan="pro", now=NOW
        ).id
        for name in ("big", "busy")
    )
    for owner, place in {big: "0000", busy: "0001"}.items():
        _fill_account(transaction, owner, place, numbers)
    # Other accounts, with plans that don't end, and usernames.
    run(
        transaction,
        "INSERT INTO accounts (id, email, plan, is_suspended, created_at, documents, pages, active_keys, month, used, edited_at) "
        f"SELECT 'a' || n, 'a' || n || '@example.org', 'pro', false, 0, 0, 0, 0, '2026-01', 0, 0 FROM {numbers}",
    )
    run(transaction, f"INSERT INTO usernames (username, account_id) SELECT 'user-' || n, 'a' || n FROM {numbers}")
    return big


def _fill_account(transaction: Transaction, account_id: str, place: str, numbers: str) -> None:
    number = "printf('%012d', n)" if transaction.dialect == SQLITE else "lpad(n::text, 12, '0')"
    document_id = f"'00000000-0000-0000-{place}-' || {number}"
    start = to_microseconds(NOW)
    run(
        transaction,
        "INSERT INTO documents (id, account_id, title, template_id, theme_mode, hides_badge, slug, published_at, "
        "visibility, is_taken_down, word_count, created_at, updated_at, revision, page_width, content) SELECT "
        f"{document_id}, '{account_id}', 'Title', 'swiss', 'light', false, 'page-' || n, CASE n % 2 WHEN 0 THEN "
        f"{start} + n END, CASE n % 2 WHEN 0 THEN 'public' END, false, 1, {start}, {start} + n, 1, 'standard', 'Some "
        f"*text*.' FROM {numbers}",
    )
    run(
        transaction,
        "INSERT INTO addresses (space, slug, since, document_id, number) "
        f"SELECT '{account_id}', 'page-' || n, 0, {document_id}, 1 FROM {numbers}",
    )
    # A word of all documents, one of half of them, one of ten documents, and one of each document.
    words = "'common ' || CASE n % 2 WHEN 0 THEN 'even ' ELSE '' END || CASE WHEN n < 10 THEN 'rare ' ELSE '' END || 'number' || n"
    run(
        transaction,
        "INSERT INTO document_words (document_id, account_id, size, title, words) "
        f"SELECT {document_id}, '{account_id}', 20, 'title', {words} FROM {numbers} ORDER BY n",
    )


def run(transaction: Transaction, sql: str) -> None:
    transaction._cursor.execute(sql)


def document(number: int) -> tuple[datetime, str]:
    """Return edit time and id."""
    return NOW + timedelta(microseconds=number), f"00000000-0000-0000-0000-{number:012}"


def position(number: int) -> FeedPosition:
    time, document_id = document(number)
    return FeedPosition(published_at=time, document_id=document_id)


def requests(account_id: str, documents: int) -> dict[str, Work]:
    """Return what requests and the cleanup do, at the start, in the middle and at the end of an account."""
    works: dict[str, Work] = {}
    for place, number in {"start": documents, "middle": documents // 2 + 10, "end": 20}.items():
        before, before_id = document(number)

        def listed(transaction: Transaction, before: datetime = before, before_id: str = before_id) -> object:
            return list_documents(transaction, account_id, before=before, before_id=before_id, limit=20)

        def profile(transaction: Transaction, before: FeedPosition = position(number)) -> object:  # noqa: B008
            return list_public_pages(transaction, "big", before=before, limit=10)

        works |= {f"list, {place}": listed, f"profile, {place}": profile}
        keys: dict[str, datetime | str] = {CREATED: NOW, TITLE: ""}
        for sort, key in keys.items():
            works[f"list by {sort}, {place}"] = partial(
                list_documents, account_id=account_id, before=key, before_id=before_id, limit=20, sort=sort
            )
    for query in SEARCHES:

        def search(transaction: Transaction, query: str = query) -> object:
            return search_documents(transaction, account_id, query, cursor=None, limit=20)

        works[f"search, {query}"] = search
    account = find_account_of(account_id)
    return works | {
        "link to newer pages": lambda transaction: newer_position_at(transaction, "big", after=position(0), rank=20),
        "first editable document": lambda transaction: edited_at_rank(transaction, account_id, 10),
        "cleanup": lambda transaction: clean_up_batch(transaction, NOW, ticks=lambda: 0.0),
        "new address": lambda transaction: claim_permalink(transaction, "/u/big/new", document(1)[1]),
        "rename": lambda transaction: claim_username(transaction, account(transaction), "bigger", now=NOW),
        "deletion": lambda transaction: retire_account(transaction, account_id, now=NOW),
        "rest of a deletion": lambda transaction: delete_rest(transaction, account_id),
    }


def find_account_of(account_id: str) -> Callable[[Transaction], Account]:
    def find(transaction: Transaction) -> Account:
        account = find_account(transaction, account_id)
        assert account is not None
        return account

    return find


def delete_rest(transaction: Transaction, account_id: str) -> None:
    retire_account(transaction, account_id, now=NOW)
    assert delete_account_batch(transaction, ticks=lambda: 0.0)


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
@pytest.mark.anyio
async def test_statements_of_scans_are_planned_with_their_parameters(database: Database) -> None:
    prepared = Statement(select(func.count()).select_from(text("pg_prepared_statements")))
    for run_work, expected in {database.scan: 0, database.read: 1}.items():
        counts = [await run_work(lambda transaction: transaction.row(prepared)) for _ in range(40)]
        assert max(count[0] for count in counts if count) == expected


@pytest.mark.parametrize("many", [20_000, pytest.param(100_000, marks=pytest.mark.nightly)])
def test_requests_read_as_many_rows_in_an_account_of_many_documents(database_url: str, many: int) -> None:
    database = open_database(database_url)
    count = cost_on_sqlite if database_url.startswith("sqlite") else cost_on_postgresql
    costs: list[dict[str, int]] = []
    for documents in (FEW, many):
        with database.write_transaction() as transaction:
            for table in ("addresses", "document_words", "documents", "accounts", "usernames"):
                run(transaction, f"DELETE FROM {table}")
            account_id = fill(transaction, documents=documents)
        with database.write_transaction() as transaction:
            run(transaction, "ANALYZE")
        costs.append(
            {
                name: count(database_url, work, is_prepared=not name.startswith("search"))
                for name, work in requests(account_id, documents).items()
            }
        )
    database.close()
    few, of_many = costs
    # Of a frequent word, the index returns 200 documents, of which the small account has 100. PostgreSQL chooses
    # between equal indexes by a random sample of the rows, and some read a few rows more; a scan would read thousands.
    allowed = {name: max(cost + 10, cost * (2.5 if name.startswith("search") else 1.2)) for name, cost in few.items()}
    assert {name: (few[name], cost) for name, cost in of_many.items() if cost > allowed[name]} == {}


def test_crawl_of_the_sitemap_costs_as_much_for_each_page_of_many(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feeds, "SITEMAP_PAGES", 240)
    monkeypatch.setattr(feeds, "SPLIT_PAGES", 200)
    database = open_database(database_url)
    pages = PublicPages(database, public_url="http://localhost")
    count = cost_on_sqlite if database_url.startswith("sqlite") else cost_on_postgresql
    costs: list[float] = []
    for documents in (2_000, 20_000):
        with database.write_transaction() as transaction:
            for table in ("sitemap_parts", "addresses", "document_words", "documents", "accounts", "usernames"):
                run(transaction, f"DELETE FROM {table}")
            fill(transaction, documents=documents)
        with database.write_transaction() as transaction:
            run(transaction, "ANALYZE")
            split = pages.split_sitemap(transaction, 1)
            assert split
            split(transaction)

        def crawl(transaction: Transaction) -> None:
            for part in pages.sitemap_parts(transaction):
                assert list(pages.sitemap_urls(transaction, part))

        costs.append(count(database_url, crawl, is_prepared=False) / documents)
    database.close()
    # PostgreSQL may look up the account once, or for each page.
    assert costs[1] < costs[0] * 2.5
