"""Names, docstrings, arguments and types of the public API."""

import ast
import inspect
import re
from collections.abc import Callable, Collection, Generator, Iterable, Mapping, Sequence
from dataclasses import MISSING
from functools import cache
from importlib import import_module
from itertools import pairwise
from types import FunctionType, ModuleType, NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

import mdpublish_core
from docs.reference.making.markdown import either, wrapped
from mdpublish_core import (
    atlassian,
    batch,
    errors,
    mail,
    markdown,
    merging,
    nodes,
    notebook,
    plugins,
    repair,
    site,
    slack,
)


def exceptions_in(module: ModuleType) -> list[type[Exception]]:
    return [each for each in vars(module).values() if isinstance(each, type) and issubclass(each, Exception)]


MODULES = (mdpublish_core, atlassian, batch, errors, mail, markdown, merging, notebook, plugins, repair, site, slack)
"""Modules with a public API, each with its names: `errors` has exceptions alone."""

HOMES = {
    name: module.__name__
    for module in MODULES
    for name in getattr(module, "__all__", [each.__name__ for each in exceptions_in(module)])
}
"""The module from which each public name is imported."""

PLAIN_WORDS = frozenset(name for name, home in HOMES.items() if home.endswith((".mail", ".markdown", ".slack")))
"""Names such as `table` that in other places mean something else; they are used with their module."""

PUBLIC: Mapping[str, Any] = {name: getattr(import_module(home), name) for name, home in HOMES.items()}
FUNCTIONS = {name: value for name, value in PUBLIC.items() if isinstance(value, FunctionType)}
ERRORS = {name: value for name, value in PUBLIC.items() if isinstance(value, type) and issubclass(value, Exception)}
CLASSES = {name: value for name, value in PUBLIC.items() if isinstance(value, type) and name not in ERRORS}
CONSTANTS = {name: value for name, value in PUBLIC.items() if name not in {*FUNCTIONS, *ERRORS, *CLASSES}}

BLOCKS = get_args(nodes.Block)

MAX_CHOICES = 4
"""Longer Literals have a table of their own and are shown as `str`."""


@cache
def tree_of(module: str) -> ast.Module:
    """Parse the source, which alone has attribute docstrings."""
    return ast.parse(inspect.getsource(import_module(module)))


def annotation_names(module: str) -> dict[str, object]:
    """Return the names available to annotations, including those imported under TYPE_CHECKING."""
    names = dict(vars(import_module(module)))
    for block in tree_of(module).body:
        if isinstance(block, ast.If):
            for statement in block.body:
                if isinstance(statement, ast.ImportFrom) and statement.module:
                    source = import_module(statement.module)
                    names |= {alias.name: getattr(source, alias.name) for alias in statement.names}
    return names


def meanings_in(tree: ast.AST) -> dict[str, str]:
    assert isinstance(tree, ast.Module | ast.ClassDef)
    meanings = {}
    for statement, after in pairwise(tree.body):
        targets = statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", None)]
        match targets, after:
            case [ast.Name(id=name)], ast.Expr(value=ast.Constant(value=str(meaning))):
                meanings[name] = inspect.cleandoc(meaning)
    return meanings


def paragraphs_of(documented: object, name: str) -> list[str]:
    """Return the docstring's paragraphs, with links."""
    markdown = inspect.cleandoc(documented.__doc__ or "")
    is_generated = markdown.startswith(f"{name}(")
    assert markdown, f"{name} has no docstring"
    assert not is_generated, f"{name} has no docstring"
    return [wrapped(linked(paragraph, name)) for paragraph in markdown.split("\n\n")]


def summary_of(documented: object, name: str | None = None) -> str:
    return paragraphs_of(documented, name or str(getattr(documented, "__name__", "")))[0]


def linked(markdown: str, name: str = "") -> str:
    """Link public names, except errors."""
    markdown = re.sub(r"`docs/reference/([a-z-]+)\.md`", r"[\1](\1.md)", markdown)
    markdown = re.sub(r"^Raises\b", "[Raises](#errors)", markdown)
    linked = PUBLIC.keys() - ERRORS.keys() - PLAIN_WORDS - {name}
    return re.sub(r"`(\w+)`", lambda code: public_link(code[1]) if code[1] in linked else code[0], markdown)


def public_link(name: str) -> str:
    anchor = "errors" if name in ERRORS else "constants" if name in CONSTANTS else name.lower()
    shown = f"{HOMES[name].rpartition('.')[2]}.{name}" if name in PLAIN_WORDS else name
    return f"[`{shown}`](#{anchor})"


def signature_of(documented: FunctionType) -> str:
    return f"{documented.__name__}{arguments_of(documented)}"


def arguments_of(documented: Callable[..., object]) -> str:
    parameters = inspect.signature(documented).parameters.values()
    shown = [
        each.replace(annotation=inspect.Parameter.empty, default=_Shown(each.default))
        if each.default is not inspect.Parameter.empty
        else each.replace(annotation=inspect.Parameter.empty)
        for each in parameters
        if each.name != "self"
    ]
    return str(inspect.Signature(shown))


class _Shown:
    """Prints public constants by name."""

    def __init__(self, value: object) -> None:
        self._value = value

    def __repr__(self) -> str:
        if isinstance(self._value, FunctionType):
            return self._value.__name__
        return _constant_name(self._value) or repr(self._value)


def _constant_name(value: object) -> str | None:
    return next((name for name, constant in CONSTANTS.items() if constant is value), None)


def default_words(value: object) -> str:
    if value in (inspect.Parameter.empty, MISSING):
        return "required"
    if name := _constant_name(value):
        return public_link(name)
    shown = f"{value:,}" if type(value) is int else f'"{value}"' if isinstance(value, str) else repr(value)
    return f"`{shown}`"


def type_words(hint: Any) -> str:
    origin: Any = get_origin(hint)
    arguments = get_args(hint)
    if origin in {Union, UnionType}:
        others = [each for each in arguments if each not in BLOCKS] if set(BLOCKS) <= set(arguments) else arguments
        # Functions last: what follows would read as the return type.
        words = [word for each in sorted(others, key=_is_function) for word in _choices_of(each)]
        return either(words if others is arguments else ["block", *words])
    if origin is Literal:
        return either(_choices_of(hint))
    if _is_function(hint):
        parameters, result = arguments
        origin = f" from {', '.join(map(type_words, parameters))}" if parameters else ""
        return f"function{origin} to {_one_of(result)}"
    if origin is tuple and Ellipsis not in arguments:
        return f"({', '.join(map(type_words, arguments))})"
    if origin in {tuple, frozenset, Sequence, Collection, Iterable, Generator, Mapping}:
        values = f" to {_one_of(arguments[1])}" if origin is Mapping else ""
        return f"{origin.__name__.lower()} of {_one_of(arguments[0])}{values}"
    name = "None" if hint in {None, NoneType} else (origin or hint).__name__
    return public_link(name) if name in PUBLIC else f"`{name}`"


def _choices_of(hint: Any) -> list[str]:
    """Return the values of a short Literal, else the type itself."""
    if get_origin(hint) is not Literal:
        return [type_words(hint)]
    return [f'`"{each}"`' for each in get_args(hint)] if len(get_args(hint)) <= MAX_CHOICES else ["`str`"]


def _one_of(hint: Any) -> str:
    """Return a type that is part of another: what follows its last `or` would read as one more choice."""
    words = type_words(hint)
    return f"({words})" if " or " in words else words


def _is_function(hint: Any) -> bool:
    return bool(get_origin(hint) == Callable)
