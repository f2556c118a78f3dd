"""What a diagram says, read from the engine's model of it.

merman's `parse_json` returns Mermaid's database for each type, from which the drawing is made. Labels lose markup.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from mdpublish_core.data_files import read_names
from mdpublish_core.figures.graphs import Graph, without_unknown_keys
from mdpublish_core.figures.mermaid.literals import Json, plain_label
from mdpublish_core.figures.mermaid.models import graphs, lists, sequences
from mdpublish_core.figures.outlines import Outline

_TABLES = read_names(__file__, "names.tsv")

NAMES = _TABLES["type"]
"""Names of the types, by `sources.base_kind`."""

_READERS: Mapping[str, Callable[[Json], Any]] = {
    name: read for module in (graphs, lists, sequences) for name, read in vars(module).items() if name[:5] == "read_"
}
"""Read an outline, or a graph where the table of readers has names for its nodes and edges."""


@dataclass(frozen=True, slots=True)
class Model:
    """A diagram's statements and, if it has any, nodes and edges."""

    outline: Outline
    graph: Graph | None = None

    database: str = ""
    """All that the engine read, as JSON."""


def read_model(database: Json) -> Model | None:
    """Return None for types without a reader."""
    kind, title = database["type"], plain_label(database.get("title"))
    reader, *names = _TABLES["reader"].get(kind, "").split(" ")
    if not reader:
        return None
    read = _READERS[reader](database)
    if not names:
        return Model(read)
    graph = without_unknown_keys(read)
    return Model(graph.outline(title=title, names=(names[0], names[1])), graph)
