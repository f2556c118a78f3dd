"""The inline scanner: a block's text to inlines, in linear time and without recursion.

It jumps from one special character to the next and collects a flat list: text, finished tokens, delimiter runs,
starts and ends of links. Then it pairs the runs, and one pass nests the tokens.

It is linear because labels and parentheses are bounded (`links`), failed searches for ends of code and comments are
cached, and each kind of delimiter remembers below which position it has no opener.

The module is long because its methods share the state of one text. Sources: CommonMark 0.31.2, "Inlines" and its
parsing strategy; GitHub Flavored Markdown.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Container, Mapping, Sequence
from functools import cache
from itertools import groupby
from types import UnionType
from typing import cast

from mdpublish_core.data_files import read_table
from mdpublish_core.nodes import open_nodes as nodes
from mdpublish_core.notices import MAX_UNCLOSED_NOTICES
from mdpublish_core.options.budget import INLINE_STEPS, Budget
from mdpublish_core.options.limits import MAX_LABEL_CHARACTERS
from mdpublish_core.readers.markdown.attributes import (
    Attributes,
    read_attributes,
    read_sized_target,
    resize,
    size_in_alt,
)
from mdpublish_core.readers.markdown.autolinks import link_emails, read_url_link, read_www_link
from mdpublish_core.readers.markdown.characters import (
    ASCII_PUNCTUATION,
    ENTITY,
    OTHER,
    PUNCTUATION,
    SPACE,
    character_class,
    decode_entity,
)
from mdpublish_core.readers.markdown.cjk import ends_with_cjk, is_cjk, is_variation_selector
from mdpublish_core.readers.markdown.emoji import read_emoji
from mdpublish_core.readers.markdown.html_syntax import DECLARATION, DELIMITED, SHORT_COMMENTS, TAG, is_known_markup
from mdpublish_core.readers.markdown.links import (
    PLAIN_INLINE,
    Definition,
    References,
    normalize_label,
    read_inline,
    read_label,
)
from mdpublish_core.readers.markdown.options import ReaderOptions
from mdpublish_core.readers.markdown.raw_html import is_disallowed_tag
from mdpublish_core.readers.markdown.slips import SIGNS, ends_bold
from mdpublish_core.readers.markdown.unread import MAX_UNREAD, Unread, read_brackets
from mdpublish_core.resources.urls import is_image_data_url, is_safe_url
from mdpublish_core.strings.lazy_patterns import compile_lazily
from mdpublish_core.strings.positions import Span

_SPECIAL = r"\n\\`*_\[\]<&"
_RUNS = {character: compile_lazily(re.escape(character) + "+") for character in "`*_~$=^+"}
_TILDES = compile_lazily("~*")
_DOLLAR = compile_lazily(r"\\.|\$", re.DOTALL)
_ESCAPE_IN_TEX = compile_lazily(r"\\[^A-Za-z]")
_ARGUMENT_IN_TEX = compile_lazily(r"\\[A-Za-z]+\{")
_MAX_DOLLARS_IN_MATH = 10
_REFERENCE = compile_lazily(r"(?:eq)?ref\{[^{}\s`$]{1,100}\}")
_TO_PARENTHESIS = compile_lazily(r"(?:[^\\]|\\[^()])*+\\([()])")
_AMOUNT_CHARACTERS = " 0123456789.,-\u2013/"
_BETWEEN_VARIABLES = frozenset("-/:.,@+")
_WHITE_SPACE = compile_lazily(r"(?<!\\)\s")
"""What ends a superscript or subscript."""
_URI = compile_lazily(r"<([A-Za-z][A-Za-z0-9+.-]{1,31}:[^<>\x00-\x20]*)>")
_EMAIL = compile_lazily(
    r"<([a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?"
    r"(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*)>"
)


_SCHEME = compile_lazily(r"(?<![A-Za-z])(?:https?|ftp)$")

_MAX_SCHEME_CHARACTERS = 6
"""`https`, and a preceding character that must not be a letter."""

_SOFT_BREAK = nodes.LineBreak(soft=True)
_HARD_BREAK = nodes.LineBreak(soft=False)

_ELEMENTS = {"==": "mark", "~": "sub", "^": "sup", "^^": "ins", "++": "ins"}

_CRITIC = compile_lazily(r"\{(\+\+|--|==|>>|~~)([^{}]*?)(?:~>([^{}]*?))?(?:\+\+|--|==|<<|~~)\}")
_TAGS_OF_CRITIC = {"++": "ins", "--": "del", "==": "mark", "~~": "del"}
"""Source: CriticMarkup, "Basic Syntax"."""

_LANGUAGE_OF_CODE = compile_lazily(r"^(?:#!|:::)[\w+#.-]+[ ]+")
"""Source: PyMdown Extensions, "InlineHilite"."""
_EXAMPLE = compile_lazily(r"\(@([\w-]+)\)")
_LAST_SPACES = compile_lazily(r"[ \t]*\Z")
_BLOCK_ID = compile_lazily(r"\^([A-Za-z0-9-]{1,100})[ \t]*\Z")

_TAGS_OF_CLASSES = {"mark": "mark", "underline": "u", "ul": "u", "kbd": "kbd"}
_SIZES = frozenset({"width", "height"})

# Operators, not highlights: `len(x)==1`, `"=="`.
_BEFORE_OPERATORS = frozenset(")]}")
_NAMED_OPERATORS = frozenset({'""', "''", "()", "[]", "“”", "\u2018\u2019"})


_OPTIONAL = [
    (pattern, mark, frozenset(names.split())) for pattern, mark, names in read_table(__file__, "optional_marks.tsv")
]
"""What is special in a text that has a mark, with one of some extensions."""


@cache
def _special_pattern(held: int) -> re.Pattern[str]:
    optional = dict.fromkeys(pattern for index, (pattern, _, _) in enumerate(_OPTIONAL) if held >> index & 1)
    return re.compile("|".join((f"[{_SPECIAL}]", *optional)))


class _DelimiterRun:
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
        "word",
    )

    def __init__(
        self, character: str, length: int, position: int, *, can_open: bool, can_close: bool, word: int = 0
    ) -> None:
        self.character = character
        self.length = self.rest = length
        self.position = position
        self.can_open = can_open
        self.can_close = can_close
        self.word = word  # of a superscript or subscript, which has no white space
        self.opens: list[_Wrapper] = []  # innermost first
        self.closes = 0
        self.previous: _DelimiterRun | None = None
        self.next: _DelimiterRun | None = None

    def literal(self) -> str:
        return self.character * self.rest


class _Bracket:
    __slots__ = ("end", "followed", "index", "is_image", "is_note", "run")

    def __init__(
        self, index: int, end: int, run: _DelimiterRun | None, *, is_image: bool = False, is_note: bool = False
    ) -> None:
        self.index = index
        self.end = end
        self.run = run
        self.is_image = is_image
        self.is_note = is_note
        self.followed = False  # by another bracket, so its text is no label


class _Closing:
    """Ends the innermost open link or image."""

    __slots__ = ()


_CLOSING = _Closing()

_Wrapper = nodes.Emphasis | nodes.Strong | nodes.Strikethrough | nodes.HtmlElement | nodes.Link | nodes.Image
_Item = str | nodes.Token | _DelimiterRun | _Closing
"""A Link or Image opens at its position; items up to `_CLOSING` become its children."""


class InlineScanner:
    """Scans the texts of one document, which share reference definitions and footnotes.

    `expansion` limits the characters of URLs and titles that references add; later references stay text. `unsafe_urls`
    collects URLs that will not be linked, `unclosed` marks of comments and the like that never end, each with its
    place, `unread` what was meant as more than text, `slips` pairs of marks that are not read as meant. `inline_notes`
    are footnotes whose text stands at their reference, with their paragraph and its place. `position` is the text's.
    """

    def __init__(
        self,
        options: ReaderOptions,
        references: References,
        footnotes: Container[str],
        *,
        budget: Budget,
        expansion: int,
    ) -> None:
        extensions = options.extensions
        self._budget = budget
        self.footnote_references: list[nodes.FootnoteReference] = []
        self.examples: Mapping[str, int] = {}
        self.comments: list[str] = []
        self.inline_notes: list[tuple[nodes.FootnoteDefinition, nodes.Paragraph, int]] = []
        self.unread: dict[Unread, tuple[Span, int]] = {}
        self.slips: list[tuple[Unread, Span]] = []
        self.unsafe_urls: list[tuple[str, Span]] = []
        self.unclosed: list[tuple[str, Span]] = []
        self.unclosed_left = MAX_UNCLOSED_NOTICES
        self.position = 0
        self.has_raw_html = False
        self.too_deep = False
        self.levels = 1
        self.references = references
        self.footnotes = footnotes
        self.filters_tags = options.filters_tags
        self.shows_unknown_tags = options.shows_unknown_tags
        self.reads_footnotes = "footnote" in extensions
        self.reads_strikethrough = "strikethrough" in extensions
        self.reads_cjk_emphasis = "cjk-emphasis" in extensions
        self.reads_scripts = "sub-superscript" in extensions
        self.reads_emoji = "emoji" in extensions
        self.max_depth = options.limits.max_depth
        self._expansion = expansion
        self.too_many_references = False
        self.line_break = _HARD_BREAK if "breaks" in extensions else _SOFT_BREAK
        self.reads_math = "math" in extensions
        self.reads_wikilinks = "wikilinks" in extensions
        self.reads_inline_notes = "inline-notes" in extensions
        self._inline_note_number = 0
        self._optional = [
            (1 << index, mark) for index, (_, mark, names) in enumerate(_OPTIONAL) if not names.isdisjoint(extensions)
        ]
        self.reads_autolinks = "autolink" in extensions
        self.extensions = extensions
        self.reads_sizes = not extensions.isdisjoint(("image-sizes", "wikilinks"))

    def has_room_for(self, definition: Definition) -> bool:
        self._expansion -= len(definition.target) + len(definition.title)
        self.too_many_references = self._expansion < 0
        return not self.too_many_references

    def scan(self, source: str) -> list[nodes.Token]:
        """Return the inlines of a text; if they nest too deeply, it stays unparsed and `too_deep` is set.

        Past the budget, it stays unparsed too.
        """
        if self._budget.left < 0:
            return _as_literal(source)
        pattern, mail = self._pattern_for(source)
        if match := pattern.search(source):
            items = _InlineScan(self, source, pattern).items(match)
            if not self._budget.try_spend(INLINE_STEPS * len(items)):
                return _as_literal(source)
            tokens, levels = _nest(items, self.max_depth, mail=mail)
            self.levels = max(self.levels, levels)
            self.too_deep = tokens is None
            return _as_literal(source) if tokens is None else tokens
        if not source:
            return []
        self._budget.try_spend(INLINE_STEPS)
        return list(link_emails(source)) if mail else [nodes.RawText(source)]

    def verbatim_spans(self, row: str) -> tuple[list[Span], list[Span]]:
        """Return where a row of a table has code, and where it has formulas, as if it were one text."""
        return self._spans(row, nodes.MathSpan)

    def literal_spans(self, source: str) -> list[Span]:
        """Return where a text has code, formulas and raw HTML."""
        code, other = self._spans(source, nodes.MathSpan | nodes.HtmlSpan)
        return code + other

    def _spans(self, source: str, kind: type | UnionType) -> tuple[list[Span], list[Span]]:
        pattern, _ = self._pattern_for(source)
        if not (match := pattern.search(source)):
            return [], []
        scan = _InlineScan(self, source, pattern)
        code = scan.code_spans = []
        items = scan.items(match)
        self._budget.try_spend(INLINE_STEPS * len(items))
        with_span = [item for item in items if isinstance(item, nodes.MathSpan | nodes.HtmlSpan)]
        return code, [item.span for item in with_span if isinstance(item, kind) and item.span]

    def add_inline_note(self, children: Sequence[nodes.Token], start: int) -> nodes.FootnoteReference:
        """Add a footnote with a label of its own, and return its reference."""
        label = ""
        while not label or label in self.footnotes:
            self._inline_note_number += 1
            label = f"note-{self._inline_note_number}"
        paragraph = nodes.Paragraph(children)
        self.inline_notes.append((nodes.FootnoteDefinition(label, [paragraph]), paragraph, self.position + start))
        reference = nodes.FootnoteReference(label)
        self.footnote_references.append(reference)
        return reference

    def _pattern_for(self, source: str) -> tuple[re.Pattern[str], bool]:
        """Return the pattern of what is special in a text, and whether it may have email addresses."""
        mail = self.reads_autolinks and "@" in source
        held = 0
        for bit, mark in self._optional:
            if mark in source:
                held |= bit
        return _special_pattern(held), mail


def _trimmed(tokens: Sequence[nodes.Token]) -> Sequence[nodes.Token]:
    """Return inlines without the white space at their ends."""
    trimmed = list(tokens)
    for end in (0, -1):
        while trimmed and isinstance(trimmed[end], nodes.LineBreak):
            del trimmed[end]
        if trimmed and isinstance(token := trimmed[end], nodes.RawText):
            token.content = token.content.rstrip(" \t") if end else token.content.lstrip(" \t")
            if not token.content:
                del trimmed[end]
    return trimmed


def _as_literal(source: str) -> list[nodes.Token]:
    tokens: list[nodes.Token] = []
    for line in source.split("\n"):
        if tokens:
            tokens.append(_SOFT_BREAK)
        tokens.append(nodes.RawText(line))
    return tokens


def _nest(items: Sequence[_Item], max_depth: int, *, mail: bool) -> tuple[list[nodes.Token] | None, int]:
    """Return the tokens of a flat list and their levels; None past `max_depth`."""
    levels = 1
    tokens: list[nodes.Token] = []
    outer: list[tuple[list[nodes.Token], bool]] = []
    in_link = False
    strings: list[str | nodes.RawText] = []
    for item in items:
        kind = type(item)
        if kind is str or kind is nodes.RawText:
            if item:
                strings.append(item)  # type: ignore[arg-type]
            continue
        opens: Sequence[_Wrapper] = ()
        if kind is _DelimiterRun:
            run = cast("_DelimiterRun", item)
            opens = run.opens
            if run.rest and not run.closes:
                strings.append(run.literal())
            if not opens and not run.closes:
                continue
        if strings:
            _add_text(tokens, strings, mail=mail and not in_link)
            strings = []
        if kind is _DelimiterRun:
            for _ in range(run.closes):
                tokens, in_link = outer.pop()
            if run.rest and run.closes:
                # The unused part of a run that closes and opens comes between the two.
                strings.append(run.literal())
                if opens:
                    _add_text(tokens, strings, mail=False)
                    strings = []
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
                if levels > max_depth + 1:
                    return None, levels
            tokens = []
            token.children = tokens
            in_link = in_link or type(token) is nodes.Link
    if strings:
        _add_text(tokens, strings, mail=mail)
    return tokens, levels


def _add_text(tokens: list[nodes.Token], pieces: Sequence[str | nodes.RawText], *, mail: bool) -> None:
    """Add text as one node, but for email addresses; a piece that is a node has none."""
    first = pieces[0]
    if len(pieces) == 1 and isinstance(first, str) and not (mail and "@" in first):
        tokens.append(nodes.RawText(first))
        return
    joined: list[str] = []
    for is_linked, run in groupby(pieces, key=lambda piece: mail and type(piece) is str):
        source = "".join([piece.content if isinstance(piece, nodes.RawText) else piece for piece in run])
        for token in link_emails(source) if is_linked and "@" in source else [nodes.RawText(source)]:
            if isinstance(token, nodes.RawText):
                joined.append(token.content)
                continue
            if joined:
                tokens.append(nodes.RawText("".join(joined)))
                joined = []
            tokens.append(token)
    if joined:
        tokens.append(nodes.RawText("".join(joined)))


class _InlineScan:
    _inactive = 0  # brackets before a link, which cannot open another
    _last_run: _DelimiterRun | None = None
    _last_closed: nodes.Image | None = None
    _backticks: dict[int, list[int]] | None = None
    _dollars: list[int] | None = None
    _spaces: list[int] | None = None
    code_spans: list[Span] | None = None  # if they are asked for
    _absent: frozenset[str] = frozenset()  # closing delimiters that do not follow
    _has_glued_bold = False

    def __init__(self, scanner: InlineScanner, source: str, pattern: re.Pattern[str]) -> None:
        self._scanner = scanner
        self._source = source
        self._pattern = pattern
        self._items: list[_Item] = []
        self._brackets: list[_Bracket] = []

    def items(self, match: re.Match[str] | None) -> list[_Item]:
        source = self._source
        append = self._items.append
        search = self._pattern.search
        line_break = self._scanner.line_break
        position = 0
        while match:
            start = match.start()
            character = source[start]
            if character == "\n":
                piece = source[position:start]
                if piece.endswith("  "):
                    append(piece.rstrip(" "))
                    append(_HARD_BREAK)
                else:
                    append(piece.removesuffix(" "))
                    append(line_break)
                position = start + 1
            else:
                if start > position:
                    append(source[position:start])
                if character == "[":
                    position = self._open_bracket(start, is_image=start > position and source[start - 1] == "!")
                elif character == "]":
                    position = self._close_bracket(start)
                elif character == "`":
                    position = self._code(start)
                elif character in "*_~=":
                    position = self._add_run(character, start)
                elif character == "\\":
                    position = self._backslash(start + 1)
                elif character == ":":
                    position = self._colon(start, position)
                else:
                    position = _METHODS[character](self, start)
            match = search(source, position)
        if position < len(source):
            append(source[position:])
        self._pair_runs(-1)
        if self._has_glued_bold:
            self._note_glued_bold()
        return self._items

    def _backslash(self, end: int) -> int:
        following = self._source[end : end + 1]
        if following == "\n":
            self._items.append(_HARD_BREAK)
            return end + 1
        if following and following in ASCII_PUNCTUATION:
            if following == "(" and self._scanner.reads_math:
                return self._parenthesis(end + 1)
            self._items.append(following)
            return end + 1
        if following == " " and self._scanner.reads_scripts:
            self._items.append("\u00a0")
            return end + 1
        if self._scanner.reads_math and following in {"e", "r"} and (reference := _REFERENCE.match(self._source, end)):
            formula = nodes.MathSpan(f"\\{reference[0]}", delimiters=("", ""))
            self._add_with_span(formula, end - 1, reference.end())
            return reference.end()
        self._items.append("\\")
        return end

    def ampersand(self, start: int) -> int:
        entity = ENTITY.match(self._source, start)
        self._items.append(decode_entity(entity[0]) if entity else "&")
        return entity.end() if entity else start + 1

    def _run_end(self, character: str, start: int) -> int:
        if not self._source.startswith(character, start + 1):
            return start + 1
        run = _RUNS[character].match(self._source, start)
        assert run
        return run.end()

    def _code(self, start: int) -> int:
        source = self._source
        end = self._run_end("`", start)
        marks = source[start:end]
        closing = -1 if marks in self._absent else source.find(marks, end)
        if closing >= 0 and source.startswith("`", closing + len(marks)):
            closing = self._run_of_backticks(len(marks), end)
        if closing < 0:
            self._absent |= {marks}
            self._items.append(marks)
            return end
        content = source[end:closing].replace("\n", " ")
        if content.startswith(" ") and content.endswith(" ") and content.strip(" "):
            content = content[1:-1]
        if content.startswith(("#!", ":::")) and "fence-titles" in self._scanner.extensions:
            content = _LANGUAGE_OF_CODE.sub("", content)
        self._items.append(nodes.InlineCode(content))
        if self.code_spans is not None:
            self.code_spans.append((start, closing + len(marks)))
        return closing + len(marks)

    def _run_of_backticks(self, length: int, start: int) -> int:
        if self._backticks is None:
            self._backticks = {}
            for run in _RUNS["`"].finditer(self._source):
                self._backticks.setdefault(run.end() - run.start(), []).append(run.start())
        runs = self._backticks.get(length, [])
        index = bisect_left(runs, start)
        return runs[index] if index < len(runs) else -1

    def angle(self, start: int) -> int:
        source = self._source
        if match := _URI.match(source, start):
            self._check_url(match[1], start, match.end())
            self._items.append(nodes.AutoLink(match[1]))
            return match.end()
        if match := _EMAIL.match(source, start):
            self._items.append(nodes.AutoLink(match[1], target=f"mailto:{match[1]}"))
            return match.end()
        match = TAG.match(source, start)
        end = match.end() if match else self._end_of_markup(start)
        if end < 0:
            if self._scanner.shows_unknown_tags:
                self._check_closed(start)
            self._items.append("<")
            return start + 1
        html = source[start:end]
        if self._scanner.filters_tags and is_disallowed_tag(html):
            self._items.append(nodes.RawText(html))
        elif self._scanner.shows_unknown_tags and not is_known_markup(html, 0):
            self._add_literal(html)
        else:
            self._scanner.has_raw_html = True
            self._add_with_span(nodes.HtmlSpan(html), start, end)
        return end

    def _span(self, start: int, end: int) -> Span:
        position = self._scanner.position
        return position + start, position + end

    def _add_with_span(self, token: nodes.SpanToken, start: int, end: int) -> None:
        token.span = self._span(start, end)
        self._items.append(token)

    def _add_literal(self, source: str) -> None:
        # In a token of its own, an email address is not linked.
        is_apart = "@" in source
        for number, line in enumerate(source.split("\n")):
            if number:
                self._items.append(self._scanner.line_break)
            self._items.append(nodes.RawText(line) if is_apart else line)

    def _check_closed(self, start: int) -> None:
        scanner = self._scanner
        opening = next((opening for opening, _ in DELIMITED if self._source.startswith(opening, start)), None)
        if opening and scanner.unclosed_left:
            scanner.unclosed_left -= 1
            scanner.unclosed.append((opening, self._span(start, start + len(opening))))

    def _check_url(self, url: str, start: int, end: int) -> None:
        if not is_safe_url(url):
            self._scanner.unsafe_urls.append((url, self._span(start, end)))

    def _end_of_markup(self, start: int) -> int:
        source = self._source
        if source.startswith(SHORT_COMMENTS, start):
            return source.index(">", start) + 1
        for beginning, closing in DELIMITED:
            if source.startswith(beginning, start):
                return self._find(closing, start + len(beginning))
        return self._find(">", start + 2) if DECLARATION.match(source, start) else -1

    def _find(self, closing: str, start: int) -> int:
        """Return the end of the next `closing`, or -1; failures are cached."""
        if closing in self._absent:
            return -1
        offset = self._source.find(closing, start)
        if offset < 0:
            self._absent |= {closing}
            return -1
        return offset + len(closing)

    def dollar(self, start: int) -> int:
        """Read math by GitHub's rules: no white space inside the dollars, no digit after them.

        It must not span an HTML end tag, since two `code` elements often hold a dollar each, nor end in code. Nor is it
        what lies between two amounts or variables.
        """
        source = self._source
        end = self._run_end("$", start)
        content, closing_end = "", -1
        if end - start == 2:
            closing_end = self._find("$$", end)
            content = source[end : closing_end - 2].strip(" \n")
        elif end - start == 1 and source.startswith("`", end):
            closing_end = self._find("`$", end + 1)
            content = source[end + 1 : closing_end - 2]
        elif end - start == 1:
            closing_end = self._closing_dollar(end) + 1
            content = source[end : closing_end - 1]
            if closing_end and (
                content[:1].isspace()
                or content[-1:].isspace()
                or source[closing_end : closing_end + 1].isdigit()
                or "</" in content
                or ("`" in content and self._ends_in_code(end, closing_end))
                or _is_amount_or_variable(content, source[start - 1 : start], source[closing_end : closing_end + 1])
            ):
                content = ""
        if closing_end <= 0 or not content:
            self._items.append(source[start:end])
            return end
        self._add_with_span(nodes.MathSpan(content, display=end - start == 2), start, closing_end)
        return closing_end

    def _ends_in_code(self, start: int, end: int) -> bool:
        """Return whether code that begins in a range ends after it. TeX's quotes are backticks without a partner."""
        while (opening := self._source.find("`", start, end)) >= 0:
            start = self._run_end("`", opening)
            closing = self._run_of_backticks(start - opening, start)
            if closing >= end:
                return True
            if closing >= 0:
                start = closing + start - opening
        return False

    def _parenthesis(self, start: int) -> int:
        r"""Read math between `\(` and `\)`; each search ends at the next `\(`."""
        source = self._source
        if (closing := _TO_PARENTHESIS.match(source, start)) and closing[1] == ")":
            end = closing.end()
            content = source[start : end - 2]
            # Late: few documents have such formulas.
            from mdpublish_core.readers.markdown.tex import is_inline_tex

            if is_inline_tex(content, before=source[max(0, start - 3) : start - 2], following=source[end : end + 2]):
                tex = content.strip()
                before, _, after = content.partition(tex)
                math = nodes.MathSpan(tex, delimiters=(f"\\({before}", f"{after}\\)"))
                self._add_with_span(math, start - 2, end)
                return end
        self._items.append("(")
        return start

    def _closing_dollar(self, start: int) -> int:
        r"""Return where math ends, or -1: as in KaTeX, after arguments with dollars, such as `\text{if $x$}`."""
        source = self._source
        first = closing = self._next_dollar(start)
        for _ in range(_MAX_DOLLARS_IN_MATH if "{" in source[start : max(first, start)] else 0):
            tex = _ESCAPE_IN_TEX.sub("", source[start:closing])
            depth = tex.count("{") - tex.count("}")
            if depth == 0:
                return closing
            closing = self._next_dollar(closing + 1)
            if depth < 0 or closing < 0 or not _ARGUMENT_IN_TEX.search(tex):
                break
        return first

    def _next_dollar(self, start: int) -> int:
        if self._dollars is None:
            self._dollars = [match.start() for match in _DOLLAR.finditer(self._source) if match[0] == "$"]
        index = bisect_left(self._dollars, start)
        return self._dollars[index] if index < len(self._dollars) else -1

    def _colon(self, start: int, position: int) -> int:
        source = self._source
        scheme = None
        if self._scanner.reads_emoji and (named := read_emoji(source, start)):
            self._items.append(named[0])
            return named[1]
        if self._scanner.reads_autolinks and source.startswith("://", start) and not self._brackets:
            scheme = _SCHEME.search(source, max(position, start - _MAX_SCHEME_CHARACTERS), start)
        url = (
            read_url_link(source, scheme.start(), start + 3, needs_dot=False, in_cjk=self._scanner.reads_cjk_emphasis)
            if scheme
            else None
        )
        if url is None or scheme is None:
            self._items.append(":")
            return start + 1
        self._items[-1] = source[position : scheme.start()]
        self._items.append(url)
        return scheme.start() + len(url.content)

    def host(self, start: int) -> int:
        url = None if self._brackets else read_www_link(self._source, start, in_cjk=self._scanner.reads_cjk_emphasis)
        self._items.append(url or "w")
        return start + (len(url.content) if url else 1)

    def _open_bracket(self, start: int, *, is_image: bool) -> int:
        brackets = self._brackets
        items = self._items
        if brackets:
            brackets[-1].followed = True
        if self._scanner.reads_wikilinks and self._source.startswith("[", start + 1):
            end = self._wikilink(start, is_embed=is_image)
            if end is not None:
                return end
        if is_image:
            items[-1] = cast("str", items[-1])[:-1]
        brackets.append(_Bracket(len(items), start + 1, self._last_run, is_image=is_image))
        items.append("![" if is_image else "[")
        return start + 1

    def caret(self, start: int) -> int:
        scanner, brackets = self._scanner, self._brackets
        if scanner.reads_inline_notes and self._source.startswith("[", start + 1):
            if brackets:
                brackets[-1].followed = True
            brackets.append(_Bracket(len(self._items), start + 2, self._last_run, is_note=True))
            self._items.append("^[")
            return start + 2
        named = _BLOCK_ID.match(self._source, start) if "block-ids" in scanner.extensions else None
        if named and (not start or self._source[start - 1].isspace()):
            return self._end_with([nodes.HtmlElement("a", {"name": named[1]}, ())])
        end = self._run_end("^", start)
        if end - start == 2 and "insertions" in scanner.extensions:
            return self._add_run("^", start)
        if scanner.reads_scripts:
            return self._add_script("^", start, end)
        self._items.append(self._source[start:end])
        return end

    def pluses(self, start: int) -> int:
        if "keys" in self._scanner.extensions and not self._source[start - 1 : start].isalnum():
            from mdpublish_core.readers.markdown.keys import read_keys

            if keys := read_keys(self._source, start):
                self._items += keys[0]
                return keys[1]
        end = self._run_end("+", start)
        if end - start == 2 and "insertions" in self._scanner.extensions:
            return self._add_run("+", start)
        self._items.append(self._source[start:end])
        return end

    def brace(self, start: int) -> int:
        """Read an attribute list: the block's at the end of its text, else that of the inline before it."""
        items, reads_all = self._items, "attributes" in self._scanner.extensions
        if "critic" in self._scanner.extensions and (end := self._critic(start)) is not None:
            return end
        read = read_attributes(self._source, start)
        before = items[-1] if items else None
        image = self._last_closed if type(before) is _Closing else None
        if read and image:
            resize(image, read.values)
            read = read._replace(values={name: read.values[name] for name in read.values.keys() - _SIZES})
        is_closed = type(before) in {_Closing, nodes.InlineCode, nodes.AutoLink} or (
            type(before) is _DelimiterRun and before.can_close
        )
        if read and (image or (reads_all and is_closed)):
            items += read.anchor() if reads_all and not self._brackets else ()
            self._note_values(read, start)
            return read.end
        if read and reads_all and read.end == len(self._source) and (not start or self._source[start - 1].isspace()):
            self._note_values(read, start)
            return self._end_with(read.anchor())
        items.append("{")
        return start + 1

    def _critic(self, start: int) -> int | None:
        """Read a change in braces, which may be formatted but has no braces in it; a comment is left out."""
        if not (match := _CRITIC.match(self._source, start)):
            return None
        mark = match[1]
        if (match[3] is not None) != (mark == "~~") or match[0][-3:-1] != mark.replace(">>", "<<"):
            return None
        if mark == ">>":
            return self._leave_out(start, match.end())
        self._add_wrapped(_TAGS_OF_CRITIC[mark], *match.span(2))
        if mark == "~~":
            self._add_wrapped("ins", *match.span(3))
        return match.end()

    def _add_wrapped(self, tag: str, start: int, end: int) -> None:
        scanner = self._scanner
        scan = _InlineScan(scanner, self._source[start:end], self._pattern)
        scanner.position += start
        items = scan.items(self._pattern.search(scan._source))
        scanner.position -= start
        first, last = _around(nodes.Strikethrough(()) if tag == "del" else nodes.HtmlElement(tag, {}, ()), start)
        self._items += (first, *items, last)

    def example(self, start: int) -> int:
        """Read the number of an item of an example list."""
        named = _EXAMPLE.match(self._source, start)
        number = self._scanner.examples.get(named[1]) if named else None
        self._items.append("(" if number is None else f"({number})")
        return named.end() if named and number is not None else start + 1

    def _end_with(self, anchor: Sequence[nodes.Token]) -> int:
        """Take white space off the end, and let an anchor begin the text."""
        items = self._items
        while items and (isinstance(items[-1], nodes.LineBreak) or items[-1] == ""):
            items.pop()
        if items and isinstance(items[-1], str):
            items[-1] = items[-1].rstrip(" \t")
        items[:0] = anchor
        return len(self._source)

    def percent(self, start: int) -> int:
        end = self._find("%%", start + 2)
        if end < 0:
            self._items.append("%%")
            return start + 2
        return self._leave_out(start, end)

    def _leave_out(self, start: int, end: int) -> int:
        """Leave out a comment, with a space on one of its sides."""
        source = self._source
        self._scanner.comments.append(source[start:end])
        if _LAST_SPACES.match(source, end):
            return self._end_with(())
        is_spaced = not start or source[start - 1].isspace()
        return end + 1 if is_spaced and source[end] in " \n" else end

    def _close_note(self, opening: _Bracket, start: int) -> int:
        """End an inline note. Source: Pandoc's manual, `inline_notes`."""
        items, scanner = self._items, self._scanner
        self._pair_runs(opening.end)
        self._drop_runs_after(opening.run)
        mail = scanner.reads_autolinks and "@" in self._source
        tokens, levels = _nest(items[opening.index + 1 :], scanner.max_depth, mail=mail)
        if children := _trimmed(tokens or []):
            scanner.levels = max(scanner.levels, levels)
            items[opening.index :] = [scanner.add_inline_note(children, opening.end)]
        else:
            items.append("]")
        return start + 1

    def _wikilink(self, start: int, *, is_embed: bool) -> int | None:
        # Late: few documents have any.
        from mdpublish_core.readers.markdown.wikilinks import read_wikilink

        has_ids = "block-ids" in self._scanner.extensions
        if (wikilink := read_wikilink(self._source, start, is_embed=is_embed, has_block_ids=has_ids)) is None:
            return None
        token, label, end = wikilink
        items = self._items
        if is_embed:
            items[-1] = cast("str", items[-1])[:-1]
        if isinstance(token, nodes.Link):
            self._inactive = len(self._brackets)
        first = start - is_embed
        token.span = self._span(first, end)
        self._last_closed = None
        self._check_url(token.target if isinstance(token, nodes.Link) else token.src, first, end)
        items += (token, label, _CLOSING)
        return end

    def _close_bracket(self, start: int) -> int:
        if not (brackets := self._brackets):
            self._items.append("]")
            return start + 1
        opening = brackets.pop()
        active = opening.is_image or len(brackets) >= self._inactive
        self._inactive = min(self._inactive, len(brackets))
        if opening.is_note:
            return self._close_note(opening, start)
        if not active:
            self._note_unread(opening, start)
            self._items.append("]")
            return start + 1
        size: Mapping[str, str] = {}
        has_size = opening.is_image and self._scanner.reads_sizes
        link = self._link_after(opening, start)
        if has_size and link is None and (sized := read_sized_target(self._source, start + 1)):
            link, size = sized
        elif has_size and link and type(alt := self._items[-1]) is str:
            self._items[-1], size = size_in_alt(alt)
        if link is None:
            return self._span_with_attributes(opening, start) or self._footnote_reference(opening, start)
        (target, title, label), end = link
        token = nodes.Image(target, (), title=title) if opening.is_image else nodes.Link(target, (), title=title)
        token.reference = label
        if size and isinstance(token, nodes.Image):
            resize(token, size)
        first = opening.end - 2 if opening.is_image else opening.end - 1
        token.span = self._span(first, end)
        if not (opening.is_image and is_image_data_url(target)):
            self._check_url(target, first, end)
        if self._last_run is not opening.run:
            self._pair_runs(opening.end)
            self._drop_runs_after(opening.run)
        self._items[opening.index] = token
        self._last_closed = token if isinstance(token, nodes.Image) else None
        self._items.append(_CLOSING)
        if not opening.is_image:
            self._inactive = len(brackets)
        return end

    def _span_with_attributes(self, opening: _Bracket, start: int) -> int | None:
        """Read `[text]{.mark}`; classes without a meaning leave a `span`, and an id an anchor."""
        if (
            opening.is_image
            or "attributes" not in self._scanner.extensions
            or not self._source.startswith("{", start + 1)
        ):
            return None
        if (read := read_attributes(self._source, start + 1)) is None:
            return None
        self._pair_runs(opening.end)
        self._drop_runs_after(opening.run)
        tag = next((tag for name, tag in _TAGS_OF_CLASSES.items() if name in read.classes), "span")
        first, last = _around(nodes.HtmlElement(tag, {}, ()), start)
        self._items[opening.index] = first
        self._items += (last, *([] if self._brackets else read.anchor()))
        self._note_values(read._replace(classes=read.classes - _TAGS_OF_CLASSES.keys()), start + 1)
        return read.end

    def _link_after(self, opening: _Bracket, start: int) -> tuple[Definition, int] | None:
        source = self._source
        end = start + 1
        if source.startswith("(", end):
            if plain := PLAIN_INLINE.match(source, end):
                return Definition(plain[1], ""), plain.end()
            inline = read_inline(source, end) if self._find(")", end) >= 0 else None
            if inline:
                return Definition(inline[0], inline[1]), inline[2]
        label = None
        if source.startswith("[", end):
            if reference := read_label(source, end):
                label, end = reference
            elif source.startswith("]", end + 1):
                end += 2
        if label is None and not opening.followed and 0 < start - opening.end <= MAX_LABEL_CHARACTERS:
            label = source[opening.end : start]
        definition = self._scanner.references.get(normalize_label(label)) if label else None
        if definition is None or not self._scanner.has_room_for(definition):
            return None
        return definition, end

    def _footnote_reference(self, opening: _Bracket, start: int) -> int:
        source = self._source
        label = source[opening.end + 1 : start] if source.startswith("^", opening.end) else ""
        if not label or "\n" in label or not self._scanner.reads_footnotes:
            self._note_unread(opening, start)
            self._items.append("]")
            return start + 1
        del self._items[opening.index :]
        self._drop_runs_after(opening.run)
        if opening.is_image:
            self._items.append("!")
        if normalize_label(label) in self._scanner.footnotes:
            reference = nodes.FootnoteReference(label)
            self._scanner.footnote_references.append(reference)
            self._items.append(reference)
        else:
            self._note_unread(opening, start)
            self._items.append(source[opening.end - 1 : start + 1])
        return start + 1

    def _note_unread(self, opening: _Bracket, start: int) -> None:
        """Note what brackets that stay text were meant as."""
        scanner = self._scanner
        if (read := read_brackets(self._source, opening.end, start)) is None:
            return
        unread, first, last = read
        if unread.label:
            is_read = (
                not scanner.reads_footnotes
                if unread.syntax == "note"
                else (normalize_label(unread.label) in scanner.references)
            )
        else:
            is_read = unread.syntax in scanner.extensions
        if not is_read:
            self._count_unread(unread, first, last)

    def _note_values(self, read: Attributes, start: int) -> None:
        """Note an attribute list of which more than an id has no effect."""
        if read.classes or read.values:
            self._count_unread(Unread("attribute-values"), start, read.end)

    def _count_unread(self, unread: Unread, first: int, last: int) -> None:
        places = self._scanner.unread
        span, count = places.get(unread, (self._span(first, last), 0))
        if count or len(places) < MAX_UNREAD:
            places[unread] = span, count + 1

    def _add_run(self, character: str, start: int) -> int:
        source = self._source
        end = self._run_end(character, start)
        length = end - start
        if character == "~" and length == 1 and self._scanner.reads_scripts:
            return self._add_script(character, start, end)
        first, last = start, end
        if character != "~" and self._scanner.reads_strikethrough:
            # As in cmark-gfm, adjacent tildes are skipped.
            while first and source[first - 1] == "~":
                first -= 1
            last = _TILDES.match(source, end).end()  # type: ignore[union-attr]
        before = self._class_before(first)
        after = character_class(source[last]) if last < len(source) else SPACE
        opens = after == OTHER or (after == PUNCTUATION and before != OTHER)
        closes = before == OTHER or (before == PUNCTUATION and after != OTHER)
        if opens != closes and SPACE not in (before, after) and self._scanner.reads_cjk_emphasis:
            is_beside_cjk = is_cjk(source[last]) or ends_with_cjk(source, first)
            opens, closes = opens or is_beside_cjk, closes or is_beside_cjk
        if character == "_" or (character in "=+" and opens and closes and not self._is_beside_cjk(first, last)):
            opens, closes = (
                opens and (not closes or before == PUNCTUATION),
                closes and (not opens or after == PUNCTUATION),
            )
        if character == "=":
            opens, closes = self._unless_operator(start, end, opens=opens, closes=closes)
        if not (opens or closes) or (character == "~" and (length > 2 or not self._scanner.reads_strikethrough)):
            self._items.append(source[start:end])
            return end
        if opens and not closes and length == 2 and character == "*" and before == PUNCTUATION and after == OTHER:
            self._has_glued_bold = True
        self._append_run(_DelimiterRun(character, length, start, can_open=opens, can_close=closes))
        return end

    def _note_glued_bold(self) -> None:
        """Note pairs of `**` that stay text: the second is between punctuation and a letter, so it does not close."""
        source = self._source
        opener: _DelimiterRun | None = None
        for run in self._items:
            if type(run) is not _DelimiterRun or run.character != "*" or run.length != 2:
                continue
            if run.rest != 2:
                opener = None
            elif opener and opener.can_open and not run.can_close and ends_bold(source[run.position - 1]):
                self._note_slip("bold", opener.position, run.position + 2)
                opener = None
            else:
                opener = run

    def _is_beside_word(self, position: int) -> bool:
        character = self._source[position : position + 1] if position >= 0 else ""
        return character.isalnum() or (character != "" and character in SIGNS)

    def _note_slip(self, kind: str, start: int, end: int) -> None:
        if len(self._scanner.slips) < MAX_UNREAD:
            self._scanner.slips.append((Unread(kind, self._source[start:end]), self._span(start, end)))

    def _is_beside_cjk(self, start: int, end: int) -> bool:
        source = self._source
        return self._scanner.reads_cjk_emphasis and (is_cjk(source[end]) or ends_with_cjk(source, start))

    def _unless_operator(self, start: int, end: int, *, opens: bool, closes: bool) -> tuple[bool, bool]:
        """Return whether the signs open and close, which an operator does not."""
        before, after = self._source[start - 1 : start], self._source[end : end + 1]
        if end - start != 2 or before + after in _NAMED_OPERATORS:
            return False, False
        return opens and after != ">" and before not in _BEFORE_OPERATORS, closes and before != "<"

    def _add_script(self, character: str, start: int, end: int) -> int:
        """Add a run of a superscript or subscript, which pairs only within a word, as in Pandoc."""
        source = self._source
        opens = end < len(source) and not source[end].isspace()
        closes = start > 0 and not source[start - 1].isspace()
        if end - start > 1 or not (opens or closes):
            self._items.append(source[start:end])
            return end
        if self._spaces is None:
            self._spaces = [space.start() for space in _WHITE_SPACE.finditer(source)]
        word = bisect_left(self._spaces, start) + 1
        self._append_run(_DelimiterRun(character, 1, start, can_open=opens, can_close=closes, word=word))
        return end

    def _append_run(self, run: _DelimiterRun) -> None:
        run.previous = self._last_run
        if self._last_run:
            self._last_run.next = run
        self._last_run = run
        self._items.append(run)

    def _class_before(self, end: int) -> int:
        if not end:
            return SPACE
        source = self._source
        kind = character_class(source[end - 1])
        if kind == OTHER and is_variation_selector(source[end - 1]) and end > 1 and self._scanner.reads_cjk_emphasis:
            varied = character_class(source[end - 2])
            return kind if varied == SPACE else varied
        return kind

    def _drop_runs_after(self, run: _DelimiterRun | None) -> None:
        if run:
            run.next = None
        self._last_run = run

    def _pair_runs(self, bottom: int) -> None:
        """Apply the specification's "process emphasis" after the text position `bottom`."""
        if (closer := self._last_run) is None or closer.position < bottom:
            return
        while closer.previous and closer.previous.position >= bottom:
            closer = closer.previous
        floors: dict[tuple[str, bool, int], int] = {}
        following: _DelimiterRun | None = closer
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

    def _pair(self, opener: _DelimiterRun, closer: _DelimiterRun) -> _DelimiterRun | None:
        if closer.word or closer.character in "=+^":
            used = closer.rest
            opener.opens.append(nodes.HtmlElement(_ELEMENTS[closer.character * used], {}, ()))
        elif closer.character == "~":
            used = closer.rest
            if opener.length != closer.length:
                # As in cmark-gfm, different lengths cancel each other.
                opener.next = closer
                closer.previous = opener
                self._unlink(opener)
                self._unlink(closer)
                return closer.next
            opener.opens.append(nodes.Strikethrough(()))
            end = closer.position + 1
            if opener.length == 1 and (self._is_beside_word(opener.position - 1) or self._is_beside_word(end)):
                self._note_slip("strike", opener.position, end)
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

    def _unlink(self, run: _DelimiterRun) -> None:
        if run.previous:
            run.previous.next = run.next
        if run.next:
            run.next.previous = run.previous
        else:
            self._last_run = run.previous


