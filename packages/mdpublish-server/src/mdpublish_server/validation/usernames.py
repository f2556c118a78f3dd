"""Username validation."""

import re
from pathlib import Path

from mdpublish_server.errors import ValidationError

USERNAME_CHARACTERS = range(3, 31)

USERNAME_PATTERN = r"[A-Za-z0-9]+(-[A-Za-z0-9]+)*"

_USERNAME = re.compile(USERNAME_PATTERN)

_FILE = Path(__file__).with_name("reserved_usernames.txt")

RESERVED_USERNAMES = frozenset(
    name for line in _FILE.read_text("utf-8").splitlines() if not line.startswith("#") for name in line.split()
)
"""Compared without hyphens."""


def validate_username(name: str) -> str:
    """Return the name in lower case."""
    if len(name) not in USERNAME_CHARACTERS:
        raise ValidationError(
            f"username must be {USERNAME_CHARACTERS[0]} to {USERNAME_CHARACTERS[-1]} characters (got {len(name):,})"
        )
    # Before lowercasing, which turns the Kelvin sign into ASCII.
    if not _USERNAME.fullmatch(name):
        raise ValidationError(
            f"username must consist of letters a-z, digits and single hyphens between them (got {name!r})"
        )
    username = name.lower()
    if username.replace("-", "") in RESERVED_USERNAMES:
        raise ValidationError(f"username {name!r} is reserved; choose another")
    return username
