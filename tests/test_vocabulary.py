"""Identifiers and OpenAPI schemas use the field's terms.

Words are an identifier's segments. `BANNED` words are never allowed, `RESTRICTED` words only in the listed compounds.
Names of tests need only avoid banned words. At most two classes of the packages share a name.
"""

import ast
import re
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from mdpublish_server.api import OPERATIONS
from mdpublish_server.api.openapi import openapi_document
from mdpublish_server.settings import read_settings

ROOT = Path(__file__).parent.parent

BANNED = {
    **dict.fromkeys(("answer", "answers", "answered"), "response"),
    **dict.fromkeys(("colour", "colours", "coloured", "colouring"), "color"),
    **dict.fromkeys(("drawer", "drawers", "drawings", "studio"), "pool, renderer, rendered figure"),
    **dict.fromkeys(("picture", "pictures"), "image"),
    **dict.fromkeys(("reckon", "reckoning"), "geometry, arithmetic"),
    **dict.fromkeys(("sweep", "sweeper", "sweeping"), "cleanup"),
    "anew": "again",
    "whoever": "the role that is meant",
    "wire": "protocol",
}
"""Words and their replacements."""

RESTRICTED: dict[str, tuple[str, ...]] = {
    # Of IP, email and sockets; else a URL, a permalink or a path.
    "address": ("*ip_address*", "*email_address", "socket_address", "client_address", "allow_reuse_address"),
    "addresses": ("ip_addresses", "email_addresses"),
    "again": (),
    "asked": (),
    "behind": (),
    "call": (),
    "caller": (),
    "callers": (),
    "calls": (),
    "drawing": (),
    "edits": (),
    "found": ("not_found",),
    "kept": (),
    "least": (),
    "letter": ("*letter_spacing",),
    "letters": ("to_letters",),
    "look": (),
    "looks": (),
    # asyncio's name
    "made": ("connection_made",),
    "most": (),
    "order": ("sort_order",),
    "orders": (),
    "ordered": ("ordered_list",),
    "own": (),
    # A setting is configuration; a renderer's state is its context.
    "setting": ("setting", "invalid_setting"),
    # Ambiguous alone.
    "text": ("*_text", "text_*", "*_text_*"),
    "texts": ("*_texts",),
    "told": (),
    "turn": (),
    "turns": (),
    "wanted": (),
}
"""The snake-case patterns that may contain a word."""

EXCEPTIONS = {
    ("models.py", "text"),
    ("colors.py", "text"),
    ("headers.py", "addresses"),
    ("results.py", "text"),
    ("recorder.py", "pytest_runtest_call"),
    ("arguments.py", "call_tool"),
}
"""Slack's field, a color role in users' theme files, an attribute of the headers of `email`, a name that httpx and
others have for it, a hook of pytest, and a method of MCP's SDK."""

FOLDERS = ("tests", "benchmarks", "docs")

# The library's class, and the service's of the same idea.
MAX_CLASSES_OF_A_NAME = 2


def words_of(name: str) -> list[str]:
    return [word.lower() for word in re.findall(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])", name)]


@cache
def vague_words(name: str) -> list[str]:
    words = words_of(name)
    snake_case = "_".join(words)
    restricted = () if name.startswith("test_") else RESTRICTED
    return [
        word
        for word in words
        if word in BANNED
        or (word in restricted and not any(fnmatchcase(snake_case, compound) for compound in RESTRICTED[word]))
    ]


class ModuleNames(NamedTuple):
    """What a module names, and which of these are public classes."""

    identifiers: frozenset[str]
    classes: tuple[str, ...]


@cache
def names_in(source: str) -> ModuleNames:
    """Return a module's names. Trees of all modules would slow the garbage collection of later tests."""
    nodes = list(ast.walk(ast.parse(source)))
    classes = (node.name for node in nodes if isinstance(node, ast.ClassDef))
    return ModuleNames(frozenset(identifiers(nodes)), tuple(name for name in classes if not name.startswith("_")))


