"""The Windows clipboard: text as `CF_UNICODETEXT`, HTML as `HTML Format`.

https://learn.microsoft.com/windows/win32/dataxchg/html-clipboard-format
https://learn.microsoft.com/windows/win32/dataxchg/using-the-clipboard
"""

import ctypes
import re
import sys
import time
from collections.abc import Callable
from ctypes import wintypes
from typing import Any, NamedTuple

import click

from mdpublish_core.cli.clipboards.clipboard import Clipboard
from mdpublish_core.data_files import read_table
from mdpublish_core.html import HtmlWriter
from mdpublish_core.writers.clipboard import ClipboardContents

CF_UNICODETEXT = 13
"""https://learn.microsoft.com/windows/win32/dataxchg/standard-clipboard-formats"""

_GMEM_MOVEABLE = 0x0002
_ATTEMPTS = 20
_PAUSE = 0.05
"""Seconds. Other programs may hold the clipboard: retry for one second."""

_HEADER = (
    "Version:0.9\r\n"
    "StartHTML:{:010}\r\n"
    "EndHTML:{:010}\r\n"
    "StartFragment:{:010}\r\n"
    "EndFragment:{:010}\r\n"
)  # fmt: skip
_OFFSET = re.compile(rb"(StartHTML|EndHTML):(-?[0-9]{1,12})")
_MAX_HEADER_BYTES = 1_000
_START = "StartFragment"
_END = "EndFragment"


class Libraries(NamedTuple):
    """Windows DLLs."""

    user32: Any
    kernel32: Any
    last_error: Callable[[], int]


def html_format(html: str) -> bytes:
    """Encode as `HTML Format`: byte offsets and a page with a marked fragment.

    The fragment is the content of `body`, unless comments mark another, as in output for Word.
    """
    before, fragment, after = (part.encode() for part in _split_fragment(html))
    start = len(_HEADER.format(0, 0, 0, 0))
    inner = start + len(before)
    end = inner + len(fragment)
    header = _HEADER.format(start, end + len(after), inner, end)
    return header.encode() + before + fragment + after


def _split_fragment(html: str) -> tuple[str, str, str]:
    start, end = _comment(_START), _comment(_END)
    first, last = html.find(start), html.rfind(end)
    if 0 <= first < last:
        first += len(start)
        return html[:first], html[first:last], html[last:]
    body, last = re.search(r"<body\b[^>]*>", html), html.rfind("</body")  # our writer escapes > in attributes
    if body and body.end() <= last:
        return html[: body.end()] + start, html[body.end() : last], end + html[last:]
    writer = HtmlWriter()
    writer.start("html")
    writer.start("body")
    writer.comment(_START)
    writer.comment(_END)
    writer.end()
    writer.end()
    before, _, after = writer.finish().partition(end)
    return before, html, end + after


def _comment(content: str) -> str:
    writer = HtmlWriter()
    writer.comment(content)
    return writer.finish()


def unicode_text(content: str) -> bytes:
    return (content.replace("\n", "\r\n") + "\0").encode("utf-16-le")


def write(contents: ClipboardContents, windows: Libraries) -> None:
    _declare_signatures(windows)
    formats: list[tuple[int, bytes]] = []
    if contents.html is not None:
        number = windows.user32.RegisterClipboardFormatW("HTML Format")
        formats.append((_checked(number, windows, "RegisterClipboardFormat"), html_format(contents.html) + b"\0"))
    if contents.plain_text is not None:
        formats.append((CF_UNICODETEXT, unicode_text(contents.plain_text)))
    memory: dict[int, int] = {}
    try:
        # If allocation fails, the clipboard keeps its contents.
        for number, data in formats:
            memory[number] = _allocate(data, windows)
        _set_clipboard_data(memory, windows)
    finally:
        for handle in memory.values():
            windows.kernel32.GlobalFree(handle)


