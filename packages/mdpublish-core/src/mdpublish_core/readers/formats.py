"""Formats of files that are read: a module each, and a line of `_FORMATS`."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

from mdpublish_core.errors import InvalidFile, UnknownInputFormat
from mdpublish_core.strings.encodings import marked_encoding
from mdpublish_core.strings.lazy_patterns import compile_lazily

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from mdpublish_core.readers.imported import ReadFile

COMMENTS = "Write a Word file's comments and suggestions into it, as HTML comments."
"""What the option `comments` says."""

MAX_FILE_BYTES = 20_000_000
"""Size of a file that is read."""

_CHARSET = compile_lazily(rb"<meta[^>]{0,200}?charset=[\"']?\s*([A-Za-z0-9_.:-]{1,40})")
_NO_UTF_8 = compile_lazily("[\udc80-\udcff]+")
_HEAD_BYTES = 4_096


class InputFormat(NamedTuple):
    """A format: the suffixes of its files, and the function that reads them, which its module has."""

    suffixes: tuple[str, ...]
    module: str
    function: str = "read"
    options: tuple[str, ...] = ()
    """The options of `read_file` that the function has."""

    def read(self, content: bytes, **options: bool) -> ReadFile:
        reader: Callable[..., ReadFile] = getattr(import_module(self.module), self.function)
        return reader(content, **options)


_FORMATS = (
    InputFormat((".docx", ".docm", ".dotx"), "mdpublish_core.readers.docx", "read_docx", ("comments",)),
    InputFormat((".html", ".htm", ".xhtml"), "mdpublish_core.readers.formats", "read_page", ("whole_page",)),
    InputFormat((".eml",), "mdpublish_core.readers.eml"),
    InputFormat((".mht", ".mhtml"), "mdpublish_core.readers.eml", options=("whole_page",)),
    InputFormat((".ipynb",), "mdpublish_core.readers.ipynb"),
    InputFormat((".csv",), "mdpublish_core.readers.csv"),
    InputFormat((".tsv",), "mdpublish_core.readers.csv", "read_tabs"),
)

FORMATS: Mapping[str, InputFormat] = {suffix: each for each in _FORMATS for suffix in each.suffixes}
"""By suffix."""

FORMAT_NAMES = tuple(suffix.removeprefix(".") for suffix in FORMATS)
"""Suffixes of files that are read, without their dot."""

WHOLE_PAGE = "Read all of a saved page, not its main text alone."
"""What the option `whole_page` does, for people."""

_STARTS: Mapping[bytes, str] = {b"PK": ".docx", b"{\\rtf": ".rtf", b"{": ".ipynb", b"%PDF-": ".pdf"}
"""How files begin that have no name; the first one that fits counts."""

_REFUSED: Mapping[str, str] = {
    **dict.fromkeys((".rtf", ".doc", ".odt", ".pages", ".pdf"), ".docx"),
    **dict.fromkeys((".xls", ".xlsx", ".ods", ".numbers"), ".csv"),
    ".msg": ".eml",
}
"""What other files can be saved as, by the program that wrote them."""


def read_file(content: bytes, suffix: str, *, comments: bool = False, whole_page: bool = True) -> ReadFile:
    """Read a file. See `mdpublish_core.read_file`."""
    suffix = suffix.lower()
    if suffix in _REFUSED:
        raise InvalidFile(f"must not be {suffix}; save it as {_REFUSED[suffix]} in the program that wrote it")
    if suffix not in FORMATS:
        raise UnknownInputFormat(suffix, tuple(FORMATS))
    if len(content) > MAX_FILE_BYTES:
        raise InvalidFile(f"must be at most {MAX_FILE_BYTES:,} bytes (got {len(content):,})")
    file_format = FORMATS[suffix]
    if comments and "comments" not in file_format.options:
        raise InvalidFile(f"must be a Word file, to have its comments (got {suffix}); leave comments out")
    given = {"comments": comments, "whole_page": whole_page}
    return file_format.read(content, **{name: given[name] for name in file_format.options})


def suffix_of(content: bytes, name: str | None = None) -> str:
    """Return the suffix of a nameless file: by `name` in `FORMAT_NAMES`, else by how it begins, `.html` if unclear."""
    return f".{name}" if name else next((each for start, each in _STARTS.items() if content.startswith(start)), ".html")


def read_page(content: bytes, *, whole_page: bool) -> ReadFile:
    """Read a saved web page."""
    from mdpublish_core.readers.html import read_html

    return read_html(decode(content), whole_page=whole_page)


def decode(content: bytes) -> str:
    """Decode a text file: as its byte order mark says, as UTF-8, as its HTML says, or where it is no UTF-8 as Windows does."""
    declared = _CHARSET.search(content[:_HEAD_BYTES])
    for name in (marked_encoding(content), declared[1].decode() if declared else ""):
        try:
            return content.decode(name).removeprefix("\ufeff")
        except (LookupError, ValueError):
            continue
    # Where it is no UTF-8, a byte is a lone surrogate.
    mixed = content.decode("utf-8", "surrogateescape")
    return _NO_UTF_8.sub(lambda match: match[0].encode("utf-8", "surrogateescape").decode("cp1252", "replace"), mixed)
