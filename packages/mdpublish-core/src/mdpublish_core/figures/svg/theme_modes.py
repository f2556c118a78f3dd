"""One tree for both theme modes, from the trees of a figure drawn in each.

A color that differs becomes a CSS variable whose name says both, `var(--1a1a1a-eeeeee,#1a1a1a)`: pages define it, and
SVG that is copied from them has the light one. What else differs is in the tree twice, with variables for `display`,
which what `use` repeats inherits; a rule of the page does not match there.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from mdpublish_core.figures.svg.sanitizer import SvgNode, walk

LIGHT_ONLY, DARK_ONLY = "--light-only", "--dark-only"
"""Variables for `display` of what is shown in one mode."""

# Without a page's stylesheet, the light one is shown.
_DISPLAY = {LIGHT_ONLY: "inline", DARK_ONLY: "none"}

_PAINT = re.compile("#[0-9a-f]{6}|none")
_VARIABLE = re.compile(r"var\((--([0-9a-f]{6}|none)-([0-9a-f]{6}|none)),")

# Of the root, and of gradients, whose colors are not inherited. Other attributes have no variables.
_INITIAL = {"fill": ("#000000", "#000000"), "stroke": ("none", "none")}
_STOP_COLOR = ("#000000", "#000000")

# The id of what is there twice.
_DARK_ID = "{}~dark"

Inherited = Mapping[str, tuple[str, str]]


def merge_modes(light: SvgNode, dark: SvgNode) -> SvgNode:
    """Return a tree that shows `light` or `dark`, by the reader's mode; both may become parts of it."""
    referenced = frozenset(id_ for root in (light, dark) for node in walk(root) for id_ in node.references.values())
    merged = _Merge(referenced).merged(light, dark, _INITIAL)
    return merged or SvgNode(light.tag, children=[_whole(light, LIGHT_ONLY), _whole(_renamed(dark), DARK_ONLY)])


def mode_variables(markup: Iterable[str]) -> dict[str, tuple[str, str]]:
    """Return the variables in the markup of trees: their values in light and dark mode."""
    return {name: (_paint(light), _paint(dark)) for part in markup for name, light, dark in _VARIABLE.findall(part)}


def _paint(name: str) -> str:
    return name if name == "none" else f"#{name}"


@dataclass(frozen=True, slots=True)
class _Merge:
    referenced: frozenset[str]

    def merged(self, light: SvgNode, dark: SvgNode, inherited: Inherited) -> SvgNode | None:
        """Return None if the nodes themselves differ."""
        if (light.tag, light.id, light.references) != (dark.tag, dark.id, dark.references):
            return None
        if light.id in self.referenced and light.tag in {"g", "symbol"}:
            # Where it is used decides what it inherits.
            inherited = {}
        attributes = _merged_attributes(light, dark, inherited)
        if attributes is None:
            return None
        children = self._merged_children(light, dark, _inherited_by_children(light, dark, inherited))
        return None if children is None else SvgNode(light.tag, attributes, children, light.id, light.references)

    def _merged_children(self, light: SvgNode, dark: SvgNode, inherited: Inherited) -> list[SvgNode | str] | None:
        first = self._merged_pairs(zip(light.children, dark.children, strict=False), inherited)
        left, right = light.children[len(first) :], dark.children[len(first) :]
        last = self._merged_pairs(zip(reversed(left), reversed(right), strict=False), inherited)
        left, right = left[: len(left) - len(last)], right[: len(right) - len(last)]
        between: list[SvgNode | str] = []
        if len(left) == len(right):
            for one, other in zip(left, right, strict=True):
                both = self._merged_pair(one, other, inherited)
                between += [both] if both is not None else self._apart([one], [other])
        else:
            between = self._apart(left, right)
        if any(each is _UNMERGEABLE for each in between):
            return None
        return [*first, *between, *reversed(last)]

    def _merged_pairs(
        self, pairs: Iterable[tuple[SvgNode | str, SvgNode | str]], inherited: Inherited
    ) -> list[SvgNode | str]:
        """Return the pairs up to the first that differs."""
        merged: list[SvgNode | str] = []
        for light, dark in pairs:
            both = self._merged_pair(light, dark, inherited)
            if both is None:
                break
            merged.append(both)
        return merged

    def _merged_pair(self, light: SvgNode | str, dark: SvgNode | str, inherited: Inherited) -> SvgNode | str | None:
        if isinstance(light, SvgNode) and isinstance(dark, SvgNode):
            return self.merged(light, dark, inherited)
        return light if light == dark else None

    def _apart(self, light: list[SvgNode | str], dark: list[SvgNode | str]) -> list[SvgNode | str]:
        marked = [(node, name) for nodes, name in ((light, LIGHT_ONLY), (dark, DARK_ONLY)) for node in nodes]
        return [self._shown_in(node, name) for node, name in marked]

    def _shown_in(self, node: SvgNode | str, name: str) -> SvgNode:
        # Text has no class, and what others refer to has an id that must be unique.
        if isinstance(node, str) or any(each.id in self.referenced for each in walk(node) if each.id):
            return _UNMERGEABLE
        return _marked(node, name)


_UNMERGEABLE = SvgNode("")


def _merged_attributes(light: SvgNode, dark: SvgNode, inherited: Inherited) -> dict[str, str] | None:
    if light.attributes == dark.attributes:
        return light.attributes
    merged: dict[str, str] = {}
    for name in dict.fromkeys((*light.attributes, *dark.attributes)):
        values = _values(light, dark, name, inherited)
        if values is None:
            return None
        merged[name] = values[0] if values[0] == values[1] else _variable(*values)
    return merged


def _values(light: SvgNode, dark: SvgNode, name: str, inherited: Inherited) -> tuple[str, str] | None:
    """Return an attribute's values in both modes; None if no variable can have them."""
    values = light.attributes.get(name), dark.attributes.get(name)
    if values[0] is not None and values[0] == values[1]:
        return values[0], values[0]
    if (name not in _INITIAL and name != "stop-color") or name in light.references:
        return None
    default = _STOP_COLOR if name == "stop-color" else inherited.get(name, ("", ""))
    first, second = (value if value is not None else other for value, other in zip(values, default, strict=True))
    return (first, second) if _PAINT.fullmatch(first) and _PAINT.fullmatch(second) else None


def _variable(light: str, dark: str) -> str:
    return f"var(--{light.removeprefix('#')}-{dark.removeprefix('#')},{light})"


def _inherited_by_children(light: SvgNode, dark: SvgNode, inherited: Inherited) -> Inherited:
    if not any(name in node.attributes for node in (light, dark) for name in _INITIAL):
        return inherited
    pairs = {name: _values(light, dark, name, inherited) for name in _INITIAL}
    return {name: pair for name, pair in pairs.items() if pair is not None}


def _whole(root: SvgNode, name: str) -> SvgNode:
    return _marked(SvgNode("g", root.attributes, root.children, references=root.references), name)


def _marked(node: SvgNode, name: str) -> SvgNode:
    display = f"var({name},{_DISPLAY[name]})"
    return SvgNode(node.tag, {**node.attributes, "display": display}, node.children, node.id, node.references)


def _renamed(root: SvgNode) -> SvgNode:
    for node in walk(root):
        node.id = node.id and _DARK_ID.format(node.id)
        node.references = {name: _DARK_ID.format(id_) for name, id_ in node.references.items()}
    return root
