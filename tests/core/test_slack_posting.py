"""`mdpublish_core.slack.post`, against a Slack with its limits and errors."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from mdpublish_core import markdown
from mdpublish_core.errors import InvalidArgument, InvalidFile
from mdpublish_core.mail import SendError, Uncertain, Unreachable
from mdpublish_core.mail.sent_ledger import Ledger
from mdpublish_core.slack import post
from tests.core.fake_slack import CHANNEL, TOKEN, FakeSlack, running_slack
from tests.core.slack_limits import passages

SALES = {"city": ["South|East", "<b>*x*</b>"], "sales": [1, 2]}
REPORT = f"# Sales\n\n{markdown.table(SALES)}\n\n{markdown.chart('bar', SALES)}"
LONG = "\n\n".join(f"## Part {number}\n\n{'word ' * 600}" for number in range(12))


@pytest.fixture
def slack(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeSlack]:
    monkeypatch.setattr("time.sleep", lambda _seconds: None)
    with running_slack() as slack:
        monkeypatch.setattr("mdpublish_core.slack.places.API_URL", f"{slack.url}/api/")
        yield slack


def test_a_report_has_exactly_its_values(slack: FakeSlack) -> None:
    assert post(REPORT, slack.webhook)

    [message] = slack.posted
    [table] = [each for each in message["blocks"] if each["type"] == "table"]
    assert [[*passages([cell])] for row in table["rows"] for cell in row][2:] == [
        *(["South|East"], ["1"], ["<b>*x*</b>"], ["2"])
    ]


def test_a_token_uploads_figures_in_the_template_of_the_argument_or_the_text(slack: FakeSlack) -> None:
    assert post(REPORT, CHANNEL, token=TOKEN)
    assert post(REPORT, CHANNEL, token=TOKEN, template="dracula")
    assert post(f"---\ntemplate: dracula\n---\n{REPORT}", CHANNEL, token=TOKEN)

    default, chosen, written = (file.content for file in slack.files.values())
    assert default != chosen == written
    assert [block["type"] for block in slack.posted[0]["blocks"]] == ["header", "table", "image"]


@pytest.mark.parametrize("has_token", [False, True])
def test_with_a_ledger_nothing_is_posted_twice(slack: FakeSlack, tmp_path: Path, has_token: bool) -> None:
    ledger, token = tmp_path / "week.jsonl", TOKEN if has_token else None
    place = CHANNEL if token else slack.webhook

    assert post(LONG, place, token=token, ledger=ledger)
    count = len(slack.posted)
    assert not post(LONG, place, token=token, ledger=ledger)
    assert len(slack.posted) == count > 2
    assert post("# Another", place, token=token, ledger=ledger)
    assert post(LONG, place, token=token)


def test_what_was_refused_goes_on_and_what_is_uncertain_waits(slack: FakeSlack, tmp_path: Path) -> None:
    ledger = tmp_path / "week.jsonl"
    slack.replies = [None, (404, {}, b"channel_not_found")]
    with pytest.raises(SendError, match=r"refused: channel_not_found; .* \(1 of \d messages were posted\)"):
        post(LONG, slack.webhook, ledger=ledger)
    slack.replies = [(500, {}, b"rollup_error")]
    with pytest.raises(Uncertain):
        post(LONG, slack.webhook, ledger=ledger)

    with pytest.raises(Uncertain, match=r"^1 message may have been posted .* with resend_uncertain=True$"):
        post(LONG, slack.webhook, ledger=ledger)
    count = len(slack.posted)
    assert post(LONG, slack.webhook, ledger=ledger, resend_uncertain=True)
    assert len(slack.posted) == count + 1


def test_without_a_connection_nothing_is_uncertain(slack: FakeSlack, tmp_path: Path) -> None:
    ledger = tmp_path / "week.jsonl"
    with pytest.raises(Unreachable, match=r"cannot reach 127\.0\.0\.1"):
        post("# Hi", "https://127.0.0.1:1/services/x", ledger=ledger)
    with pytest.raises(Unreachable):
        post("# Hi", "https://127.0.0.1:1/services/x", ledger=ledger)

    assert "secret" not in ledger.read_text()
    opened = Ledger(ledger)
    with pytest.raises(InvalidFile, match="in use"):
        post("# Hi", slack.webhook, ledger=ledger)
    opened.close()
    assert slack.posted == []


@pytest.mark.parametrize("place", ["http://hooks.slack.com/x", "#general", "", "https://"])
def test_a_place_is_a_webhook_or_has_a_token(place: str) -> None:
    with pytest.raises(InvalidArgument, match="place must be the https:// URL of a webhook, or a channel together"):
        post("# Hi", place)
    with pytest.raises(InvalidArgument, match=r"markdown must be a str \(got .*Path\); read it: markdown.read_text"):
        post(Path("a.md"), "C1", token="x")  # type: ignore[arg-type]
