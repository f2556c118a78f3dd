"""Checks the types of callers' arguments, so that a wrong one is one line of ours, not an error from deep below."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cache
from os import PathLike
from types import NoneType, UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from mdpublish_core.errors import InvalidArgument, LimitExceeded
from mdpublish_core.options.limits import DEFAULT_LIMITS, Limits

Item = TypeVar("Item")


def require_type(argument: str, value: object, *types: type, expected: str = "") -> None:
    """Raise `InvalidArgument` for a value of another type; `expected` says what it must be."""
    if isinstance(value, types):
        return
    expected = expected or " or ".join("None" if each is NoneType else _with_article(each.__name__) for each in types)
    hint = ""
    if isinstance(value, bytes | PathLike) and str in types and argument.isidentifier():
        is_path = isinstance(value, PathLike)
        hint = f"; {'read' if is_path else 'decode'} it: {argument}.{'read_text' if is_path else 'decode'}()"
    if str in types and hasattr(value, "columns"):
        hint = "; write a table of it: mdpublish_core.markdown.table(frame)"
    raise InvalidArgument(argument, f"must be {expected} (got {type_name(value)}){hint}")


def require_path(argument: str, value: object) -> None:
    """Raise `InvalidArgument` for what is no path: an empty string would mean the current folder."""
    require_type(argument, value, str, PathLike, expected="a str or a path")
    if isinstance(value, str) and (not value or "\0" in value):
        raise InvalidArgument(argument, f"must be a path (got {value!r})")


def require_function(argument: str, value: object, *, expected: str = "a function or None") -> None:
    if value is not None and not callable(value):
        raise InvalidArgument(argument, f"must be {expected} (got {type_name(value)})")


def require_functions(argument: str, values: object) -> None:
    """Require None, or functions by name."""
    if values is None:
        return
    require_type(argument, values, Mapping, expected="a mapping of names to functions, or None")
    assert isinstance(values, Mapping)
    for name, function in values.items():
        require_type(f"each name in {argument}", name, str)
        require_function(f"{argument}[{name!r}]", function or type(function), expected="a function")


def require_names(argument: str, values: object, *, expected: str) -> None:
    require_type(argument, values, AbstractSet, expected=expected)
    assert isinstance(values, AbstractSet)
    for value in values:
        require_type(f"each of {argument}", value, str)


def require_list(argument: str, values: Iterable[Item], kind: type[Item]) -> list[Item]:
    """Return the values of an iterable that is not a `str`; each must be of a type."""
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        raise InvalidArgument(argument, f"must be a list of {kind.__name__} (got {type_name(values)})")
    listed = list(values)
    for value in listed:
        require_type(f"each of {argument}", value, kind)
    return listed


def require_limits(limits: object) -> None:
    if limits is DEFAULT_LIMITS:
        return
    require_type("limits", limits, Limits, expected="a Limits")
    require_fields(limits)


def require_input_size(size: int, limits: Limits = DEFAULT_LIMITS) -> None:
    """Raise `LimitExceeded` for so many bytes of input."""
    if size > limits.max_input_bytes:
        raise LimitExceeded("max_input_bytes", limits.max_input_bytes, size)


def require_fields(instance: Any) -> None:
    """Check a data class's or named tuple's fields by their annotations: classes, None, unions, sequences of these."""
    kind: Any = type(instance)
    for name, check, expected in _checks(kind):
        value = getattr(instance, name)
        if not check(value):
            raise InvalidArgument(
                f"{name} of {type(instance).__name__}", f"must be {expected} (got {type_name(value)})"
            )


def type_name(value: object) -> str:
    if value is None:
        return "None"
    return value.__name__ if isinstance(value, type) else type(value).__name__


@cache
def _checks(kind: Any) -> tuple[tuple[str, Callable[[Any], bool], str], ...]:
    hints = get_type_hints(kind)
    return tuple((name, _check_of(hint), _words_of(hint)) for name, hint in hints.items())


def _check_of(hint: Any) -> Callable[[Any], bool]:
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in {Union, UnionType}:
        checks = tuple(map(_check_of, arguments))
        return lambda value: any(check(value) for check in checks)
    if origin is not None and isinstance(origin, type) and issubclass(origin, Sequence):
        check_each = _check_of(arguments[0])
        return lambda value: (
            isinstance(value, Sequence) and not isinstance(value, str | bytes) and all(map(check_each, value))
        )
    if origin is not None:  # a Literal, whose value is checked where it is used
        return lambda value: isinstance(value, str)
    if hint is float:
        return lambda value: isinstance(value, int | float) and not isinstance(value, bool)
    if hint is int:
        return lambda value: isinstance(value, int) and not isinstance(value, bool)
    return lambda value: isinstance(value, hint)


def _words_of(hint: Any) -> str:
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in {Union, UnionType}:
        return " or ".join(map(_words_of, arguments))
    if origin is not None and isinstance(origin, type) and issubclass(origin, Sequence):
        return f"a list of {' or '.join(each.__name__ for each in get_args(arguments[0]) or arguments[:1])}"
    if origin is not None:
        return "a str"
    return "None" if hint is NoneType else _with_article(hint.__name__)


def _with_article(name: str) -> str:
    # As it is spoken: a Url.
    return f"{'an' if name[0] in 'aeiouAEIO' else 'a'} {name}"
