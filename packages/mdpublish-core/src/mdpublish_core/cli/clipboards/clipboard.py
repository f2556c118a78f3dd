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
    """A system clipboard; `write` raises `ClickException` on failure."""

    name: str
    is_available: Callable[[HostSystem], bool]
    write: Callable[[ClipboardContents], None]
    supports_both_formats: bool
