"""What converters of HTML to Markdown keep of the same HTML, and how long they take: tables of docs/explanation/comparison.md.

    python -m benchmarks.imports            prints both tables
    python -m benchmarks.imports --check    prints the first; exits with 1 if the page has another one

A construct is an element with its text, such as an item with its level, or a cell with its row and column. It is kept
if markdown-it-py reads it in what was written. Of other converters' tests and CommonMark's examples, all constructs in
the HTML are expected; what is on the clipboard of programs is often no element at all, so there the trees beside our
fixtures are expected, which are reviewed, and ours is complete.
"""

import argparse
import io
import json
import resource
import subprocess
import sys
import tarfile
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from statistics import median
from xml.etree.ElementTree import Element

import html5lib

from benchmarks.comparison_page import PAGE, table_of_page
from benchmarks.measuring import readme_sample
from benchmarks.node import FOLDER, PACKAGES, install, program
from mdpublish_core import convert, read_html
from tests.corpora import npm
from tests.corpora.commonmark import commonmark_examples
from tests.corpora.strangers import PROGRAMS

FIXTURES = Path(__file__).parents[1] / "tests/core/readers/html/fixtures"
TO_MARKDOWN = ("to-markdown", "3.1.1", "f1ab4733dce025fcf0fe522e28d256311eda1ee684ee84784c2c9edae6ad3ec3")
"""turndown's former name: its packages have no tests since."""

ROUNDS = 5
KILOBYTES = 100

Documents = Sequence[tuple[str, Counter[tuple[str, str]]]]
"""HTML, and what is expected of it."""

Converter = Callable[[Sequence[str]], tuple[list[str], float]]
"""HTML to Markdown, and the median milliseconds of CPU time of all."""

MARKS = {
    **dict.fromkeys(("strong", "b"), "bold"),
    **dict.fromkeys(("em", "i"), "italics"),
    **dict.fromkeys(("del", "s", "strike"), "strikethrough"),
    "blockquote": "quotes",
}


def constructs(html: str) -> Counter[tuple[str, str]]:
    """Count the constructs of HTML, by kind and text without white space."""
    root = html5lib.parseFragment(html, namespaceHTMLElements=False)
    counts: Counter[tuple[str, str]] = Counter()
    parents = {child: parent for parent in root.iter() for child in parent}
    for element in root.iter():
        for kind, written in _constructs_of(element, parents):
            counts[kind, "".join(written.split())] += 1
    return counts


def _constructs_of(element: Element, parents: Mapping[Element, Element]) -> Iterator[tuple[str, str]]:
    """Yield what an element is; without text, only a rule or an image is something."""
    tag, content = str(element.tag), "".join(element.itertext())
    if tag == "img":
        yield "images", f"{element.get('src')} {element.get('alt', '')}"
    elif tag == "hr":
        yield "rules", ""
    elif content.strip():
        if tag in MARKS:
            yield MARKS[tag], content
        elif tag == "a" and element.get("href"):
            yield "links", f"{element.get('href')} {content}"
        elif tag in {"td", "th"}:
            yield "cells of tables", f"{list(parents[element]).index(element)} {content}"
        elif "math" in element.get("class", "").split():
            yield "formulas", content
        yield from _block(element, content, parents)


def _block(element: Element, content: str, parents: Mapping[Element, Element]) -> Iterator[tuple[str, str]]:
    tag = str(element.tag)
    if tag in {"h1", "h2", "h3", "h4", "h5", "h6"}:
        yield "headings", f"{tag} {content}"
    elif tag == "li":
        yield from _item(element, parents)
    elif tag == "pre":
        yield "code blocks", content
        languages = [name for each in element.iter() for name in each.get("class", "").split() if "language-" in name]
        yield from (("languages of code", f"{name} {content}") for name in languages[:1])
    elif tag == "code" and parents[element].tag != "pre":
        yield "code in lines", content


def _item(element: Element, parents: Mapping[Element, Element]) -> Iterator[tuple[str, str]]:
    depth, parent = 0, parents.get(element)
    marker = "1." if parent is not None and parent.tag == "ol" else "-"
    while parent is not None:
        depth += parent.tag in {"ul", "ol"}
        parent = parents.get(parent)
    content = "".join(_strings_of(element))
    boxes = [each for each in element.iter("input") if each.get("type") == "checkbox"]
    if boxes:
        yield "tasks", f"{'checked' in boxes[0].attrib} {content}"
    yield "items of lists", f"{depth} {marker} {content}"


def _strings_of(element: Element) -> Iterator[str]:
    yield element.text or ""
    for child in element:
        if child.tag not in {"ul", "ol"}:
            yield from _strings_of(child)
        yield child.tail or ""


def render(markdown: str, *plugins: Callable[..., None]) -> str:
    """Render with another parser than ours."""
    from markdown_it import MarkdownIt
    from mdit_py_plugins.dollarmath import dollarmath_plugin
    from mdit_py_plugins.tasklists import tasklists_plugin

    parser = MarkdownIt("gfm-like").use(tasklists_plugin).use(dollarmath_plugin)
    for plugin in plugins:
        parser.use(plugin)
    return str(parser.render(markdown))


def clipboards() -> Documents:
    pages = [path.read_text("utf-8") for path in sorted(FIXTURES.glob("*.html"))]
    return [(html, constructs(render(read_html(html).markdown))) for html in pages]


def as_written(pages: Iterable[str]) -> Documents:
    return [(html, constructs(html)) for html in pages]


