"""The clock that the service goes by; tests bring one of their own."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import TypeAlias

Clock: TypeAlias = Callable[[], datetime]
"""Tells the time, aware and in UTC."""


def utc_now() -> datetime:
    """Return the time by the computer's clock."""
    return datetime.now(UTC)


def iso(time: datetime) -> str:
    """Return a time in UTC as ISO 8601, to the microsecond, since that is how exactly times are kept."""
    return time.isoformat(timespec="microseconds").replace("+00:00", "Z")