# Not in the class, whose body has no names of its methods when it is compiled.
_METHODS: Mapping[str, Callable[[_InlineScan, int], int]] = {
    "<": _InlineScan.angle,
    "&": _InlineScan.ampersand,
    "$": _InlineScan.dollar,
    "^": _InlineScan.caret,
    "{": _InlineScan.brace,
    "(": _InlineScan.example,
    "%": _InlineScan.percent,
    "+": _InlineScan.pluses,
    "w": _InlineScan.host,
}


def _around(token: _Wrapper, position: int) -> Sequence[_DelimiterRun]:
    """Return the delimiter runs before and after the content of a token."""
    first, last = (_DelimiterRun("", 0, position, can_open=False, can_close=False) for _ in range(2))
    first.opens, last.closes = [token], 1
    return first, last


def _match(opener: _DelimiterRun, closer: _DelimiterRun) -> bool:
    """Apply rules 9 and 10 of emphasis."""
    if opener.character != closer.character or opener.word != closer.word or not opener.can_open:
        return False
    either = closer.can_open or opener.can_close
    return not (either and closer.length % 3 and (opener.length + closer.length) % 3 == 0)


def _is_amount_or_variable(content: str, before: str, after: str) -> bool:
    """Return whether dollars mark amounts, as in `A$30 or 15$` and `5$-10$`, or variables, as in `$HOME/$USER`."""
    if content[:1].isdigit() and before.isascii() and before.isalpha():
        return True
    if before.isdigit() and not content.strip(_AMOUNT_CHARACTERS):
        return True
    return content[-1:] in _BETWEEN_VARIABLES and (after in {"_", "{"} or (after.isascii() and after.isalpha()))
