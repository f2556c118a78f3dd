"""What the destinations share that style each element where it stands, since no stylesheet survives on their way.

A renderer follows the document's structure with a cursor over the template's rules, in the words of `generic`'s markup:
it enters `blockquote`, `div.callout.note` or `pre`, whatever it writes for them (a table's cell, a paragraph), and writes
what the cursor returns. So one stylesheet serves every destination. What a destination wants to know of an element is
made by its `make_style` function, once for each element and place.
"""

import re
from collections.abc import Callable, Hashable, Sequence
from functools import lru_cache
from typing import Generic, TypeVar

from mdpublish_core import nodes
from mdpublish_core.destinations.anchors import Anchors
from mdpublish_core.destinations.context import CodeToken, RenderContext
from mdpublish_core.destinations.heading_numbering import number_headings
from mdpublish_core.destinations.html import HtmlRenderer
from mdpublish_core.highlighting.highlighter import CodeSpan
from mdpublish_core.html import HtmlWriter
from mdpublish_core.templates.inlining import Collector, Inliner
from mdpublish_core.templates.matcher import CompiledStylesheet, StyleFactory, Styles
from mdpublish_core.templates.style import Reader, Style, rules_for

T = TypeVar("T", bound=Hashable)

NBSP = "\xa0"

# Columns between tab stops, as in browsers and terminals.
_TAB_WIDTH = 8

_SPACE_RUN = re.compile(" {2,}")

# Enough for each destination with every built-in template in both modes that one process is likely to serve.
_MAX_STYLESHEETS = 512


class InlineStyleRenderer(HtmlRenderer, Generic[T]):
    """A document on its way to a destination, with the styles of the elements that are open.

    `is_last` tells, until a renderer writes children, whether its token is the last of its parent's.
    """

    def __init__(self, writer: HtmlWriter, document: nodes.Document, context: RenderContext, styles: Styles[T]) -> None:
        super().__init__(writer, context.notices)
        self.context = context
        self.styles = styles
        self.anchors = document.cached(Anchors)
        self.in_link = False
        self.is_last = False
        self._heading_prefixes = number_headings(document, context.style)

    def write_children(self, parent: nodes.Token) -> None:
        """Write the children of `parent`."""
        # As in `write_tokens`, but without a call: trees are deep, and Python counts the calls that are open.
        tokens = parent.children or ()
        methods = self.methods
        final = len(tokens) - 1
        for number, token in enumerate(tokens):
            self.is_last = number == final
            methods[type(token)](self, token)

    def write_tokens(self, tokens: Sequence[nodes.Token]) -> None:
        """Write tokens that stand one behind the other."""
        methods = self.methods
        final = len(tokens) - 1
        for number, token in enumerate(tokens):
            self.is_last = number == final
            methods[type(token)](self, token)

    def heading_prefix(self, heading: nodes.Heading | nodes.SetextHeading) -> str:
        """Return what the template puts before a heading, a space at its end."""
        return self._heading_prefixes.get(id(heading), "")


@lru_cache(maxsize=_MAX_STYLESHEETS)
def compile_stylesheet(style: Style, reader: Reader, make_style: StyleFactory[T]) -> CompiledStylesheet[T]:
    """Return a template's rules as they are compiled for one destination, with the names that its fonts have there."""
    return CompiledStylesheet(rules_for(style.template, style.theme_mode, reader), make_style)


def render_inline_styles(
    context: RenderContext,
    reader: Reader,
    make_style: StyleFactory[T],
    write: Callable[[RenderContext, Styles[T]], str],
) -> str:
    """Return what `write` makes of a cursor over the template's rules.

    Where a caller's own stylesheet lies on top, it is called twice: once to record which elements there are, with a setting
    that is thrown away, and then with what the rules of both stylesheets come to for each of them.
    """
    stylesheet = compile_stylesheet(context.style, reader, make_style)
    if not context.user_rules:
        return write(context, stylesheet.cursor())
    collector = Collector(stylesheet)
    write(context.for_collector(), collector)
    template = rules_for(context.style.template, context.style.theme_mode, reader)
    return write(context, Inliner(collector, template, context.user_rules, make_style))


def split_code_lines(context: RenderContext, token: CodeToken) -> list[list[CodeSpan]]:
    """Return code as lines of pieces by role, with spaces that every reader shows."""
    lines: list[list[CodeSpan]] = [[]]
    for role, content in context.highlight_code(token):
        first, *others = content.split("\n")
        if first:
            lines[-1].append((role, first))
        lines += [[(role, other)] if other else [] for other in others]
    if len(lines) > 1 and not lines[-1]:
        lines.pop()  # what ends the last line begins no line of its own
    return [_preserve_spaces(line) for line in lines]


def _preserve_spaces(line: list[CodeSpan]) -> list[CodeSpan]:
    """Return a line whose spaces show where `white-space` means nothing: tabs as spaces, and all but one of a run fixed."""
    preserved: list[CodeSpan] = []
    column = 0
    for role, piece in line:
        content = piece
        if "\t" in content:
            content = (" " * (column % _TAB_WIDTH) + content).expandtabs(_TAB_WIDTH)[column % _TAB_WIDTH :]
        column += len(content)
        if "  " in content:
            content = _SPACE_RUN.sub(lambda run: NBSP * (len(run[0]) - 1) + " ", content)
        preserved.append((role, content))
    if preserved and preserved[0][1][0] in {" ", NBSP}:
        role, content = preserved[0]
        words = content.lstrip(f" {NBSP}")
        preserved[0] = (role, NBSP * (len(content) - len(words)) + words)
    return preserved
