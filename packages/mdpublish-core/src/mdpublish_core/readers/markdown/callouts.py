"""Marks of callouts: Obsidian's in quotes, fences of colons, and indented blocks.

Sources: GitHub's alerts; Obsidian's help, "Callouts"; Docusaurus and VitePress, "Admonitions" and "Custom containers";
Pandoc's manual, `fenced_divs`; Python-Markdown, "Admonition"; PyMdown, "Details" and "Tabbed".
"""

import re
from typing import Literal, NamedTuple, cast

from mdpublish_core.data_files import read_words
from mdpublish_core.nodes import CalloutKind
from mdpublish_core.strings.lazy_patterns import compile_lazily

_KINDS = {
    name: cast("CalloutKind", kind) for kind, names in read_words(__file__, "callouts.tsv").items() for name in names
}

NAMES = frozenset({*_KINDS, "details"})
"""Names of callouts that programs know; any other name makes a note."""

_GITHUB_KINDS = frozenset(_KINDS.values())

_QUOTE_MARK = compile_lazily(rf"\[!({'|'.join(_KINDS)})\]([-+]?)(?:[ \t]+|$)", re.IGNORECASE)
_CUSTOM_QUOTE_MARK = compile_lazily(r"\[!([A-Za-z][\w-]*)(?:\|[^\[\]\n]*)?\]([-+]?)(?:[ \t]+|$)", re.ASCII)
_FENCE = compile_lazily(r"(:{3,})[ \t]*+(?:([A-Za-z][\w-]*+)(?!\.\w)|(?=\{))", re.ASCII)
_ATTRIBUTE_CLASS = compile_lazily(r"[ \t]*+\.?(?:callout-)?([A-Za-z][\w-]*+)(?!=)", re.ASCII)
_TITLE_ATTRIBUTE = compile_lazily(r"""(?<![\w-])title=(?:"([^"]*)"|'([^']*)')""")
_CLASSES = compile_lazily(r"(?:[\w-]++[ \t]++|(?!))*+", re.ASCII)
_INDENTED_MARK = compile_lazily(r"(!!!|\?\?\?\+?)[ \t]*+([A-Za-z][\w-]*+)(?![^ \t])", re.ASCII)
_TITLE_ALONE = compile_lazily(r'(\?\?\?\+?)[ \t]*+"([^\n]+)"[ \t]*$')

_TAB_MARK = compile_lazily(r'===(!?)\+?[ \t]*+"(?=[^"])([^\n]*)"[ \t]*$')

_FOLDS: dict[str, Literal["", "-", "+"]] = {"": "", "-": "-", "+": "+", "!!!": "", "???": "-", "???+": "+"}

# Material for MkDocs: where the block floats.
_LAYOUT_CLASSES = frozenset({"inline", "end"})


class CalloutMark(NamedTuple):
    """A mark: the kind, its name as written, whether it is folded, and the source of its title.

    The name is empty for GitHub's own marks. A kind of None is a `details` element.
    """

    kind: CalloutKind | None
    name: str
    fold: Literal["", "-", "+"]
    title: str


def read_quote_mark(line: str, *, is_custom: bool = False) -> CalloutMark | None:
    """Read `[!info]- Title`, the first line of a quote; unknown kinds are none, as on GitHub, or as in Obsidian, notes."""
    if not (match := (_CUSTOM_QUOTE_MARK if is_custom else _QUOTE_MARK).match(line)):
        return None
    name, fold = match[1], _FOLDS[match[2]]
    title = line[match.end() :].rstrip(" \t")
    is_github = name.lower() in _GITHUB_KINDS and not title and not fold
    return CalloutMark(_KINDS.get(name.lower(), "note"), "" if is_github else name, fold, title)


def read_fence(line: str, start: int) -> tuple[int, CalloutMark] | None:
    """Read `:::note Title`, `:::note[Title]` or `:::{.note title="Title"}`; return the colons' number and the mark."""
    if not (match := _FENCE.match(line, start)):
        return None
    name = match[2] or ""
    rest = line[match.end() :].strip(" \t")
    title = ""
    if rest.startswith("[") and "]" in rest:
        title, _, rest = rest[1:].rpartition("]")
    rest = rest.lstrip(" \t")
    if rest.startswith("{") and "}" in rest:
        attributes, _, rest = rest[1:].partition("}")
        named = _ATTRIBUTE_CLASS.match(attributes)
        name = name or (named[1] if named else "")
        titled = _TITLE_ATTRIBUTE.search(attributes)
        title = title or (titled[titled.lastindex or 0] if titled else "")
    if not name:
        return None
    if rest.endswith(":::"):
        rest = rest.rstrip(":")
    rest = rest.strip(" \t")
    return len(match[1]), _mark(name, "", f"{title} {rest}" if title and rest else title or rest)


def read_indented_mark(line: str, start: int = 0) -> CalloutMark | None:
    """Read `!!! note "Title"`, `??? note` or `???+ note`, and `=== "Title"`, a tab; `===!` begins a set of tabs."""
    if line.startswith("=", start):
        tab = _TAB_MARK.match(line, start)
        return CalloutMark(None, "tab!" if tab[1] else "tab", "", tab[2]) if tab else None
    if not (match := _INDENTED_MARK.match(line, start)):
        alone = _TITLE_ALONE.match(line, start)
        return _mark("details", _FOLDS[alone[1]], alone[2]) if alone else None
    name = match[2]
    rest = line[match.end() :].strip(" \t")
    classes, quote, quoted = rest.partition('"')
    if quote and quoted.endswith('"') and _CLASSES.fullmatch(classes):
        title = quoted[:-1]
    elif _LAYOUT_CLASSES.issuperset(rest.split()):
        title = ""
    elif name.lower() in _KINDS:
        title = rest
    else:
        return None
    return _mark(name, _FOLDS[match[1]], title)


def _mark(name: str, fold: Literal["", "-", "+"], title: str) -> CalloutMark:
    kind = None if name.lower() == "details" else _KINDS.get(name.lower(), "note")
    return CalloutMark(kind, name, fold, title.strip(" \t"))
