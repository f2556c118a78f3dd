import subprocess
import sys
from pathlib import Path

import pytest

from tests.costs import MAX_STARTS
from tests.running import importing

TESTS = """
import subprocess


def test_starts():
    for _ in range({number}):
        subprocess.run(["true", "serve"])
"""


@pytest.mark.parametrize(("number", "status"), [(MAX_STARTS["services"], 0), (MAX_STARTS["services"] + 1, 1)])
def test_run_that_starts_more_than_the_table_has_fails(tmp_path: Path, number: int, status: int) -> None:
    (tmp_path / "pytest.ini").write_text("[pytest]\ntestpaths = .\n")
    (tmp_path / "test_starts.py").write_text(TESTS.format(number=number))
    command = [sys.executable, "-m", "pytest", "-ptests.costs", "-pno:cacheprovider", "-n1", "--dearest=1"]
    environment = importing(Path(__file__).parents[1])

    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path, env=environment)

    assert (done.returncode, f"{number} services" in done.stdout) == (status, True)
    assert (f"FAILED: tests started {number} services (at most" in done.stdout) == bool(status)
    assert "s of CPU: test_starts.py::test_starts" in done.stdout
