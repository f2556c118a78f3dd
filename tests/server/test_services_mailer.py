"""Sending email through a real SMTP server: content, TLS, authentication, and retries."""

import logging
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime
from email import policy
from email.utils import parsedate_to_datetime
from pathlib import Path
from socket import create_server
from typing import Any

import pytest

from mdpublish_core.hosting.mail import MailServer, parse_smtp_url
from mdpublish_server.services import mailer
from mdpublish_server.services.mailer import PAUSE_SECONDS, Email, Mailer
from mdpublish_server.settings import InvalidSetting, read_settings
from tests.hostile_titles import ENCODED_WORDS, TITLES
from tests.mail_lines import decoded, headers_in
from tests.server.smtp_server import Mailbox, is_logged, running

pytestmark = pytest.mark.anyio

CERTIFICATE = Path(__file__).parent / "smtp_server.pem"

NOW = datetime(2026, 3, 1, 12, 0, 0, tzinfo=UTC)

BODY = f"Good day,\n\nhttps://pages.example.org/reset/{'a' * 64}\n\nDörte\n"

EMAIL = Email(to="anna@example.org", subject="A new password on Büchersite", body=BODY)


def outbox_to(url: str, *, name: str = "Büchersite", pauses: tuple[float, ...] = (0.02, 0.02)) -> Mailer:
    return Mailer(parse_smtp_url(url), sender="service@example.org", sender_name=name, pauses=pauses, clock=lambda: NOW)


@asynccontextmanager
async def sending(url: str, **options: Any) -> AsyncIterator[Mailer]:
    """Yield an outbox that is started; its stop sends what waits."""
    outbox = outbox_to(url, **options)
    outbox.start()
    yield outbox
    await outbox.stop()


async def test_mail_arrives_as_it_was_written(mailbox: Mailbox) -> None:
    async with sending(mailbox.url) as outbox:
        outbox.enqueue(EMAIL)
        (handed,) = mailbox.wait(1)

    message = handed.message
    assert (handed.sender, handed.recipients) == ("service@example.org", ["anna@example.org"])
    assert str(message["From"]) == "Büchersite <service@example.org>"
    assert str(message["To"]) == "anna@example.org"
    assert str(message["Subject"]) == "A new password on Büchersite"
    assert parsedate_to_datetime(str(message["Date"])) == NOW
    assert re.fullmatch(r"<[^<>@\s]+@example\.org>", str(message["Message-ID"]))
    assert message["Auto-Submitted"] == "auto-generated"
    assert message.get_content_type() == "text/plain"
    assert message.get_content().replace("\r\n", "\n") == BODY
    # ASCII in short lines, which every server accepts.
    assert handed.raw.isascii()
    assert max(map(len, handed.raw.splitlines())) <= 998
    assert len({str(name).lower() for name in message}) == len(list(message))


async def test_each_mail_has_a_unique_id(mailbox: Mailbox) -> None:
    async with sending(mailbox.url) as outbox:
        for _ in range(3):
            outbox.enqueue(EMAIL)
        handed = mailbox.wait(3)
    assert len({str(each.message["Message-ID"]) for each in handed}) == 3


@pytest.mark.parametrize("break_", ["\r\n", "\n", "\r"])
@pytest.mark.parametrize("where", ["to", "subject", "name"])
async def test_line_end_adds_no_header(
    mailbox: Mailbox, caplog: pytest.LogCaptureFixture, where: str, break_: str
) -> None:
    markdown = f"x{break_}Bcc: eve@example.org"
    if where == "name":
        with pytest.raises(ValueError, match="CR or LF"):
            outbox_to(mailbox.url, name=markdown)
        return
    async with sending(mailbox.url) as outbox:
        values: dict[str, Any] = {"to": "anna@example.org", "subject": "x"}
        values[where] = f"anna@example.org{markdown}" if where == "to" else markdown
        outbox.enqueue(Email(**values, body="x"))
        outbox.enqueue(EMAIL)
        (handed,) = mailbox.wait(1)
    assert str(handed.message["Subject"]) == EMAIL.subject
    assert mailbox.tries == 1
    assert "eve@" not in caplog.text


@pytest.mark.parametrize("title", TITLES)
def test_mail_has_the_headers_that_were_meant_and_no_others(title: str) -> None:
    message = outbox_to("smtp://127.0.0.1:9", name=title).message(
        Email(to="anna@example.org", subject=f"A new password on {title}", body=title)
    )
    headers = headers_in(message.as_bytes(policy=policy.SMTP))

    assert [name for name, _ in headers] == [
        *("From", "To", "Subject", "Date", "Message-ID", "Auto-Submitted"),
        *("Content-Type", "Content-Transfer-Encoding", "MIME-Version"),
    ]
    assert decoded(dict(headers)["Subject"]) == f"A new password on {title}"
    assert parsedate_to_datetime(dict(headers)["Date"]) == NOW


