"""The pasteboard of macOS, through `osascript`, which every macOS has.

`pbcopy` takes text alone. Scripts in JavaScript reach AppKit's own classes:
https://developer.apple.com/library/archive/releasenotes/InterapplicationCommunication/RN-JavaScriptForAutomation/
"""

import json

from mdpublish_core.cli.clipboards.clipboard import Clipboard, ClipboardContents, HostSystem
from mdpublish_core.cli.clipboards.programs import run_with_input

SCRIPT = """
function run() {
    ObjC.import("AppKit");
    const given = $.NSFileHandle.fileHandleWithStandardInput.readDataToEndOfFile;
    const contents = JSON.parse(ObjC.unwrap($.NSString.alloc.initWithDataEncoding(given, $.NSUTF8StringEncoding)));
    const item = $.NSPasteboardItem.alloc.init;
    for (const [type, content] of Object.entries(contents)) {
        if (!item.setStringForType($(content), $(type))) throw new Error("the pasteboard does not take " + type);
    }
    const pasteboard = $.NSPasteboard.generalPasteboard;
    pasteboard.clearContents;
    if (!pasteboard.writeObjects($([item]))) throw new Error("the pasteboard takes nothing");
}
"""
"""One item that holds all, so that whoever pastes takes what it likes best. A method without arguments is called by its
name, without parentheses."""

HTML_TYPE = "public.html"
PLAIN_TEXT_TYPE = "public.utf8-plain-text"
"""The names of types: https://developer.apple.com/documentation/uniformtypeidentifiers/system-declared-uniform-type-identifiers"""


def _is_available(machine: HostSystem) -> bool:
    return machine.platform == "darwin"


def _write(contents: ClipboardContents) -> None:
    formats = {HTML_TYPE: contents.html, PLAIN_TEXT_TYPE: contents.plain_text}
    # json writes what is beyond ASCII escaped, so that no encoding of the terminal plays a part.
    payload = json.dumps({kind: content for kind, content in formats.items() if content is not None}).encode()
    run_with_input(["osascript", "-l", "JavaScript", "-e", SCRIPT], payload)


MACOS = Clipboard("macOS", _is_available, _write, supports_both_formats=True)
