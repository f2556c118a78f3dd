"""Interface of clipboards."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from mdpublish_core.writers.clipboard import ClipboardContents


@dataclass(frozen=True, slots=True)
class HostSystem:
    """The machine, injected for tests."""

    platform: str
    environment: Mapping[str, str]
    which: Callable[[str], str | None]


@dataclass(frozen=True, slots=True)
class Clipboard:
    """A system clipboard; `write` and `read` raise `ClickException` on failure. What is not there is None."""

    name: str
    is_available: Callable[[HostSystem], bool]
    write: Callable[[ClipboardContents], None]
    read: Callable[[], ClipboardContents]
    supports_both_formats: bool
