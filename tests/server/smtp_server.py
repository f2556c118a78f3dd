"""An SMTP server in a thread, which stores messages or rejects them."""

import asyncio
import re
import ssl
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from threading import Condition
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session
from anyio import sleep


@dataclass
class Handed:
    """A received message, with its envelope and session."""

    sender: str
    recipients: list[str]
    message: EmailMessage
    raw: bytes
    is_encrypted: bool
    user: str | None


def link_in(handed: Handed) -> str:
    """Return the path of the message's only link."""
    (link,) = re.findall(r"http://127\.0\.0\.1:8000(/\S+)", handed.message.get_content())
    return str(link)


@dataclass
class Mailbox:
    """Received messages. `reply` gets the number of the attempt; any line it returns rejects the message."""

    handed: list[Handed] = field(default_factory=list)
    tries: int = 0
    reply: Callable[[int], str | None] = field(default=lambda _tries: None)
    changed: Condition = field(default_factory=Condition)
    port: int = 0
    closes_once: bool = False

    async def handle_MAIL(  # noqa: N802  (aiosmtpd's name)
        self, server: SMTP, _session: Session, envelope: Envelope, email_address: str, options: list[str]
    ) -> str:
        if self.closes_once and len(self.handed) == 1:
            self.closes_once = False
            assert server.transport is not None
            server.transport.close()
        envelope.mail_from = email_address
        envelope.mail_options.extend(options)
        return "250 OK"

    async def handle_DATA(self, _server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802  (aiosmtpd's name)
        with self.changed:
            self.tries += 1
            refusal = self.reply(self.tries)
            if refusal is None:
                assert isinstance(envelope.content, bytes)
                assert envelope.mail_from is not None
                message = message_from_bytes(envelope.content, policy=policy.default)
                login: bytes | None = getattr(session.auth_data, "login", None)
                self.handed.append(
                    Handed(
                        sender=envelope.mail_from,
                        recipients=list(envelope.rcpt_tos),
                        message=message,
                        raw=envelope.content,
                        is_encrypted=session.ssl is not None,
                        user=login.decode() if login else None,
                    )
                )
            self.changed.notify_all()
        return refusal or "250 taken"

    def wait(self, count: int, *, seconds: float = 60) -> list[Handed]:
        """Wait for `count` messages."""
        with self.changed:
            assert self.changed.wait_for(lambda: len(self.handed) >= count, seconds), f"{len(self.handed)} came"
            return list(self.handed)

    def wait_for_tries(self, count: int, *, seconds: float = 60) -> None:
        """Wait for `count` attempts."""
        with self.changed:
            assert self.changed.wait_for(lambda: self.tries >= count, seconds), f"{self.tries} tries"

    @property
    def url(self) -> str:
        """The URL for the settings."""
        return f"smtp://127.0.0.1:{self.port}"


class FreePort(Controller):
    """Tells its handler the port that the system assigned."""

    def _trigger_server(self) -> None:
        assert isinstance(self.server, asyncio.base_events.Server)
        self.port = self.handler.port = self.server.sockets[0].getsockname()[1]
        super()._trigger_server()  # type: ignore[no-untyped-call]


async def is_logged(words: str, caplog: pytest.LogCaptureFixture) -> bool:
    """Wait up to a minute until `words` are logged."""
    for _ in range(6_000):
        if words in caplog.text:
            return True
        await sleep(0.01)
    return False


@contextmanager
def running(
    *, tls: Path | None = None, encrypted: bool = False, user: tuple[str, str] | None = None
) -> Iterator[Mailbox]:
    """Run a server: with a certificate, it offers STARTTLS, or requires TLS if `encrypted`.

    With a user, it requires that login. Without a certificate, login is unencrypted and optional.
    """
    mailbox = Mailbox()
    context = None
    if tls is not None:
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(tls)

    def authenticate(_server: Any, _session: Any, _envelope: Any, _mechanism: str, data: Any) -> AuthResult:
        assert isinstance(data, LoginPassword)
        fits = (data.login.decode(), data.password.decode()) == user
        # aiosmtpd sends the rejection if `handled` is false.
        return AuthResult(success=fits, handled=fits, auth_data=data)

    options: dict[str, Any] = {}
    if user is not None:
        is_safe = tls is not None
        options = {"authenticator": authenticate, "auth_required": is_safe, "auth_require_tls": is_safe}
    if context is not None and not encrypted:
        options["tls_context"] = context

    server = FreePort(mailbox, hostname="127.0.0.1", port=0, ssl_context=context if encrypted else None, **options)
    server.start()
    try:
        yield mailbox
    finally:
        server.stop(no_assert=True)
