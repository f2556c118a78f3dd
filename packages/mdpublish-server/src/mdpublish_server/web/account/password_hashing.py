"""Password hashing in threads, limited across all forms."""

from anyio import CapacityLimiter, to_thread

from mdpublish_server.auth.passwords import hash_password, verify_password
from mdpublish_server.services.accounts import authenticate
from mdpublish_server.storage import Account

_HASHING = 2  # concurrent hashes; each takes a CPU and 19 MiB for some milliseconds


class PasswordHashing:
    """Hashing and verification."""

    def __init__(self) -> None:
        self._limiter = CapacityLimiter(_HASHING)

    async def compute_hash(self, password: str) -> str:
        return await to_thread.run_sync(hash_password, password, limiter=self._limiter)

    async def matches(self, password: str, password_hash: str) -> bool:
        return await to_thread.run_sync(verify_password, password, password_hash, limiter=self._limiter)

    async def authenticate(self, account: Account | None, password: str) -> Account:
        """Return the account or raise `Unauthorized`, taking the same time for any cause."""
        return await to_thread.run_sync(authenticate, account, password, limiter=self._limiter)
