"""`mdpublish send --slack`, against a Slack with its limits and errors."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from mdpublish_core import parse
from mdpublish_core.cli import main
from tests.core.fake_slack import CHANNEL, TOKEN, FakeSlack, running_slack
from tests.core.slack_limits import passages, slack_messages
from tests.image_files import quartered_image, saved

Send = Callable[..., Result]

ROOT = Path(__file__).parents[2]

FIGURES = "# Plan\n\nBefore.\n\n```dot\ndigraph { a -> b }\n```\n\n```dot\ndigraph { a -> b }\n```\n\nAfter.[^1]\n\n![A dot](a.png)\n\n[^1]: Note.\n"
LONG = "\n\n".join(f"## Part {number}\n\n{'word ' * 600}" for number in range(12))


@pytest.fixture
def slack() -> Iterator[FakeSlack]:
    with running_slack() as slack:
        yield slack


@pytest.fixture
def slept(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    slept: list[float] = []
    monkeypatch.setattr("time.sleep", slept.append)
    return slept


@pytest.fixture
def send(slack: FakeSlack, slept: list[float], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Send:  # noqa: ARG001  (nobody waits)
    """Posts a text with the webhook and the token of the Slack."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("mdpublish_core.slack.places.API_URL", f"{slack.url}/api/")
    Path("a.png").write_bytes(saved(quartered_image(30, 20), "PNG"))

    def send(markdown: str, *arguments: str, **environment: str) -> Result:
        Path("news.md").write_text(markdown, "utf-8")
        variables = {"MDPUBLISH_SLACK_WEBHOOK": slack.webhook, "MDPUBLISH_SLACK_TOKEN": TOKEN} | environment
        return CliRunner().invoke(main, ["send", "news.md", "--slack", *arguments], env=variables)

    return send


def test_webhook_gets_one_message_after_the_other(send: Send, slack: FakeSlack, slept: list[float]) -> None:
    result = send(LONG)

    assert result.exit_code == 0, result.output
    assert result.stdout == f"Posted {len(slack.posted)} messages\n"
    assert len(slack.posted) > 2
    assert slept == [1] * (len(slack.posted) - 1)
    assert {key for message in slack.posted for key in message} == {"text", "blocks"}


def test_figures_are_text_for_a_webhook(send: Send, slack: FakeSlack) -> None:
    assert send(FIGURES).exit_code == 0

    (message,) = slack.posted
    assert slack.files == {}
    assert "rich_text_preformatted" in str(message)


def test_bot_posts_the_rest_in_the_thread_of_the_first(send: Send, slack: FakeSlack) -> None:
    result = send(LONG, "--channel", "#general")

    assert result.exit_code == 0, result.output
    assert [each.get("thread_ts") for each in slack.posted] == [None, *["1.0"] * (len(slack.posted) - 1)]
    assert [each["channel"] for each in slack.posted] == ["#general", *[CHANNEL] * (len(slack.posted) - 1)]


def test_bot_uploads_figures_and_images_where_they_stand(send: Send, slack: FakeSlack) -> None:
    result = send(FIGURES, "--channel", CHANNEL)

    assert result.exit_code == 0, result.output
    (message,) = slack.posted
    assert [block["type"] for block in message["blocks"]] == [
        *("header", "rich_text", "image", "image", "rich_text", "image"),
        "rich_text",
    ]
    assert message["text"] == "Plan"
    assert all(file.content.startswith(b"\x89PNG") for file in slack.files.values())
    assert [file.alt for file in slack.files.values()][2] == "A dot"
    assert "a -> b" not in str(message["blocks"][1])


@pytest.mark.parametrize("channel", [(), ("--channel", CHANNEL)])
def test_every_word_of_the_sample_is_posted_within_the_limits(
    send: Send, slack: FakeSlack, channel: tuple[str, ...]
) -> None:
    markdown = (ROOT / "packages/mdpublish-server/src/mdpublish_server/sample.md").read_text("utf-8")

    assert send(markdown, *channel).exit_code == 0

    expected = [shown for message in slack_messages(parse(markdown)) for shown in passages(message["blocks"])]
    posted = [shown for message in slack.posted for shown in passages(message["blocks"])]
    posted += [file.alt for file in slack.files.values()]
    if not channel:
        assert posted == expected
    assert set(words(expected)) - set(words(posted)) == set()


def words(passages: list[str]) -> list[str]:
    return re.findall(r"\w+", " ".join(passages))


def test_nothing_is_posted_in_a_dry_run(send: Send, slack: FakeSlack) -> None:
    result = send(FIGURES, "--channel", CHANNEL, "--dry-run")

    assert result.stdout == "would be posted: 3 parts of text, 3 figures\n"
    report = json.loads(send(FIGURES, "--channel", CHANNEL, "--dry-run", "--output-format", "json").stdout)
    assert [each["action"] for each in report["outcomes"]] == ["would be posted: 3 parts of text, 3 figures"]
    assert slack.requests == []


def test_what_slack_refuses_for_now_is_sent_again_after_its_time(
    send: Send, slack: FakeSlack, slept: list[float]
) -> None:
    slack.replies = [(429, {"Retry-After": "7"}, b'{"ok": false, "error": "ratelimited"}')]

    assert send("# Hi", "--channel", CHANNEL).exit_code == 0

    assert (slept, len(slack.posted)) == ([7], 1)
    slack.replies = [(429, {"Retry-After": "7200"}, b"")]
    assert send("# Hi").stderr == ("Error: Slack asks to wait 7,200 s; try again later (0 of 1 messages were posted)\n")


