"""The clipboard of Wayland, through `wl-copy` of wl-clipboard, which holds one content.

Beside `text/html`, wl-copy offers the same bytes as text, so that a field for text alone gets the HTML's source.
"""

from mdpublish_core.cli.clipboards.clipboard import Clipboard, Contents, Machine
from mdpublish_core.cli.clipboards.programs import feed


def _is_there(machine: Machine) -> bool:
    return bool(machine.environment.get("WAYLAND_DISPLAY") and machine.which("wl-copy"))


def _put(contents: Contents) -> None:
    if contents.html is not None:
        feed(["wl-copy", "--type", "text/html"], contents.html.encode())
    elif contents.text is not None:
        # Of this type, wl-copy offers all the other names that text has.
        feed(["wl-copy", "--type", "text/plain;charset=utf-8"], contents.text.encode())


WAYLAND = Clipboard("Wayland", _is_there, _put, holds_both=False)
