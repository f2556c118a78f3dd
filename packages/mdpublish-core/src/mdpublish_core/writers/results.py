"""The results of conversions."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mdpublish_core.arguments import require_path
from mdpublish_core.errors import InvalidArgument, WrongContent

if TYPE_CHECKING:
    from collections.abc import Callable
    from os import PathLike

    from mdpublish_core.notices import Notice
    from mdpublish_core.repair import Repair
    from mdpublish_core.resources.media import Media
    from mdpublish_core.templates import PageThemeMode
    from mdpublish_core.writers.delivery import Delivery


@dataclass(frozen=True, slots=True)
class Conversion:
    """A converted document."""

    content: str | bytes
    """What was written: a `str` of HTML or text, or the `bytes` of a file."""

    output: str
    """Name of the output."""

    media_type: str
    """Media type of the content, such as `text/html`."""

    suffix: str
    """Suffix of a file with the content, such as `.html`."""

    plain_text: str
    """The document as plain text, without markup; empty if it was not asked for."""

    template_id: str
    """Id of the template."""

    theme_mode: PageThemeMode
    """Theme mode."""

    media: tuple[Media, ...]
    """Images embedded in the document or made during conversion, whether the content references or contains them."""

    notices: tuple[Notice, ...]
    """Diagnostics for the author, those of parsing first: content that could not be shown as written."""

    repairs: tuple[Repair, ...] = ()
    """What was repaired in the text, if that was asked for; notices have positions in the repaired text."""

    _survey: Callable[..., tuple[Delivery, ...]] = field(default=tuple, repr=False, compare=False)

    @property
    def delivery(self) -> tuple[Delivery, ...]:
        """The form in which each construct arrives, in the order of `docs/reference/constructs.md`; computed late."""
        deliveries = self._survey()
        # Without the document.
        object.__setattr__(self, "_survey", partial(tuple, deliveries))
        return deliveries

    def __reduce__(self) -> tuple[Any, ...]:
        pickled = replace(self, _survey=partial(tuple, self.delivery))
        return Conversion, tuple(getattr(pickled, each.name) for each in fields(self))

    @property
    def html(self) -> str:
        """The content of an output that is HTML. Raises `WrongContent` for another."""
        if isinstance(self.content, str) and self._is_html:
            return self.content
        raise WrongContent(self.output, self.media_type, "HTML")

    @property
    def text(self) -> str:
        """The content of an output that is a `str`: text or HTML source. Raises `WrongContent` for a file of bytes."""
        if isinstance(self.content, str):
            return self.content
        raise WrongContent(self.output, self.media_type, "text")

    def save(self, path: str | PathLike[str]) -> None:
        """Write the content to a file, whose folder is made if it is missing; another file of that name is replaced.

        HTML has its images in it, those with URLs of a mail's parts (`cid:`), too. Raises `InvalidArgument` for a suffix of another output, such as `.pdf` for HTML, and `OSError`.
        """
        # Late: all are of no use to the other methods.
        from mdpublish_core.resources.folder_files import atomic_write
        from mdpublish_core.resources.media import image_data_url
        from mdpublish_core.writers.outputs import output_of_suffix

        require_path("path", path)
        file = Path(path)
        other = output_of_suffix(file.suffix.lower())
        if other and other.suffix != self.suffix:
            problem = f"must end in {self.suffix}, as files of {self.output} do (got {file.name!r})"
            raise InvalidArgument("path", f"{problem}; for {other.suffix}, convert with to={other.name!r}")
        content = self.to_bytes()
        for each in self.media if self._is_html else ():
            content = content.replace(f'"cid:{each.content_id}"'.encode(), f'"{image_data_url(each.data)}"'.encode())
        with atomic_write(file) as opened:
            opened.write(content)

    @property
    def _is_html(self) -> bool:
        return self.media_type == "text/html"

    def to_bytes(self) -> bytes:
        """Return the content as a file has it: text in UTF-8."""
        return self.content.encode() if isinstance(self.content, str) else self.content

    def _repr_html_(self) -> str | None:
        return self.html if self._is_html else None

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        # The repr would be stored in each notebook beside the HTML, which it contains, and fill terminals.
        is_shown = isinstance(self.content, str) and not self._is_html
        printer.text(self.content if is_shown else self.plain_text)
