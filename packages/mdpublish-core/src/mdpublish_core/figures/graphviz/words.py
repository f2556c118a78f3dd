"""Labels of a graph's source whose words are not drawn: overwritten, of a subgraph that is no cluster, of an unknown attribute."""

import re
from collections.abc import Iterator
from collections.abc import Set as AbstractSet

from mdpublish_core.figures import words
from mdpublish_core.figures.graphviz.labels import MAX_CHARACTERS
from mdpublish_core.figures.graphviz.sources import end_of_html
from mdpublish_core.figures.graphviz.text_output import Drawn
from mdpublish_core.figures.request import Remark
from mdpublish_core.figures.words import words_of

_TOKEN = re.compile(
    r"""
    (?P<comment>//[^\n]*|/\*.*?(?:\*/|\Z)|^\#[^\n]*)
    | (?P<string>"(?:[^"\\]|\\.)*+"?)
    | (?P<html><)
    | (?P<id>[\w.]+)
    | (?P<sign>[^\s])
    """,
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)
_LABELS = frozenset({"label", "xlabel", "headlabel", "taillabel"})
# In lower case, with what authors take for `label`.
_MEANT = _LABELS | {"lable", "labels", "text", "title", "caption"}
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_BREAK = re.compile(r"</?(?:br|hr|vr|t[dr]|table)\b[^<>]*>", re.IGNORECASE)
_LAST_WORD = re.compile(r"[\w\\]+\Z")
_TAG_OR_PORT = re.compile(r"<[^<>]*>")


def lost_words(source: str, drawn: Drawn, title: str) -> Iterator[Remark]:
    """Return a remark for each label with words that are neither drawn nor hidden by the author."""
    nodes = (word for node in drawn.model.nodes.values() for word in (node.label, *node.details))
    edges = (word for edge in drawn.model.edges for word in (edge.label, edge.tail_label, edge.head_label))
    groups = (group.label for group in drawn.model.groups.values())
    return words.lost_words(_written(source), words_of(" ".join((title, *nodes, *edges, *groups, *drawn.hidden))))


def _written(source: str) -> Iterator[tuple[AbstractSet[str], int, str]]:
    """Yield the words of each label, with its line."""
    before, name, position = "", "", 0
    line, counted = 1, 0
    while match := _TOKEN.search(source, position):
        content, start, position = match[0], match.start(), match.end()
        if match["comment"]:
            continue
        if match["html"]:
            position = end_of_html(source, position)
            content = source[start:position]
        # `+` joins strings.
        if before in {"=", "+"} and name.lower() in _MEANT:
            line, counted = line + source.count("\n", counted, start), start
            remedy = "" if name in _LABELS else f"; Graphviz has no attribute {name!r}, write `label`"
            yield words_of(_plain(content[1:-1] if match["html"] else content)), line, remedy
        elif match["id"] or match["string"]:
            name = content.strip('"')
        before = content


def _plain(label: str) -> str:
    if len(label) > MAX_CHARACTERS:
        # What is read of it ends with a part of a word.
        label = _LAST_WORD.sub("", label[:MAX_CHARACTERS])
    label = _ESCAPE.sub(lambda escape: " " if escape[1] in "nlrNGETHL\n" else escape[1], label)
    return _TAG_OR_PORT.sub("", _BREAK.sub(" ", label))
