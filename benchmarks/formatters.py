"""What formatters change of documentation that nobody here wrote, as other programs show it: a table of docs/explanation/comparison.md.

    python -m benchmarks.formatters [PROJECT …]     prints the table, and each file of ours that is shown otherwise
    python -m benchmarks.formatters --check         exits with 1 if the page has another table
    python -m benchmarks.formatters --files 20      reads as many files of a folder, in place of 12
    python -m benchmarks.formatters --also "COMMAND" --elsewhere FOLDER PROGRAM
                                                    runs another formatter; reads a folder of this machine

A file counts once in each column: as changed; as shown otherwise by the program that it was written for; and so by
another of six. What a program cannot read before is not compared by it. Words are runs of letters in the source.
"""

import argparse
import re
import shlex
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from benchmarks.commands import BIN, ENVIRONMENT
from benchmarks.comparison_page import PAGE, table_of_page
from tests import dialects
from tests.corpora.documentation import FOLDERS, Folder

FILES = 12

_WORD = re.compile(r"[^\W\d_]+")

Command = Callable[[Folder], Sequence[str]]
"""Formats the files that are named behind it."""


def commands() -> dict[str, Command]:
    programs = Path(dialects.python()).parent
    prettier = str(dialects.node_folder() / "node_modules/prettier/bin/prettier.cjs")
    options = ("--write", "--no-config", "--log-level=silent", "--embedded-language-formatting=off")
    return {
        "mdpublish": lambda _: [str(BIN / "mdpublish"), "format"],
        "Prettier": lambda _: [dialects.node(), prettier, *options],
        "mdformat": lambda _: [str(programs / "mdformat")],
        "rumdl": lambda folder: [
            str(programs / "rumdl"), "fmt", "--silent", "--no-config", "--no-cache", f"--flavor={folder.flavor}",
        ],
    }  # fmt: skip


class Counts(NamedTuple):
    """Files."""

    changed: int = 0
    by_program: int = 0
    another: int = 0
    words: int = 0
    unstable: int = 0

    def __add__(self, other: object) -> "Counts":
        assert isinstance(other, Counts)
        return Counts(*map(sum, zip(self, other, strict=True)))


def formatted(command: Sequence[str], files: Mapping[str, str]) -> list[dict[str, str]]:
    """Return the texts after one run of a formatter, and after two."""
    with TemporaryDirectory() as name:
        paths = {key: Path(name) / key for key in files}
        for key, path in paths.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(files[key], "utf-8", newline="")
        runs = []
        for _ in range(2):
            # Formatters end with 1 where they leave something to say.
            subprocess.run(
                [*command, *map(str, paths.values())], cwd=name, check=False, env=ENVIRONMENT,
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            )  # fmt: skip
            runs.append({key: path.read_bytes().decode("utf-8", "replace") for key, path in paths.items()})
        return runs


Pair = tuple[str, str]
"""A text, and what a formatter made of it."""


def different(folder: Folder, pairs: Sequence[Pair]) -> dict[Pair, list[str]]:
    """Return which program shows a pair differently: that of the folder, and the first of the others that does."""
    differing: dict[Pair, list[str]] = {pair: [] for pair in pairs}
    for program in (folder.program, *(each for each in dialects.READERS if each != folder.program)):
        undecided = [pair for pair, names in differing.items() if not set(names) - {folder.program}]
        sources = list(dict.fromkeys(source for pair in undecided for source in pair))
        pages = dict(zip(sources, dialects.shown(program, sources), strict=True))
        for before, after in undecided:
            if pages[before] != dialects.UNREADABLE and pages[before] != pages[after]:
                differing[before, after].append(program)
    return differing


def measure_folder(
    name: str, folder: Folder, number: int, tools: Mapping[str, Command]
) -> tuple[int, dict[str, Counts], list[str]]:
    """Return the number of files, the counts of each tool, and what is to be said of ours."""
    files = dict(folder.files(number))
    runs = {tool: formatted(command(folder), files) for tool, command in tools.items()}
    pairs = [(files[key], after[key]) for after, _ in runs.values() for key in files if after[key] != files[key]]
    programs = different(folder, pairs)
    counts, remarks = {}, []
    for tool, (after, twice) in runs.items():
        total = Counts()
        for key, before in files.items():
            if after[key] == before:
                continue
            names = programs[before, after[key]]
            lost = Counter(_WORD.findall(before)) - Counter(_WORD.findall(after[key]))
            others = bool(set(names) - {folder.program})
            total += Counts(1, folder.program in names, others, bool(lost), twice[key] != after[key])
            if tool == "mdpublish" and (names or lost or twice[key] != after[key]):
                remarks.append(f"{name}'s {key}: {', '.join(names)} {' '.join(lost)}")
        counts[tool] = total
    return len(files), counts, remarks


def measure(folders: Mapping[str, Folder], number: int, tools: Mapping[str, Command]) -> Iterator[str]:
    """Yield the lines of the page, then what is to be said of ours."""
    yield f"| folder | shown by | files | {' | '.join(tools)} |\n"
    yield f"|---|---|--:{'|--:' * len(tools)}|\n"
    totals, all_files, remarks = dict.fromkeys(tools, Counts()), 0, []
    for name, folder in folders.items():
        files, counts, said = measure_folder(name, folder, number, tools)
        cells = [f"{each.changed} / {each.by_program} / {each.another}" for each in counts.values()]
        yield f"| {name} | {folder.program} | {files} | {' | '.join(cells)} |\n"
        totals = {tool: totals[tool] + counts[tool] for tool in tools}
        all_files += files
        remarks += said
    for label, cell in _TOTALS.items():
        yield f"| {label} | | {all_files} | {' | '.join(cell(each) for each in totals.values())} |\n"
    yield from ("\n", *(f"{each}\n" for each in remarks))


_TOTALS: Mapping[str, Callable[[Counts], str]] = {
    "**all**": lambda each: f"{each.changed} / **{each.by_program}** / {each.another}",
    "a word lost": lambda each: str(each.words),
    "changed again by a second run": lambda each: str(each.unstable),
}


def _elsewhere(path: str, program: str) -> Folder:
    return Folder(program, path, None, "mkdocs" if program == "Python-Markdown" else "standard")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("projects", nargs="*", choices=[*FOLDERS, []], metavar="PROJECT")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--files", type=int, default=FILES)
    parser.add_argument("--only", action="append", help="a formatter of the table; may be repeated")
    parser.add_argument("--also", type=shlex.split, metavar="COMMAND")
    parser.add_argument("--elsewhere", nargs=2, action="append", default=[], metavar=("FOLDER", "PROGRAM"))
    given = parser.parse_args()
    tools = {name: command for name, command in commands().items() if not given.only or name in given.only}
    if given.also:
        tools["another"] = lambda _: given.also
    folders = {name: _elsewhere(path, program) for path, program in given.elsewhere for name in [Path(path).name]}
    names = given.projects or ([] if folders else FOLDERS)
    lines = []
    for line in measure({**{name: FOLDERS[name] for name in names}, **folders}, given.files, tools):
        print(line, end="", flush=True)
        lines.append(line)
    if given.check and "".join(lines).partition("\n\n")[0] + "\n" != table_of_page("formatters"):
        sys.exit(f"{PAGE} has another table")


if __name__ == "__main__":
    main()
