"""A look at all the raw HTML of a tree: its pieces, where it stands, and which of its tags are closed.

Whether an element goes on past its paragraph depends on whether a tag closes it, so tags are paired before anything is
built. The bounds of Markdown part them: those in a list item pair with none outside it.
"""

from collections.abc import Sequence

from mdpublish_core.document import HtmlBlock, HtmlSpan, Paragraph, Token, children_of
from mdpublish_core.parsing.raw_html.tags import VOID_TAGS, Piece, Tag, pieces

Scope = dict[str, list[Tag]]
"""The opening tags between two bounds that no tag has closed yet, by their names."""


class Survey:
    """Reads the HTML of a whole tree, and pairs its tags."""

    def __init__(self) -> None:
        self.depth = 0
        self._pieces: dict[int, list[Piece]] = {}
        self._marked: set[int] = set()

    def look(self, token: Token, level: int, scope: Scope) -> bool:
        """Take notice of a token and those below it; tell whether there is HTML among them."""
        if isinstance(token, HtmlBlock | HtmlSpan):
            # What an HTML block holds becomes a paragraph and its text, two levels instead of one.
            self.depth = max(self.depth, level + isinstance(token, HtmlBlock))
            found = self._pieces[id(token)] = list(pieces(token.content))
            _pair(found, scope)
            return True
        self.depth = max(self.depth, level)
        inner = scope if isinstance(token, Paragraph) else {}
        marked = False
        for child in children_of(token):
            marked |= self.look(child, level + 1, inner)
        if marked:
            self._marked.add(id(token))
        return marked

    def pieces_of(self, token: Token) -> Sequence[Piece]:
        """Return what raw HTML was cut into."""
        return self._pieces[id(token)]

    def has_html(self, token: Token) -> bool:
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
