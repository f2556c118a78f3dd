"""Converts untrusted SVG into a tree of allowed nodes.

Stylesheets become attributes, in the order of CSS's cascade: presentation attributes, matching rules, inline `style`,
then `!important` declarations. Inherited properties stay where they were set.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import NamedTuple

from lxml import etree

from mdpublish_core.figures.errors import FigureError
from mdpublish_core.figures.svg import allowlist, values
from mdpublish_core.figures.svg.stylesheets import MAX_STYLESHEET, SvgState, SvgStylesheet, compile_stylesheet
from mdpublish_core.resources.urls import encode_url, is_safe_url
from mdpublish_core.strings.lazy_patterns import compile_lazily

MAX_ELEMENTS = 50_000
"""A hundred times a large diagram."""

MAX_DEPTH = 200
"""libxml2's limit is 256."""

MAX_STEPS = 5_000_000
"""Elements times the stylesheet's weight: a few seconds."""

_LINK = re.compile(r"(?:https?://|mailto:)[^\s]", re.IGNORECASE)
_TRANSLUCENT = re.compile(r"(?:^| )#[0-9a-f]{8}\Z")
_SPACES = re.compile(r"[ \t\r\n]+")
_VARIABLE = compile_lazily(r"var\(\s*(--[\w-]+)\s*(?:,([^()]*(?:\([^()]*\)[^()]*)*))?\)")
_MAX_VARIABLES = 16

_SVG = f"{{{allowlist.NAMESPACE}}}"
_SPACE = f"{{{allowlist.XML}}}space"
_TITLE = f"{{{allowlist.XLINK}}}title"
_HREFS = ("href", f"{{{allowlist.XLINK}}}href")
_PRESERVED = frozenset({"pre", "pre-wrap", "break-spaces"})
_TEXT_ELEMENTS = frozenset({"text", "tspan", "textPath"})
# SVG does not render shapes inside text, or spans outside.
_IN_TEXT = frozenset({"a", "desc", "textPath", "title", "tspan"})
_OUTSIDE_TEXT = allowlist.ELEMENTS.keys() - {"textPath", "tspan"}


@dataclass(slots=True)
class SvgNode:
    """An allowed element."""

    tag: str
    attributes: dict[str, str] = field(default_factory=dict)
    children: list["SvgNode | str"] = field(default_factory=list)
    id: str = ""
    references: dict[str, str] = field(default_factory=dict)
    """Referenced ids; `attributes` holds the fallback of `url()`."""


class _Context(NamedTuple):
    """Inherited state."""

    match_state: SvgState
    variables: Mapping[str, str] = MappingProxyType({})
    color: str = "currentColor"
    preserves: bool = False
    in_text: bool = False
    paints: Mapping[str, tuple[float, float]] = MappingProxyType({"fill": (1.0, 1.0), "stroke": (1.0, 1.0)})
    """Opacity of each paint, by color and by `*-opacity`."""


def sanitize(root: "etree._Element") -> SvgNode:
    """Return the allowed tree; raises `FigureError` above a limit."""
    sheet = _sheet(root)
    _check_bounds(root, sheet)
    node = _Sanitizer(sheet).node(root, _Context(sheet.initial_state))
    return node or SvgNode("svg")


def _sheet(root: "etree._Element") -> SvgStylesheet:
    css = "\n".join("".join(map(str, style.itertext())) for style in root.iter(f"{_SVG}style"))
    if len(css) > MAX_STYLESHEET:
        raise FigureError(f"the SVG stylesheet must be at most {MAX_STYLESHEET:,} characters (got {len(css):,})")
    return compile_stylesheet(css)


def _check_bounds(root: "etree._Element", sheet: SvgStylesheet) -> None:
    count = depth = 0
    for event, _ in etree.iterwalk(root, events=("start", "end")):
        if event == "start":
            count += 1
            depth += 1
            if depth > MAX_DEPTH:
                raise FigureError(f"the SVG is nested more than {MAX_DEPTH} elements deep")
        else:
            depth -= 1
    if count > MAX_ELEMENTS:
        raise FigureError(f"the SVG must have at most {MAX_ELEMENTS:,} elements (got {count:,}); simplify the figure")
    if count * sheet.weight > MAX_STEPS:
        raise FigureError(
            f"the SVG has {count:,} elements and a stylesheet of weight {sheet.weight:,}; their product must be "
            f"at most {MAX_STEPS:,}; simplify the figure"
        )


