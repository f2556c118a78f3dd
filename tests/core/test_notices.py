"""The table of notices lists exactly the codes used in the source."""

import ast
from pathlib import Path

import pytest

import mdpublish_server
from mdpublish_core import Notice, notices
from mdpublish_core.notices import NOTICES

SOURCES = (Path(notices.__file__).parent, Path(mdpublish_server.__file__).parent)

# Their first argument is a notice code.
GIVING = {"Notice", "CoreNotice", "notice", "_add_notice"}


def codes_given() -> set[str]:
    return {
        argument.value
        for source in SOURCES
        for file in source.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.Call) and node.args and name_of(node.func) in GIVING
        for argument in [node.args[0], *vars(node.args[0]).values()]
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str)
    }


def name_of(function: ast.expr) -> str:
    return function.id if isinstance(function, ast.Name) else getattr(function, "attr", "")


def test_table_lists_the_notices_that_are_given() -> None:
    assert codes_given() == set(NOTICES)


def test_notice_that_is_not_in_the_table_is_a_mistake_of_ours() -> None:
    with pytest.raises(AssertionError, match="overdue"):
        Notice("overdue", "the book is overdue")
