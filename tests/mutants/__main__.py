"""Changes the packages in one place at a time, and tells which changes no test finds.

    python -m tests.mutants [--number 400] [--seed 1] [--area AREA ...] [--tests tests/core] [--folder FOLDER]

The sample has as many mutants of each area. A mutant is tried in a copy of the sources, first by the test functions
that are nearest to it, then by more, and last by the files of tests that are named like its module or package. The
folder keeps what tests reach and the results, so that an interrupted session goes on; a result holds as long as the
module and its tests are as they were.
"""

import argparse
import json
import os
import random
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from difflib import unified_diff
from importlib import import_module
from itertools import chain
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.mutants.changes import Mutant, is_compilable, sample
from tests.mutants.reach import ROOT, Reach, digest, record

SOURCES = ("packages/mdpublish-core/src", "packages/mdpublish-server/src")

FIRST_SECONDS, OTHER_SECONDS = 5.0, 25.0
"""CPU time of the tests that are run first, which find most mutants, and of those that follow."""

TIMEOUT_SECONDS = 600
"""A mutant may never end; on a busy machine tests take ten times as long."""

PRELOADED = (
    *("tests.conftest", "alembic.op", "argon2", "boto3", "httpx", "hypothesis.strategies", "lxml.etree", "moto.server"),
    *("msgspec", "prometheus_client", "psycopg", "pygments.lexers", "segno", "sqlalchemy", "starlette.applications"),
)
"""What many tests load: each mutant has a process that is forked from one that has loaded them."""

ENGINES = ("merman", "mmdr", "pygraphviz", "resvg_py", "weasyprint", "ziafont", "ziamath")
"""Optional packages that tests need."""

KILLED, SURVIVED, TIMED_OUT = "killed", "survived", "timed out"
FAILED = (pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.INTERRUPTED)
"""pytest's statuses if tests fail, or a file cannot be collected. Where none was run, a mutant has survived."""
UNREACHED = "no test runs this line"

FORK = get_context("fork")


class Result(NamedTuple):
    """What became of a mutant, and the failed test or why there is none."""

    word: str
    reason: str = ""


