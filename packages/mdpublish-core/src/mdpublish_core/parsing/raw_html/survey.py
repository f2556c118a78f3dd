"""A look at all the raw HTML of a tree: its pieces, where it stands, and which of its tags are closed.

Whether an element goes on past its paragraph depends on whether a tag closes it, so tags are paired before anything is
built. The bounds of Markdown part them: those in a list item pair with none outside it.
"""

from collections.abc import Container, Sequence
from typing import cast

from mdpublish_core import nodes
from mdpublish_core.parsing.raw_html.tags import VOID_TAGS, Piece, Tag, pieces

Scope = dict[str, list[Tag]]
"""The opening tags between two bounds that no tag has closed yet, by their names."""


_TEXT_BLOCKS = frozenset({nodes.Paragraph, nodes.Heading, nodes.SetextHeading, nodes.TableCell})
"""The blocks that hold inlines."""


class Survey:
    """Reads the HTML of a whole tree, and pairs its tags.

    The inlines of a block of text are looked at only where it is among `texts`; none has more than `inline_levels` levels.
    """

    def __init__(self, texts: Container[nodes.Token] | None, inline_levels: int) -> None:
        self.depth = 0
        self._texts = texts
        self._inline_levels = inline_levels
        self._pieces: dict[int, list[Piece]] = {}
        self._marked: set[int] = set()

    def look(self, token: nodes.Token, level: int, scope: Scope) -> bool:
        """Take notice of a token and those below it; tell whether there is HTML among them."""
        kind = type(token)
        if kind is nodes.HtmlBlock or kind is nodes.HtmlSpan:
            # What an HTML block holds becomes a paragraph and its text, two levels instead of one.
            self.depth = max(self.depth, level + (kind is nodes.HtmlBlock))
            html = cast("nodes.HtmlBlock | nodes.HtmlSpan", token)
            found = self._pieces[id(token)] = list(pieces(html.content))
            _pair(found, scope)
            return True
        if self._texts is not None and kind in _TEXT_BLOCKS and token not in self._texts:
            self.depth = max(self.depth, level + self._inline_levels)
            return False
        self.depth = max(self.depth, level)
        inner = scope if kind is nodes.Paragraph else {}
        marked = False
        for child in nodes.children_of(token):
            marked |= self.look(child, level + 1, inner)
        if marked:
            self._marked.add(id(token))
        return marked

    def pieces_of(self, token: nodes.Token) -> Sequence[Piece]:
        """Return what raw HTML was cut into."""
        return self._pieces[id(token)]

    def has_html(self, token: nodes.Token) -> bool:
        """Tell whether there is HTML below a token."""
        return id(token) in self._marked


def _pair(found: Sequence[Piece], scope: Scope) -> None:
    """Mark the opening tags that are closed."""
    for piece in found:
        if not isinstance(piece, Tag) or piece.name in VOID_TAGS:
            continue
        opened = scope.setdefault(piece.name, [])
        if piece.closing and opened:
            opened.pop().paired = True
        elif not piece.closing and not piece.empty:
            if piece.name in {"a", "p"}:
                # They hold none of their own kind, so the one before has ended.
                opened.clear()
            opened.append(piece)
