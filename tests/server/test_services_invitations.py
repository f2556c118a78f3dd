"""Invitations: created and revoked by operators, used exactly once, even concurrently."""

import asyncio
import re
from datetime import UTC, datetime, timedelta
from hashlib import sha256

import httpx
import pytest
from sqlalchemy import select

from mdpublish_server.errors import Expired, NotFound, ValidationError
from mdpublish_server.services.cleanup import clean_up_batch
from mdpublish_server.services.invitations import (
    INVITATION_LIFETIME,
    find,
    id_of,
    invite,
    list_invitations,
    revoke,
    use,
)
from mdpublish_server.storage import Database
from mdpublish_server.storage.accounts import list_accounts
from mdpublish_server.storage.tables import INVITATIONS
from mdpublish_server.storage.transactions import Statement
from tests.server.command import Run, refusal, runner
from tests.server.conftest import NOW
from tests.server.members import PERSON

pytestmark = pytest.mark.anyio

MICROSECOND = timedelta(microseconds=1)


@pytest.fixture
def environment() -> dict[str, str]:
    return {"MDPUBLISH_REGISTRATION": "invitation"}


@pytest.fixture
def run(database_url: str) -> Run:
    return runner(
        {
            "MDPUBLISH_DATABASE_URL": database_url,
            "MDPUBLISH_REGISTRATION": "invitation",
            "MDPUBLISH_PUBLIC_URL": "https://pages.example.org",
        }
    )


def test_only_the_hash_of_a_token_is_stored(database: Database) -> None:
    with database.write_transaction() as transaction:
        token = invite(transaction, note="Anna", now=NOW)
        (row,) = transaction.rows(Statement(select(INVITATIONS)))
    assert re.fullmatch("[0-9a-f]{64}", token)
    assert row[:2] == (sha256(token.encode()).hexdigest(), "Anna")
    assert token not in repr(row)


def test_it_is_used_once(database: Database) -> None:
    with database.write_transaction() as transaction:
        token = invite(transaction, now=NOW)
        assert find(transaction, token, now=NOW).expires_at == NOW + INVITATION_LIFETIME
        use(transaction, token, now=NOW)
        for second in (find, use):
            with pytest.raises(NotFound, match="already used"):
                second(transaction, token, now=NOW)
        with pytest.raises(NotFound):
            find(transaction, "", now=NOW)


def test_it_holds_for_its_time_to_the_microsecond(database: Database) -> None:
    with database.write_transaction() as transaction:
        token = invite(transaction, now=NOW, lifetime=timedelta(days=2))
        for attempt in (find, use):
            with pytest.raises(Expired):
                attempt(transaction, token, now=NOW + timedelta(days=2))
        use(transaction, token, now=NOW + timedelta(days=2) - MICROSECOND)


def test_list_holds_what_can_be_used(database: Database) -> None:
    with database.write_transaction() as transaction:
        for age in (3, 1, 7):
            invite(transaction, note=f"{age} days ago", now=NOW - timedelta(days=age))
        listed = list_invitations(transaction, now=NOW)
    assert [each.note for each in listed] == ["3 days ago", "1 days ago"]


def test_it_is_taken_back_by_its_id_alone(database: Database) -> None:
    with database.write_transaction() as transaction:
        token, other = (invite(transaction, note=note, now=NOW) for note in "ab")
        invitation = find(transaction, token, now=NOW)
        for wrong in ("", "x", token, token[:12], id_of(invitation)[:-1], invitation.token_hash):
            with pytest.raises(NotFound, match="No invitation has this id"):
                revoke(transaction, wrong)
        assert revoke(transaction, id_of(invitation)) == invitation
        with pytest.raises(NotFound):
            find(transaction, token, now=NOW)
        find(transaction, other, now=NOW)


def test_id_is_no_token(database: Database) -> None:
    with database.write_transaction() as transaction:
        token = invite(transaction, now=NOW)
        invitation = find(transaction, token, now=NOW)
        for known in (id_of(invitation), invitation.token_hash):
            with pytest.raises(NotFound):
                find(transaction, known, now=NOW)
            assert known not in token


