"""Time-based one-time passwords (RFC 6238) of an account, and recovery codes in their place."""

import secrets
from base64 import b32encode
from dataclasses import dataclass
from hmac import compare_digest

from cryptography.hazmat.primitives.hashes import SHA1
from cryptography.hazmat.primitives.twofactor.totp import TOTP

from mdpublish_server.auth.authentication import secret_hash
from mdpublish_server.auth.server_key import ServerKey
from mdpublish_server.clock import Clock
from mdpublish_server.errors import Unauthorized
from mdpublish_server.storage import Account, Database
from mdpublish_server.storage.accounts import set_second_factor, use_recovery_code, use_totp

STEP_SECONDS = 30
RECOVERY_CODES = 10

_SECRET_BYTES = 20
_RECOVERY_BYTES = 10

WRONG_CODE = "The code is incorrect, or was used before"


@dataclass(frozen=True, slots=True)
class SecondFactors:
    """Checks codes, each of which is accepted once; secrets are stored encrypted, recovery codes hashed."""

    database: Database
    key: ServerKey
    clock: Clock

    async def add(self, account: Account, secret: bytes, code: str) -> tuple[str, ...]:
        """Store a secret that the person's app has, and return the recovery codes; raise `Unauthorized`."""
        if (step := self._step_of(secret, code)) is None:
            raise Unauthorized(WRONG_CODE)
        codes = tuple(b32encode(secrets.token_bytes(_RECOVERY_BYTES)).decode() for _ in range(RECOVERY_CODES))
        hashes = "\n".join(map(secret_hash, codes))
        sealed = await self.key.encrypt(secret)
        await self.database.write(set_second_factor, account.id, sealed, step=step, recovery_hashes=hashes)
        return codes

    async def use(self, account: Account, code: str) -> None:
        """Use up a code of the app, or a recovery code; raise `Unauthorized`."""
        assert account.totp_secret is not None
        secret = await self.key.decrypt(account.totp_secret, max_age=None)
        step = self._step_of(secret or b"", code) if secret else None
        if step is not None:
            is_new = await self.database.write(use_totp, account.id, step=step)
        else:
            hashed = secret_hash("".join(code.split()).upper().replace("-", ""))
            is_new = await self.database.write(use_recovery_code, account.id, hashed)
        if not is_new:
            raise Unauthorized(WRONG_CODE)

    def _step_of(self, secret: bytes, code: str) -> int | None:
        """Return the step of a code: the current one, or one beside it, since clocks differ."""
        typed, now = "".join(code.split()).encode(), int(self.clock().timestamp()) // STEP_SECONDS
        totp = totp_of(secret)
        steps = (now - 1, now, now + 1)
        return next((step for step in steps if compare_digest(totp.generate(step * STEP_SECONDS), typed)), None)


def new_secret() -> bytes:
    return secrets.token_bytes(_SECRET_BYTES)


def totp_of(secret: bytes) -> TOTP:
    return TOTP(secret, 6, SHA1(), STEP_SECONDS)  # noqa: S303  (HMAC, and what all apps can)
