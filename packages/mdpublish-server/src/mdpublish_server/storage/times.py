"""Times as they are kept: whole microseconds since 1970."""

from datetime import UTC, datetime, timedelta
from typing import overload

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


@overload
def microseconds(time: datetime) -> int: ...
@overload
def microseconds(time: None) -> None: ...
@overload
def microseconds(time: datetime | None) -> int | None: ...
def microseconds(time: datetime | None) -> int | None:
    """Return a time as it is kept."""
    return None if time is None else (time - _EPOCH) // _MICROSECOND


@overload
def moment(kept: int) -> datetime: ...
@overload
def moment(kept: None) -> None: ...
@overload
def moment(kept: int | None) -> datetime | None: ...
def moment(kept: int | None) -> datetime | None:
    """Return the time that is kept as `kept`, in UTC."""
    return None if kept is None else _EPOCH + timedelta(microseconds=kept)
