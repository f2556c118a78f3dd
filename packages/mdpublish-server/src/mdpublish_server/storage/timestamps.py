"""Times as microseconds since 1970: statements take times, which the drivers convert, and rows have numbers."""

from datetime import UTC, datetime, timedelta
from typing import overload

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


def to_microseconds(time: datetime) -> int:
    return (time - _EPOCH) // _MICROSECOND


@overload
def from_microseconds(stored: int) -> datetime: ...
@overload
def from_microseconds(stored: None) -> None: ...
@overload
def from_microseconds(stored: int | None) -> datetime | None: ...
def from_microseconds(stored: int | None) -> datetime | None:
    return None if stored is None else _EPOCH + timedelta(microseconds=stored)
