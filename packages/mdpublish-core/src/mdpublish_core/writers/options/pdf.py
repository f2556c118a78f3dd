"""Options of a PDF."""

from dataclasses import dataclass

from mdpublish_core.options.styles import MARGINS, Footnotes, Landscape, Paper, Sides
from mdpublish_core.writers.options.declared import (
    OutputOptions,
    lang_option,
    option,
    paper_option,
    title_option,
    toc_option,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PdfOptions(OutputOptions):
    """Options of a PDF. Where one is None, the document's front matter may set it."""

    title: str | None = title_option()
    """The title, in the file's properties and at the top of each page but the first. If None, the front matter's, else
    the first heading, else `default_title`."""

    default_title: str | None = None
    """The title of a document without one. If None, `Untitled` in its language."""

    lang: str | None = lang_option()
    """The language, a BCP 47 tag. If None, the front matter's, else that of the text's script, else none, unless its
    words are English."""

    paper: Paper | None = paper_option()
    """The paper: `a4` or `letter`. If None, the front matter's, else `a4`."""

    margin: int | None = option(
        "Margins of PDFs in millimeters.",
        otherwise="20",
        metavar="MM",
        bounds=MARGINS,
        unit="millimeters",
        is_written=True,
    )
    """The width of the margins in millimeters, 5 to 60. If None, the front matter's, else 20."""

    sides: Sides | None = option(
        "Sides of the paper on which PDFs are printed: `two` mirrors margins and page numbers.",
        otherwise="one",
        is_written=True,
    )
    """Whether the paper is printed on `one` side or `two`. On two, the inner margin is 5 mm wider for the binding, and page
    numbers and sections stand at the outer one. If None, the front matter's, else `one`."""

    landscape: Landscape = "auto"
    """Whether tables too wide for upright paper are in landscape: `auto` or `never`."""

    footnotes: Footnotes | None = option(
        "Place of footnotes in PDFs: the end, or the foot of the page.",
        otherwise="page in academic templates, else end",
        is_written=True,
    )
    """Where footnotes stand: at the `end`, or at the foot of the `page`. If None, as in the front matter, else at the
    foot in academic templates and at the end in others. Those with lists, code or tables always stand at the end."""

    page_numbers: bool = True
    """Whether each page has its number and their count, such as "3 / 12", and each but the first the title and the section:
    its heading of level 2, or of level 1 if there are several."""

    toc: bool | None = toc_option()
    """Whether a table of contents with page numbers comes before the text. If None, the front matter chooses."""
