"""Models of types that consist of nodes and edges."""

import re
from collections.abc import Iterable

from mdpublish_core.data_files import read_names
from mdpublish_core.figures.graphs import (
    ARROW,
    DOTTED_LINE,
    LINE,
    TWO_WAY_ARROW,
    Edge,
    Graph,
    Node,
    Subgraph,
    arrow_between,
)
from mdpublish_core.figures.mermaid.literals import Json, plain_label, with_plain_characters

# Of links, states and shapes without a label, cardinalities and block arrows; shapes by Mermaid's documentation.
_NAMES = read_names(__file__, "names.tsv")
_LINKS, _PSEUDO_STATES, _MARKS, _CARDINALITIES, _BLOCK_ARROWS = (
    _NAMES[kind] for kind in ("link", "state", "shape", "cardinality", "block arrow")
)

_GENERATED_ID = re.compile(r"id-[0-9a-z]{6,}-\d{1,4}(?:-\d{1,4}){0,9}")

# Ends of a relation, to the left and to the right of its line.
_CLASS_ENDS = {-1: ("", ""), 0: ("◇", "◇"), 1: ("◁", "▷"), 2: ("◆", "◆"), 3: ("←", "→"), 4: ("○", "○")}


def read_flowchart(database: Json) -> Graph:
    subgraphs = database.get("subgraphs") or []
    parents = {inner: each["id"] for each in subgraphs for inner in each.get("nodes") or []}
    groups = _groups((each["id"], _label(each, "title") or each["id"], parents.get(each["id"])) for each in subgraphs)
    nodes = {
        node["id"]: Node(_MARKS.get(node.get("layoutShape")) or _label(node) or node["id"], parents.get(node["id"]))
        for node in database["nodes"]
        if node["id"] not in groups
    }
    edges = [
        Edge(edge["from"], edge["to"], _label(edge), _LINKS.get(edge["type"], ARROW))
        for edge in database["edges"]
        if edge.get("stroke") != "invisible"
    ]
    return Graph(nodes, edges, groups)


def read_states(database: Json) -> Graph:
    states = database["nodes"]
    notes = {each["id"]: plain_label(each.get("label")) for each in states if each["shape"] == "note"}
    hidden = {each["id"] for each in states if each["shape"] in {"note", "noteGroup"}}
    # The group around a note and its state has the id of the state.
    parents = {each["id"]: each.get("parentId") for each in states}
    groups = _groups(
        (each["id"], _state_label(each), parents.get(each["id"]))
        for each in states
        if each.get("isGroup") and each["id"] not in hidden
    )
    nodes = {
        each["id"]: Node(
            _state_label(each),
            parents.get(each["id"]),
            details=tuple(map(plain_label, each.get("description") or ())) if each["shape"] == "rectWithTitle" else (),
            is_pseudo=each["shape"] in _PSEUDO_STATES,
        )
        for each in states
        if each["id"] not in hidden and each["id"] not in groups
    }
    edges = [Edge(each["start"], each["end"], _label(each)) for each in database["edges"]]
    beside = {edge.tail: edge.head for edge in edges if edge.head in notes}
    beside = {note: state for state, note in beside.items()} | {
        edge.head: edge.tail for edge in edges if edge.head in notes
    }
    beside |= {edge.tail: edge.head for edge in edges if edge.tail in notes}
    noted = [(beside.get(key), note) for key, note in notes.items()]
    return Graph(nodes, edges, groups, noted)


def _state_label(state: Json) -> str:
    return _PSEUDO_STATES.get(state["shape"]) or _label(state) or state["id"]


