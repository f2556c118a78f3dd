"""The action in .github/actions/publish: its steps, as a runner runs them, against the service."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from starlette.types import ASGIApp

from tests.running import BIN
from tests.server.conftest import MakeOwner
from tests.server.raw_server import serving

ROOT = Path(__file__).parents[2]
ACTION = yaml.safe_load((ROOT / ".github/actions/publish/action.yml").read_text("utf-8"))
STEPS = {step["name"]: step for step in ACTION["runs"]["steps"] if "name" in step}


@pytest.fixture
def inputs(app: ASGIApp, make_owner: MakeOwner) -> Iterator[dict[str, str]]:
    with serving(app) as (host, port):
        yield {"files": "docs", "service": f"http://{host}:{port}", "api-key": make_owner("pro", plan="pro").key}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A clone of a repository."""
    git(tmp_path, "init", "--bare", "--quiet", "--initial-branch=main", "origin")
    git(tmp_path, "clone", "--quiet", "origin", "clone")
    folder = tmp_path / "clone"
    (folder / "docs").mkdir()
    (folder / "docs/a|b.md").write_text("# A\n")
    git(folder, "checkout", "--quiet", "-b", "main")
    git(folder, "add", ".")
    git(folder, "-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "--quiet", "-m", "Add")
    git(folder, "push", "--quiet", "--set-upstream", "origin", "main")
    return folder


def git(folder: Path, *arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=folder, check=True, capture_output=True, text=True).stdout


def run_step(project: Path, name: str, inputs: dict[str, str]) -> subprocess.CompletedProcess[str]:
    step = STEPS[name]
    variables = {
        variable: inputs[expression.removeprefix("${{ inputs.").removesuffix(" }}")]
        for variable, expression in step.get("env", {}).items()
    }
    runner = {"RUNNER_TEMP": str(project.parent), "GITHUB_STEP_SUMMARY": str(project.parent / "summary.md")}
    environment = {**os.environ, **variables, **runner, "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}"}
    command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
    return subprocess.run(command, cwd=project, env=environment, capture_output=True, text=True, check=False)


def test_files_are_checked_and_published_and_the_list_of_pages_is_pushed(project: Path, inputs: dict[str, str]) -> None:
    for name in ("Check Markdown", "Publish", "Commit the list of pages"):
        done = run_step(project, name, inputs)
        assert done.returncode == 0, done.stderr
    summary = (project.parent / "summary.md").read_text()

    assert "| `a\\|b.md` | published | http" in summary
    assert "docs/.mdpublish/pages.json" in git(project, "ls-tree", "-r", "--name-only", "origin/main")

    repeated = run_step(project, "Publish", inputs)
    assert "0 changes, 1 unchanged" in repeated.stderr
    assert run_step(project, "Commit the list of pages", inputs).returncode == 0
    assert git(project, "rev-list", "--count", "origin/main") == "2\n"


def test_refusal_fails_the_step_after_its_summary(project: Path, inputs: dict[str, str]) -> None:
    done = run_step(project, "Publish", {**inputs, "api-key": "svc_wrong"})

    assert done.returncode == 1
    assert "401" in done.stderr
    assert (project.parent / "summary.md").exists()


def test_inputs_are_never_run(project: Path, inputs: dict[str, str]) -> None:
    attack = "$(touch run) `touch run` ; touch run ; *"
    for name in ("Check Markdown", "Publish"):
        run_step(project, name, dict.fromkeys(inputs, attack))

    assert not (project / "run").exists()
    assert [step["name"] for step in STEPS.values() if "${{" in step["run"]] == []
