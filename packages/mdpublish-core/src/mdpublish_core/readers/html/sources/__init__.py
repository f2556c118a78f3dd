"""The programs whose HTML we know: a small module each, assistants in one, and a line of `programs.tsv`.

A line has the functions that turn what only the program writes into plain HTML: of the tree, in order, or of the text
if it must precede the parser. Their modules are imported when they are used.
"""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from mdpublish_core.data_files import load_function, read_fields, read_table
from mdpublish_core.errors import UnknownSource
from mdpublish_core.readers.html.parse import Element


class Source(NamedTuple):
    """A program; `keeps_lines` if a line end in its HTML is one of the Markdown that it was made of."""

    name: str
    title: str
    cleaned_by: tuple[str, ...]
    marks: str
    prepared_by: str = ""
    keeps_lines: bool = False

    def prepare(self, html: str) -> str:
        return str(load_function(__name__, self.prepared_by)(html)) if self.prepared_by else html

    def clean(self, root: Element) -> None:
        for reference in self.cleaned_by:
            load_function(__name__, reference)(root)


def _read_programs() -> Iterator[Source]:
    for name, title, cleaned_by, cell, marks in read_table(__file__, "programs.tsv"):
        yield Source(name, title, tuple(cleaned_by.split()), marks, **read_fields(cell))


SOURCES: Mapping[str, Source] = {source.name: source for source in _read_programs()}

AUTO = "auto"


def find_source(name: str, html: str) -> Source:
    """Return the program of this name, or for `auto` the one whose marks the HTML has. Raises `UnknownSource`."""
    if name == AUTO:
        return next(source for source in SOURCES.values() if re.search(source.marks, html))
    if name not in SOURCES:
        raise UnknownSource(name, (AUTO, *SOURCES))
    return SOURCES[name]


def program_title(html: str) -> str:
    """Return what people call the program whose marks HTML has, such as `Google Docs`; empty for any other."""
    return find_source(AUTO, html).title
