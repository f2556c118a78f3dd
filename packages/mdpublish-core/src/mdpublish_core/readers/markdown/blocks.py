"""The block scanner: lines to blocks, in one pass and without recursion.

It keeps a stack of open containers (quotes, list items, footnotes) and at most one open leaf (a paragraph, a fence
…). Inlines are scanned later, since their definitions may follow: `pending` collects each node with its text.

Lines with tabs among their markers are scanned in expanded form, where a position is a column; text is the original's.

The module is long because its methods share the state of one line. Sources: CommonMark 0.31.2; GitHub Flavored
Markdown; cmark-gfm for what they leave open.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from string import ascii_letters
from typing import TYPE_CHECKING

from mdpublish_core.nodes import open_nodes as nodes
from mdpublish_core.notices import MAX_NOTICES, Notice, shorten, too_complex_notice
from mdpublish_core.options.budget import CELL_STEPS, ELEMENT_STEPS, LEAF_STEPS, ROW_STEPS, Budget, container_steps
from mdpublish_core.options.extensions import Extension
from mdpublish_core.readers.markdown.attributes import read_attributes
from mdpublish_core.readers.markdown.captions import begins_caption, read_caption
from mdpublish_core.readers.markdown.fancy_lists import read_example, read_marker
from mdpublish_core.readers.markdown.html_syntax import BlockKind, block_kind, is_known_markup, required_end
from mdpublish_core.readers.markdown.info_strings import is_cell, language_of, marks_lines, options_of, read_info_string
from mdpublish_core.readers.markdown.inlines import InlineScanner
from mdpublish_core.readers.markdown.links import References, read_definitions
from mdpublish_core.readers.markdown.options import ReaderOptions
from mdpublish_core.readers.markdown.raw_html import escape_disallowed_tags
from mdpublish_core.readers.markdown.tables import (
    are_spaced,
    column_alignments,
    dividing_bars,
    escape_bars,
    may_divide,
    split_cells,
)
from mdpublish_core.strings.lazy_patterns import compile_lazily
from mdpublish_core.strings.positions import MAX_SOURCE_CHARACTERS, SourcePosition

if TYPE_CHECKING:
    from mdpublish_core.readers.markdown.callouts import CalloutMark
    from mdpublish_core.readers.markdown.display_math import DisplayMath
    from mdpublish_core.readers.markdown.includes import Include

# Any other first character begins paragraph text.
_STARTERS = frozenset(" \t#`~<>-+*_=[|:$0123456789")

_CONTAINER_STARTERS = frozenset(">[-+*0123456789")
_ADMONITIONS = ("admonitions", "indented-admonitions")
_OTHER_STARTERS = {
    "admonitions": ":!?=",
    "indented-admonitions": "!?=",
    "definition-lists": ":~",
    "fancy-lists": f"(#{ascii_letters}",
    "table-captions": "/",
    "math": "\\",
    "comments": "%",
}
"""What begins a block with an extension."""


def _starters_of(extensions: Iterable[Extension]) -> frozenset[str]:
    return frozenset("".join(_OTHER_STARTERS.get(name, "") for name in extensions))


_MARKS = compile_lazily(r"[ \t>\-+*0-9.)]*")

_THEMATIC_BREAK = re.compile(r"(?:(?:\*[ \t]*){3,}|(?:_[ \t]*){3,}|(?:-[ \t]*){3,})$")
_COLUMNS = compile_lazily(r"-{2,}[ \t]+-{2,}")
_SETEXT_UNDERLINE = compile_lazily(r"(?:=+|-+)[ \t]*$")
_CLOSED_BEFORE_ATTRIBUTES = compile_lazily(r"(?<![ \t])[ \t]+#+[ \t]*(\{[^{}]*\})\Z")
_ATX_HEADING = re.compile(r"(#{1,6})(?:[ \t]+|$)")
_FENCE = compile_lazily(r"(`{3,})([^`]*)$|(~{3,})(.*)$")
_UNSPACED_HEADING = compile_lazily(r"(#{1,6})([\w*`\[].*)")
_LIST_MARKER = re.compile(r"([-+*]|\d{1,9}[.)])(?=[ \t]|$)", re.ASCII)
_FOOTNOTE_START = compile_lazily(r"\[\^([^\]\s]+)\]:[ \t]*")
_TASK = compile_lazily(r"\[([ xX])\][ \t\n]+")
_MATH_MARK = "$$"
_MARKDOWN_INSIDE = compile_lazily(r"<[A-Za-z][^<>]*[ \t]markdown(?:=[^<>]*)?>[ \t]*$")
"""Source: Python-Markdown, "Markdown in HTML"."""

_COMMENT_END = compile_lazily("%%")
_COMMENTS_ALONE = compile_lazily(r"(?:(?:%%(?:[^%]|%(?!%))*%%|\{>>[^{}]*<<\})\s*)+")
_COMMENT = BlockKind(_COMMENT_END, interrupts=True)
"""Of Obsidian, over several lines."""

_NO_LEAF, _PARAGRAPH, _FENCED, _INDENTED, _HTML, _TABLE, _MATH, _DISPLAY_MATH = range(8)


class _Container:
    """An open container. Line numbers are 0-based."""

    indent = 0
    """Columns of indentation of an item's content."""
    leader = ""
    label = ""
    is_loose = False
    checked: bool | None = None
    callout: "CalloutMark | None" = None
    colons = 0
    """Length of the fence that opened it."""
    owner: "_OpenList | None" = None
    open_list: "_OpenList | None" = None
    """The list at its end, which a further item may join."""
    html_ends: "dict[re.Pattern[str], int] | None" = None
    """Lines on which ends of raw HTML follow, -1 for those that do not."""
    math_search = (0, 0, False)
    """A range of lines, and whether the last one ends math."""

    def __init__(self, kind: int, line: int) -> None:
        self.kind = kind
        self.line = line
        # Here, not in the class: mypyc forgets a default of None where there are two other types.
        self.title: nodes.Paragraph | nodes.HtmlElement | None = None
        self.definitions: list[nodes.Token] | None = None
        """Terms and definitions of the list that this is a definition of."""
        self.children: list[nodes.Token] = []
        self.last = line
        self.previous = line
        """`last` before the current line."""


class _OpenList:
    """A list that may get further items; `key` is the end of their markers."""

    __slots__ = ("items", "key", "last", "token")

    def __init__(self, key: str, start: int | None, line: int) -> None:
        self.key = key
        self.items: list[nodes.ListItem] = []
        self.token = nodes.List(self.items, start=start, line=line + 1)
        self.last = line