@pytest.mark.parametrize("name", ENCODED_WORDS)
async def test_address_that_decodes_to_others_gets_no_mail(mailbox: Mailbox, name: str) -> None:
    async with sending(mailbox.url) as outbox:
        outbox.enqueue(Email(to=f"{name}@example.org", subject="x", body="x"))
        outbox.enqueue(EMAIL)
        mailbox.wait(1)

    assert [handed.recipients for handed in mailbox.handed] == [["anna@example.org"]]


@pytest.fixture
def trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes OpenSSL trust the test server's certificate."""
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))


async def test_tls_begins_where_it_is_offered_whatever_the_certificate() -> None:
    with running(tls=CERTIFICATE) as mailbox:
        async with sending(mailbox.url) as outbox:
            outbox.enqueue(EMAIL)
            (handed,) = mailbox.wait(1)
    assert handed.is_encrypted
    assert handed.user is None


@pytest.mark.usefixtures("trusted")
async def test_who_signs_in_does_so_under_tls() -> None:
    with running(tls=CERTIFICATE, user=("a@b", "p/:@ x")) as mailbox:
        async with sending(f"smtp://a%40b:p%2F%3A%40%20x@127.0.0.1:{mailbox.port}") as outbox:
            outbox.enqueue(EMAIL)
            (handed,) = mailbox.wait(1)
    assert (handed.is_encrypted, handed.user) == (True, "a@b")


@pytest.mark.usefixtures("trusted")
async def test_smtps_is_tls_from_the_first_byte() -> None:
    with running(tls=CERTIFICATE, encrypted=True) as mailbox:
        async with sending(f"smtps://127.0.0.1:{mailbox.port}") as outbox:
            outbox.enqueue(EMAIL)
            mailbox.wait(1)


async def test_password_is_not_sent_without_tls(caplog: pytest.LogCaptureFixture) -> None:
    with running(user=("a", "secret")) as mailbox:
        async with sending(f"smtp://a:secret@127.0.0.1:{mailbox.port}", pauses=()) as outbox:
            outbox.enqueue(EMAIL)
    assert mailbox.tries == 0
    assert "SMTPNotSupportedError" in caplog.text
    assert "secret" not in caplog.text


async def test_password_is_not_sent_to_a_server_without_a_good_certificate(caplog: pytest.LogCaptureFixture) -> None:
    for scheme, encrypted, user in (("smtp", False, ("a", "secret")), ("smtps", True, None)):
        with running(tls=CERTIFICATE, encrypted=encrypted, user=user) as mailbox:
            async with sending(f"{scheme}://a:secret@127.0.0.1:{mailbox.port}", pauses=()) as outbox:
                outbox.enqueue(EMAIL)
            assert mailbox.tries == 0
    given_up = [record.getMessage() for record in caplog.records if record.name == "mdpublish_server.services.mailer"]
    assert given_up == ["Email not sent, giving up after 1 attempts: SSLCertVerificationError"] * 2


@pytest.mark.usefixtures("trusted")
async def test_wrong_password_is_logged_and_not_reported(caplog: pytest.LogCaptureFixture) -> None:
    with running(tls=CERTIFICATE, user=("a", "b")) as mailbox:
        async with sending(f"smtp://a:wrong-secret@127.0.0.1:{mailbox.port}") as outbox:
            outbox.enqueue(EMAIL)
    assert "SMTPAuthenticationError 535" in caplog.text
    assert "secret" not in caplog.text


async def test_mail_is_retried(mailbox: Mailbox, caplog: pytest.LogCaptureFixture) -> None:
    mailbox.reply = lambda tries: "451 come again, anna@example.org" if tries < 3 else None
    async with sending(mailbox.url) as outbox:
        with caplog.at_level(logging.WARNING):
            outbox.enqueue(EMAIL)
            mailbox.wait(1)
    assert mailbox.tries == 3
    assert caplog.text.count("retrying in 0.02 s: SMTPDataError 451") == 2
    assert "anna" not in caplog.text
    assert "reset" not in caplog.text


async def test_mail_is_given_up_after_a_few_tries(mailbox: Mailbox, caplog: pytest.LogCaptureFixture) -> None:
    mailbox.reply = lambda _tries: "451 no"
    async with sending(mailbox.url) as outbox:
        outbox.enqueue(EMAIL)
        mailbox.wait_for_tries(3)
    assert mailbox.tries == 3
    assert "giving up after 3 attempts: SMTPDataError 451" in caplog.text
    # With the default pauses, a server may be down for ten minutes.
    assert sum(PAUSE_SECONDS) > 600


