"""Copy buttons. The script never varies, so a Content-Security-Policy can allow it by hash."""

from functools import cache
from pathlib import Path

from mdpublish_core import nodes

_SCRIPT_FILE = Path(__file__).with_name("copy.js")


@cache
def copy_script() -> str:
    """Return the script, minified."""
    lines = map(str.strip, _SCRIPT_FILE.read_text("utf-8").splitlines())
    return "\n".join(line for line in lines if line and not line.startswith("//"))


def page_script_hash() -> str:
    """Return the hash of every page's script, as an unquoted CSP source expression."""
    from base64 import b64encode
    from hashlib import sha256

    return f"sha256-{b64encode(sha256(copy_script().encode()).digest()).decode()}"


def has_code(document: nodes.Document) -> bool:
    """Include figures and math: they may be shown as source."""
    return any(
        isinstance(token, nodes.CodeFence | nodes.BlockCode | nodes.Figure | nodes.MathBlock)
        for token in nodes.walk(document)
    )
