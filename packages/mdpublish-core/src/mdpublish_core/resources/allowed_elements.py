"""Allowed elements and attributes (GitHub's allow-lists, and `u`), with validators of values.

URLs are checked by the readers, which can report a notice.
"""

import re
from collections.abc import Callable, Mapping

from mdpublish_core.strings.lazy_patterns import compile_lazily

HEADING_TAGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})

CELL_TAGS = frozenset({"td", "th"})

SECTION_TAGS = frozenset({"thead", "tbody", "tfoot"})

ROW_PARENTS = SECTION_TAGS | {"table"}

GRID_TAGS = ROW_PARENTS | {"tr"}

LIST_TAGS = frozenset({"ul", "ol"})

BLOCK_TAGS = (
    HEADING_TAGS
    | CELL_TAGS
    | GRID_TAGS
    | LIST_TAGS
    | {"blockquote", "caption", "center", "dd", "details", "div", "dl", "dt", "figcaption", "figure", "hr", "li", "p"}
    | {"pre", "summary"}
)
"""GitHub drops `center`; here it becomes a centered `div`."""

_EMPHASIS_TAGS = {"b", "strong", "i", "em", "s", "strike", "del", "ins", "mark", "small", "sub", "sup", "u"}
_WORD_TAGS = {"abbr", "bdo", "cite", "code", "dfn", "kbd", "q", "rp", "rt", "ruby", "samp", "span", "time", "tt", "var"}

INLINE_TAGS = frozenset(_EMPHASIS_TAGS | _WORD_TAGS | {"a", "br", "img", "wbr"})

_SPACE = compile_lazily(r"[ \t\n\f\r]+")
_IGNORED_IN_URLS = compile_lazily(r"[\t\n\r]")
_NAME = compile_lazily(r"[\w.:@/\-]{1,100}")
_SPAN = compile_lazily("0*[1-9][0-9]*")
_MAX_SPAN = 1000
_LENGTH = compile_lazily(r"([0-9]{1,5}(?:\.[0-9]{1,5})?)(?: ?px|(%))?", re.IGNORECASE)

Validator = Callable[[str], str | None]


def collapse_spaces(value: str) -> str:
    """Return a title or an alternative text on one line; Markdown keeps their outer spaces, too."""
    return _SPACE.sub(" ", value)


def single_line(value: str) -> str:
    return collapse_spaces(value).strip()


def fragment_id(value: str) -> str | None:
    value = value.strip()
    return value if _NAME.fullmatch(value) else None


def clean_url(written: str) -> str:
    """Return a URL without what browsers ignore in it."""
    return _IGNORED_IN_URLS.sub("", written).strip()


def dimension(value: str) -> str | None:
    match = _LENGTH.fullmatch(value.strip())
    return match[1] + (match[2] or "") if match else None


def _matching(pattern: str) -> Validator:
    compiled = compile_lazily(pattern)

    def check(value: str) -> str | None:
        value = value.strip()
        return value if compiled.fullmatch(value) else None

    return check


def _one_of(*words: str) -> Validator:
    def check(value: str) -> str | None:
        word = value.strip().lower()
        return word if word in words else None

    return check


def _alignment(value: str) -> str | None:
    """Browsers treat `middle` as `center`."""
    return _one_of("left", "center", "right", "justify")("center" if value.strip().lower() == "middle" else value)


def _boolean(_value: str) -> str:
    return ""


def _span(value: str) -> str | None:
    """Return a number of columns or rows, of at most 1,000, as in browsers."""
    value = value.strip()
    return str(min(int(value.lstrip("0")[:5]), _MAX_SPAN)) if _SPAN.fullmatch(value) else None


_NUMBER = _matching("[0-9]{1,4}")

_GLOBAL_ATTRIBUTES: Mapping[str, Validator] = {
    "dir": _one_of("ltr", "rtl", "auto"),
    "lang": _matching("[A-Za-z0-9-]{1,35}"),
    "title": single_line,
}

_ALIGNMENT_ATTRIBUTES: Mapping[str, Validator] = {
    "align": _alignment,
    "valign": _one_of("top", "middle", "bottom", "baseline"),
}

_CELL_ATTRIBUTES: Mapping[str, Validator] = {
    **_ALIGNMENT_ATTRIBUTES,
    "abbr": single_line,
    "colspan": _span,
    "headers": _matching(r"[A-Za-z0-9_.:\- ]{1,100}"),
    "height": dimension,
    "rowspan": _span,
    "scope": _one_of("row", "col", "rowgroup", "colgroup"),
    "width": dimension,
}

_TABLE_ATTRIBUTES: Mapping[str, Validator] = {
    "align": _alignment,
    "border": _NUMBER,
    "cellpadding": _NUMBER,
    "cellspacing": _NUMBER,
    "rules": _one_of("none", "groups", "rows", "cols", "all"),
    "summary": single_line,
    "width": dimension,
}

_DATETIME_ATTRIBUTES: Mapping[str, Validator] = {"datetime": _matching(r"[0-9A-Za-z:+.\- ]{1,40}")}

_BLOCK_ATTRIBUTES: Mapping[str, Validator] = {"align": _alignment}

_TAG_ATTRIBUTES: Mapping[str, Mapping[str, Validator]] = {
    **dict.fromkeys(HEADING_TAGS | {"blockquote", "caption", "div", "p"}, _BLOCK_ATTRIBUTES),
    **dict.fromkeys(SECTION_TAGS | {"tr"}, _ALIGNMENT_ATTRIBUTES),
    **dict.fromkeys(CELL_TAGS, _CELL_ATTRIBUTES),
    **dict.fromkeys(("ins", "time"), _DATETIME_ATTRIBUTES),
    "table": _TABLE_ATTRIBUTES,
    "details": {"open": _boolean, "name": _matching("[A-Za-z][A-Za-z0-9_-]{0,39}")},
    "ol": {"start": _matching("-?[0-9]{1,9}"), "reversed": _boolean, "type": _matching("[1aAiI]")},
    "li": {"value": _matching("-?[0-9]{1,9}")},
}


def allowed_attributes(tag: str, attributes: Mapping[str, str]) -> dict[str, str]:
    checks = {**_GLOBAL_ATTRIBUTES, **_TAG_ATTRIBUTES.get(tag, {})}
    allowed = {}
    for name, value in attributes.items():
        checked = checks[name](value) if name in checks else None
        if checked is not None:
            allowed[name] = checked
    return allowed
