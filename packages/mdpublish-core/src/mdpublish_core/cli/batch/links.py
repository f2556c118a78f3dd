"""Links and images of documents in a directory."""

import os
from functools import cache, lru_cache, partial
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote, urlsplit

from mdpublish_core.cli.batch.plan import Plan, relative
from mdpublish_core.cli.images import ImageEmbedder, local_path
from mdpublish_core.cli.suggestions import similar_name, similar_path, squeezed
from mdpublish_core.nodes import text_content
from mdpublish_core.notices import Notice, shorten
from mdpublish_core.positions import MAX_SOURCE_CHARACTERS
from mdpublish_core.readers.markdown.unread import HEADING_ID
from mdpublish_core.resources.source_files import SUFFIXES, is_inside
from mdpublish_core.writers.outputs import complete_file_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from mdpublish_core import Document
    from mdpublish_core.resources.url_rewriters import Url

ABSENT = ""  # stamp of a missing file

_MAX_LINKED_FILES = 1_000
"""Whose anchors are kept, some KB each: a folder's files often link to the same ones."""


class LinkRewriter:
    """Embeds images, and points links to the outputs of other documents, where the output of its document does so.

    After parsing, `copies` lists files to copy, `stamps` the state of files looked up, `notices` broken URLs.
    """

    def __init__(self, plan: Plan, document: PurePosixPath) -> None:
        self.notices: list[Notice] = []
        self.copies: set[PurePosixPath] = set()
        self.stamps: dict[str, str] = {}
        self._plan = plan
        self._document = document
        self._output = plan.options.output
        folder = (plan.source / document).parent
        self._images = ImageEmbedder(folder, allowed=(plan.source,)) if self._output.embeds_images else None

    def __call__(self, url: "Url") -> str:
        path = local_path(url.url)
        if self._images and url.kind == "image":
            if path is not None:
                self._locate(path)
            return self._images(url)
        return url.url if path is None or not self._output.is_linked else self._linked(url, path)

    def merge_notices(self, notices: "Iterable[Notice]") -> "tuple[Notice, ...]":
        if not self._images:
            return (*self.notices, *notices)
        merged = self._images.merge_notices(notices, complete=complete_file_of(self._output))
        return (*self.notices, *merged)

    def _locate(self, path: str) -> PurePosixPath:
        """Resolve a path and record the state of the file."""
        located = PurePosixPath(os.path.normpath(self._document.parent / path))
        self.stamps[str(located)] = stamp(self._plan, located)
        return located

    def _linked(self, url: "Url", path: str) -> str:
        located = self._locate(path)
        output = self._plan.page_at(located) or (self._plan.page_named(path) if url.by_name else None)
        if output:
            return self._page_url(output, url.url)
        if is_inside(self._plan.source, located):
            self.copies.add(located)
        elif url.by_name and is_inside(self._plan.source, PurePosixPath(path)):
            # Names may begin at the source directory.
            self.copies.add(PurePosixPath(path))
            self.stamps[path] = stamp(self._plan, PurePosixPath(path))
            return relative(PurePosixPath(path), self._plan.outputs[self._document])
        else:
            self._add_notice(url, located)
        return url.url

    def _page_url(self, output: PurePosixPath, url: str) -> str:
        parts = urlsplit(url)
        # A program that opens a file on its own takes no query.
        query = f"?{parts.query}" if parts.query and not self._images else ""
        fragment = parts.fragment and f"#{self._output.anchor_of(parts.fragment)}"
        return f"{relative(output, self._plan.outputs[self._document])}{query}{fragment}"

    def _add_notice(self, url: "Url", located: PurePosixPath) -> None:
        problem = "points outside the source directory" if located.parts[:1] == ("..",) else "points to a missing file"
        self.notices.append(broken_link_notice(url, problem))


