"""The audit log: each kind of event, who did it and from where, and what changed; neither secrets nor texts."""

import json
import re
from datetime import UTC, datetime, timedelta
from io import BytesIO
from zipfile import ZipFile

import httpx
import pytest

from mdpublish_server.state import AppState
from tests.server.api_requests import publish_new, unpublish
from tests.server.audit_events import events, kinds
from tests.server.browsers import Connect, Member
from tests.server.command import Run, runner
from tests.server.conftest import NOW, Travel
from tests.server.members import PASSWORD

pytestmark = pytest.mark.anyio

PERSON = {"email": "anna@example.org", "password": PASSWORD}


@pytest.fixture
def _others(anna: Member) -> Member:
    """Another account, whose events are not shown."""
    return anna


@pytest.fixture
def run(database_url: str) -> Run:
    return runner({"MDPUBLISH_DATABASE_URL": database_url})


async def test_sign_in_is_recorded_with_its_address(anna: Member, run: Run, client_from: Connect) -> None:
    before = len(events(run))
    async with client_from("127.0.0.9") as browser:
        assert (await browser.post("/signin", data=PERSON)).status_code == 303
        assert (await browser.post("/signout")).status_code == 303
    began, ended = events(run)[before:]
    assert (began["kind"], began["account_id"], began["email"]) == (
        "session.began",
        anna.account.id,
        "anna@example.org",
    )
    assert (began["actor_id"], began["means"], began["address"]) == (None, "", "127.0.0.9")
    assert began["after"] == {"browser": "Unknown browser", "network": "127.0.0.0/24", "method": "password"}
    assert (ended["kind"], ended["object"]) == ("session.ended", began["object"])


async def test_event_has_the_time_of_the_services_clock(anna: Member, run: Run, travel: Travel) -> None:
    travel(timedelta(hours=3))
    assert (await anna.browser.post("/signout")).status_code == 303
    assert datetime.fromisoformat(events(run)[-1]["at"]) == NOW + timedelta(hours=3)


async def test_failed_sign_ins_are_recorded_without_what_was_typed(
    anna: Member, client: httpx.AsyncClient, run: Run
) -> None:
    before = len(events(run))
    for form in ({**PERSON, "password": "not hers at all"}, {"email": "nobody@example.org", "password": "my secret"}):
        assert (await client.post("/signin", data=form)).status_code == 401
    refused = events(run)[before:]
    assert [(event["kind"], event["account_id"]) for event in refused] == [
        ("session.refused", anna.account.id),
        ("session.refused", None),
    ]
    assert not any(typed in str(refused) for typed in ("not hers", "nobody", "my secret"))


async def test_program_is_named_by_its_key(berta: Member, run: Run) -> None:
    page = await publish_new(berta.program, title="A secret title", content="A secret text", visibility="public")
    (published,) = events(run, "--kind", "document")
    (key,) = events(run, "--kind", "key.created", "--account", "berta@example.org")
    assert (published["kind"], published["object"]) == ("document.published", page["id"])
    assert (published["means"], published["app"], published["actor_id"]) == ("key", key["object"], berta.account.id)
    assert published["after"]["visibility"] == "public"
    assert "ecret" not in str({**published, "after": {**published["after"], "slug": ""}})


async def test_changes_of_access_are_recorded_with_what_was_before(berta: Member, run: Run) -> None:
    page = await publish_new(berta.program, visibility="specific", readers=["cleo@example.org"])
    path = f"/v1/documents/{page['id']}"
    for change in (
        {"readers": ["@example.net"]},
        {"visibility": "link", "password": "open sesame"},
        {"password": "close sesame"},
        {"title": "No access"},
    ):
        assert (await berta.program.patch(path, json=change)).status_code == 200
    first, second, third = events(run, "--kind", "document.access")
    assert (first["before"], first["after"]) == ({"readers": ["cleo@example.org"]}, {"readers": ["@example.net"]})
    assert second["before"] == {"visibility": "specific", "password": None}
    assert list(third["after"]) == ["password"]
    assert third["before"]["password"] == second["after"]["password"] != third["after"]["password"]
    assert "sesame" not in str((second, third))


async def test_life_of_a_document_is_recorded(berta: Member, run: Run) -> None:
    page = await publish_new(berta.program)
    path = f"/v1/documents/{page['id']}"
    await berta.program.post(f"{path}/publish", json={"visibility": "public"})
    await unpublish(berta.program, page["id"])
    await berta.browser.post(f"/documents/{page['id']}/delete")
    await berta.browser.post(f"/documents/{page['id']}/restore")
    assert (await berta.program.delete(path)).status_code == 200
    assert kinds(run, "--kind", "document") == [
        "document.published",
        "document.published",
        "document.unpublished",
        "document.deleted",
        "document.restored",
        "document.deleted",
    ]
    assert events(run, "--kind", "document.published")[1]["before"]["visibility"] == "link"


