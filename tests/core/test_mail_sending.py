"""`mdpublish_core.mail.send`, against an SMTP server: who gets a message, and nobody twice."""

import pickle
import re
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path

import pytest

from mdpublish_core import convert, email_message
from mdpublish_core.errors import InvalidEmail, InvalidFile
from mdpublish_core.mail import MessageRefused, Uncertain, Unreachable, send
from mdpublish_core.mail.sent_ledger import Ledger
from tests.server.smtp_server import Mailbox, running


@pytest.fixture
def mailbox() -> Iterator[Mailbox]:
    with running() as mailbox:
        yield mailbox


def report(to: str = "Anna <anna@example.org>") -> EmailMessage:
    conversion = convert("# Sales\n\n.\n\nGrüße", to="email")
    message = email_message(conversion, subject="Sales", sender="Us <us@example.org>", to=to, cc="ben@example.org")
    message["Bcc"] = "cleo@example.org"
    return message


def test_a_message_goes_to_all_and_shows_no_hidden_recipient(mailbox: Mailbox) -> None:
    message = report('"Eve <eve@example.org>, A" <anna@example.org>')

    assert send(message, mailbox.url)

    [handed] = mailbox.handed
    assert handed.sender == "us@example.org"
    assert handed.recipients == ["anna@example.org", "ben@example.org", "cleo@example.org"]
    assert b"cleo" not in handed.raw
    assert message["Bcc"] == "cleo@example.org"
    body = handed.message.get_body(("plain",))
    assert body is not None
    assert "Grüße" in body.get_content()


def test_with_a_ledger_nobody_gets_it_twice(mailbox: Mailbox, tmp_path: Path) -> None:
    ledger = tmp_path / "monday.jsonl"

    sent = [send(report(to), mailbox.url, ledger=ledger) for to in ("a@example.org", "A@example.org", "z@example.org")]

    assert sent == [True, False, True]
    assert [each.recipients[0] for each in mailbox.handed] == ["a@example.org", "z@example.org"]


def test_a_refused_message_is_sent_again(mailbox: Mailbox, tmp_path: Path) -> None:
    mailbox.reply = lambda tries: "451 later" if tries == 1 else None

    with pytest.raises(MessageRefused, match="refused by the mail server: 451 later; send it again later") as caught:
        send(report(), mailbox.url, ledger=tmp_path / "ledger")

    copy = pickle.loads(pickle.dumps(caught.value))
    assert (str(copy), copy.code, copy.problem) == (str(caught.value), 451, caught.value.problem)
    assert send(report(), mailbox.url, ledger=tmp_path / "ledger")


def test_a_message_that_may_have_arrived_is_sent_again_on_request_only(mailbox: Mailbox, tmp_path: Path) -> None:
    ledger = tmp_path / "ledger"
    noted = Ledger(ledger)
    noted.note("anna@example.org, ben@example.org, cleo@example.org", "sending")
    expected = noted.message_id("anna@example.org, ben@example.org, cleo@example.org", "example.org")

    with pytest.raises(InvalidFile, match="in use by another program that sends"):
        send(report(), mailbox.url, ledger=ledger)
    noted.close()
    with pytest.raises(Uncertain, match="resend_uncertain=True sends it again"):
        send(report(), mailbox.url, ledger=ledger)
    assert mailbox.tries == 0
    assert send(report(), mailbox.url, ledger=ledger, resend_uncertain=True)
    assert mailbox.handed[0].message["Message-ID"] == expected


def test_errors_say_what_is_wrong(mailbox: Mailbox) -> None:
    without = report()
    for name in ("To", "Cc", "Bcc"):
        del without[name]

    with pytest.raises(InvalidEmail, match="message must have an address in To or Cc or Bcc"):
        send(without, mailbox.url)
    with pytest.raises(ValueError, match=re.escape("the URL of a mail server must be smtp://user@host:587")):
        send(report(), "mail.example.org")
    with pytest.raises(Unreachable, match=r"cannot reach 127\.0\.0\.1:1: "):
        send(report(), "smtp://127.0.0.1:1")
