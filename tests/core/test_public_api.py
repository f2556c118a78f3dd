"""The public API matches its recorded listing, `public_api.txt`. `python -m tests.core.test_public_api` writes it."""

import inspect
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

import mdpublish_core
from mdpublish_core import atlassian, batch, errors, mail, markdown, merging, notebook, plugins, repair, site, slack

LISTING = Path(__file__).with_name("public_api.txt")


MODULES = (mdpublish_core, atlassian, batch, mail, markdown, merging, notebook, plugins, repair, site, slack)


def listed(name: str, module: ModuleType = mdpublish_core) -> str:
    value = getattr(module, name)
    if inspect.isclass(value):
        bases = ", ".join(base.__name__ for base in value.__bases__)
        members = sorted(member for member in vars(value) if not member.startswith("_"))
        fields = [field for field in getattr(value, "__annotations__", {}) if not field.startswith("_")]
        return f"class {name}({bases}): {', '.join(fields + [m for m in members if m not in fields]) or '-'}"
    if callable(value):
        # Set order varies between runs.
        return f"{name}{re.sub(r'frozenset[(]{.*?}[)]', 'DEFAULT_EXTENSIONS', str(inspect.signature(value)))}"
    return f"{name}: {type(value).__name__}"


def listing() -> str:
    lines = [listed(name, module) for module in MODULES for name in module.__all__]
    classes = [each for each in vars(errors).values() if inspect.isclass(each)]
    lines += [listed(each.__name__, errors) for each in classes if each.__module__ == errors.__name__]
    return "".join(f"{line}\n" for line in lines)


@pytest.mark.skipif(sys.version_info >= (3, 14), reason="types are written in another way")
def test_public_api_is_the_recorded_one() -> None:
    assert listing() == LISTING.read_text(), "if it was meant, run `python -m tests.core.test_public_api`"


def test_top_level_has_few_names() -> None:
    assert len(mdpublish_core.__all__) <= 40


def test_every_public_name_is_documented_where_it_is_defined() -> None:
    undocumented = [
        name
        for name in mdpublish_core.__all__
        if callable(getattr(mdpublish_core, name)) and not inspect.getdoc(getattr(mdpublish_core, name))
    ]

    assert undocumented == []


def test_late_names_are_in_dir() -> None:
    assert set(mdpublish_core.__all__) <= set(dir(mdpublish_core))


def test_unknown_name_is_an_attribute_error() -> None:
    assert not hasattr(mdpublish_core, "convert_everything")


if __name__ == "__main__":
    LISTING.write_text(listing())
