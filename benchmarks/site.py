"""Builds a site of 500 pages with `mdpublish site` and with MkDocs-Material, in one run.

    python benchmarks/site.py [--pages N]

Prints a Markdown table: seconds of the first build, of one without changes and of one after a change of a page's text,
the most memory that all processes had together, and the size of what was written. The pages are the guides and
tutorials of this repository's documentation, repeated, 25 in a folder. Both check links between pages.
"""

import argparse
import platform
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import cycle, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, sleep

import psutil

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.measuring import cpu_model
from tests.running import BIN

_DOCS = Path(__file__).parents[1] / "docs"
_FOLDER_PAGES = 25
_POLL_SECONDS = 0.02

_MKDOCS = """site_name: Pages
site_url: https://example.org/
theme:
  name: material
  features: [navigation.footer, content.code.copy]
markdown_extensions: [admonition, footnotes, pymdownx.highlight, pymdownx.superfences, tables]
"""


@dataclass(frozen=True, slots=True)
class Run:
    """Wall-clock seconds, and megabytes of all processes."""

    seconds: float
    memory: float


def main() -> None:
    parser = argparse.ArgumentParser(description="Build a site with mdpublish and with MkDocs-Material.")
    parser.add_argument("--pages", type=int, default=500, help="number of pages")
    pages = parser.parse_args().pages
    print(f"`nox -s site-check`: {pages} pages, Python {platform.python_version()}, {cpu_model()}\n")
    print("| | first build | no change | one page changed | memory | HTML | search index |")
    print("|---|---|---|---|---|---|---|")
    with TemporaryDirectory() as name:
        folder = Path(name)
        write_pages(folder / "docs", pages)
        (folder / "mkdocs.yml").write_text(_MKDOCS)
        commands: dict[str, tuple[list[str], Path, str]] = {
            "mdpublish": (
                [str(BIN / "mdpublish"), "site", "docs", "ours", "--url", "https://example.org/"],
                folder / "ours",
                "assets/search-index.js",
            ),
            "MkDocs-Material": (
                [str(BIN / "mkdocs"), "build", "-q", "-d", "theirs"],
                folder / "theirs",
                "search/search_index.json",
            ),
        }
        for label, (command, out, index) in commands.items():
            print(row(label, partial(run, command, folder), folder, out, index))


def row(label: str, build: Callable[[], Run], folder: Path, out: Path, index: str) -> str:
    first, second = build(), build()
    page = folder / "docs/0/page-1.md"
    page.write_text(f"{page.read_text('utf-8')}\nOne sentence more, for {label}.\n", "utf-8")
    third = build()
    html = sum(file.stat().st_size for file in out.rglob("*.html")) / 1e6
    size = (out / index).stat().st_size / 1e6
    seconds = " | ".join(f"{each.seconds:.1f} s" for each in (first, second, third))
    return f"| {label} | {seconds} | {first.memory:.0f} MB | {html:.1f} MB | {size:.1f} MB |"


def write_pages(docs: Path, number: int) -> None:
    sources = [*sorted((_DOCS / "how-to").glob("*.md")), *sorted((_DOCS / "tutorial").glob("*.md"))]
    docs.mkdir()
    (docs / "index.md").write_text("# Pages\n", "utf-8")
    for place, source in enumerate(islice(cycle(sources), number - 1)):
        title, _, rest = source.read_text("utf-8").partition("\n")
        folder = docs / str(place // _FOLDER_PAGES)
        folder.mkdir(exist_ok=True)
        # Links out of these folders are other pages' names.
        content = rest.replace("](../", "](https://example.org/")
        (folder / f"page-{place % _FOLDER_PAGES + 1}.md").write_text(f"{title} {place + 1}\n{content}", "utf-8")


def run(command: list[str], folder: Path) -> Run:
    start = perf_counter()
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        memory = 0.0
        tree = psutil.Process(process.pid)
        while process.poll() is None:
            memory = max(memory, resident(tree))
            sleep(_POLL_SECONDS)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} failed")
    return Run(perf_counter() - start, memory / 1e6)


def resident(tree: psutil.Process) -> float:
    total = 0.0
    try:
        processes = [tree, *tree.children(recursive=True)]
    except psutil.Error:
        return 0.0
    for process in processes:
        try:
            total += process.memory_info().rss
        except psutil.Error:
            continue
    return total


if __name__ == "__main__":
    main()
