"""Options of an email file."""

from collections.abc import Sequence
from dataclasses import dataclass
from email.headerregistry import Address


@dataclass(frozen=True, slots=True, kw_only=True)
class EmlOptions:
    """Options of an email file. An address is `you@example.org` or `You <you@example.org>`."""

    subject: str | None = None
    """The subject. If None, the front matter's, else its title, else the first heading, else `default_title`."""

    sender: str | Address | None = None
    """The sender. If None, that of the account that sends the draft."""

    to: str | Address | Sequence[str | Address] = ()
    """The recipients."""

    cc: str | Address | Sequence[str | Address] = ()
    """Who gets a copy."""

    reply_to: str | Address | Sequence[str | Address] = ()
    """Who gets answers."""

    default_title: str | None = None
    """The subject of a document without a title. If None, `Untitled` in its language."""
