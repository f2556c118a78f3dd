"""Conditional comments of Outlook for Windows: allowed content, and the email with them applied."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_OPENING = re.compile(r"\[if ([^\]<>]*)\]>")
_ENDING = "<![endif]"
# Delimiters of parts hidden from Outlook alone.
_REVEALING = re.compile(r"\[if !mso\]><!|<!\[endif\]")
_TAG = re.compile(r"<(?P<end>/?)(?P<name>[a-zA-Z][\w:-]*)[^<>]*>")

_IN_BODY = frozenset({"table", "tr", "td"})
_IN_HEAD = frozenset({"xml", "o:officedocumentsettings", "o:allowpng", "o:pixelsperinch", "style"})
"""Makes Outlook scale images with the text on high-DPI screens, and gives it rules."""
_STYLE = re.compile(r"(<style>)([^<>]*)(</style>)")


@dataclass(frozen=True, slots=True)
class _Condition:
    start: int
    end: int
    condition: str
    content: str


def open_conditions(html: str) -> str:
    """Return the email as Outlook for Windows reads its body."""
    pieces = []
    position = 0
    for matches in _in(html):
        if not _is_in_head(html, matches):
            pieces += [html[position : matches.start], matches.content]
            position = matches.end
    return "".join(pieces) + html[position:]


def condition_problems(html: str) -> Iterator[str]:
    for matches in _in(html):
        if not re.search(r"(?<!!)mso", matches.condition):
            yield f"<!--[if {matches.condition}]>: only Outlook reads conditions"
        allowed = _IN_HEAD if _is_in_head(html, matches) else _IN_BODY
        names = {match["name"].lower() for match in _TAG.finditer(matches.content)}
        for name in sorted(names - allowed):
            yield f"<!--[if {matches.condition}]> holds <{name}>"
        rest = _TAG.sub("", _STYLE.sub("", matches.content))
        if allowed is _IN_HEAD:
            rest = re.sub(r"\d+", "", rest)
        if rest.strip():
            yield f"<!--[if {matches.condition}]> holds text: {rest.strip()[:40]!r}"
    for content in _comments(html):
        if "[if" in content[2] and not _condition(*content) and not _REVEALING.fullmatch(content[2]):
            yield f"<!--{content[2][:40]}--> is a condition that does not end"


def conditional_styles(html: str) -> Iterator[str]:
    """Yield the stylesheets that Outlook for Windows alone reads."""
    for matches in _in(html):
        if _is_in_head(html, matches):
            yield from (style[2] for style in _STYLE.finditer(matches.content))


def is_opening_a_table(comment: Sequence[object]) -> bool:
    tags = [match["name"].lower() for match in _TAG.finditer("".join(map(str, comment))) if not match["end"]]
    return tags[-3:] == ["table", "tr", "td"]


def _is_in_head(html: str, matches: _Condition) -> bool:
    return matches.start < html.find("</head>")


def _in(html: str) -> Iterator[_Condition]:
    for comment in _comments(html):
        if matches := _condition(*comment):
            yield matches


def _condition(start: int, end: int, content: str) -> _Condition | None:
    opening = _OPENING.match(content)
    if opening is None or not content.endswith(_ENDING):
        return None
    return _Condition(start, end, opening[1], content[opening.end() : -len(_ENDING)])


def _comments(html: str) -> Iterator[tuple[int, int, str]]:
    position = 0
    while (start := html.find("<!--", position)) >= 0 and (end := html.find("-->", start)) >= 0:
        position = end + 3
        yield start, position, html[start + 4 : end]
