"""The words of a figure's source that the figure shows: its labels.

Rules of thumb, which rather leave a label out than name a word that is not shown.
"""

import re
from collections.abc import Iterator

FIGURE_LANGUAGES = frozenset({"mermaid", "chart", "chartjs", "dot", "graphviz"})

_KEYWORDS = {
    "flowchart": "flowchart graph subgraph end direction TB TD BT LR RL",
    "sequenceDiagram": "sequenceDiagram participant actor as alt else opt loop par and end over Note note right left "
    "of activate deactivate autonumber rect rgb",
    "gantt": "gantt title section",
    "pie": "pie showData title",
    "stateDiagram": "stateDiagram v2 state as note right left of end",
    "classDiagram": "classDiagram class",
    "erDiagram": "erDiagram",
    "journey": "journey title section",
    "mindmap": "mindmap root",
    "timeline": "timeline title section",
    "quadrantChart": "quadrantChart title axis x y quadrant",
    "gitGraph": "gitGraph commit branch checkout merge id tag",
}
_KEYWORDS["graph"] = _KEYWORDS["flowchart"]

# Lines that style, link or set something.
_WITHOUT_LABELS = re.compile(
    r"\s*(?:%%|style\b|classDef\b|class \w+ \w+$|click\b|linkStyle\b|direction\b|dateFormat\b|axisFormat\b|excludes\b"
    r"|todayMarker\b|tickInterval\b|accTitle\b|accDescr\b)"
)
_NODE_ID = re.compile(r"\w+(?=@?[\[({>])")
_WITHOUT_WORDS = re.compile(r":::\w+|<br ?/?>|~|\s[|}o]{2}(?:--|\.\.)[|{o]{2}\s|: *\[[\d., ]+\]|\bquadrant-\d")
"""Classes, breaks, brackets of generic types, cardinalities, coordinates."""

_ALIAS = re.compile(r"(?:participant|actor|state)\s+(\w+)\s+as\b")
_AFTER_COLON = frozenset({"gantt", "journey"})

_CHART_LABELS = re.compile(r"""\blabels["']?\s*:\s*\[([^\[\]]*)\]""")
_CHART_LABEL = re.compile(r"""\b(?:label|text)["']?\s*:\s*(?:"([^"]*)"|'([^']*)')""")
_QUOTED = re.compile(r""""([^"\n]*)"|'([^'\n]*)'""")

_DOT_LABEL = re.compile(r'\bx?label\s*=\s*"((?:[^"\\]|\\.)*)"')
_DOT_ESCAPE = re.compile(r"\\[nlr]")


def label_lines(language: str, source: str) -> Iterator[tuple[int, str]]:
    """Yield lines counted from 0, with the labels on them."""
    match language:
        case "mermaid":
            yield from _mermaid(source)
        case "chart" | "chartjs":
            yield from _chart(source)
        case _:
            for label in _DOT_LABEL.finditer(source):
                yield _line(source, label.start()), _DOT_ESCAPE.sub(" ", label[1])


def _mermaid(source: str) -> Iterator[tuple[int, str]]:
    lines = [(number, line) for number, line in enumerate(source.split("\n")) if not _WITHOUT_LABELS.match(line)]
    kind = next((words[0] for _, line in lines if (words := re.findall(r"[A-Za-z]+", line))), "")
    ids = set(_NODE_ID.findall(source)) if kind in {"flowchart", "graph", "mindmap"} else set()
    ids |= set(_ALIAS.findall(source))
    dropped = ids | set(_KEYWORDS.get(kind, kind).split())
    for number, line in lines:
        label = _WITHOUT_WORDS.sub(" ", line)
        if kind in _AFTER_COLON:
            label = label.partition(":")[0]
        if kind == "pie" and '"' in label:
            label = " ".join(first for first, _ in _QUOTED.findall(label))
        yield number, re.sub(r"\w+", lambda word: "" if word[0] in dropped else word[0], label)


def _chart(source: str) -> Iterator[tuple[int, str]]:
    for labels in _CHART_LABELS.finditer(source):
        for quoted in _QUOTED.finditer(labels[1]):
            yield _line(source, labels.start(1) + quoted.start()), quoted[1] or quoted[2] or ""
    for label in _CHART_LABEL.finditer(source):
        yield _line(source, label.start()), label[1] or label[2] or ""


def _line(source: str, position: int) -> int:
    return source.count("\n", 0, position)