_ROOT, _QUOTE, _ITEM, _FOOTNOTE, _DEFINITION, _COLON_FENCE, _INDENTED_CALLOUT, _TAB = range(8)

_LEVELS = (0, 1, 2, 1, 2, 1, 1, 2)


class BlockScanner:
    """Scans one document; afterwards, public attributes hold what it found besides blocks."""

    include: "Include | None" = None
    """Reads files that the document includes, where it has a folder."""

    def __init__(self, options: ReaderOptions, budget: Budget, claims: Callable[[str], bool] | None) -> None:
        extensions = options.extensions
        self._options = options
        self._row_scanner: InlineScanner | None = None
        self.budget = budget
        # The other half is for inlines, formulas and figures.
        self._max_steps = budget.left // 2
        self._steps = 0
        self.references: References = {}
        # Lines of fences that other programs run, and the like; comments with their lines; numbers of examples by name.
        self.unread, self.comments, self.examples = dict[str, list[int]](), list[tuple[int, str]](), dict[str, int]()
        self.footnotes: list[nodes.FootnoteDefinition] = []
        self.pending: list[tuple[nodes.Token, str]] = []
        self.claimed_fences: list[nodes.CodeFence] = []
        self._claims = claims
        self.notices: list[Notice] = []
        self.row_lengths: dict[int, int] = {}
        self.row_bars: dict[int, Sequence[int]] = {}
        """Bars without a backslash that divide no cell, by line."""
        self.has_raw_html = False
        self.is_cut = False
        self._tables = "table" in extensions
        self._reads_footnotes = "footnote" in extensions
        self._tasks = "tasklist" in extensions
        self._callouts = "callout" in extensions
        self._math = "math" in extensions
        self._extensions = extensions
        self._reads_marks = not extensions.isdisjoint(("comments", "critic", "attributes", "table-captions"))
        self._admonition_starters = _starters_of(extensions.intersection(_ADMONITIONS))
        others = _starters_of(extensions)
        self._starters, self._container_starters = _STARTERS | others, _CONTAINER_STARTERS | others
        self._figures = "figure" in extensions
        self._filters_tags = options.filters_tags
        self._shows_unknown_tags = options.shows_unknown_tags
        self._last_ends: dict[re.Pattern[str], int] = {}
        self._limits = options.limits
        self._stack = [_Container(_ROOT, 0)]
        self._depth = self._quotes = self._colon_fences = self._indented_callouts = self._tab_sets = 0
        self._too_deep = False
        self._source: Sequence[str] = ()
        self._display_math: DisplayMath | None = None
        self._leaf = _NO_LEAF
        self._lines: list[str] = []
        self._line = 0
        self._tried_table = False
        self._fence = ""
        self._fence_indent = self._fence_start = 0
        self._info = ""
        self._html: BlockKind | None = None
        self._columns: Sequence[nodes.Alignment] = ()
        self._rows: list[nodes.TableRow] = []
        self._empty_cells: list[nodes.TableCell] = []
        self._written_cells = self._padded_cells = 0

    def scan(self, lines: Sequence[str]) -> Sequence[nodes.Token]:
        self._source = lines
        stack = self._stack
        starters = self._starters
        number = 0
        count = len(lines)
        while number < count:
            line = lines[number]
            if len(stack) == 1 and self._leaf <= _PARAGRAPH:
                if not line:
                    if self._leaf:
                        self._close_leaf()
                    number += 1
                    continue
                if line[0] not in starters:
                    end = number + 1
                    while end < count and (following := lines[end]) and following[0] not in starters:
                        end += 1
                    if self._leaf:
                        self._lines += lines[number:end]
                    else:
                        self._begin_leaf(_PARAGRAPH, 1, number)
                        self._lines = list(lines[number:end])
                    number = end
                    continue
            elif self._leaf == _FENCED and len(stack) == 1:
                number = self._scan_fenced(number)
                continue
            elif not line and not self._leaf and not self._quotes and stack[-1].children:
                number += 1
                continue
            if "\t" in line:
                self._scan_line(_expand_tabs(line), number, line)
            else:
                self._scan_line(line, number, None)
            number += 1
            if self._steps > self._max_steps:
                break
        self._close_containers(1)
        if self._leaf:
            if self._leaf == _FENCED and number == count:
                self._note_unclosed_fence(count - 1)
            self._close_leaf()
        if number < count:
            self._show_source(number)
        self.budget.try_spend(self._steps)
        return stack[0].children

    def _show_source(self, number: int) -> None:
        """Show the lines from `number` on as code."""
        self._stack[0].children.append(nodes.BlockCode(_join_lines(self._source[number:]), line=number + 1))
        self.notices.append(too_complex_notice("blocks from here on are", number + 1))
        self.is_cut = True

    def _scan_fenced(self, number: int) -> int:
        lines = self._source
        fence = self._fence
        end = number
        while end < len(lines):
            line = lines[end]
            if line == fence or (fence in line and self._ends_fence(line)):
                break
            end += 1
        content = lines[number:end]
        if self._fence_indent:
            content = [self._without_fence_indent(line) for line in content]
        self._lines += content
        if end == len(lines):
            self._note_unclosed_fence(end - 1)
        self._close_leaf()
        return end + 1

    def _without_fence_indent(self, written: str) -> str:
        line = _expand_tabs(written)
        return _line_from(line, min(_content_start(line, 0), self._fence_indent), written)

    def _scan_line(self, line: str, number: int, written: str | None) -> None:
        stack = self._stack
        matched, position = self._matched(line, number) if len(stack) > 1 else (1, 0)
        start = _content_start(line, position) if line.startswith(" ", position) else position
        blank = start == len(line)
        whole = matched == len(stack)
        if self._colon_fences:
            # Fences of colons go through all lines, however short.
            self._steps += 2 * self._colon_fences
            if not blank and self._close_fence(line, position, start, matched):
                return
        if self._indented_callouts and not (whole or blank) and stack[matched].kind >= _INDENTED_CALLOUT:
            # As in Python-Markdown, it has no lazy lines.
            self._close_containers(matched)
            whole = True
        if whole and self._leaf > _PARAGRAPH and self._continue_leaf(line, position, start, number, written):
            return
        if blank:
            self._close_containers(matched)
            if self._leaf == _PARAGRAPH:
                self._close_leaf()
            return
        while True:
            if start - position >= 4:
                if self._leaf == _PARAGRAPH:
                    if line[start] == "\\" and self._open_display_math(line, start, number, matched, written):
                        return
                    break
                self._begin_leaf(_INDENTED, matched, number)
                self._lines.append(_line_from(line, position + 4, written))
                return
            character = line[start]
            if character not in self._starters:
                break
            opened = -1
            if character in self._container_starters:
                opened = self._open_container(line, position, start, number, matched)
            if opened < 0:
                if self._begin_block(line, position, start, number, matched, written):
                    return
                break
            position = opened
            matched = len(stack)
            start = _content_start(line, position)
            if start == len(line):
                return
        if self._leaf == _PARAGRAPH:
            self._lines.append(_line_from(line, start, written))
            if matched < len(stack):
                for container in stack:
                    container.last = number
            return
        source = _line_from(line, start, written)
        if self._leaf == _TABLE and matched == len(stack) and self._add_row(source, number):
            return
        if self._leaf or stack[-1].children or matched < len(stack):
            self._begin_leaf(_PARAGRAPH, matched, number)
        else:
            self._start_leaf(_PARAGRAPH, number)
        self._lines.append(source)

    def _matched(self, line: str, number: int) -> tuple[int, int]:
        """Return how many open containers continue, and where their content begins."""
        stack = self._stack
        position = 0
        length = len(line)
        for matched in range(1, len(stack)):
            container = stack[matched]
            if container.kind == _COLON_FENCE:
                continue
            start = _content_start(line, position)
            if container.kind == _QUOTE:
                if start == length or line[start] != ">" or start - position > 3:
                    return matched, position
                position = start + 2 if line.startswith(" ", start + 1) else start + 1
            elif start == length:
                # A second empty line closes an item that began with one.
                is_empty = not container.children and container is stack[-1] and self._leaf == _NO_LEAF
                if is_empty and container.kind == _ITEM:
                    return matched, position
                # The spaces of code in it stay.
                position = min(start, position + container.indent)
                continue
            else:
                if start - position < container.indent:
                    return matched, position
                position += container.indent
            container.previous = container.last
            container.last = number
        return len(stack), position

    def _continue_leaf(self, line: str, position: int, start: int, number: int, written: str | None) -> bool:
        """Add the line to the open leaf, or close the leaf; return whether the line is done."""
        leaf = self._leaf
        blank = start == len(line)
        if leaf == _FENCED:
            if not blank and line[start] == self._fence[0] and self._ends_fence(line[position:]):
                self._close_leaf()
                return True
            end = min(start, position + self._fence_indent)
            self._lines.append(_line_from(line, end, written))
        elif leaf == _MATH:
            source = _line_from(line, position, written)
            closing = source.rstrip(" \t").endswith(_MATH_MARK)
            self._lines.append(source.rstrip(" \t").removesuffix(_MATH_MARK) if closing else source)
            if closing:
                self._close_leaf()
        elif leaf == _DISPLAY_MATH:
            self._end_display_math(number)
        elif leaf == _HTML:
            assert self._html
            if self._html.end is None and blank:
                self._close_leaf()
                return False
            self._add_html(self._html, _line_from(line, position, written))
        elif leaf == _INDENTED and (blank or start - position >= 4):
            self._lines.append(_line_from(line, min(position + 4, len(line)), written))
            return True
        else:
            # Blocks that begin on this line take precedence over table rows.
            if leaf != _TABLE or blank:
                self._close_leaf()
            return False
        for container in self._stack:
            container.last = number
        return True

    def _ends_fence(self, line: str) -> bool:
        marks = line.strip(" \t")
        if marks.strip(self._fence[0]) or len(marks) < len(self._fence):
            return False
        return len(line[: line.find(marks)].expandtabs(4)) < 4

    def _close_fence(self, line: str, position: int, start: int, matched: int) -> bool:
        """Close the fence that ends here: the innermost one of as many colons, else the innermost of fewer."""
        stack = self._stack
        if line[start] != ":" or start - position > 3 or (matched == len(stack) and self._leaf in (_FENCED, _MATH)):
            return False
        marks = line[start:].rstrip(" \t")
        if marks.strip(":"):
            return False
        closed = 0
        for index in range(matched - 1, 0, -1):
            if stack[index].kind != _COLON_FENCE:
                break
            if stack[index].colons == len(marks):
                closed = index
                break
            if stack[index].colons < len(marks):
                closed = closed or index
        if closed:
            self._close_containers(closed)
        return closed > 0

    def _open_container(self, line: str, position: int, start: int, number: int, matched: int) -> int:
        """Open the container at `start`; return the start of its content, or -1."""
        character = line[start]
        if character == ">":
            if not self._has_room(1, number):
                return -1
            self._push(_QUOTE, matched, number)
            return start + 2 if line.startswith(" ", start + 1) else start + 1
        if character == "[":
            note = _FOOTNOTE_START.match(line, start) if self._reads_footnotes else None
            if not note or not self._has_room(1, number):
                return -1
            container = self._push(_FOOTNOTE, matched, number)
            container.label = note[1]
            container.indent = 4
            return note.end()
        # Pandoc's `  ~ definition` is indented, unlike `~ 5`.
        is_definition = character == ":" or (character == "~" and start > position)
        is_definition = is_definition and "definition-lists" in self._extensions
        if is_definition and (end := self._open_definition(line, position, start, number, matched)) >= 0:
            return end
        if character in self._admonition_starters:
            return self._open_admonition(line, start, number, matched)
        if not (marker := self._list_marker(line, start, matched)):
            return -1
        leader, start_number, numbering = marker
        end = start + len(leader)
        content = _content_start(line, end)
        # An item that interrupts a paragraph must have content and begin with 1.
        interrupts = self._leaf == _PARAGRAPH and matched == len(self._stack)
        is_weak = content == len(line) or start_number not in {None, 1} or (numbering and leader[-1] == ".")
        if interrupts and is_weak:
            return -1
        if not self._has_room(2, number):
            return -1
        container = self._push(_ITEM, matched, number, key=numbering or leader[-1], start_number=start_number)
        container.leader = leader
        if leader[1:2] == "@" and start_number:
            container.leader = f"({start_number})"
            self.examples.setdefault(leader[2:-1] or f" {start_number}", start_number)
        assert container.owner
        container.owner.token.numbering = numbering
        if content == len(line):
            container.indent = end + 1 - position
            return end
        if content - end > 4:
            content = end + 1
        container.indent = content - position
        return content

    def _list_marker(self, line: str, start: int, matched: int) -> tuple[str, int | None, str] | None:
        """Return a marker, its number, and how its list is numbered."""
        if "fancy-lists" in self._extensions and line[start] not in "-+*":
            if line.startswith("(@", start):
                return read_example(line, start, len(self.examples) + 1)
            before = self._stack[matched - 1].open_list
            return read_marker(line, start, before.token.numbering if before else None)
        marker = _LIST_MARKER.match(line, start)
        if not marker or (line[start] in "-*" and _THEMATIC_BREAK.match(line, start)):
            return None
        return marker[1], int(marker[1][:-1]) if len(marker[1]) > 1 else None, ""

    def _open_definition(self, line: str, position: int, start: int, number: int, matched: int) -> int:
        """Open a definition of what the paragraph above says line by line, or a further one of the same terms."""
        content = _content_start(line, start + 1)
        if content in {start + 1, len(line)} or not self._has_room(_LEVELS[_DEFINITION], number):
            return -1
        is_further = matched < len(self._stack) and self._stack[matched].kind == _DEFINITION
        if not is_further and not (matched == len(self._stack) and self._take_terms()):
            return -1
        container = self._push(_DEFINITION, matched, number)
        definition_list = self._stack[-2].children[-1]
        assert isinstance(definition_list.children, list)
        container.definitions = definition_list.children
        container.is_loose = not self._source[number - 1].strip(" \t>")
        if content - start > 5:
            content = start + 2
        container.indent = min(content - position, 4)
        return content

    def _take_terms(self) -> bool:
        """Make terms of the open paragraph, or of the one before an empty line; return whether there is one."""
        siblings = self._stack[-1].children
        last = siblings[-1] if siblings else None
        if self._leaf == _PARAGRAPH:
            self._leaf = _NO_LEAF
            source, first = self._paragraph_source()
            if not source:
                return False
        elif self._leaf == _NO_LEAF and isinstance(last, nodes.Paragraph) and self._is_pending(last):
            source, first = self.pending.pop()[1], nodes.line_of(last) or 1
            siblings.pop()
        else:
            return False
        if not (siblings and isinstance(siblings[-1], nodes.HtmlElement) and siblings[-1].tag == "dl"):
            siblings.append(nodes.HtmlElement("dl", {}, [], line=first))
        terms = siblings[-1].children
        assert isinstance(terms, list)
        for line, source_line in enumerate(source.rstrip(" \t").split("\n"), first):
            self._steps += LEAF_STEPS
            if not self._is_left_out(terms, source_line.rstrip(" \t")):
                terms.append(nodes.HtmlElement("dt", {}, (), line=line))
                self.pending.append((terms[-1], source_line))
        return True

    def _is_pending(self, token: nodes.Token) -> bool:
        return bool(self.pending) and self.pending[-1][0] is token

    def _open_admonition(self, line: str, start: int, number: int, matched: int) -> int:
        from mdpublish_core.readers.markdown.callouts import read_fence, read_indented_mark

        fence = read_fence(line, start) if line[start] == ":" else None
        mark = fence[1] if fence else read_indented_mark(line, start)
        kind = _COLON_FENCE if fence else _TAB if line[start] == "=" else _INDENTED_CALLOUT
        if not mark or not self._has_room(_LEVELS[kind], number):
            return -1
        container = self._push(kind, matched, number)
        container.callout = mark
        if fence:
            container.colons = fence[0]
        else:
            container.indent = 4
        self._set_title(container, mark)
        return len(line)

    def _set_title(self, container: _Container, mark: "CalloutMark") -> None:
        if mark.title:
            line = container.line + 1
            container.title = (
                nodes.Paragraph((), line=line) if mark.kind else nodes.HtmlElement("summary", {}, (), line=line)
            )
            self.pending.append((container.title, mark.title))
            self._steps += LEAF_STEPS

    def _has_room(self, levels: int, number: int) -> bool:
        if self._depth + levels < self._limits.max_depth:
            return True
        if not self._too_deep:
            self._too_deep = True
            message = f"blocks nest deeper than {self._limits.max_depth} levels; deeper markers are shown as text"
            self.notices.append(Notice("nesting-too-deep", message, number + 1))
        return False

    def _begin_block(
        self, line: str, position: int, start: int, number: int, matched: int, written: str | None
    ) -> bool:
        character = line[start]
        in_paragraph = self._leaf == _PARAGRAPH and matched == len(self._stack)
        if character == "#":
            return self._heading(line, start, number, matched, written)
        if character in "`~":
            return self._open_fence(line, position, start, number, matched)
        if character == "<":
            kind = block_kind(line, start)
            if kind is None or (self._leaf == _PARAGRAPH and not kind.interrupts):
                return False
            if self._shows_unknown_tags and not self._is_html(line, start, number, matched):
                return False
            self._begin_leaf(_HTML, matched, number)
            self._html = kind
            self._add_html(kind, _line_from(line, position, written))
            if self._leaf == _HTML and "markdown-in-html" in self._extensions and _MARKDOWN_INSIDE.match(line, start):
                self._close_leaf()
            return True
        if character == "%":
            is_comment = line.startswith("%%", start) and "%%" not in line[start + 2 :]
            if not is_comment or not self._ends_after(_COMMENT_END, number, matched):
                return False
            self._begin_leaf(_HTML, matched, number)
            self._html = _COMMENT
            self._lines.append(_line_from(line, start, written))
            return True
        if character == "$":
            return self._open_math(line[start:], number, matched)
        if character == "\\":
            return self._open_display_math(line, start, number, matched, written)
        if character == "/":
            if matched == len(self._stack) and self._leaf in {_PARAGRAPH, _TABLE} and begins_caption(line, start):
                self._close_leaf()
            return False
        if in_paragraph and self._convert_paragraph(line, start, number, written):
            return True
        if character in "-*_" and _THEMATIC_BREAK.match(line, start):
            self._steps += LEAF_STEPS
            if character == "-" and _COLUMNS.match(line, start):
                self.unread.setdefault("simple-tables", []).append(number + 1)
            self._enter(matched, number).children.append(nodes.ThematicBreak(line=number + 1))
            return True
        return False

    def _is_html(self, line: str, start: int, number: int, matched: int) -> bool:
        """Return whether a block of HTML begins here, not text: an unknown name, or an element that never ends."""
        # A program between `<?` and `?>` is text, but not Markdown.
        if not is_known_markup(line, start) and not line.startswith("<?", start):
            return False
        end = required_end(line, start)
        return end is None or end.search(line, start) is not None or self._ends_after(end, number, matched)

    def ends_later(self, end: re.Pattern[str], number: int) -> bool:
        """Return whether the pattern matches below a line."""
        last = self._last_ends.get(end)
        if last is None:
            lines = self._source
            last = next((index for index in range(len(lines) - 1, -1, -1) if end.search(lines[index])), -1)
            self._last_ends[end] = last
        return last > number

    def _ends_after(self, end: re.Pattern[str], number: int, matched: int) -> bool:
        """Return whether the pattern matches below the line and in the same container."""
        if matched == 1 or not self.ends_later(end, number):
            return self.ends_later(end, number)
        containers = self._stack[1:matched]
        if any(container.html_ends and container.html_ends.get(end) == -1 for container in containers):
            return False
        ends = containers[-1].html_ends = containers[-1].html_ends or {}
        if ends.get(end, number) <= number:
            ends[end] = self._end_in(containers, end, number)
        return ends[end] > number

    def _end_in(self, containers: Sequence[_Container], end: re.Pattern[str], number: int) -> int:
        for index in range(number + 1, len(self._source)):
            line = self._source[index]
            line = _expand_tabs(line) if "\t" in line else line
            self._steps += len(containers)
            position = _continued_at(containers, line)
            if position < 0:
                break
            if end.search(line, position):
                return index
        return -1

    def _add_html(self, kind: BlockKind, source: str) -> None:
        self._lines.append(source)
        self._steps += ELEMENT_STEPS * source.count("<")
        if kind.end and kind.end.search(source):
            self._close_leaf()

    def _heading(self, line: str, start: int, number: int, matched: int, written: str | None) -> bool:
        if not (opening := _ATX_HEADING.match(line, start)):
            self._note_heading(_line_from(line, start, written).rstrip(" \t"), number)
            return False
        source = _line_from(line, opening.end(), written).rstrip(" \t")
        unclosed = source.rstrip("#")
        if not unclosed:
            source = ""
        elif unclosed[-1] in " \t":
            source = unclosed.rstrip(" \t")
        if source.endswith("}") and "attributes" in self._extensions:
            source = _CLOSED_BEFORE_ATTRIBUTES.sub(r" \1", source)
        self._steps += LEAF_STEPS
        heading = nodes.Heading(len(opening[1]), (), line=number + 1)
        self._enter(matched, number).children.append(heading)
        self.pending.append((heading, source))
        return True

    def _note_heading(self, source: str, number: int) -> None:
        """Note a heading whose space was forgotten; after a single sign, only what cannot be a tag or a number."""
        match = _UNSPACED_HEADING.match(source)
        if not match or len(self.notices) >= MAX_NOTICES or (match[1] == "#" and not self._is_title(match[2], number)):
            return
        message = f"a heading needs a space after {match[1]}; it is shown as text"
        position = self._row_position(source, number)
        fix = f"{match[1]} {match[2]}" if position.source == source else None
        self.notices.append(Notice("heading-without-space", message, *position, fix))

    def _is_title(self, title: str, number: int) -> bool:
        """Return whether a line of several words stands alone, and begins and ends like a title."""
        lines = self._source
        around = (lines[index].strip(" \t>") for index in (number - 1, number + 1) if 0 <= index < len(lines))
        is_prose = " " in title and "#" not in title and title[-1] not in ".,:;!?"
        return is_prose and not (title[0].islower() or title[0].isdigit()) and not any(around)

    def _note_unclosed_fence(self, last: int) -> None:
        """Note that the document, or its container, ends in a fence; `last` is the line on which it is to be closed."""
        if len(self.notices) >= MAX_NOTICES:
            return
        source = self._source[last][:MAX_SOURCE_CHARACTERS]
        is_outer = len(self._stack) == 1 and source == self._source[last]
        message = f"the fence that begins in line {self._line + 1} has no end"
        position = SourcePosition(last + 1, 1, source) if is_outer else SourcePosition(self._line + 1)
        fix = " " * self._fence_indent + self._fence
        closed = f"{source}\n{fix}" if source else fix
        self.notices.append(Notice("unclosed-fence", message, *position, closed if is_outer else None))

    def _convert_paragraph(self, line: str, start: int, number: int, written: str | None) -> bool:
        character = line[start]
        if character in "=-" and _SETEXT_UNDERLINE.match(line, start):
            return self._setext_heading(1 if character == "=" else 2)
        return self._tables and character in "|:-" and self._open_table(_line_from(line, start, written), number)

    def _setext_heading(self, level: int) -> bool:
        source, line = self._paragraph_source()
        self._leaf = _NO_LEAF
        if not source:
            return False
        source = source.rstrip(" \t")
        heading = nodes.SetextHeading(level, (), line=line)
        self._stack[-1].children.append(heading)
        self.pending.append((heading, source))
        return True

    def _open_fence(self, line: str, position: int, start: int, number: int, matched: int) -> bool:
        if not (fence := _FENCE.match(line, start)):
            return False
        self._begin_leaf(_FENCED, matched, number)
        self._fence = fence[1] or fence[3]
        self._fence_indent, self._fence_start = start - position, start
        self._info = read_info_string(fence[2] or fence[4] or "")
        return True

    def _open_math(self, source: str, number: int, matched: int) -> bool:
        source = source.rstrip(" \t")
        if not self._math or not source.startswith(_MATH_MARK):
            return False
        inner = source.removeprefix(_MATH_MARK)
        closed = inner.endswith(_MATH_MARK)
        if closed:
            inner = inner.removesuffix(_MATH_MARK)
        if _MATH_MARK in inner or (closed and not inner) or not (closed or self._math_ends_after(number, matched)):
            return False
        self._begin_leaf(_MATH, matched, number)
        self._lines.append(inner)
        if closed:
            self._close_leaf()
        return True

    def _math_ends_after(self, number: int, matched: int) -> bool:
        """Return whether a line of the container ends in `$$` before the next empty one; caches the searched range."""
        container = self._stack[matched - 1]
        first, last, ends = container.math_search
        if not first <= number < last:
            last, ends = number - 1, False
            for line in self._lines_of_block("", number, matched):
                last += 1
                self._steps += matched - 1
                if ends := line.rstrip(" \t").endswith(_MATH_MARK):
                    break
            container.math_search = (number, last, ends)
        return ends

    def _open_display_math(self, line: str, start: int, number: int, matched: int, written: str | None) -> bool:
        if not self._math or not line.startswith(("\\[", "\\begin{"), start):
            return False
        # Late: few documents have any.
        from mdpublish_core.readers.markdown.display_math import read_display_math

        math = read_display_math(self._lines_of_block(_line_from(line, start, written), number, matched))
        if math is None:
            return False
        self._begin_leaf(_DISPLAY_MATH, matched, number)
        self._display_math = math
        self._end_display_math(number)
        return True

    def _end_display_math(self, number: int) -> None:
        assert self._display_math
        if number == self._line + self._display_math.line_count - 1:
            self._close_leaf()

    def _lines_of_block(self, first: str, number: int, matched: int) -> Iterator[str]:
        """Yield a line of a block and those after it, up to one that is empty or ends one of the block's containers."""
        yield first
        for following in range(number + 1, len(self._source)):
            written = self._source[following]
            line = _expand_tabs(written) if "\t" in written else written
            position = _continued_at(self._stack[1:matched], line)
            if position < 0 or not line[position:].strip(" "):
                return
            yield _line_from(line, position, written if "\t" in written else None)

    def _open_table(self, source: str, number: int) -> bool:
        if (columns := column_alignments(source)) is None or self._tried_table:
            return False
        # As on GitHub, a paragraph has one chance to become a table.
        self._tried_table = True
        header = self._lines[-1]
        cells, notice = self._cells(header, number - 1, len(columns), is_header=True)
        is_table = len(cells) == len(columns)
        if notice and (is_table or (notice.fix and len(split_cells(notice.fix)) == len(columns))):
            self.notices.append(notice)
        if not is_table:
            return False
        self._lines.pop()
        container = self._stack[-1]
        if self._lines:
            self._close_leaf()
        self._leaf = _TABLE
        self._columns = columns
        self._rows = []
        self._empty_cells = []
        self._written_cells = len(cells)
        self._padded_cells = 0
        siblings = (
            self._captioned_below(container.children) if "table-captions" in self._extensions else container.children
        )
        siblings.append(nodes.Table(self._row(header, cells, number - 1), self._rows, line=number))
        return True

    def _captioned_below(self, siblings: list[nodes.Token]) -> list[nodes.Token]:
        """Return where to put a table: into a figure if the paragraph above is its caption."""
        above = siblings[-1] if siblings else None
        if not isinstance(above, nodes.Paragraph) or not self._is_pending(above):
            return siblings
        caption = read_caption(self.pending[-1][1])
        if caption is None or caption.is_general:
            return siblings
        children: list[nodes.Token] = [nodes.HtmlElement("figcaption", {}, (), line=above.line_number)]
        self.pending[-1] = (children[0], caption.content)
        siblings[-1] = nodes.HtmlElement("figure", {}, children, line=above.line_number)
        return children

    def _add_row(self, source: str, number: int) -> bool:
        cells, notice = self._cells(source, number, len(self._columns))
        if not cells or ("table-captions" in self._extensions and read_caption(source)):
            return False
        if notice:
            self.notices.append(notice)
        missing = len(self._columns) - len(cells)
        self._written_cells += len(cells)
        if missing > 0:
            self._padded_cells += missing
            if self._padded_cells > self._limits.max_table_padding * self._written_cells:
                message = (
                    f"short rows need more than {self._limits.max_table_padding} empty cells per written cell; "
                    "the table ends here"
                )
                self.notices.append(Notice("table-truncated", message, *self._row_position(source, number)))
                return False
        self._rows.append(self._row(source, cells, number))
        return True

    def _cells(
        self, row: str, number: int, columns: int, *, is_header: bool = False
    ) -> tuple[Sequence[str], Notice | None]:
        """Return the cells of a row, and what its author should know of them.

        They are GFM's, but formulas are whole where the row has a cell for each column then.
        """
        cells = split_cells(row)
        is_too_long = len(cells) > columns
        if not is_too_long and not may_divide(row, cells, has_math=self._math):
            return cells, None
        in_code, in_math = self._dividing_bars(row)
        if is_too_long and in_math and len(whole := split_cells(fix := escape_bars(row, in_math))) == columns:
            self.row_bars[number] = in_math
            message = "a bar in a formula does not divide the cell here, but it does on GitHub; write it as \\|"
            return whole, Notice("table-bar-in-math", message, *self._place_of(row, number, fix))
        if len(cells) == columns and are_spaced(row, in_math):
            in_math = ()
        divided = in_code or in_math
        if not is_too_long and not divided:
            return cells, None
        written = _without_division(row, in_code, in_math, columns)
        place = self._place_of(row, number, written)
        if divided and (is_header or not is_too_long):
            name = "inline code" if in_code else "a formula"
            result = ", so the header does not fit the row below it" if is_too_long else ""
            message = f"a bar in {name} divides the cell, as on GitHub{result}; write it as \\|"
            return cells, Notice("table-bar-in-code" if in_code else "table-bar-in-math", message, *place)
        dropped = shorten(next(filter(None, cells[columns:]), ""))
        remedy = "; write a bar in a cell as \\|" if written else ""
        message = f"the row has more cells than the table's header; as on GitHub, they are dropped: {dropped!r}{remedy}"
        return cells, Notice("table-extra-cells", message, *place)

    def _dividing_bars(self, row: str) -> tuple[Sequence[int], Sequence[int]]:
        """Return where bars divide the code of a row, and where its formulas."""
        if "`" not in row and not (self._math and ("$" in row or "\\(" in row)):
            return (), ()
        if self._row_scanner is None:
            self._row_scanner = InlineScanner(self._options, {}, (), budget=self.budget, expansion=0)
        code, math = self._row_scanner.verbatim_spans(row)
        return dividing_bars(row, code), dividing_bars(row, math)

    def _place_of(
        self, row: str, number: int, fix: str | None
    ) -> tuple[int | None, int | None, str | None, str | None]:
        """Return the place of a row in a notice, and what to write there."""
        if len(self.notices) >= MAX_NOTICES:
            return number + 1, None, None, None
        position = self._row_position(row, number)
        is_whole = position.source == row.rstrip(" \t") and len(fix or "") <= MAX_SOURCE_CHARACTERS
        return *position, fix.rstrip(" \t") if fix and is_whole else None

    def _row_position(self, source: str, number: int) -> SourcePosition:
        return SourcePosition(
            number + 1, len(self._source[number]) - len(source) + 1, source.rstrip(" \t")[:MAX_SOURCE_CHARACTERS]
        )

    def _row(self, row: str, sources: Sequence[str], number: int) -> nodes.TableRow:
        """Return a row; missing cells of a column share one node."""
        line = number + 1
        if len(row) != len(self._source[number]):
            self.row_lengths[number] = len(row)
        cells = []
        for source, alignment in zip(sources, self._columns, strict=False):
            cell = nodes.TableCell((), align=alignment, line=line)
            if source:
                self.pending.append((cell, source))
            cells.append(cell)
        if len(cells) < len(self._columns):
            if not self._empty_cells:
                self._empty_cells = [nodes.TableCell((), align=alignment) for alignment in self._columns]
            cells += self._empty_cells[len(cells) :]
        self._steps += ROW_STEPS + CELL_STEPS * len(cells)
        return nodes.TableRow(cells, line=line)

    def _enter(self, matched: int, number: int, key: str = "") -> _Container:
        """Close what does not continue, and return the container of the new block; `key` ends an item's marker."""
        self._close_containers(matched)
        if self._leaf != _NO_LEAF:
            self._close_leaf()
        container = self._stack[-1]
        if (open_list := container.open_list) and open_list.key == key:
            if open_list.last < number - 1:
                open_list.token.loose = True
            return container
        container.open_list = None
        if container.owner and container.children and container.previous < number - 1:
            container.owner.token.loose = True
        return container

    def _push(
        self, kind: int, matched: int, number: int, *, key: str = "", start_number: int | None = None
    ) -> _Container:
        parent = self._enter(matched, number, key)
        container = _Container(kind, number)
        if kind == _ITEM:
            if parent.open_list is None:
                parent.open_list = _OpenList(key, start_number, number)
                parent.children.append(parent.open_list.token)
            container.owner = parent.open_list
        self._depth += _LEVELS[kind]
        self._steps += container_steps(self._depth)
        self._quotes += kind == _QUOTE
        self._colon_fences += kind == _COLON_FENCE
        self._indented_callouts += kind >= _INDENTED_CALLOUT
        self._stack.append(container)
        return container

    def _close_containers(self, matched: int) -> None:
        stack = self._stack
        while len(stack) > matched:
            if self._leaf != _NO_LEAF:
                if self._leaf == _FENCED:
                    self._note_unclosed_fence(self._line)
                self._close_leaf()
            container = stack.pop()
            self._depth -= _LEVELS[container.kind]
            self._quotes -= container.kind == _QUOTE
            self._colon_fences -= container.kind == _COLON_FENCE
            self._indented_callouts -= container.kind >= _INDENTED_CALLOUT
            self._finish(container, stack[-1])

    def _finish(self, container: _Container, parent: _Container) -> None:
        line = container.line + 1
        children = container.children
        if container.callout and container.kind == _TAB:
            self._add_tab(container, container.callout, parent.children)
        elif container.callout:
            parent.children.append(_callout_of(container, container.callout))
        elif container.kind == _QUOTE:
            parent.children.append(nodes.Quote(children, line=line))
        elif container.definitions is not None:
            definition = nodes.HtmlElement("dd", {}, children, line=line)
            if not container.is_loose and len(children) == 1 and self._is_pending(children[0]):
                definition.children = ()
                self.pending[-1] = (definition, self.pending[-1][1])
            container.definitions.append(definition)
        elif container.kind == _FOOTNOTE:
            self.footnotes.append(nodes.FootnoteDefinition(container.label, children, line=line))
        else:
            owner = container.owner
            assert owner
            owner.last = container.last
            leader = container.leader
            if container.checked is None:
                owner.items.append(nodes.ListItem(children, leader=leader, line=line))
            else:
                owner.items.append(nodes.TaskItem(children, checked=container.checked, leader=leader, line=line))

    def _add_tab(self, container: _Container, mark: "CalloutMark", siblings: list[nodes.Token]) -> None:
        """Add a folded part to the set that precedes it, else to a new one, whose first part is open."""
        tab = _callout_of(container, mark)
        assert isinstance(tab, nodes.HtmlElement)
        last = siblings[-1] if siblings else None
        # Raw HTML has not become elements yet.
        if isinstance(last, nodes.HtmlElement) and last.tag == "div" and mark.name == "tab":
            assert isinstance(last.children, list)
            first = last.children[0]
            assert isinstance(first, nodes.HtmlElement)
            tab.attributes = {"name": first.attributes["name"]}
            last.children.append(tab)
            return
        self._tab_sets += 1
        tab.attributes = {"name": f"tabs-{self._tab_sets}", "open": ""}
        siblings.append(nodes.HtmlElement("div", {}, [tab], line=tab.line_number))

    def _begin_leaf(self, leaf: int, matched: int, number: int) -> None:
        self._enter(matched, number)
        self._start_leaf(leaf, number)

    def _start_leaf(self, leaf: int, number: int) -> None:
        self._steps += LEAF_STEPS
        self._leaf = leaf
        self._line = number
        self._lines = []
        self._tried_table = False

    def _close_leaf(self) -> None:
        leaf = self._leaf
        self._leaf = _NO_LEAF
        children = self._stack[-1].children
        line = self._line + 1
        if leaf == _PARAGRAPH:
            self._close_paragraph()
        elif leaf == _FENCED:
            children.append(self._fenced_block(line))
        elif leaf == _MATH:
            content = _join_lines(self._lines).strip("\n") + "\n"
            children.append(nodes.MathBlock(content, line=line, content_line=line + (not self._lines[0])))
        elif leaf == _DISPLAY_MATH:
            assert self._display_math
            content, delimiters, _ = self._display_math
            content_line = line + self._display_math.first_line
            children.append(
                nodes.MathBlock(f"{content}\n", delimiters=delimiters, line=line, content_line=content_line)
            )
        elif leaf == _INDENTED:
            while not self._lines[-1].strip(" \t"):
                self._lines.pop()
            children.append(nodes.BlockCode(_join_lines(self._lines), line=line))
        elif leaf == _HTML and self._html is _COMMENT:
            self.comments.append((line, "\n".join(self._lines)))
        elif leaf == _HTML:
            self.has_raw_html = True
            html = "\n".join(self._lines)
            children.append(nodes.HtmlBlock(escape_disallowed_tags(html) if self._filters_tags else html, line=line))

    def _fenced_block(self, line: int) -> nodes.Token:
        content = _join_lines(self._lines)
        if self.include and "-8<-" in content:
            from mdpublish_core.readers.markdown.includes import with_included_lines

            content = with_included_lines(content, self.include)
        if not (info := self._info):
            return nodes.CodeFence(content, line=line)
        language, options = language_of(info), options_of(info)
        has_titles = "fence-titles" in self._options.extensions
        if has_titles and (language == "{" or "=" in language):
            language, options = "", options_of(f" {info.strip('{}')}")
        fence = nodes.CodeFence(content, language=language, info_string=info, options=options, line=line)
        if self._claims and self._claims(language):
            self.claimed_fences.append(fence)
            return fence
        # Late, as callouts and formulas are: short documents have few of them.
        from mdpublish_core.readers.markdown.fence_kinds import block_of_fence

        block = block_of_fence(fence, has_math=self._math, has_figures=self._figures, column=self._fence_start + 1)
        if block is fence and is_cell(info):
            self.unread.setdefault("cells", []).append(line)
        if block is fence and info != language and marks_lines(info):
            self.unread.setdefault("code-lines", []).append(line)
        if block is fence and has_titles and (title := options.get("title", "").strip()):
            self._steps += LEAF_STEPS
            caption = nodes.HtmlElement("figcaption", {}, [nodes.RawText(title)], line=line)
            return nodes.HtmlElement("figure", {}, [caption, fence], line=line)
        return block

    def _close_paragraph(self) -> None:
        source, line = self._paragraph_source()
        container = self._stack[-1]
        if source[:1] == "[" and not container.children:
            source, line = self._without_mark(container, source, line)
        source = source.rstrip(" \t")
        siblings = container.children
        if self._reads_marks and (self._is_left_out(siblings, source) or self._add_caption(siblings, source, line)):
            return
        if self.include and ("-8<-" in source or source.startswith("![[")):
            from mdpublish_core.readers.markdown.includes import INCLUDED, included_markdown

            if (markdown := included_markdown(source, self.include)) is not None:
                self.claimed_fences.append(nodes.CodeFence(markdown, info_string=INCLUDED, line=line))
                container.children.append(self.claimed_fences[-1])
                return
        if source:
            paragraph = nodes.Paragraph((), line=line)
            container.children.append(paragraph)
            self.pending.append((paragraph, source))

    def _is_left_out(self, siblings: Sequence[nodes.Token], source: str) -> bool:
        """Return whether a text is a comment, or attributes, which the block above it gets."""
        if (source[:2] == "%%" and "comments" in self._extensions) or (
            source[:3] == "{>>" and "critic" in self._extensions
        ):
            is_comment = _COMMENTS_ALONE.fullmatch(source) is not None
            self.comments += [(self._line + 1, source)] if is_comment else ()
            return is_comment
        read = read_attributes(source, 0) if source[:1] == "{" and "attributes" in self._extensions else None
        is_list = read is not None and read.end == len(source)
        if is_list and siblings and self._is_pending(siblings[-1]):
            last, last_source = self.pending[-1]
            self.pending[-1] = (last, f"{last_source} {source}")
        return is_list

    def _add_caption(self, siblings: list[nodes.Token], source: str, line: int) -> bool:
        """Add a caption to the table above it, or if its mark is general, to any block."""
        caption = read_caption(source) if siblings and "table-captions" in self._extensions else None
        if not caption or not (caption.is_general or isinstance(siblings[-1], nodes.Table)):
            return False
        shown = nodes.HtmlElement("figcaption", {}, (), line=line + caption.skipped)
        siblings[-1] = nodes.HtmlElement("figure", {}, [siblings[-1], shown], line=nodes.line_of(siblings[-1]))
        self.pending.append((shown, caption.content))
        self._steps += ELEMENT_STEPS
        return True

    def _paragraph_source(self) -> tuple[str, int]:
        source = self._lines[0] if len(self._lines) == 1 else "\n".join(self._lines)
        line = self._line + 1
        end = self._read_definitions(source) if source.startswith(("[", "*[")) else 0
        return (source[end:], line + source.count("\n", 0, end)) if end else (source, line)

    def _read_definitions(self, source: str) -> int:
        position = read_definitions(source, self.references)
        while source.startswith("*[", position) and "abbreviations" in self._extensions:
            from mdpublish_core.readers.markdown.abbreviations import read_abbreviation

            if (end := read_abbreviation(source, position, self.references)) is None:
                break
            position = read_definitions(source, self.references, end)
        return position

    def _without_mark(self, container: _Container, source: str, line: int) -> tuple[str, int]:
        if container.kind == _ITEM and self._tasks:
            if box := _TASK.match(source):
                container.checked = box[1] != " "
                return source[box.end() :], line + box[0].count("\n")
        elif container.kind == _QUOTE and self._callouts and not container.callout:
            first, _, rest = source.partition("\n")
            from mdpublish_core.readers.markdown.callouts import read_quote_mark

            if mark := read_quote_mark(first, is_custom="custom-callouts" in self._options.extensions):
                container.callout = mark
                self._set_title(container, mark)
                return rest, line + 1
        return source, line


