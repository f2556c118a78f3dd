"""The inlines of raw HTML: which elements are open, and the tokens that come of the text in and between them.

An element begins where its first text does, so that none is empty and white space stands outside; where it is open from
one paragraph to the next, or overlaps another, it is repeated, as browsers do. What stands between blocks is `raw_html`'s.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from mdpublish_core import nodes

_CARRIED = 16
"""Elements that stay open from one paragraph to the next; nobody opens five. Further ones end with theirs."""

_REPEATED = 100_000
"""Characters of tags that repeated elements may come to in one document; past it they end where they are. A link around
the badges of a README comes to 1,000; without a bound, a long address around short paragraphs makes gigabytes."""

_TAG_LENGTH = 20
"""Characters of an element's tags, for that account, without its attributes."""

_SPACE = re.compile(r"[ \t\n\f\r]+")

_CODE_TAGS = frozenset({"code", "tt"})

_STRESSES: Mapping[str, type[nodes.Emphasis] | type[nodes.Strong] | type[nodes.Strikethrough]] = {
    "b": nodes.Strong,
    "strong": nodes.Strong,
    "i": nodes.Emphasis,
    "em": nodes.Emphasis,
    "s": nodes.Strikethrough,
    "strike": nodes.Strikethrough,
    "del": nodes.Strikethrough,
}

Parent = nodes.Emphasis | nodes.Strong | nodes.Strikethrough | nodes.Link | nodes.Image
"""A token of Markdown's whose children are built anew."""


@dataclass(slots=True, eq=False)
class OpenElement:
    """An element that text may come to stand in; `position` is the number of frames it stands in, once it has text."""

    tag: str
    attributes: Mapping[str, str]
    paired: bool
    position: int = 0
    begun: bool = False


@dataclass(slots=True, eq=False)
class _Frame:
    """Where tokens are added: the children of a paragraph, an element, or a token of Markdown's."""

    owner: OpenElement | nodes.Token | None = None
    children: list[nodes.Token] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)

    def add(self, token: nodes.Token) -> None:
        if isinstance(token, nodes.RawText):
            self.texts.append(token.content)
        else:
            self.flush()
            self.children.append(token)

    def flush(self) -> None:
        """Make one token of the texts since the last."""
        if self.texts:
            self.children.append(nodes.RawText("".join(self.texts)))
            self.texts = []


