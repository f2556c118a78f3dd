"""Names of places in code that have its language: programs keep such names, as they keep no attribute of it."""

import re
from urllib.parse import quote, unquote

_MARK = re.compile(r"(?:^(?:x_|m_-?[0-9]{1,30})?_code[0-9]{1,9}|-aw-style-name:code)-([A-Za-z0-9_-]{1,30})$")
_ESCAPES = {"_": "%5F", ".": "%2E", "~": "%7E"}


def code_mark(number: int, language: str) -> str:
    """Return the name of the code of this number, empty if none can have its language."""
    quoted = "".join(_ESCAPES.get(each, each) for each in quote(language, safe=""))
    # Word keeps up to 40 letters, digits and underscores.
    name = f"_code{number}-{quoted.replace('%', '_')}"
    return name if len(name) <= 40 and _MARK.search(name) else ""


def language_in(name: str) -> str:
    """Return the language of a name, before which mail programs write some of their own, or of a style; empty for none."""
    match = _MARK.search(name)
    return unquote(match[1].replace("_", "%")) if match else ""
