"""Without the `figures` extra, everything converts and one notice per kind names the missing extra."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from mdpublish_core.cli import main
from mdpublish_core.writers.outputs import DESTINATIONS
from tests.running import importing

EXTRA = ("merman", "mmdr", "pygraphviz", "resvg_py", "ziafont", "ziamath")

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


def hide(packages: tuple[str, ...], folder: Path) -> None:
    """Write modules to a folder that is searched first, so that these packages cannot be imported."""
    for package in packages:
        name = f"No module named '{package}'"
        (folder / f"{package}.py").write_text(f"raise ModuleNotFoundError({name!r}, name={package!r})\n")


def convert_without(
    packages: tuple[str, ...], folder: Path, *destinations: str
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
    conversions = dict(zip(DESTINATIONS, convert_without(EXTRA, tmp_path, *DESTINATIONS), strict=True))

    for destination, (html, content, media, notices) in conversions.items():
        assert media == 0
        assert "a --> b" in content
        assert "a -- b" in html
        if destination == "html":
            assert notices == []
            continue
        kinds = [line for message, line in notices if "install mdpublish-core[figures]" in message]
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

    run = CliRunner().invoke(main, ["doctor"])

    assert re.findall(r"(?m)^(\w+) +(dot|chart): ", run.output) == [("none", "dot"), ("ok", "chart")]
    assert run.exit_code == 1
