"""Clients that public generators make from the OpenAPI description, without options, run a whole session."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.served import Served, served

pytestmark = pytest.mark.interop

HERE = Path(__file__).parent
BIN = Path(sys.executable).parent


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("clients")) as service:
        yield service


@pytest.fixture
def description(service: Served, tmp_path: Path) -> Path:
    path = tmp_path / "openapi.json"
    path.write_bytes(service.client.get("/openapi.json").content)
    return path


def run(*command: str | Path, folder: Path) -> str:
    # The generator formats its code with the ruff that it finds.
    environment = {**os.environ, "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}"}
    result = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


def key_of(service: Served, name: str) -> str:
    return service.open_account(f"{name}@example.org", plan="pro").key


def test_typescript_client_compiles_and_runs_a_session(service: Served, description: Path, tmp_path: Path) -> None:
    for name in ("package.json", "package-lock.json", "session.ts"):
        shutil.copy(HERE / name, tmp_path)
    run(BIN / "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", folder=tmp_path)
    tools = tmp_path / "node_modules/.bin"
    run(BIN / "node", tools / "openapi-typescript", description, "-o", "api.d.ts", folder=tmp_path)
    strict = ("--strict", "--target", "es2022", "--module", "nodenext", "--skipLibCheck", "false")
    run(BIN / "node", tools / "tsc", *strict, "--lib", "es2022,dom,dom.iterable", "session.ts", folder=tmp_path)

    assert run(BIN / "node", "session.js", service.url, key_of(service, "ts"), folder=tmp_path) == "done\n"


def test_python_client_runs_a_session(service: Served, description: Path, tmp_path: Path) -> None:
    options = ("--meta", "none", "--output-path", "service_client", "--fail-on-warning")
    run(BIN / "openapi-python-client", "generate", "--path", description, *options, folder=tmp_path)
    shutil.copy(HERE / "session.py", tmp_path)

    assert run(sys.executable, "session.py", service.url, key_of(service, "python"), folder=tmp_path) == "done\n"
