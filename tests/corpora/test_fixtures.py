import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.corpora import cache

TESTS = """
import pytest

from tests.corpora.cache import FetchFailure, Unreachable


@pytest.fixture(scope="module")
def readmes():
    raise Unreachable("README.md of npm's express@5.3.0: npm ended with status 1\\nECONNREFUSED")


@pytest.mark.parametrize("number", range(3))
def test_of_readmes(readmes, number):
    pass


def test_that_fetches():
    raise Unreachable("data of npm's caniemail@2.0.2: npm ended with status 1")


def test_of_other_data_than_pinned():
    raise FetchFailure("README.md has another SHA-256")
"""


@pytest.mark.parametrize(
    ("variables", "counts"), [({}, "1 failed, 4 not fetched"), ({"CI": "true"}, "2 failed, 3 errors")]
)
def test_what_cannot_be_downloaded_is_left_out_in_one_line_but_fails_in_ci(
    tmp_path: Path, variables: dict[str, str], counts: str
) -> None:
    (tmp_path / "test_fetched.py").write_text(TESTS)
    environment = {name: value for name, value in os.environ.items() if name != "CI"} | variables
    options = ("-p", "tests.corpora.fixtures", "-p", "no:cacheprovider", "-ra")
    command = (sys.executable, "-m", "pytest", *options, str(tmp_path))

    run = subprocess.run(
        command, env=environment, capture_output=True, text=True, check=False, cwd=Path(__file__).parents[2]
    )

    lines = run.stdout.splitlines()
    assert counts in lines[-1]
    assert [line for line in lines if line.startswith(("SKIPPED", "not run"))] == (
        []
        if variables
        else [
            "not run, cannot download their data: 4 tests (README.md of npm's express@5.3.0: npm ended with status 1)"
        ]
    )


def test_program_that_failed_is_not_run_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "CACHE", tmp_path)
    command = ["sh", "-c", "echo tried >> log; echo offline >&2; exit 3"]

    for description in ("one", "another"):
        with pytest.raises(cache.Unreachable, match=r"(?s)one: sh ended with status 3.*offline"):
            cache.run(command, description, str(tmp_path), seconds=60, environment={})

    assert (tmp_path / "log").read_text() == "tried\n"