def read_classes(database: Json) -> Graph:
    namespaces = database.get("namespaces") or {}
    groups = _groups((key, _label(each) or key, each.get("parent")) for key, each in namespaces.items())
    nodes = {
        key: Node(
            plain_label(each.get("text")) or _label(each) or each["id"], each.get("parent"), tuple(_members(each))
        )
        for key, each in database["classes"].items()
    }
    # Those of the lollipop notation.
    nodes |= {each["id"]: Node(_label(each)) for each in database.get("interfaces") or ()}
    edges = [
        Edge(
            each["id1"],
            each["id2"],
            plain_label(each.get("title")),
            _relation(each["relation"]),
            _multiplicity(each.get("relationTitle1")),
            _multiplicity(each.get("relationTitle2")),
        )
        for each in database["relations"]
    ]
    notes = [(each.get("class"), plain_label(each.get("text"))) for each in database.get("notes") or ()]
    return Graph(nodes, edges, groups, notes)


def _members(each: Json) -> Iterable[str]:
    yield from (f"«{plain_label(annotation)}»" for annotation in each.get("annotations") or ())
    for member in (*(each.get("members") or ()), *(each.get("methods") or ())):
        # Generics such as `List<T>` are no markup here.
        words = with_plain_characters(" ".join(str(member.get("displayText") or "").split()))
        marks = {"$": " (static)", "*": " (abstract)"}
        yield words + marks.get(member.get("classifier") or "", "")


def _relation(relation: Json) -> str:
    (tail, _), (_, head) = _CLASS_ENDS[relation["type1"]], _CLASS_ENDS[relation["type2"]]
    return arrow_between(tail, head, DOTTED_LINE if relation["lineType"] else LINE)


def _multiplicity(title: object) -> str:
    return "" if title == "none" else plain_label(title)


def read_entities(database: Json) -> Graph:
    nodes: dict[object, Node] = {}
    for each in database["entities"].values():
        nodes[each["id"]] = Node(
            plain_label(each.get("alias")) or _label(each) or each["id"],
            details=tuple(_attribute(attribute) for attribute in each.get("attributes") or ()),
        )
    edges = [
        Edge(
            each["entityA"],
            each["entityB"],
            plain_label(each.get("roleA")),
            LINE if each["relSpec"]["relType"] == "IDENTIFYING" else DOTTED_LINE,
            # As in Mermaid, the first cardinality is that of the second entity.
            _CARDINALITIES.get(each["relSpec"]["cardB"], ""),
            _CARDINALITIES.get(each["relSpec"]["cardA"], ""),
        )
        for each in database["relationships"]
    ]
    return Graph(nodes, edges)


def _attribute(attribute: Json) -> str:
    # Types such as `list<int>` are no markup.
    words = with_plain_characters(f"{attribute['type']} {attribute['name']}").split()
    keys = ", ".join(attribute.get("keys") or ())
    return " ".join([*words, *([keys] if keys else [])]) + (
        f": {comment}" if (comment := plain_label(attribute.get("comment"))) else ""
    )


def read_requirements(database: Json) -> Graph:
    nodes = {
        each["name"]: Node(
            each["name"],
            details=(
                f"«{each['type']}»",
                *_fields(each, {"requirementId": "ID", "text": "Text", "risk": "Risk", "verifyMethod": "Verification"}),
            ),
        )
        for each in database["requirements"]
    }
    nodes |= {
        each["name"]: Node(each["name"], details=("«Element»", *_fields(each, {"type": "Type", "docRef": "Doc Ref"})))
        for each in database.get("elements") or ()
    }
    edges = [Edge(each["src"], each["dst"], plain_label(each["type"])) for each in database.get("relationships") or ()]
    return Graph(nodes, edges)


def _fields(each: Json, names: dict[str, str]) -> tuple[str, ...]:
    return tuple(f"{name}: {value}" for key, name in names.items() if (value := plain_label(each.get(key))))


