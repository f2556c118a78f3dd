"""Inline elements of raw HTML.

An element begins with its first text, so white space stays outside. Elements that overlap or continue in the next
paragraph are repeated, as in browsers.
"""

from collections.abc import Mapping, Sequence

from mdpublish_core import nodes
from mdpublish_core.lazy_patterns import compile_lazily
from mdpublish_core.positions import Span
from mdpublish_core.readers.markdown.characters import unescape
from mdpublish_core.resources.urls import is_safe_url, url_beside

_MAX_CARRIED_ELEMENTS = 16
"""Nobody opens five. Further ones end with their paragraph."""

MAX_REPEATED_CHARACTERS = 100_000
"""A link around a README's badges takes 1,000; without a limit, a long URL could fill gigabytes.
"""

_TAG_LENGTH = 20

_SPACE = compile_lazily(r"[ \t\n\f\r]+")

_CODE_TAGS = frozenset({"code", "tt"})

EMPHASIS_TYPES: Mapping[str, type[nodes.Emphasis] | type[nodes.Strong] | type[nodes.Strikethrough]] = {
    "b": nodes.Strong,
    "strong": nodes.Strong,
    "i": nodes.Emphasis,
    "em": nodes.Emphasis,
    "s": nodes.Strikethrough,
    "strike": nodes.Strikethrough,
    "del": nodes.Strikethrough,
}

Parent = nodes.Emphasis | nodes.Strong | nodes.Strikethrough | nodes.HtmlElement | nodes.Link | nodes.Image
"""The inline scanner's elements are `mark`, `sub` and `sup`."""


class OpenElement:
    """An open element; `position` is its number of enclosing frames."""

    __slots__ = ("attributes", "has_end_tag", "is_started", "position", "span", "tag")

    def __init__(self, tag: str, attributes: Mapping[str, str], *, has_end_tag: bool, span: Span | None = None) -> None:
        self.tag = tag
        self.attributes = attributes
        self.has_end_tag = has_end_tag
        self.position = 0
        self.span = span
        self.is_started = False

    @property
    def is_link(self) -> bool:
        return self.tag == "a" and is_safe_url(self.attributes["href"])


class _Frame:
    __slots__ = ("children", "owner", "strings")

    def __init__(self, owner: OpenElement | nodes.Token | None = None) -> None:
        self.owner = owner
        self.children: list[nodes.Token] = []
        self.strings: list[str] = []

    def add(self, token: nodes.Token) -> None:
        if isinstance(token, nodes.RawText):
            self.strings.append(token.content)
        else:
            self.flush()
            self.children.append(token)

    def flush(self) -> None:
        if self.strings:
            self.children.append(nodes.RawText("".join(self.strings)))
            self.strings = []