async def test_mail_that_is_refused_for_good_is_not_retried(mailbox: Mailbox, caplog: pytest.LogCaptureFixture) -> None:
    mailbox.reply = lambda tries: "550 no anna@example.org here" if tries == 1 else None
    async with sending(mailbox.url) as outbox:
        outbox.enqueue(EMAIL)
        outbox.enqueue(EMAIL)
        mailbox.wait(1)
    assert mailbox.tries == 2
    assert "giving up after 1 attempts: SMTPDataError 550" in caplog.text
    assert "anna" not in caplog.text


async def test_server_that_is_not_there_costs_nobody_anything(caplog: pytest.LogCaptureFixture) -> None:
    with create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    async with sending(f"smtp://127.0.0.1:{port}", pauses=()) as outbox:
        for _ in range(10):
            outbox.enqueue(EMAIL)
    assert "ConnectionRefusedError" in caplog.text


async def test_server_that_never_responds_holds_nobody_up(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(mailer, "TIMEOUT_SECONDS", 0.3)
    with create_server(("127.0.0.1", 0)) as silent:
        async with sending(f"smtp://127.0.0.1:{silent.getsockname()[1]}", pauses=()) as outbox:
            outbox.enqueue(EMAIL)
    # smtplib's error for a timeout.
    assert "giving up after 1 attempts: SMTPServerDisconnected" in caplog.text


async def test_too_many_that_wait_are_dropped(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mailer, "_MAX_WAITING", 5)
    outbox = outbox_to("smtp://127.0.0.1:9")
    for _ in range(7):
        outbox.enqueue(EMAIL)
    assert caplog.text.count("Email dropped: the queue is full (5)") == 2
    assert "anna" not in caplog.text


async def test_flood_of_others_neither_drops_nor_delays_an_email_of_security(
    mailbox: Mailbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mailer, "_MAX_WAITING", 5)
    outbox = outbox_to(mailbox.url)
    for _ in range(7):
        outbox.enqueue(EMAIL)
    outbox.enqueue(replace(EMAIL, to="berta@example.org", is_security=True))
    outbox.start()
    await outbox.stop()
    assert [handed.recipients for handed in mailbox.handed] == [["berta@example.org"], *[[EMAIL.to]] * 5]


async def test_stopping_sends_what_waits(mailbox: Mailbox, caplog: pytest.LogCaptureFixture) -> None:
    mailbox.reply = lambda tries: "451 later" if tries == 1 else None
    async with sending(mailbox.url, pauses=(3600,)) as outbox:
        outbox.enqueue(EMAIL)
        assert await is_logged("retrying in 3600 s", caplog)
        for _ in range(4):
            outbox.enqueue(EMAIL)
    assert len(mailbox.handed) == 5


async def test_stopping_leaves_what_a_silent_server_does_not_take(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(mailer, "DRAIN_SECONDS", 0.3)
    with create_server(("127.0.0.1", 0)) as silent:
        async with sending(f"smtp://127.0.0.1:{silent.getsockname()[1]}") as outbox:
            for _ in range(3):
                outbox.enqueue(EMAIL)
    assert "2 emails were not sent before shutdown" in caplog.text


async def test_outbox_that_was_never_started_can_be_stopped() -> None:
    await outbox_to("smtp://127.0.0.1:9").stop()


@pytest.mark.parametrize(
    ("url", "server"),
    [
        ("smtp://mail.example.org", ("mail.example.org", 587, False, None, "")),
        ("smtp://127.0.0.1:25", ("127.0.0.1", 25, False, None, "")),
        ("smtps://mail.example.org", ("mail.example.org", 465, True, None, "")),
        ("smtps://a%40b:c%3Ad@mail.example.org:4650", ("mail.example.org", 4650, True, "a@b", "c:d")),
        ("smtp://[::1]:25", ("::1", 25, False, None, "")),
    ],
)
def test_server_is_read_from_the_setting(url: str, server: tuple[str, int, bool, str | None, str]) -> None:
    settings = read_settings({"MDPUBLISH_SMTP_URL": url, "MDPUBLISH_MAIL_FROM": "a@example.org"})
    assert settings.smtp_url is not None
    host, port, is_encrypted, user, password = server
    expected = MailServer(host=host, port=port, is_encrypted=is_encrypted, user=user, password=password)
    assert parse_smtp_url(settings.smtp_url) == expected
    assert password == "" or password not in repr(expected)


@pytest.mark.parametrize(
    "email",
    ["a@b@c", "a b@c", "<a@b>", "a@b,c@d", "a@b;c", "a:b@c", 'a"@b', "a\\@b", "@b", "a@", "a", "=?utf-8?q?a?=@b"],
)
def test_email_that_no_mail_comes_from_is_no_setting(email: str) -> None:
    with pytest.raises(InvalidSetting):
        read_settings({"MDPUBLISH_MAIL_FROM": email})
