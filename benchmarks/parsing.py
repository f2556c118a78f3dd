"""Markdown to HTML against other parsers."""

from collections.abc import Collection, Sequence
from importlib import import_module
from importlib.metadata import version

import mistune
from markdown_it import MarkdownIt

from benchmarks.measuring import Converter, Sample, measure, readme_sample, specification
from benchmarks.node import node_milliseconds
from mdpublish_core import convert, parse
from mdpublish_core.templates import bind, get_template
from mdpublish_core.writers import RenderContext
from mdpublish_core.writers.outputs import get_output

LONGEST_READMES = "READMEs, 100 KB"


def print_parsing(rounds: int) -> dict[str, float]:
    """Return the ratios of `targets`."""
    ours, peers = our_converters(), peer_converters()
    print_header(peers)
    measured, ratios = [], {}
    for sample in (*map(readme_sample, (1, 10, 100)), specification()):
        taken = measure(sample.markdown, {**ours, **peers}, rounds)
        print_rows(sample, taken, ours, peers)
        html = taken[next(iter(ours))]
        measured.append((sample, html))
        if sample.name == LONGEST_READMES:
            ratios = {f"`html` / {peer.partition(' ')[0]}": html / taken[peer] for peer in peers}
    return {**ratios, **print_others(measured, rounds)}


def our_converters() -> dict[str, Converter]:
    """Return the peers' job (raw HTML kept), the same sanitized, and `convert`."""
    html, context = get_output("html"), RenderContext(bind(get_template("swiss"), "light"))
    return {
        "parse + `html`, raw HTML kept": lambda markdown: html.render(parse(markdown, raw_html="keep"), context),
        "parse + `html`, sanitized": lambda markdown: html.render(parse(markdown), context),
        "`convert` to `generic`": lambda markdown: convert(markdown, to="generic"),
    }


def peer_converters() -> dict[str, Converter]:
    """Return the peers, configured as close to GFM as possible."""
    mistletoe = import_module("mistletoe")  # our type stubs declare only what the core uses
    return {
        f"mistletoe {version('mistletoe')}": mistletoe.markdown,
        f"markdown-it-py {version('markdown-it-py')}": MarkdownIt("gfm-like", {"linkify": False}).render,
        f"mistune {version('mistune')}": mistune.create_markdown(plugins=["table", "strikethrough"]),
    }


def print_header(peers: Collection[str]) -> None:
    cells = ["document", "mdpublish", "ms", *(f"{peer}, ms | ratio" for peer in peers)]
    print("|", " | ".join(cells), "|")
    print("|---|---|--:|" + "--:|--:|" * len(peers))


def print_rows(sample: Sample, taken: dict[str, float], ours: Collection[str], peers: Collection[str]) -> None:
    for our in ours:
        beside = [f"{taken[peer]:.2f} | {taken[our] / taken[peer]:.2f}" for peer in peers]
        print("|", " | ".join([sample.name, our, f"{taken[our]:.2f}", *beside]), "|", flush=True)


def print_others(measured: Sequence[tuple[Sample, float]], rounds: int) -> dict[str, float]:
    import comrak

    ratios = {}

    print("\n| document | mdpublish, ms | marked in Node, ms | comrak in Rust, ms |\n|---|--:|--:|--:|")
    for sample, ours in measured:
        other = measure(sample.markdown, {"comrak": comrak.render_markdown}, rounds)["comrak"]
        marked = node_milliseconds(sample.markdown, rounds)
        print(f"| {sample.name} | {ours:.2f} | {marked:.2f} | {other:.2f} |", flush=True)
        if sample.name == LONGEST_READMES:
            ratios["`html` / marked, warm in Node"] = ours / marked
    return ratios
