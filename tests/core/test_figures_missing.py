"""Without extras, everything converts and one notice per kind of figure names the missing extra."""

import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterable
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from click.testing import CliRunner
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from mdpublish_core.cli import main
from mdpublish_core.cli.doctor import EXTRAS
from mdpublish_core.writers.outputs import DESTINATIONS
from tests.running import importing

LINUX = {"sys_platform": "linux", "platform_machine": "x86_64"}
PYPROJECT = Path(__file__).parents[2] / "packages/mdpublish-core/pyproject.toml"

MARKDOWN = """\
# T

```mermaid
graph LR
  a --> b
```

```mermaid
pie
  "a": 1
```

```dot
digraph { a -> b }
```

```neato
graph { a -- b }
```

$$
\\frac{1}{2}
$$

and $x^2$
"""

PROGRAM = """
import json, sys
from mdpublish_core import convert
text, *destinations = json.load(sys.stdin)
for destination in destinations:
    made = convert(text, to=destination)
    print(json.dumps([made.text, made.plain_text, len(made.media), [[each.message, each.line] for each in made.notices]]))
"""


def hide(packages: Iterable[str], folder: Path) -> None:
    """Write modules to a folder that is searched first, so that these packages cannot be imported."""
    for package in packages:
        name = f"No module named '{package}'"
        (folder / f"{package}.py").write_text(f"raise ModuleNotFoundError({name!r}, name={package!r})\n")


def convert_without(
    packages: Iterable[str], folder: Path, *destinations: str
) -> list[tuple[str, str, int, list[tuple[str, int]]]]:
    """Convert in a process where these packages cannot be imported."""
    hide(packages, folder)
    environment = importing(folder)
    command = [sys.executable, "-c", PROGRAM]
    payload = json.dumps([MARKDOWN, *destinations])
    run = subprocess.run(command, input=payload, env=environment, capture_output=True, text=True, check=True)
    return [
        (html, markdown, media, [(message, line) for message, line in notices])
        for html, markdown, media, notices in map(json.loads, run.stdout.splitlines())
    ]


def test_everything_converts_with_a_notice_a_kind(tmp_path: Path) -> None:
    packages = {module for _, modules in EXTRAS.values() for module in modules} | {"cssselect", "requests"}
    conversions = dict(zip(DESTINATIONS, convert_without(packages, tmp_path, *DESTINATIONS), strict=True))

    for destination, (html, content, media, notices) in conversions.items():
        assert media == 0
        assert "a --> b" in content
        assert "a -- b" in html
        if destination == "html":
            assert notices == []
            continue
        kinds = [line for message, line in notices if re.search(r"run: pip install 'mdpublish-core\[\w+\]'", message)]
        # Formulas as images need the extra. Formulas as text or in a native format do not.
        assert kinds == ([3, 13, 21] if destination in {"email", "google-docs", "onenote"} else [3, 13])
        assert len(notices) == len(kinds)
    assert "<mfrac>" in conversions["generic"][0]
    assert "x²" in conversions["plain-text"][0]


@pytest.mark.needs("mmdr", "pygraphviz", "resvg_py")
@pytest.mark.parametrize("package", ["resvg_py", "ziafont", "pygraphviz", "ziamath"])
def test_one_package_that_is_missing_costs_what_needs_it_alone(package: str, tmp_path: Path) -> None:
    ((html, _, media, notices),) = convert_without((package,), tmp_path, "email")

    assert notices
    assert all("is not installed" in message for message, _ in notices)
    if package == "pygraphviz":
        assert [line for _, line in notices] == [13]
        # The formula in the line is text.
        assert media == 3
    assert html.startswith("<!DOCTYPE html>")


@pytest.mark.needs("mmdr", "pygraphviz")
def test_diagrams_are_rendered_by_the_other_engine_without_a_wheel_of_the_first(tmp_path: Path) -> None:
    ((html, _, _, notices),) = convert_without(("merman",), tmp_path, "generic")

    assert html.count("<svg ") == 4
    assert notices == []


@pytest.mark.needs("ziafont")
def test_doctor_fails_if_one_kind_of_figure_has_no_engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Without WeasyPrint, which takes long to load.
    hide(("pygraphviz", "weasyprint"), tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setitem(sys.modules, "premailer", None)

    run = CliRunner().invoke(main, ["doctor"])

    lines = dict(re.findall(r"(?m)^(\w+ +extra \w+) +(.+)$", run.output))
    assert [line.split()[-1] for line in lines] == list(EXTRAS)
    assert lines["ok     extra emoji"] == "names of emoji, for the extension `emoji`"
    assert lines["none   extra themes"].endswith(" (not installed; run: pip install 'mdpublish-core[themes]')")
    assert re.findall(r"(?m)^(\w+) +(dot|chart) +", run.output) == [("none", "dot"), ("ok", "chart")]
    report = json.loads(CliRunner().invoke(main, ["doctor", "--output-format", "json"]).stdout)
    assert {"kind": "extra emoji", "engine": lines["ok     extra emoji"], "problem": ""} in report["found"]
    assert {"clipboard", "browser"} <= {each["kind"] for each in report["found"]}
    assert all(each["engine"] or each["problem"] for each in report["found"])
    starts = {re.search(r"^\w+ +(?:extra )?\w+ +", line).end() for line in run.output.splitlines()[1:]}  # type: ignore[union-attr]
    assert len(starts) == 1
    assert len(report["found"]) + len(report["plugins"]) == len(run.output.splitlines()) - 1
    assert run.exit_code == 1


def required(extra: str, extras: dict[str, list[str]]) -> set[str]:
    """Return the distributions of an extra on Linux on x86-64, with those of the extras in it."""
    names = set[str]()
    for requirement in map(Requirement, extras[extra]):
        if requirement.marker and not requirement.marker.evaluate(LINUX):
            continue
        nested = [required(each, extras) for each in requirement.extras]
        names |= set().union(*nested) if nested else {canonicalize_name(requirement.name)}
    return names


def test_doctor_knows_every_extra_by_its_packages() -> None:
    extras = tomllib.loads(PYPROJECT.read_text("utf-8"))["project"]["optional-dependencies"]
    distributions = packages_distributions()
    known = {
        extra: {canonicalize_name(distributions.get(module, [module])[0]) for module in modules}
        for extra, (_, modules) in EXTRAS.items()
    }

    assert known | {"all": set().union(*known.values())} == {extra: required(extra, extras) for extra in extras}
