"""Reports of pages, and operators' decisions."""

import re
from datetime import timedelta
from html import unescape

import httpx
import pytest
from sqlalchemy import select

from mdpublish_server.services.reports import OPEN_REPORTS, REASONS, RETENTION
from mdpublish_server.state import AppState
from mdpublish_server.storage import Database, Report
from mdpublish_server.storage.reports import list_open_reports
from mdpublish_server.storage.tables import REPORTS
from mdpublish_server.storage.transactions import Statement
from tests.server.conftest import MakeOwner, Owner, SignedIn, Travel

pytestmark = pytest.mark.anyio

REPORT = {"reason": "phishing", "details": "It asks for my password."}


def open_reports(database: Database) -> list[Report]:
    with database.read_transaction() as transaction:
        return list(list_open_reports(transaction, limit=100))


def number_of_reports(database: Database) -> int:
    with database.read_transaction() as transaction:
        return len(list(transaction.rows(Statement(select(REPORTS.c.id)))))


async def published(client: httpx.AsyncClient, owner: Owner, title: str = "A page") -> tuple[str, str]:
    """Publish a document; return its path and id."""
    response = await client.post(
        "/v1/documents/publish", json={"title": title, "content": "# Text"}, headers=owner.headers
    )
    assert response.status_code == 201
    return httpx.URL(response.json()["published_url"]).path, response.json()["id"]


async def demo(client: httpx.AsyncClient) -> tuple[str, str]:
    """Publish a demo; return its path and id."""
    response = await client.post("/v1/demo/publish", json={"content": "# Demo", "title": "A demo"})
    assert response.status_code == 201
    return httpx.URL(response.json()["url"]).path, response.json()["id"]


async def test_form_names_the_page_and_keeps_a_report(
    client: httpx.AsyncClient, make_owner: MakeOwner, database: Database
) -> None:
    path, document_id = await published(client, make_owner(), "<i>Win</i>")
    form = await client.get("/report", params={"page": path})

    assert form.status_code == 200
    assert "&lt;i&gt;Win&lt;/i&gt;" in form.text
    assert re.findall('name="reason" value="([a-z]+)"', form.text) == list(REASONS)
    assert "noindex" in form.text
    sent = await client.post("/report", data={"page": path, **REPORT, "email": "Eve@Example.org"})
    assert (sent.status_code, sent.headers["location"]) == (303, "/report/thanks")
    assert (await client.get("/report/thanks")).status_code == 200
    (report,) = open_reports(database)
    assert (report.document_id, report.path, report.title) == (document_id, path, "<i>Win</i>")
    assert (report.reason, report.details, report.email) == (*REPORT.values(), "eve@example.org")


async def test_former_url_reports_the_page_where_it_is(
    client: httpx.AsyncClient, make_owner: MakeOwner, database: Database
) -> None:
    owner = make_owner(plan="pro")
    path, document_id = await published(client, owner)
    await client.post(f"/v1/documents/{document_id}/publish", json={"slug": "elsewhere"}, headers=owner.headers)

    assert (await client.post("/report", data={"page": path, **REPORT})).status_code == 303
    assert [report.path for report in open_reports(database)] == ["/d/elsewhere"]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"reason": ""}, "Choose a reason."),
        ({"reason": "taste"}, "Choose a reason."),
        ({"details": "x" * 2_001}, "Details must be at most 2,000 characters (got 2,001)."),
        ({"email": "eve"}, "Email must be an address such as name@example.org"),
    ],
)
async def test_mistake_redisplays_the_form_as_it_was_filled_in(
    client: httpx.AsyncClient, database: Database, changes: dict[str, str], message: str
) -> None:
    path, _ = await demo(client)
    sent = {"page": path, **REPORT, "email": "eve@example.org", **changes}
    response = await client.post("/report", data=sent)

    assert response.status_code == 400
    assert message in unescape(response.text)
    for name in set(REPORT) - set(changes):
        assert {"reason": 'value="phishing" required checked', "details": REPORT["details"]}[name] in response.text
    assert not open_reports(database)


