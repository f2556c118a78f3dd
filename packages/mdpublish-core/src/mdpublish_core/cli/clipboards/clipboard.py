"""What a clipboard is: how to tell that it is there, and what it takes."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ClipboardContents:
    """What is copied: HTML, text, or both; None is not copied. The HTML itself says that it is UTF-8."""

    html: str | None
    plain_text: str | None


@dataclass(frozen=True, slots=True)
class HostSystem:
    """Where the command runs: Python's name of the platform, the environment, and where a program is found, if it is."""

    platform: str
    environment: Mapping[str, str]
    which: Callable[[str], str | None]


@dataclass(frozen=True, slots=True)
class Clipboard:
    """A system's clipboard.

    `is_available` tells whether a machine has it; `write` replaces what it holds. Where it does not support both formats,
    `write` takes HTML or text, and never the two. `write` raises `ClickException` where the system refuses.
    """

    name: str
    is_available: Callable[[HostSystem], bool]
    write: Callable[[ClipboardContents], None]
    supports_both_formats: bool
