"""The inline scanner: a block's text in, inlines out, in linear time and without recursion.

It jumps from one special character to the next. What it finds goes into a flat list: pieces of text, finished tokens, runs
of delimiters, and where a token opens and closes. A run learns afterwards what its characters open and close; then one
walk over the list nests the tokens.

All that could make it slow is bounded or remembered: labels and parentheses are short (`links`), the places where code and
comments could end are looked up once, and for each kind of delimiter it is known how far down no opener is left.

The scanner is longer than other modules: its methods share the state of one text, and apart they would hide it.
Sources: CommonMark 0.31.2, "Inlines" and its parsing strategy; GitHub Flavored Markdown.
"""

import re
from bisect import bisect_left
from collections.abc import Container, Sequence
from functools import cache
from typing import cast

from mdpublish_core import nodes
from mdpublish_core.limits import LABEL_CHARACTERS
from mdpublish_core.parsing.autolinks import read_host_address, read_web_address, with_mail_addresses
from mdpublish_core.parsing.html_syntax import DECLARATION, DELIMITED, TAG
from mdpublish_core.parsing.links import (
    PLAIN_INLINE,
    Definition,
    References,
    normalised_label,
    read_inline,
    read_label,
)
from mdpublish_core.parsing.raw_html import is_filtered
from mdpublish_core.parsing.text import (
    ASCII_PUNCTUATION,
    ENTITY,
    OTHER,
    PUNCTUATION,
    SPACE,
    decoded_entity,
    kind_of,
)
from mdpublish_core.urls import holds_picture, is_safe_url

_SPECIAL = r"\n\\`*_\[\]<&"
_RUNS = {character: re.compile(re.escape(character) + "+") for character in "`*_~$"}
_TILDES = re.compile("~*")
_DOLLAR = re.compile(r"\\.|\$", re.DOTALL)
_URI = re.compile(r"<([A-Za-z][A-Za-z0-9+.-]{1,31}:[^<>\x00-\x20]*)>")
_MAIL = re.compile(
    r"<([a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?"
    r"(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*)>"
)


_SCHEME = re.compile(r"(?<![A-Za-z])(?:https?|ftp)$")

_LONGEST_SCHEME = 6
"""Characters of `https`, and one that must not be a letter."""

_SOFT_BREAK = nodes.LineBreak(soft=True)
_HARD_BREAK = nodes.LineBreak(soft=False)
"""Line breaks are all alike, and nothing changes a token of a finished tree."""


# What a text may hold beside what always has a meaning: tildes, dollars, web addresses with a scheme, and without.
_TILDE, _MATH, _SCHEMES, _HOSTS = 1, 2, 4, 8


@cache
def _special_pattern(held: int) -> re.Pattern[str]:
    """Return what stops the scanner: only what may mean something in a text that holds this."""
    characters = _SPECIAL + "~" * bool(held & _TILDE) + "$" * bool(held & _MATH) + ":" * bool(held & _SCHEMES)
    return re.compile(rf"[{characters}]|www\." if held & _HOSTS else f"[{characters}]")


class _Run:
    """A run of delimiters: how many characters are still text, and which tokens the others open and close."""

    __slots__ = (
        "can_close",
        "can_open",
        "character",
        "closes",
        "length",
        "next",
        "opens",
        "position",
        "previous",
        "rest",
    )

    def __init__(self, character: str, length: int, position: int, *, can_open: bool, can_close: bool) -> None:
        self.character = character
        self.length = self.rest = length
        self.position = position
        self.can_open = can_open
        self.can_close = can_close
        self.opens: list[_Wrapper] = []  # the innermost first
        self.closes = 0
        self.previous: _Run | None = None
        self.next: _Run | None = None

    def text(self) -> str:
        """Return the characters that open and close nothing."""
        return self.character * self.rest


class _Bracket:
    """An opening bracket: where it stands in the list and in the text, and the last run before it."""

    __slots__ = ("end", "followed", "index", "is_image", "run")

    def __init__(self, index: int, end: int, run: _Run | None, *, is_image: bool) -> None:
        self.index = index
        self.end = end
        self.run = run
        self.is_image = is_image
        self.followed = False  # by another bracket, so that its text is no label


