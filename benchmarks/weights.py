"""Weights of emails beside those of premailer, by kind of block.

Premailer gets mistletoe's HTML and the rules that emails follow, or the complete stylesheet of the template. Its HTML
has no head, no layout for Outlook and no labels for phones; ours has them, too.
"""

from collections.abc import Mapping
from statistics import mean

from benchmarks.destinations import INLINED, STYLE, inlined_by_premailer, without_languages
from benchmarks.measuring import Sample, beginning
from mdpublish_core import convert, nodes, parse
from tests.corpora import readmes

TABLE = "| Column A | Column B | Column C | Column D | Column E |\n|---|---|---|---|---|\n" + "".join(
    f"| {' | '.join(f'cell {row} {column}' for column in range(5))} |\n" for row in range(100)
)

_KINDS: Mapping[str, tuple[type[nodes.Token], ...]] = {
    "paragraphs": (nodes.Paragraph,),
    "headings": (nodes.Heading, nodes.SetextHeading),
    "lists": (nodes.List,),
    "code": (nodes.CodeFence, nodes.BlockCode),
    "tables": (nodes.Table,),
}

_KILOBYTES = 20


def print_weights() -> dict[str, float]:
    """Return the ratios of `targets`."""
    print(
        "\n| bytes of an email | source | `email` | mistletoe + premailer | ratio | with the complete stylesheet | ratio |"
    )
    print("|---|--:|--:|--:|--:|--:|--:|")
    ratios = {}
    for name, markdown in samples().items():
        ours = len(convert(markdown, to="email").html.encode())
        inlined, complete = (len(inlined_by_premailer(markdown, css).encode()) for css in (INLINED, STYLE.css))
        ratios[name] = ours / inlined
        print(
            f"| {name} | {len(markdown.encode()):,} | {ours:,} | {inlined:,} | {ours / inlined:.2f} "
            f"| {complete:,} | {ours / complete:.2f} |"
        )
    return {
        "bytes of `email` / (mistletoe + premailer), average of kinds": mean(ratios[kind] for kind in _KINDS),
        "bytes of `email` / (mistletoe + premailer), tables": ratios["tables"],
        "bytes of `email`, a table of 100 by 5 cells": float(len(convert(TABLE, to="email").html.encode())),
    }


def samples() -> dict[str, str]:
    """Return the blocks of each kind in READMEs, one below the other, and each whole README."""
    documents = {name: without_languages(Sample(name, markdown)).markdown for name, markdown in readmes().items()}
    blocks: dict[str, list[str]] = {kind: [] for kind in _KINDS}
    for markdown in documents.values():
        lines, children = markdown.split("\n"), parse(markdown).children
        starts = [nodes.line_of(token) or 1 for token in children]
        for token, start, end in zip(children, starts, [*starts[1:], len(lines) + 1], strict=True):
            for kind, types in _KINDS.items():
                if isinstance(token, types):
                    blocks[kind].append("\n".join(lines[start - 1 : end - 1]).strip("\n"))
    kinds = {kind: beginning("\n\n".join(parts), _KILOBYTES * 1_000) for kind, parts in blocks.items()}
    return {
        **kinds,
        "table of 100 by 5 cells": TABLE,
        **{f"README of {name}": markdown for name, markdown in documents.items()},
    }
