"""The Wayland clipboard through `wl-copy`, which supports one format and offers HTML source as text."""

from mdpublish_core.cli.clipboards.clipboard import Clipboard, HostSystem
from mdpublish_core.cli.clipboards.programs import run_with_input
from mdpublish_core.writers.clipboard import ClipboardContents


def _is_available(machine: HostSystem) -> bool:
    return bool(machine.environment.get("WAYLAND_DISPLAY") and machine.which("wl-copy"))


def _write(contents: ClipboardContents) -> None:
    if contents.html is not None:
        run_with_input(["wl-copy", "--type", "text/html"], contents.html.encode())
    elif contents.plain_text is not None:
        # Offered under the other text types, too.
        run_with_input(["wl-copy", "--type", "text/plain;charset=utf-8"], contents.plain_text.encode())


WAYLAND = Clipboard("Wayland", _is_available, _write, supports_both_formats=False)
