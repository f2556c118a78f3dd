"""Contents of the Windows clipboard and cleanup of its resources, with fake Windows functions."""

import ctypes
import re
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import click
import pytest

from mdpublish_core import convert
from mdpublish_core.cli.clipboards.windows import (
    CF_UNICODETEXT,
    Libraries,
    html_format,
    html_of,
    read,
    unicode_text,
    write,
)
from mdpublish_core.writers.clipboard import ClipboardContents

HTML_FORMAT = 0xC123
MARKDOWN = "# „Größe“ 中 😀\n\nText &amp; mehr\n"
USED = [
    "RegisterClipboardFormatW",
    "GlobalAlloc",
    "GlobalLock",
    "CreateWindowExW",
    "EmptyClipboard",
    "SetClipboardData",
]


class Function:
    """A library function. ctypes must know its types before it is called."""

    def __init__(self, implementation: Callable[..., Any]) -> None:
        self.implementation = implementation
        self.argtypes: list[Any] | None = None
        self.restype: Any = None

    def __call__(self, *arguments: Any) -> Any:
        assert self.argtypes is not None
        assert self.restype is not None
        for kind, argument in zip(self.argtypes, arguments, strict=True):
            kind.from_param(argument)
        return self.implementation(*arguments)


def _library(functions: dict[str, Callable[..., Any]]) -> SimpleNamespace:
    return SimpleNamespace(**{name: Function(implementation) for name, implementation in functions.items()})


class Windows:
    """The clipboard functions of Windows. `failing` names the one that returns 0; `busy` is how often opening fails."""

    def __init__(self, *, failing: str | None = None, busy: int = 0) -> None:
        self.memory: dict[int, ctypes.Array[ctypes.c_char]] = {}
        self.owned: dict[int, ctypes.Array[ctypes.c_char]] = {}
        """Memory of the clipboard's contents."""
        self.clipboard: dict[int, bytes] = {1: b"of old"}
        self.windows: set[int] = set()
        self.opened_by: int | None = None
        self.busy = busy
        user32: dict[str, Callable[..., Any]] = {
            "RegisterClipboardFormatW": lambda name: HTML_FORMAT * (name == "HTML Format"),
            "CreateWindowExW": self.create_window,
            "DestroyWindow": self.destroy_window,
            "OpenClipboard": self.open,
            "EmptyClipboard": self.empty,
            "SetClipboardData": self.set_data,
            "GetClipboardData": self.get_data,
            "CloseClipboard": self.close,
        }
        kernel32: dict[str, Callable[..., Any]] = {
            "GlobalAlloc": self.allocate,
            "GlobalLock": lambda handle: ctypes.addressof((self.memory | self.owned)[handle]),
            "GlobalSize": lambda handle: len(self.owned[handle]),
            "GlobalUnlock": lambda _handle: 0,  # returns whether the memory is still locked
            "GlobalFree": lambda handle: self.memory.pop(handle) and None,
        }
        for functions in (user32, kernel32):
            if failing in functions:
                functions[failing] = lambda *_: 0
        self.libraries = Libraries(_library(user32), _library(kernel32), lambda: 1418)

    def create_window(self, *_: object) -> int:
        self.windows.add(77)
        return 77

    def destroy_window(self, window: int) -> int:
        self.windows.remove(window)
        return 1

    def open(self, window: int | None) -> int:
        assert window is None or window in self.windows
        self.busy -= 1
        if self.busy >= 0:
            return 0
        self.opened_by = window or 1
        return 1

    def empty(self) -> int:
        assert self.opened_by
        self.clipboard.clear()
        return 1

    def set_data(self, number: int, handle: int) -> int:
        assert self.opened_by
        self.clipboard[number] = self.memory.pop(handle).raw
        return handle

    def get_data(self, number: int) -> int:
        assert self.opened_by
        if number not in self.clipboard:
            return 0
        handle = 0x6FF_0000_0000 + number
        self.owned[handle] = ctypes.create_string_buffer(self.clipboard[number], len(self.clipboard[number]))
        return handle

    def close(self) -> int:
        self.opened_by = None
        return 1

    def allocate(self, flags: int, size: int) -> int:
        assert flags == 2, "the clipboard takes movable memory alone"
        handle = 0x7FF_0000_0000 + len(self.memory)
        self.memory[handle] = ctypes.create_string_buffer(size)
        return handle


def fragment_and_page(data: bytes) -> tuple[str, str]:
    """Parse the HTML clipboard format (CF_HTML) by its offsets. Return the fragment and its page."""
    header = re.match(rb"Version:0\.9\r\n((?:[A-Za-z]+:[0-9]+\r\n)+)", data)
    assert header
    offsets = {name.decode(): int(value) for name, value in re.findall(rb"([A-Za-z]+):([0-9]+)", header[1])}
    assert list(offsets) == ["StartHTML", "EndHTML", "StartFragment", "EndFragment"]
    assert offsets["StartHTML"] == header.end()
    assert offsets["EndHTML"] == len(data)
    assert data[: offsets["StartFragment"]].endswith(b"<!--StartFragment-->")
    assert data[offsets["EndFragment"] :].startswith(b"<!--EndFragment-->")
    return (
        data[offsets["StartFragment"] : offsets["EndFragment"]].decode(),
        data[offsets["StartHTML"] : offsets["EndHTML"]].decode(),
    )


