"""What all nodes of a document have in common: they can be printed, compared, and listed as a tree.

The fields of a node are the arguments of its constructor. Where it stands in the source is no part of what it is.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple, TypeVar

from mdpublish_core.positions import Span

Node = TypeVar("Node", bound="Token")

_MAX_SHOWN_DEPTH = 20
"""Depth of nested nodes in a `repr`: enough for any text, and no recursion error."""

_OF_SOURCE = frozenset({"line", "content_line", "column", "notices", "origin"})


class NodeField(NamedTuple):
    """An argument of a node's constructor, which is an attribute of the same name."""

    name: str
    is_positional: bool
    is_required: bool


class Token:
    """Base class of all nodes. Nodes are equal if they and all below them are, wherever they stand in a source."""

    children: Sequence["Token"] = ()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Token):
            return NotImplemented
        pending: list[tuple[Any, Any]] = [(self, other)]
        while pending:
            left, right = pending.pop()
            if isinstance(left, Token):
                if type(left) is not type(right):
                    return False
                pending += ((getattr(left, field.name), getattr(right, field.name)) for field in fields_of(left))
            elif isinstance(left, list | tuple) and isinstance(right, list | tuple):
                if len(left) != len(right):
                    return False
                pending += zip(left, right, strict=True)
            elif left != right:
                return False
        return True

    def __hash__(self) -> int:
        raise TypeError(f"a {type(self).__name__} can be changed, so it has no hash: use id(node) as the key")

    def __repr__(self) -> str:
        return _shown(self, 0)

    def dump(self, *, lines: bool = False) -> str:
        """Return the node and all below it as an indented tree; with `lines`, also each block's line in the source."""
        return "".join(f"{line}\n" for line in _dumped(self, has_lines=lines))


class BlockToken(Token):
    """A block; `line_number` is its first line."""

    line_number: int | None


class SpanToken(Token):
    """An inline; `span` is where links, images, formulas and raw HTML stand in the source, for notices.

    `reference` is the label of the definition in the source that has a link's target, if there is one.
    """

    span: Span | None = None
    reference: str = ""


class RawText(SpanToken):
    """Text."""

    def __init__(self, content: str) -> None:
        self.content = content


@cache
def _arguments_of(kind: Any) -> tuple[NodeField, ...]:
    # Imported lazily: neither parsers nor renderers compare nodes.
    from inspect import Parameter, signature

    return tuple(
        NodeField(each.name, each.kind is Parameter.POSITIONAL_OR_KEYWORD, each.default is Parameter.empty)
        for each in signature(kind).parameters.values()
    )


@cache
def _fields_of(kind: Any) -> tuple[NodeField, ...]:
    return tuple(field for field in _arguments_of(kind) if field.name not in _OF_SOURCE)


def argument_names(kind: Any) -> frozenset[str]:
    """Return the names of all arguments of a node's constructor."""
    return frozenset(field.name for field in _arguments_of(kind))


def required_names(kind: Any) -> frozenset[str]:
    """Return the names of the arguments that a node's constructor requires."""
    return frozenset(field.name for field in _arguments_of(kind) if field.is_required)


def fields_of(token: Token) -> tuple[NodeField, ...]:
    """Return the fields of a node, in the order of its constructor."""
    kind: Any = type(token)
    return _fields_of(kind)


def copy_of(token: Node, **changes: object) -> Node:
    """Return a copy of a node with some of its fields changed. The nodes below are the same."""
    kind: Any = type(token)
    names = (field.name for field in _arguments_of(kind))
    arguments = {name: getattr(token, "line_number" if name == "line" else name) for name in names}
    copied: Node = kind(**arguments | changes)
    if isinstance(token, SpanToken) and isinstance(copied, SpanToken):
        copied.span = token.span
        copied.reference = token.reference
    return copied


def values_of(token: Token) -> Iterator[tuple[NodeField, Any]]:
    """Yield the fields of a node with their values, without those that the constructor sets to the same by itself."""
    fields = fields_of(token)
    plain = type(token)(**{field.name: getattr(token, field.name) for field in fields if field.is_required})
    for field in fields:
        value = getattr(token, field.name)
        if field.is_required or not (value == getattr(plain, field.name) or value == []):
            yield field, value


def _shown(value: object, depth: int) -> str:
    if depth > _MAX_SHOWN_DEPTH:
        return "…"
    if isinstance(value, list | tuple) and any(isinstance(each, Token) for each in value):
        shown = (repr(each.content) if isinstance(each, RawText) else _shown(each, depth) for each in value)
        return f"[{', '.join(shown)}]"
    if not isinstance(value, Token):
        return repr(value)
    return f"{type(value).__name__}({', '.join(_arguments(values_of(value), depth + 1))})"


def _arguments(values: Iterable[tuple[NodeField, Any]], depth: int) -> Iterator[str]:
    for field, value in values:
        yield f"{'' if field.is_positional else f'{field.name}='}{_shown(value, depth)}"


def _dumped(root: Token, *, has_lines: bool) -> Iterator[str]:
    pending: list[tuple[int, str, Token]] = [(0, "", root)]
    while pending:
        depth, label, token = pending.pop()
        below: list[tuple[int, str, Token]] = []
        values = []
        for field, value in values_of(token):
            parts = value if isinstance(value, list | tuple) else [value]
            if any(isinstance(part, Token) for part in parts):
                name = "" if field.name == "children" else f"{field.name}: "
                below += [(depth + 1, name, part) for part in parts]
            elif field.name != "children":
                values.append((field, value))
        head = ", ".join(_arguments(values, 0))
        shown = head if isinstance(token, RawText) else f"{type(token).__name__}{head and f'({head})'}"
        line = (
            f"  # line {token.line_number}" if has_lines and isinstance(token, BlockToken) and token.line_number else ""
        )
        yield f"{'  ' * depth}{label}{shown}{line}"
        pending += reversed(below)
