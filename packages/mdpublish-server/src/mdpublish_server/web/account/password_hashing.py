"""Passwords hashed and compared in threads, a few at a time, for all forms that take one."""

from anyio import CapacityLimiter, to_thread

from mdpublish_server.auth.passwords import hash_password, verify_password
from mdpublish_server.services.accounts import authenticate
from mdpublish_server.storage import Account

# Passwords that are hashed at once: each takes a processor and 19 MiB for some milliseconds.
_HASHING = 2


class PasswordHashing:
    """Does the work that takes as long for a wrong password as for the right one."""

    def __init__(self) -> None:
        self._limiter = CapacityLimiter(_HASHING)

    async def compute_hash(self, password: str) -> str:
        """Return what is kept of a password that `validate_password` gave."""
        return await to_thread.run_sync(hash_password, password, limiter=self._limiter)

    async def matches(self, password: str, password_hash: str) -> bool:
        """Tell whether a password is the one that this was kept of."""
        return await to_thread.run_sync(verify_password, password, password_hash, limiter=self._limiter)

    async def authenticate(self, account: Account | None, password: str) -> Account:
        """Return the account if the password is its own; raises `Unauthorized`, whatever was wrong."""
        return await to_thread.run_sync(authenticate, account, password, limiter=self._limiter)