def identifiers(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """Yield names, but only attributes of `self`: others may be a library's."""
    for node in nodes:
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.arg(arg=name) | ast.alias(asname=str(name)):
                yield name
            case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(ast.Name("self"), name, ast.Store()):
                yield name
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                yield name


def modules() -> list[Path]:
    folders = [*ROOT.glob("packages/*/src"), *ROOT.glob("packages/*/fonts"), *(ROOT / each for each in FOLDERS)]
    return [ROOT / "noxfile.py", *(path for folder in folders for path in sorted(folder.rglob("*.py")))]


def offenders(modules: list[Path]) -> list[str]:
    return [
        f"{path.relative_to(ROOT)}: {name}"
        for path in modules
        for name in sorted({path.stem, *names_in(path.read_text("utf-8")).identifiers})
        if not is_dunder(name) and vague_words(name) and (path.name, name) not in EXCEPTIONS
    ]


def shared_class_names(sources: Mapping[str, str]) -> list[str]:
    """Return the public class names that too many modules define; `sources` are modules by path."""
    paths: defaultdict[str, list[str]] = defaultdict(list)
    for path, source in sources.items():
        for name in names_in(source).classes:
            paths[name].append(path)
    return [
        f"`{name}` must name at most {MAX_CLASSES_OF_A_NAME} classes; say of what each is: {', '.join(paths[name])}"
        for name in sorted(paths)
        if len(paths[name]) > MAX_CLASSES_OF_A_NAME
    ]


def is_dunder(name: str) -> bool:
    return name.startswith("__") and name.endswith("__")


def test_identifiers_use_standard_words() -> None:
    assert offenders(modules()) == []


def test_openapi_schemas_use_standard_words() -> None:
    document: Any = openapi_document(read_settings({}), OPERATIONS)
    schemas = document["components"]["schemas"]
    properties = [key for schema in schemas.values() for key in schema.get("properties", ())]

    assert [name for name in (*schemas, *properties) if vague_words(name)] == []


def test_class_names_say_of_what() -> None:
    # A client's classes have the names of the API's schemas.
    paths = [path for path in modules() if path.is_relative_to(ROOT / "packages") and "client" not in path.parts]

    assert shared_class_names({str(path.relative_to(ROOT)): path.read_text("utf-8") for path in paths}) == []


def test_a_third_class_of_a_name_is_reported() -> None:
    sources = {
        "a.py": "class Size: ...\nclass _Row: ...",
        "b.py": "class Size: ...\nclass Row: ...",
        "c.py": "class _Row: ...",
    }

    assert shared_class_names(sources) == []
    assert shared_class_names({**sources, "d.py": "def f():\n    class Size: ..."}) == [
        "`Size` must name at most 2 classes; say of what each is: a.py, b.py, d.py"
    ]


def test_packages_and_sessions_use_standard_words() -> None:
    folders = [path.parent.name for path in modules() if path.name == "__init__.py"]
    groups = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["dependency-groups"]

    assert [name for name in (*folders, *groups) if vague_words(name)] == []


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("ConvertAnswer", ["answer"]),
        ("border_colour", ["colour"]),
        ("MOST_COLUMNS", ["most"]),
        ("order", ["order"]),
        ("sort_order", []),
        ("IpAddress", []),
        ("address", ["address"]),
        ("Settings", []),
        ("plain_text", []),
        ("text", ["text"]),
        ("test_text_is_found_again", []),
        ("test_picture_is_sent", ["picture"]),
    ],
)
def test_vague_words_are_recognized(name: str, words: list[str]) -> None:
    assert vague_words(name) == words


def test_an_old_name_is_reported() -> None:
    tree = ast.parse("def answer(self, look):\n    told = self.colour = look.text = 1\n")

    assert list(filter(vague_words, identifiers(ast.walk(tree)))) == ["answer", "look", "told", "colour"]
