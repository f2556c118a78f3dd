"""Inlines as Markdown: bare, and with escapes only where the reader would find another tree.

Each text is written in ways of increasing caution until one is read as what it was. Then the escapes go that nothing
needs, by the character. A text is read some twenty times at most, a short one with tags more often, most never.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from mdpublish_core import nodes
from mdpublish_core.html import exact_tag
from mdpublish_core.nodes.tokens import seal
from mdpublish_core.readers.markdown.abbreviations import MARK
from mdpublish_core.readers.markdown.characters import unescape
from mdpublish_core.readers.markdown.keys import name_of_key
from mdpublish_core.readers.markdown.links import normalize_label
from mdpublish_core.readers.markdown.wikilinks import read_wikilink
from mdpublish_core.resources.urls import is_image_data_url, is_safe_url
from mdpublish_core.writers.markdown import escapes
from mdpublish_core.writers.markdown.rereading import Dialect
from mdpublish_core.writers.renderer import Renderer

BREAK = "\0n"
"""A line end; no text has NUL."""

COMMENT = "<!-- -->"
"""An empty comment of HTML: it is read as nothing, and what follows it is no longer part of what is before."""

_SPACED_BREAK = "\0h"
"""A line end after two spaces, for a hard break after a URL that would take in a backslash."""

SPACE = "\0w"
"""A space or a line end, where lines are wrapped."""

_EDGE = re.compile(r"(?:(?<=\0[nh])|^)[ \t]|[ \t](?=\0[nh]|$)")

_MAX_RELAXED_CHARACTERS = 20_000
"""Characters of a text in which only needed escapes are written; in a longer one, all have them."""

_KEY_SIGN = (nodes.RawText("+"),)

MARKS: Mapping[type[nodes.Token], tuple[str, str]] = {
    nodes.Emphasis: ("*", "em"),
    nodes.Strong: ("**", "strong"),
    nodes.Strikethrough: ("~~", "del"),
}
"""Their marks, and the elements of HTML that they are."""

_TAG_MARKS = {tag: mark for mark, tag in MARKS.values()} | {"code": "`"}

_FORCED = re.compile(
    r"<(?P<tag>strong|em|del|code)>(?P<inner>(?:(?!</?(?P=tag)>).)*)</(?P=tag)>|&#x[0-9a-f]+;|\\\\[!-/:-@\\[-`{-~]"
)
"""What a text has since characters are escaped wherever they stand."""

_MAX_REREAD_CHARACTERS = 80_000
"""Characters that are read again to find out which of these parts a text needs: the rest of them stay."""

_SCRIPTS = {
    "mark": ("==", "highlight"),
    "ins": ("^^", "insertions"),
    "sub": ("~", "sub-superscript"),
    "sup": ("^", "sub-superscript"),
}
"""Elements with marks, and the extensions that read them."""

_CLASSES = {"mark": "mark", "u": "underline", "kbd": "kbd", "span": "span"}


class InlineStyle(NamedTuple):
    """How cautiously a text is written."""

    escaped: frozenset[str] = frozenset()
    """Names of the characters that are escaped; `start` is for those at the beginning of lines."""

    is_alternating: bool = False
    """Whether emphasis at the end of other emphasis has the other mark."""

    is_forced: bool = False
    """Whether characters are escaped wherever they stand, and those beside emphasis are references."""

    has_tags: bool = False
    """Whether emphasis and the like are elements of HTML."""

    tag_levels: frozenset[int] = frozenset()
    """The levels of emphasis in the same emphasis that become HTML elements: 0, 1 or 2, which includes all below."""

    is_apart: bool = False
    """Whether comments keep the marks of emphasis beside and in emphasis apart."""

    has_break_tags: bool = False
    """Whether hard line breaks are elements of HTML, as one at the edge of emphasis must be."""

    has_comment: bool = False
    """Whether a comment ends the first line, so that it is no formula or tag that fills its line."""

    is_indented: bool = False
    """Whether lines after the first are indented, so that none begins a block."""


_TAG_LEVELS = [frozenset(levels) for levels in ([1, 2], [0], [0, 1], [1], [0, 2], [2])]

Check = Callable[[str], bool]
"""Whether a text is read as what it was."""


class InlineWriter(Renderer):
    """Writes the inlines of one document."""

    def __init__(self, dialect: Dialect) -> None:
        super().__init__()
        self._dialect = dialect
        self._style = InlineStyle()
        self._is_line = False
        self._is_wrapped = False
        self._in_brackets = self._in_word = 0
        self._marks: list[type[nodes.Token]] = []

    def write(self, tokens: Sequence[nodes.Token], check: Check, *, is_line: bool = False) -> tuple[str, bool]:
        """Return the text of a block, and whether it is read as it should; `is_line` if it has no line ends."""
        self._is_line = is_line
        bare = InlineStyle()
        written = self.styled_text(tokens, bare)
        if (all(map(self._is_plain, tokens)) and not self._dialect.has("fancy-lists")) or check(written):
            return written, True
        is_off = {name: not any(map(self._dialect.has, names.split())) for name, names in escapes.SPECIAL_WITH.items()}
        special = [name for name in escapes.SPECIAL if name in written and not is_off.get(name)]
        for style in self._styles(frozenset(["start", "#", "\\", *special])):
            written = self.styled_text(tokens, style)
            if check(written):
                written = self._relaxed(tokens, style, written, check)
                return _plainer(written, check) if style.is_forced else written, True
        return written, False

    def _styles(self, names: frozenset[str]) -> Iterator[InlineStyle]:
        yield InlineStyle(is_alternating=True)
        if "@" in names:
            yield InlineStyle(names - {"@"}, is_alternating=True)
        yield InlineStyle(names, is_alternating=True)
        forced = InlineStyle(names, is_alternating=True, is_forced=True)
        yield forced
        if self._dialect.writes_html:
            yield forced._replace(has_tags=True)
            yield forced._replace(has_break_tags=True)
            for levels in _TAG_LEVELS:
                yield forced._replace(tag_levels=levels, has_break_tags=True)
            yield forced._replace(is_apart=True, has_break_tags=True)
            yield InlineStyle(has_comment=True)
            yield InlineStyle(names, is_alternating=True, has_comment=True)
        if not self._is_line:
            yield InlineStyle(is_indented=True)
            yield forced._replace(is_indented=True)

    def wrapped(self, tokens: Sequence[nodes.Token], written: str) -> str:
        """Return what `write` just returned, with marks where its lines can end."""
        self._is_wrapped = True
        wrapped = self.styled_text(tokens, self._style)
        self._is_wrapped = False
        is_same = wrapped.replace(SPACE, " ").replace("\n", " ") == written.replace("\n", " ")
        return wrapped if is_same else written

    def styled_text(self, tokens: Sequence[nodes.Token], style: InlineStyle) -> str:
        self._style = style
        written = _EDGE.sub(lambda match: escapes.reference(match[0]), "".join(self._parts(tokens, "")))
        written = written.replace(_SPACED_BREAK, f"  {BREAK}")
        if self._is_line:
            return written
        lines = written.split(BREAK)
        if style.has_comment:
            lines[0] += COMMENT
        if "start" in style.escaped:
            lines = [escapes.escape_line_start(line) for line in lines]
            if self._dialect.has("definition-lists") or self._dialect.has("table-captions"):
                lines = [escapes.escape_mark(line) for line in lines]
            if self._dialect.has("fancy-lists"):
                lines = [escapes.escape_mark(line, is_item=True) for line in lines]
        elif self._dialect.has("admonitions"):
            lines = [escapes.escape_colons(line) for line in lines]
        return ("\n    " if style.is_indented else "\n").join(lines)

    def _is_plain(self, token: nodes.Token) -> bool:
        if isinstance(token, nodes.RawText):
            return escapes.is_plain(token.content)
        return isinstance(token, nodes.LineBreak) and token.soft and not (self._is_line or self._dialect.has("breaks"))

    def _relaxed(self, tokens: Sequence[nodes.Token], style: InlineStyle, written: str, check: Check) -> str:
        if len(written) <= _MAX_RELAXED_CHARACTERS:
            for name in sorted(style.escaped, reverse=True):
                less = style._replace(escaped=style.escaped - {name})
                shorter = self.styled_text(tokens, less)
                if shorter == written or check(shorter):
                    style, written = less, shorter
        self._style = style
        return written

    def _parts(self, tokens: Sequence[nodes.Token], outer: str) -> list[str]:
        """Return the parts of inlines; `outer` is the mark around them."""
        parts: list[str] = []
        previous: nodes.Token | None = None
        mark = ""
        skipped = 0
        for number, token in enumerate(tokens):
            if skipped:
                skipped, previous = skipped - 1, token
                continue
            following = tokens[number + 1] if number + 1 < len(tokens) else None
            if isinstance(token, nodes.RawText):
                parts.append(self._raw_text(token.content, previous, following, outer))
            elif isinstance(token, nodes.AutoLink):
                is_ended = isinstance(following, nodes.RawText) and _is_opening(following.content)
                is_apart = self._style.is_forced and self._dialect.writes_html and _is_bare(token) and not is_ended
                parts += [self.render_auto_link(token), COMMENT * is_apart]
            elif isinstance(token, nodes.LineBreak):
                parts.append(self._line_break(token, is_spaced=_is_spaced(previous, -1) or _is_spaced(following, 0)))
            elif names := self._keys_at(tokens, number):
                parts.append(f"++{'+'.join(names)}++")
                skipped = 2 * len(names) - 2
            elif type(token) in MARKS:
                joined = outer if _joins(token, outer, is_last=following is None, is_alone=len(tokens) == 1) else ""
                is_beside = type(previous) in MARKS
                mark = self._mark(token, joined + mark if is_beside else joined)
                parts += [COMMENT * (is_beside and self._style.is_apart), *self._marked(token, mark)]
            else:
                if isinstance(token, nodes.InlineCode) and isinstance(previous, nodes.InlineCode):
                    parts.append(COMMENT * self._dialect.writes_html)
                parts.append(self.inline_methods[type(token)](self, token))
            previous = token
        return parts

    def _keys_at(self, tokens: Sequence[nodes.Token], number: int) -> list[str]:
        """Return the names of the keys that begin with an inline, between which are signs."""
        names: list[str] = []
        while self._dialect.has("keys") and not self._style.has_tags and number < len(tokens):
            key = tokens[number]
            label = nodes.text_content(key)
            if key != nodes.HtmlElement("kbd", {}, [nodes.RawText(label)]) or '"' in label or "\n" in label:
                break
            names.append(name_of_key(label))
            if tokens[number + 1 : number + 2] != _KEY_SIGN:
                break
            number += 2
        return names

    def _raw_text(self, content: str, previous: nodes.Token | None, following: nodes.Token | None, outer: str) -> str:
        style = self._style
        first = last = ""
        if style.is_forced and _is_bare(previous) and _is_opening(content):
            # It ends the URL as it is, and a reference is no name of a tag.
            first, content = f"<{escapes.reference(content[1])}", content[2:]
        if style.is_forced and not style.has_tags and content:
            if (previous is not None and _has_marks(previous)) or (previous is None and outer and content[0].isspace()):
                first, content = escapes.reference(content[0]), content[1:]
            ends = (following is not None and _has_marks(following)) or (
                following is None and outer and content[-1:].isspace()
            )
            if content and ends:
                last, content = escapes.reference(content[-1]), content[:-1]
        # For other programs, a reference keeps no address from being a link. Beside a comment, outer spaces are lost.
        at = f"@{COMMENT}" if self._dialect.writes_html and not style.is_forced else escapes.reference("@")
        written = escapes.escape_text(
            content,
            style.escaped - {"start"} if self._is_line or following is None else style.escaped - {"start", "#"},
            is_forced=style.is_forced,
            has_html=self._dialect.writes_html,
            edges=(previous is None or isinstance(previous, nodes.LineBreak), isinstance(following, nodes.LineBreak)),
            at=at,
        )
        if self._in_word:
            written = re.sub(r"\s", lambda match: escapes.reference(match[0]), written)
        elif self._is_wrapped:
            written = re.sub("(?<! ) (?! )", SPACE, written)
        return first + written + last

    def _mark(self, token: nodes.Token, beside: str) -> str:
        mark, tag = MARKS[type(token)]
        if self._style.has_tags or self._is_nested(token):
            return tag
        if self._style.is_alternating and mark[0] in beside:
            return "~" if mark == "~~" else mark.replace("*", "_")
        return mark

    def _is_nested(self, token: nodes.Token) -> bool:
        kind = type(token)
        level = min(self._marks.count(kind), 2)
        return level in self._style.tag_levels and (
            level > 0 or any(type(each) is kind for child in token.children for each in nodes.walk(child))
        )

    def _marked(self, token: nodes.Token, mark: str) -> list[str]:
        self._marks.append(type(token))
        if mark == MARKS[type(token)][1]:
            parts = self._element(mark, {}, token.children)
        else:
            is_apart = self._style.is_apart and any(type(each) in MARKS for each in token.children[-1:])
            first = self._comment_at_break(token.children[:1])
            last = self._comment_at_break(token.children[-1:]) or COMMENT * is_apart
            parts = [mark, first, *self._parts(token.children, mark), last, mark]
        self._marks.pop()
        return parts

    def _comment_at_break(self, edge: Sequence[nodes.Token]) -> str:
        """Return what is between a mark and a line end, beside which no mark opens or closes."""
        is_soft = any(isinstance(token, nodes.LineBreak) and token.soft for token in edge)
        return COMMENT * (is_soft and self._dialect.writes_html)

    def _element(self, tag: str, attributes: Mapping[str, str], children: Sequence[nodes.Token]) -> list[str]:
        start, end = exact_tag(tag, attributes)
        return [start, *self._parts(children, ""), end]

    def _line_break(self, token: nodes.LineBreak, *, is_spaced: bool) -> str:
        if token.soft:
            return " " if self._is_line else SPACE if self._is_wrapped else BREAK
        # Spaces beside the element are dropped.
        if self._is_line or (self._style.has_break_tags and not is_spaced):
            return exact_tag("br", {}).markup
        if self._style.is_forced and not self._style.has_tags:
            return _SPACED_BREAK
        return BREAK if self._dialect.has("breaks") and "\\" not in self._style.escaped else f"\\{BREAK}"

    def render_inline_code(self, token: nodes.InlineCode) -> str:
        has_tags = self._style.has_tags and _fits_element(token.content)
        if self._dialect.writes_html and (has_tags or "\n" in token.content):
            start, end = exact_tag("code", {})
            return f"{start}{self._raw_text(token.content, None, None, '')}{end}"
        return escapes.code_span(token.content)

    def render_link(self, token: nodes.Link) -> str:
        if token.by_name and (written := _wikilink(token, self._dialect)):
            return written
        has_tag = self._style.has_tags and _fits_element(nodes.text_content(token))
        if has_tag and not token.by_name and is_read_from_tag(token.target):
            return "".join(self._element("a", link_attributes(token), token.children))
        return self._bracketed(token.children, token, token.target)

    def render_image(self, token: nodes.Image) -> str:
        if token.by_name and (written := _wikilink(token, self._dialect)):
            return written
        size, is_sized = self._size_of(token), bool(token.width or token.height)
        has_tag = self._style.has_tags and (is_sized or is_image_read_from_tag(token))
        has_tag = has_tag or (is_sized and not size)
        if has_tag and self._dialect.writes_html:
            return exact_tag("img", image_attributes(token)).markup
        if size[:1] == "|":
            return f"!{self._bracketed(token.children, token, token.src, size)}"
        return f"!{self._bracketed(token.children, token, token.src)}{size}"

    def _is_defined(self, token: nodes.HtmlElement) -> bool:
        definition = self._dialect.references.get(f"{MARK}{nodes.text_content(token)}")
        return definition is not None and token.attributes == {"title": definition.title}

    def _size_of(self, token: nodes.Image) -> str:
        """Return how a dialect writes the size, as `|300x200` or `{width=50%}`; empty where it has no size."""
        sizes = {name: size for name, size in (("width", token.width), ("height", token.height)) if size}
        if not sizes or not any(map(self._dialect.has, ("attributes", "image-sizes"))):
            return ""
        if "width" in sizes and "".join(sizes.values()).isdigit() and not self._dialect.has("attributes"):
            return f"|{'x'.join(sizes.values())}"
        return f"{{{' '.join(map('='.join, sizes.items()))}}}"

    def _bracketed(
        self, children: Sequence[nodes.Token], token: nodes.Link | nodes.Image, target: str, size: str = ""
    ) -> str:
        """Return a link, by the definition that it has in the source."""
        self._in_brackets += 1
        written = "".join(self._parts(children, "")) + size
        self._in_brackets -= 1
        name = normalize_label(token.reference)
        definition = self._dialect.references.get(name)
        if definition is None or definition[:2] != (target, token.title) or self._style.is_forced:
            return f"[{written}]{_target(target, token.title)}"
        if normalize_label(written) == name and not self._style.is_alternating:
            return f"[{written}]"
        return f"[{written}][{' '.join(token.reference.split())}]"

    def render_auto_link(self, token: nodes.AutoLink) -> str:
        is_linked = self._dialect.has("autolink") and not ({":", "@"} & self._style.escaped or self._in_brackets)
        if _is_bare(token):
            return token.content
        return token.content if is_linked and _BARE_URL.match(token.content) else f"<{token.content}>"

    def render_math_span(self, token: nodes.MathSpan) -> str:
        if "$" in self._style.escaped and token.delimiters == ("$", "$"):
            return f"$`{token.content}`$"
        # After some characters, an escaped parenthesis is none of a formula.
        is_forced = self._style.is_forced and not self._style.has_tags and self._dialect.writes_html
        is_apart = is_forced and token.source.startswith("\\")
        return f"{COMMENT}{token.source}" if is_apart else token.source

    def render_footnote_reference(self, token: nodes.FootnoteReference) -> str:
        return f"[^{token.label}]"

    def render_html_span(self, token: nodes.HtmlSpan) -> str:
        return token.content

    def render_inline_html_element(self, token: nodes.HtmlElement) -> str:
        if token.tag == "abbr" and self._is_defined(token):
            return "".join(self._parts(token.children, ""))
        mark, extension = _SCRIPTS.get(token.tag, ("", ""))
        is_marked = self._dialect.has(extension) and not token.attributes
        if is_marked and not (self._style.has_tags and self._dialect.writes_html):
            self._in_word += len(mark) == 1
            parts = [mark, *self._parts(token.children, mark), mark]
            self._in_word -= len(mark) == 1
            return "".join(parts)
        if not self._dialect.writes_html and token.tag in _CLASSES and self._dialect.has("attributes"):
            return "".join(["[", *self._parts(token.children, ""), f"]{{.{_CLASSES[token.tag]}}}"])
        return "".join(self._element(token.tag, token.attributes, token.children))


def _plainer(written: str, check: Check) -> str:
    """Return a text with marks for the tags, and characters for the references and escapes, that it does not need."""
    position = 0
    for _ in range(_MAX_REREAD_CHARACTERS // len(written)):
        if (match := _FORCED.search(written, position)) is None:
            break
        mark = _TAG_MARKS.get(match["tag"], "")
        plain = f"{mark}{match['inner']}{mark}" if mark else unescape(match[0])
        shorter = f"{written[: match.start()]}{plain}{written[match.end() :]}"
        if check(shorter):
            written = shorter
        else:
            position = match.start() + 1
    return written


def _fits_element(content: str) -> bool:
    """Whether an element has a text as it is: it loses spaces at its edges."""
    return content.strip(" ") == content


def _joins(token: nodes.Token, outer: str, *, is_last: bool, is_alone: bool) -> bool:
    """Whether emphasis has the marks around it beside its own; `***` is strong text in emphasized text."""
    if isinstance(token, nodes.Strong) and outer == "*" and is_alone:
        return False
    return is_last or outer == MARKS[type(token)][0]


def _has_marks(token: nodes.Token) -> bool:
    return type(token) in MARKS or (isinstance(token, nodes.HtmlElement) and token.tag in _SCRIPTS)


def _is_spaced(token: nodes.Token | None, edge: int) -> bool:
    """Whether text has a space at its beginning, 0, or its end, -1."""
    return isinstance(token, nodes.RawText) and token.content[edge:][:1].isspace()


def _is_bare(token: nodes.Token | None) -> bool:
    """Whether a link is a URL or an address that has no angle brackets."""
    return isinstance(token, nodes.AutoLink) and (
        (token.target != token.content and not token.target.startswith("mailto:"))
        or _BARE_ALONE.search(token.content) is not None
    )


def _is_opening(content: str) -> bool:
    """Whether text after a URL ends it by itself: no other character but white space does."""
    return content[:1] == "<" and len(content) > 1


_BARE_ALONE = re.compile(r"[\0-\x1f\x7f>]")
"""What no address in angle brackets has."""

_BARE_URL = re.compile(r"(?:https?|ftp)://|[\w.+-]+@|(?:mailto|xmpp):")


def _target(target: str, title: str) -> str:
    return (
        f"({escapes.destination(target)} {escapes.title_of(title)})"
        if title
        else f"({escapes.destination(target) if target else ''})"
    )


def is_read_from_tag(url: str) -> bool:
    """Whether the tag of a link or an image with this address is read as one."""
    return bool(url) and (is_safe_url(url) or is_image_data_url(url))


def is_image_read_from_tag(token: nodes.Image) -> bool:
    """Whether the tag of an image is read as the image: its alternative text has no marks."""
    return is_read_from_tag(token.src) and all(isinstance(child, nodes.RawText) for child in token.children)


def link_attributes(token: nodes.Link) -> dict[str, str]:
    return {"href": token.target, **({"title": token.title} if token.title else {})}


def image_attributes(token: nodes.Image) -> dict[str, str]:
    """Return the attributes of an image's element."""
    values: dict[str, str | None] = {
        "src": token.src,
        "alt": nodes.text_content(token),
        "title": token.title,
        "width": token.width,
        "height": token.height,
    }
    return {name: value or "" for name, value in values.items() if value or name == "src"}


