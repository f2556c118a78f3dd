"""Reference of the library."""

import ast
import inspect
from collections.abc import Iterator
from dataclasses import fields
from functools import cached_property
from importlib import import_module
from pathlib import Path
from types import FunctionType
from typing import get_type_hints

import mdpublish_core
import mdpublish_core.hosting
from docs.reference.making.markdown import Row, joined, table, wrapped
from docs.reference.making.objects import (
    CLASSES,
    CONSTANTS,
    ERRORS,
    FUNCTIONS,
    HOMES,
    annotation_names,
    arguments_of,
    default_words,
    linked,
    meanings_in,
    paragraphs_of,
    public_link,
    signature_of,
    summary_of,
    tree_of,
    type_words,
)
from mdpublish_core import testing

SHARED = frozenset({"css", "extensions", "fences", "images", "media_url", "raw_html", "rewrite_url", "transform"})
"""Arguments of several functions, documented in one place."""


def functions() -> str:
    return table(
        ("function", "description"), ((public_link(name), summary_of(each)) for name, each in FUNCTIONS.items())
    )


def classes() -> str:
    return table(("class", "description"), ((public_link(name), summary_of(each)) for name, each in CLASSES.items()))


def function(name: str) -> str:
    documented = FUNCTIONS[name]
    hints = get_type_hints(documented, localns=annotation_names(documented.__module__))
    rows = [
        (
            _argument(argument.name),
            type_words(hints[argument.name]),
            default_words(argument.default),
        )
        for argument in inspect.signature(documented).parameters.values()
    ]
    promise, *rest = paragraphs_of(documented, name)
    arguments = [table(("argument", "type", "default"), rows)] if rows else []
    returned = f"Returns: {type_words(hints['return'])}."
    return joined(f"### `{name}`", promise, *_import_of(name), *arguments, returned, *rest)


def _argument(name: str) -> str:
    return f"[`{name}`](#{name})" if name in SHARED else f"`{name}`"


def class_(name: str) -> str:
    documented = CLASSES[name]
    members = table(("field", "type", "default", "meaning"), _members(documented))
    return joined(f"### `{name}`", *paragraphs_of(documented, name), *_import_of(name), members)


def _import_of(name: str) -> list[str]:
    """Say where a name is imported from, if not from the package itself."""
    return [] if HOMES[name] == "mdpublish_core" else [f"Import it from `{HOMES[name]}`."]


def _members(documented: type) -> Iterator[Row]:
    names = annotation_names(documented.__module__)
    hints = get_type_hints(documented, localns=names)
    meanings = meanings_in(ast.parse(inspect.getsource(documented)).body[0])
    # Not those of a base class alone.
    declared = fields(documented) if "__dataclass_fields__" in vars(documented) else ()
    defaults = {each.name: each.default for each in declared if not each.name.startswith("_")}
    # Defaults matter only for classes that users instantiate.
    has_defaults = any(each.kw_only for each in declared)
    assert not meanings or not defaults or meanings.keys() == defaults.keys(), (
        f"a field of {documented} has no docstring"
    )
    for name in defaults or meanings:
        default = default_words(defaults[name]) if has_defaults else ""
        shown = f"`{name}`" if name in meanings else _argument(name)
        yield shown, type_words(hints[name]), default, linked(meanings.get(name, ""))
    for name, value in vars(documented).items():
        if isinstance(value, property | cached_property) and not name.startswith("_"):
            getter = value.fget if isinstance(value, property) else value.func
            assert getter
            kind = type_words(get_type_hints(getter, localns=names)["return"])
            yield f"`{name}`", kind, "", summary_of(value, f"{documented.__name__}.{name}")
    for name, value in vars(documented).items():
        if isinstance(value, FunctionType) and not name.startswith("_"):
            yield f"`{signature_of(value)}`", "", "", summary_of(value, f"{documented.__name__}.{name}")


def errors() -> str:
    items = list(_branch(mdpublish_core.MdpublishError, 0))
    assert len(items) == len(ERRORS), "a public error is in no branch of the tree"
    return "\n".join(items)


def _branch(error: type[Exception], depth: int) -> Iterator[str]:
    has_init = "__init__" in vars(error)
    name = f"{error.__name__}{arguments_of(error)}" if has_init else error.__name__
    others = [base for base in error.__bases__ if base.__module__ == "builtins" and base is not Exception]
    also = "".join(f", also {'an' if base.__name__[0] in 'AEIOU' else 'a'} `{base.__name__}`" for base in others)
    meaning = " ".join(paragraphs_of(error, error.__name__))
    yield wrapped(f"`{name}`{also}: {meaning[0].lower()}{meaning[1:]}", depth)
    for below in error.__subclasses__():
        if below in ERRORS.values():
            yield from _branch(below, depth + 1)


def constants() -> str:
    rows = [(f"`{name}`", type_words(type(value)), _constant_meaning(name)) for name, value in CONSTANTS.items()]
    return table(("constant", "type", "description"), rows)


def _constant_meaning(name: str) -> str:
    for module in ("options.extensions", "options.limits", "repair"):
        meanings = meanings_in(tree_of(f"mdpublish_core.{module}"))
        if name in meanings:
            return meanings[name]
    raise AssertionError(f"{name} has no docstring")


def hosting() -> str:
    folder = Path(mdpublish_core.hosting.__file__).parent
    return "\n\n".join(_hosting(path) for path in sorted(folder.glob("[!_]*.py")))


def _hosting(path: Path) -> str:
    module = import_module(f"mdpublish_core.hosting.{path.stem}")
    rows = []
    for name, home in sorted(_homes(path).items(), key=lambda each: each[0].lower()):
        documented = getattr(module, name)
        documented = getattr(documented, "__wrapped__", documented)  # of a cached function
        is_documented = isinstance(documented, FunctionType | type)
        meaning = summary_of(documented, name) if is_documented else meanings_in(tree_of(home)).get(name, "")
        assert meaning, f"{name} in {home} has no docstring"
        shown = signature_of(documented) if isinstance(documented, FunctionType) else name
        rows.append((f"`{shown}`", meaning.replace("](#", "](library.md#")))
    return f"## {path.stem}\n\n{module.__doc__}\n\n{table(('name', 'description'), rows)}"


def _homes(path: Path) -> dict[str, str]:
    """Return the module that a module imports each name from."""
    imports = (each for each in ast.parse(path.read_text("utf-8")).body if isinstance(each, ast.ImportFrom))
    return {alias.name: str(each.module) for each in imports for alias in each.names}


def for_tests() -> str:
    folder = [f"mdpublish_core.testing.{name}" for name in ("laws", "strategies", "trees", "vocabularies")]
    meanings = {name: meaning for module in folder for name, meaning in meanings_in(tree_of(module)).items()}
    rows = []
    for name in testing.__all__:
        documented = getattr(testing, name)
        is_documented = isinstance(documented, FunctionType | type)
        shown = signature_of(documented) if isinstance(documented, FunctionType) else name
        rows.append((f"`{shown}`", summary_of(documented, name) if is_documented else meanings[name]))
    return table(("name", "description"), rows)