class LinkChecker:
    """Reports broken relative links, images and fragments; `stamps` has the state of files looked up."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._broken: list[Notice] = []
        self._heading_links: list[tuple[Url, str | None]] = []
        self.stamps: dict[str, str] = {}

    def __call__(self, url: "Url") -> str:
        path = local_path(url.url)
        if path is not None and url.by_name:
            path = self._path_of(path)
        if path is not None and not self._stamp(self._folder / path):
            suggestion = None if url.by_name else similar_path(self._folder, path, SUFFIXES)
            self._broken.append(broken_link_notice(url, "points to a missing file", path, suggestion))
        elif "#" in url.url and (url.url.startswith("#") or (path and _is_document(path))):
            self._heading_links.append((url, path))
        return url.url

    def _path_of(self, name: str) -> str:
        """Return the path of a wiki link's file, below the document's folder or the current directory."""
        for folder in (self._folder, Path.cwd()):
            for suffix in ("", *SUFFIXES):
                file = folder / f"{name}{suffix}"
                if self._stamp(file) and os.path.isfile(file):  # noqa: PTH113
                    return str(folder.absolute() / f"{name}{suffix}")
        return name

    def _stamp(self, file: Path) -> str:
        stamp = self.stamps[str(file)] = file_stamp(file)
        return stamp

    def notices_of(self, document: "Document") -> "Iterator[Notice]":
        yield from self._broken
        document_targets = cache(partial(_targets_of, document))
        for url, path in self._heading_links:
            if path is None:
                targets = document_targets()
            else:
                file = os.path.realpath(self._folder / path)
                targets = _targets_in(file, file_stamp(file))
            fragment = unquote(urlsplit(url.url).fragment)
            if fragment and targets and not targets.has(fragment):
                suggestion = similar_name(fragment, targets.headings)
                yield broken_link_notice(
                    url, "points to a missing heading", f"#{fragment}", suggestion and f"#{suggestion}"
                )


class _Targets(NamedTuple):
    """The anchors of a document, and the ids that other programs read behind headings, for which there is a notice already."""

    headings: "Collection[str]"
    ids: "Collection[str]"

    def has(self, fragment: str) -> bool:
        return fragment in self.headings or fragment.lower() in self.headings or fragment in self.ids


def _targets_of(document: "Document") -> _Targets | None:
    """Return None where another program makes parts of the document: their headings cannot be known."""
    from mdpublish_core.writers.structure.anchors import Anchors

    if any(each.code == "unread-syntax" and (each.source or "").startswith(":::") for each in document.notices):
        return None
    heading_texts = (text_content(token) for token in document.link_targets)
    ids = {match[1] for heading_text in heading_texts if (match := HEADING_ID.search(heading_text))}
    return _Targets({name: None for name, _ in document.cached(Anchors).ids}, ids)


@lru_cache(_MAX_LINKED_FILES)
def _targets_in(file: str, _stamp: str) -> _Targets | None:
    """Return the targets of a file; None where it cannot be read."""
    from mdpublish_core import MdpublishError, parse

    try:
        return _targets_of(parse(Path(file).read_text("utf-8")))
    except (OSError, UnicodeDecodeError, MdpublishError):
        return None


def _is_document(path: str) -> bool:
    return PurePosixPath(path).suffix.lower() in SUFFIXES


def broken_link_notice(url: "Url", problem: str, written: str = "", suggestion: str | None = None) -> Notice:
    """Return the notice of a URL; `suggestion` is a name like the part of it that is `written` wrong."""
    position = url.position
    source = position.source or ""
    question, fix = f"; did you mean {shorten(suggestion)!r}?" if suggestion else "", None
    if suggestion and source.count(written) == 1 and len(source) < MAX_SOURCE_CHARACTERS:
        fix = source.replace(written, suggestion)
    message = f"the {url.kind} {shorten(url.url)!r} {problem}{question}"
    if suggestion and squeezed(suggestion) == squeezed(written):
        return Notice("inexact-link", message, *position, fix)
    return Notice("missing-image" if url.kind == "image" else "broken-link", message, *position, fix)


def stamp(plan: Plan, path: PurePosixPath) -> str:
    """Return a value that changes with the file."""
    if output := plan.page_at(path):
        return str(output)
    file = plan.source / path
    # os.path returns False for invalid names; pathlib raises.
    if not os.path.isfile(file):  # noqa: PTH113
        # A wiki link may name a page elsewhere.
        return " ".join(map(str, plan.names.of_name(path))) or ABSENT
    return file_stamp(file)


def file_stamp(file: str | Path) -> str:
    """Return a value that changes with a file or folder."""
    try:
        status = os.stat(file)  # noqa: PTH116  (pathlib takes four times as long)
    except (OSError, ValueError):
        return ABSENT
    return f"{status.st_mtime_ns} {status.st_size}"
