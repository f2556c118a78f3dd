"""What Atlassian's own schemas understand: JSON of its document format, and HTML that its editors paste."""

import json
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tests.npm_programs import Program
from tests.running import BIN

Json = dict[str, Any]

TRANSFORMER = "@atlaskit/editor-wikimarkup-transformer@12.2.2"

SCHEMA = Program(
    "@atlaskit/adf-schema",
    "57.7.22",
    "package.json",
    before="2026-11-20",
    beside=("jsdom@26.1.0", "ajv@6.12.6", "marklassian@1.2.1", "md-to-adf@0.6.4", "jira2md@3.0.1", TRANSFORMER),
)
"""With what runs it, the two converters on npm that write the format, one to wiki markup, and what reads that."""

_SCRIPT = Path(__file__).with_name("atlassian.cjs")


def read_all(documents: Sequence[Json]) -> list[Json]:
    """Return what was understood of documents, each `{"adf": …}`, `{"html": …}`, `{"wiki": …}` or Markdown for a `peer`.

    That is a `tree`, if its own rules allow it, and the `problems` that both schemas have with it.
    """
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl", encoding="utf-8") as file:
        file.writelines(f"{json.dumps(each)}\n" for each in documents)
        file.flush()
        command = [str(BIN / "node"), str(_SCRIPT), str(SCHEMA.installed()), file.name]
        lines = subprocess.run(command, capture_output=True, text=True, timeout=300, check=True).stdout.splitlines()
    return [json.loads(line) for line in lines if line.startswith("{")]


def walk(node: Json) -> Iterator[Json]:
    yield node
    for child in node.get("content", ()):
        yield from walk(child)


def text_of(node: Json) -> str:
    """Return the words that readers see, with a space between blocks."""
    attributes = node.get("attrs") or {}
    if node["type"] == "text":
        is_apart = any(mark["type"] == "subsup" for mark in node.get("marks", ()))
        return f" {node['text']} " if is_apart else str(node["text"])
    inner = "".join(map(text_of, node.get("content", ())))
    return f" {attributes.get('title') or ''} {attributes.get('alt') or ''} {inner} "


def constructs_of(tree: Json) -> Counter[tuple[str, str]]:
    """Return what is there: kinds of blocks with what is particular to each, marks with their text."""
    constructs: Counter[tuple[str, str]] = Counter()
    for node in walk(tree):
        attributes = node.get("attrs") or {}
        match node["type"]:
            case "heading":
                constructs["heading", str(attributes["level"])] += 1
            case "codeBlock":
                constructs["code", "".join(each["text"] for each in node.get("content", ()))] += 1
            case "taskItem":
                constructs["task", attributes["state"]] += 1
            case "media" | "image":
                constructs["image", attributes.get("url") or attributes.get("src", "")] += 1
            case "text":
                for mark in node.get("marks", ()):
                    if mark["type"] == "link":
                        constructs["link", mark["attrs"]["href"]] += 1
            case "mention" | "inlineCard":
                constructs["mention", ""] += 1
    return constructs
