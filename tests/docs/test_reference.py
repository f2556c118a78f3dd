"""The reference is whole: nothing public is missing from it."""

import re
import tomllib
from collections.abc import Iterator

import click
import pytest

import mdpublish_core
from mdpublish_core import cli as core_cli
from mdpublish_core.destinations import DESTINATIONS
from mdpublish_core.limits import Limits
from mdpublish_core.notices import NOTICE_CODES
from mdpublish_core.templates import CATEGORIES
from mdpublish_core.templates.stylesheet import variants_of
from mdpublish_core.templates.theme import Colours, Variants
from mdpublish_server import cli as server_cli
from mdpublish_server import errors as server_errors
from mdpublish_server.settings import SETTINGS
from tests.docs.pages import ROOT


def reference(name: str) -> str:
    return (ROOT / f"docs/reference/{name}.md").read_text("utf-8")


@pytest.mark.parametrize("name", mdpublish_core.__all__)
def test_every_public_name_is_in_the_reference(name: str) -> None:
    assert re.search(rf"`{name}\b", reference("library"))


@pytest.mark.parametrize("name", [name for name in mdpublish_core.__all__ if name.islower()])
def test_every_function_is_shown_with_its_arguments(name: str) -> None:
    arguments = getattr(mdpublish_core, name).__code__.co_varnames[: _argument_count(name)]
    signature = re.search(rf"`{name}\(([^`]*)\)`", reference("library"))

    assert signature
    assert re.findall(r"\b(\w+)(?:=|,|$)", re.sub(r"=[^,]*", "=", signature[1])) == list(arguments)


def _argument_count(name: str) -> int:
    code = getattr(mdpublish_core, name).__code__
    return int(code.co_argcount + code.co_kwonlyargcount)


@pytest.mark.parametrize("name", Limits.__dataclass_fields__)
def test_every_limit_is_in_the_reference(name: str) -> None:
    default = getattr(Limits(), name)

    assert re.search(rf"`{name}` \| {default:,} ", reference("library"))


@pytest.mark.parametrize("code", NOTICE_CODES)
def test_every_notice_is_in_the_reference(code: str) -> None:
    assert f"| `{code}` |" in reference("notices")


@pytest.mark.parametrize("name", DESTINATIONS)
def test_every_destination_is_in_the_reference(name: str) -> None:
    assert f"| `{name}` | {DESTINATIONS[name].summary} |" in reference("destinations")
    assert f"\n## {name}\n" in reference("destinations")


def test_every_part_of_a_theme_is_in_the_reference() -> None:
    themes = reference("themes")

    for element in Variants.__dataclass_fields__:
        assert f"| `{element}` | {', '.join(f'`{variant}`' for variant in variants_of(element))} |" in themes
    for role in Colours.__dataclass_fields__:
        assert f"| `{role}` |" in themes
    for category in CATEGORIES:
        assert f"`{category}`" in themes


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.name)
def test_every_setting_is_in_the_reference(setting: object) -> None:
    name, default, meaning = (getattr(setting, field) for field in ("name", "default", "meaning"))

    assert f"| `{name}` | {f'`{default}`' if default else ''} | {meaning} |".replace("|  |", "| |") in reference(
        "settings"
    )


def test_every_error_code_is_in_the_reference() -> None:
    classes = [value for value in vars(server_errors).values() if isinstance(value, type)]
    codes = {(cls.code, cls.status) for cls in classes if issubclass(cls, server_errors.ServiceError)}

    for code, status in codes:
        assert f"| `{code}` | {status} |" in reference("http-api")


@pytest.mark.parametrize(
    ("program", "command"),
    [
        (program, command)
        for program, group in (("mdpublish", core_cli.main), ("mdpublish-server", server_cli.main))
        for command in group.commands.values()
    ],
    ids=lambda value: value if isinstance(value, str) else value.name,
)
def test_every_command_and_option_is_in_the_reference(program: str, command: click.Command) -> None:
    _, _, section = reference("command").partition(f"\n## {program} {command.name}\n")
    section = section.partition("\n## ")[0]

    assert section
    for parameter in command.params:
        for option in parameter.opts if isinstance(parameter, click.Option) else ():
            assert f"`{option}`" in section


def test_every_dependency_has_its_reason() -> None:
    reasons = (ROOT / "docs/explanation/dependencies.md").read_text("utf-8")
    named = set(re.findall(r"[a-z][a-z0-9_-]+", reasons))
    wanted = {re.split(r"[=<>;\[ ]", line)[0] for line in dependencies()}

    assert wanted - named == set()


def dependencies() -> Iterator[str]:
    """Yield every requirement that the project names."""
    for path in ROOT.glob("packages/*/pyproject.toml"):
        project = tomllib.loads(path.read_text("utf-8"))["project"]
        yield from project["dependencies"]
        for extra in project.get("optional-dependencies", {}).values():
            yield from extra
    for group in tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["dependency-groups"].values():
        yield from group