class InlineBuilder:
    """Builds the inlines of successive paragraphs; open elements carry over."""

    def __init__(self) -> None:
        self.open: list[OpenElement] = []
        self.floor = 0
        self.anchors: list[str] = []
        self.started = False
        self._frames = [_Frame()]
        self._placed_elements = 0
        self._pending_space = ""
        self._pending_breaks = 0
        self._links = 0
        self._repeated_characters = 0

    @property
    def in_link(self) -> bool:
        return self._links > 0 or any(element.is_link for element in self.open)

    def add_text(self, content: str) -> None:
        if not (core := content.strip(" \t\n\f\r")):
            self.add_space(content)
            return
        start = content.index(core[0])
        self.add_space(content[:start])
        self.add(nodes.RawText(core))
        self.add_space(content[start + len(core) :])

    def add_html_text(self, content: str) -> None:
        """Collapse white space: line ends to soft breaks, other runs to one space."""
        for number, line in enumerate(content.split("\n")):
            if number:
                self.add_space("\n")
            self.add_text(_SPACE.sub(" ", line))

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
        self._frames[-1].add(token)

    def add_anchor(self, name: str) -> None:
        """Add a link target here, or at the next text outside links."""
        if self.started and not self.in_link:
            self._frames[-1].add(_target(name))
        else:
            self.anchors.append(name)

    def start(self, element: OpenElement) -> None:
        self.open.append(element)

    def end(self, tag: str) -> bool:
        for index in range(len(self.open) - 1, self.floor - 1, -1):
            if self.open[index].tag == tag:
                if index < self._placed_elements:
                    self._close_frames(self.open[index].position)
                    self._placed_elements = index
                del self.open[index]
                return True
        return False

    def enter(self, token: Parent) -> int:
        """Begin a Markdown inline, in which outer elements cannot be closed."""
        self._flush_pending()
        self._links += isinstance(token, nodes.Link)
        self._frames.append(_Frame(token))
        floor, self.floor = self.floor, len(self.open)
        return floor

    def leave(self, token: Parent, floor: int) -> None:
        index = next(i for i in range(len(self._frames) - 1, -1, -1) if self._frames[i].owner is token)
        self._links -= isinstance(token, nodes.Link)
        self._close_frames(index)
        del self.open[self.floor :]
        self._placed_elements = self.floor
        self.floor = floor
        if not _is_shown(token):
            self._unplace()

    def take_anchors(self) -> Sequence[nodes.Token]:
        names, self.anchors = self.anchors, []
        return [_target(name) for name in names]

    def finish(self) -> Sequence[nodes.Token]:
        """Return the inlines since the last `finish`; none if nothing is visible."""
        self._close_frames(1)
        self._placed_elements = 0
        root = self._frames[0]
        if self.started and not self._links:
            self._add_anchors(root)
        root.flush()
        self._frames = [_Frame()]
        self._pending_space, self._pending_breaks, self.started = "", 0, False
        self.open = [element for element in self.open if element.has_end_tag][:_MAX_CARRIED_ELEMENTS]
        return root.children

    def _flush_pending(self) -> None:
        top = self._frames[-1]
        if self._pending_breaks:
            # Nothing is before the first break of a paragraph, in emphasis neither.
            has_text = any(frame.children or frame.strings for frame in self._frames)
            for _ in range(self._pending_breaks if has_text else 0):
                top.add(nodes.LineBreak(soft=False))
        elif self._pending_space:
            top.add(nodes.LineBreak(soft=True) if self._pending_space == "\n" else nodes.RawText(" "))
        self._pending_space, self._pending_breaks, self.started = "", 0, True
        if (
            self.anchors
            and not self._links
            and not any(element.is_link for element in self.open[: self._placed_elements])
        ):
            self._add_anchors(top)
        for element in self.open[self._placed_elements :]:
            element.position = len(self._frames)
            if self._may_begin(element):
                self._frames.append(_Frame(element))
        self._placed_elements = len(self.open)

    def _may_begin(self, element: OpenElement) -> bool:
        if not element.is_started:
            element.is_started = True
            return True
        self._repeated_characters += _TAG_LENGTH + sum(map(len, element.attributes.values()))
        return self._repeated_characters <= MAX_REPEATED_CHARACTERS

    def _add_anchors(self, frame: _Frame) -> None:
        for target in self.take_anchors():
            frame.add(target)

    def _close_frames(self, size: int) -> None:
        while len(self._frames) > size:
            frame, parent = self._frames.pop(), self._frames[-1]
            frame.flush()
            if (token := _token(frame)) is not None:
                parent.add(token)

    def _unplace(self) -> None:
        """Let elements, spaces and breaks before what shows nothing wait for what comes next."""
        top = self._frames[-1]
        while not (top.children or top.strings) and isinstance(top.owner, OpenElement):
            self._frames.pop()
            self._placed_elements = self.open.index(top.owner)
            top.owner.is_started = False
            top = self._frames[-1]
        if top.strings and top.strings[-1] == " ":
            top.strings.pop()
            self._pending_space = self._pending_space or " "
        while not top.strings and top.children and isinstance(last := top.children[-1], nodes.LineBreak):
            top.children.pop()
            if last.soft:
                self._pending_space = "\n"
            else:
                self._pending_breaks += 1
        self.started = any(frame.children or frame.strings for frame in self._frames)


def _target(name: str) -> nodes.HtmlElement:
    return nodes.HtmlElement("a", {"name": name}, [])


def _token(frame: _Frame) -> nodes.Token | None:
    owner, children = frame.owner, frame.children
    if isinstance(owner, OpenElement):
        return _element(owner, children) if children else None
    assert isinstance(owner, Parent)
    owner.children = children
    return owner if _is_shown(owner) else None


def _is_shown(token: Parent) -> bool:
    return bool(token.children) or isinstance(token, nodes.Link | nodes.Image)


def _element(element: OpenElement, children: list[nodes.Token]) -> nodes.Token:
    tag, attributes = element.tag, element.attributes
    if tag in EMPHASIS_TYPES:
        return EMPHASIS_TYPES[tag](children)
    if tag == "a" and not element.is_link:
        beside = url_beside("".join(map(nodes.text_content, children)), attributes["href"])
        last = children[-1]
        if isinstance(last, nodes.RawText):
            children, beside = children[:-1], last.content + beside
        return nodes.HtmlElement("span", {}, [*children, nodes.RawText(beside)])
    if tag == "a":
        link = nodes.Link(attributes["href"], children, title=attributes.get("title", ""))
        link.span = element.span
        return link
    if tag in _CODE_TAGS:
        content = _code(children)
        return nodes.HtmlElement("code", attributes, children) if content is None else nodes.InlineCode(content)
    return nodes.HtmlElement(tag, attributes, children)


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