def main() -> None:
    parser = argparse.ArgumentParser(description="Try mutants of the packages.")
    parser.add_argument("--number", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--area", action="append", help="such as core/readers; all by default")
    parser.add_argument("--tests", default="tests/", help="tries only tests below this folder, or of this file")
    parser.add_argument("--folder", type=Path, default=ROOT / ".cache" / "mutants")
    arguments = parser.parse_args()
    os.environ["HYPOTHESIS_PROFILE"] = "mutants"
    mutants = list(sample(arguments.number, random.Random(arguments.seed), arguments.area))
    reach = record(arguments.folder.resolve() / "reached", mutants, arguments.tests)
    compilable = list(filter(is_compilable, mutants))
    print_scores(list(try_all(compilable, reach, arguments.folder / "results.jsonl")))


def try_all(mutants: Sequence[Mutant], reach: Reach, file: Path) -> Iterator[tuple[Mutant, Result]]:
    """Yield the mutants with their results; each is tried in a copy of the sources, one copy for each processor."""
    known = dict(map(json.loads, file.read_text().splitlines())) if file.exists() else {}
    for module in PRELOADED:
        import_module(module)
    # It starts a process for each package, and keeps the answer.
    import_module("tests.conftest").missing_packages(ENGINES)
    with tempfile.TemporaryDirectory() as scratch, ProcessPoolExecutor(os.cpu_count(), FORK) as processes:
        trials: list[tuple[str, Future[Result] | None]] = []
        for mutant in mutants:
            functions = reach.nearest(mutant)
            first = reach.within(functions, FIRST_SECONDS)
            others = reach.within((each for each in functions if each not in first), OTHER_SECONDS)
            rounds = (first, others, reach.named(mutant))
            key = _key(mutant, chain(*rounds))
            trial = None
            if key not in known:
                trial = processes.submit(_try, mutant, rounds, Path(scratch), len(trials))
            trials.append((key, trial))
        for mutant, (key, trial) in zip(mutants, trials, strict=True):
            result = trial.result() if trial else Result(*known[key])
            if trial:
                with file.open("a") as results:
                    results.write(json.dumps([key, result]) + "\n")
            print(*result, "-", mutant.path, mutant.line, mutant.operator, flush=True)
            yield mutant, result


def _key(mutant: Mutant, chosen: Iterable[str]) -> str:
    """Return a hash of the changed module and of the files of the tests that try it: functions and whole files."""
    files = sorted({each.partition("::")[0] for each in chosen})
    return digest((mutant.path.encode(), mutant.code.encode(), *((ROOT / file).read_bytes() for file in files)))


def _try(mutant: Mutant, rounds: Iterable[Sequence[str]], scratch: Path, number: int) -> Result:
    copy = scratch / str(os.getpid())
    if not copy.exists():
        for sources in SOURCES:
            shutil.copytree(ROOT / sources, copy / sources)
    changed = copy / mutant.path
    changed.write_text(mutant.code, "utf-8")
    # Another time than any other version's: a bytecode file tells versions apart by time and size.
    os.utime(changed, (number, number))
    result = Result(SURVIVED, UNREACHED)
    for functions in filter(None, rounds):
        result = _run(functions, copy)
        if result.word != SURVIVED:
            break
    shutil.copy2(ROOT / mutant.path, changed)
    return result


def _run(functions: Sequence[str], copy: Path) -> Result:
    log = copy / "log"
    process = FORK.Process(target=_pytest, args=(functions, [str(copy / sources) for sources in SOURCES], log))
    process.start()
    process.join(TIMEOUT_SECONDS)
    if process.exitcode is None:
        process.kill()
        return Result(TIMED_OUT)
    failures = (line for line in log.read_text("utf-8", "replace").splitlines() if line.startswith(("FAILED", "ERROR")))
    if process.exitcode in FAILED or process.exitcode < 0:
        return Result(KILLED, next(failures, f"exit status {process.exitcode}"))
    return Result(SURVIVED, f"exit status {process.exitcode}" if process.exitcode else "")


def _pytest(functions: Sequence[str], paths: Sequence[str], log: Path) -> None:
    """Run the functions with modules at the paths, and end the process."""
    with log.open("w") as output:
        os.dup2(output.fileno(), 1)
        os.dup2(output.fileno(), 2)
    os.environ["PYTHONPATH"] = os.pathsep.join(paths)
    sys.path[:0] = paths
    # A recorded function may have slow cases beside.
    marks = "not (browser or interop or nightly or security or stress or templates)"
    options = ("-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-m", marks)
    status = pytest.main(["-W", "ignore::pytest.PytestAssertRewriteWarning", *options, *functions])
    os._exit(status)


def print_scores(results: Sequence[tuple[Mutant, Result]]) -> None:
    """Print the changes that no test finds, and the share of those found in each area: one that never ends is found."""
    survivors = [(mutant, result) for mutant, result in results if result.word == SURVIVED]
    for mutant, result in survivors:
        original = (ROOT / mutant.path).read_text("utf-8").splitlines(keepends=True)
        print("".join(unified_diff(original, mutant.code.splitlines(keepends=True), mutant.path, mutant.path, n=2)))
        print(result.reason)
    timed_out = sum(result.word == TIMED_OUT for _, result in results)
    print(f"{timed_out} of those found did not end within {TIMEOUT_SECONDS} seconds\n")
    tried, survived = Counter(mutant.area for mutant, _ in results), Counter(mutant.area for mutant, _ in survivors)
    print("| area | mutants | killed |\n|---|--:|--:|")
    for area, number in sorted(tried.items()):
        print(f"| {area} | {number} | {1 - survived[area] / number:.0%} |")
    print(f"| all | {len(results)} | {1 - len(survivors) / len(results):.0%} |")


if __name__ == "__main__":
    main()
