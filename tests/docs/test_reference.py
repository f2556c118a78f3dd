"""The reference is complete, and its tables match the registries and docstrings."""

import ast
import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from docs.reference.make import PAGES, PARTS, parts_of, renewed
from docs.reference.making.objects import ERRORS, HOMES
from mdpublish_core.options.extensions import ALL_EXTENSIONS, RAW_HTML_MODES
from mdpublish_core.writers.outputs import DESTINATIONS
from tests.docs.examples import blocks_of
from tests.docs.pages import ROOT

LIBRARY = ROOT / "docs/reference/library.md"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_generated_reference_is_up_to_date(page: Path) -> None:
    markdown = page.read_text("utf-8")

    assert markdown == renewed(markdown), "renew it with: python -m docs.reference.make"


def test_every_part_has_its_place() -> None:
    places = Counter(name for page in PAGES for name in parts_of(page.read_text("utf-8")))

    assert places == Counter(PARTS.keys())


def test_every_mark_of_a_part_is_one() -> None:
    for page in PAGES:
        markdown = page.read_text("utf-8")
        marks = re.findall(r"<!-- *(made:.*|end *)-->", markdown)

        assert len(marks) == 2 * len(parts_of(markdown)), page.name


@pytest.mark.parametrize("name", [*sorted(ALL_EXTENSIONS), *RAW_HTML_MODES])
def test_every_way_to_read_a_document_is_described(name: str) -> None:
    assert f"\n| `{name}` | " in LIBRARY.read_text("utf-8")


def test_every_public_name_is_used_in_an_example_that_runs() -> None:
    examples = [
        ast.parse(block.code) for block in blocks_of(LIBRARY) if block.language == "python" and not block.reason
    ]

    assert HOMES.keys() - ERRORS.keys() - {name for example in examples for name in used_in(example)} == set()
    assert any(caught_in(example) & ERRORS.keys() for example in examples)


def used_in(example: ast.Module) -> set[str]:
    """Return the names that an example imports from us and uses."""
    imported = {
        alias.name
        for each in example.body
        if isinstance(each, ast.ImportFrom)
        for alias in each.names
        if HOMES.get(alias.name) == each.module
    }
    of_modules = {
        each.attr
        for each in ast.walk(example)
        if isinstance(each, ast.Attribute) and isinstance(each.value, ast.Name)
        if HOMES.get(each.attr) == f"mdpublish_core.{each.value.id}"
    }
    return of_modules | imported & {each.id for each in ast.walk(example) if isinstance(each, ast.Name)}


def caught_in(example: ast.Module) -> set[str]:
    handlers = [each for each in ast.walk(example) if isinstance(each, ast.ExceptHandler)]
    return {each.type.id for each in handlers if isinstance(each.type, ast.Name)}


def test_every_destination_has_a_section() -> None:
    sections = (ROOT / "docs/reference/destinations.md").read_text("utf-8")

    for name in DESTINATIONS:
        assert f"\n## {name}\n" in sections


def test_every_dependency_has_its_reason() -> None:
    reasons = (ROOT / "docs/explanation/dependencies.md").read_text("utf-8")
    named = set(re.findall(r"[a-z][a-z0-9_-]+", reasons))
    required = {re.split(r"[=<>;\[ ]", line)[0] for line in dependencies()}

    assert required - named == set()


def dependencies() -> Iterator[str]:
    for path in ROOT.glob("packages/*/pyproject.toml"):
        project = tomllib.loads(path.read_text("utf-8"))["project"]
        yield from project["dependencies"]
        for extra in project.get("optional-dependencies", {}).values():
            yield from extra
    for group in tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["dependency-groups"].values():
        yield from group
