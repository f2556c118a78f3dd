"""Inline elements of raw HTML.

An element begins with its first text, so white space stays outside. Elements that overlap or continue in the next
paragraph are repeated, as in browsers.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mdpublish_core.nodes import open_nodes as nodes
from mdpublish_core.readers.html_elements import MAX_REPEATED_CHARACTERS, Content, element_of, nest
from mdpublish_core.readers.markdown.characters import unescape
from mdpublish_core.resources.allowed_elements import collapse_spaces
from mdpublish_core.resources.urls import is_safe_url, url_beside
from mdpublish_core.strings.positions import Span

_MAX_CARRIED_ELEMENTS = 16
"""Nobody opens five. Further ones end with their paragraph."""

_TAG_LENGTH = 20

_CODE_TAGS = frozenset({"code", "tt"})

Parent = nodes.Emphasis | nodes.Strong | nodes.Strikethrough | nodes.HtmlElement | nodes.Link | nodes.Image
"""The inline scanner's elements are `mark`, `sub` and `sup`."""


@dataclass(slots=True, eq=False)
class OpenElement:
    """An open element, or a Markdown inline, which has no tag."""

    tag: str
    attributes: Mapping[str, str]
    has_end_tag: bool
    span: Span | None = None
    parent: Parent | None = None
    is_started: bool = False
    is_shown: bool = False

    @property
    def is_link(self) -> bool:
        return isinstance(self.parent, nodes.Link) or (self.tag == "a" and is_safe_url(self.attributes["href"]))