class _Closing:
    """Where the innermost open link or picture closes."""

    __slots__ = ()


_CLOSING = _Closing()

_Wrapper = nodes.Emphasis | nodes.Strong | nodes.Strikethrough | nodes.Link | nodes.Image
_Item = str | nodes.Token | _Run | _Closing
"""What a flat list holds; a Link or an Image in it opens there, and what follows up to `_CLOSING` becomes its children."""


class InlineScanner:
    """Scans the texts of one document, which share reference definitions and footnotes.

    `footnotes` holds the normalised labels of the footnotes there are; `calls` gets what calls them, in order. `levels` is
    how many levels of inlines there were at most, `unsafe_urls` gets the addresses that will not be linked. `expansion` is
    how many characters of addresses and titles references may put into the document; past it they are text.
    """

    def __init__(
        self,
        extensions: frozenset[str],
        references: References,
        footnotes: Container[str],
        nesting: int,
        *,
        expansion: int,
        filters_tags: bool = False,
    ) -> None:
        self.calls: list[nodes.FootnoteReference] = []
        self.unsafe_urls: list[str] = []
        self.has_raw_html = False
        self.too_deep = False
        self.levels = 1
        self.references = references
        self.footnotes = footnotes
        self.filters_tags = filters_tags
        self.reads_footnotes = "footnote" in extensions
        self.reads_strikethrough = "strikethrough" in extensions
        self._nesting = nesting
        self._expansion = expansion
        self._math = "math" in extensions
        self._autolinks = "autolink" in extensions

    @property
    def too_many_references(self) -> bool:
        """Whether references have come to more than they may."""
        return self._expansion < 0

    def has_room_for(self, definition: Definition) -> bool:
        """Tell whether one more reference may stand for this, and count it."""
        self._expansion -= len(definition.target) + len(definition.title)
        return not self.too_many_references

    def scan(self, text: str) -> list[nodes.Token]:
        """Return the inlines of a text, whose lines begin without white space.

        Text whose inlines nest too deeply is returned as it stands, and `too_deep` is set.
        """
        held = 0
        mail = False
        if self.reads_strikethrough and "~" in text:
            held = _TILDE
        if self._math and "$" in text:
            held |= _MATH
        if self._autolinks:
            mail = "@" in text
            if "://" in text:
                held |= _SCHEMES
            if "www." in text:
                held |= _HOSTS
        pattern = _special_pattern(held)
        match = pattern.search(text)
        if match:
            tokens, levels = _nested(_TextScan(self, text, pattern).items(match), self._nesting, mail=mail)
            self.levels = max(self.levels, levels)
            return self._as_it_stands(text) if tokens is None else tokens
        tokens = []
        if text:
            _add_text(tokens, [text], mail=mail)
        return tokens

    def _as_it_stands(self, text: str) -> list[nodes.Token]:
        self.too_deep = True
        tokens: list[nodes.Token] = []
        for line in text.split("\n"):
            if tokens:
                tokens.append(_SOFT_BREAK)
            tokens.append(nodes.RawText(line))
        return tokens


