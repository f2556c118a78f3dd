"""Changes the packages in one place at a time, and tells which changes no test finds.

    python -m tests.mutants [--number 400] [--seed 1] [--area AREA ...] [--folder FOLDER]

The sample has as many mutants of each area. A mutant is tried in a copy of the sources, first by the test functions that are
nearest to its line, then by more that run it. The folder keeps the recorded lines and the results, so that an interrupted
session goes on; a result holds as long as the module and its tests are as they were.
"""

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from difflib import unified_diff
from pathlib import Path
from queue import SimpleQueue

from tests.mutants.changes import Mutant, sample
from tests.mutants.lines import ROOT, Lines, digest, read, record

SOURCES = ("packages/mdpublish-core/src", "packages/mdpublish-server/src")

FIRST_SECONDS = 10.0
"""CPU time of the tests that are run first: they find most mutants."""

TIMEOUT_SECONDS = 900
"""A mutant may never end; on a busy machine tests take ten times as long."""

KILLED, SURVIVED, TIMED_OUT = "killed", "survived", "timed out"


def main() -> None:
    parser = argparse.ArgumentParser(description="Try mutants of the packages.")
    parser.add_argument("--number", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--area", action="append", help="such as core/readers; all by default")
    parser.add_argument("--folder", type=Path, default=ROOT / ".cache" / "mutants")
    arguments = parser.parse_args()
    record(arguments.folder / "lines")
    lines = read(arguments.folder / "lines")
    mutants = sample(lines, arguments.number, random.Random(arguments.seed), arguments.area)
    print_scores(list(try_all(mutants, lines, arguments.folder / "results.jsonl")))


def try_all(mutants: Iterable[Mutant], lines: Lines, file: Path) -> Iterator[tuple[Mutant, str]]:
    """Yield the mutants with their results; each is tried in a copy of the sources, one copy for each processor."""
    known: dict[str, str] = dict(map(json.loads, file.read_text().splitlines())) if file.exists() else {}
    copies: SimpleQueue[Path] = SimpleQueue()

    def tried(mutant: Mutant) -> tuple[Mutant, str]:
        key = _key(mutant)
        if key in known:
            return mutant, known[key]
        copy = copies.get()
        (copy / mutant.path).write_text(mutant.code, "utf-8")
        try:
            result = _try(mutant, lines, copy)
        finally:
            shutil.copy2(ROOT / mutant.path, copy / mutant.path)
            copies.put(copy)
        with file.open("a") as results:
            results.write(json.dumps([key, result]) + "\n")
        return mutant, result

    with tempfile.TemporaryDirectory() as scratch, ThreadPoolExecutor(os.cpu_count()) as threads:
        for number in range(os.cpu_count() or 1):
            copy = Path(scratch) / f"copy-{number}"
            for sources in SOURCES:
                shutil.copytree(ROOT / sources, copy / sources)
            copies.put(copy)
        for mutant, result in threads.map(tried, mutants):
            print(result, mutant.path, mutant.line, mutant.operator, flush=True)
            yield mutant, result


def _key(mutant: Mutant) -> str:
    """Return a hash of the changed module and of the files that test it."""
    files = sorted({function.partition("::")[0] for function in mutant.functions})
    return digest((mutant.path.encode(), mutant.code.encode(), *((ROOT / file).read_bytes() for file in files)))


def _try(mutant: Mutant, lines: Lines, copy: Path) -> str:
    first = lines.within(mutant.functions, FIRST_SECONDS)
    others = [each for each in mutant.functions if each not in first]
    result = _run(first, copy) if first else SURVIVED
    return _run(others, copy) if result == SURVIVED and others else result


def _run(functions: Sequence[str], copy: Path) -> str:
    paths = os.pathsep.join(str(copy / sources) for sources in SOURCES)
    # The expression selects tests of every session.
    options = ("-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-m", "contract or not contract")
    environment = {**os.environ, "PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": "1"}
    command = (sys.executable, "-m", "pytest", *options, *functions)
    try:
        done = subprocess.run(
            command, cwd=ROOT, env=environment, capture_output=True, timeout=TIMEOUT_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return TIMED_OUT
    return KILLED if done.returncode else SURVIVED


def print_scores(results: Sequence[tuple[Mutant, str]]) -> None:
    """Print the changes that no test finds, and the share of those found in each area: one that never ends is found."""
    survivors = [mutant for mutant, result in results if result == SURVIVED]
    for mutant in survivors:
        original = (ROOT / mutant.path).read_text("utf-8").splitlines(keepends=True)
        print("".join(unified_diff(original, mutant.code.splitlines(keepends=True), mutant.path, mutant.path, n=2)))
    timed_out = sum(result == TIMED_OUT for _, result in results)
    print(f"{timed_out} of those found did not end within {TIMEOUT_SECONDS} seconds\n")
    tried, survived = Counter(mutant.area for mutant, _ in results), Counter(mutant.area for mutant in survivors)
    print("| area | mutants | killed |\n|---|--:|--:|")
    for area, number in sorted(tried.items()):
        print(f"| {area} | {number} | {1 - survived[area] / number:.0%} |")
    print(f"| all | {len(results)} | {1 - len(survivors) / len(results):.0%} |")


if __name__ == "__main__":
    main()
