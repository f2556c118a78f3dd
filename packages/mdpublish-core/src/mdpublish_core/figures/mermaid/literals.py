"""Characters of labels that engines take for HTML or for codes, and that the author means as they are.

Engines drop unknown tags from labels, so that `Vec<u8>` would lose its type.
"""

import re
from html.entities import html5

from mdpublish_core.resources.known_elements import KNOWN_TAGS

LESS, HASH = "\ue000", "\ue001"
"""Stand for `<` and `#` while an engine renders."""

_PLAIN = {ord(LESS): "<", ord(HASH): "#"}

# Lines of styles and directives have colors, such as `#fff;`.
_STYLES = r"^[ \t]*(?:style|classDef|linkStyle)\b.*$|%%\{.*$"
# After `<<`, the stereotype of a class, or a state's; `<- copies -` relates requirements.
_TAG = re.compile(
    rf"{_STYLES}|(?<!<)(?P<less><)(?=/?(?P<name>[A-Za-z][\w-]*+)|[ \t\d?]|=(?!=)|-(?![-.>]|[ \t]*+\w++[ \t]*+-))",
    re.MULTILINE,
)
_CODE = re.compile(rf"{_STYLES}|#(?P<code>\d{{1,7}}|[A-Za-z]\w{{1,31}});", re.MULTILINE)

_NUMBER = re.compile(r"^[ \t]*(?:box|rect|#|%%).*$|(?<=[ \t])#(?=[^\s;])(?!\w{1,31};)", re.MULTILINE)
_HTML_CODE = re.compile(r"&#?(\d{1,7}|[A-Za-z]\w{1,31});")

_WORD = re.compile(r"\w")
_MIN_CODE_POINT = 32


def without_unknown_tags(content: str) -> str:
    """Replace the `<` of what is no element of HTML: an unknown name, a type argument such as `List<Object>`, a comparison."""
    if "<" not in content:
        return content

    def replace(match: re.Match[str]) -> str:
        if not match["less"] or _is_element(content, match):
            return match[0]
        return LESS

    return _TAG.sub(replace, content)


def _is_element(content: str, match: re.Match[str]) -> bool:
    name = match["name"]
    if not name or name.lower() not in KNOWN_TAGS:
        return False
    is_type = name[0].isupper() and not (len(name) > 1 and name.isupper())
    return not (is_type and match.start() > 0 and _WORD.match(content, match.start() - 1))


def without_unknown_codes(content: str) -> str:
    """Replace the `#` of what looks like an entity code, but stands for no visible character: `#1;` and `#name;`."""
    if "#" not in content:
        return content

    def replace(match: re.Match[str]) -> str:
        code = match["code"]
        return match[0] if not code or _is_visible(code) else f"{HASH}{code}#59;"

    return _CODE.sub(replace, content)


def without_comment_signs(content: str) -> str:
    """Replace the `#` of `#1`, behind which the text of a sequence diagram would end."""
    return _NUMBER.sub(lambda sign: HASH if sign[0] == "#" else sign[0], content) if "#" in content else content


def without_html_codes(content: str) -> str:
    """Write `&lt;` as Mermaid's `#lt;`, where a semicolon would end a statement."""
    return _HTML_CODE.sub(r"#\1;", content) if "&" in content else content


def with_plain_characters(content: str) -> str:
    """Return what an engine wrote, without stand-ins."""
    return content.translate(_PLAIN) if not content.isascii() else content


def _is_visible(code: str) -> bool:
    if code.isdecimal():
        return int(code) >= _MIN_CODE_POINT
    return f"{code};" in html5
