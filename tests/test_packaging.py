"""What the packages and the workflows say of themselves is true."""

import ast
import re
import tomllib
from collections.abc import Sequence
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parent.parent
PROJECTS = [ROOT / f"packages/mdpublish-{name}" for name in ("core", "server")]
MAX_DISTRIBUTIONS = 12
MAX_CHANGELOG_WORDS = 500


def project(folder: Path) -> dict[str, Any]:
    read: dict[str, Any] = tomllib.loads((folder / "pyproject.toml").read_text("utf-8"))["project"]
    return read


def supported_pythons() -> list[str]:
    """Those for which `nox -s platforms` resolves."""
    for node in ast.parse((ROOT / "noxfile.py").read_text("utf-8")).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "PYTHONS":
            return list(ast.literal_eval(node.value))
    raise LookupError("PYTHONS")


def with_requirements(lines: Sequence[str]) -> set[str]:
    """Return what pip installs for requirements here."""
    required: set[str] = set()
    left = [*lines]
    while left:
        requirement = Requirement(left.pop())
        name = canonicalize_name(requirement.name)
        if name not in required and (requirement.marker is None or requirement.marker.evaluate({"extra": ""})):
            required.add(name)
            left += distribution(name).requires or ()
    return required


def megabytes(name: str) -> float:
    """Return the size of an installed distribution without its bytecode."""
    files = (Path(str(file.locate())) for file in distribution(name).files or () if file.suffix != ".pyc")
    return sum(file.stat().st_size for file in files if file.is_file()) / 1e6


@pytest.mark.parametrize("folder", PROJECTS, ids=lambda folder: folder.name)
def test_page_has_a_license_and_a_reason_of_each_requirement(folder: Path) -> None:
    page = (ROOT / "docs/explanation/dependencies.md").read_text("utf-8").partition("\n## Tools\n")[0]
    rows = [row for line in page.splitlines() if len(row := re.split(r" *\| *", line)) > 4]
    described = {name for row in rows if all(row[2:-1]) for name in re.findall(r"[a-z][\w-]+", row[1])}
    stated = project(folder)
    lines = [line for lines in (stated["dependencies"], *stated["optional-dependencies"].values()) for line in lines]
    names = {canonicalize_name(Requirement(line).name) for line in lines}

    assert names - described - {"mdpublish-core"} == set()


def test_page_about_installing_has_every_extra() -> None:
    page = (ROOT / "docs/how-to/install.md").read_text("utf-8").partition("| extra | installs | wheels |\n")[2]
    extras = re.findall(r"^\| `(\w+)` \| [^|]+ \| [^|]*\|$", page.partition("\n\n")[0], re.MULTILINE)
    assert sorted(extras) == sorted(project(PROJECTS[0])["optional-dependencies"])


def test_core_requires_few_distributions_which_its_page_lists() -> None:
    page = (ROOT / "docs/explanation/dependencies.md").read_text("utf-8")
    listed = re.findall(r"^\| ([a-z0-9-]+) \| (\d+\.\d) \| .+ \| .+ \|$", page, re.MULTILINE)
    required = with_requirements(project(PROJECTS[0])["dependencies"])
    assert len(required) <= MAX_DISTRIBUTIONS
    assert {name for name, _ in listed} == required
    assert f"pip installs these {len(required)} distributions" in page
    # Native parts differ between platforms and Pythons.
    wrong = [(name, size, megabytes(name)) for name, size in listed if abs(float(size) - megabytes(name)) > 0.1]
    assert [each for each in wrong if not 0.7 < float(each[1]) / each[2] < 1.4] == []


@pytest.mark.parametrize("folder", PROJECTS, ids=lambda folder: folder.name)
def test_classifiers_name_the_pythons_that_are_tested(folder: Path) -> None:
    classifiers = project(folder)["classifiers"]
    pythons = [each.rpartition(" ")[2] for each in classifiers if re.search(r":: 3\.\d+$", each)]
    assert pythons == supported_pythons()
    assert [each for each in pythons if each not in SpecifierSet(project(folder)["requires-python"])] == []
    assert "Typing :: Typed" in classifiers
    assert (folder / f"src/{folder.name.replace('-', '_')}/py.typed").is_file()


def test_changelog_is_a_page() -> None:
    words = (ROOT / "CHANGELOG.md").read_text("utf-8").split()
    assert len(words) <= MAX_CHANGELOG_WORDS, "a line only for what a user notices; see CONTRIBUTING.md"


def nox_sessions() -> set[str]:
    noxfile = (ROOT / "noxfile.py").read_text("utf-8")
    sessions = re.findall(r'^@nox\.session(?:\(name="([a-z-]+)"\))?\ndef (\w+)', noxfile, re.MULTILINE)
    return {name or function for name, function in sessions}


def test_every_session_is_described_once() -> None:
    pages = [(ROOT / name).read_text("utf-8") for name in ("CONTRIBUTING.md", "docs/reference/nox-sessions.md")]
    first, others = (
        [name for cell in re.findall(r"^\| (`.+?`) \| ", page, re.MULTILINE) for name in cell[1:-1].split("`, `")]
        for page in pages
    )
    assert first == ["serve", "tests", "browser", "lint", "types", "docs"]
    assert sorted(first + others) == sorted(nox_sessions())


