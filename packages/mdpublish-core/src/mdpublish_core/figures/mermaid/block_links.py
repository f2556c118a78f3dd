"""Links of block diagrams: merman knows only the head at their end, and no link that is not solid.

The engine gets solid links; heads at the start, dots and widths are set where its links are as many as the source's.
Syntax: https://mermaid.js.org/syntax/block.html
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, TypeVar

from mdpublish_core.figures.mermaid import elements as svg
from mdpublish_core.figures.mermaid.literals import Json
from mdpublish_core.figures.request import Remark

T = TypeVar("T")

_TEXT_OR_LINK = re.compile(
    r"%%.*|\"[^\"\n]*\"|(?P<tail><|(?<=\s)[xo])?(?P<line>--+|==+|-\.+-?)"
    r"(?P<label>\s*\"[^\"\n]*\"\s*(?:--+|==+|\.+-))?-?(?P<head>[>xo](?![\w-]))?"
)
_LABEL = re.compile(r"\"[^\"\n]*\"")
_HEADS = {"<": "point", "x": "cross", "o": "circle"}
_CLASSES = {"=": ("thickness-normal", "thickness-thick"), ".": ("pattern-solid", "pattern-dotted")}


class _Link(NamedTuple):
    tail: str
    line: str
    label: str
    head: str


def with_solid_links(content: str) -> str:
    def solid(match: re.Match[str]) -> str:
        if not match["line"]:
            return match[0]
        label = _LABEL.search(match["label"] or "")
        return f"--{f' {label[0]} --' if label else ''}{match['head'] or '-'}"

    return _TEXT_OR_LINK.sub(solid, content)


def link_gap(content: str) -> int:
    """Return the space between blocks, in px: Mermaid's 8 have no room for links and their labels."""
    return max((40 if link.label else 16 for link in _find_links(content)), default=8)


def _find_links(content: str) -> list[_Link]:
    return [
        _Link(*(part or "" for part in match.group("tail", "line", "label", "head")))
        for match in _TEXT_OR_LINK.finditer(content)
        if match["line"]
    ]


def _paired(content: str, drawn: Sequence[T]) -> Iterable[tuple[_Link, T]]:
    """Return the source's links with the engine's, nothing if they are not as many."""
    links = _find_links(content)
    return zip(links, drawn, strict=True) if len(links) == len(drawn) else ()


def lost_links(content: str, drawn: str) -> Iterator[Remark]:
    """Yield a remark if the links of the source are not those of the engine, which then are all plain."""
    links = _find_links(content)
    if len(links) != drawn.count(" data-edge=") and any(link.tail or link.line[0] in "=." for link in links):
        yield Remark("the dots, widths and heads of links are left out: the engine reads other links")


def mark_two_way(edges: Sequence[Json], content: str) -> None:
    """Mark the edges of the engine's model that have a head at both ends."""
    for link, edge in _paired(content, edges):
        if link.tail == "<" and link.head == ">":
            edge["arrowTypeEnd"] = "two way"


def draw_links(root: svg.Element, content: str) -> None:
    """Give links the heads at their start, the dots and the widths of the source."""
    for link, path in _paired(content, [each for each in root.iter(svg.PATH_TAG) if each.get("data-edge")]):
        if link.tail:
            path.set("marker-start", f"url(#fig_block-{_HEADS[link.tail]}Start)")
        for sign, names in _CLASSES.items():
            if sign in link.line:
                path.set("class", path.get("class", "").replace(*names))
