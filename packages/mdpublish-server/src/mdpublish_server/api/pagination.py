"""Pages of a list, newest first: `limit`, and a cursor of the last item's time and id."""

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from datetime import UTC, datetime
from uuid import UUID

from mdpublish_server.api.operations import PARAMETERS
from mdpublish_server.errors import ValidationError
from mdpublish_server.storage.timestamps import from_microseconds, to_microseconds

DEFAULT_PAGE_SIZE: int = PARAMETERS["limit"].schema["default"]
MAX_PAGE_SIZE = 100

_INTEGER = re.compile(r"[+-]?[0-9]{1,4000}")
_CURSOR = re.compile(r"[A-Za-z0-9_-]{32}")
_LATEST = datetime.max.replace(tzinfo=UTC)


def page_size(limit: str | None) -> int:
    """Clamp `limit` to 1 to 100; raise `ValidationError` if it is not an integer. Empty is as if left out."""
    if not limit:
        return DEFAULT_PAGE_SIZE
    if not _INTEGER.fullmatch(limit):
        raise ValidationError(f"limit must be an integer (got {limit[:20]!r})")
    return min(max(int(limit), 1), MAX_PAGE_SIZE)


def cursor_after(time: datetime, item_id: str) -> str:
    """Return a cursor for the items after one."""
    return urlsafe_b64encode(to_microseconds(time).to_bytes(8) + UUID(item_id).bytes).decode()


def read_cursor(cursor: str | None) -> tuple[datetime, str]:
    """Return the position of a cursor, the first if it is empty; raise `ValidationError`."""
    if not cursor:
        return _LATEST, ""
    if not _CURSOR.fullmatch(cursor):
        raise ValidationError("cursor must be the next_cursor of an earlier response")
    position = urlsafe_b64decode(cursor)
    latest = to_microseconds(_LATEST)
    return from_microseconds(min(int.from_bytes(position[:8]), latest)), str(UUID(bytes=position[8:]))