async def test_what_is_no_page_cannot_be_reported(client: httpx.AsyncClient) -> None:
    for path in ("", "/", "/d/none", "//evil.example", "/p/../account", "https://evil.example/d/x", "\0"):
        assert (await client.get("/report", params={"page": path})).status_code == 404, path
        assert (await client.post("/report", data={"page": path, **REPORT})).status_code == 404, path


async def test_expired_demo_is_reported(client: httpx.AsyncClient, travel: Travel) -> None:
    path, _ = await demo(client)
    travel(timedelta(hours=72))
    assert (await client.get("/report", params={"page": path})).status_code == 410


async def test_line_ends_of_browsers_become_plain_and_controls_go(
    client: httpx.AsyncClient, database: Database
) -> None:
    path, _ = await demo(client)
    await client.post("/report", data={"page": path, "reason": "spam", "details": "a\r\nb\0\x1b[31m\u202ec"})
    assert [report.details for report in open_reports(database)] == ["a\nb[31mc"]


async def test_more_reports_of_one_page_than_report_anything_are_not_stored(
    client: httpx.AsyncClient, database: Database, travel: Travel
) -> None:
    path, _ = await demo(client)
    for number in range(OPEN_REPORTS + 2):
        if number == OPEN_REPORTS:
            travel(timedelta(hours=1))
        assert (await client.post("/report", data={"page": path, **REPORT})).status_code == 303
    assert len(open_reports(database)) == OPEN_REPORTS


async def test_one_ip_reports_so_often_in_an_hour(client: httpx.AsyncClient, travel: Travel) -> None:
    path, _ = await demo(client)
    statuses = [(await client.post("/report", data={"page": path, **REPORT})).status_code for _ in range(21)]
    assert statuses == [303] * 20 + [429]
    travel(timedelta(hours=1))
    assert (await client.post("/report", data={"page": path, **REPORT})).status_code == 303


async def test_operator_sees_reported_pages_and_takes_one_down(
    client: httpx.AsyncClient, operator: httpx.AsyncClient, make_owner: MakeOwner, database: Database
) -> None:
    owner = make_owner("mallory")
    path, document_id = await published(client, owner, "<b>Free coins</b>")
    for details in ("<script>alert(1)</script>", "Again"):
        await client.post("/report", data={"page": path, "reason": "spam", "details": details})
    listed = await operator.get("/operator/reports")
    assert "&lt;b&gt;Free coins&lt;/b&gt;" in listed.text
    assert "2 reports" in listed.text
    shown = await operator.get(f"/operator/reports/{document_id}")
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in shown.text
    assert "mallory@example.org" in shown.text
    assert "<script>" not in shown.text + listed.text
    source = await operator.get(f"/operator/reports/{document_id}/source")
    assert f'href="/operator/reports/{document_id}/source"' in shown.text
    assert (source.status_code, source.headers["content-type"]) == (200, "text/markdown; charset=utf-8")
    assert source.headers["content-security-policy"] == "sandbox; default-src 'none'"
    assert source.headers["cache-control"] == "no-store"
    # Others are asked to sign in.
    assert (await client.get(f"/operator/reports/{document_id}/source")).status_code == 303

    done = await operator.post(f"/operator/reports/{document_id}", data={"decision": "take_down"})
    assert (done.status_code, done.headers["location"]) == (303, "/operator/reports?done=take_down")
    assert "The page has been taken down." in (await operator.get(done.headers["location"])).text
    assert (await client.get(path)).status_code == 404
    assert (await client.get(f"/v1/documents/{document_id}", headers=owner.headers)).json()["is_published"] is False
    assert not open_reports(database)
    with database.read_transaction() as transaction:
        assert {row[-1] for row in transaction.rows(Statement(select(REPORTS.c.outcome)))} == {"taken_down"}