class _Sanitizer:
    def __init__(self, sheet: SvgStylesheet) -> None:
        self._sheet = sheet

    def node(self, element: "etree._Element", context: _Context) -> SvgNode | None:
        # The tag of an entity reference is a function.
        name = str(element.tag)
        if not name.startswith(_SVG):
            return None
        tag = name[len(_SVG) :]
        if tag == "switch" and not context.in_text:
            return self._switch(element, context)
        if tag not in (_IN_TEXT if context.in_text else _OUTSIDE_TEXT):
            return None
        if tag in {"title", "desc"}:
            content = " ".join("".join(map(str, element.itertext())).split())
            return SvgNode(tag, children=[content]) if content else None
        node, inner = self._styled(tag, _attributes_of(element), context, is_root=element.getparent() is None)
        if node is None or inner is None:
            return None
        self._fill(node, element, inner)
        return node

    def _fill(self, node: SvgNode, element: "etree._Element", context: _Context) -> None:
        children = node.children
        if context.in_text and element.text:
            children.append(_normalize_spaces(element.text, preserves=context.preserves))
        for child in element:
            child_node = self.node(child, context)
            if child_node is not None:
                children.append(child_node)
            if context.in_text and child.tail:
                children.append(_normalize_spaces(child.tail, preserves=context.preserves))

    def _switch(self, element: "etree._Element", context: _Context) -> SvgNode | None:
        """Keep the first alternative without conditions."""
        for child in element:
            if child.get("requiredExtensions") is None and child.get("systemLanguage") is None:
                child_node = self.node(child, context)
                if child_node is not None:
                    node, _ = self._styled("g", _attributes_of(element), context, is_root=False)
                    if node is not None:
                        node.children.append(child_node)
                    return node
        return None

    def _styled(
        self, tag: str, attributes: Mapping[str, str], context: _Context, *, is_root: bool
    ) -> tuple[SvgNode | None, _Context | None]:
        """Return a node without content, and the content's context; None if not displayed."""
        node = SvgNode(tag, id=attributes.get("id", ""))
        properties = self._attributes(tag, attributes, node)
        match, inside, _ = self._sheet.match_element(context.match_state, tag, attributes, is_root=is_root)
        inline = values.parse_declarations(attributes["style"]) if "style" in attributes else ()
        properties.update(match.normal)
        properties.update((name, value) for name, value, urged in inline if not urged)
        properties.update(match.important)
        properties.update((name, value) for name, value, urged in inline if urged)
        variables = context.variables
        if custom := [name for name in properties if name[:2] == "--"]:
            variables = {**variables, **{name: properties.pop(name) for name in custom}}
        _resolve(properties, variables)
        if properties.get("display") == "none" and tag not in allowlist.SHOWN_BY_REFERENCE:
            return None, None
        inner = _child_context(
            properties,
            context,
            variables,
            inside,
            in_text=tag in _TEXT_ELEMENTS or (context.in_text and tag == "a"),
        )
        if tag in allowlist.CSS_GEOMETRY_ELEMENTS:
            node.attributes.update(
                (name, properties[name])
                for name in allowlist.GEOMETRY
                if name in properties and name in allowlist.ELEMENTS[tag]
            )
        _write(node, properties)
        _link(node, attributes, in_text=context.in_text)
        if ("xml:space" in attributes or _SPACE in attributes) and "white-space" not in properties:
            inner = inner._replace(preserves=attributes.get(_SPACE) == "preserve")
        return node, inner

    def _attributes(self, tag: str, attributes: Mapping[str, str], node: SvgNode) -> dict[str, str]:
        """Return the properties; other attributes go to the node."""
        allowed = allowlist.ELEMENTS[tag]
        properties: dict[str, str] = {}
        for name, value in attributes.items():
            if name in allowed:
                checked = values.normalize_attribute(allowed[name], value)
                if checked is not None:
                    node.attributes[name] = checked
            elif name in allowlist.PROPERTIES:
                checked = values.normalize_property(name, value)
                if checked is not None:
                    properties[name] = checked
        return properties


def _resolve(properties: dict[str, str], variables: Mapping[str, str]) -> None:
    """Substitute `var()` and resolve CSS-wide keywords."""
    for name, written in list(properties.items()):
        value = written
        if "(" in value and "var(" in value.lower():
            resolved = _with_variables(value, variables)
            value = (values.normalize_property(name, resolved) if resolved is not None else None) or "unset"
            properties[name] = value
        if value in values.CSS_WIDE_KEYWORDS:
            if value == "initial" and name in allowlist.INITIAL_VALUES:
                properties[name] = allowlist.INITIAL_VALUES[name]
            else:
                del properties[name]


def _with_variables(value: str, variables: Mapping[str, str]) -> str | None:
    """Substitute `var()`; return None if undefined or too deeply nested."""
    for _ in range(_MAX_VARIABLES):
        match = _VARIABLE.search(value)
        if not match:
            return value
        instead: str | None = variables.get(match[1], match[2])
        if instead is None or len(instead) + len(value) > 1000:
            return None
        value = f"{value[: match.start()]}{instead}{value[match.end() :]}"
    return None


