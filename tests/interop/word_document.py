"""What a Word document holds, as far as tests ask about it; `word` reads one.

Lengths are in points, colors six hexadecimal digits in upper case. How a run is set is what a reader sees: its own
properties, or else those of its styles.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Literal


@dataclass(frozen=True, slots=True)
class Run:
    """A piece of text that is set in one way; a line break in it is a line end. `link` is an address, or `#` and a name."""

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
    """A picture: its address where it is linked, the name of the part that holds it, or nothing where none could be read."""

    source: str
    width: float
    height: float
    alt: str
    link: str | None = None


@dataclass(frozen=True, slots=True)
class FootnoteReference:
    """Where a footnote is called."""

    number: int


@dataclass(frozen=True, slots=True)
class Item:
    """What makes a paragraph a list's item: its level from 1, how its level is counted, and the number it shows.

    `form` is Word's word for it (`decimal`, `lowerLetter`, `bullet` …); `number` says nothing where it is `bullet`.
    """

    level: int
    form: str
    start: int
    number: int


@dataclass(frozen=True, slots=True)
class Border:
    """One side's line."""

    side: str
    width: float
    color: str | None
    form: str = "single"


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph: the name of its style, what makes it a heading or an item, and what stands in it."""

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
        """The pieces of text."""
        return tuple(piece for piece in self.content if isinstance(piece, Run))

    @property
    def plain_text(self) -> str:
        """The text, without any marks."""
        return "".join(run.string for run in self.runs)


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell; `merged` tells whether it begins or continues a cell that spans rows."""

    blocks: tuple["Block", ...]
    shading: str | None = None
    borders: tuple[Border, ...] = ()
    columns: int = 1
    merged: Literal["restart", "continue"] | None = None

    @property
    def plain_text(self) -> str:
        """The text, a line a paragraph, without that of tables inside."""
        return "\n".join(block.plain_text for block in self.blocks if isinstance(block, Paragraph))


@dataclass(frozen=True, slots=True)
class Row:
    """A row; a header row is repeated on each page, which is how Word knows it."""

    cells: tuple[Cell, ...]
    is_header: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """A table."""

    rows: tuple[Row, ...]

    @property
    def cell_strings(self) -> list[list[str]]:
        """The cells' texts, row by row."""
        return [[cell.plain_text for cell in row.cells] for row in self.rows]


Block = Paragraph | Table


@dataclass(frozen=True, slots=True)
class WordDocument:
    """A document: its blocks, and its footnotes by their numbers."""

    blocks: tuple[Block, ...]
    footnotes: dict[int, tuple[Block, ...]]

    @property
    def paragraphs(self) -> list[Paragraph]:
        """All paragraphs, those in tables too, in the order of the text."""
        return [block for block in _walk(self.blocks) if isinstance(block, Paragraph)]

    @property
    def tables(self) -> list[Table]:
        """All tables, those in tables too, each before the ones inside."""
        return [block for block in _walk(self.blocks) if isinstance(block, Table)]

    @property
    def headings(self) -> list[tuple[int, str]]:
        """The headings' levels and texts."""
        return [(paragraph.level, paragraph.plain_text) for paragraph in self.paragraphs if paragraph.level is not None]

    @property
    def items(self) -> list[tuple[Item, str]]:
        """The lists' items, each with its text."""
        return [(paragraph.item, paragraph.plain_text) for paragraph in self.paragraphs if paragraph.item is not None]

    @property
    def runs(self) -> list[Run]:
        """All pieces of text."""
        return [run for paragraph in self.paragraphs for run in paragraph.runs]

    @property
    def images(self) -> list[Image]:
        """All pictures."""
        content = chain.from_iterable(paragraph.content for paragraph in self.paragraphs)
        return [piece for piece in content if isinstance(piece, Image)]

    @property
    def links(self) -> list[tuple[str, str]]:
        """The texts that lead somewhere, and where they lead; a link's neighboring pieces are one."""
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
        """The text, a line a paragraph."""
        return "\n".join(paragraph.plain_text for paragraph in self.paragraphs)

    def paragraph(self, prefix: str) -> Paragraph:
        """Return the one paragraph that has this text."""
        (paragraph,) = (paragraph for paragraph in self.paragraphs if paragraph.plain_text == prefix)
        return paragraph

    def run(self, prefix: str) -> Run:
        """Return the one piece of text that has this text, the spaces around it aside."""
        (run,) = (run for run in self.runs if run.string.strip() == prefix)
        return run


def _walk(blocks: tuple[Block, ...]) -> Iterator[Block]:
    for block in blocks:
        yield block
        if isinstance(block, Table):
            for row in block.rows:
                for cell in row.cells:
                    yield from _walk(cell.blocks)
