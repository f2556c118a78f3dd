"""Files per second of `mdpublish check`, beside the linters and formatters that are on the PATH.

    python -m benchmarks.checking [--files N] [FOLDER]

Checks the Markdown files of FOLDER, by default guides of the documentation, repeated, with their links. Times are those
of processors, since some of the programs use several. Peers, where they are installed: rumdl and mdformat (with
mdformat-gfm) from Python's index, markdownlint-cli2 from npm's.
"""

import argparse
import json
import platform
import re
import shutil
import subprocess
from collections.abc import Sequence
from itertools import cycle, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time

from benchmarks.commands import BIN, ENVIRONMENT, children_processor_time
from benchmarks.measuring import cpu_model
from mdpublish_core import parse

_OURS = str(BIN / "mdpublish")

COMMANDS = {
    "`mdpublish check --no-cache`": [_OURS, "check", "--no-cache", "."],
    "`mdpublish check`, nothing changed": [_OURS, "check", "."],
    "`rumdl check --no-cache`": ["rumdl", "check", "--no-cache", "."],
    "`markdownlint-cli2`": ["markdownlint-cli2", "**/*.md"],
    "`mdformat --check`": ["mdformat", "--check", "."],
}

_DOCS = Path(__file__).parents[1] / "docs"

_ELSEWHERE = re.compile(r"\]\((?:\.\./)+(?!tutorial/|how-to/)|\]\((?=deploy/)")

ROUNDS = 2
"""The better one counts."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, default=1_000)
    parser.add_argument("folder", nargs="?", type=Path)
    given = parser.parse_args()
    with TemporaryDirectory() as name:
        folder = Path(name) / "docs"
        if given.folder:
            shutil.copytree(given.folder, folder)
        else:
            write_guides(folder, given.files)
        (folder / ".markdownlint-cli2.jsonc").write_text(json.dumps({"noProgress": True}))
        print_table(folder)


def write_guides(folder: Path, number: int) -> None:
    """Write copies of the guides and tutorials; what they link to elsewhere in the documentation is on the web."""
    sources = [source for name in ("how-to", "tutorial") for source in sorted((_DOCS / name).glob("*.md"))]
    for place, source in enumerate(islice(cycle(sources), number)):
        copy = folder / str(place // len(sources)) / source.relative_to(_DOCS)
        copy.parent.mkdir(parents=True, exist_ok=True)
        # No two are equal: each file is to be parsed.
        content = f"{_ELSEWHERE.sub('](https://example.org/', source.read_text('utf-8'))}\nPage {place + 1}.\n"
        copy.write_text(content, "utf-8")


def print_table(folder: Path) -> None:
    files = list(folder.rglob("*.md"))
    size = sum(file.stat().st_size for file in files) / 1e6
    print(f"{len(files):,} files, {size:.1f} MB, Python {platform.python_version()}, {cpu_model()}\n")
    print("| | processor time, s | files/s | relative to parsing |")
    print("|---|--:|--:|--:|")
    parsing = min(_parsing_time(files) for _ in range(ROUNDS))
    print(f"| `parse`, in one process | {parsing:.1f} | {len(files) / parsing:,.0f} | 1.0 |")
    for label, command in COMMANDS.items():
        if shutil.which(command[0]) is None:
            print(f"| {label} | not installed | | |")
            continue
        seconds = min(_time(command, folder) for _ in range(ROUNDS))
        print(f"| {label} | {seconds:.1f} | {len(files) / seconds:,.0f} | {seconds / parsing:.1f} |", flush=True)


def _parsing_time(files: Sequence[Path]) -> float:
    sources = [file.read_text("utf-8") for file in files]
    start = process_time()
    for source in sources:
        parse(source)
    return process_time() - start


def _time(command: Sequence[str], folder: Path) -> float:
    start = children_processor_time()
    # Exits with 1 where there is something to report.
    subprocess.run(
        command, cwd=folder, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=ENVIRONMENT
    )
    return children_processor_time() - start


if __name__ == "__main__":
    main()