@pytest.mark.parametrize(
    ("status", "reply", "problem"),
    [
        (400, b"invalid_blocks", "invalid_blocks"),
        (400, b"invalid_payload", "invalid_payload"),
        (403, b"action_prohibited", "action_prohibited; an administrator has restricted who may post there"),
        (404, b"channel_not_found", "channel_not_found; name the channel's id (C…), and invite the app to it"),
        (410, b"channel_is_archived", "channel_is_archived; unarchive the channel, or name another"),
        (500, b"rollup_error", "rollup_error; Slack failed; the message may have been posted"),
        (302, b"", "status 302"),
    ],
)
def test_error_of_a_webhook_is_one_line_and_not_tried_again(
    send: Send, slack: FakeSlack, status: int, reply: bytes, problem: str
) -> None:
    slack.replies = [(status, {"Location": "/services/T0/B0/secret"}, reply)]

    result = send("# Hi")

    assert (result.exit_code, result.stderr) == (1, f"Error: Slack refused: {problem} (0 of 1 messages were posted)\n")
    assert (len(slack.requests), slack.posted) == (1, [])


@pytest.mark.parametrize(
    ("reply", "problem"),
    [
        (b'{"ok": false, "error": "not_in_channel"}', "not_in_channel; invite the app to the channel"),
        (b'{"ok": false, "error": "msg_blocks_too_long", "response_metadata": {"messages": ["[ERROR] too long"]}}', "msg_blocks_too_long; [ERROR] too long"),
        (b"<html>", "chat.postMessage failed with status 200"),
        (b"[]", "chat.postMessage failed with status 200"),
        (b'{"ok": true, "channel": "C1"}', "chat.postMessage returned no ts"),
        (b'{"ok": false, "error": "a", "response_metadata": {"messages": [1]}}', "chat.postMessage failed with status 200"),
    ],
)  # fmt: skip
def test_error_of_the_api_says_how_much_was_posted(send: Send, slack: FakeSlack, reply: bytes, problem: str) -> None:
    slack.replies = [None, (200, {}, reply)]

    result = send(LONG, "--channel", CHANNEL)

    assert result.exit_code == 1
    assert result.stderr.startswith(f"Error: Slack refused: {problem} (1 of ")
    assert len(slack.posted) == 1


def test_a_channel_or_token_that_is_wrong_has_a_remedy(send: Send) -> None:
    channel = send("# Hi", "--channel", "C000")
    token = send("# Hi", "--channel", CHANNEL, MDPUBLISH_SLACK_TOKEN="xoxb-old")
    webhook = send("# Hi", MDPUBLISH_SLACK_WEBHOOK="http://example.org/x")
    neither = send("# Hi", MDPUBLISH_SLACK_WEBHOOK="")

    assert "Slack refused: channel_not_found; name the channel's id (C…)" in channel.stderr
    assert "Slack refused: invalid_auth; the token must be the app's bot token" in token.stderr
    assert "xoxb-old" not in token.output
    assert webhook.stderr.splitlines()[-1] == "Error: MDPUBLISH_SLACK_WEBHOOK must be an https:// URL"
    assert neither.stderr.splitlines()[-1].startswith("Error: set MDPUBLISH_SLACK_WEBHOOK; or name a --channel")


def shown(slack: FakeSlack) -> list[str]:
    return [passage for message in slack.posted for passage in passages(message["blocks"])]


@pytest.mark.parametrize("place", [(), ("--channel", "#general")])
def test_ledger_lets_the_next_run_go_on_where_one_was_refused(
    send: Send, slack: FakeSlack, place: tuple[str, ...]
) -> None:
    refused = b'{"ok": false, "error": "is_archived"}'
    slack.replies = [None, None, (404 if not place else 200, {}, refused)]
    assert send(LONG, *place, "--ledger", "posted.jsonl").exit_code == 1
    assert len(slack.posted) == 2

    result = send(LONG, *place, "--ledger", "posted.jsonl")

    assert result.exit_code == 0, result.output
    assert shown(slack) == [each for message in slack_messages(parse(LONG)) for each in passages(message["blocks"])]
    if place:
        assert {each.get("thread_ts") for each in slack.posted[1:]} == {"1.0"}
        assert {each["channel"] for each in slack.posted[1:]} == {CHANNEL}
    count = len(slack.posted)
    assert send(LONG, *place, "--ledger", "posted.jsonl").exit_code == 0
    assert len(slack.posted) == count


def test_message_that_may_have_been_posted_is_posted_again_only_on_demand(send: Send, slack: FakeSlack) -> None:
    slack.replies = [None, (500, {}, b"rollup_error")]
    assert send(LONG, "--ledger", "posted.jsonl").exit_code == 1

    result = send(LONG, "--ledger", "posted.jsonl")

    assert result.exit_code == 1
    assert result.stderr.startswith(
        "Error: 1 message may have been posted by a run that was killed: look in the channel"
    )
    count = len(slack.posted)
    assert send(LONG, "--ledger", "posted.jsonl", "--resend-uncertain").exit_code == 0
    assert len(slack.posted) == count + 1
    assert sorted(shown(slack)) == sorted(
        each for message in slack_messages(parse(LONG)) for each in passages(message["blocks"])
    )


def test_options_of_mails_do_not_fit_slack(send: Send, slack: FakeSlack) -> None:
    result = send("# Hi", "--to", "anna@example.org")

    assert result.exit_code == 2
    assert "leave out the options of emails" in result.stderr
    assert slack.requests == []
