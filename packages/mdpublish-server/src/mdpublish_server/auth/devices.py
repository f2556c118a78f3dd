"""Device cookies: what a browser succeeded with once, which gives it budgets of its own for guesses and mails.

https://owasp.org/www-community/Slow_Down_Online_Guessing_Attacks_with_Device_Cookies. They are encrypted, not stored.
"""

import secrets
from dataclasses import dataclass, field
from hashlib import sha256

from msgspec import MsgspecError, json

from mdpublish_server.auth.server_key import ServerKey

DEVICE_SECONDS = 365 * 86_400

_MAX_TARGETS = 16

_HASH_CHARACTERS = 16  # encrypted, so nobody searches for another one

_ID_BYTES = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Device:
    """A browser and hashes of what it succeeded with, latest first."""

    id: str = field(default_factory=lambda: secrets.token_hex(_ID_BYTES))
    targets: tuple[str, ...] = ()

    @classmethod
    async def of(cls, cookie: str | None, key: ServerKey) -> "Device":
        """Read a cookie; return a new device if it is none of ours, or too old."""
        content = cookie and await key.decrypt(cookie, max_age=DEVICE_SECONDS)
        try:
            return cls() if not content else json.decode(content, type=cls)
        except MsgspecError:
            return cls()

    def id_for(self, target: str) -> str | None:
        """Return the id if the device succeeded with a target."""
        return self.id if _hash(target) in self.targets else None

    async def cookie_with(self, target: str, key: ServerKey) -> str:
        """Return the cookie of the device that succeeds with a target too."""
        targets = tuple(dict.fromkeys((_hash(target), *self.targets)))[:_MAX_TARGETS]
        return await key.encrypt(json.encode(Device(id=self.id, targets=targets)))


def account_target(email: str) -> str:
    return f"account {email}"


def reader_target(account_id: str, email: str) -> str:
    return f"reader {account_id} {email}"


def page_target(document_id: str) -> str:
    return f"page {document_id}"


def sign_up_target(password_hash: str | None) -> str:
    """Of one sign-up: its hash has a salt of its own."""
    return f"sign-up {password_hash}"


def _hash(target: str) -> str:
    # Forms may contain lone surrogates.
    return sha256(target.encode("utf-8", "surrogatepass")).hexdigest()[:_HASH_CHARACTERS]
