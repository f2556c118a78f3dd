"""The one script that a page may have, `copy.js`: it puts a button on each block of code, which copies it.

The script is always the same text, so that a Content-Security-Policy can name it by hash and need allow nothing else.
"""

from base64 import b64encode
from functools import cache
from hashlib import sha256
from importlib.resources import files

from mdpublish_core import nodes

_SCRIPT_FILE = files("mdpublish_core.page") / "copy.js"


@cache
def copy_script() -> str:
    """Return the script without what only its readers need: lines of comment, and indentation."""
    lines = map(str.strip, _SCRIPT_FILE.read_text("utf-8").splitlines())
    return "\n".join(line for line in lines if line and not line.startswith("//"))


def page_script_hash() -> str:
    """Return the hash of a page's script as a CSP source expression without quotes; it is the same for every page."""
    return f"sha256-{b64encode(sha256(copy_script().encode()).digest()).decode()}"


def has_code(document: nodes.Document) -> bool:
    """Tell whether a page of this document has a block of code; what is not drawn yet is shown as its source."""
    return any(
        isinstance(token, nodes.CodeFence | nodes.BlockCode | nodes.Figure | nodes.MathBlock)
        for token in nodes.walk(document)
    )