def test_note_is_one_line_of_bounded_length(database: Database) -> None:
    with database.write_transaction() as transaction:
        invite(transaction, note="  Anna\n\x00\u202e Meier\t", now=NOW)
        assert [each.note for each in list_invitations(transaction, now=NOW)] == ["Anna Meier"]
        invite(transaction, note="x" * 100, now=NOW)
        with pytest.raises(ValidationError, match=r"note must be at most 100 characters \(got 101\)"):
            invite(transaction, note="x" * 101, now=NOW)


def test_those_that_are_over_are_cleaned_up(database: Database) -> None:
    with database.write_transaction() as transaction:
        invite(transaction, now=NOW)
        for late, left in ((-MICROSECOND, 1), (timedelta(0), 0)):
            clean_up_batch(transaction, NOW + INVITATION_LIFETIME + late)
            assert len(transaction.rows(Statement(select(INVITATIONS)))) == left


async def test_of_many_who_sign_up_by_it_at_once_one_gets_an_account(
    client: httpx.AsyncClient, database: Database
) -> None:
    with database.write_transaction() as transaction:
        token = invite(transaction, now=NOW)
    forms = [{**PERSON, "email": f"a{number}@example.org"} for number in range(8)]
    responses = await asyncio.gather(*(client.post(f"/signup/{token}", data=form) for form in forms))
    assert sorted(response.status_code for response in responses) == [303] + [404] * 7
    with database.read_transaction() as transaction:
        assert len(list_accounts(transaction)) == 1


def test_command_prints_the_link_alone(run: Run, database: Database) -> None:
    created = run("invitation", "add", "--note", "Anna")
    assert (created.exit_code, created.stderr) == (0, "")
    link = re.fullmatch(r"https://pages\.example\.org/signup/([0-9a-f]{64})\n", created.stdout)
    assert link
    with database.write_transaction() as transaction:
        now = datetime.now(UTC)
        invitation = find(transaction, link[1], now=now)
    assert invitation.note == "Anna"
    assert timedelta(days=6, hours=23) < invitation.expires_at - now <= timedelta(days=7)


def test_command_lists_and_revokes(run: Run) -> None:
    assert run("invitation", "list").stdout == ""
    for note, days in (("Anna", "1"), ("Bea", "365")):
        assert run("invitation", "add", "--note", note, "--days", days).exit_code == 0
    lines = [line.split("\t") for line in run("invitation", "list").stdout.splitlines()]
    assert [line[-1] for line in lines] == ["Anna", "Bea"]
    for invitation_id, created, until, _ in lines:
        assert re.fullmatch("[0-9a-f]{12}", invitation_id)
        assert datetime.fromisoformat(created) < datetime.fromisoformat(until)
    revoked = run("invitation", "revoke", lines[0][0])
    assert (revoked.exit_code, revoked.stdout, revoked.stderr) == (0, "", f"revoked {lines[0][0]}\n")
    assert [line.split("\t")[-1] for line in run("invitation", "list").stdout.splitlines()] == ["Bea"]
    assert refusal(run("invitation", "revoke", lines[0][0])) == ("No invitation has this id; it may have been used")


@pytest.mark.parametrize("days", ["0", "366", "-1", "x", "1.5"])
def test_command_refuses_days_beyond_the_bounds(run: Run, days: str) -> None:
    refusal(run("invitation", "add", "--days", days))
    assert run("invitation", "list").stdout == ""


def test_command_refuses_a_long_note(run: Run) -> None:
    assert refusal(run("invitation", "add", "--note", "x" * 101)) == ("note must be at most 100 characters (got 101)")


def test_command_shows_where_a_link_is_useless(run: Run) -> None:
    created = run("invitation", "add", MDPUBLISH_REGISTRATION="open")
    assert created.stdout.count("\n") == 1
    assert created.stderr == "MDPUBLISH_REGISTRATION is open; invitations take effect if it is invitation\n"