def _child_context(
    properties: dict[str, str],
    context: _Context,
    variables: Mapping[str, str],
    match_state: SvgState,
    *,
    in_text: bool,
) -> _Context:
    """Return the content's context; also resolve colors in `properties`."""
    color = properties.pop("color", context.color)
    if color == "currentColor":
        color = context.color
    for name, value in properties.items():
        if "currentColor" in value:
            properties[name] = value.replace("currentColor", color)
    paints = context.paints
    if "fill" in properties or "stroke" in properties or "fill-opacity" in properties or "stroke-opacity" in properties:
        paints = {name: _cover(name, properties, paints[name]) for name in ("fill", "stroke")}
    if "stop-color" in properties:
        properties["stop-color"], share = _opaque(properties["stop-color"])
        if share < 1:
            properties["stop-opacity"] = _decimal(share * float(properties.get("stop-opacity", "1")))
    preserves = properties["white-space"] in _PRESERVED if "white-space" in properties else context.preserves
    return _Context(match_state, variables, color, preserves, in_text, paints)


def _cover(name: str, properties: dict[str, str], before: tuple[float, float]) -> tuple[float, float]:
    """Move a color's alpha to the opacity."""
    share, opacity = before
    key = f"{name}-opacity"
    if name in properties:
        properties[name], share = _opaque(properties[name])
    if key in properties:
        opacity = float(properties[key])
    if (name in properties or key in properties) and (share * opacity != before[0] * before[1]):
        properties[key] = _decimal(share * opacity)
    return share, opacity


def _opaque(color: str) -> tuple[str, float]:
    """Split a color into its opaque part and its alpha."""
    if len(color) < len("#rrggbbaa") or not _TRANSLUCENT.search(color):
        return color, 1.0
    return color[:-2], int(color[-2:], 16) / 255


def _decimal(share: float) -> str:
    return f"{share:.4f}".rstrip("0").rstrip(".") or "0"


def _write(node: SvgNode, properties: dict[str, str]) -> None:
    allowed = allowlist.OUTPUT_PROPERTIES[node.tag]
    transform = properties.pop("transform", None)
    name_of_transform = {"pattern": "patternTransform", "linearGradient": "gradientTransform"}.get(
        node.tag, "gradientTransform" if node.tag == "radialGradient" else "transform"
    )
    if transform and (name_of_transform != "transform" or "transform" in allowed):
        origin = properties.get("transform-origin")
        if transform == "none":
            node.attributes.pop(name_of_transform, None)
        else:
            node.attributes[name_of_transform] = _around(transform, origin)
    for name in sorted(properties.keys() & allowed):
        value = properties[name]
        if value.startswith("url("):
            id_, _, other = value[5:].partition(")")
            node.references[name] = id_
            node.attributes[name] = other.strip()
        elif value != "none" or name in allowlist.INHERITED:
            node.attributes[name] = value


def _around(transform: str, origin: str | None) -> str:
    """Apply `transform-origin` by translations."""
    if not origin or origin == "0 0":
        return transform
    x, y = origin.split()
    back = f"{x[1:] if x[0] == '-' else f'-{x}'},{y[1:] if y[0] == '-' else f'-{y}'}"
    return f"translate({x},{y}) {transform} translate({back})"


def _link(node: SvgNode, attributes: Mapping[str, str], *, in_text: bool) -> None:
    """Unlink unsafe URLs; turn tooltips into titles."""
    tag = node.tag
    if tag in allowlist.REFERENCE_TARGETS or tag == "a":
        href = next((attributes[name] for name in _HREFS if name in attributes), "").strip()
        if tag != "a":
            if href.startswith("#"):
                node.references["href"] = href[1:]
        elif _LINK.match(href) and is_safe_url(href):
            node.attributes["href"] = encode_url(href)
        else:
            node.tag = "tspan" if in_text else "g"
    tooltip = attributes.get(_TITLE) or attributes.get("title")
    if tooltip and not in_text and node.tag in {"a", "g"}:
        title = " ".join(tooltip.split())
        if title:
            node.children.append(SvgNode("title", children=[title]))


def _attributes_of(element: "etree._Element") -> Mapping[str, str]:
    # Not lxml's mapping, which asks libxml2 for each name.
    return dict(element.attrib)  # type: ignore[arg-type]


def _normalize_spaces(content: str, *, preserves: bool) -> str:
    """Use no-break spaces: HTML and email ignore `xml:space`."""
    if not preserves:
        return _SPACES.sub(" ", content)
    content = re.sub(r"\r\n?|[\t\n]", " ", content)
    if content.startswith(" "):
        content = f"\N{NO-BREAK SPACE}{content[1:]}"
    if content.endswith(" "):
        content = f"{content[:-1]}\N{NO-BREAK SPACE}"
    return re.sub(r"(?<= ) |(?<=\N{NO-BREAK SPACE}) ", "\N{NO-BREAK SPACE}", content)


def walk(node: SvgNode) -> Iterator[SvgNode]:
    """Yield all nodes in document order."""
    waiting = [node]
    while waiting:
        each = waiting.pop()
        yield each
        if each.children:
            waiting += [child for child in reversed(each.children) if isinstance(child, SvgNode)]
