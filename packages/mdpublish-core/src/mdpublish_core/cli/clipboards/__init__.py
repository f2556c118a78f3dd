"""System clipboards. macOS and Windows hold HTML and text together; xclip and wl-copy hold HTML, or text on request."""

from collections.abc import Callable, Mapping

import click

from mdpublish_core.cli.clipboards.clipboard import Clipboard, HostSystem
from mdpublish_core.cli.clipboards.linux import WAYLAND, X11
from mdpublish_core.cli.clipboards.macos import MACOS
from mdpublish_core.cli.clipboards.windows import WINDOWS

__all__ = ["CLIPBOARDS", "Clipboard", "find_clipboard"]

CLIPBOARDS = (MACOS, WINDOWS, WAYLAND, X11)
"""In order of preference: X11 under Wayland may be stale."""

_FILE_HINT = "or write to a file: mdpublish convert … -o FILE"


def find_clipboard(platform: str, environment: Mapping[str, str], which: Callable[[str], str | None]) -> Clipboard:
    machine = HostSystem(platform, environment, which)
    for clipboard in CLIPBOARDS:
        if clipboard.is_available(machine):
            return clipboard
    raise click.ClickException(_remedy(environment))


def _remedy(environment: Mapping[str, str]) -> str:
    if environment.get("WAYLAND_DISPLAY"):
        return f"wl-copy is not installed (Debian: apt install wl-clipboard); install it, {_FILE_HINT}"
    if environment.get("DISPLAY"):
        return f"xclip is not installed (Debian: apt install xclip); install it, {_FILE_HINT}"
    location = "no clipboard over SSH" if environment.get("SSH_CONNECTION") else "no clipboard found"
    return f"{location}: neither WAYLAND_DISPLAY nor DISPLAY is set; run mdpublish on a desktop, {_FILE_HINT}"
