"""Clock of the service."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import TypeAlias

Clock: TypeAlias = Callable[[], datetime]
"""Returns an aware time in UTC."""


def utc_now() -> datetime:
    return datetime.now(UTC)


def iso(time: datetime) -> str:
    """Format as ISO 8601 with microseconds."""
    return time.isoformat(timespec="microseconds").replace("+00:00", "Z")
