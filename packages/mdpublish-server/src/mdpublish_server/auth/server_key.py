"""A random key that all processes share, for what a browser must not read or forge.

It is made on first use and kept in the database. With a copy of the database, an attacker could decrypt the cookies
that browsers hold for some minutes; the database itself has none of their content.
"""

import hmac
import secrets
from base64 import urlsafe_b64encode
from hashlib import sha256

from cryptography.fernet import Fernet, InvalidToken

from mdpublish_server.clock import Clock
from mdpublish_server.storage import Database
from mdpublish_server.storage.server_keys import add_server_key, find_server_key

_KEY_BYTES = 32


def cipher_of(secret: bytes) -> Fernet:
    """Return a cipher whose key is derived from a random secret."""
    return Fernet(urlsafe_b64encode(hmac.digest(secret, b"response", "sha256")))


class ServerKey:
    """Encrypts and derives."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._key: bytes | None = None
        self._cipher: Fernet | None = None

    async def derive(self, purpose: str, *parts: bytes) -> bytes:
        """Return 32 bytes that only holders of the key can compute from the parts."""
        # Each part hashed: of another division into parts, another result.
        message = b"".join(sha256(part).digest() for part in (purpose.encode(), *parts))
        return hmac.digest(await self._shared(), message, "sha256")

    async def encrypt(self, content: bytes) -> str:
        """Return a token."""
        return (await self._fernet()).encrypt_at_time(content, self._now()).decode()

    async def decrypt(self, token: str, *, max_age: int | None) -> bytes | None:
        """Return the content; None if the token is older than `max_age` seconds, or not ours."""
        cipher = await self._fernet()
        try:
            return cipher.decrypt(token) if max_age is None else cipher.decrypt_at_time(token, max_age, self._now())
        except InvalidToken:
            return None

    def _now(self) -> int:
        return int(self._clock().timestamp())

    async def _fernet(self) -> Fernet:
        if self._cipher is None:
            self._cipher = Fernet(urlsafe_b64encode(await self.derive("encryption")))
        return self._cipher

    async def _shared(self) -> bytes:
        if self._key is None:
            self._key = await self._database.read(find_server_key)
        if self._key is None:
            self._key = await self._database.write(add_server_key, secrets.token_bytes(_KEY_BYTES))
        return self._key
