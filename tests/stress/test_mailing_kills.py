"""A mailing whose command is killed by SIGKILL again and again, at every step of its SMTP transactions.

Nobody gets a message twice, and who got none is named: at most one recipient a kill, between the end of a message and
the reply. Sent again to these, with the same Message-ID, a server that knows these delivers to each recipient exactly
once.
"""

import json
import os
import signal
import subprocess
from collections import Counter
from pathlib import Path
from random import Random
from threading import Event

import pytest
from aiosmtpd.smtp import SMTP, Envelope, Session
from anyio import sleep

from tests.running import BIN
from tests.server.smtp_server import FreePort
from tests.stress.processes import PATIENCE
from tests.stress.test_kills import KILLS

PER_KILL = 12
"""Recipients, so that every run has some left."""


class DeliveringServer:
    """Delivers messages, but a Message-ID once; replies late, so that kills come before a reply."""

    def __init__(self, random: Random) -> None:
        self.delivered: Counter[str] = Counter()
        self.taken: set[bytes] = set()
        self.transactions = 0
        self.kill_at = 0
        self.port = 0
        self.is_due = Event()
        self._random = random

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802  (aiosmtpd's name)
        assert isinstance(envelope.content, bytes)
        (message_id,) = (line for line in envelope.content.split(b"\r\n") if line.startswith(b"Message-ID:"))
        self.transactions += 1
        if self.transactions >= self.kill_at:
            self.is_due.set()
        if message_id not in self.taken:
            self.taken.add(message_id)
            self.delivered.update(envelope.rcpt_tos)
        await sleep(self._random.uniform(0, 0.02))
        return "250 delivered"


@KILLS
@pytest.mark.parametrize("resends", [False, True])
def test_each_recipient_gets_a_mailing_exactly_once(tmp_path: Path, kills: int, resends: bool) -> None:
    random = Random(kills)
    email_addresses = [f"reader{number}@example.org" for number in range(PER_KILL * kills)]
    rows = "".join(f"{email_address},Reader {number}\n" for number, email_address in enumerate(email_addresses))
    (tmp_path / "list.csv").write_text(f"email,name\n{rows}", "utf-8")
    (tmp_path / "news.md").write_text("# News\n\nHello {{name}}.\n", "utf-8")
    server = DeliveringServer(random)
    controller = FreePort(server, hostname="127.0.0.1", port=0)
    controller.start()
    url = f"smtp://127.0.0.1:{server.port}"
    command = [
        str(BIN / "mdpublish"),
        "send",
        "news.md",
        "--recipients",
        "list.csv",
        "--from",
        "us@example.org",
        "--smtp",
        url,
    ]
    if resends:
        command.append("--resend-uncertain")
    uncertain: set[str] = set()
    hits = 0

    def run() -> "subprocess.Popen[bytes]":
        return subprocess.Popen(
            command, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=os.environ | {"HOME": str(tmp_path)}
        )  # fmt: skip

    try:
        for _ in range(kills):
            server.is_due.clear()
            server.kill_at = server.transactions + random.randrange(1, PER_KILL)
            with run() as process:
                assert server.is_due.wait(PATIENCE)
                Event().wait(random.uniform(0, 0.03))
                process.send_signal(signal.SIGKILL)
            pending = {email_address for email_address, state in states(tmp_path).items() if state == "sending"}
            hits += bool(pending - uncertain)
            uncertain |= pending
        with run() as process:
            assert process.wait(PATIENCE * 10) == int(bool(uncertain) and not resends)
    finally:
        controller.stop()
    final = states(tmp_path)
    assert max(server.delivered.values()) == 1
    if resends:
        assert (
            server.delivered.keys()
            == set(email_addresses)
            == {each for each, state in final.items() if state == "sent"}
        )
    else:
        named = {email_address for email_address, state in final.items() if state == "sending"}
        assert named == uncertain
        assert set(email_addresses) - server.delivered.keys() <= named
    duplicates = server.transactions - len(server.taken)
    print(  # noqa: T201  (a report)
        f"{kills} kills, {len(email_addresses)} recipients, {sum(server.delivered.values())} delivered, {hits} kills "
        f"before a reply, {duplicates} messages sent twice and delivered once"
    )


def states(folder: Path) -> dict[str, str]:
    lines = (folder / "news.sent.jsonl").read_text("utf-8").splitlines()
    return {each["address"]: each["state"] for each in map(json.loads, lines[1:])}
