"""Makes the folder that `mcpb pack` makes a bundle of, for one platform. Run by `nox -s bundle`.

Claude Desktop starts a bundle with the computer's own Python, so it has the packages for each version: what these have
in common is there once. It has 390 MB, 113 MB packed, half of them the libraries of Graphviz and of Mermaid.
"""

import csv
import json
import shutil
import subprocess
import sys
import tomllib
from hashlib import sha256
from pathlib import Path

HERE = Path(__file__).parent
EXTRAS = "client,emoji,figures,import,mcp,repair"
SYSTEMS = {"linux": "linux", "darwin": "darwin", "windows": "win32"}
"""Names of systems: uv's, and those of a manifest."""


def main(wheel: str, pins: str, platform: str, folder: str, *pythons: str) -> None:
    server = Path(folder) / "server"
    trees = [server / "lib" / python for python in pythons]
    for tree in trees:
        options = ("-q", "-c", pins, "--only-binary", ":all:", "--link-mode", "copy", "--no-compile-bytecode")
        target = ("--target", str(tree), "--python-platform", platform, "--python-version", tree.name)
        subprocess.run(["uv", "pip", "install", *options, *target, f"{wheel}[{EXTRAS}]"], check=True)
        shutil.rmtree(tree / "bin", ignore_errors=True)
    share(trees, server / "lib" / "common")
    shutil.copy(HERE / "start.py", server)
    shutil.copy(HERE.parent / "LICENSE", folder)
    version = tomllib.loads((HERE.parent / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    [system] = [name for part, name in SYSTEMS.items() if part in platform]
    runs_on = {"platforms": [system], "runtimes": {"python": f">={pythons[0]}"}}
    manifest = {**json.loads((HERE / "manifest.json").read_text("utf-8")), "version": version, "compatibility": runs_on}
    (Path(folder) / "manifest.json").write_text(json.dumps(manifest, indent=2), "utf-8")


def share(trees: list[Path], common: Path) -> None:
    """Move distributions that all trees have alike to `common`, whole: extension modules load libraries beside them."""
    common.mkdir()
    for record in sorted(trees[0].glob("*.dist-info/RECORD")):
        names = {row[0].partition("/")[0] for row in csv.reader(record.read_text("utf-8").splitlines())}
        entries = sorted(name for name in names if (trees[0] / name).exists())
        if len({digest(tree, entries) for tree in trees}) == 1:
            for name in entries:
                shutil.move(trees[0] / name, common / name)
                for other in (tree / name for tree in trees[1:]):
                    shutil.rmtree(other) if other.is_dir() else other.unlink()


def digest(tree: Path, entries: list[str]) -> bytes:
    value = sha256()
    for path in (path for name in entries for path in sorted([tree / name, *(tree / name).rglob("*")])):
        if path.is_file():
            value.update(f"{path.relative_to(tree)}\0{path.stat().st_size}\0".encode() + path.read_bytes())
    return value.digest()


if __name__ == "__main__":
    main(*sys.argv[1:])
