"""The X11 clipboard through `xclip`, which supports one format."""

from mdpublish_core.cli.clipboards.clipboard import Clipboard, HostSystem
from mdpublish_core.cli.clipboards.programs import run_with_input
from mdpublish_core.writers.clipboard import ClipboardContents


def _is_available(machine: HostSystem) -> bool:
    return bool(machine.environment.get("DISPLAY") and machine.which("xclip"))


def _write(contents: ClipboardContents) -> None:
    if contents.html is not None:
        run_with_input(["xclip", "-selection", "clipboard", "-t", "text/html"], contents.html.encode())
    elif contents.plain_text is not None:
        run_with_input(["xclip", "-selection", "clipboard", "-t", "UTF8_STRING"], contents.plain_text.encode())


X11 = Clipboard("X11", _is_available, _write, supports_both_formats=False)
