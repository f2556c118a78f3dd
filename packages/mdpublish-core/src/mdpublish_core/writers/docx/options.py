"""Options of a Word file."""

from dataclasses import dataclass, field
from typing import Literal

from mdpublish_core.options.styles import Paper

Landscape = Literal["auto", "never"]


@dataclass(frozen=True, slots=True, kw_only=True)
class DocxOptions:
    """Options of a Word file. Where one is None, the document's front matter may set it."""

    title: str | None = None
    """The title in the file's properties. If None, the front matter's, else the first heading."""

    lang: str | None = None
    """The language, a BCP 47 tag. If None, the front matter's, else that of the text's script, else none, unless its words are
    English."""

    paper: Paper | None = None
    """The paper: `a4` or `letter`. If None, the front matter's, else `a4`."""

    reference_doc: bytes | None = field(default=None, repr=False)
    """A Word file (.docx, .dotx) whose styles, theme, numbering, page, headers and footers are used in place of ours.

    Raises `InvalidReferenceDoc` if it is none, or is too large: at most 10,000,000 bytes, and 4,000,000 of XML in a part.
    """

    landscape: Landscape = "auto"
    """Whether tables too wide for upright paper are on pages of their own in landscape: `auto` or `never`."""

    title_block: bool | None = None
    """Whether the text begins with the title, in the style *Title*.

    If None, it does if the front matter has a title, as in pandoc, and the first heading does not repeat it.
    """

    toc: bool | None = None
    """Whether a table of contents comes before the text. If None, the front matter chooses."""
