"""Bound on the memory of files that accounts upload, from the first byte to the response."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from mdpublish_server.conversion.fair_queue import busy

ACCOUNT_BYTES = 64_000_000
"""Two of the largest files, or many small ones, of one account at a time."""

UPLOADED_BYTES = 256_000_000
"""Bytes of all accounts' uploads at a time, in a server process. Decoded, a file takes the same again."""


class Uploads:
    """Counts the bytes of bodies that are being received, and read."""

    def __init__(self) -> None:
        self._held: Counter[str] = Counter()

    @contextmanager
    def hold(self, account_id: str, size: int) -> Iterator[None]:
        """Count a body of at most `size` bytes. Raises `ServiceUnavailable` past a limit."""
        if self._held[account_id] + size > ACCOUNT_BYTES:
            raise busy(f"Too many of your files are being read (limit {ACCOUNT_BYTES:,} bytes)")
        if self._held.total() + size > UPLOADED_BYTES:
            raise busy(f"Too many files are being read (limit {UPLOADED_BYTES:,} bytes)")
        self._held[account_id] += size
        try:
            yield
        finally:
            self._held[account_id] -= size
            if not self._held[account_id]:
                del self._held[account_id]
