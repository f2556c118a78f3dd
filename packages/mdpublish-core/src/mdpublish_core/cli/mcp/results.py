"""What tools return. An assistant reads all of it, so it is small."""

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any, TypedDict, cast

from mdpublish_core.mcp_schemas import first_notices
from mdpublish_core.notices import Notice, sorted_by_position


class Notices(TypedDict):
    """What the author should know."""

    notices: list[dict[str, Any]]
    notices_left_out: int


class Converted(Notices):
    """A conversion, with its output where that was asked for, and what arrives in another form."""

    delivery: str
    destination: str
    characters: int
    output: str | None
    next_step: str | None


class Written(Notices):
    """A file that was written."""

    path: str
    bytes: int
    delivery: str


class Copied(Notices):
    """What is on the clipboard."""

    destination: str
    next_step: str


class Checked(Notices):
    """Whether any notice applies."""

    is_fine: bool


class Listed(TypedDict):
    """Templates, by category."""

    templates: dict[str, list[str]]


def notice_fields(notices: Iterable[Notice]) -> Notices:
    """Return the first notices, by position."""
    return cast("Notices", first_notices(map(asdict, sorted_by_position(dict.fromkeys(notices)))))
