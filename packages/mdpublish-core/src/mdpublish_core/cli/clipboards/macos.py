"""The macOS pasteboard. `pbcopy` supports only text; JavaScript for Automation reaches AppKit."""

import json
from pathlib import Path

from mdpublish_core.cli.clipboards.clipboard import Clipboard
from mdpublish_core.cli.clipboards.programs import run_for_output, run_with_input
from mdpublish_core.writers.clipboard import ClipboardContents

HTML_TYPE = "public.html"
PLAIN_TEXT_TYPE = "public.utf8-plain-text"


def _script(name: str) -> str:
    return Path(__file__).with_name(f"{name}.jxa").read_text("utf-8")


def _write(contents: ClipboardContents) -> None:
    formats = {HTML_TYPE: contents.html, PLAIN_TEXT_TYPE: contents.plain_text}
    # ASCII, whatever the locale.
    payload = json.dumps({kind: content for kind, content in formats.items() if content is not None}).encode()
    run_with_input(["osascript", "-l", "JavaScript", "-e", _script("write")], payload)


def _read() -> ClipboardContents:
    command = ["osascript", "-l", "JavaScript", "-e", _script("read"), HTML_TYPE, PLAIN_TEXT_TYPE]
    return ClipboardContents(*json.loads(run_for_output(command) or b"[null, null]"))


MACOS = Clipboard("macOS", lambda machine: machine.platform == "darwin", _write, _read, supports_both_formats=True)
