"""Checks what more than one node of a tree takes part in: its depth, links, footnotes, and the budget of its document.

What a node is, its constructor has checked (`node_rules`). What plug-ins return is copied: only the copy is changed.
"""

import sys
from collections.abc import Mapping, Sequence
from typing import Any, cast

from mdpublish_core import nodes
from mdpublish_core.errors import InvalidArgument, LimitExceeded
from mdpublish_core.nodes.rules import BLOCKS, INLINES, is_node, shown
from mdpublish_core.nodes.tokens import OPEN, slots_of
from mdpublish_core.options.budget import INLINE_STEPS, LEAF_STEPS, Budget
from mdpublish_core.options.limits import Limits
from mdpublish_core.strings.positions import Span

NO_FOOTNOTES: Mapping[str, int] = {}

_RAW_HTML = frozenset({nodes.HtmlBlock, nodes.HtmlSpan})


class InvalidTree(Exception):  # noqa: N818  (named after the fault)
    """A tree is wrong: the message says what is allowed."""


class TooDeep(InvalidTree):
    """A tree that renderers, which recurse, cannot render."""


def require_tree(document: nodes.Document, limits: Limits) -> None:
    """Raise `InvalidArgument` if a document built by hand cannot be rendered, `LimitExceeded` if it is too deep."""
    max_depth = 2 * limits.max_depth
    copier = TreeCopier(Budget(sys.maxsize), max_depth=max_depth, lines=range(0), line=None, footnotes=None)
    try:
        copier.copy_all(document.children, 1)
        copier.copy_all(document.footnote_definitions, 1)
    except TooDeep:
        raise LimitExceeded("max_depth", max_depth, max_depth + 1) from None
    except InvalidTree as error:
        raise InvalidArgument("document", f"is not valid: {error}") from None


def footnote_numbers(document: nodes.Document) -> Mapping[str, int]:
    """Return the footnotes that may be referenced, labels with numbers."""
    return {definition.label: definition.number for definition in document.footnote_definitions}


def steps_of(node: nodes.Token) -> int:
    """Return what a node takes of its document's budget."""
    return INLINE_STEPS if type(node).__name__ in INLINES else LEAF_STEPS


class TreeCopier:
    """Copies checked nodes; raises `InvalidTree`, and `BudgetExhausted` past the budget.

    `max_depth` is the greatest level. `footnotes` are those that may be referenced, labels with numbers, or None for
    any. Blocks without a line, or with one that is not in `lines`, get `line`; inlines keep the document's `spans`.
    """

    def __init__(
        self,
        budget: Budget,
        *,
        max_depth: int,
        lines: range,
        line: int | None,
        footnotes: Mapping[str, int] | None = NO_FOOTNOTES,
        spans: frozenset[Span] = frozenset(),
    ) -> None:
        self.image_characters = 0
        self.has_raw_html = False
        self._budget = budget
        self._max_depth = max_depth
        self._footnotes = footnotes
        self._lines = lines
        self._line = line
        self._spans = spans
        self._in_link = False

    def copy_blocks(self, blocks: Sequence[object], level: int, origin: str) -> list[nodes.Token]:
        """Return copies of what must be blocks."""
        for block in blocks:
            if not is_node(block, BLOCKS):
                raise InvalidTree(f"{origin} must be a block, such as nodes.Paragraph (got {shown(block)})")
        return self.copy_all(cast("Sequence[nodes.Token]", blocks), level)

    def copy_all(self, tokens: Sequence[Any], level: int) -> list[Any]:
        """Return copies that are open to changes."""
        return [self._copy(token, level) for token in tokens]

    def _copy(self, node: nodes.Token, level: int) -> nodes.Token:
        kind: Any = type(node)
        if level > self._max_depth:
            raise TooDeep(f"nodes must nest at most {self._max_depth} levels deep")
        self._budget.spend(steps_of(node))
        copied: Any = object.__new__(OPEN[kind])
        for name in slots_of(kind):
            setattr(copied, name, getattr(node, name))
        is_link = isinstance(node, nodes.Link) or (isinstance(node, nodes.HtmlElement) and node.tag == "a")
        if is_link and self._in_link:
            raise InvalidTree("a link must not contain another")
        outer, self._in_link = self._in_link, self._in_link or is_link
        if "children" in slots_of(kind):
            copied.children = self.copy_all(node.children, level + 1)
        self._in_link = outer
        self.has_raw_html |= kind in _RAW_HTML
        self._finish(node, copied, level)
        if isinstance(node, nodes.BlockToken):
            copied.line_number = self._line_of(node.line_number) or self._line
        elif isinstance(node, nodes.SpanToken) and node.span and node.span not in self._spans:
            copied.span = None
        return cast("nodes.Token", copied)

    def _line_of(self, line: object) -> int | None:
        """Return a line of the source; a plug-in may have given a wrong one."""
        return line if isinstance(line, int) and line in self._lines else None

    def _finish(self, node: nodes.Token, copied: Any, level: int) -> None:
        match node:
            case nodes.Callout(title=nodes.Paragraph() as title):
                copied.title = self._copy(title, level + 1)
            case nodes.Table():
                copied.header = self._copy(node.header, level + 1)
            case nodes.MathBlock():
                copied.content_line = self._line_of(node.content_line)
            case nodes.Image() if node.src[:5].lower() == "data:":
                self.image_characters += len(node.src)
            case nodes.FootnoteReference() if self._footnotes is not None:
                if self._footnotes.get(node.label) != node.number:
                    raise InvalidTree(
                        f"a nodes.FootnoteReference must be to a footnote of the document (got {node.label!r:.60})"
                    )
