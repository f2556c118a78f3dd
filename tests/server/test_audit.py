"""The audit log: each kind of event, who did it and from where, and what changed; neither secrets nor texts."""

import pytest

from tests.server.audit_events import events
from tests.server.browsers import Member
from tests.server.command import Run, runner
from tests.server.members import PASSWORD

pytestmark = pytest.mark.anyio

PERSON = {"email": "anna@example.org", "password": PASSWORD}


@pytest.fixture
def run(database_url: str) -> Run:
    return runner({"MDPUBLISH_DATABASE_URL": database_url})


async def test_sign_in_is_recorded_with_its_address(anna: Member, run: Run, client_from: object) -> None:
    before = len(events(run))
    async with client_from("127.0.0.9") as browser:  # type: ignore[operator]
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