def _callout_of(container: _Container, mark: "CalloutMark") -> nodes.Callout | nodes.HtmlElement:
    line = container.line + 1
    title = container.title
    if mark.kind:
        assert not isinstance(title, nodes.HtmlElement)
        return nodes.Callout(mark.kind, container.children, title=title, name=mark.name, fold=mark.fold, line=line)
    summary = title or nodes.HtmlElement("summary", {}, [nodes.RawText("Details")], line=line)
    return nodes.HtmlElement("details", {}, [summary, *container.children], line=line)


def _without_division(row: str, in_code: Sequence[int], in_math: Sequence[int], columns: int) -> str | None:
    """Return a row with backslashes before bars in code and formulas, where its author surely meant these."""
    for bars in (in_code, sorted((*in_code, *in_math))):
        written = escape_bars(row, bars)
        count = len(split_cells(written))
        if bars and (count == columns or (count < columns and not are_spaced(row, bars))):
            return written
    return None


def _content_start(line: str, position: int) -> int:
    if not line.startswith(" ", position):
        return position
    return len(line) - len(line[position:].lstrip(" "))


def _continued_at(containers: Sequence[_Container], line: str) -> int:
    """Return where the content of the innermost container begins, or -1 if the line ends one."""
    position = 0
    for container in containers:
        start = _content_start(line, position)
        if container.kind == _QUOTE:
            if not line.startswith(">", start) or start - position > 3:
                return -1
            position = start + 2 if line.startswith(" ", start + 1) else start + 1
        elif start == len(line):
            position = start
        elif start - position < container.indent:
            return -1
        else:
            position += container.indent
    return position


def _join_lines(lines: Sequence[str]) -> str:
    return "\n".join([*lines, ""]) if lines else ""


def _expand_tabs(line: str) -> str:
    marks = _MARKS.match(line)
    assert marks
    return marks[0].expandtabs(4) + line[marks.end() :]


def _line_from(line: str, column: int, written: str | None) -> str:
    """Return the original line from `column` on; the rest of a divided tab becomes spaces."""
    if written is None:
        return line[column:]
    marks = _MARKS.match(written)
    assert marks
    reached = 0
    for index in range(marks.end()):
        if reached >= column:
            return " " * (reached - column) + written[index:]
        reached += 4 - reached % 4 if written[index] == "\t" else 1
    return " " * (reached - column) + written[marks.end() + max(0, column - reached) :]
