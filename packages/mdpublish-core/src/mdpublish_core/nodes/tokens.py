"""What all nodes of a document have in common: they are frozen, and can be printed, compared, and listed as a tree.

The fields of a node are the arguments of its constructor. Where it stands in the source is no part of what it is.

A node is made by a constructor, which checks it. Readers make theirs of a twin of its class, which neither checks nor refuses
changes, and `seal` the tree when it is finished: then each node gets its own class, and sequences become tuples.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import InitVar, dataclass, field
from functools import cache, wraps
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar, dataclass_transform

from mdpublish_core.errors import FrozenTree, InvalidArgument
from mdpublish_core.strings.positions import Span

Node = TypeVar("Node", bound="Token")

_MAX_SHOWN_DEPTH = 20
"""Depth of nested nodes in a `repr`: enough for any text, and no recursion error."""

_OF_SOURCE = frozenset({"line", "content_line", "column", "notices", "origin"})


class NodeField(NamedTuple):
    """An argument of a node's constructor, which is an attribute of the same name."""

    name: str
    is_positional: bool
    is_required: bool


OPEN: dict[type, type] = {}
"""The twin of each class of nodes that readers use."""

# The class of each twin, by what its nodes contain. Most nodes are of the first two kinds, which takes half the time.
_LEAVES: dict[type, type] = {}
_PARENTS: dict[type, type] = {}
_OTHERS: dict[type, tuple[type, tuple[str, ...]]] = {}

_CONTAINERS = ("attributes", "children", "footnote_definitions", "header", "options", "title")
"""Attributes that have nodes or are mappings; the title of a link is a string."""


class Token:
    """Base class of all nodes. Nodes are equal if they and all below them are, wherever they stand in a source."""

    __slots__ = ()

    children: Sequence["Token"] = ()

    def __init_subclass__(cls, *, is_open: bool = False) -> None:
        super().__init_subclass__()
        fill = cls.__dict__.get("__init__")
        if is_open:
            cls.__setattr__, cls.__delattr__ = object.__setattr__, object.__delattr__  # type: ignore[assignment]
        if fill is None or is_open:
            return
        members = {"__slots__": (), "__module__": cls.__module__, "__init__": fill}
        bases = (cls, *(OPEN[base] for base in cls.__bases__ if base in OPEN))
        twin: type = type(cls)(cls.__name__, bases, members, is_open=True)  # type: ignore[misc]
        OPEN[cls] = twin
        kind: Any = cls
        slots, annotations = slots_of(kind), fill.__annotations__
        if "line" in annotations:
            # Not the `InitVar` that a field declares.
            annotations["line"] = int | None
        containers = tuple(name for name in _CONTAINERS if name in slots and annotations[name] is not str)
        if containers in {(), ("children",)}:
            (_PARENTS if containers else _LEAVES)[twin] = cls
        else:
            _OTHERS[twin] = cls, containers
        cls.__init__ = _checked(cls, twin, fill)  # type: ignore[method-assign]

    def __setattr__(self, name: str, value: object) -> None:
        raise FrozenTree(f"a {type(self).__name__}", f"replace(node, {name}=…)")

    def __delattr__(self, name: str) -> None:
        self.__setattr__(name, None)

    def __reduce__(self) -> tuple[Any, ...]:
        # Nothing that was computed from the tree: some of it is by the identity of nodes.
        kind: Any = type(self)
        values = {name: getattr(self, name) for name in slots_of(kind)}
        values |= {name: dict(each) for name, each in values.items() if isinstance(each, MappingProxyType)}
        return _restored, (kind if kind in OPEN else kind.__base__, values)

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
        raise TypeError(
            f"a {type(self).__name__} has no hash, which would be that of its whole tree: use id(node) as the key"
        )

    def __repr__(self) -> str:
        return _shown(self, 0)

    def _repr_pretty_(self, printer: Any, _cycle: bool) -> None:
        # IPython and Hypothesis would look for each field of a dataclass, `line` too.
        printer.text(repr(self))

    def dump(self, *, lines: bool = False) -> str:
        """Return the node and all below it as an indented tree; with `lines`, also each block's line in the source."""
        return "".join(f"{line}\n" for line in _dumped(self, has_lines=lines))


@dataclass(slots=True, init=False, eq=False, repr=False)
class BlockToken(Token):
    """A block; `line_number` is its first line."""

    line: InitVar[int | None] = field(default=None, kw_only=True)
    line_number: int | None = field(init=False)

    def __post_init__(self, line: int | None) -> None:
        self.line_number = line


# An argument, and no attribute.
del BlockToken.line  # type: ignore[attr-defined]


class SpanToken(Token):
    """An inline; `span` is where links, images, formulas and raw HTML stand in the source, for notices.

    `reference` is the label of the definition in the source that has a link's target, if there is one.
    """

    __slots__ = ()

    span: Span | None = None
    reference: str = ""


