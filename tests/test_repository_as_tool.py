"""The repository as a tool of others: a GitHub action, a pre-commit hook, and what both install."""

import os
import shlex
import subprocess
import tomllib
from hashlib import sha256
from pathlib import Path

import pytest
import yaml

from mdpublish_core.cli import main
from tests.running import BIN

ROOT = Path(__file__).parents[1]
ACTION = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
HOOKS = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))


def run_check(folder: Path, **inputs: str) -> subprocess.CompletedProcess[str]:
    """Run the action's last step, as a runner does: its inputs in the variables that it names."""
    step = ACTION["runs"]["steps"][-1]
    defaults = {name: given["default"] for name, given in ACTION["inputs"].items()}
    variables = {
        variable: {**defaults, **inputs}[expression.removeprefix("${{ inputs.").removesuffix(" }}")]
        for variable, expression in step["env"].items()
    }
    environment = {**os.environ, **variables, "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}"}
    # https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-syntax#jobsjob_idstepsshell
    command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / ".git").mkdir()
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/bad.md").write_text("# A\n\n[a](none.md)\n")
    (tmp_path / "good.md").write_text("# A\n\n![a](a.png)\n")
    (tmp_path / "a.png").write_bytes(b"")
    return tmp_path


def test_action_annotates_what_is_wrong(project: Path) -> None:
    checked = run_check(project)

    message = "the link 'none.md' points to a missing file"
    assert (checked.returncode, checked.stdout) == (
        1,
        f"::warning file=docs/bad.md,line=3,col=1,title=broken-link::{message}\n",
    )
    assert run_check(project, files="good.md").returncode == 0


def test_action_passes_its_inputs_on(project: Path) -> None:
    (project / "conf.toml").write_text('[check]\nto = ["slack"]\n')

    for inputs, status in (
        ({"files": "good.md\ndocs", "to": "html"}, 1),
        ({"files": "good.md", "to": "html generic"}, 0),
        ({"files": "good.md", "to": "html slack"}, 1),
        ({"files": "good.md", "config": "conf.toml"}, 1),
        ({"files": "good.md", "to": "fax"}, 2),
    ):
        assert run_check(project, **inputs).returncode == status, inputs


def test_action_checks_the_format_or_writes_it(project: Path) -> None:
    (project / "good.md").write_text("A\n===\n")

    assert run_check(project, files="good.md").returncode == 0
    checked = run_check(project, files="good.md", format="check")
    assert (checked.returncode, "+# A" in checked.stdout.splitlines()) == (1, True)
    assert run_check(project, files="good.md", format="write").returncode == 0
    assert (project / "good.md").read_text() == "# A\n"
    assert run_check(project, files="good.md", format="check").returncode == 0
    assert run_check(project, files="docs", format="check").returncode == 1
    assert run_check(project, files="good.md", format="yes").returncode == 2


def test_inputs_of_the_action_are_never_run(project: Path) -> None:
    for name in ("files", "to", "config", "format"):
        run_check(project, **{name: "$(touch run) `touch run` ; touch run ; *"})

    assert not (project / "run").exists()
    scripts = [step["run"] for step in ACTION["runs"]["steps"] if "run" in step]
    assert [script for script in scripts if "${{" in script] == []


def test_action_installs_files_whose_hashes_are_known() -> None:
    (script,) = [step["run"] for step in ACTION["runs"]["steps"] if step.get("name") == "Install mdpublish"]

    assert "install-checked" in script
    assert " install" not in script.replace("install-checked", "")


def test_check_of_hashes_refuses_an_unknown_file(tmp_path: Path) -> None:
    (tmp_path / "files").mkdir()
    (tmp_path / "files/known.whl").write_bytes(b"known")
    (tmp_path / "hashes.txt").write_text(f"known==1 \\\n    --hash=sha256:{sha256(b'known').hexdigest()}\n")
    command = ["sh", str(ROOT / "docs/how-to/deploy/check-hashes"), "files", "hashes.txt"]
    assert subprocess.run(command, cwd=tmp_path, check=False).returncode == 0

    (tmp_path / "files/other.whl").write_bytes(b"other")
    refused = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)

    assert (refused.returncode, refused.stderr) == (1, "files/other.whl: its hash is not in hashes.txt\n")


@pytest.mark.parametrize("hook", HOOKS, ids=lambda hook: str(hook["id"]))
def test_hook_is_a_command_that_takes_files(project: Path, hook: dict[str, str]) -> None:
    """A hook that writes files fails by that."""
    program, *arguments = shlex.split(hook["entry"])
    (project / "good.md").write_text("A\n===\n")

    assert program == "mdpublish"
    with pytest.raises(SystemExit) as exit_status:
        main([*arguments, str(project / "docs/bad.md"), str(project / "good.md")])
    assert exit_status.value.code == int("format" not in arguments)
    assert ((project / "good.md").read_text() == "# A\n") == ("format" in arguments)


def test_repository_installs_the_command() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    core = tomllib.loads((ROOT / "packages/mdpublish-core/pyproject.toml").read_text("utf-8"))["project"]
    requirements = [
        *project["dependencies"],
        *(each for extra in project["optional-dependencies"].values() for each in extra),
    ]

    assert all(requirement.endswith(" @ {root:uri}/packages/mdpublish-core") for requirement in requirements)
    assert project["requires-python"] == core["requires-python"]
    for extra in ("figures", ACTION["inputs"]["extras"]["default"]):
        assert extra in core["optional-dependencies"]
    checking = [hook["additional_dependencies"] for hook in HOOKS if "check" in hook["entry"]]
    assert checking == [[".[figures]"]] * (len(HOOKS) - 1)
    assert "figures" in project["optional-dependencies"]
