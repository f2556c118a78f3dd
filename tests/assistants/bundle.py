"""Makes the bundle for Claude Desktop for some platforms, and tries this computer's. Run by `nox -s bundle`."""

import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from tests.assistants.programs import MCPB
from tests.assistants.stdio_clients import tool_names, use
from tests.test_packaging import ROOT, supported_pythons

CORE = ROOT / "packages/mdpublish-core"
HERE = {
    "Linux": f"{platform.machine()}-manylinux_2_28",
    "Darwin": f"{'aarch64' if platform.machine() == 'arm64' else 'x86_64'}-apple-darwin",
    "Windows": "x86_64-pc-windows-msvc",
}[platform.system()]

MARKDOWN = """# Plan

```mermaid
flowchart LR
a --> b
```

```dot
digraph { a -> b }
```

```chart
{"type": "bar", "data": {"labels": ["A"], "datasets": [{"label": "N", "data": [1]}]}}
```

$$x^2$$
"""
FILE_TOOLS = {"convert_file", "import_file", "check_file", "publish_file"}


def main(wheel: str, scripts: str, *platforms: str) -> None:
    for name in platforms or (HERE,):
        with tempfile.TemporaryDirectory() as folder:
            packed = make(wheel, name, Path(folder))
            print(f"{packed.name}: {packed.stat().st_size / 1e6:.0f} MB")  # noqa: T201
            if name == HERE:
                attempt(packed, Path(scripts), Path(folder))
                print("converted a file without a network")  # noqa: T201


def make(wheel: str, name: str, folder: Path) -> Path:
    pins = str(ROOT / "requirements.txt")
    command = [
        sys.executable,
        str(CORE / "mcpb/make.py"),
        wheel,
        pins,
        name,
        str(folder / "made"),
        *supported_pythons(),
    ]
    subprocess.run(command, check=True)
    validated = MCPB.run("validate", str(folder / "made/manifest.json"))
    assert validated.returncode == 0, validated
    version = json.loads((folder / "made/manifest.json").read_text("utf-8"))["version"]
    packed = ROOT / "dist" / f"mdpublish-{version}-{name}.mcpb"
    packed.parent.mkdir(exist_ok=True)
    result = MCPB.run("pack", str(folder / "made"), str(packed))
    assert result.returncode == 0, result
    return packed


def attempt(packed: Path, scripts: Path, folder: Path) -> None:
    """Start the server as Claude Desktop does, with an empty environment's Python, and convert a file."""
    unpacked, notes = folder / "unpacked", folder / "notes"
    with zipfile.ZipFile(packed) as archive:
        archive.extractall(unpacked)
    notes.mkdir()
    (notes / "plan.md").write_text(MARKDOWN)
    started = json.loads((unpacked / "manifest.json").read_text("utf-8"))["server"]["mcp_config"]
    program = shutil.which(started["command"], path=str(scripts))
    assert program, scripts
    arguments = [each.replace("${__dirname}", str(unpacked)) for each in started["args"]]
    command = [*without_network(), program, *arguments]
    variables = {**started["env"], "HOME": str(folder), "PATH": os.environ["PATH"]}
    # As when no folder was chosen.
    assert not tool_names(command, variables) & FILE_TOOLS
    command[-1:] = [str(notes)]
    assert tool_names(command, variables) > FILE_TOOLS
    written = use(command, variables, "convert_file", path="plan.md", to="docx")
    assert (written["notices"], written["delivery"]) == ([], "2 diagrams as pictures, 1 chart as a picture"), written
    assert zipfile.is_zipfile(notes / "plan.docx")


def without_network() -> list[str]:
    """Return a prefix of a command that takes the network away, where the system has one."""
    return ["unshare", "--map-root-user", "--net"] if platform.system() == "Linux" else []


if __name__ == "__main__":
    main(*sys.argv[1:])
