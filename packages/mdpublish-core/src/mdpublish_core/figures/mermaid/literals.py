"""Characters of labels that the author means literally, but engines take for HTML or codes; labels of their models.

Engines drop unknown tags from labels, so that `Vec<u8>` would lose its type.
"""

import re
from html import unescape
from html.entities import html5
from typing import Any

from mdpublish_core.resources.known_elements import KNOWN_TAGS

LESS, HASH = "\ue000", "\ue001"
"""Stand for `<` and `#` while an engine renders."""

_SIGNS = {"lt": LESS, "60": LESS, "quot": "\ue002", "34": "\ue002", "amp": "\ue003", "38": "\ue003"}
_PLAIN = {ord(LESS): "<", ord(HASH): "#", 0xE002: '"', 0xE003: "&"}

# Lines of styles and directives have colors, such as `#fff;`.
_STYLES = r"^[ \t]*(?:style|classDef|linkStyle)\b.*$|%%\{.*$"
# After `<<`, the stereotype of a class, or a state's; `<- copies -` relates requirements.
_TAG = re.compile(
    rf"{_STYLES}|(?<!<)(?P<less><)(?=/?(?P<name>[A-Za-z][\w-]*+)|[ \t\d?]|=(?!=)|-(?![-.>]|[ \t]*+\w++[ \t]*+-))",
    re.MULTILINE,
)
_CODE = re.compile(rf"{_STYLES}|#(?P<code>\d{{1,7}}|[A-Za-z]\w{{1,31}});", re.MULTILINE)

_SIGN = re.compile(rf"[#&]#?({'|'.join(_SIGNS)});")
_NUMBER = re.compile(r"^[ \t]*(?:box|rect|#|%%).*$|(?<=[ \t])#(?=[^\s;])(?!\w{1,31};)", re.MULTILINE)
_HTML_CODE = re.compile(r"&#?(\d{1,7}|[A-Za-z]\w{1,31});")

_WORD = re.compile(r"\w")
_MIN_CODE_POINT = 32


def without_unknown_tags(content: str) -> str:
    """Replace the `<` of what is no HTML element: an unknown name, a comparison, a type such as `List<Object>`."""
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
        is_visible = not code or (int(code) >= _MIN_CODE_POINT if code.isdecimal() else f"{code};" in html5)
        return match[0] if is_visible else f"{HASH}{code}#59;"

    return _CODE.sub(replace, content)


def without_signs(content: str) -> str:
    """Replace codes that the engine breaks into two lines, or takes for the start of a tag in its model."""
    return _SIGN.sub(lambda sign: _SIGNS[sign[1]], content)


def without_comment_signs(content: str) -> str:
    """Replace the `#` of `#1`, behind which the text of a sequence diagram would end."""
    return _NUMBER.sub(lambda sign: HASH if sign[0] == "#" else sign[0], content) if "#" in content else content


def without_html_codes(content: str) -> str:
    """Write `&lt;` as Mermaid's `#lt;`, where a semicolon would end a statement."""
    return _HTML_CODE.sub(r"#\1;", content) if "&" in content else content


def with_plain_characters(content: str) -> str:
    """Return what an engine wrote, without stand-ins."""
    return content.translate(_PLAIN) if not content.isascii() else content


Json = dict[str, Any]
"""An object of the engine's JSON."""

# Entity codes such as `#quot;` and `#35;`, as Mermaid encodes them before parsing.
_ENCODED = re.compile("\ufb02\u00b0(\u00b0?)(\\w{1,31})\u00b6\u00df")
_BREAK = re.compile(r"<br\s*/?>|\\n", re.IGNORECASE)
_ANY_TAG = re.compile(r"</?([a-zA-Z][\w-]*)[^<>\n]*>")
_MAX_MARKDOWN = 2_000
"""Characters: finding pairs of asterisks takes quadratic time."""

# Underscores inside a word are no marks.
_EMPHASIS = re.compile(
    r"(?:(?<!\w)(?=_)|(?=\*))(?P<marks>([*_])\2{0,2})(?!\s|\2)(?P<words>.+?)(?<!\s)(?:(?<!\2)|(?=\2\2))(?P=marks)(?!\2)(?!(?<=_)\w)"
)


def split_emphasis(label: str, marks: str = "") -> list[tuple[str, str]]:
    """Return the parts of a Markdown label, each with the asterisks or underscores around it, as asterisks."""
    if len(label) > _MAX_MARKDOWN:
        return [(label, marks)]
    parts, position = [], 0
    for match in _EMPHASIS.finditer(label):
        parts += [(label[position : match.start()], marks)]
        parts += split_emphasis(match["words"], marks + "*" * len(match["marks"]))
        position = match.end()
    return [*parts, (label[position:], marks)]


def unbroken(label: str) -> str:
    """Return a label with spaces for its breaks."""
    return _BREAK.sub(" ", label)


def plain_label(label: object, *, is_markdown: bool = False) -> str:
    """Return a label's words on one line, without markup."""
    if not isinstance(label, str):
        return ""
    plain = _ENCODED.sub(lambda code: unescape(f"&{'#' if code[1] else ''}{code[2]};"), label)
    plain = _ANY_TAG.sub(lambda tag: "" if tag[1].lower() in KNOWN_TAGS else tag[0], unbroken(plain))
    if is_markdown:
        plain = "".join(part for part, _ in split_emphasis(plain.strip("`")))
    return " ".join(with_plain_characters(unescape(plain)).split())


def number_text(value: object) -> str:
    """Write whole numbers without a fraction."""
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return str(value) if isinstance(value, int | float) else ""
