"""What each node must be: one table of rules, which constructors, and so JSON and plug-ins, are held to.

Rules that more than one node takes part in, such as depth, are in `readers.markdown.tree_check`.
"""

from collections.abc import Callable, Container, Mapping
from functools import cache
from typing import Any

from mdpublish_core.errors import InvalidArgument
from mdpublish_core.front_matter import FrontMatter, FrontMatterValue
from mdpublish_core.notices import Notice
from mdpublish_core.resources.allowed_elements import BLOCK_TAGS, INLINE_TAGS, allowed_attributes, fragment_id
from mdpublish_core.resources.characters import replace_surrogates
from mdpublish_core.resources.figure_kinds import FIGURE_KINDS, MATH_KIND
from mdpublish_core.strings.list_numbers import NUMBERINGS

Check = Callable[[Any], Any]
"""Returns the value to use; raises `_Unexpected`."""


_MODULES = frozenset({"mdpublish_core.nodes", "mdpublish_core.nodes.tokens"})


class _Unexpected(Exception):  # noqa: N818
    """What a value must be, and what it is, if that is not the value itself."""

    def __init__(self, expected: str, *got: object) -> None:
        super().__init__(expected)
        self.got = got


def _string(value: object) -> str:
    if not isinstance(value, str):
        raise _Unexpected("a str")
    # Not a subclass: some are written unchecked.
    return replace_surrogates(str.__str__(value)).replace("\0", "\ufffd")


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise _Unexpected("a bool")
    return value


def _number(first: int, last: int) -> Check:
    def check(value: object) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or not first <= value <= last:
            raise _Unexpected(f"{first} to {last}")
        return value

    return check


def _optional(check: Check) -> Check:
    def check_optional(value: object) -> Any:
        try:
            return None if value is None else check(value)
        except _Unexpected as error:
            raise _Unexpected(f"{error} or None") from None

    return check_optional


def _one_of(*choices: object) -> Check:
    def check(value: object) -> object:
        if isinstance(value, bool) or value not in choices:
            raise _Unexpected(f"one of {', '.join(map(repr, choices))}")
        return value

    return check


def _mapping(value: object) -> Mapping[str, str]:
    if not isinstance(value, Mapping) or not all(isinstance(each, str) for pair in value.items() for each in pair):
        raise _Unexpected("a mapping of str to str")
    return {_string(name): _string(content) for name, content in value.items()}


def _delimiters(value: object) -> tuple[str, str]:
    if not isinstance(value, tuple) or len(value) != 2:
        raise _Unexpected("a tuple of two str")
    return _string(value[0]), _string(value[1])


def _tag(value: object) -> str:
    if not isinstance(value, str) or value not in BLOCK_TAGS | INLINE_TAGS:
        raise _Unexpected("one that Markdown may contain")
    return str.__str__(value)


def is_node(value: object, kinds: Container[str]) -> bool:
    """Return whether a value is of one of these classes of nodes, by their names."""
    kind = type(value)
    return kind.__name__ in kinds and kind.__module__ in _MODULES


def _nodes(kinds: Container[str], expected: str) -> Check:
    def check(value: object) -> tuple[Any, ...]:
        if not isinstance(value, list | tuple):
            raise _Unexpected(f"a list or tuple of {expected}")
        for child in value:
            if not is_node(child, kinds):
                raise _Unexpected(expected, child)
        return tuple(value)

    return check


def _node(kind: str) -> Check:
    def check(value: object) -> object:
        if not is_node(value, {kind}):
            raise _Unexpected(f"a nodes.{kind}")
        return value

    return check


def _front_matter(value: object) -> FrontMatter:
    if isinstance(value, FrontMatter):
        return value
    if not isinstance(value, Mapping):
        raise _Unexpected("a mapping")
    return FrontMatter({_string(key): _front_matter_value(each) for key, each in value.items()})


def _front_matter_value(value: object) -> FrontMatterValue:
    if isinstance(value, list | tuple):
        return tuple(map(_front_matter_value, value))
    if isinstance(value, Mapping):
        return _front_matter(value)
    if not isinstance(value, str):
        raise _Unexpected("a mapping of strings, lists and mappings", value)
    return _string(value)


def _notices(value: object) -> tuple[Notice, ...]:
    if not isinstance(value, tuple) or not all(isinstance(each, Notice) for each in value):
        raise _Unexpected("a tuple of Notice")
    return value


_LARGEST = 999_999_999
_FIGURES = tuple(name for name in FIGURE_KINDS if name != MATH_KIND.name)

INLINES = frozenset(
    {
        *("RawText", "Emphasis", "Strong", "Strikethrough", "InlineCode", "Link", "AutoLink", "Image", "LineBreak"),
        *("MathSpan", "FootnoteReference", "HtmlSpan", "HtmlElement"),
    }
)
BLOCKS = frozenset(
    {
        *("Heading", "SetextHeading", "Paragraph", "Quote", "Callout", "List", "CodeFence", "BlockCode", "Figure"),
        *("MathBlock", "Table", "ThematicBreak", "HtmlBlock", "HtmlElement"),
    }
)
_BLOCKS = {"children": _nodes(BLOCKS, "blocks, such as nodes.Paragraph")}
_INLINES = {"children": _nodes(INLINES, "inlines, such as nodes.RawText")}
_CALLOUT_KIND = _one_of("note", "tip", "important", "warning", "caution")

