"""Return values of readers of other formats than Markdown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mdpublish_core.nodes import Document
    from mdpublish_core.notices import Notice
    from mdpublish_core.resources.media import Media


@dataclass(frozen=True, slots=True)
class ReadFile:
    """A document that was read from another format than Markdown."""

    document: Document
    """The tree, to be rendered, or written as Markdown."""

    media: tuple[Media, ...]
    """Images that were in the source itself; the document's images have their `content_id` as URL."""

    formula_bookmarks: Mapping[int, bool] | None = None
    """Bookmarks that a Word file of ours has for its formulas, by number, and whether there is one in each. The formula
    of an empty one was lost by a program, that of a missing one deleted. None in other files."""

    @property
    def notices(self) -> tuple[Notice, ...]:
        """What Markdown cannot express, and what was left out."""
        return self.document.notices
