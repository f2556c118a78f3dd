"""SMTP servers by URL, and connections to them: TLS from the start, or STARTTLS if offered or to sign in."""

import smtplib
import ssl
from dataclasses import dataclass, field
from urllib.parse import unquote, urlsplit

_SUBMISSION_PORT = 587
_ENCRYPTED_PORT = 465


@dataclass(frozen=True, slots=True, kw_only=True)
class MailServer:
    """An SMTP server; `is_encrypted` means TLS from the start, else STARTTLS if offered."""

    host: str
    port: int
    is_encrypted: bool
    user: str | None
    password: str = field(repr=False)


def parse_smtp_url(url: str) -> MailServer:
    """Parse `smtp://user:password@host:587` or `smtps://…:465`. Raises `ValueError`, whose message has no password."""
    try:
        parts = urlsplit(url)
        host, port, user, password = parts.hostname, parts.port, parts.username, parts.password
    except ValueError:  # such as a broken port
        host = None
    if not host or parts.scheme not in {"smtp", "smtps"} or parts.path.strip("/") or parts.query:
        raise ValueError("the URL of a mail server must be smtp://user@host:587 or smtps://user@host:465")
    is_encrypted = parts.scheme == "smtps"
    return MailServer(
        host=host,
        port=port or (_ENCRYPTED_PORT if is_encrypted else _SUBMISSION_PORT),
        is_encrypted=is_encrypted,
        user=unquote(user) if user else None,
        password=unquote(password or ""),
    )


def open_smtp(server: MailServer, *, name: str, timeout: float) -> smtplib.SMTP:
    """Return a connection that is signed in; `name` is that of this computer, `timeout` in seconds for each reply.

    Requires STARTTLS before authenticating. Raises `smtplib.SMTPException`, `OSError`.
    """
    if server.is_encrypted:
        context = ssl.create_default_context()
        client: smtplib.SMTP = smtplib.SMTP_SSL(
            server.host, server.port, local_hostname=name, timeout=timeout, context=context
        )
    else:
        client = smtplib.SMTP(server.host, server.port, local_hostname=name, timeout=timeout)
    try:
        client.ehlo_or_helo_if_needed()
        if not server.is_encrypted and (client.has_extn("starttls") or server.user is not None):
            client.starttls(context=_context(server))
            client.ehlo()
        if server.user is not None:
            client.login(server.user, server.password)
    except BaseException:
        client.close()
        raise
    return client


def _context(server: MailServer) -> ssl.SSLContext:
    """Verify the certificate only if a password is sent.

    Otherwise an attacker could suppress STARTTLS anyway, and local relays use self-signed certificates.
    """
    context = ssl.create_default_context()
    if server.user is None:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    return context
