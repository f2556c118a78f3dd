"""Links of block diagrams: merman knows only the head at their end, and no link that is not solid.

The engine gets solid links; heads at the start, dots and widths are set where its links are as many as the source's.
Syntax: https://mermaid.js.org/syntax/block.html
"""

import re
from typing import NamedTuple

from mdpublish_core.figures.mermaid import elements as svg

_TEXT_OR_LINK = re.compile(
    r"\"[^\"\n]*\"|(?P<tail><|(?<=\s)[xo])?(?P<line>--+|==+|-\.+-?)"
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

    @property
    def is_two_way(self) -> bool:
        return self.tail == "<" and self.head == ">"


def with_solid_links(content: str) -> str:
    def solid(match: re.Match[str]) -> str:
        if not match["line"]:
            return match[0]
        label = _LABEL.search(match["label"] or "")
        return f"--{f' {label[0]} --' if label else ''}{match['head'] or '-'}"

    return _TEXT_OR_LINK.sub(solid, content)


def find_links(content: str) -> list[_Link]:
    return [
        _Link(*(part or "" for part in match.group("tail", "line", "label", "head")))
        for match in _TEXT_OR_LINK.finditer(content)
        if match["line"]
    ]


def draw_links(root: svg.Element, content: str) -> None:
    """Give links the heads at their start, the dots and the widths of the source."""
    links, paths = find_links(content), [each for each in root.iter(svg.PATH_TAG) if each.get("data-edge")]
    for link, path in zip(links, paths, strict=True) if len(links) == len(paths) else ():
        if link.tail:
            path.set("marker-start", f"url(#fig_block-{_HEADS[link.tail]}Start)")
        for sign, names in _CLASSES.items():
            if sign in link.line:
                path.set("class", path.get("class", "").replace(*names))