def _nested(items: Sequence[_Item], nesting: int, *, mail: bool) -> tuple[list[nodes.Token] | None, int]:
    """Return the tokens that a flat list makes, and how many levels they have; None past `nesting` levels."""
    levels = 1
    tokens: list[nodes.Token] = []
    outer: list[tuple[list[nodes.Token], bool]] = []
    in_link = False
    texts: list[str] = []
    for item in items:
        kind = type(item)
        if kind is str:
            if item:
                texts.append(item)  # type: ignore[arg-type]
            continue
        opens: Sequence[_Wrapper] = ()
        if kind is _Run:
            run = cast("_Run", item)
            opens = run.opens
            if not opens and not run.closes:
                texts.append(run.text())
                continue
        if texts:
            if mail and not in_link:
                _add_text(tokens, texts, mail=True)
            else:
                tokens.append(nodes.RawText(texts[0] if len(texts) == 1 else "".join(texts)))
            texts = []
        if kind is _Run:
            for _ in range(run.closes):
                tokens, in_link = outer.pop()
            if run.rest:
                # Of a run that closes and opens, what is left of it stands in between.
                tokens.append(nodes.RawText(run.text()))
        elif kind is _Closing:
            tokens, in_link = outer.pop()
        elif kind is nodes.Link or kind is nodes.Image:
            opens = (cast("nodes.Link | nodes.Image", item),)
        else:
            tokens.append(item)  # type: ignore[arg-type]
        for token in reversed(opens):
            tokens.append(token)
            outer.append((tokens, in_link))
            if len(outer) >= levels:
                levels += 1
                if levels > nesting + 1:
                    return None, levels
            tokens = []
            token.children = tokens
            in_link = in_link or type(token) is nodes.Link
    if texts:
        _add_text(tokens, texts, mail=mail)
    return tokens, levels


def _add_text(tokens: list[nodes.Token], texts: Sequence[str], *, mail: bool) -> None:
    """Add pieces of text as one token, or as several where mail addresses stand in them."""
    text = texts[0] if len(texts) == 1 else "".join(texts)
    if mail and "@" in text:
        tokens += with_mail_addresses(text)
    else:
        tokens.append(nodes.RawText(text))