class InlineBuilder:
    """Builds the inlines of successive paragraphs; open elements carry over."""

    def __init__(self) -> None:
        self.open: list[OpenElement] = []
        self.floor = 0
        self.anchors: list[str] = []
        self.started = False
        self._parents = 0
        self._runs: list[tuple[Content, tuple[OpenElement, ...]]] = []
        # Of `open`, those in which the last run is: this many, and those that are shown.
        self._begun = 0
        self._marks: tuple[OpenElement, ...] = ()
        self._pending_space = ""
        self._pending_breaks = 0
        self._repeated_characters = 0

    @property
    def depth(self) -> int:
        return len(self.open) - self._parents

    @property
    def in_link(self) -> bool:
        return any(element.is_link for element in self.open)

    def add_text(self, content: str) -> None:
        if not (core := content.strip(" \t\n\f\r")):
            self.add_space(content)
            return
        start = content.index(core[0])
        self.add_space(content[:start])
        self._flush_pending()
        self._append(core)
        self.add_space(content[start + len(core) :])

    def add_html_text(self, content: str) -> None:
        """Collapse white space: line ends to soft breaks, other runs to one space."""
        for number, line in enumerate(content.split("\n")):
            if number:
                self.add_space("\n")
            self.add_text(collapse_spaces(line))

    def add_space(self, content: str) -> None:
        if content and self.started and not self._pending_breaks:
            self._pending_space = "\n" if "\n" in content or self._pending_space == "\n" else " "

    def hard_break(self) -> None:
        if self.started:
            self._pending_space = ""
            self._pending_breaks += 1

    def break_line(self) -> None:
        if not self._pending_breaks:
            self.hard_break()

    def add(self, token: nodes.Token) -> None:
        self._flush_pending()
        if isinstance(token, nodes.MathSpan) and any(element.tag in _CODE_TAGS for element in self.open):
            # Without math, a dollar is a dollar, and an escape is what it escapes.
            is_escape = token.source.startswith("\\(")
            token = nodes.RawText(unescape(token.source) if is_escape else token.source)
        self._append(token.content if isinstance(token, nodes.RawText) else token)

    def add_anchor(self, name: str) -> None:
        """Add a link target here, or at the next text outside links."""
        if self.started and not self.in_link:
            self._append(_target(name))
        else:
            self.anchors.append(name)

    def start(self, element: OpenElement) -> None:
        self.open.append(element)

    def end(self, tag: str) -> bool:
        for index in range(len(self.open) - 1, self.floor - 1, -1):
            if self.open[index].tag == tag:
                self._leave(index)
                del self.open[index]
                return True
        return False

    def enter(self, parent: Parent) -> int:
        """Begin a Markdown inline, in which outer elements cannot be closed."""
        self.open.append(OpenElement("", {}, has_end_tag=False, parent=parent))
        self._parents += 1
        floor, self.floor = self.floor, len(self.open)
        return floor

    def leave(self, parent: Parent, floor: int) -> None:
        """End a Markdown inline; only a link or an image may be empty."""
        del self.open[self.floor :]
        if self._begun < self.floor and isinstance(parent, nodes.Link | nodes.Image):
            self.add(nodes.RawText(""))
        self._leave(self.floor - 1)
        self.open.pop()
        self._parents -= 1
        self.floor = floor

    def take_anchors(self) -> Sequence[nodes.Token]:
        names, self.anchors = self.anchors, []
        return [_target(name) for name in names]

    def finish(self) -> Sequence[nodes.Token]:
        """Return the inlines since the last `finish`; none if nothing is visible."""
        self._begun, self._marks = 0, ()
        if self.started:
            self._add_anchors()
        runs, self._runs = self._runs, []
        self._pending_space, self._pending_breaks, self.started = "", 0, False
        if self.open:
            self.open = [element for element in self.open if element.has_end_tag][:_MAX_CARRIED_ELEMENTS]
        return nest(runs, _wrapped, _read) if runs else []

    def _append(self, content: str | nodes.Token) -> None:
        self._runs.append((content, self._marks))
        self.started = True

    def _flush_pending(self) -> None:
        if self._pending_space:
            self._append(nodes.LineBreak(soft=True) if self._pending_space == "\n" else " ")
            self._pending_space = ""
        for _ in range(self._pending_breaks):
            self._append(nodes.LineBreak(soft=False))
        self._pending_breaks = 0
        if self.anchors and not any(element.is_link for element in self.open[: self._begun]):
            self._add_anchors()
        if self._begun < len(self.open):
            self._marks = (*self._marks, *filter(self._may_begin, self.open[self._begun :]))
            self._begun = len(self.open)

    def _may_begin(self, element: OpenElement) -> bool:
        if element.is_started:
            self._repeated_characters += _TAG_LENGTH + sum(map(len, element.attributes.values()))
        element.is_shown = not element.is_started or self._repeated_characters <= MAX_REPEATED_CHARACTERS
        element.is_started = True
        return element.is_shown

    def _add_anchors(self) -> None:
        for target in self.take_anchors():
            self._append(target)

    def _leave(self, index: int) -> None:
        """End, for now, the open elements from an index on."""
        if index < self._begun:
            self._begun = index
            self._marks = tuple([element for element in self.open[:index] if element.is_shown])


def _target(name: str) -> nodes.HtmlElement:
    return nodes.HtmlElement("a", {"name": name}, [])


def _read(string: str, _marks: Sequence[OpenElement]) -> list[nodes.Token]:
    return [nodes.RawText(string)] if string else []


def _wrapped(element: OpenElement, children: list[nodes.Token]) -> list[nodes.Token]:
    tag, attributes = element.tag, element.attributes
    if element.parent is not None:
        element.parent.children = children
        return [element.parent]
    if tag == "a" and not element.is_link:
        beside = url_beside("".join(map(nodes.text_content, children)), attributes["href"])
        last = children[-1]
        if isinstance(last, nodes.RawText):
            children, beside = children[:-1], last.content + beside
        return [nodes.HtmlElement("span", {}, [*children, nodes.RawText(beside)])]
    if tag == "a":
        link = nodes.Link(attributes["href"], children, title=attributes.get("title", ""))
        link.span = element.span
        return [link]
    if tag in _CODE_TAGS:
        content = _code(children)
        return [nodes.HtmlElement("code", attributes, children) if content is None else nodes.InlineCode(content)]
    return [element_of(tag, attributes, children)]


def _code(children: Sequence[nodes.Token]) -> str | None:
    strings = []
    for child in children:
        if isinstance(child, nodes.RawText | nodes.InlineCode):
            strings.append(child.content)
        elif isinstance(child, nodes.LineBreak) and child.soft:
            strings.append(" ")
        else:
            return None
    return "".join(strings)
