"""The pasteboard of macOS, through `osascript`, which every macOS has.

`pbcopy` takes text alone. Scripts in JavaScript reach AppKit's own classes:
https://developer.apple.com/library/archive/releasenotes/InterapplicationCommunication/RN-JavaScriptForAutomation/
"""

import json

from mdpublish_core.cli.clipboards.clipboard import Clipboard, Contents, Machine
from mdpublish_core.cli.clipboards.programs import feed

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

HTML = "public.html"
TEXT = "public.utf8-plain-text"
"""The names of types: https://developer.apple.com/documentation/uniformtypeidentifiers/system-declared-uniform-type-identifiers"""


def _is_there(machine: Machine) -> bool:
    return machine.platform == "darwin"


def _put(contents: Contents) -> None:
    given = {HTML: contents.html, TEXT: contents.text}
    # json writes what is beyond ASCII escaped, so that no encoding of the terminal plays a part.
    content = json.dumps({kind: text for kind, text in given.items() if text is not None}).encode()
    feed(["osascript", "-l", "JavaScript", "-e", SCRIPT], content)


MACOS = Clipboard("macOS", _is_there, _put, holds_both=True)
