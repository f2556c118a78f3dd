"""Runs the search of a site in Node, as a page does."""

import json
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.running import BIN

_PROGRAM = """
const { readFileSync } = require("node:fs");
const [assets, method, ...given] = process.argv.slice(1);
global.document = { querySelector: () => null };
const script = readFileSync(`${assets}/site.js`, "utf8");
const siteSearch = new Function(`${script}; return siteSearch;`)();
let index;
global.mdpublishSearch = (pages) => { index = siteSearch.load(pages); };
new Function(readFileSync(`${assets}/search-index.js`, "utf8"))();
const results = method === "parts" ? given.map((pair) => siteSearch.parts(...JSON.parse(pair))) : given.map((query) => siteSearch.search(index, query));
console.log(JSON.stringify(results));
"""


def search_results(site: Path, queries: Sequence[str]) -> list[list[dict[str, Any]]]:
    """Return the results of each query, best first."""
    results: list[list[dict[str, Any]]] = _run(site, "search", queries)
    return results


def marked_parts(site: Path, passages: Mapping[str, str]) -> list[list[tuple[str, bool]]]:
    """Return the parts of the text of each query, each with whether the query looks for it."""
    pairs = [json.dumps([passage, query]) for query, passage in passages.items()]
    parts: list[list[tuple[str, bool]]] = _run(site, "parts", pairs)
    return parts


def _run(site: Path, method: str, given: Sequence[str]) -> Any:
    command = [str(BIN / "node"), "-e", _PROGRAM, str(site / "assets"), method, *given]
    return json.loads(subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout)