_ATTRIBUTES: Mapping[str, Check] = {
    **dict.fromkeys(
        ("content", "info_string", "label", "language", "leader", "name", "src", "target", "title"), _string
    ),
    **dict.fromkeys(("by_name", "checked", "display", "loose", "soft", "trusted"), _flag),
    **dict.fromkeys(("column", "number", "occurrence"), _number(1, _LARGEST)),
    **dict.fromkeys(("attributes", "options"), _mapping),
    **dict.fromkeys(("height", "width"), _optional(_string)),
    "align": _one_of(None, -1, 0, 1),
    "delimiters": _optional(_delimiters),
    "fold": _one_of("", "-", "+"),
    "footnote_definitions": _nodes({"FootnoteDefinition"}, "nodes.FootnoteDefinition"),
    "front_matter": _front_matter,
    "header": _node("TableRow"),
    "notices": _notices,
    "references": _number(0, _LARGEST),
    "start": _optional(_number(0, _LARGEST)),
    "tag": _tag,
}
"""Attributes that mean the same in each class that has them."""

_OF_CLASSES: Mapping[str, Mapping[str, Check]] = {
    **dict.fromkeys(("Document", "Quote", "ListItem", "TaskItem", "FootnoteDefinition"), _BLOCKS),
    **dict.fromkeys(("Paragraph", "TableCell", "Emphasis", "Strong", "Strikethrough", "Link", "Image"), _INLINES),
    "Heading": {"level": _number(1, 6), **_INLINES},
    "SetextHeading": {"level": _number(1, 2), **_INLINES},
    "List": {
        "numbering": _one_of(*NUMBERINGS),
        "children": _nodes({"ListItem", "TaskItem"}, "nodes.ListItem or nodes.TaskItem"),
    },
    "Callout": {"kind": _CALLOUT_KIND, "title": _optional(_node("Paragraph")), **_BLOCKS},
    "Figure": {"kind": _one_of(*_FIGURES)},
    "Table": {"children": _nodes({"TableRow"}, "nodes.TableRow")},
    "TableRow": {"children": _nodes({"TableCell"}, "nodes.TableCell")},
    "HtmlElement": {"children": _nodes(BLOCKS | INLINES, "blocks or inlines")},
}


@cache
def rules_of(kind: str, attributes: tuple[str, ...]) -> tuple[tuple[str, Check], ...]:
    """Return what the attributes of a class of nodes must be; the others say where it is in the source."""
    rules = {**_ATTRIBUTES, **_OF_CLASSES.get(kind, {})}
    return tuple((name, rules[name]) for name in attributes if name in rules)


_LINK_ATTRIBUTES = frozenset({"href", "name", "id"})


def check_node(node: Any, attributes: tuple[str, ...]) -> None:
    """Clean the attributes of a node that is not frozen yet. Raises `InvalidArgument` for one that breaks a rule."""
    for name, check in rules_of(type(node).__name__, attributes):
        value = getattr(node, name)
        try:
            setattr(node, name, check(value))
        except _Unexpected as error:
            raise InvalidArgument(name, f"must be {error} (got {shown(*(error.got or (value,)))})") from None
    if hasattr(node, "header"):
        _check_rows(node)
    elif hasattr(node, "tag"):
        _check_attributes(node)


def _check_rows(table: Any) -> None:
    columns = len(table.header.children)
    for row in table.children:
        if len(row.children) != columns:
            raise InvalidArgument(
                "children", f"must be rows of as many cells as the header, {columns} (got {len(row.children)})"
            )


def _check_attributes(element: Any) -> None:
    tag, given = element.tag, element.attributes
    allowed = allowed_attributes(tag, given)
    if tag == "a":
        allowed |= {name: given[name] for name in _LINK_ATTRIBUTES & given.keys() if _is_link_value(name, given[name])}
    if refused := sorted(given.keys() - allowed.keys()):
        got = cut(f"{refused[0]}={given[refused[0]]!r}")
        raise InvalidArgument("attributes", f"must be allowed on `{tag}` (got {got})")
    element.attributes = {name: allowed[name] for name in given}


def _is_link_value(name: str, value: str) -> bool:
    return name == "href" or fragment_id(value) == value


def shown(value: object) -> str:
    """Return a value in a message: a node by its class."""
    if value is None or isinstance(value, str | bytes | int | float):
        return cut(repr(value))
    kind = type(value)
    return (
        f"nodes.{kind.__name__}"
        if kind.__module__ in _MODULES
        else f"an object of {kind.__module__}.{kind.__qualname__}"
    )


def cut(words: str) -> str:
    return words if len(words) <= 60 else f"{words[:59]}…"
