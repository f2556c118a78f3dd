"""What independent readers recover from every destination's output, as pandoc's Markdown.

pandoc reads HTML, and plain text as GitHub's Markdown; LibreOffice and python-docx read Word's; `tests/mrkdwn.py` reads
Slack's. HTML is adapted to pandoc first: attributes of paragraphs and `pre`, Google Docs' checkboxes and numbering.
"""

import json
import re
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pypandoc  # type: ignore[import-untyped]  # it has no types, and one function is called

from tests.interop import slack_tree, word, word_tree
from tests.interop.pandoc_lines import Json, element
from tests.interop.pandoc_tree import tidy

SECONDS = 120
"""Hundreds of short files take a few."""

SCRIPT = Path(__file__).with_name("pandoc_documents.lua")

_PRE = re.compile(
    r"<pre[^<>]*>(?P<before>.*?)<code(?: class=\"(?P<language>[^\"]*)\")?>(?P<content>.*?)</code>", re.DOTALL
)
_PARAGRAPH = re.compile(r"<p(?P<attributes> [^<>]*)>(?P<content>.*?)</p>", re.DOTALL)
_DOCS_BOX = re.compile(
    r'<img (?=[^<>]*aria-roledescription="checkbox")[^<>]*alt="(?P<un>un)?checked"[^<>]*>(?P<text><(?:p|h[1-6])[^<>]*>)'
)
_DOCS_LIST = re.compile(r"<ol(?P<start>(?: start=\"[^\"]*\")?)>(?=<li [^<>]*list-style-type:(?P<type>[a-z-]+))")
_NOTE_ROLE = re.compile(r' role="doc-[a-z]+"')
_BAR_IN_WORD = re.compile(r"(?<=[^\s|:-])\|(?=[^\s|:-])")
_SIGNS = {"Emph": "*", "Strong": "**", "Strikeout": "~~"}


@dataclass(frozen=True, slots=True)
class Reading:
    blocks: Sequence[Json]
    markdown: str


def read_all(outputs: Mapping[str, Sequence[str]]) -> dict[str, list[Reading]]:
    """LibreOffice starts only for `word`."""
    trees: dict[str, list[Sequence[Json]]] = {}
    for destination in outputs.keys() & {"slack"}:
        trees[destination] = [slack_tree.tree(output) for output in outputs[destination]]
    for destination in outputs.keys() & {"word"}:
        trees[destination] = [word_tree.tree(document) for document in word.read_all(outputs[destination])]
    others = [
        (destination, output) for destination in outputs if destination not in trees for output in outputs[destination]
    ]
    read = iter(read_trees(others))
    for destination, _ in others:
        trees.setdefault(destination, []).append(next(read))
    written = iter(to_markdown([tree for destination in outputs for tree in trees[destination]]))
    return {destination: [Reading(tree, next(written)) for tree in trees[destination]] for destination in outputs}


def read_trees(outputs: Sequence[tuple[str, str]]) -> list[Sequence[Json]]:
    """Return what pandoc reads of outputs, each with the name of its kind."""
    files = [
        ("txt", _BAR_IN_WORD.sub(r"\\|", source)) if destination == "plain-text" else ("html", _for_pandoc(source))
        for destination, source in outputs
    ]
    trees = [json.loads(tree)["blocks"] for tree in _run_pandoc("json", files)]
    return [
        tidy(_as_signs(tree) if destination == "plain-text" else tree)
        for (destination, _), tree in zip(outputs, trees, strict=True)
    ]


def _for_pandoc(html: str) -> str:
    html = _DOCS_BOX.sub(lambda match: match["text"] + ("☐ " if match["un"] else "☒ "), html)
    html = _DOCS_LIST.sub(r'<ol\g<start> style="list-style-type:\g<type>">', html)
    html = _PARAGRAPH.sub(r"<p><span\g<attributes>>\g<content></span></p>", html)
    return _PRE.sub(_code_for_pandoc, _NOTE_ROLE.sub("", html))


def _code_for_pandoc(match: re.Match[str]) -> str:
    classes = [match["language"], "colored" if "<span class=" in match["content"] else None]
    return f'<pre>{match["before"]}<code class="{" ".join(filter(None, classes))}">{match["content"]}</code>'


def _as_signs(tree: Json) -> Json:
    """Escape what Markdown reads as emphasis and HTML."""
    if isinstance(tree, list):
        return [each for child in tree for each in _signs(child)]
    return {name: _as_signs(child) for name, child in tree.items()} if isinstance(tree, dict) else tree


def _signs(child: Json) -> list[Json]:
    kind = child.get("t") if isinstance(child, dict) else None
    if kind in _SIGNS:
        sign = element("Str", _SIGNS[kind])
        return [sign, *_as_signs(child["c"]), sign]
    if kind in {"RawInline", "RawBlock"}:
        content = element("Str", child["c"][1].rstrip("\n"))
        return [content if kind == "RawInline" else element("Para", [content])]
    return [_as_signs(child)]


def to_markdown(trees: Sequence[Sequence[Json]]) -> list[str]:
    documents = [{"pandoc-api-version": [1, 23, 1], "meta": {}, "blocks": tree} for tree in trees]
    parts = _run_pandoc("markdown", [("json", json.dumps(document)) for document in documents])
    return [part.replace("\u00a0", " ") for part in parts]


def _run_pandoc(task: str, files: Sequence[tuple[str, str]]) -> list[str]:
    with tempfile.TemporaryDirectory() as folder:
        names = [f"{number}.{ending}" for number, (ending, _) in enumerate(files)]
        for name, (_, source) in zip(names, files, strict=True):
            Path(folder, name).write_text(source, "utf-8")
        # Too many names for arguments to pandoc's Lua.
        Path(folder, "names").write_text("\n".join(names), "utf-8")
        command = [pypandoc.get_pandoc_path(), "lua", str(SCRIPT), task]
        run = subprocess.run(command, cwd=folder, capture_output=True, timeout=SECONDS, check=True)
    results: list[str] = json.loads(run.stdout)
    assert len(results) == len(files)
    return results