def test_part_of_a_page_is_the_fragment_of_a_page_around_it() -> None:
    html = convert(MARKDOWN, to="html").html

    fragment, page = fragment_and_page(html_format(html))

    assert fragment == html
    assert page == f"<html><body><!--StartFragment-->{html}<!--EndFragment--></body></html>"


def test_fragment_for_word_is_the_one_that_it_marks_itself() -> None:
    html = convert(MARKDOWN, to="word").html

    fragment, page = fragment_and_page(html_format(html))

    assert page == html
    assert "„Größe“ 中 😀" in fragment
    assert "<body" not in fragment


@pytest.mark.parametrize("destination", ["email", "onenote"])
def test_fragment_of_a_whole_page_is_its_body(destination: str) -> None:
    html = convert(MARKDOWN, to=destination).text

    fragment, page = fragment_and_page(html_format(html))

    assert page.replace("<!--StartFragment-->", "").replace("<!--EndFragment-->", "") == html
    assert re.search(r"<body[^>]*><!--StartFragment-->", page)
    assert "<!--EndFragment--></body>" in page
    assert "„Größe“ 中 😀" in fragment


@pytest.mark.parametrize(
    "html", ["<body>a", "a</body><body>", "<!--EndFragment-->a<!--StartFragment-->", "<!--StartFragment-->a", ""]
)
def test_half_a_mark_that_an_author_wrote_is_no_mark(html: str) -> None:
    assert fragment_and_page(html_format(html))[0] == html


def test_text_is_utf_16_with_line_ends_of_windows_and_a_nul() -> None:
    assert unicode_text("中\n😀\n").decode("utf-16-le") == "中\r\n😀\r\n\0"


def test_both_contents_take_the_place_of_the_old() -> None:
    windows = Windows()

    write(ClipboardContents("<p>ü</p>", "ü"), windows.libraries)

    assert windows.clipboard.keys() == {HTML_FORMAT, CF_UNICODETEXT}
    assert windows.clipboard[HTML_FORMAT] == html_format("<p>ü</p>") + b"\0"
    assert windows.clipboard[CF_UNICODETEXT] == "ü\0".encode("utf-16-le")


def test_text_alone_is_put_alone() -> None:
    windows = Windows()

    write(ClipboardContents(None, "ü"), windows.libraries)

    assert windows.clipboard.keys() == {CF_UNICODETEXT}


def test_program_that_holds_the_clipboard_is_waited_for() -> None:
    windows = Windows(busy=3)

    write(ClipboardContents(None, "ü"), windows.libraries)

    assert windows.clipboard.keys() == {CF_UNICODETEXT}


def test_program_that_does_not_let_go_is_reported() -> None:
    windows = Windows(busy=1000)

    with pytest.raises(click.ClickException, match="another program is using the clipboard; try again"):
        write(ClipboardContents("<p>a</p>", "a"), windows.libraries)
    assert windows.clipboard == {1: b"of old"}
    assert not windows.memory
    assert not windows.windows


@pytest.mark.parametrize("function", USED)
def test_function_that_fails_leaves_nothing_open_and_no_memory(function: str) -> None:
    windows = Windows(failing=function)

    with pytest.raises(click.ClickException, match=rf"{function.removesuffix('W')} failed with Windows error 1418"):
        write(ClipboardContents("<p>a</p>", "a"), windows.libraries)
    assert not windows.memory
    assert not windows.windows
    assert windows.opened_by is None
    if function != "SetClipboardData":
        assert windows.clipboard == {1: b"of old"}


def test_what_was_written_is_read() -> None:
    windows = Windows()
    write(ClipboardContents(convert(MARKDOWN, to="word").html, "ü\n中"), windows.libraries)

    contents = read(windows.libraries)

    assert contents == ClipboardContents(convert(MARKDOWN, to="word").html, "ü\n中")
    assert windows.opened_by is None


def test_what_is_not_there_is_none() -> None:
    assert read(Windows().libraries) == ClipboardContents(None, None)


@pytest.mark.parametrize(
    "header",
    [
        "",
        "Version:0.9\r\nStartHTML:-1\r\nEndHTML:-1\r\n",
        "Version:1.0\r\nStartHTML:000000020\r\nEndHTML:999999999\r\n",
    ],
)
def test_html_whose_offsets_are_wrong_follows_the_header(header: str) -> None:
    assert html_of(f"{header}<p>中</p>\0rest".encode()) == "<p>中</p>"


def test_memory_that_cannot_be_locked_is_reported_and_the_clipboard_closed() -> None:
    windows = Windows(failing="GlobalLock")
    windows.clipboard[CF_UNICODETEXT] = b"a\0"

    with pytest.raises(click.ClickException, match="cannot use the clipboard: GlobalLock failed"):
        read(windows.libraries)
    assert windows.opened_by is None
