"""Runs the search of a site in Node, as a page does."""

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.running import BIN

_PROGRAM = """
const { readFileSync } = require("node:fs");
const [assets, ...queries] = process.argv.slice(1);
global.document = { querySelector: () => null };
const script = readFileSync(`${assets}/site.js`, "utf8");
const siteSearch = new Function(`${script}; return siteSearch;`)();
let index;
global.mdpublishSearch = (pages) => { index = siteSearch.load(pages); };
new Function(readFileSync(`${assets}/search-index.js`, "utf8"))();
console.log(JSON.stringify(queries.map((query) => siteSearch.search(index, query))));
"""


def search_results(site: Path, queries: Sequence[str]) -> list[list[dict[str, Any]]]:
    """Return the results of each query, best first."""
    command = [str(BIN / "node"), "-e", _PROGRAM, str(site / "assets"), *queries]
    run = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    results: list[list[dict[str, Any]]] = json.loads(run.stdout)
    return results
