"""Options of a Word file."""

from dataclasses import dataclass

from mdpublish_core.writers.docx.parts import Paper


@dataclass(frozen=True, slots=True, kw_only=True)
class DocxOptions:
    """Options of a Word file. Where one is None, the document's front matter may set it."""

    title: str | None = None
    """The title in the file's properties. If None, the front matter's, else the first heading."""

    lang: str | None = None
    """The language, a BCP 47 tag. If None, the front matter's, else that of the text's script, else none, unless its words are
    English."""

    paper: Paper = "a4"
    """The paper: `a4` or `letter`."""

    toc: bool = False
    """Whether a table of contents comes before the text."""