class Inlines:
    """Builds the inlines of one paragraph after another; the elements that are open outlast them."""

    def __init__(self) -> None:
        self.open: list[OpenElement] = []
        self.floor = 0
        self.anchors: list[str] = []
        self.started = False
        self._frames = [_Frame()]
        self._begun = 0
        self._gap = ""
        self._breaks = 0
        self._links = 0
        self._repeated = 0

    @property
    def in_link(self) -> bool:
        """Whether text would stand in a link."""
        return self._links > 0 or any(element.tag == "a" for element in self.open)

    def text(self, text: str) -> None:
        """Add text; white space at its ends waits for what follows."""
        core = text.strip(" \t\n\f\r")
        if not core:
            self.space(text)
            return
        start = text.index(core[0])
        self.space(text[:start])
        self.add(nodes.RawText(core))
        self.space(text[start + len(core) :])

    def html_text(self, text: str) -> None:
        """Add text in which white space means as little as in HTML: a line's end is a soft one, all else one space."""
        for number, line in enumerate(text.split("\n")):
            if number:
                self.space("\n")
            self.text(_SPACE.sub(" ", line))

    def space(self, text: str) -> None:
        """Remember white space; it counts for nothing at a paragraph's ends, and twice as much as once."""
        if text and self.started and not self._breaks:
            self._gap = "\n" if "\n" in text or self._gap == "\n" else " "

    def hard_break(self) -> None:
        """End the line, unless none has begun."""
        if self.started:
            self._gap = ""
            self._breaks += 1

    def edge(self) -> None:
        """End the line where a block would begin or end, if it could stand here."""
        if not self._breaks:
            self.hard_break()

    def add(self, token: nodes.Token) -> None:
        """Add a token that readers see; dollars around code are no math."""
        self._begin()
        if isinstance(token, nodes.MathSpan) and any(element.tag in _CODE_TAGS for element in self.open):
            marks = "$$" if token.display else "$"
            token = nodes.RawText(f"{marks}{token.content}{marks}")
        self._frames[-1].add(token)

    def anchor(self, name: str) -> None:
        """Add a link's target: here, or where the next text begins. No target stands in a link."""
        if self.started and not self.in_link:
            self._frames[-1].add(_target(name))
        else:
            self.anchors.append(name)

    def start(self, element: OpenElement) -> None:
        """Open an element."""
        self.open.append(element)

    def end(self, tag: str) -> bool:
        """Close the innermost open element of this tag, if Markdown's boundaries let it be reached."""
        for index in range(len(self.open) - 1, self.floor - 1, -1):
            if self.open[index].tag == tag:
                if index < self._begun:
                    self._close_frames(self.open[index].position)
                    self._begun = index
                del self.open[index]
                return True
        return False

    def enter(self, token: Parent) -> int:
        """Begin the children of a token of Markdown's; what is open outside cannot be closed in it."""
        self._begin()
        self._links += isinstance(token, nodes.Link)
        self._frames.append(_Frame(token))
        floor, self.floor = self.floor, len(self.open)
        return floor

    def leave(self, token: Parent, floor: int) -> None:
        """End what `enter` began, and all that was opened since; `floor` is what it returned."""
        index = next(i for i in range(len(self._frames) - 1, -1, -1) if self._frames[i].owner is token)
        self._links -= isinstance(token, nodes.Link)
        self._close_frames(index)
        del self.open[self.floor :]
        self._begun = self.floor
        self.floor = floor

    def take_anchors(self) -> Sequence[nodes.Token]:
        """Return the targets that no text has come for."""
        names, self.anchors = self.anchors, []
        return [_target(name) for name in names]

    def finish(self) -> Sequence[nodes.Token]:
        """Return the inlines since the last call: none where they show nothing."""
        self._close_frames(1)
        self._begun = 0
        root = self._frames[0]
        if self.started and not self._links:
            self._place_anchors(root)
        root.flush()
        self._frames = [_Frame()]
        self._gap, self._breaks, self.started = "", 0, False
        self.open = [element for element in self.open if element.paired][:_CARRIED]
        return root.children

    def _begin(self) -> None:
        """Add what waited for a token that readers see: white space, targets, and elements that have no text yet."""
        top = self._frames[-1]
        if self._breaks:
            for _ in range(self._breaks):
                top.add(nodes.LineBreak(soft=False))
        elif self._gap:
            top.add(nodes.LineBreak(soft=True) if self._gap == "\n" else nodes.RawText(" "))
        self._gap, self._breaks, self.started = "", 0, True
        if self.anchors and not self._links and not any(element.tag == "a" for element in self.open[: self._begun]):
            self._place_anchors(top)
        for element in self.open[self._begun :]:
            element.position = len(self._frames)
            if self._may_begin(element):
                self._frames.append(_Frame(element))
        self._begun = len(self.open)

    def _may_begin(self, element: OpenElement) -> bool:
        if not element.begun:
            element.begun = True
            return True
        self._repeated += _TAG_LENGTH + sum(map(len, element.attributes.values()))
        return self._repeated <= _REPEATED

    def _place_anchors(self, frame: _Frame) -> None:
        for target in self.take_anchors():
            frame.add(target)

    def _close_frames(self, kept: int) -> None:
        """Make tokens of all frames but the outermost, and add each to the one around it."""
        while len(self._frames) > kept:
            frame = self._frames.pop()
            frame.flush()
            token = _token(frame)
            if token is not None:
                self._frames[-1].add(token)


def _target(name: str) -> nodes.HtmlElement:
    return nodes.HtmlElement("a", {"name": name}, [])


def _token(frame: _Frame) -> nodes.Token | None:
    """Return what a frame became; None where nothing stands in it."""
    owner, children = frame.owner, frame.children
    if isinstance(owner, OpenElement):
        return _element(owner, children) if children else None
    assert isinstance(owner, Parent)
    owner.children = children
    # A link or an image without a text is one that its author wrote so.
    return owner if children or isinstance(owner, nodes.Link | nodes.Image) else None


def _element(element: OpenElement, children: list[nodes.Token]) -> nodes.Token:
    """Return the token that an element means."""
    tag, attributes = element.tag, element.attributes
    if tag in _STRESSES:
        return _STRESSES[tag](children)
    if tag == "a":
        return nodes.Link(attributes["href"], children, title=attributes.get("title", ""))
    if tag in _CODE_TAGS:
        text = _code(children)
        return nodes.HtmlElement("code", attributes, children) if text is None else nodes.InlineCode(text)
    return nodes.HtmlElement(tag, attributes, children)


def _code(children: Sequence[nodes.Token]) -> str | None:
    """Return the text of inlines that are nothing but text."""
    texts = []
    for child in children:
        if isinstance(child, nodes.RawText | nodes.InlineCode):
            texts.append(child.content)
        elif isinstance(child, nodes.LineBreak) and child.soft:
            texts.append(" ")
        else:
            return None
    return "".join(texts)
