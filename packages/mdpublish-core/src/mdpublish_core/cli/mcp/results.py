"""Results of the tools, small because an assistant reads all of them."""

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any, TypedDict, cast

from mdpublish_core.mcp.schemas import Notices, first_notices
from mdpublish_core.notices import Notice, sorted_by_position


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


class Changes(TypedDict):
    """What formatting changed, and the changes that it did not make."""

    is_changed: bool
    repairs: str
    refused: list[str]


class FormattedText(Changes):
    """A formatted text, or a part of it."""

    markdown: str
    markdown_characters: int
    next_offset: int | None


class MergedFile(Notices):
    """A file with the edits of a document."""

    path: str
    conflicts: int


class Published(TypedDict):
    """What happened to each image and file."""

    outcomes: list[Any]


def notice_fields(notices: Iterable[Notice]) -> Notices:
    """Return the first notices, by position."""
    return cast("Notices", first_notices(map(asdict, sorted_by_position(dict.fromkeys(notices)))))