def test_workflows_run_sessions_that_exist() -> None:
    files = sorted((ROOT / ".github/workflows").iterdir())
    assert files
    for file in files:
        workflow = yaml.safe_load(file.read_text("utf-8"))
        steps = [step for job in workflow["jobs"].values() for step in job["steps"]]
        lines = [line for step in steps for line in re.findall(r"nox -s (.+)", step.get("run", ""))]
        called = {name for line in lines for name in line.partition(" -- ")[0].split()}
        assert called
        assert called <= nox_sessions()


def test_actions_of_others_are_pinned_by_commit() -> None:
    """A tag can be moved; a commit cannot."""
    actions = (ROOT / "action.yml", *(ROOT / ".github/actions").rglob("action.yml"))
    for file in (*actions, *sorted((ROOT / ".github/workflows").iterdir())):
        lines = re.findall(r"^ *(?:- )?uses: *(.+)$", file.read_text("utf-8"), re.MULTILINE)
        assert lines
        assert [line for line in lines if not re.fullmatch(r"[\w/-]+@[0-9a-f]{40} # v\d+(\.\d+){2}", line)] == [], file


def test_workflows_install_pinned_versions() -> None:
    for file in sorted((ROOT / ".github/workflows").iterdir()):
        installs = re.findall(r"pip install (.+)$", file.read_text("utf-8"), re.MULTILINE)
        assert [each for each in installs if not each.startswith("-c requirements.txt ")] == [], file


def test_every_pin_has_hashes() -> None:
    pins = (ROOT / "requirements.txt").read_text("utf-8").splitlines()
    hashed = re.findall(
        r"^(\S+) \\\n    --hash=sha256:", (ROOT / ".ci/requirements.hashes.txt").read_text("utf-8"), re.MULTILINE
    )
    assert hashed == pins


def test_release_has_a_bill_of_materials_and_provenance() -> None:
    workflow = yaml.safe_load((ROOT / ".github/workflows/release.yml").read_text("utf-8"))
    job = workflow["jobs"]["build"]
    actions = [step["uses"].partition("@")[0] for step in job["steps"] if "uses" in step]
    subjects = [step["with"]["subject-path"] for step in job["steps"] if "attest" in step.get("uses", "")]

    assert {"actions/attest-build-provenance", "actions/attest-sbom"} <= set(actions)
    assert subjects == ["dist/mdpublish_*", "dist/mdpublish_core-*", "dist/mdpublish_server-*"]
    assert job["permissions"] == {"contents": "read", "id-token": "write", "attestations": "write"}


def test_release_has_compiled_wheels_beside_the_pure_one() -> None:
    compiled, build = yaml.safe_load((ROOT / ".github/workflows/release.yml").read_text("utf-8"))["jobs"].values()
    project = tomllib.loads((ROOT / "packages/mdpublish-core/pyproject.toml").read_text("utf-8"))
    settings = project["tool"]["cibuildwheel"]

    assert [each[2:-2] for each in settings["build"].split()] == [
        version.replace(".", "") for version in supported_pythons()
    ]
    assert settings["environment"] == {"HATCH_BUILD_HOOK_ENABLE_MYPYC": "1"}
    assert {system.partition("-")[0] for system in compiled["strategy"]["matrix"]["os"]} == {
        "ubuntu",
        "macos",
        "windows",
    }
    assert "permissions" not in compiled
    assert build["needs"] == "compiled"
    steps = [step.get("run") or step["uses"].partition("@")[0] for step in build["steps"]]
    # `nox -s build` empties the folder, and signatures are of what is there.
    downloads = steps.index("actions/download-artifact")
    assert steps.index("nox -s audit build sbom") < downloads < steps.index("actions/attest-build-provenance")


def test_no_class_that_is_compiled_names_its_methods_in_its_body() -> None:
    """Compiled, such a table raises KeyError where it is first used."""
    core = ROOT / "packages/mdpublish-core"
    hook = tomllib.loads((core / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"]["targets"]["wheel"]
    files = [file for pattern in hook["hooks"]["mypyc"]["include"] for file in core.glob(pattern)]
    assert files
    for file in files:
        for each in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(each, ast.ClassDef):
                methods = {statement.name for statement in each.body if isinstance(statement, ast.FunctionDef)}
                values = [
                    statement.value for statement in each.body if isinstance(statement, ast.Assign | ast.AnnAssign)
                ]
                names = {node.id for value in values if value for node in ast.walk(value) if isinstance(node, ast.Name)}
                assert not methods & names, (file.name, each.name)


def test_workflow_builds_on_each_system_with_the_oldest_and_newest_python() -> None:
    workflow = yaml.safe_load((ROOT / ".github/workflows/packages.yml").read_text("utf-8"))
    matrix = workflow["jobs"]["build"]["strategy"]["matrix"]
    assert {system.partition("-")[0] for system in matrix["os"]} == {"ubuntu", "macos", "windows"}
    assert matrix["python"] == [supported_pythons()[0], supported_pythons()[-1]]
