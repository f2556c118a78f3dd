"""Documents from other formats than Markdown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mdpublish_core.arguments import require_limits, require_type
from mdpublish_core.options.limits import DEFAULT_LIMITS, Limits
from mdpublish_core.readers import html as html_reader

if TYPE_CHECKING:
    from mdpublish_core.nodes import Document
    from mdpublish_core.notices import Notice
    from mdpublish_core.resources.media import Media


@dataclass(frozen=True, slots=True)
class Imported:
    """A document that was read from another format than Markdown."""

    document: Document
    """The tree, to be rendered, or written as Markdown."""

    media: tuple[Media, ...]
    """Images that were in the source itself; the document's images have their `content_id` as URL."""

    @property
    def markdown(self) -> str:
        """The document as Markdown."""
        from mdpublish_core.writers.markdown import to_markdown

        return to_markdown(self.document)

    @property
    def notices(self) -> tuple[Notice, ...]:
        """What Markdown cannot express, and what was left out."""
        return self.document.notices


def read_html(html: str, *, source: str = "auto", limits: Limits = DEFAULT_LIMITS) -> Imported:
    """Read HTML, such as a selection on the clipboard or a saved page.

    `source` is the program that wrote it; `auto` finds it by marks in the HTML, and `html` is none. What Markdown cannot express is
    kept as its text, with a notice. URLs are checked as in `parse`; those that are not allowed are left out, and their text stays.

    Raises `UnknownSource`, `InvalidArgument`, `InvalidHtml` past a limit of the HTML parser, and `LimitExceeded` past
    `limits.max_input_bytes`.
    """
    require_type("html", html, str)
    require_type("source", source, str)
    require_limits(limits)
    return Imported(*html_reader.read(html, source, limits))
