"""Documents, outputs and navigation of a directory."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, BinaryIO

import click

from mdpublish_core import __version__
from mdpublish_core.cli.configuration import UNCONFIGURED, ConfiguredDefaults
from mdpublish_core.cli.inputs import STANDARD_INPUT, ParseOptions, WalkedFile
from mdpublish_core.cli.options import StyleOptions
from mdpublish_core.plugins import installed_plugins
from mdpublish_core.resources.characters import replace_surrogates
from mdpublish_core.resources.folder_files import atomic_write, read_within, repository_root
from mdpublish_core.resources.source_files import SourceNames, find_documents, page_of
from mdpublish_core.strings.encodings import InvalidEncoding, decode_source
from mdpublish_core.writers.document_defaults import title_of
from mdpublish_core.writers.outputs import Output

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from mdpublish_core.nodes import Document
    from mdpublish_core.writers.page import PageLink

_INDEX = "index"


@dataclass(frozen=True, slots=True, kw_only=True)
class OutputOptions:
    """Options for all outputs."""

    output: Output
    style: StyleOptions
    parsing: ParseOptions
    given: Mapping[str, Any] = field(default_factory=dict)
    """Options of outputs, by the names of their fields."""
    base_url: str | None = None
    """Where the output is published."""
    configured: ConfiguredDefaults = UNCONFIGURED

    def check(self) -> None:
        """Raise errors that every document would raise."""
        from mdpublish_core.cli.options import render_output
        from mdpublish_core.nodes import Document

        document = Document([])
        render_output(document, self.output, self.values(document), self.style)

    def values(self, document: "Document") -> dict[str, Any]:
        """Return the values of the output's options."""
        from mdpublish_core.cli.options import output_values

        return output_values(self.given, self.configured, document)

    @property
    def fingerprint(self) -> str:
        return sha256(f"{__version__} {self!r} {installed_plugins()!r}".encode()).hexdigest()


@dataclass(frozen=True)
class Plan:
    """Documents and outputs, as paths relative to `source` and `target`."""

    source: Path
    target: Path
    options: OutputOptions
    outputs: Mapping[PurePosixPath, PurePosixPath]
    collisions: Mapping[PurePosixPath, PurePosixPath]
    """Documents whose output is taken, and by which."""
    titles: Mapping[PurePosixPath, str] = field(default_factory=dict)  # of index pages

    @cached_property
    def boundary(self) -> Path:
        return repository_root(self.source.resolve())

    def read(self, document: PurePosixPath) -> bytes:
        return read_within(self.boundary, self.source / document)

    def open_output(self, output: PurePosixPath) -> "AbstractContextManager[BinaryIO]":
        return atomic_write(self.target / output, root=repository_root(self.target.resolve()))

    @cached_property
    def folders(self) -> Mapping[PurePosixPath, PurePosixPath]:
        """Index pages, by directory."""
        return {output.parent: output for output in self.outputs.values() if output.stem == _INDEX}

    @cached_property
    def names(self) -> SourceNames:
        return SourceNames(self.outputs)

    def page_named(self, path: str) -> PurePosixPath | None:
        """Return the output of the document that a wiki link names."""
        document = self.names.named(path)
        return self.outputs[document] if document else None

    def page_at(self, path: PurePosixPath) -> PurePosixPath | None:
        return self.outputs.get(path) or self.folders.get(path)

    def canonical_url(self, document: PurePosixPath) -> str | None:
        """Return the URL at which the page is published, that of the folder for its first page."""
        base_url = self.options.base_url or self.options.configured.base_url
        if not base_url:
            return None
        output = self.outputs[document]
        path = relative(output, PurePosixPath("page"))
        return f"{base_url.rstrip('/')}/" + (path.removesuffix(output.name) if output.stem == _INDEX else path)

    def breadcrumbs(self, document: PurePosixPath) -> "tuple[PageLink, ...]":
        from mdpublish_core.writers.page import PageLink

        output = self.outputs[document]
        pages = [self.folders[folder] for folder in reversed(output.parents) if folder in self.folders]
        return tuple(
            PageLink(self.titles.get(page, replace_surrogates(page.parent.name)), relative(page, output))
            for page in pages
            if page != output
        )


def make_plan(source: Path, target: Path, options: OutputOptions) -> Plan:
    documents = find_documents(source, partial(click.echo, err=True), target)
    known = frozenset(documents)
    outputs: dict[PurePosixPath, PurePosixPath] = {}
    collisions = {}
    by_output: dict[PurePosixPath, PurePosixPath] = {}
    for document in documents:
        output = page_of(document, known) if options.output.is_page else document.with_suffix(options.output.suffix)
        if output in by_output:
            collisions[document] = by_output[output]
        else:
            outputs[document] = output
            by_output[output] = document
    plan = Plan(source, target, options, outputs, collisions)
    return replace(plan, titles=_titles(plan)) if options.output.is_page else plan


def expand_folders(
    files: Iterable[str],
    leaves_out: "Callable[..., bool] | None" = None,
    report: Callable[[str], object] = partial(click.echo, err=True),  # noqa: B008  (immutable)
) -> Iterator[str]:
    """Yield files, and those in folders among them as `WalkedFile`, without those that `IgnoredFiles` leaves out."""
    for file in files:
        if file != STANDARD_INPUT and Path(file).is_dir():
            root = repository_root(Path(file).resolve())
            documents = find_documents(Path(file), report, None, leaves_out)
            yield from (WalkedFile.of(Path(file) / document, root) for document in documents)
        else:
            yield file


def relative(path: PurePosixPath, page: PurePosixPath) -> str:
    from urllib.parse import quote

    return quote(os.fsencode(PurePosixPath(os.path.relpath(path, page.parent)).as_posix()))


def _titles(plan: Plan) -> dict[PurePosixPath, str]:
    from mdpublish_core import MdpublishError

    titles = {}
    for document, output in plan.outputs.items():
        if output.stem == _INDEX:
            try:
                title = title_of(plan.options.parsing.parse(decode_source(plan.read(document))))
            except (OSError, InvalidEncoding, MdpublishError):
                continue  # reported by its conversion
            titles[output] = title or replace_surrogates(output.parent.name)
    return titles