def read(windows: Libraries) -> ClipboardContents:
    _declare_signatures(windows)
    number = windows.user32.RegisterClipboardFormatW("HTML Format")
    _open(None, windows)
    try:
        html, plain_text = (_clipboard_data(kind, windows) for kind in (number, CF_UNICODETEXT))
    finally:
        windows.user32.CloseClipboard()
    return ClipboardContents(
        None if html is None else html_of(html),
        None
        if plain_text is None
        else plain_text.decode("utf-16-le", "replace").partition("\0")[0].replace("\r\n", "\n"),
    )


def html_of(data: bytes) -> str:
    """Return the page of `HTML Format`, or what follows its header if a program counted wrong."""
    content = data.partition(b"\0")[0]
    offsets = {key: int(value) for key, value in _OFFSET.findall(content[:_MAX_HEADER_BYTES])}
    start, end = offsets.get(b"StartHTML", -1), offsets.get(b"EndHTML", -1)
    if not 0 < start < end <= len(content):
        start, end = max(content.find(b"<"), 0), len(content)
    return content[start:end].decode("utf-8", "replace")


def _clipboard_data(number: int, windows: Libraries) -> bytes | None:
    """Return contents of the open clipboard, which owns them."""
    if not (handle := windows.user32.GetClipboardData(number)):
        return None
    start = _checked(windows.kernel32.GlobalLock(handle), windows, "GlobalLock")
    data = ctypes.string_at(start, windows.kernel32.GlobalSize(handle))
    windows.kernel32.GlobalUnlock(handle)
    return data


def _set_clipboard_data(memory: dict[int, int], windows: Libraries) -> None:
    """Remove from `memory` what Windows now owns."""
    user32 = windows.user32
    # EmptyClipboard's documentation: SetClipboardData fails without an owner window.
    window = user32.CreateWindowExW(0, "STATIC", None, 0, 0, 0, 0, 0, None, None, None, None)
    _checked(window, windows, "CreateWindowEx")
    try:
        _open(window, windows)
        try:
            _checked(user32.EmptyClipboard(), windows, "EmptyClipboard")
            for number in list(memory):
                _checked(user32.SetClipboardData(number, memory[number]), windows, "SetClipboardData")
                del memory[number]
        finally:
            user32.CloseClipboard()
    finally:
        user32.DestroyWindow(window)


def _open(window: int | None, windows: Libraries) -> None:
    for attempt in range(_ATTEMPTS):
        if attempt:
            time.sleep(_PAUSE)
        if windows.user32.OpenClipboard(window):
            return
    raise click.ClickException("another program is using the clipboard; try again")


def _allocate(data: bytes, windows: Libraries) -> int:
    kernel32 = windows.kernel32
    handle = _checked(kernel32.GlobalAlloc(_GMEM_MOVEABLE, len(data)), windows, "GlobalAlloc")
    try:
        ctypes.memmove(_checked(kernel32.GlobalLock(handle), windows, "GlobalLock"), data, len(data))
    except click.ClickException:
        kernel32.GlobalFree(handle)
        raise
    kernel32.GlobalUnlock(handle)
    return handle


def _checked(returned: int | None, windows: Libraries, name: str) -> int:
    if not returned:
        raise click.ClickException(f"cannot use the clipboard: {name} failed with Windows error {windows.last_error()}")
    return returned


def _declare_signatures(windows: Libraries) -> None:
    """Declare signatures: ctypes would truncate handles to 32 bits."""
    for library, name, returned, *taken in read_table(__file__, "windows_functions.tsv"):
        function = getattr(getattr(windows, library), name)
        function.restype, function.argtypes = _type_of(returned), [*map(_type_of, taken)]


def _type_of(name: str) -> Any:
    return getattr(wintypes, name, None) or getattr(ctypes, name)


def _libraries() -> Libraries:
    if sys.platform == "win32":
        user32, kernel32 = (ctypes.WinDLL(name, use_last_error=True) for name in ("user32", "kernel32"))
        return Libraries(user32, kernel32, ctypes.get_last_error)
    raise AssertionError("not on Windows")


WINDOWS = Clipboard(
    "Windows",
    lambda machine: machine.platform == "win32",
    lambda contents: write(contents, _libraries()),
    lambda: read(_libraries()),
    supports_both_formats=True,
)
