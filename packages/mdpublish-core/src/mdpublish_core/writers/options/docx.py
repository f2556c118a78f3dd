"""Options of a Word file."""

from dataclasses import dataclass

from mdpublish_core.options.styles import Landscape, Paper
from mdpublish_core.writers.options.declared import (
    OutputOptions,
    lang_option,
    option,
    paper_option,
    title_option,
    toc_option,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class DocxOptions(OutputOptions):
    """Options of a Word file. Where one is None, the document's front matter may set it."""

    title: str | None = title_option()
    """The title in the file's properties. If None, the front matter's, else the first heading."""

    lang: str | None = lang_option()
    """The language, a BCP 47 tag. If None, the front matter's, else that of the text's script, else none, unless its
    words are English."""

    paper: Paper | None = paper_option()
    """The paper: `a4` or `letter`. If None, the front matter's, else `a4`."""

    reference_doc: bytes | None = option(
        "Word file (.docx, .dotx) whose styles, page, headers and footers to use.", metavar="FILE", is_shown=False
    )
    """A Word file (.docx, .dotx) whose styles, theme, numbering, page, headers and footers are used in place of ours.

    Raises `InvalidReferenceDoc` if it is none or too large: 10,000,000 bytes, 4,000,000 of XML in a part.
    """

    embed_fonts: bool | None = option(
        "Put the template's own fonts into Word files, 20 to 45 KB each.", otherwise="without them", is_written=True
    )
    """Whether the file brings the template's own fonts, which most readers have not installed, in place of those that
    come with Word. If None, the front matter chooses. Beside a `reference_doc`, they are those of styles that it lacks."""

    landscape: Landscape = "auto"
    """Whether tables too wide for upright paper are on pages of their own in landscape: `auto` or `never`."""

    title_block: bool | None = option(
        "Begin Word files with their title.", otherwise="if it is of the front matter, and not the first heading"
    )
    """Whether the text begins with the title, in the style *Title*.

    If None, it does if the front matter has a title, as in pandoc, and the first heading does not repeat it.
    """

    toc: bool | None = toc_option()
    """Whether a table of contents comes before the text. If None, the front matter chooses."""