async def test_operators_commands_are_recorded_with_what_was_before(anna: Member, run: Run) -> None:
    email = anna.account.email
    for arguments in (
        ("plan", email, "pro"),
        ("username", email, "anna-b"),
        ("suspend", email),
        ("suspend", email, "--end"),
        ("operator", email),
        ("deactivate", email),
    ):
        assert run("account", *arguments).exit_code == 0
    changed = events(run, "--kind", "account.changed", "--account", email)
    assert [(event["app"], event["before"], event["after"]) for event in changed] == [
        ("account plan", {"plan": "free"}, {"plan": "pro"}),
        ("account username", {"username": None}, {"username": "anna-b"}),
        ("account suspend", {"is_suspended": False}, {"is_suspended": True}),
        ("account suspend", {"is_suspended": True}, {"is_suspended": False}),
        ("account operator", {"is_operator": False}, {"is_operator": True}),
        ("account deactivate", {"is_deactivated": False}, {"is_deactivated": True}),
    ]
    assert {event["means"] for event in changed} == {"command"}


async def test_account_sees_its_own_events_page_by_page(berta: Member, anna: Member, run: Run) -> None:
    for number in range(60):
        run("account", "plan", "berta@example.org", ("free", "pro")[number % 2])
    first = await berta.browser.get("/account/activity")
    assert first.text.count("The account was changed") == 50
    assert "By the operator" in first.text
    older = re.search(r'href="(/account/activity\?before=[0-9]+)"', first.text)
    assert older
    second = await berta.browser.get(older[1])
    assert second.text.count("The account was changed") == 11
    assert "The account was created" in second.text
    assert "The account was changed" not in (await anna.browser.get("/account/activity")).text
    for wrong in ("x", "-1", "9" * 40, "²"):
        assert (await berta.browser.get("/account/activity", params={"before": wrong})).status_code == 200


@pytest.mark.usefixtures("_others")
async def test_export_has_the_events_of_the_account_alone(berta: Member, run: Run) -> None:
    exported = await berta.browser.post("/account/export")
    with ZipFile(BytesIO(exported.content)) as archive:
        lines = archive.read("audit.jsonl").splitlines()
    assert [json.loads(line)["kind"] for line in lines] == [
        "account.created",
        "account.changed",
        "key.created",
        "session.began",
    ]
    assert {json.loads(line)["account_id"] for line in lines} == {berta.account.id}
    assert events(run)[-1]["kind"] == "account.exported"


async def test_owner_does_not_see_where_others_acted(berta: Member, operator: httpx.AsyncClient, run: Run) -> None:
    page = await publish_new(berta.program)
    await operator.post(f"/operator/reports/{page['id']}", data={"decision": "takedown"})
    with_operator = events(run, "--kind", "document.taken_down")
    assert [event["address"] for event in with_operator] == ["127.0.0.1"] * len(with_operator)
    shown = (await berta.browser.get("/account/activity")).text
    assert shown.count("A page was taken down") == len(with_operator)


@pytest.mark.usefixtures("_others")
async def test_events_are_kept_for_as_long_as_the_setting_says(state: AppState, run: Run) -> None:
    state.cleanup._clock = lambda: datetime.now(UTC) + timedelta(days=364)
    await state.cleanup.run_once()
    assert "account.created" in kinds(run)
    state.cleanup._clock = lambda: datetime.now(UTC) + timedelta(days=366)
    await state.cleanup.run_once()
    assert kinds(run) == ["audit.purged"]
    state.cleanup._clock = lambda: datetime.now(UTC)


@pytest.mark.usefixtures("_others")
async def test_log_is_filtered_by_account_kind_and_time(berta: Member, run: Run) -> None:
    assert {event["account_id"] for event in events(run, "--account", berta.account.id)} == {berta.account.id}
    assert set(kinds(run, "--kind", "account")) == {"account.created", "account.changed"}
    assert kinds(run, "--since", f"{datetime.now(UTC) + timedelta(minutes=5):%Y-%m-%dT%H:%M:%SZ}") == []
    wrong = run("audit", "--kind", "acc")
    assert (wrong.exit_code, "must be one of session.began" in wrong.stderr) == (2, True)


async def test_deleted_accounts_events_stay_without_its_address(anna: Member, run: Run) -> None:
    assert run("account", "delete", anna.account.email, "--yes").exit_code == 0
    deleted = events(run, "--account", anna.account.id)[-1]
    while deleted["kind"] != "account.deleted":
        deleted = events(run, "--account", anna.account.id, "--kind", "account.deleted")[0]
    assert (deleted["email"], deleted["before"]["email"]) == (None, "anna@example.org")