@dataclass_transform(eq_default=False, field_specifiers=(field,))
def node(kind: type[Node]) -> type[Node]:
    """Make a class of nodes of its fields; one with children declares them as a `field()`, since others have `()`."""
    return dataclass(slots=True, eq=False, repr=False)(kind)


def _checked(kind: Any, twin: type, fill: Callable[..., None]) -> Callable[..., None]:
    """Return the constructor of a class of nodes, which checks what it is given, and freezes it."""
    attributes = slots_of(kind)

    @wraps(fill)
    def construct(self: Any, *arguments: Any, **named: Any) -> None:
        from mdpublish_core.nodes.rules import check_node

        if type(self) is not kind:
            raise InvalidArgument(type(self).__name__, f"must not be derived from {kind.__name__}")
        object.__setattr__(self, "__class__", twin)
        fill(self, *arguments, **named)
        check_node(self, attributes)
        seal(self)

    return construct


def with_twins(*kinds: type) -> frozenset[type]:
    """Return classes of nodes, and those that readers use."""
    return frozenset({*kinds, *(OPEN[kind] for kind in kinds)})


@cache
def slots_of(kind: Any) -> tuple[str, ...]:
    """Return the attributes of a class of nodes. A document has no slots: it keeps what is computed from it."""
    bases = (base for base in kind.__mro__ if issubclass(base, Token))
    return tuple(name for base in bases for name in vars(base).get("__slots__", base.__annotations__))


def _restored(kind: type[Token], values: Mapping[str, object]) -> Token:
    """Return a node that was pickled or copied."""
    restored: Token = object.__new__(OPEN[kind])
    amend(restored, **values)
    seal(restored)
    return restored


def amend(token: Token, **values: object) -> None:
    """Change a node of a tree that no caller has got yet."""
    for name, value in values.items():
        object.__setattr__(token, name, value)


def seal(root: Any) -> None:
    """Freeze the open nodes of a tree that a reader has finished."""
    pending: list[Sequence[Any]] = [(root,)]
    leaves, parents = _LEAVES, _PARENTS
    for siblings in pending:
        for token in siblings:
            kind = type(token)
            if kind in leaves:
                token.__class__ = leaves[kind]
            elif kind in parents:
                token.children = children = tuple(token.children)
                pending.append(children)
                token.__class__ = parents[kind]
            elif kind in _OTHERS:
                _seal_other(token, pending)


def _seal_other(token: Any, pending: list[Sequence[Any]]) -> None:
    kind, containers = _OTHERS[type(token)]
    for name in containers:
        value = getattr(token, name)
        if isinstance(value, list | tuple):
            setattr(token, name, tuple(value))
            pending.append(value)
        elif isinstance(value, Token):
            pending.append((value,))
        elif isinstance(value, dict):
            setattr(token, name, MappingProxyType(value))
    token.__class__ = kind


@node
class RawText(SpanToken):
    """Text."""

    content: str


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


def values_of(token: Token) -> Iterator[tuple[NodeField, Any]]:
    """Yield the fields of a node with their values, without those that the constructor sets to the same by itself."""
    fields = fields_of(token)
    plain = type(token)(**{field.name: getattr(token, field.name) for field in fields if field.is_required})
    for each in fields:
        value = getattr(token, each.name)
        if each.is_required or not (value == getattr(plain, each.name) or value in ([], ())):
            yield each, value


def _shown(value: object, depth: int) -> str:
    if depth > _MAX_SHOWN_DEPTH:
        return "…"
    if isinstance(value, list | tuple) and all(isinstance(each, Token) for each in value):
        shown = (repr(each.content) if isinstance(each, RawText) else _shown(each, depth) for each in value)
        return f"[{', '.join(shown)}]"
    if not isinstance(value, Token):
        return repr(dict(value) if isinstance(value, MappingProxyType) else value)
    return f"{type(value).__name__}({', '.join(_arguments(values_of(value), depth + 1))})"


def _arguments(values: Iterable[tuple[NodeField, Any]], depth: int) -> Iterator[str]:
    for argument, value in values:
        yield f"{'' if argument.is_positional else f'{argument.name}='}{_shown(value, depth)}"


def _dumped(root: Token, *, has_lines: bool) -> Iterator[str]:
    pending: list[tuple[int, str, Token]] = [(0, "", root)]
    while pending:
        depth, label, token = pending.pop()
        below: list[tuple[int, str, Token]] = []
        values = []
        for argument, value in values_of(token):
            parts = value if isinstance(value, list | tuple) else [value]
            if any(isinstance(part, Token) for part in parts):
                name = "" if argument.name == "children" else f"{argument.name}: "
                below += [(depth + 1, name, part) for part in parts]
            elif argument.name != "children":
                values.append((argument, value))
        head = ", ".join(_arguments(values, 0))
        shown = head if isinstance(token, RawText) else f"{type(token).__name__}{head and f'({head})'}"
        line = (
            f"  # line {token.line_number}" if has_lines and isinstance(token, BlockToken) and token.line_number else ""
        )
        yield f"{'  ' * depth}{label}{shown}{line}"
        pending += reversed(below)
