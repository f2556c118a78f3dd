"""Password hashing in threads, limited across all forms and requests."""

from collections.abc import Callable
from typing import TypeVar

from anyio import CapacityLimiter, to_thread

from mdpublish_server.auth.passwords import hash_password, verify_password

_HASHING = 2  # concurrent hashes; each takes a CPU and 19 MiB for some milliseconds

_Result = TypeVar("_Result")


class PasswordHashing:
    """Hashing and verification."""

    def __init__(self) -> None:
        self._limiter = CapacityLimiter(_HASHING)

    async def compute_hash(self, password: str) -> str:
        return await self.run(hash_password, password)

    async def matches(self, password: str, password_hash: str) -> bool:
        return await self.run(verify_password, password, password_hash)

    async def run(self, work: Callable[..., _Result], *args: object) -> _Result:
        """Run what hashes once."""
        return await to_thread.run_sync(work, *args, limiter=self._limiter)
