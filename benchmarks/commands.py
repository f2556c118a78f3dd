"""Processor time of short commands, and conversion of a directory."""

import os
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from shutil import rmtree
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

import pypandoc  # type: ignore[import-untyped]

from benchmarks.measuring import readme_sample
from tests.corpora.readmes import many_readmes

FILES = 1_000

# For smoke tests.
SHORT_FILES = 50

FOLDER_ROUNDS = 3

BIN = Path(sys.executable).parent


# Python compiles our modules at each start if it must not store them.
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}

PEER = "`python -m mistune`"


def print_commands(rounds: int) -> dict[str, float]:
    """Return the ratios of `targets`."""
    with TemporaryDirectory() as folder:
        ratios = print_starts(Path(folder), rounds)
        print_folders(Path(folder), min(rounds, FOLDER_ROUNDS))
    return ratios


def print_starts(folder: Path, rounds: int) -> dict[str, float]:
    document = folder / "text.md"
    document.write_text(readme_sample(1).markdown, "utf-8")
    python, name = sys.executable, str(document)
    ours = str(BIN / "mdpublish")
    commands = {
        "`python -c pass`": [python, "-c", "pass"],
        '`python -c "import click"`': [python, "-c", "import click"],
        "`mdpublish --help`": [ours, "--help"],
        "`mdpublish convert --to html`": [ours, "convert", name, "--to", "html"],
        "`mdpublish convert --to page`": [ours, "convert", name, "--to", "page"],
        "`mdpublish convert --to email`": [ours, "convert", name, "--to", "email"],
        "`mistletoe`": [python, "-m", "mistletoe", name],
        "`markdown-it`": [python, "-m", "markdown_it.cli.parse", name],
        PEER: [python, "-m", "mistune", "-f", name],
        "`pandoc -f gfm`": [pypandoc.get_pandoc_path(), "-f", "gfm", "-t", "html", name],
    }
    taken = alternately(commands, rounds, clock=children_processor_time)
    ratios = {label: seconds / taken[PEER] for label, seconds in taken.items()}
    print(f"\n| command, for a document of 1 KB | processor time, ms | relative to {PEER} |")
    print("|---|--:|--:|")
    for label, seconds in taken.items():
        print(f"| {label} | {seconds * 1_000:.0f} | {ratios[label]:.2f} |", flush=True)
    return {f"{label} / {PEER}": ratio for label, ratio in ratios.items()}


def children_processor_time() -> float:
    """Return the seconds of processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def print_folders(folder: Path, rounds: int) -> None:
    source, target = folder / "source", folder / "target"
    source.mkdir()
    documents = list(many_readmes().values())
    files = FILES if rounds > 1 else SHORT_FILES
    for number in range(files):
        (source / f"{number}.md").write_text(documents[number % len(documents)], "utf-8")
    batch = [str(BIN / "mdpublish"), "batch", str(source), str(target), "--force", "--workers"]
    taken = alternately({"1": [*batch, "1"], "2": [*batch, "2"]}, rounds, target)
    one, two = taken["1"], taken["2"]
    print(f"\n- {files:,} READMEs as pages: one worker {one:.2f} s, two {two:.2f} s: {one / two:.2f} times as fast")


def alternately(
    commands: dict[str, list[str]],
    rounds: int,
    target: Path | None = None,
    clock: Callable[[], float] = perf_counter,
) -> dict[str, float]:
    """Return each command's median seconds, in interleaved rounds; `target` is removed before each run."""
    taken: dict[str, list[float]] = {name: [] for name in commands}
    for number in range(rounds + 1):
        for name, command in commands.items():
            if target:
                rmtree(target, ignore_errors=True)
            start = clock()
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=ENVIRONMENT)
            # The first round warms the caches.
            if number:
                taken[name].append(clock() - start)
    return {name: median(times) for name, times in taken.items()}
