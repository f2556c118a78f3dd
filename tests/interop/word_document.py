"""The content of a Word document, with inherited formatting.

Lengths are in points, colors six uppercase hexadecimal digits.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Literal


@dataclass(frozen=True, slots=True)
class Run:
    """`link` is a URL, or `#` and a bookmark."""

    string: str
    bold: bool = False
    italic: bool = False
    underline: bool = False
    strike: bool = False
    position: Literal["subscript", "superscript"] | None = None
    font: str | None = None
    size: float | None = None
    color: str | None = None
    shading: str | None = None
    link: str | None = None


@dataclass(frozen=True, slots=True)
class Image:
    """`source`: a URL if linked, a part's name if embedded, or empty."""

    source: str
    width: float
    height: float
    alt: str
    link: str | None = None


@dataclass(frozen=True, slots=True)
class FootnoteReference:
    number: int


@dataclass(frozen=True, slots=True)
class Item:
    """`form` is Word's name (`decimal`, `lowerLetter`, `bullet` …). Levels start at 1."""

    level: int
    form: str
    start: int
    number: int


@dataclass(frozen=True, slots=True)
class Border:
    side: str
    width: float
    color: str | None
    form: str = "single"


@dataclass(frozen=True, slots=True)
class Paragraph:
    style: str
    content: tuple[Run | Image | FootnoteReference, ...] = ()
    level: int | None = None
    item: Item | None = None
    alignment: str | None = None
    indentation: float = 0
    shading: str | None = None
    borders: tuple[Border, ...] = ()
    anchors: tuple[str, ...] = ()

    @property
    def runs(self) -> tuple[Run, ...]:
        return tuple(piece for piece in self.content if isinstance(piece, Run))

    @property
    def plain_text(self) -> str:
        return "".join(run.string for run in self.runs)


@dataclass(frozen=True, slots=True)
class Cell:
    """`merged` is set for row spans."""

    blocks: tuple["Block", ...]
    shading: str | None = None
    borders: tuple[Border, ...] = ()
    columns: int = 1
    merged: Literal["restart", "continue"] | None = None

    @property
    def plain_text(self) -> str:
        return "\n".join(block.plain_text for block in self.blocks if isinstance(block, Paragraph))


@dataclass(frozen=True, slots=True)
class Row:
    cells: tuple[Cell, ...]
    is_header: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    rows: tuple[Row, ...]

    @property
    def cell_strings(self) -> list[list[str]]:
        return [[cell.plain_text for cell in row.cells] for row in self.rows]


Block = Paragraph | Table


@dataclass(frozen=True, slots=True)
class WordDocument:
    blocks: tuple[Block, ...]
    footnotes: dict[int, tuple[Block, ...]]

    @property
    def paragraphs(self) -> list[Paragraph]:
        return [block for block in _walk(self.blocks) if isinstance(block, Paragraph)]

    @property
    def tables(self) -> list[Table]:
        return [block for block in _walk(self.blocks) if isinstance(block, Table)]

    @property
    def headings(self) -> list[tuple[int, str]]:
        return [(paragraph.level, paragraph.plain_text) for paragraph in self.paragraphs if paragraph.level is not None]

    @property
    def runs(self) -> list[Run]:
        return [run for paragraph in self.paragraphs for run in paragraph.runs]

    @property
    def images(self) -> list[Image]:
        content = chain.from_iterable(paragraph.content for paragraph in self.paragraphs)
        return [piece for piece in content if isinstance(piece, Image)]

    @property
    def links(self) -> list[tuple[str, str]]:
        """Adjacent runs are merged."""
        links: list[tuple[str, str]] = []
        for paragraph in self.paragraphs:
            last = None
            for run in paragraph.runs:
                if run.link is not None and run.link == last:
                    links[-1] = (links[-1][0] + run.string, run.link)
                elif run.link is not None:
                    links.append((run.string, run.link))
                last = run.link
        return links

    @property
    def plain_text(self) -> str:
        return "\n".join(paragraph.plain_text for paragraph in self.paragraphs)

    def paragraph(self, prefix: str) -> Paragraph:
        """Return the only one with this text."""
        (paragraph,) = (paragraph for paragraph in self.paragraphs if paragraph.plain_text == prefix)
        return paragraph

    def run(self, prefix: str) -> Run:
        """Return the only one with this text, stripped."""
        (run,) = (run for run in self.runs if run.string.strip() == prefix)
        return run


def _walk(blocks: tuple[Block, ...]) -> Iterator[Block]:
    for block in blocks:
        yield block
        if isinstance(block, Table):
            for row in block.rows:
                for cell in row.cells:
                    yield from _walk(cell.blocks)
