import subprocess
import sys
from pathlib import Path

TESTS = """
import pytest

runs = []


@pytest.fixture(scope="module")
def service():
    runs.append("service")
    if runs.count("service") == 1:
        raise TimeoutError("the service did not start")
    return "started"


def test_waits_too_long_once():
    runs.append("once")
    if runs.count("once") == 1:
        raise TimeoutError("no response in 60 s")


def test_waits_too_long_each_time():
    raise TimeoutError("no response in 60 s")


def test_fails_once():
    runs.append("wrong")
    assert runs.count("wrong") == 2


def test_whose_service_starts_too_late(service):
    assert service == "started"
"""


def test_only_what_waited_too_long_runs_again_and_is_named(tmp_path: Path) -> None:
    (tmp_path / "test_waits.py").write_text(TESTS)
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "tests.second_tries",
        "-p",
        "no:cacheprovider",
        "-rA",
        str(tmp_path),
    ]

    run = subprocess.run(command, capture_output=True, text=True, check=False, cwd=Path(__file__).parents[1])

    lines = run.stdout.splitlines()
    outcomes = {
        line.split("::")[1].split()[0]: line.split()[0] for line in lines if line.startswith(("PASSED", "FAILED"))
    }
    assert outcomes == {
        "test_waits_too_long_once": "PASSED",
        "test_waits_too_long_each_time": "FAILED",
        "test_fails_once": "FAILED",
        "test_whose_service_starts_too_late": "PASSED",
    }
    assert sum(line.startswith("ran twice, since it waited too long: ") for line in lines) == 3