async def test_demo_that_is_taken_down_is_gone(client: httpx.AsyncClient, operator: httpx.AsyncClient) -> None:
    path, document_id = await demo(client)
    await client.post("/report", data={"page": path, **REPORT})
    assert "a visitor without an account" in (await operator.get(f"/operator/reports/{document_id}")).text

    await operator.post(f"/operator/reports/{document_id}", data={"decision": "take_down"})
    assert (await client.get(path)).status_code == 404


async def test_page_that_is_left_stays(
    client: httpx.AsyncClient, operator: httpx.AsyncClient, database: Database
) -> None:
    path, document_id = await demo(client)
    await client.post("/report", data={"page": path, **REPORT})
    done = await operator.post(f"/operator/reports/{document_id}", data={"decision": "dismiss"})

    assert done.headers["location"] == "/operator/reports?done=dismiss"
    assert (await client.get(path)).status_code == 200
    assert not open_reports(database)
    # Decided reports are closed.
    assert (await operator.get(f"/operator/reports/{document_id}")).status_code == 404
    assert (await operator.post(f"/operator/reports/{document_id}", data={"decision": "take_down"})).status_code == 404
    assert (await client.get(path)).status_code == 200


async def test_reports_of_a_page_that_is_gone_can_be_closed(
    client: httpx.AsyncClient, operator: httpx.AsyncClient, make_owner: MakeOwner, database: Database
) -> None:
    owner = make_owner()
    path, document_id = await published(client, owner)
    await client.post("/report", data={"page": path, **REPORT})
    await client.delete(f"/v1/documents/{document_id}", headers=owner.headers)

    assert "no longer" in (await operator.get("/operator/reports")).text
    assert "Close the reports" in (await operator.get(f"/operator/reports/{document_id}")).text
    done = await operator.post(f"/operator/reports/{document_id}", data={"decision": "take_down"})
    assert done.status_code == 303
    assert not open_reports(database)


@pytest.mark.parametrize("decision", ["", "delete", "take_down "])
async def test_unknown_decision_changes_nothing(
    client: httpx.AsyncClient, operator: httpx.AsyncClient, database: Database, decision: str
) -> None:
    path, document_id = await demo(client)
    await client.post("/report", data={"page": path, **REPORT})
    assert (await operator.post(f"/operator/reports/{document_id}", data={"decision": decision})).status_code == 400
    assert len(open_reports(database)) == 1


async def test_operators_pages_are_not_there_for_others(
    client: httpx.AsyncClient, make_owner: MakeOwner, signed_in: SignedIn, database: Database
) -> None:
    path, document_id = await demo(client)
    await client.post("/report", data={"page": path, **REPORT})
    member = signed_in(make_owner().account)
    nowhere = await member.get("/operator/nothing")
    for location in ("/operator/reports", f"/operator/reports/{document_id}"):
        response = await member.get(location)
        assert (response.status_code, response.text) == (404, nowhere.text)
        stranger = await client.get(location)
        assert (stranger.status_code, stranger.headers["location"]) == (303, f"/signin?next={location}")
    decision = {"decision": "take_down"}
    assert (await member.post(f"/operator/reports/{document_id}", data=decision)).status_code == 404
    assert (await client.post(f"/operator/reports/{document_id}", data=decision)).status_code == 303
    assert "/operator/" not in (await member.get("/account")).text
    assert len(open_reports(database)) == 1


async def test_reports_are_forgotten_a_year_after_they_were_closed(
    client: httpx.AsyncClient, operator: httpx.AsyncClient, state: AppState, database: Database, travel: Travel
) -> None:
    path, document_id = await demo(client)
    await client.post("/report", data={"page": path, **REPORT})
    travel(timedelta(days=20))
    await state.cleanup.run_once()
    assert number_of_reports(database) == 1
    await operator.post(f"/operator/reports/{document_id}", data={"decision": "take_down"})
    travel(RETENTION - timedelta(microseconds=1))
    await state.cleanup.run_once()
    assert number_of_reports(database) == 1
    travel(timedelta(microseconds=1))
    await state.cleanup.run_once()
    assert number_of_reports(database) == 0
