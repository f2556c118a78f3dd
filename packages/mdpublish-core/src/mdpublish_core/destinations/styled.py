"""What the destinations share that style each element where it stands, since no stylesheet survives on their way.

A renderer follows the document's structure with a cursor over the template's rules, in the words of `generic`'s markup:
it enters `blockquote`, `div.callout.note` or `pre`, whatever it writes for them (a table's cell, a paragraph), and writes
what the cursor returns. So one stylesheet serves every destination. What a destination wants to know of an element is
made by its `project` function, once for each element and place.
"""

import re
from collections.abc import Callable, Hashable, Sequence
from functools import lru_cache
from typing import Generic, TypeVar

from mdpublish_core import nodes
from mdpublish_core.destinations.anchors import Anchors
from mdpublish_core.destinations.heading_marks import heading_marks
from mdpublish_core.destinations.html import HtmlRenderer
from mdpublish_core.destinations.setting import Setting, Source
from mdpublish_core.highlighting import Piece
from mdpublish_core.html import HtmlWriter
from mdpublish_core.templates.inlining import Recorder, Replay
from mdpublish_core.templates.matcher import Project, Sheet, Styles
from mdpublish_core.templates.style import Reader, Style, rules_for

T = TypeVar("T", bound=Hashable)

NBSP = "\xa0"

# Columns between tab stops, as in browsers and terminals.
_TAB = 8

_SPACES = re.compile(" {2,}")

# Enough for each destination with every built-in template in both modes that one process is likely to serve.
_SHEETS = 512


class StyledRenderer(HtmlRenderer, Generic[T]):
    """A document on its way to a destination, with the styles of the elements that are open.

    `last` tells, until a renderer writes children, whether its token is the last of its parent's.
    """

    def __init__(self, writer: HtmlWriter, document: nodes.Document, setting: Setting, styles: Styles[T]) -> None:
        super().__init__(writer)
        self.setting = setting
        self.styles = styles
        self.anchors = document.once(Anchors)
        self.in_link = False
        self.last = False
        self._marks = heading_marks(document, setting.style)

    def children(self, parent: nodes.Token) -> None:
        """Write the children of `parent`."""
        # As in `tokens`, but without a call: trees are deep, and Python counts the calls that are open.
        tokens = parent.children or ()
        methods = self.methods
        final = len(tokens) - 1
        for number, token in enumerate(tokens):
            self.last = number == final
            methods[type(token)](self, token)

    def tokens(self, tokens: Sequence[nodes.Token]) -> None:
        """Write tokens that stand one behind the other."""
        methods = self.methods
        final = len(tokens) - 1
        for number, token in enumerate(tokens):
            self.last = number == final
            methods[type(token)](self, token)

    def mark_of(self, heading: nodes.Heading | nodes.SetextHeading) -> str:
        """Return what the template puts before a heading, a space at its end."""
        return self._marks.get(id(heading), "")


@lru_cache(maxsize=_SHEETS)
def sheet(style: Style, reader: Reader, project: Project[T]) -> Sheet[T]:
    """Return a template's rules as they are compiled for one destination, with the names that its fonts have there."""
    return Sheet(rules_for(style.template, style.theme_mode, reader), project)


def write_styled(
    setting: Setting, reader: Reader, project: Project[T], write: Callable[[Setting, Styles[T]], str]
) -> str:
    """Return what `write` makes of a cursor over the template's rules.

    Where a caller's own stylesheet lies on top, it is called twice: once to record which elements there are, with a setting
    that is thrown away, and then with what the rules of both stylesheets come to for each of them.
    """
    compiled = sheet(setting.style, reader, project)
    if not setting.overlay:
        return write(setting, compiled.cursor())
    recorder = Recorder(compiled)
    write(setting.trial(), recorder)
    template = rules_for(setting.style.template, setting.style.theme_mode, reader)
    return write(setting, Replay(recorder, template, setting.overlay, project))


def code_lines(setting: Setting, token: Source) -> list[list[Piece]]:
    """Return code as lines of pieces by role, with spaces that every reader shows."""
    lines: list[list[Piece]] = [[]]
    for role, text in setting.code(token):
        first, *others = text.split("\n")
        if first:
            lines[-1].append((role, first))
        lines += [[(role, other)] if other else [] for other in others]
    if len(lines) > 1 and not lines[-1]:
        lines.pop()  # what ends the last line begins no line of its own
    return [_with_kept_spaces(line) for line in lines]


def _with_kept_spaces(line: list[Piece]) -> list[Piece]:
    """Return a line whose spaces show where `white-space` means nothing: tabs as spaces, and all but one of a run fixed."""
    kept: list[Piece] = []
    column = 0
    for role, piece in line:
        text = piece
        if "\t" in text:
            text = (" " * (column % _TAB) + text).expandtabs(_TAB)[column % _TAB :]
        column += len(text)
        if "  " in text:
            text = _SPACES.sub(lambda run: NBSP * (len(run[0]) - 1) + " ", text)
        kept.append((role, text))
    if kept and kept[0][1][0] in {" ", NBSP}:
        role, text = kept[0]
        words = text.lstrip(f" {NBSP}")
        kept[0] = (role, NBSP * (len(text) - len(words)) + words)
    return kept
