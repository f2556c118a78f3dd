"""The clipboard of X11, through `xclip`, which holds one content."""

from mdpublish_core.cli.clipboards.clipboard import Clipboard, Contents, Machine
from mdpublish_core.cli.clipboards.programs import feed


def _is_there(machine: Machine) -> bool:
    return bool(machine.environment.get("DISPLAY") and machine.which("xclip"))


def _put(contents: Contents) -> None:
    if contents.html is not None:
        feed(["xclip", "-selection", "clipboard", "-t", "text/html"], contents.html.encode())
    elif contents.text is not None:
        feed(["xclip", "-selection", "clipboard", "-t", "UTF8_STRING"], contents.text.encode())


X11 = Clipboard("X11", _is_there, _put, holds_both=False)