def to_markdown() -> Iterator[str]:
    script = Path(__file__).with_name("fixtures.cjs")
    with tempfile.NamedTemporaryFile(suffix=".js") as file:
        for name, content in _members(*TO_MARKDOWN):
            if name in {"test/gfm-test.js", "test/to-markdown-test.js"}:
                Path(file.name).write_bytes(content)
                run = subprocess.run([program("node"), str(script), file.name], stdout=subprocess.PIPE, check=True)
                yield from json.loads(run.stdout)


def _members(package: str, of: str, sha256: str) -> Iterator[tuple[str, bytes]]:
    with tarfile.open(fileobj=io.BytesIO(npm.fetch_archive(package, of, sha256))) as archive:
        for member in archive:
            if member.isfile() and (reader := archive.extractfile(member)):
                yield member.name.partition("/")[2], reader.read()


def in_process(function: Callable[[str], str], rounds: int) -> Converter:
    def converted(pages: Sequence[str]) -> tuple[list[str], float]:
        times = []
        written: list[str] = []
        for _ in range(rounds):
            start = _cpu_seconds()
            written = [function(html) for html in pages]
            times.append(1000 * (_cpu_seconds() - start))
        return written, median(times)

    return converted


def _cpu_seconds() -> float:
    """Return the CPU time of this process, and of those that it has started."""
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def turndown(rounds: int) -> Converter:
    def converted(pages: Sequence[str]) -> tuple[list[str], float]:
        install()
        command = [program("node"), str(Path(__file__).with_name("turndown.cjs")), str(FOLDER), str(rounds)]
        run = subprocess.run(command, input=json.dumps(pages).encode(), stdout=subprocess.PIPE, check=True)
        result = json.loads(run.stdout)
        return result["markdown"], result["milliseconds"]

    return converted


def ours(rounds: int = 1) -> dict[str, Converter]:
    return {f"mdpublish {version('mdpublish-core')}": in_process(lambda html: read_html(html).markdown, rounds)}


def converters(rounds: int = 1) -> dict[str, Converter]:
    import pypandoc  # type: ignore[import-untyped]  # it has no types
    from html_to_markdown import convert as html_to_markdown
    from markdownify import markdownify

    def pandoc(html: str) -> str:
        return str(pypandoc.convert_text(html, "gfm+tex_math_dollars", format="html"))

    def by_rust(html: str) -> str:
        return html_to_markdown(html).content or ""

    (node,) = (package for package in PACKAGES if package.startswith("turndown@"))
    return {
        **ours(rounds),
        f"pandoc {pypandoc.get_pandoc_version()}": in_process(pandoc, rounds),
        f"markdownify {version('markdownify')}": in_process(
            lambda html: str(markdownify(html, heading_style="ATX")), rounds
        ),
        f"html-to-markdown {version('html-to-markdown')}": in_process(by_rust, rounds),
        node.replace("@", " "): turndown(rounds),
    }


def preserved(documents: Documents, markdown: Sequence[str]) -> Counter[str]:
    """Count the constructs that were kept, by kind."""
    counts: Counter[str] = Counter()
    for (_, expected), written in zip(documents, markdown, strict=True):
        for (kind, _), number in (expected & constructs(render(written))).items():
            counts[kind] += number
    return counts


def table(tools: Mapping[str, Converter]) -> str:
    """Return the lines of the page's table for these converters."""
    groups = {
        "on the clipboard of programs": clipboards(),
        "tests of upndown 2.1.0": as_written(content.decode() for _, content in PROGRAMS["upndown"].files()),
        f"tests of to-markdown {TO_MARKDOWN[1]}": as_written(to_markdown()),
        "CommonMark's examples": as_written(example.html for example in commonmark_examples()),
    }
    lines = [["", "of", *tools], ["---"] * (2 + len(tools))]
    by_kind: dict[str, Counter[str]] = {}
    for name, documents in groups.items():
        totals: Counter[str] = Counter()
        for _, expected in documents:
            for (kind, _), number in expected.items():
                totals[kind] += number
        counts = [preserved(documents, tool([html for html, _ in documents])[0]) for tool in tools.values()]
        lines.append([name, str(totals.total()), *(str(each.total()) for each in counts)])
        for column, each in enumerate([totals, *counts]):
            for kind, number in each.items():
                by_kind.setdefault(kind, Counter())[str(column)] += number
    for kind, numbers in sorted(by_kind.items()):
        lines.append([kind, *(str(numbers[str(column)]) for column in range(1 + len(tools)))])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def print_times() -> None:
    markdown = readme_sample(KILOBYTES).markdown
    tools = converters(ROUNDS)
    print(f"\n| ms of CPU time per {KILOBYTES} KB | {' | '.join(tools)} |\n|{' --- |' * (1 + len(tools))}")
    for output in ("generic", "google-docs", "word"):
        html = convert(markdown, to=output).html
        hundreds = len(html.encode()) / (1_000 * KILOBYTES)
        times = (tool([html])[1] / hundreds for tool in tools.values())
        print(f"| {output} | {' | '.join(f'{each:.1f}' for each in times)} |")


def main() -> None:
    parser = argparse.ArgumentParser(description="Compare what converters keep of the same HTML.")
    parser.add_argument("--check", action="store_true", help="compare with the page, and measure no times")
    is_check = parser.parse_args().check
    measured = table(converters())
    print(measured, end="")
    if not is_check:
        print_times()
    elif measured != table_of_page("imports"):
        sys.exit(f"{PAGE} has another table")


if __name__ == "__main__":
    main()
