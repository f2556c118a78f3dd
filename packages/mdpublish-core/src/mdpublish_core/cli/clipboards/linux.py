"""The clipboards of Wayland and X11, through `wl-copy` and `xclip`, which support one format."""

from mdpublish_core.cli.clipboards.clipboard import Clipboard, HostSystem
from mdpublish_core.cli.clipboards.programs import run_with_input
from mdpublish_core.writers.clipboard import ClipboardContents


def _clipboard(name: str, display: str, command: tuple[str, ...], text_type: str) -> Clipboard:
    """Return the clipboard of the session that the variable `display` names; `command` ends before the type of content."""

    def is_available(machine: HostSystem) -> bool:
        return bool(machine.environment.get(display) and machine.which(command[0]))

    def write(contents: ClipboardContents) -> None:
        if contents.html is not None:
            run_with_input([*command, "text/html"], contents.html.encode())
        elif contents.plain_text is not None:
            run_with_input([*command, text_type], contents.plain_text.encode())

    return Clipboard(name, is_available, write, supports_both_formats=False)


# It offers HTML source as text, and plain text under the other text types, too.
WAYLAND = _clipboard("Wayland", "WAYLAND_DISPLAY", ("wl-copy", "--type"), "text/plain;charset=utf-8")

X11 = _clipboard("X11", "DISPLAY", ("xclip", "-selection", "clipboard", "-t"), "UTF8_STRING")
