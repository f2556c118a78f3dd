"""Copy buttons, and hashes for a Content-Security-Policy: of their constant script, and of a page's style."""

from functools import cache
from pathlib import Path

from mdpublish_core import nodes
from mdpublish_core.arguments import require_type
from mdpublish_core.errors import InvalidArgument
from mdpublish_core.html import first_stylesheet

_SCRIPT_FILE = Path(__file__).with_name("copy.js")


@cache
def copy_script() -> str:
    """Return the script, minified."""
    lines = map(str.strip, _SCRIPT_FILE.read_text("utf-8").splitlines())
    return "\n".join(line for line in lines if line and not line.startswith(("//", "/**")))


def page_script_hash() -> str:
    """Return the hash of every page's script, as an unquoted CSP source expression."""
    return _csp_hash(copy_script())


def page_style_hash(html: str) -> str:
    """Return the hash of a page's stylesheet, as an unquoted CSP source expression.

    Raises `InvalidArgument` for HTML without a stylesheet.
    """
    require_type("html", html, str)
    stylesheet = first_stylesheet(html)
    if stylesheet is None:
        raise InvalidArgument("html", "must be a page, as the output `page` has it (got HTML without a stylesheet)")
    return _csp_hash(stylesheet)


def _csp_hash(content: str) -> str:
    from base64 import b64encode
    from hashlib import sha256

    return f"sha256-{b64encode(sha256(content.encode()).digest()).decode()}"


def has_code(document: nodes.Document) -> bool:
    """Include figures and math: they may be shown as source."""
    return any(
        isinstance(token, nodes.CodeFence | nodes.BlockCode | nodes.Figure | nodes.MathBlock)
        for token in nodes.walk(document)
    )
