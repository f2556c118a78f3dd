"""Links and images of documents in a directory."""

import os
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote, urlsplit

from mdpublish_core.cli.batch.plan import Plan, relative
from mdpublish_core.cli.images import ImageEmbedder, local_path
from mdpublish_core.cli.suggestions import similar_name, similar_path
from mdpublish_core.lru_cache import LruCache
from mdpublish_core.nodes import text_content
from mdpublish_core.readers.markdown.unread_syntax import HEADING_ID
from mdpublish_core.readers.markdown.url_rewriting import urls_in
from mdpublish_core.resources.file_names import actual_path, case_notices, link_notice
from mdpublish_core.resources.folder_files import read_within, repository_root
from mdpublish_core.resources.source_files import SUFFIXES, find_problem
from mdpublish_core.strings.encodings import decode_source
from mdpublish_core.writers.outputs import complete_file_of, load_writer

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from mdpublish_core import Document
    from mdpublish_core.cli.inputs import ParseOptions
    from mdpublish_core.notices import Notice
    from mdpublish_core.resources.url_rewriters import Url

_ANCHORS = {"page": "structure.anchors:page_anchor", "docx": "docx:anchor_of"}
"""`module:function` of outputs that names the heading to which a link from another such file leads, by its fragment."""

ABSENT = ""  # stamp of a missing file

_MAX_CACHED_NAMES = 100_000
"""Headings that links may lead to, kept of the files that were read: some 10 MB."""


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
        anchor = _ANCHORS.get(self._output.name)
        self._anchor_of = load_writer(anchor) if anchor else str
        self._is_linked = anchor or not (self._output.is_text or self._output.embeds_images)
        folder = (plan.source / document).parent
        self._images = ImageEmbedder(folder, allowed=(plan.source,)) if self._output.embeds_images else None

    def __call__(self, url: "Url") -> str:
        path = local_path(url.url)
        if self._images and url.kind == "image":
            if path is not None:
                self._locate(path)
            return self._images(url)
        return url.url if path is None or not self._is_linked else self._linked(url, path)

    def merge_notices(self, notices: "Iterable[Notice]") -> "tuple[Notice, ...]":
        if not self._images:
            return (*self.notices, *notices)
        merged = self._images.merge_notices(notices, complete=complete_file_of(self._output))
        return (*self.notices, *merged)

    def _locate(self, path: str) -> tuple[PurePosixPath, str]:
        """Resolve a path, and record the state of its file and of one that would go before; return its own, too."""
        actual = actual_path(self._plan.source / self._document.parent, path)
        for each in (path, actual):
            located = PurePosixPath(os.path.normpath(self._document.parent / each))
            self.stamps[str(located)] = stamp(self._plan, located)
        return located, actual

    def _linked(self, url: "Url", path: str) -> str:
        located, actual = self._locate(path)
        output = self._plan.page_at(located) or (self._plan.page_named(path) if url.by_name else None)
        problem = None if output else find_problem(self._plan.boundary, self._plan.source, located)
        self.notices += case_notices(url, path, actual)
        if output:
            return self._page_url(output, url.url)
        if problem is None:
            self.copies.add(located)
            return url.url if actual == path else self._page_url(located, url.url)
        if url.by_name and find_problem(self._plan.boundary, self._plan.source, PurePosixPath(path)) is None:
            # Names may begin at the source directory.
            self.copies.add(PurePosixPath(path))
            self.stamps[path] = stamp(self._plan, PurePosixPath(path))
            return relative(PurePosixPath(path), self._plan.outputs[self._document])
        outside = "points outside the source directory" if located.parts[:1] == ("..",) else problem
        self.notices.append(link_notice(url, outside))
        return url.url

    def _page_url(self, output: PurePosixPath, url: str) -> str:
        parts = urlsplit(url)
        # A program that opens a file on its own takes no query.
        query = f"?{parts.query}" if parts.query and not self._images else ""
        fragment = parts.fragment and f"#{self._anchor_of(parts.fragment)}"
        return f"{relative(output, self._plan.outputs[self._document])}{query}{fragment}"