class _TextScan:
    """The scan of one text into a flat list of items."""

    # Defaults stand here, since most texts never change them.
    _inactive = 0  # brackets that can open no link any more: those before this one, which stood before a link
    _last_run: _Run | None = None
    _backticks: dict[int, list[int]] | None = None
    _dollars: list[int] | None = None
    _absent: frozenset[str] = frozenset()  # ends that come no more

    def __init__(self, scanner: InlineScanner, text: str, pattern: re.Pattern[str]) -> None:
        self._scanner = scanner
        self._text = text
        self._pattern = pattern
        self._items: list[_Item] = []
        self._brackets: list[_Bracket] = []

    def items(self, match: re.Match[str] | None) -> list[_Item]:
        """Return the items of the whole text, whose first special character is at `match`."""
        text = self._text
        append = self._items.append
        search = self._pattern.search
        position = 0
        while match:
            start = match.start()
            character = text[start]
            if character == "\n":
                piece = text[position:start]
                if piece.endswith("  "):
                    append(piece.rstrip(" "))
                    append(_HARD_BREAK)
                else:
                    append(piece.removesuffix(" "))
                    append(_SOFT_BREAK)
                position = start + 1
            else:
                if start > position:
                    append(text[position:start])
                if character == "[":
                    position = self._open_bracket(start, is_image=start > position and text[start - 1] == "!")
                elif character == "]":
                    position = self._close_bracket(start)
                elif character == "`":
                    position = self._code(start)
                elif character in "*_~":
                    position = self._add_run(character, start)
                elif character == "<":
                    position = self._angle(start)
                elif character == "\\":
                    position = self._backslash(start + 1)
                elif character == "&":
                    position = self._ampersand(start)
                elif character == "$":
                    position = self._dollar(start)
                elif character == ":":
                    position = self._scheme(start, position)
                else:
                    position = self._host(start)
            match = search(text, position)
        if position < len(text):
            append(text[position:])
        self._pair_runs(-1)
        return self._items

    def _backslash(self, end: int) -> int:
        following = self._text[end : end + 1]
        if following == "\n":
            self._items.append(_HARD_BREAK)
            return end + 1
        if following and following in ASCII_PUNCTUATION:
            self._items.append(following)
            return end + 1
        self._items.append("\\")
        return end

    def _ampersand(self, start: int) -> int:
        entity = ENTITY.match(self._text, start)
        self._items.append(decoded_entity(entity[0]) if entity else "&")
        return entity.end() if entity else start + 1

    def _run_end(self, character: str, start: int) -> int:
        """Return where the run of a character that begins at `start` ends."""
        if not self._text.startswith(character, start + 1):
            return start + 1
        run = _RUNS[character].match(self._text, start)
        assert run
        return run.end()

    def _code(self, start: int) -> int:
        """Read code up to the next run of as many backticks; without one, the backticks are text."""
        text = self._text
        end = self._run_end("`", start)
        marks = text[start:end]
        closing = -1 if marks in self._absent else text.find(marks, end)
        if closing >= 0 and text.startswith("`", closing + len(marks)):
            closing = self._run_of_backticks(len(marks), end)
        if closing < 0:
            self._absent |= {marks}
            self._items.append(marks)
            return end
        content = text[end:closing].replace("\n", " ")
        if content.startswith(" ") and content.endswith(" ") and content.strip(" "):
            content = content[1:-1]
        self._items.append(nodes.InlineCode(content))
        return closing + len(marks)

    def _run_of_backticks(self, length: int, start: int) -> int:
        """Return where the next run of exactly `length` backticks begins; -1 where none does."""
        if self._backticks is None:
            self._backticks = {}
            for run in _RUNS["`"].finditer(self._text):
                self._backticks.setdefault(run.end() - run.start(), []).append(run.start())
        runs = self._backticks.get(length, [])
        index = bisect_left(runs, start)
        return runs[index] if index < len(runs) else -1

    def _angle(self, start: int) -> int:
        """Read an autolink or raw HTML; a `<` that begins neither is text."""
        text = self._text
        if match := _URI.match(text, start):
            self._check_url(match[1])
            self._items.append(nodes.AutoLink(match[1]))
            return match.end()
        if match := _MAIL.match(text, start):
            self._items.append(nodes.AutoLink(match[1], target=f"mailto:{match[1]}"))
            return match.end()
        match = TAG.match(text, start)
        end = match.end() if match else self._end_of_markup(start)
        if end < 0:
            self._items.append("<")
            return start + 1
        html = text[start:end]
        if self._scanner.filters_tags and is_filtered(html):
            self._items.append(nodes.RawText(html))
        else:
            self._scanner.has_raw_html = True
            self._items.append(nodes.HtmlSpan(html))
        return end

    def _check_url(self, url: str) -> None:
        """Take note of an address that will not be linked."""
        if not is_safe_url(url):
            self._scanner.unsafe_urls.append(url)

    def _end_of_markup(self, start: int) -> int:
        """Return where a comment, instruction, declaration or CDATA section ends; -1 where none begins or it never ends."""
        text = self._text
        if text.startswith(("<!-->", "<!--->"), start):
            return text.index(">", start) + 1
        for beginning, closing in DELIMITED:
            if text.startswith(beginning, start):
                return self._find(closing, start + len(beginning))
        return self._find(">", start + 2) if DECLARATION.match(text, start) else -1

    def _find(self, closing: str, start: int) -> int:
        """Return where the next `closing` ends, or -1; what is absent once is absent from there on."""
        if closing in self._absent:
            return -1
        found = self._text.find(closing, start)
        if found < 0:
            self._absent |= {closing}
            return -1
        return found + len(closing)

    def _dollar(self, start: int) -> int:
        """Read math by GitHub's rules: no white space inside the dollars, and no digit behind them.

        Nor an element's end: two elements that each hold a dollar, as `code` often does, are no math.
        """
        text = self._text
        end = self._run_end("$", start)
        content, closing_end = "", -1
        if end - start == 2:
            closing_end = self._find("$$", end)
            content = text[end : closing_end - 2].strip(" \n")
        elif end - start == 1 and text.startswith("`", end):
            closing_end = self._find("`$", end + 1)
            content = text[end + 1 : closing_end - 2]
        elif end - start == 1:
            closing_end = self._next_dollar(end) + 1
            content = text[end : closing_end - 1]
            if closing_end and (
                content[:1].isspace()
                or content[-1:].isspace()
                or text[closing_end : closing_end + 1].isdigit()
                or "</" in content
            ):
                content = ""
        if closing_end <= 0 or not content:
            self._items.append(text[start:end])
            return end
        self._items.append(nodes.MathSpan(content, display=end - start == 2))
        return closing_end

    def _next_dollar(self, start: int) -> int:
        """Return where the next dollar stands that no backslash escapes; -1 where none does."""
        if self._dollars is None:
            self._dollars = [match.start() for match in _DOLLAR.finditer(self._text) if match[0] == "$"]
        index = bisect_left(self._dollars, start)
        return self._dollars[index] if index < len(self._dollars) else -1

    def _scheme(self, start: int, position: int) -> int:
        """Read a web address whose scheme ends at `start`, in the text since `position`."""
        text = self._text
        scheme = None
        if text.startswith("://", start) and not self._brackets:
            scheme = _SCHEME.search(text, max(position, start - _LONGEST_SCHEME), start)
        address = read_web_address(text, scheme.start(), start + 3, needs_dot=False) if scheme else None
        if address is None or scheme is None:
            self._items.append(":")
            return start + 1
        self._items[-1] = text[position : scheme.start()]
        self._items.append(address)
        return scheme.start() + len(address.content)

    def _host(self, start: int) -> int:
        """Read a web address that begins with `www.`."""
        address = None if self._brackets else read_host_address(self._text, start)
        self._items.append(address or "w")
        return start + (len(address.content) if address else 1)

    def _open_bracket(self, start: int, *, is_image: bool) -> int:
        brackets = self._brackets
        items = self._items
        if brackets:
            brackets[-1].followed = True
        if is_image:
            items[-1] = cast("str", items[-1])[:-1]
        brackets.append(_Bracket(len(items), start + 1, self._last_run, is_image=is_image))
        items.append("![" if is_image else "[")
        return start + 1

    def _close_bracket(self, start: int) -> int:
        """Read what a `]` closes: a link, an image, a call of a footnote, or nothing."""
        brackets = self._brackets
        if not brackets:
            self._items.append("]")
            return start + 1
        opening = brackets.pop()
        active = opening.is_image or len(brackets) >= self._inactive
        self._inactive = min(self._inactive, len(brackets))
        if not active:
            self._items.append("]")
            return start + 1
        found = self._link_behind(opening, start)
        if found is None:
            return self._footnote_call(opening, start)
        target, title, end = found
        token = nodes.Image(target, (), title=title) if opening.is_image else nodes.Link(target, (), title=title)
        if not (opening.is_image and holds_picture(target)):
            self._check_url(target)
        if self._last_run is not opening.run:
            self._pair_runs(opening.end)
            self._drop_runs_after(opening.run)
        self._items[opening.index] = token
        self._items.append(_CLOSING)
        if not opening.is_image:
            self._inactive = len(brackets)
        return end

    def _link_behind(self, opening: _Bracket, start: int) -> tuple[str, str, int] | None:
        """Return the target and title of the brackets that close at `start`, and where all of the link ends."""
        text = self._text
        end = start + 1
        if text.startswith("(", end):
            plain = PLAIN_INLINE.match(text, end)
            if plain:
                return plain[1], "", plain.end()
            # Where no parenthesis closes, there is no need to read on.
            inline = read_inline(text, end) if self._find(")", end) >= 0 else None
            if inline:
                return inline
        label = None
        if text.startswith("[", end):
            reference = read_label(text, end)
            if reference:
                label, end = reference
            elif text.startswith("]", end + 1):
                end += 2
        if label is None and not opening.followed and 0 < start - opening.end <= LABEL_CHARACTERS:
            label = text[opening.end : start]
        definition = self._scanner.references.get(normalised_label(label)) if label else None
        if definition is None or not self._scanner.has_room_for(definition):
            return None
        return definition.target, definition.title, end

    def _footnote_call(self, opening: _Bracket, start: int) -> int:
        """Read `[^label]`, which calls a footnote if there is one of this label, and else stands as it was written."""
        text = self._text
        label = text[opening.end + 1 : start] if text.startswith("^", opening.end) else ""
        if not label or "\n" in label or not self._scanner.reads_footnotes:
            self._items.append("]")
            return start + 1
        del self._items[opening.index :]
        self._drop_runs_after(opening.run)
        if opening.is_image:
            self._items.append("!")
        if normalised_label(label) in self._scanner.footnotes:
            call = nodes.FootnoteReference(label)
            self._scanner.calls.append(call)
            self._items.append(call)
        else:
            self._items.append(text[opening.end - 1 : start + 1])
        return start + 1

    def _add_run(self, character: str, start: int) -> int:
        """Add a run of delimiters, which what stands before and behind it allows to open or close."""
        text = self._text
        end = self._run_end(character, start)
        length = end - start
        first, last = start, end
        if character != "~" and self._scanner.reads_strikethrough:
            # As in cmark-gfm, tildes do not part the other delimiters from what is behind them.
            while first and text[first - 1] == "~":
                first -= 1
            last = _TILDES.match(text, end).end()  # type: ignore[union-attr]
        before = kind_of(text[first - 1]) if first else SPACE
        behind = kind_of(text[last]) if last < len(text) else SPACE
        opens = behind == OTHER or (behind == PUNCTUATION and before != OTHER)
        closes = before == OTHER or (before == PUNCTUATION and behind != OTHER)
        if character == "_":
            opens, closes = (
                opens and (not closes or before == PUNCTUATION),
                closes and (not opens or behind == PUNCTUATION),
            )
        if not (opens or closes) or (character == "~" and length > 2):
            self._items.append(text[start:end])
            return end
        run = _Run(character, length, start, can_open=opens, can_close=closes)
        run.previous = self._last_run
        if self._last_run:
            self._last_run.next = run
        self._last_run = run
        self._items.append(run)
        return end

    def _drop_runs_after(self, run: _Run | None) -> None:
        if run:
            run.next = None
        self._last_run = run

    def _pair_runs(self, bottom: int) -> None:
        """Pair the runs behind the text position `bottom`: the specification's "process emphasis"."""
        closer = self._last_run
        if closer is None or closer.position < bottom:
            return
        while closer.previous and closer.previous.position >= bottom:
            closer = closer.previous
        floors: dict[tuple[str, bool, int], int] = {}
        following: _Run | None = closer
        while following:
            closer = following
            if not closer.can_close:
                following = closer.next
                continue
            character = closer.character
            key = (character, closer.can_open, closer.length % 3)
            floor = max(bottom, floors.get(key, bottom))
            opener = closer.previous
            while opener and opener.position >= floor and not _match(opener, closer):
                opener = opener.previous
            if opener and opener.position >= floor:
                following = self._pair(opener, closer)
            else:
                floors[key] = closer.position
                following = closer.next
                if not closer.can_open:
                    self._unlink(closer)

    def _pair(self, opener: _Run, closer: _Run) -> _Run | None:
        """Make a token of what stands between two runs; return the run to go on with."""
        if closer.character == "~":
            used = closer.rest
            if opener.length != closer.length:
                # As in cmark-gfm, runs of different lengths spoil each other.
                opener.next = closer
                closer.previous = opener
                self._unlink(opener)
                self._unlink(closer)
                return closer.next
            opener.opens.append(nodes.Strikethrough(()))
        elif closer.rest >= 2 and opener.rest >= 2:
            used = 2
            opener.opens.append(nodes.Strong(()))
        else:
            used = 1
            opener.opens.append(nodes.Emphasis(()))
        opener.rest -= used
        closer.rest -= used
        closer.closes += 1
        opener.next = closer
        closer.previous = opener
        if not opener.rest:
            self._unlink(opener)
        if closer.rest:
            return closer
        self._unlink(closer)
        return closer.next

    def _unlink(self, run: _Run) -> None:
        if run.previous:
            run.previous.next = run.next
        if run.next:
            run.next.previous = run.previous
        else:
            self._last_run = run.previous


def _match(opener: _Run, closer: _Run) -> bool:
    """Tell whether one run may close the other; rules 9 and 10 of emphasis forbid some lengths."""
    if opener.character != closer.character or not opener.can_open:
        return False
    either = closer.can_open or opener.can_close
    return not (either and closer.length % 3 and (opener.length + closer.length) % 3 == 0)
