"""The audit log of a service and commands that are killed by SIGKILL while people, programs and an operator work.

An event whose response arrived, or whose command succeeded, is in the log once; one whose response was lost, or whose
command was killed, is there once or not at all.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

from mdpublish_server.auth.passwords import hash_password
from mdpublish_server.services.accounts import add_key, create_account
from mdpublish_server.storage import migrate, open_database
from mdpublish_server.storage.audit import CLOCK, SENTENCES, record
from tests.server.conftest import NOW
from tests.stress.audited_work import FIRST_DAYS, PASSWORD, Commands, Ledger, Member, Operator, by_kind
from tests.stress.postgresql_process import PostgresqlProcess
from tests.stress.service import KillableService
from tests.stress.test_kills import KILLS

MEMBERS = 3
EVENTS = {2: 1, 50: 100}
"""Of each kind, at least, by the number of kills."""

OF_MEMBERS = (
    "session.began",
    "session.refused",
    "session.ended",
    "password.changed",
    "second_factor.changed",
    "key.created",
    "key.revoked",
    "app.connected",
    "app.disconnected",
    "account.changed",
    "account.exported",
    "document.published",
    "document.unpublished",
    "document.access",
    "document.deleted",
    "document.restored",
)

OF_OPERATORS = (
    "account.created",
    "account.deleted",
    "document.taken_down",
    "document.handed_over",
    "invitation.created",
    "invitation.revoked",
    "audit.purged",
)

OF_STOPPED_SERVICES = ("command.ran",)
"""Recorded by the commands that need the service to be stopped; on PostgreSQL, by one that fills an empty database."""

HEIR = "heir@example.org"


def test_each_kind_of_event_is_caused_under_kills() -> None:
    assert {*OF_MEMBERS, *OF_OPERATORS, *OF_STOPPED_SERVICES} == set(SENTENCES)


@KILLS
def test_acknowledged_events_are_in_the_log_once_on_sqlite(tmp_path: Path, kills: int) -> None:
    service = service_on(tmp_path, f"sqlite:///{tmp_path}/test.db")

    async def kill(_number: int) -> None:
        await asyncio.to_thread(service.kill)
        await asyncio.to_thread(service.start)

    work_under_kills(service, kill, kills)


@KILLS
def test_acknowledged_events_are_in_the_log_once_on_postgresql(
    tmp_path: Path, killable_postgresql: PostgresqlProcess, kills: int
) -> None:
    service = service_on(tmp_path, killable_postgresql.url)

    async def kill(number: int) -> None:
        """Kill the service, PostgreSQL, or both."""
        of_service, of_postgresql = ((True, False), (False, True), (True, True))[number % 3]
        if of_postgresql:
            await asyncio.to_thread(killable_postgresql.kill)
        if of_service:
            await asyncio.to_thread(service.kill)
        if of_postgresql:
            await asyncio.to_thread(killable_postgresql.start)
        if of_service:
            await asyncio.to_thread(service.start)

    work_under_kills(service, kill, kills)


@KILLS
def test_restores_that_succeeded_are_in_the_log_once(tmp_path: Path, kills: int) -> None:
    """Each backup has what was recorded before, so that the next restore brings it back."""
    url = f"sqlite:///{tmp_path}/test.db"
    service, ledger = KillableService(tmp_path, url), Ledger()
    migrate(url)
    commands = Commands(service, ledger, Random(kills))

    async def restore() -> None:
        number = 0
        while ledger.minimum(OF_STOPPED_SERVICES) < EVENTS[kills]:
            number += 1
            file = str(tmp_path / f"{number}.backup")
            service.run("backup", file)
            await commands.run("restore", file, events=[("command.ran", file)])

    asyncio.run(restore())
    ledger.judge(events_of(service))
    report(kills, commands, ledger)


def service_on(folder: Path, url: str) -> KillableService:
    """Its own cleanup purges nothing: only the operator's command does."""
    migrate(url)
    return KillableService(folder, url, settings={"MDPUBLISH_AUDIT_DAYS": str(FIRST_DAYS + 1)})


def work_under_kills(service: KillableService, kill: Callable[[int], Awaitable[None]], kills: int) -> None:
    random, ledger = Random(kills), Ledger()
    commands = Commands(service, ledger, random)
    url = service.environment["MDPUBLISH_DATABASE_URL"]
    members = []
    with closing(open_database(url)) as database, database.write_transaction() as transaction:
        password_hash = hash_password(PASSWORD)
        create_account(transaction, email=HEIR, password_hash=None, plan="pro", now=NOW)
        for number in range(MEMBERS):
            email = f"member{number}@example.org"
            account = create_account(transaction, email=email, password_hash=password_hash, now=NOW, plan="pro")
            key = add_key(transaction, account, name="program", now=NOW)
            members.append(Member(service, ledger, commands, email, account.id, key))
        now = datetime.now(UTC)
        for days in range(5 * EVENTS[kills]):
            # One that each cleanup purges.
            CLOCK.set(lambda days=days: now - timedelta(days=FIRST_DAYS - days, hours=12))  # type: ignore[misc]
            record(transaction, "key.created", None)
    with service.running():
        earlier = events_of(service)[-1]["number"]
        operator = Operator(service, ledger, commands, HEIR, at_a_time=min(2, EVENTS[kills]))
        asyncio.run(_work(members, operator, ledger, kill, kills, random))
    ledger.judge(event for event in events_of(service) if event["number"] > earlier)
    report(kills, commands, ledger)


async def _work(
    members: list[Member],
    operator: Operator,
    ledger: Ledger,
    kill: Callable[[int], Awaitable[None]],
    kills: int,
    random: Random,
) -> None:
    """Kill until both have done enough; the operator's commands take longest, and go on alone."""
    is_over, is_all_over = asyncio.Event(), asyncio.Event()
    tasks = [asyncio.create_task(member.work(is_over)) for member in members]
    tasks.append(asyncio.create_task(operator.work(is_all_over)))
    number = 0
    while not is_all_over.is_set() and not any(task.done() and task.exception() for task in tasks):
        await asyncio.sleep(random.uniform(0.5, 2.0))
        if number < kills:
            await kill(number)
            number += 1
        elif ledger.minimum(OF_MEMBERS) >= EVENTS[kills]:
            is_over.set()
            if ledger.minimum(OF_OPERATORS) >= EVENTS[kills]:
                is_all_over.set()
    await asyncio.gather(*tasks)


def events_of(service: KillableService) -> list[dict[str, Any]]:
    return [json.loads(line) for line in service.run("audit", "--json").splitlines()]


def report(kills: int, commands: Commands, ledger: Ledger) -> None:
    acknowledged = by_kind(ledger.acknowledged)
    unknown = ledger.sent.total() - acknowledged.total()
    print(f"{kills} kills, {commands.kills} of commands; acknowledged {dict(acknowledged)}, {unknown} unknown")  # noqa: T201  (a report)
