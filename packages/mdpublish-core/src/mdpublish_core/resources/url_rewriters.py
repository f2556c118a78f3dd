"""What `rewrite_url` is called with."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from mdpublish_core.strings.positions import SourcePosition


@dataclass(frozen=True, slots=True)
class Url:
    """A URL in a document, passed to `rewrite_url`."""

    url: str
    """The URL as written, without Markdown escapes."""

    kind: Literal["link", "image"]
    """Whether it is the URL of a link or of an image."""

    line: int | None
    """First line of the block, 1-based; None if unknown."""

    by_name: bool = False
    """Whether it is the name of a page or a file in a wiki link, such as `[[Page]]`, whose path is not known."""

    locate: Callable[[], SourcePosition] | None = field(default=None, repr=False, compare=False)
    """Computes `position`."""

    @property
    def position(self) -> SourcePosition:
        """Line, column and source of the link or image, as in a `Notice`."""
        return self.locate() if self.locate else SourcePosition(self.line)


UrlRewriter = Callable[[Url], str]
"""Callback that returns the replacement for a URL."""
