"""Options of an email file."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from mdpublish_core.writers.options.declared import OutputOptions, option


@runtime_checkable
class Mailbox(Protocol):
    """What is used of `email.headerregistry.Address`, which takes long to import."""

    @property
    def display_name(self) -> str: ...

    @property
    def addr_spec(self) -> str: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class EmlOptions(OutputOptions):
    """Options of an email file. An address is `you@example.org` or `You <you@example.org>`."""

    subject: str | None = option(
        "Email subject.", otherwise="from the front matter, or the title", flag="mail-subject", is_per_document=True
    )
    """The subject. If None, the front matter's, else its title, else the first heading, else `default_title`."""

    sender: str | Mailbox | None = option("Email sender.", metavar="ADDRESS", flag="mail-from", is_requested=False)
    """The sender. If None, that of the account that sends the draft."""

    to: str | Mailbox | Sequence[str | Mailbox] = option(
        "Email recipient; can be repeated.", value=(), metavar="ADDRESS", flag="mail-to", is_per_document=True
    )
    """The recipients."""

    cc: str | Mailbox | Sequence[str | Mailbox] = ()
    """Who gets a copy."""

    reply_to: str | Mailbox | Sequence[str | Mailbox] = ()
    """Who gets answers."""

    default_title: str | None = None
    """The subject of a document without a title. If None, `Untitled` in its language."""
