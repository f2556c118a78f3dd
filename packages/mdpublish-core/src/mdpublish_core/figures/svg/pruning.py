"""Removes invisible content, redundant groups and inherited values."""

import re
from collections.abc import Mapping, Sequence

from mdpublish_core.figures.svg.allowlist import INHERITED, REFERENCE_TARGETS, TABLES
from mdpublish_core.figures.svg.references import References, check_expansion, collect_references
from mdpublish_core.figures.svg.sanitizer import SvgNode

# Removed if empty.
_CONTAINERS = frozenset({"a", "defs", "g", "svg", "text", "textPath", "tspan"})
_GROUPS = frozenset({"g", "tspan"})
_DESCRIPTIONS = frozenset({"title", "desc"})

# Initial values that pages do not override.
_DEFAULTS: Mapping[str, str] = TABLES["page_defaults"]
_NO_EFFECT = frozenset({("opacity", "1"), ("stop-opacity", "1"), ("overflow", "visible")})

# Removals can make other elements unreferenced. Two rounds suffice for engines; a malicious chain needs more.
_MAX_ROUNDS = 8

# Values whose meaning depends on the parent.
_RELATIVE = re.compile(r"\d(?:em|ex|ch|%)|bolder|lighter|context-")


def prune(root: SvgNode) -> References:
    """Prune in place.

    Raises `FigureError` if references are circular or expand beyond a limit.
    """
    check_expansion(root)
    for _ in range(_MAX_ROUNDS):
        references = collect_references(root)
        pruning = _Pruning(references)
        root.children = pruning.children(root, {**_DEFAULTS, **_inherited_from(root, {})})
        if not pruning.has_cut_references:
            break
    return references


class _Pruning:
    """One pass; `has_cut_references` requests another one."""

    def __init__(self, references: References) -> None:
        self._references = references
        self.has_cut_references = False

    def children(self, node: SvgNode, inherited: Mapping[str, str]) -> list[SvgNode | str]:
        children: list[SvgNode | str] = []
        for child in node.children:
            if not isinstance(child, str):
                children.extend(self._pruned_node(child, inherited, node.tag))
            elif child:
                children.append(child)
        return children

    def _pruned_node(self, node: SvgNode, inherited: Mapping[str, str], parent: str) -> Sequence[SvgNode | str]:
        if id(node) not in self._references.shown or not self._has_references(node):
            return ()
        is_named = id(node) in self._references.names
        if is_named and node.tag in REFERENCE_TARGETS["use"]:
            # Inherited values depend on where it is used.
            inherited = {}
        if node.children:
            node.children = self.children(node, _inherited_from(node, inherited))
        node.attributes = {
            name: value
            for name, value in node.attributes.items()
            if name in node.references
            or (
                (name, value) not in _NO_EFFECT
                and not (name in INHERITED and inherited.get(name) == value and not _RELATIVE.search(value))
            )
        }
        if is_named:
            return (node,)
        if node.tag in _CONTAINERS and all(_is_description(child) for child in node.children):
            self.has_cut_references |= bool(node.references)
            return ()
        is_bare = node.tag in _GROUPS and not (node.attributes or node.references)
        if is_bare and parent != "clipPath" and not any(_is_description(child) for child in node.children):
            return node.children
        return (node,)

    def _has_references(self, node: SvgNode) -> bool:
        """Remove dangling references; return whether the node is still visible."""
        for name in [name for name in node.references if self._references.target(node, name) is None]:
            del node.references[name]
            if name == "href":
                if node.tag in {"use", "textPath"}:
                    self.has_cut_references |= bool(node.references)
                    return False
            elif not node.attributes.get(name):
                del node.attributes[name]
        return True


def _inherited_from(node: SvgNode, inherited: Mapping[str, str]) -> Mapping[str, str]:
    inheritable = {name: value for name, value in node.attributes.items() if name in INHERITED}
    if not inheritable:
        return inherited
    return {
        name: value
        for name, value in {**inherited, **inheritable}.items()
        if name not in node.references and not (name in inheritable and _RELATIVE.search(value))
    }


def _is_description(child: SvgNode | str) -> bool:
    return isinstance(child, SvgNode) and child.tag in _DESCRIPTIONS
