"""The model of a diagram, from which its words are made, is what its SVG shows."""

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache

import pytest
from lxml import etree

from mdpublish_core import get_template
from mdpublish_core.figures.errors import FigureError
from mdpublish_core.figures.mermaid import merman_engine
from mdpublish_core.figures.mermaid.models import Model
from mdpublish_core.figures.mermaid.sources import parse_source
from mdpublish_core.templates.style import figure_theme
from tests.visual.mermaid_diagrams import Diagram, crowded_diagrams, our_diagrams

pytestmark = pytest.mark.needs("merman")

THEME = figure_theme(get_template("swiss"), "light")

WORD = re.compile(r"[^\W_]+")

# What is drawn as a shape or a place, and what we say of it.
OURS = set(
    WORD.findall(
        "Note on left right of over loop alt else opt par and critical option break start end stop choice fork join junction summary "
        "collate link region history static abstract x y from merge cherry pick done active milestone marker reverse highlight"
    )
)
DRAWN_AS_SHAPES = re.compile(r"[\d:. –*-]+")

# Menus that open with a click; a tag that names a parent; a line break that merman draws as `\\n`.
NOT_SAID = {
    "link and links: menus of actors": {"Dashboard", "Wiki"},
    "cherry-pick of a merge, with its parent": {"parent"},
    "front matter with a title; inheritance, members by colon and in braces, notes": {"nand"},
}
# Hidden by the diagram's configuration, but needed to tell what belongs to what.
NOT_DRAWN = {"showBranches": {"main", "hotfix"}, "showCommitLabel": {"unseen", "f55760d"}}

CARDINALITIES = {"1": "onlyOne", "0..1": "zeroOrOne", "1..*": "oneOrMore", "0..*": "zeroOrMore"}


def diagrams(*kinds: str) -> list[tuple[Diagram, Model, "etree._Element"]]:
    return [drawn for drawn in _drawn() if not kinds or drawn[0].kind in kinds]


@cache
def _drawn() -> list[tuple[Diagram, Model, "etree._Element"]]:
    return list(_draw())


def _draw() -> Iterator[tuple[Diagram, Model, "etree._Element"]]:
    for diagram in our_diagrams():
        source = parse_source(diagram.source)
        try:
            svg = merman_engine.render_svg(source, THEME)
        except FigureError:
            continue
        model = merman_engine.read_model(source, THEME)
        assert model, diagram.name
        yield diagram, model, etree.fromstring(svg.encode())


def test_words_of_each_model_are_those_of_its_svg() -> None:
    offenders: list[tuple[str, set[str], set[str]]] = []
    number = 0
    for diagram, model, root in diagrams():
        number += 1
        labels = [list(map(str, label.itertext())) for label in root.iter("{*}text")]
        drawn = {
            word for label in labels for words in ("".join(label), " ".join(label)) for word in WORD.findall(words)
        }
        statements = " ".join((model.outline.title, *(line.words for line in model.outline.lines)))
        said = set(WORD.findall(statements))
        # Labels that are broken into lines may divide a word.
        run = "".join("".join(label).replace(" ", "") for label in labels)
        invented = {
            word
            for word in said - drawn - OURS - NOT_DRAWN.get(diagram.name, set())
            if word not in run and not DRAWN_AS_SHAPES.fullmatch(word)
        }
        missing = {word for word in drawn - said if word not in statements.replace(" ", "")}
        # Ticks of the time axis.
        missing -= {word for word in missing if diagram.kind == "gantt" and re.fullmatch(r"\d+|[A-Z][a-z]{2}", word)}
        missing -= NOT_SAID.get(diagram.name, set())
        if invented or missing:
            offenders.append((f"{diagram.kind}: {diagram.name}", invented, missing))

    assert offenders == []
    assert number > 280


def edges_of(root: "etree._Element") -> list["etree._Element"]:
    return [
        path
        for path in root.iter("{*}path")
        if path.get("data-edge") and "invisible" not in (path.get("class") or "") + (path.get("style") or "")
    ]


def test_models_have_the_edges_of_their_svgs() -> None:
    offenders: list[tuple[str, int, int]] = []
    for diagram, model, root in diagrams("flowchart", "state", "class", "er"):
        assert model.graph
        drawn = len(edges_of(root)) - sum(key is not None for key, _ in model.graph.notes)
        if drawn != len(model.graph.edges):
            offenders.append((f"{diagram.kind}: {diagram.name}", drawn, len(model.graph.edges)))

    assert offenders == []


def test_edges_of_flowcharts_lead_where_they_are_drawn_to() -> None:
    number = 0
    for diagram, model, root in diagrams("flowchart"):
        assert model.graph
        # A subgraph is drawn after its edges; an author may give an edge another id.
        drawn = Counter(
            (name.rpartition("_")[0], "marker-start" in path.attrib, "marker-end" in path.attrib)
            for path in edges_of(root)
            if (name := path.get("data-id") or "").startswith("L_")
        )
        edges = Counter(
            (f"L_{edge.tail}_{edge.head}", edge.arrow[0] in "↔○×", edge.arrow != "—") for edge in model.graph.edges
        )
        assert drawn <= edges, diagram.name
        number += drawn.total()

    assert number > 150


def test_cardinalities_stand_at_the_ends_where_they_are_drawn() -> None:
    number = 0
    for diagram, model, root in diagrams("er"):
        assert model.graph
        for path, edge in zip(edges_of(root), model.graph.edges, strict=True):
            assert (path.get("data-id") or "").startswith(f"id_{edge.tail}_{edge.head}_"), diagram.name
            assert f"-{CARDINALITIES[edge.tail_label]}Start" in (path.get("marker-start") or ""), diagram.name
            assert f"-{CARDINALITIES[edge.head_label]}End" in (path.get("marker-end") or ""), diagram.name
            number += 1

    assert number > 40


def test_messages_of_sequences_are_in_the_order_they_are_drawn_in() -> None:
    offenders: list[str] = []
    for diagram, model, root in diagrams("sequence"):
        statements = "".join(line.words.replace(" ", "") for line in model.outline.lines)
        position = 0
        for label in root.iter("{*}text"):
            if label.get("class") == "messageText":
                words = "".join("".join(map(str, label.itertext())).split())
                position = statements.find(words, position)
                if position < 0:
                    offenders.append(diagram.name)
                    break

    assert offenders == []


def test_crowded_diagrams_of_all_types_have_texts_without_internals() -> None:
    internals = re.compile(r"\w\([a-z_]+=|<[\w.]+ object|\bNone\b|_STARTER_|\bnull\b|undefined|-statement-\d")
    offenders: list[str] = []
    for diagram in crowded_diagrams():
        model = merman_engine.read_model(parse_source(diagram.source), THEME)
        words = model and model.outline.plain_text()
        if not words or internals.search(words):
            offenders.append(f"{diagram.kind}: {diagram.name}")

    assert offenders == []
