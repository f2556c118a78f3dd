"""Which test functions run each line of the packages, recorded once, and the nearest of a line."""

import hashlib
import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import reduce
from operator import or_
from pathlib import Path

ROOT = Path(__file__).parents[2]

FOLDERS = {
    **dict.fromkeys(("core", "linters", "docs", "server", "properties", "templates"), ""),
    **{name: name for name in ("contract", "conformance")},
}
"""Folders of tests, with the mark of their session."""

BATCH = 20
"""Test files recorded at once: an interrupted session goes on behind the last batch."""


@dataclass(frozen=True, slots=True)
class Lines:
    """The lines that test functions run, and their CPU time."""

    runs: Mapping[str, Mapping[str, int]]
    """By module and function, as the bits of a number."""
    seconds: Mapping[str, float]
    totals: Mapping[str, int]
    """How many lines a function runs in all modules."""

    def of(self, path: str) -> list[int]:
        every = reduce(or_, self.runs[path].values())
        return [line for line in range(every.bit_length()) if every >> line & 1]

    def nearest(self, path: str, line: int, seconds: float) -> list[str]:
        """Return the functions that run a line, and do least besides running its module, first; together no longer than `seconds`.

        For a line that runs only on import, those that run its module; for a module without any other line, its package's.
        """
        runs = self.runs[path]
        functions = {function for function, lines in runs.items() if lines >> line & 1}
        if len(functions & self.seconds.keys()) <= 1:
            functions = set(runs)
        if not functions & self.seconds.keys():
            package = path.rpartition("/")[0]
            functions = {each for other, others in self.runs.items() if other.startswith(package) for each in others}
        shares = {each: runs.get(each, 0).bit_count() / self.totals[each] for each in functions & self.seconds.keys()}
        return self.within(sorted(shares, key=lambda each: (-shares[each], self.seconds[each], each)), seconds)

    def within(self, functions: Iterable[str], seconds: float) -> list[str]:
        """Return the first functions that take no longer than `seconds` together, without those that take too long."""
        chosen: list[str] = []
        for function in functions:
            if self.seconds[function] <= seconds:
                seconds -= self.seconds[function]
                chosen.append(function)
        return chosen


def record(folder: Path) -> None:
    """Record what is not in the folder yet, or was recorded with other sources or tests."""
    sources = sorted((ROOT / "packages").glob("*/src/**/*.py"))
    for tests, mark in FOLDERS.items():
        files = sorted((ROOT / "tests" / tests).rglob("test_*.py"))
        for first in range(0, len(files), BATCH):
            batch = files[first : first + BATCH]
            target = folder / f"{tests}-{first // BATCH}"
            finished, state = target / "finished", digest(path.read_bytes() for path in (*sources, *batch))
            if not finished.exists() or finished.read_text() != state:
                shutil.rmtree(target, ignore_errors=True)
                _record(target, [str(path.relative_to(ROOT)) for path in batch], mark)
                finished.write_text(state)


def digest(contents: Iterable[bytes]) -> str:
    return hashlib.sha256(b"".join(hashlib.sha256(each).digest() for each in contents)).hexdigest()


def _record(target: Path, files: Sequence[str], mark: str) -> None:
    target.mkdir(parents=True)
    options = ("-q", "-p", "tests.mutants.recorder", f"--numprocesses={os.cpu_count() or 1}", "--dist=loadfile")
    command = (sys.executable, "-m", "pytest", *options, "-m", mark, *files)
    # Functions that fail here are left out.
    subprocess.run(command, cwd=ROOT, env={**os.environ, "MUTANTS_LINES": str(target.resolve())}, check=False)


def read(folder: Path) -> Lines:
    seconds: dict[str, float] = {}
    for file in folder.glob("*/seconds-*.json"):
        seconds |= json.loads(file.read_text())
    runs: dict[str, dict[str, int]] = {}
    totals = Counter[str]()
    for file in folder.glob("*/lines.*"):
        with closing(sqlite3.connect(file)) as database:
            # https://coverage.readthedocs.io/en/latest/dbschema.html
            tables = "line_bits JOIN file ON file.id = file_id JOIN context ON context.id = context_id"
            for path, function, bits in database.execute(f"SELECT path, context, numbits FROM {tables}"):
                lines = int.from_bytes(bits, "little")
                totals[function] += lines.bit_count()
                module = runs.setdefault(str(Path(path).relative_to(ROOT)), {})
                module[function] = module.get(function, 0) | lines
    return Lines(dict(sorted(runs.items())), seconds, totals)
