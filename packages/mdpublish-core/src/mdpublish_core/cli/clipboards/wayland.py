"""The clipboard of Wayland, through `wl-copy` of wl-clipboard, which holds one content.

Beside `text/html`, wl-copy offers the same bytes as text, so that a field for text alone gets the HTML's source.
"""

from mdpublish_core.cli.clipboards.clipboard import Clipboard, ClipboardContents, HostSystem
from mdpublish_core.cli.clipboards.programs import run_with_input


def _is_available(machine: HostSystem) -> bool:
    return bool(machine.environment.get("WAYLAND_DISPLAY") and machine.which("wl-copy"))


def _write(contents: ClipboardContents) -> None:
    if contents.html is not None:
        run_with_input(["wl-copy", "--type", "text/html"], contents.html.encode())
    elif contents.plain_text is not None:
        # Of this type, wl-copy offers all the other names that text has.
        run_with_input(["wl-copy", "--type", "text/plain;charset=utf-8"], contents.plain_text.encode())


WAYLAND = Clipboard("Wayland", _is_available, _write, supports_both_formats=False)
