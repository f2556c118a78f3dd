"""Which documents a folder has, the outputs they become, and the pages above each."""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from mdpublish_core import __version__
from mdpublish_core.cli.inputs import replace_surrogates
from mdpublish_core.cli.outputs import OutputFormat, StyleOptions, render_styled

if TYPE_CHECKING:
    from mdpublish_core.options.extensions import RawHtml
    from mdpublish_core.page import PageLink
    from mdpublish_core.templates import PageWidth

DOCUMENT_SUFFIXES = frozenset({".md", ".markdown"})
"""What the names of Markdown files end in, in lower case."""

_SUFFIXES: Mapping[OutputFormat, str] = {"page": ".html", "mail": ".eml", "html": ".html", "text": ".txt"}

_INDEX = "index"
_README = "readme"


@dataclass(frozen=True, slots=True, kw_only=True)
class OutputOptions:
    """What each document of a folder becomes: its destination, its form, its style, and what else the user said."""

    destination: str
    output_format: OutputFormat
    style: StyleOptions
    raw_html: "RawHtml"
    page_width: "PageWidth"
    lang: str

    @property
    def is_page(self) -> bool:
        """Whether each document becomes a whole web page."""
        return self.output_format == "page"

    @property
    def is_web(self) -> bool:
        """Whether the outputs are read in a browser beside one another, so that their links may lead to one another."""
        return self.output_format != "text" and not self.embeds

    @property
    def embeds(self) -> bool:
        """Whether the outputs must hold their pictures, to show them."""
        from mdpublish_core.destinations import get_destination

        return get_destination(self.destination).embeds_images

    def check(self) -> None:
        """Raise now what every document would raise: an unknown destination, a stylesheet with mistakes."""
        from mdpublish_core.nodes import Document

        render_styled(self.style, Document([]), self.destination)

    @property
    def fingerprint(self) -> str:
        """The same for aims that make the same outputs, in the same version."""
        return sha256(f"{__version__} {self!r}".encode()).hexdigest()


@dataclass(frozen=True)
class Plan:
    """A folder's documents with their outputs, all named relative to `source` and `target`, with `/` between the parts."""

    source: Path
    target: Path
    options: OutputOptions
    outputs: Mapping[PurePosixPath, PurePosixPath]
    collisions: Mapping[PurePosixPath, PurePosixPath]
    """Documents whose output another one has already, and that other one."""
    titles: Mapping[PurePosixPath, str] = field(default_factory=dict)
    """The title of each page that is the first of its folder."""

    @cached_property
    def folders(self) -> Mapping[PurePosixPath, PurePosixPath]:
        """The output that is the first page of each folder that has one, by the folder."""
        return {output.parent: output for output in self.outputs.values() if output.stem == _INDEX}

    def page_at(self, path: PurePosixPath) -> PurePosixPath | None:
        """Return the output to which a path in the documents leads: a document's, or the first page of a folder."""
        return self.outputs.get(path) or self.folders.get(path)

    def breadcrumbs(self, document: PurePosixPath) -> "tuple[PageLink, ...]":
        """Return the first pages of the folders above a page, the highest first."""
        from mdpublish_core.page import PageLink

        output = self.outputs[document]
        pages = [self.folders[folder] for folder in reversed(output.parents) if folder in self.folders]
        return tuple(
            PageLink(self.titles.get(page, replace_surrogates(page.parent.name)), relative(page, output))
            for page in pages
            if page != output
        )


def make_plan(source: Path, target: Path, options: OutputOptions) -> Plan:
    """Return what becomes of a folder's documents; raises OSError where it cannot be read."""
    documents = sorted(documents_in(source, target))
    outputs: dict[PurePosixPath, PurePosixPath] = {}
    collisions = {}
    by_output: dict[PurePosixPath, PurePosixPath] = {}
    for document in documents:
        output = _output(document, documents, options)
        if output in by_output:
            collisions[document] = by_output[output]
        else:
            outputs[document] = output
            by_output[output] = document
    titles = _titles(source, outputs, options.raw_html) if options.is_page else {}
    return Plan(source, target, options, outputs, collisions, titles)


def documents_in(source: Path, target: Path | None = None) -> Iterator[PurePosixPath]:
    """Yield the Markdown files in and below `source`, relative to it: no hidden ones, and none of `target`."""
    excluded = target.resolve() if target else None

    def fail(error: OSError) -> None:
        raise error

    for folder, folders, files in os.walk(source, onerror=fail):
        here = Path(folder)
        folders[:] = [name for name in folders if not name.startswith(".") and (here / name).resolve() != excluded]
        for name in files:
            path = here / name
            if path.suffix.lower() in DOCUMENT_SUFFIXES and not name.startswith(".") and path.is_file():
                yield PurePosixPath(path.relative_to(source).as_posix())


def relative(path: PurePosixPath, page: PurePosixPath) -> str:
    """Return the address of `path` as `page` names it."""
    from urllib.parse import quote

    return quote(os.fsencode(PurePosixPath(os.path.relpath(path, page.parent)).as_posix()))


def _output(document: PurePosixPath, documents: list[PurePosixPath], options: OutputOptions) -> PurePosixPath:
    """Return what a document becomes; a README is the first page of its folder where nothing else is."""
    if options.is_page and document.stem.lower() == _README:
        siblings = {other.stem for other in documents if other.parent == document.parent}
        if _INDEX not in siblings:
            document = document.with_stem(_INDEX)
    return document.with_suffix(_SUFFIXES[options.output_format])


def _titles(
    source: Path, outputs: Mapping[PurePosixPath, PurePosixPath], raw_html: "RawHtml"
) -> dict[PurePosixPath, str]:
    """Return the title of each page that is the first of its folder, as far as it can be read."""
    from mdpublish_core import MdpublishError, parse

    titles = {}
    for document, output in outputs.items():
        if output.stem == _INDEX:
            try:
                title = parse((source / document).read_text("utf-8"), raw_html=raw_html).title
            except (OSError, UnicodeDecodeError, MdpublishError):
                continue  # its own conversion says what is wrong with it
            titles[output] = title or replace_surrogates(output.parent.name)
    return titles
