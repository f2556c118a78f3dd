"""The clipboards of Wayland and X11, through `wl-copy` and `xclip`, which support one format."""

from codecs import BOM_UTF16_BE, BOM_UTF16_LE

from mdpublish_core.cli.clipboards.clipboard import Clipboard, HostSystem
from mdpublish_core.cli.clipboards.programs import run_for_output, run_with_input
from mdpublish_core.writers.clipboard import ClipboardContents


def _clipboard(
    name: str, display: str, command: tuple[str, ...], reading: tuple[str, ...], text_type: str
) -> Clipboard:
    """Return the clipboard of the session that `display` names; the type of content follows each of its commands."""

    def is_available(machine: HostSystem) -> bool:
        return bool(machine.environment.get(display) and machine.which(command[0]))

    def write(contents: ClipboardContents) -> None:
        if contents.html is not None:
            run_with_input([*command, "text/html"], contents.html.encode())
        elif contents.plain_text is not None:
            run_with_input([*command, text_type], contents.plain_text.encode())

    def read() -> ClipboardContents:
        html, plain_text = (run_for_output([*reading, kind]) for kind in ("text/html", text_type))
        return ClipboardContents(_decoded(html), _decoded(plain_text))

    return Clipboard(name, is_available, write, read, supports_both_formats=False)


def _decoded(content: bytes | None) -> str | None:
    if content is None:
        return None
    # Firefox writes HTML in UTF-16 on X11.
    is_utf_16 = content.startswith((BOM_UTF16_LE, BOM_UTF16_BE))
    return content.decode("utf-16" if is_utf_16 else "utf-8-sig", "replace").rstrip("\0")


# It offers HTML source as text, and plain text under the other text types, too.
WAYLAND = _clipboard(
    "Wayland",
    "WAYLAND_DISPLAY",
    ("wl-copy", "--type"),
    ("wl-paste", "--no-newline", "--type"),
    "text/plain;charset=utf-8",
)

_XCLIP = ("xclip", "-selection", "clipboard")

X11 = _clipboard("X11", "DISPLAY", (*_XCLIP, "-t"), (*_XCLIP, "-o", "-t"), "UTF8_STRING")
