"""References between elements: visibility and expansion limits."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from mdpublish_core.figures.errors import FigureError
from mdpublish_core.figures.svg.allowlist import REFERENCE_TARGETS, SHOWN_BY_REFERENCE
from mdpublish_core.figures.svg.sanitizer import SvgNode, walk

MAX_DRAWN = 200_000
"""Elements, after expansion of references."""

MAX_DRAWN_DEPTH = 400
"""Nesting, after expansion of references: renderers recurse."""

# In elements: renderers allocate a layer for each.
_COSTS = {"mask": 100, "clip-path": 20, "href": 0, "fill": 20, "stroke": 20}

_NUMBERS = re.compile(r"\d+(?:\.\d*)?")


@dataclass(frozen=True, slots=True)
class References:
    """Targets and visibility of a drawing's nodes."""

    targets: Mapping[str, SvgNode]
    """Nodes by id; the first wins."""

    shown: frozenset[int]
    """`id()` of visible nodes."""

    names: Mapping[int, str]
    """New ids by `id()`."""

    def target(self, node: SvgNode, attribute: str) -> SvgNode | None:
        """Return the target; None if missing or not allowed."""
        return _target(node, attribute, self.targets)


def collect_references(root: SvgNode) -> References:
    """Resolve references; `check_expansion` must come first."""
    targets = _targets(root)
    shown, used = _shown(root, targets)
    names: dict[int, str] = {}
    for node in walk(root):
        if id(node) in used and id(node) in shown:
            names[id(node)] = f"-{len(names) + 1}"
    return References(targets, frozenset(shown), names)


def _targets(root: SvgNode) -> Mapping[str, SvgNode]:
    targets: dict[str, SvgNode] = {}
    for node in walk(root):
        if node.id:
            targets.setdefault(node.id, node)
    return targets


def _target(node: SvgNode, attribute: str, targets: Mapping[str, SvgNode]) -> SvgNode | None:
    id_ = node.references.get(attribute)
    target = targets.get(id_) if id_ is not None else None
    allowed = REFERENCE_TARGETS[node.tag if attribute == "href" else attribute]
    return target if target is not None and target.tag in allowed else None


def _shown(root: SvgNode, targets: Mapping[str, SvgNode]) -> tuple[set[int], set[int]]:
    """Return visible nodes with their ancestors, and referenced nodes."""
    parents = {id(child): node for node in walk(root) for child in node.children if isinstance(child, SvgNode)}
    shown: set[int] = set()
    used: set[int] = set()
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if id(node) in shown:
            continue
        shown.add(id(node))
        for attribute in node.references:
            target = _target(node, attribute, targets)
            if target is not None:
                used.add(id(target))
                waiting.append(target)
        waiting.extend(_direct(node))
    for each in list(used):
        parent = parents.get(each)
        while parent is not None and id(parent) not in shown:
            shown.add(id(parent))
            parent = parents.get(id(parent))
    return shown, used


def _direct(node: SvgNode) -> Iterator[SvgNode]:
    for child in node.children:
        if (
            isinstance(child, SvgNode)
            and child.tag != "defs"
            and (child.tag not in SHOWN_BY_REFERENCE or child.tag == "stop")
        ):
            yield child


def check_expansion(root: SvgNode) -> None:
    """Raise `FigureError` for circular references, and above `MAX_DRAWN` elements or a depth of `MAX_DRAWN_DEPTH`."""
    # Iterative: chains can be as long as the drawing.
    targets = _targets(root)
    sizes: dict[int, tuple[int, int]] = {}
    begun: set[int] = set()
    waiting = [root]
    while waiting:
        node = waiting[-1]
        if id(node) in sizes:
            waiting.pop()
            continue
        held = [child for child in node.children if isinstance(child, SvgNode)]
        if not held and not node.references:
            # Most elements are leaves.
            sizes[id(node)] = 1, 1
            waiting.pop()
            continue
        referred = [(name, target) for name in node.references if (target := _target(node, name, targets))]
        inner = [*held, *(target for _, target in referred)]
        if id(node) not in begun:
            begun.add(id(node))
            if any(id(each) in begun and id(each) not in sizes for each in inner):
                raise FigureError("the SVG has a circular reference")
            waiting.extend(each for each in inner if id(each) not in sizes)
            continue
        waiting.pop()
        size = 1 + sum(sizes[id(each)][0] for each in held)
        size += sum(_times(node, name) * (sizes[id(target)][0] + _COSTS.get(name, 0)) for name, target in referred)
        depth = 1 + max((sizes[id(each)][1] for each in inner), default=0)
        if size > MAX_DRAWN or depth > MAX_DRAWN_DEPTH:
            raise FigureError(
                f"the SVG must be at most {MAX_DRAWN:,} elements and {MAX_DRAWN_DEPTH} levels when its references are "
                "expanded; simplify the figure"
            )
        sizes[id(node)] = size, depth


def _times(node: SvgNode, attribute: str) -> int:
    """Return how often a reference is rendered: `marker-mid` once per vertex."""
    if attribute != "marker-mid":
        return 1
    line = node.attributes.get("d") or node.attributes.get("points") or ""
    return 1 + len(_NUMBERS.findall(line)) // 2
