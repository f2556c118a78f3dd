"""The results of conversions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypedDict

if TYPE_CHECKING:
    from mdpublish_core.notices import Notice
    from mdpublish_core.options.limits import Limits
    from mdpublish_core.resources.media import Media
    from mdpublish_core.templates import PageThemeMode, Template


class StyleArguments(TypedDict, total=False):
    """Keyword arguments of everything that writes a document."""

    template: str | Template | None
    theme_mode: PageThemeMode | None
    css: str | None
    limits: Limits


@dataclass(frozen=True, slots=True)
class Written:
    """A document as a file or a text, with its images in it, and what could not be shown as written."""

    content: bytes
    notices: tuple[Notice, ...]


@dataclass(frozen=True, slots=True)
class Conversion:
    """A converted document."""

    html: str
    """HTML for the destination; for `plain-text` and `slack`, text."""

    plain_text: str
    """The document as plain text, without markup."""

    destination: str
    """Name of the destination."""

    template_id: str
    """Id of the template."""

    theme_mode: PageThemeMode
    """Theme mode."""

    media: tuple[Media, ...]
    """Images embedded in the document or generated during conversion, whether `html` references them or contains them."""

    notices: tuple[Notice, ...]
    """Diagnostics for the author: content that could not be shown as written."""

    def _repr_html_(self) -> str | None:
        from mdpublish_core.writers import DESTINATIONS

        # Of a destination of one's own, nothing is known here.
        built_in = DESTINATIONS.get(self.destination)
        return self.html if built_in and not built_in.is_text else None

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        # The repr would be stored in each notebook beside the HTML, which it contains, and fill terminals.
        printer.text(self.html if self._repr_html_() is None else self.plain_text)
