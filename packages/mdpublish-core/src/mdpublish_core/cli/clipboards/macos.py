"""The macOS pasteboard. `pbcopy` supports only text; JavaScript for Automation reaches AppKit."""

import json

from mdpublish_core.cli.clipboards.clipboard import Clipboard
from mdpublish_core.cli.clipboards.programs import run_for_output, run_with_input
from mdpublish_core.writers.clipboard import ClipboardContents

SCRIPT = """
function run() {
    ObjC.import("AppKit");
    const given = $.NSFileHandle.fileHandleWithStandardInput.readDataToEndOfFile;
    const contents = JSON.parse(ObjC.unwrap($.NSString.alloc.initWithDataEncoding(given, $.NSUTF8StringEncoding)));
    const item = $.NSPasteboardItem.alloc.init;
    for (const [type, content] of Object.entries(contents)) {
        if (!item.setStringForType($(content), $(type))) throw new Error("the pasteboard rejected the type " + type);
    }
    const pasteboard = $.NSPasteboard.generalPasteboard;
    pasteboard.clearContents;
    if (!pasteboard.writeObjects($([item]))) throw new Error("the pasteboard rejected the contents");
}
"""
"""One item with all types. JXA calls methods without arguments by name."""

READING_SCRIPT = """
function run(types) {
    ObjC.import("AppKit");
    const contents = types.map((type) => $.NSPasteboard.generalPasteboard.stringForType($(type)));
    return JSON.stringify(contents.map((content) => content.isNil() ? null : ObjC.unwrap(content)));
}
"""

HTML_TYPE = "public.html"
PLAIN_TEXT_TYPE = "public.utf8-plain-text"


def _write(contents: ClipboardContents) -> None:
    formats = {HTML_TYPE: contents.html, PLAIN_TEXT_TYPE: contents.plain_text}
    # ASCII, whatever the locale.
    payload = json.dumps({kind: content for kind, content in formats.items() if content is not None}).encode()
    run_with_input(["osascript", "-l", "JavaScript", "-e", SCRIPT], payload)


def _read() -> ClipboardContents:
    command = ["osascript", "-l", "JavaScript", "-e", READING_SCRIPT, HTML_TYPE, PLAIN_TEXT_TYPE]
    return ClipboardContents(*json.loads(run_for_output(command) or b"[null, null]"))


MACOS = Clipboard("macOS", lambda machine: machine.platform == "darwin", _write, _read, supports_both_formats=True)