class LinkChecker:
    """Finds broken relative links, images and fragments; `stamps` has the state of files looked up.

    `parsing` is for the files that links with a fragment lead to.
    """

    def __init__(self, folder: Path, parsing: "ParseOptions") -> None:
        self._folder, self._prefix = folder, str(folder)
        self._parsing = parsing
        self.stamps: dict[str, str] = {}

    def notices_of(self, document: "Document") -> "Iterator[Notice]":
        for _, url in urls_in(document, only_local=True):
            path = written = local_path(url.url)
            if path is not None:
                path = self._path_of(path) if url.by_name else actual_path(self._folder, path)
            if path is not None and not self._stamp(file := os.path.join(self._prefix, path)):  # noqa: PTH118
                suggestion = None if url.by_name else similar_path(self._folder, path, SUFFIXES)
                yield link_notice(url, "points to a missing file", path, suggestion)
                continue
            if path and written and path != written and not url.by_name:
                # A file with this name would go before.
                self._stamp(os.path.join(self._prefix, written))  # noqa: PTH118
                yield from case_notices(url, written, path)
            if url.url.startswith("#"):
                yield from _notices_of_fragment(url, document.cached(_targets_of))
            elif path and "#" in url.url and PurePosixPath(path).suffix.lower() in SUFFIXES:
                yield from _notices_of_fragment(url, self._targets_in(file, self.stamps[file]))

    def keep_targets(self, file: str, document: "Document") -> None:
        """Keep the targets of a document for links from other files."""
        _targets.put((os.path.abspath(file), file_stamp(file), self._parsing), document.cached(_targets_of))  # noqa: PTH100

    def _targets_in(self, file: str, stamp: str) -> "_Targets":
        """Return the targets of a file; all names are in one that cannot be read."""
        from mdpublish_core import MdpublishError

        key = (os.path.abspath(file), stamp, self._parsing)  # noqa: PTH100
        if (targets := _targets.get(key)) is None:
            try:
                # A path may lead anywhere, but no link on it out of the repository.
                folder = self._folder.resolve()
                located = Path(os.path.normpath(folder / os.path.relpath(file, self._folder)))
                root = Path(os.path.commonpath([repository_root(folder), located.parent]))
                targets = _targets_of(self._parsing.parse_ahead(decode_source(read_within(root, located))))
            except (OSError, ValueError, MdpublishError):
                targets = _UNKNOWN
            _targets.put(key, targets)
        return targets

    def _path_of(self, name: str) -> str:
        """Return the path of a wiki link's file, below the document's folder or the current directory."""
        for folder in (self._folder, Path.cwd()):
            for suffix in ("", *SUFFIXES):
                file = str(folder.absolute() / actual_path(folder, f"{name}{suffix}"))
                if self._stamp(file) and os.path.isfile(file):  # noqa: PTH113
                    return file
        return name

    def _stamp(self, file: str) -> str:
        stamp = self.stamps[file] = file_stamp(file)
        return stamp


class _Targets(NamedTuple):
    """The anchors of a document, and the ids that other programs read behind headings, which have a notice already."""

    headings: "Collection[str]"
    ids: "Collection[str]"
    are_known: bool = True

    def has(self, fragment: str) -> bool:
        return (
            not self.are_known or fragment in self.headings or fragment.lower() in self.headings or fragment in self.ids
        )


_UNKNOWN = _Targets((), (), are_known=False)

_targets: "LruCache[tuple[str, str, ParseOptions], _Targets]" = LruCache(
    _MAX_CACHED_NAMES, lambda targets: min(1 + len(targets.headings), _MAX_CACHED_NAMES // 10)
)


def _notices_of_fragment(url: "Url", targets: _Targets) -> "Iterator[Notice]":
    fragment = unquote(urlsplit(url.url).fragment)
    if fragment and not targets.has(fragment):
        suggestion = similar_name(fragment, targets.headings)
        yield link_notice(url, "points to a missing heading", f"#{fragment}", suggestion and f"#{suggestion}")


def _targets_of(document: "Document") -> _Targets:
    """Return unknown ones where another program makes parts of the document: their headings cannot be known."""
    from mdpublish_core.writers.structure.anchors import Anchors

    if any(each.code == "unread-syntax" and (each.source or "").startswith(":::") for each in document.notices):
        return _UNKNOWN
    # Where there are ids, there is a notice.
    heading_texts = (text_content(token) for token in (document.link_targets if document.notices else ()))
    ids = {match[1] for heading_text in heading_texts if (match := HEADING_ID.search(heading_text))}
    return _Targets({name: None for name, _ in document.cached(Anchors).ids}, ids)


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
