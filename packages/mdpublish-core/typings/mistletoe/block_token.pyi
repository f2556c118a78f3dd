# The part of mistletoe 1.6 that mdpublish uses. Children are typed as what a finished mdpublish tree holds.
from collections.abc import Iterable, Sequence

from mistletoe import token
from mistletoe.block_tokenizer import FileWrapper

class BlockToken(token.Token):
    line_number: int

class Document(BlockToken):
    children: Sequence[token.Token]
    footnotes: dict[str, tuple[str, str]]
    def __init__(self, lines: str | Iterable[str]) -> None: ...

class Heading(BlockToken):
    level: int
    children: Sequence[token.Token]

class SetextHeading(BlockToken):
    level: int
    children: Sequence[token.Token]

class Quote(BlockToken):
    children: Sequence[token.Token]

class Paragraph(BlockToken):
    children: Sequence[token.Token]
    parse_setext: bool

class BlockCode(BlockToken):
    language: str
    @property
    def content(self) -> str: ...

class CodeFence(BlockToken):
    language: str
    info_string: str
    @property
    def content(self) -> str: ...

class List(BlockToken):
    loose: bool
    start: int | None
    children: Sequence[ListItem]

class ListItem(BlockToken):
    loose: bool
    leader: str
    children: Sequence[token.Token]

class Table(BlockToken):
    header: TableRow
    column_align: list[int | None]
    children: Sequence[TableRow]
    def __init__(self, match: tuple[list[str], int]) -> None: ...
    @classmethod
    def read(cls, lines: FileWrapper, check_only: bool = ...) -> tuple[list[str], int] | bool | None: ...
    @staticmethod
    def split_delimiter(delimiter_row: str) -> list[str]: ...

class TableRow(BlockToken):
    row_align: list[int | None]
    children: Sequence[TableCell]

class TableCell(BlockToken):
    align: int | None
    children: Sequence[token.Token]

class ThematicBreak(BlockToken): ...

class HtmlBlock(BlockToken):
    @property
    def content(self) -> str: ...

_token_types: list[type[token.Token]]

def reset_tokens() -> None: ...
def add_token(token_cls: type[token.Token], position: int = ...) -> None: ...
