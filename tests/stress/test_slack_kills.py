"""Posts in Slack whose command is killed by SIGKILL again and again, between messages, in requests, and before replies.

Slack posts whatever it is sent, and has no mark by which it would know a message again. So no message is posted twice,
and those that were not posted are among the ones that the command names: at most one a kill. Posted again, each is
there.
"""

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from threading import Event

import pytest

from tests.core.fake_slack import CHANNEL, TOKEN, FakeSlack, running_slack
from tests.image_files import quartered_image, saved
from tests.stress.processes import PATIENCE

pytestmark = pytest.mark.stress

KILLS = 50

MESSAGES = 8
"""Of a text."""

RUNS = 3
"""Of a text, which are killed unless they end before."""

COMMAND = """
import sys, time
from mdpublish_core.cli import main
from mdpublish_core.slack import places
places.API_URL = sys.argv.pop(1)
sleep = time.sleep
time.sleep = lambda seconds: sleep(seconds / 100)
main()
"""


class SlowSlack(FakeSlack):
    """Posts, and replies late, so that kills come before a reply."""

    random = Random(0)
    kill_at = 0
    is_due = Event()

    def respond(self, path: str, headers: object, body: bytes) -> tuple[int, dict[str, str], bytes]:
        time.sleep(self.random.uniform(0, 0.01))
        reply = super().respond(path, headers, body)
        if len(self.posted) >= self.kill_at:
            self.is_due.set()
        time.sleep(self.random.uniform(0, 0.02))
        return reply


@pytest.fixture
def slack(monkeypatch: pytest.MonkeyPatch) -> Iterator[SlowSlack]:
    monkeypatch.setattr("tests.core.fake_slack.FakeSlack", SlowSlack)
    with running_slack() as slack:
        assert isinstance(slack, SlowSlack)
        yield slack


@pytest.mark.parametrize("resends", [False, True])
@pytest.mark.parametrize("options", [(), ("--channel", CHANNEL)], ids=["webhook", "bot"])
def test_no_message_is_posted_twice_and_those_in_doubt_are_named(
    tmp_path: Path, slack: SlowSlack, resends: bool, options: tuple[str, ...]
) -> None:
    random = SlowSlack.random = Random(KILLS)
    (tmp_path / "a.png").write_bytes(saved(quartered_image(30, 20), "PNG"))
    environment = {"MDPUBLISH_SLACK_WEBHOOK": slack.webhook, "MDPUBLISH_SLACK_TOKEN": TOKEN, "HOME": str(tmp_path)}
    command = [sys.executable, "-c", COMMAND, f"{slack.url}/api/", "send", "a.md", "--slack", "--ledger", "a.jsonl"]
    command += [*options, *(["--resend-uncertain"] if resends else [])]
    count: Counter[str] = Counter()

    def run(*, is_killed: bool) -> int:
        slack.is_due.clear()
        slack.kill_at = len(slack.posted) + random.randrange(1, MESSAGES - 1)
        with subprocess.Popen(
            command, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=os.environ | environment
        ) as process:
            if is_killed:
                while not slack.is_due.wait(0.01) and process.poll() is None:
                    pass
                Event().wait(random.uniform(0, 0.05))
                process.send_signal(signal.SIGKILL)
            return process.wait(PATIENCE)

    while count["kills"] < KILLS:
        parts = [f"end{count['texts']}x{number}" for number in range(MESSAGES)]
        markdown = "![A dot](a.png)\n\n" + "\n\n".join(f"# News\n\n{'word ' * 1_600}{part}" for part in parts)
        (tmp_path / "a.md").write_text(markdown, "utf-8")
        (tmp_path / "a.jsonl").unlink(missing_ok=True)
        slack.posted.clear()
        count["kills"] += sum(run(is_killed=True) == -signal.SIGKILL for _ in range(RUNS))
        status = run(is_killed=False)
        posted = Counter(part for message in slack.posted for part in parts if part in str(message["blocks"]))
        noted = notes(tmp_path / "a.jsonl", parts)
        twice = {part for part, times in posted.items() if times > 1}
        missing = set(parts) - posted.keys()
        if resends:
            in_doubt = {part for part, states in noted.items() if states.count("sending") > 1}
            assert (status, missing) == (0, set())
            assert twice <= in_doubt
        else:
            in_doubt = {part for part, states in noted.items() if states[-1] == "sending"}
            assert (status, twice) == (int(bool(in_doubt)), set())
            assert missing <= in_doubt
        count += Counter(texts=1, doubt=len(in_doubt), missing=len(missing), twice=len(twice))
    print(  # noqa: T201  (a report)
        f"{count['kills']} kills, {MESSAGES * count['texts']} messages, {count['doubt']} in doubt, of which "
        f"{count['missing']} are missing and {count['twice']} were posted twice"
    )


def notes(ledger: Path, parts: list[str]) -> dict[str, list[str]]:
    """Return the states that each part had, in their order."""
    states: dict[str, list[str]] = {}
    for line in map(json.loads, ledger.read_text("utf-8").splitlines()[1:]):
        number, total = map(int, line["address"].rpartition(" ")[2].split("/"))
        assert total == len(parts)
        states.setdefault(parts[number - 1], []).append(line["state"])
    return states