def read_c4(database: Json) -> Graph:
    groups = _groups(
        (each["alias"], _string(each, "label") or each["alias"], _c4_parent(each))
        for each in database.get("boundaries") or ()
        if each["alias"] != "global"
    )
    nodes = {
        each["alias"]: Node(
            _string(each, "label") or each["alias"],
            _c4_parent(each),
            tuple(filter(None, (_string(each, "techn"), _string(each, "descr")))),
        )
        for each in database["shapes"]
        if each["alias"] not in groups
    }
    edges = [
        Edge(
            each["from"],
            each["to"],
            ", ".join(filter(None, (_string(each, "label"), _string(each, "techn")))),
            {"birel": TWO_WAY_ARROW, "rel_b": "←"}.get(each["type"], ARROW),
        )
        for each in database.get("rels") or ()
    ]
    return Graph(nodes, edges, groups)


def _string(each: Json, name: str) -> str:
    value = each.get(name)
    return plain_label(value.get("text")) if isinstance(value, dict) else ""


def _c4_parent(each: Json) -> object:
    parent = each.get("parentBoundary")
    return None if parent in {"global", "", each["alias"]} else parent


def read_architecture(database: Json) -> Graph:
    groups = _groups(
        (each["id"], _label(each, "title") or each["id"], each.get("in")) for each in database.get("groups") or ()
    )
    nodes = {
        each["id"]: Node(
            _label(each, "title") or ("(junction)" if each.get("type") == "junction" else each["id"]),
            each.get("in"),
            is_pseudo=each.get("type") == "junction",
        )
        for each in database["nodes"]
    }
    edges = [
        Edge(
            each["lhsId"],
            each["rhsId"],
            _label(each, "title"),
            {(True, True): TWO_WAY_ARROW, (False, True): ARROW, (True, False): "←"}.get(
                (bool(each.get("lhsInto")), bool(each.get("rhsInto"))), LINE
            ),
        )
        for each in database.get("edges") or ()
    ]
    return Graph(nodes, edges, groups)


def read_blocks(database: Json) -> Graph:
    nodes: dict[object, Node] = {}
    groups: dict[object, Subgraph] = {}
    waiting: list[tuple[Json, object]] = [(each, None) for each in reversed(database.get("blocks") or [])]
    while waiting:
        each, group = waiting.pop()
        label = _label(each)
        if each["type"] == "composite":
            # Mermaid generates ids of blocks without one.
            name = "" if _GENERATED_ID.fullmatch(each["id"]) else each["id"]
            groups[each["id"]] = Subgraph(label or name or "Group", group)
            waiting += ((inner, each["id"]) for inner in reversed(each.get("children") or []))
        elif each["type"] == "block_arrow":
            ways = [way for way in each.get("directions") or () if way in _BLOCK_ARROWS]
            nodes[each["id"]] = Node(
                label or "".join(_BLOCK_ARROWS[way] for way in ways) or "(arrow)", group, is_pseudo=True
            )
        elif each["type"] not in {"space", "column-setting"}:
            nodes[each["id"]] = Node(label or each["id"], group)
    arrows = {"two way": TWO_WAY_ARROW, "arrow_point": ARROW}
    edges = [
        Edge(each["start"], each["end"], _label(each), arrows.get(each.get("arrowTypeEnd"), LINE))
        for each in database.get("edges") or ()
    ]
    return Graph(nodes, edges, groups)


def _label(each: Json, name: str = "label") -> str:
    return plain_label(each.get(name), is_markdown=each.get("labelType") == "markdown")


def _groups(named: Iterable[tuple[object, str, object]]) -> dict[object, Subgraph]:
    """Return groups by key from keys, labels and parents, as `Graph` needs them: parents first, known, no circles."""
    groups = {key: Subgraph(label, parent if parent != key else None) for key, label, parent in named}
    sorted_groups: dict[object, Subgraph] = {}
    for key in groups:
        path = [key]
        while (parent := groups[path[-1]].parent) in groups and parent not in sorted_groups and parent not in path:
            path.append(parent)
        for each in reversed(path):
            if each not in sorted_groups:
                group = groups[each]
                sorted_groups[each] = group if group.parent in sorted_groups else Subgraph(group.label)
    return sorted_groups
