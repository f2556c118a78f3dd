"""SMTP transactions that say what is known of a message that was not accepted."""

import re
import smtplib
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import NoReturn

from mdpublish_core.errors import MdpublishError
from mdpublish_core.mail.server import MailServer, open_smtp

TIMEOUT_SECONDS = 60
"""Seconds to wait for a reply, except the one to a whole message."""

_LAST_REPLY_SECONDS = 600
"""RFC 5321, section 4.5.3.2.6."""

PAUSE_SECONDS = (1.0, 5.0, 30.0)
"""Seconds between attempts to connect."""

_OK, _DATA, _PERMANENT, _CLOSING = 250, 354, 500, 421


class SendError(MdpublishError):
    """A message was not sent, or may not have been: `problem` says which."""

    def __init__(self, problem: str) -> None:
        super().__init__(problem)
        self.problem = problem


class MessageRefused(SendError):  # noqa: N818  (named after the fault)
    """The server's reply is that it does not take the message: for now, or at all."""

    def __init__(self, code: int, reply: bytes, recipient: str = "") -> None:
        words = " ".join(reply.decode("utf-8", "replace").split())
        advice = "; send it again later" if code < _PERMANENT else ""
        super().__init__(f"{recipient and f'{recipient}: '}refused by the mail server: {code} {words}{advice}")
        self.code = code
        self.args = (code, reply, recipient)  # of which copies are made

    def __str__(self) -> str:
        return self.problem


class Uncertain(SendError):  # noqa: N818
    """The whole message was sent, and the connection was lost before the reply."""


class Unreachable(SendError):  # noqa: N818
    """There is no connection, and nothing was sent."""


class Outbox:
    """A connection that is opened when it is needed, and again when it was lost."""

    def __init__(self, server: MailServer, *, name: str, pauses: Sequence[float] = PAUSE_SECONDS) -> None:
        self._server = server
        self._name = name
        self._pauses = pauses
        self._client: smtplib.SMTP | None = None
        self._was_connected = False

    def send(self, sender: str, recipients: Sequence[str], message: bytes, *, before_end: Callable[[], None]) -> None:
        """Send a message to all recipients or to none. `before_end` runs before the line that ends the message is sent.

        Lost connections are opened again, before that line only. Raises `MessageRefused`, `Uncertain`, `Unreachable`.
        """
        # A first connection that fails is a mistake in the settings, which waiting does not mend.
        for pause in (*(self._pauses if self._was_connected else ()), None):
            try:
                self._client = self._client or open_smtp(self._server, name=self._name, timeout=TIMEOUT_SECONDS)
                self._was_connected = True
                _begin(self._client, sender, recipients, message)
                break
            except smtplib.SMTPAuthenticationError as error:
                self._fail(f"the mail server refused user or password: {error.smtp_code}")
            except smtplib.SMTPNotSupportedError as error:
                self._fail(f"{error} Use another server, or smtps:// if it has TLS from the start")
            except MessageRefused as refused:
                if refused.code != _CLOSING or pause is None:
                    self._reset()
                    raise
            except (smtplib.SMTPException, OSError) as error:
                if pause is None:
                    self._fail(f"cannot reach {self._server.host}:{self._server.port}: {error}")
            self.close()
            time.sleep(pause)
        before_end()
        assert self._client
        try:
            _end(self._client)
        except Uncertain:
            self.close()
            raise

    def close(self) -> None:
        if self._client is not None:
            with suppress(smtplib.SMTPException, OSError):
                self._client.quit()
            self._client.close()
            self._client = None

    def _reset(self) -> None:
        try:
            assert self._client
            self._client.rset()
        except (smtplib.SMTPException, OSError):
            self.close()

    def _fail(self, problem: str) -> NoReturn:
        self.close()
        raise Unreachable(problem) from None


def _begin(client: smtplib.SMTP, sender: str, recipients: Sequence[str], message: bytes) -> None:
    _require(_OK, client.mail(sender))
    for recipient in recipients:
        code, reply = client.rcpt(recipient)
        if code not in {_OK, _OK + 1}:
            raise MessageRefused(code, reply, recipient if len(recipients) > 1 else "")
    _require(_DATA, client.docmd("data"))
    client.send(re.sub(rb"(?m)^\.", b"..", message))  # RFC 5321, section 4.5.2


def _end(client: smtplib.SMTP) -> None:
    try:
        if client.sock:
            client.sock.settimeout(_LAST_REPLY_SECONDS)
        client.send(b".\r\n")
        reply = client.getreply()
        if client.sock:
            client.sock.settimeout(TIMEOUT_SECONDS)
    except (smtplib.SMTPException, OSError) as error:
        raise Uncertain(f"the connection was lost before the server's reply: {error}") from None
    _require(_OK, reply)


def _require(expected: int, reply: tuple[int, bytes]) -> None:
    if reply[0] != expected:
        raise MessageRefused(*reply)
