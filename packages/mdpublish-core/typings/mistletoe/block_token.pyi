# The classes of mistletoe 1.6 that `to_mistletoe` makes.
from collections.abc import Iterable, Sequence

from mistletoe import token

class BlockToken(token.Token):
    line_number: int | None

class Document(BlockToken):
    footnotes: dict[str, tuple[str, str]]
    def __init__(self, lines: str | Iterable[str]) -> None: ...

class Heading(BlockToken):
    level: int
    closing_sequence: str

class SetextHeading(BlockToken):
    level: int
    underline: str

class Quote(BlockToken): ...
class Paragraph(BlockToken): ...

class BlockCode(BlockToken):
    language: str

class CodeFence(BlockToken):
    language: str
    info_string: str
    delimiter: str
    indentation: int

class List(BlockToken):
    loose: bool
    start: int | None

class ListItem(BlockToken):
    loose: bool
    leader: str
    indentation: int
    prepend: int

class Table(BlockToken):
    header: TableRow
    column_align: Sequence[int | None]

class TableRow(BlockToken):
    row_align: Sequence[int | None]

class TableCell(BlockToken):
    align: int | None

class ThematicBreak(BlockToken):
    line: str

class HtmlBlock(BlockToken): ...
