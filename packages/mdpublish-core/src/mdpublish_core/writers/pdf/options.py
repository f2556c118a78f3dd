"""Options of a PDF."""

from dataclasses import dataclass
from typing import Literal, get_args

from mdpublish_core.errors import InvalidArgument, UnknownPaper
from mdpublish_core.options.styles import FOOTNOTES, MARGINS, PAPERS, Footnotes, Paper
from mdpublish_core.writers.language import require_language

Landscape = Literal["auto", "never"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PdfOptions:
    """Options of a PDF. Where one is None, the document's front matter may set it."""

    title: str | None = None
    """The title, in the file's properties and at the top of each page but the first. If None, the front matter's, else the first
    heading, else `default_title`."""

    default_title: str | None = None
    """The title of a document without one. If None, `Untitled` in its language."""

    lang: str | None = None
    """The language, a BCP 47 tag. If None, the front matter's, else that of the text's script, else none, unless its words are
    English."""

    paper: Paper | None = None
    """The paper: `a4` or `letter`. If None, the front matter's, else `a4`."""

    margin: int | None = None
    """The width of the margins in millimeters, 5 to 60. If None, the front matter's, else 20."""

    landscape: Landscape = "auto"
    """Whether tables too wide for upright paper are in landscape: `auto` or `never`."""

    footnotes: Footnotes | None = None
    """Where footnotes stand: at the `end`, or at the foot of the `page`. If None, as in the front matter, else at the end. Those with
    lists, code or tables always stand at the end."""

    page_numbers: bool = True
    """Whether each page has its number and how many there are, such as "3 / 12", and the title from the second one on."""

    toc: bool | None = None
    """Whether a table of contents with page numbers comes before the text. If None, the front matter chooses."""

    def check(self) -> None:
        """Raise `UnknownPaper`, or `InvalidArgument` for another option."""
        if self.paper is not None and self.paper not in PAPERS:
            raise UnknownPaper(self.paper, PAPERS)
        for name, value, choices in (
            ("landscape", self.landscape, get_args(Landscape)),
            ("footnotes", self.footnotes or FOOTNOTES[0], FOOTNOTES),
        ):
            if value not in choices:
                raise InvalidArgument(f"{name} of PdfOptions", f"must be {' or '.join(choices)} (got {value!r})")
        if self.margin is not None and self.margin not in MARGINS:
            problem = f"must be from {MARGINS[0]} to {MARGINS[-1]} millimeters (got {self.margin})"
            raise InvalidArgument("margin of PdfOptions", problem)
        require_language("lang of PdfOptions", self.lang)
