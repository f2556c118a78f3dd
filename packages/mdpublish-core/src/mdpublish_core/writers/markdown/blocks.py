"""Blocks as lines of Markdown.

Each line is written once, below the prefix of the quotes and lists around it: the output is linear in the tree and its
depth, which parsers and `require_tree` limit.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import takewhile

from mdpublish_core import nodes
from mdpublish_core.html import exact_tag
from mdpublish_core.nodes.comments import is_comment
from mdpublish_core.readers.markdown.callouts import CalloutMark, read_indented_mark, read_quote_mark
from mdpublish_core.readers.markdown.fancy_lists import read_marker
from mdpublish_core.readers.markdown.fence_kinds import kind_of_fence
from mdpublish_core.readers.markdown.raw_html import unescape_disallowed_tags
from mdpublish_core.resources.figure_kinds import MATH_KIND
from mdpublish_core.strings.lazy_patterns import compile_lazily
from mdpublish_core.writers.markdown.escapes import definition_of, escape_mark, fence_of, info_string, word_option
from mdpublish_core.writers.markdown.filling import filled
from mdpublish_core.writers.markdown.html_blocks import html_lines, is_inline
from mdpublish_core.writers.markdown.inlines import COMMENT, InlineStyle, InlineWriter
from mdpublish_core.writers.markdown.rereading import SEPARATOR, Dialect, are_equal, flowed
from mdpublish_core.writers.markdown.spacing import ends_in_html, interrupts, is_open, is_underlined, merges
from mdpublish_core.writers.markdown.tables import table_lines
from mdpublish_core.writers.plain_text.text_width import display_width
from mdpublish_core.writers.renderer import Renderer

_DEFINITION = definition_of(*SEPARATOR)

_TASK = compile_lazily(r"\[[ xX]\](?:[ \t\n]|$)")
_TAG_ALONE = compile_lazily(r"<[^<>]*>$")
_MARKS_ALONE = compile_lazily(r"(?:(?:-[ ]*){3,}|(?:\*[ ]*){3,})$")

_MAX_UNDERLINE = 80

_STRUCTURES = frozenset({"table", "thead", "tbody", "tfoot", "tr", "ol", "ul", "dl"})
"""Elements that have only elements."""

_PREFERRED = _STRUCTURES | {"td", "th", "li", "dt", "dd", "p", "summary", "caption", "figcaption"}
"""Elements whose content is HTML if it can be: Markdown in them needs empty lines."""


def with_comments(blocks: Iterable[nodes.Token], comments: Sequence[tuple[int, str]]) -> Iterator[nodes.Token]:
    """Yield blocks, and comments before the first one below their line, each as what is written as it is."""
    left = [*reversed(comments)]
    for block in blocks:
        while left and left[-1][0] < (nodes.line_of(block) or 0):
            yield nodes.HtmlBlock(left.pop()[1])
        yield block
    yield from (nodes.HtmlBlock(source) for _, source in reversed(left))


class BlockWriter(Renderer):
    """Writes the blocks of one document, with lines of at most `wrap` columns if it is given."""

    def __init__(self, dialect: Dialect, wrap: int | None) -> None:
        super().__init__()
        self.lines: list[str] = []
        self._dialect = dialect
        self._inlines = InlineWriter(dialect)
        self._wrap = None if dialect.has("breaks") else wrap
        self._prefix = ""
        self._marker: str | None = None
        self._is_tight, self._place = False, ""
        # As MkDocs has them, which knows no fences of colons.
        self._is_indented = dialect.has("indented-admonitions") and not dialect.has("admonitions")

    def document(self, blocks: Iterable[nodes.Token]) -> None:
        """Write the blocks of a document, definitions of footnotes among them."""
        blocks = list(blocks)
        self.blocks(blocks)
        definitions = [definition_of(*each) for each in self._dialect.references.values() if each != SEPARATOR]
        if definitions and blocks and is_open(blocks[-1]):
            self.lines = [*definitions, "", *self.lines]
        elif definitions:
            self.lines += [""] * bool(self.lines) + definitions

    def blocks(self, children: Sequence[nodes.Token], *, is_tight: bool = False, place: str = "") -> None:
        """Write blocks one after another; `place` is where the first of them stands."""
        previous: nodes.Token | None = None
        for block in children:
            if previous is not None:
                self._separate(previous, block, is_tight=is_tight)
            lines = html_lines(block) if is_tight and self._is_html(previous) else None
            if lines:
                self._add(lines)
            else:
                is_next_set = previous is not None and is_tab_set(previous) and is_tab_set(block)
                here = "tabs" if is_next_set else place if previous is None else "after"
                self.block(block, is_tight=is_tight, place=here)
                previous = block

    def block(self, block: nodes.Token, *, is_tight: bool = False, place: str = "") -> None:
        self._is_tight, self._place = is_tight, place
        self.block_methods[type(block)](self, block)

    def _separator(self) -> str:
        return COMMENT if self._dialect.writes_html else _DEFINITION

    def _blank(self) -> None:
        self._line("")

    def _line(self, written: str) -> None:
        start = self._start()
        self._marker = None
        self.lines.append(start + written if written else start.rstrip(" "))

    def _add(self, lines: Sequence[str]) -> None:
        for line in lines:
            self._line(line)

    def _start(self) -> str:
        return self._prefix if self._marker is None else self._marker

    @contextmanager
    def _container(self, first: str, rest: str) -> Iterator[None]:
        """Write the content of a container, of which `first` begins the first line and `rest` the others."""
        outer = self._prefix
        self._marker = self._start() + first
        self._prefix = outer + rest
        yield
        if self._marker is not None:
            self._line("")
        self._prefix = outer

    def _separate(self, previous: nodes.Token, block: nodes.Token, *, is_tight: bool) -> None:
        if is_tight and self._is_html(previous) and html_lines(block):
            return
        are_one = merges(previous, block) or self._continues(previous, block)
        if is_tight:
            # Elsewhere, paragraphs follow each other where one is the source of HTML and interrupts the other.
            if are_one or (self._dialect.writes_html and not interrupts(previous, block)):
                self._line(self._separator())
            return
        if not ends_in_html(previous):
            self._blank()
        if are_one:
            self._line(self._separator())
            self._blank()

    def _is_html(self, block: nodes.Token | None) -> bool:
        """Whether a block is written as an element of HTML."""
        if not isinstance(block, nodes.HtmlElement) or self._is_titled_code(block):
            return False
        return not (self._is_indented and is_tab_set(block))

    def _continues(self, previous: nodes.Token, block: nodes.Token) -> bool:
        """Whether a block would belong to one of an optional extension."""
        if self._is_indented and (isinstance(previous, nodes.Callout) or is_tab_set(previous)):
            return isinstance(block, nodes.BlockCode)
        if isinstance(previous, nodes.HtmlElement) and previous.tag == "dl" and self._dialect.has("definition-lists"):
            return isinstance(block, nodes.BlockCode) or (isinstance(block, nodes.HtmlElement) and block.tag == "dl")
        is_figure = isinstance(block, nodes.HtmlElement) and block.tag == "figure"
        return is_figure and isinstance(previous, nodes.Table) and self._dialect.has("table-captions")

    def _html_lines(self, block: nodes.Token) -> list[str] | None:
        return html_lines(block) if self._dialect.writes_html else None

    def _inline_text(
        self, block: nodes.Token, frame: Callable[[str], str], *, is_line: bool = False
    ) -> tuple[str, bool]:
        block, comments = self._parted(block)

        def check(written: str) -> bool:
            # What follows must not belong to it, as it would to a tag that begins HTML. With `breaks`, only HTML that
            # is shown as its source has line ends that are no hard breaks.
            is_source = self._dialect.has("breaks") and self._dialect.options.raw_html == "escape"
            following = "\n\nx" if "<" in written and not is_source else ""
            read = self._dialect.read(frame(written + comments) + following)
            return len(read) == 1 + bool(following) and are_equal(read[:1], [block])

        written, is_read = self._inlines.write(block.children, check, is_line=is_line)
        return (written + comments if written else comments[1:]), is_read

    def _parted(self, block: nodes.Token) -> tuple[nodes.Token, str]:
        """Return a block without the comments at its end, which are read as nothing, and these as they are written."""
        comments = list(takewhile(is_comment, reversed(block.children))) if self._dialect.writes_html else []
        if not comments:
            return block, ""
        written = "".join(f" {token.content}" for token in filter(is_comment, reversed(comments)))
        return nodes.replace(block, children=block.children[: -len(comments)]), written

    def render_paragraph(self, block: nodes.Paragraph) -> None:
        place = self._place
        is_last = self._dialect.has("block-ids") or self._dialect.writes_html
        form = ("block-ids", " ^{}") if is_last else ("attributes", "\n{{#{}}}")
        shown, end = self._without_anchor(block, *form)
        if end and self._dialect.read(f"x{end}")[0].children[:1] == block.children[:1]:
            written, is_read = (
                self._inline_text(shown, lambda written: written or "x") if shown.children else ("", True)
            )
            written = f"{written}{end}".lstrip()
        else:
            written, is_read = self._inline_text(block, str)
        lines = None if is_read else self._fallback(block)
        if lines:
            self._add(lines)
            return
        if self._wrap is not None:
            written = self._wrapped(block, written)
        first, _, _ = written.partition("\n")
        is_mark = (
            (place == "item" and self._dialect.has("tasklist") and _TASK.match(written))
            or (written.startswith("%%") and self._dialect.has("comments"))
            or (place == "quote" and self._read_quote_mark(first))
            or (
                self._marker is not None
                and first in {"-", "--", "*", "**"}
                and _MARKS_ALONE.search(self._marker + first)
            )
        )
        if place == "task" and first != written and _TAG_ALONE.match(first):
            # After the box, it would begin no block.
            self.lines.append(self._start())
            self._marker = None
            self._blank()
        if place == "after" and (self._dialect.has("definition-lists") or self._dialect.has("table-captions")):
            written = escape_mark(written)
        self._add((f"\\{written}" if is_mark else written).split("\n"))

    def _fallback(self, block: nodes.Paragraph) -> list[str] | None:
        """Return a paragraph that Markdown alone cannot say."""
        if self._dialect.writes_html:
            return html_lines(block)
        # After a definition, a tag begins no block.
        written = self._inlines.styled_text(block.children, InlineStyle())
        lines = [_DEFINITION, *(f"    {line}" for line in written.split("\n"))]
        return lines if are_equal(self._dialect.read("\n".join(lines)), [block]) else None

    def _wrapped(self, block: nodes.Paragraph, written: str) -> str:
        assert self._wrap is not None
        shown, comments = self._parted(block)
        if not written.endswith(comments):
            return written
        written = written.removesuffix(comments)
        width = self._wrap - display_width(self._prefix)
        wrapped = "\n".join(
            line for part in self._inlines.wrapped(shown.children, written).split("\n") for line in filled(part, width)
        )
        read = self._dialect.read(wrapped)
        is_same = len(read) == 1 and are_equal(flowed(read[0].children), flowed(shown.children))
        return (wrapped if is_same and isinstance(read[0], nodes.Paragraph) else written) + comments

    def render_thematic_break(self, _block: nodes.ThematicBreak) -> None:
        # Not what underlines a heading, begins front matter or has the mark of an item.
        is_first = not self.lines and self._marker is None
        self._line("---" if self._place == "after" and not self._is_tight else "***" if is_first else "___")

    def render_heading(self, block: nodes.Heading | nodes.SetextHeading) -> None:
        if is_underlined(block):
            self._setext_heading(block)
            return
        mark = "#" * block.level
        shown, end = self._without_anchor(block, "attributes", " {{#{}}}")
        written, is_read = self._inline_text(shown, lambda written: f"{mark} {written}", is_line=True)
        lines = None if is_read else self._html_lines(block)
        self._add(lines or [f"{mark} {written}{end}".rstrip(" ")])

    def _without_anchor(self, block: nodes.Token, extension: str, form: str) -> tuple[nodes.Token, str]:
        """Return a block without the anchor that begins it, and how an extension writes it at the end."""
        anchor = block.children[0] if block.children and self._dialect.has(extension) else None
        if not isinstance(anchor, nodes.HtmlElement) or anchor.attributes.keys() != {"name"} or anchor.children:
            return block, ""
        return nodes.replace(block, children=block.children[1:]), form.format(anchor.attributes["name"])

    def _setext_heading(self, block: nodes.SetextHeading) -> None:
        mark = "=" if block.level == 1 else "-"
        shown, end = self._without_anchor(block, "attributes", " {{#{}}}")
        written, _ = self._inline_text(shown, lambda written: f"{written}\n{mark * 3}")
        written += end
        lines = written.split("\n")
        self._add([*lines, mark * max(3, min(_MAX_UNDERLINE, display_width(lines[-1])))])

    def render_quote(self, block: nodes.Quote) -> None:
        with self._container("> ", "> "):
            self.blocks(block.children, place="quote")

    def render_callout(self, block: nodes.Callout) -> None:
        title = self._title(block.title.children) if block.title else ""
        mark = self._read_quote_mark(f"{block.marker} {title}".rstrip())
        fold = {"": "!!!", "-": "???", "+": "???+"}[block.fold]
        indented = " ".join([fold, block.name, *([f'"{title}"'] if title else [])])
        is_indented = self._is_indented and read_indented_mark(indented) == (block.kind, block.name, block.fold, title)
        if (
            not is_indented
            and mark
            and mark[:3] == (block.kind, block.name, block.fold)
            and bool(mark.title) == bool(title)
        ):
            with self._container("> ", "> "):
                self._marked_quote(f"{block.marker} {title}".rstrip(), block.children)
        elif block.fold or is_indented:
            self._line(indented)
            self._contain_lines("    ", block.children)
        else:
            self._fenced(block.name or block.kind, title, block.children)

    def _read_quote_mark(self, line: str) -> CalloutMark | None:
        is_custom = self._dialect.has("custom-callouts")
        return read_quote_mark(line, is_custom=is_custom) if self._dialect.has("callout") else None

    def _title(self, children: Sequence[nodes.Token]) -> str:
        # As in a heading, nothing in it begins a block.
        written, _ = self._inline_text(nodes.Heading(1, children), lambda written: f"# {written}", is_line=True)
        return written.replace("\n", " ")

    def _marked_quote(self, mark: str, children: Sequence[nodes.Token]) -> None:
        self._line(mark)
        if children:
            lines = len(self.lines)
            self.blocks(children, place="callout")
            first = self.lines[lines].removeprefix(self._prefix)
            if not isinstance(children[0], nodes.Paragraph) or first.startswith(tuple("<[=-|:")):
                self.lines.insert(lines, self._prefix.rstrip(" "))

    def _contain_lines(self, prefix: str, children: Sequence[nodes.Token]) -> None:
        outer, self._prefix = self._prefix, self._prefix + prefix
        if children:
            self._blank()
            self.blocks(children)
        self._prefix = outer

    def _fenced(self, name: str, title: str, children: Sequence[nodes.Token]) -> None:
        is_bracketed = title.startswith(("[", "{")) or title.endswith(":::")
        self._line(f"::: {name}{f'[{title}]' if is_bracketed else title and f' {title}'}")
        self._contain_lines("", children)
        if children:
            self._blank()
        self._line(":::")

    def render_list(self, block: nodes.List) -> None:
        for number, item in enumerate(block.children):
            if number and block.loose:
                self._blank()
            leader = item.leader
            if block.start is not None and not self._is_marker(leader, block, number):
                leader = block.label(number) if self._dialect.has("fancy-lists") else f"{block.start + number}."
            elif block.start is None and len(leader) != 1:
                leader = "-"
            if not item.children and _MARKS_ALONE.search(self._start() + leader):
                self._line("")
            # A capital and a period may begin a name.
            space = "  " if leader[:1].isupper() and leader[1:] == "." else " "
            with self._container(leader + space, " " * len(leader + space)):
                self._item(item, block)

    def _is_marker(self, leader: str, block: nodes.List, number: int) -> bool:
        if not self._dialect.has("fancy-lists"):
            return leader[:-1].isdigit()
        marker = read_marker(f"{leader}  ", 0, block.numbering if number else None)
        return (
            marker is not None and marker.numbering == block.numbering and (marker.number == block.start or number > 0)
        )

    def _item(self, item: nodes.ListItem, block: nodes.List) -> None:
        children = item.children
        place = "item"
        if isinstance(item, nodes.TaskItem):
            place = "task"
            box = f"[{'x' if item.checked else ' '}] "
            if children and isinstance(children[0], nodes.Paragraph):
                self._marker = self._start() + box
            else:
                self._line(box)
        # The box is no line of a heading, and nothing that cannot interrupt a paragraph follows it.
        if place == "task" and children and _interrupts_nothing(children[0]):
            self._blank()
        self.blocks(children, is_tight=not block.loose, place=place)
        if block.loose and len(block.children) == 1 and len(children) == 1:
            self._blank()
            self._line(self._separator())

    def render_footnote_definition(self, note: nodes.FootnoteDefinition) -> None:
        with self._container(f"[^{note.label}]: ", "    "):
            if any(map(_is_below_label, note.children[:1])):
                self._line("")
            self.blocks(note.children)

    def render_code_block(self, block: nodes.CodeFence | nodes.BlockCode) -> None:
        if isinstance(block, nodes.BlockCode):
            for line in block.content.removesuffix("\n").split("\n"):
                self._line(f"    {line}" if line else "")
            return
        kind = kind_of_fence(block.language, block.content)
        is_figure = kind is not None and self._dialect.has("math" if kind is MATH_KIND else "figure")
        if is_figure and (lines := self._html_lines(block)):
            self._add(lines)
        else:
            self._fence(block.content, info_string(block.info_string))

    def _fence(self, content: str, info: str) -> None:
        mark = fence_of(content, "~" if "`" in info else "`", 3)
        lines = content.removesuffix("\n").split("\n") if content else []
        self._add([mark + info, *lines, mark])

    def render_figure(self, block: nodes.Figure) -> None:
        self._fence(block.content, self._info(block.language, block.options))

    def _info(self, language: str, options: Mapping[str, str]) -> str:
        return info_string(" ".join([language, *(word_option(*option) for option in options.items())]))

    def render_math_block(self, block: nodes.MathBlock) -> None:
        content = block.content.removesuffix("\n")
        written = f"$$\n{content}\n$$"
        if block.delimiters is not None:
            written = content.join(block.delimiters)
        if not block.options and self._dialect.read(written) == [block]:
            self._add(written.split("\n"))
        else:
            self._fence(block.content, self._info("math", block.options))

    def render_table(self, block: nodes.Table) -> None:
        alignments = [cell.align for cell in block.header.children]
        rows = [block.header, *block.children]
        is_read = all([cell.align for cell in row.children] == alignments for row in rows)
        cell_texts: list[list[str]] = []
        for row in rows:
            cells = [self._cell(cell) for cell in row.children]
            is_read = is_read and all(is_cell_read for _, is_cell_read in cells)
            cell_texts.append([written for written, _ in cells])
        lines = None if is_read else self._html_lines(block)
        self._add(lines or table_lines(cell_texts, alignments))

    def _cell(self, cell: nodes.TableCell) -> tuple[str, bool]:
        shown, comments = self._parted(cell)

        def check(written: str) -> bool:
            read = self._dialect.read("|{}|\n|-|".format(f"{written}{comments}".replace("|", "\\|")))
            if len(read) != 1 or not isinstance(read[0], nodes.Table):
                return False
            return are_equal(read[0].header.children[0].children, shown.children)

        written, is_read = self._inlines.write(shown.children, check, is_line=True)
        return f"{written}{comments}".replace("|", "\\|").replace("\n", " "), is_read

    def render_html_block(self, block: nodes.HtmlBlock) -> None:
        content = block.content
        if self._dialect.has("tagfilter") and self._dialect.options.raw_html == "keep":
            content = unescape_disallowed_tags(content)
        if content[:1] == " " and self._marker is not None and not self._marker.endswith("> "):
            self._line("")
        self._add(content.split("\n"))

    def _is_titled_code(self, block: nodes.HtmlElement) -> bool:
        """Whether an element is what a fence with a title was read as."""
        if not (self._dialect.has("fence-titles") and block.tag == "figure" and len(block.children) == 2):
            return False
        caption, code = block.children
        title = code.options.get("title", "").strip() if isinstance(code, nodes.CodeFence) else ""
        return bool(title) and caption == nodes.HtmlElement("figcaption", {}, [nodes.RawText(title)])

    def _tabs(self, block: nodes.HtmlElement, mark: str, *, is_tight: bool) -> None:
        for tab in block.children:
            summary, *children = tab.children
            self._line(f'{mark} "{self._title(summary.children)}"')
            self._contain_lines("    ", children)
            if tab is not block.children[-1] and not is_tight:
                self._blank()
            mark = "==="

    def render_html_element(self, block: nodes.HtmlElement) -> None:
        is_tight = self._is_tight
        if self._is_indented and is_tab_set(block):
            self._tabs(block, "===!" if self._place == "tabs" else "===", is_tight=is_tight)
            return
        if self._is_titled_code(block):
            self.render_code_block(block.children[1])  # type: ignore[arg-type]
            return
        if not self._dialect.writes_html and block.tag == "details":
            summary, *children = block.children
            self._fenced("details", self._title(summary.children), children)
            return
        if not is_tight and not block.attributes and self._by_extension(block):
            return
        lines = html_lines(block) if is_tight or block.tag in _PREFERRED else None
        if lines:
            self._add(lines)
            return
        start, end = exact_tag(block.tag, block.attributes)
        self._line(start)
        children = list(block.children)
        if children and is_inline(children[0]):
            children = [nodes.Paragraph(children)]
        while children and _is_outside_markdown(block, children[0]):
            self.block(children.pop(0), is_tight=is_tight)
        if children:
            self._blank()
            self.blocks(children)
            self._blank()
        self._line(end)

    def _by_extension(self, block: nodes.HtmlElement) -> bool:
        """Write a definition list, or a block with a caption, by its extension if it has a form there."""
        lines: list[str] = []
        if block.tag == "dl" and self._dialect.has("definition-lists"):
            for child in block.children:
                inner = self._lines_of(child.children)
                if isinstance(child, nodes.HtmlElement) and child.tag == "dt":
                    lines += [""] * (bool(lines) and lines[-1].startswith((":", " "))) + inner
                else:
                    is_loose = len(child.children) == 1 and isinstance(child.children[0], nodes.Paragraph)
                    indented = [f"    {line}".rstrip(" ") for line in inner]
                    lines += ["" for _ in range(is_loose)] + [":   " + inner[0], *indented[1:]] if inner else []
        elif block.tag == "figure" and len(block.children) == 2 and self._dialect.has("table-captions"):
            first, last = block.children
            if isinstance(last, nodes.Table):
                lines = ["Table: " + "\n".join(self._lines_of(first.children)), "", *self._lines_of([last])]
            else:
                form = ": {}" if isinstance(first, nodes.Table) else "/// caption\n{}\n///"
                lines = [*self._lines_of([first]), "", form.format("\n".join(self._lines_of(last.children)))]
        written = "\n".join(lines)
        if not lines or not are_equal(self._dialect.read(written), [block]):
            return False
        self._add(written.split("\n"))
        return True

    def _lines_of(self, children: Sequence[nodes.Token]) -> list[str]:
        writer = BlockWriter(self._dialect, None)
        children = children or ()
        writer.blocks([nodes.Paragraph(children)] if any(map(is_inline, children[:1])) else children)
        return writer.lines


def _interrupts_nothing(block: nodes.Token) -> bool:
    if isinstance(block, nodes.List):
        return block.start not in {None, 1} or not block.children[0].children
    return isinstance(block, nodes.BlockCode) or is_underlined(block)


def is_tab_set(block: nodes.Token) -> bool:
    """Whether a block is what tabs were read as: folded parts of which one is open."""
    if not isinstance(block, nodes.HtmlElement) or block.tag != "div" or block.attributes or not block.children:
        return False
    for index, tab in enumerate(block.children):
        if not isinstance(tab, nodes.HtmlElement) or tab.tag != "details" or not tab.children:
            return False
        summary, name = tab.children[0], tab.attributes.get("name", "")
        is_titled = isinstance(summary, nodes.HtmlElement) and summary.tag == "summary" and summary.children
        if not is_titled or not name.startswith("tabs-") or ("open" in tab.attributes) is (index > 0):
            return False
    return True


def _is_below_label(block: nodes.Token) -> bool:
    """Whether the first block of a footnote begins on the next line."""
    return is_underlined(block) or not isinstance(block, nodes.Paragraph | nodes.Heading | nodes.SetextHeading)


def _is_outside_markdown(element: nodes.HtmlElement, child: nodes.Token) -> bool:
    """Whether a child of an element is written below its tag, without an empty line."""
    return isinstance(child, nodes.HtmlElement) and (
        element.tag in _STRUCTURES or child.tag in {"summary", "figcaption", "caption"}
    )