def _wikilink(token: nodes.Link | nodes.Image, dialect: Dialect) -> str | None:
    """Return a link or an embed by name, or None if no name has its target."""
    is_embed = isinstance(token, nodes.Image)
    target = token.src if isinstance(token, nodes.Image) else token.target
    label = nodes.text_content(token)
    page, _, anchor = target.partition("#")
    name = page if "://" in page else page.replace("%3F", "?").replace("%25", "%")
    heading = label.removeprefix(f"{name} > " if name else "")
    size = ""
    if isinstance(token, nodes.Image) and token.width:
        size = f"|{token.width}x{token.height}" if token.height else f"|{token.width}"
    full = f"{name}#{anchor}" if anchor else name
    for inner in (f"{full}{size}", f"{name}#{heading.replace(' > ', '#')}", f"{full}|{label}{size}"):
        source = f"[[{inner}]]"
        read = read_wikilink(source, 0, is_embed=is_embed, has_block_ids=dialect.has("block-ids"))
        if read and read[2] == len(source) and read[1] == label and _is_same(read[0], token):
            return f"!{source}" if is_embed else source
    return None


def _is_same(read: nodes.Link | nodes.Image, token: nodes.Link | nodes.Image) -> bool:
    read.children = token.children
    seal(read)
    return read == token
