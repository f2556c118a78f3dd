"""Links between the files of a site: what each URL becomes, and which lead nowhere."""

import os
from collections.abc import Container, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from urllib.parse import SplitResult, quote, unquote, urlsplit

from mdpublish_core.notices import Notice
from mdpublish_core.resources.file_names import actual_path, case_notices, link_notice
from mdpublish_core.resources.folder_files import repository_root
from mdpublish_core.resources.repository import Repository
from mdpublish_core.resources.source_files import SUFFIXES, SourceNames, find_problem
from mdpublish_core.site.scan import PageUrl, ScannedPage

BROKEN = frozenset({"broken-link", "missing-image"})
"""Notices of links that lead nowhere."""


@dataclass(frozen=True, slots=True)
class ResolvedLinks:
    """The links of a page."""

    urls: Mapping[tuple[str, bool], str]
    """What is written for a URL, and whether it is a name of a wiki link; others are kept."""

    assets: frozenset[PurePosixPath]
    """Files to copy."""

    notices: tuple[Notice, ...]


class LinkResolver:
    """Resolves the links of pages. `pages` has the page of each source.

    With a repository, links to files that are no pages lead there, but for images and the `static` files of the site.
    """

    def __init__(
        self,
        folder: Path,
        pages: Mapping[PurePosixPath, PurePosixPath],
        scans: Mapping[PurePosixPath, ScannedPage],
        *,
        repository: Repository | None = None,
        static: Container[PurePosixPath],
    ) -> None:
        self._repository, self._static = repository, static
        self._folder, self._root = folder, repository_root(folder.resolve())
        self._pages = pages
        self._scans = scans
        self._indexes = {page.parent: source for source, page in pages.items() if page.name == "index.html"}
        self._names = SourceNames(pages)

    def resolve(self, source: PurePosixPath, root: str) -> ResolvedLinks:
        """Resolve the links of a page; `root` is the URL of the site, relative to it."""
        urls: dict[tuple[str, bool], str] = {}
        assets: set[PurePosixPath] = set()
        notices: list[Notice] = []
        for url in self._scans[source].urls:
            if (parts := _local(url.url)) is None:
                continue
            path = unquote(parts.path, errors="surrogateescape")
            actual = self._actual(source, path)
            written, problem = self._write(source, url, parts._replace(path=actual), root, assets)
            if written is not None:
                urls[url.url, url.by_name] = written
                notices += case_notices(url.located, path, actual)
            if problem:
                notices.append(link_notice(url.located, problem))
        return ResolvedLinks(urls, frozenset(assets), tuple(notices))

    def labels(self) -> dict[PurePosixPath, dict[str, list[str]]]:
        """Return the texts of links to each source from others, by the id that they lead to."""
        labels: dict[PurePosixPath, dict[str, list[str]]] = {}
        for source, scan in self._scans.items():
            for url, label in scan.labels:
                parts = _local(url)
                path = self._actual(source, unquote(parts.path, errors="surrogateescape")) if parts else ""
                located = _locate(source, path) if path else None
                target = self._source_at(located) if located else None
                if parts and target and target != source:
                    anchor = self._fragment(target, parts.fragment)[0].removeprefix("#")
                    labels.setdefault(target, {}).setdefault(anchor, []).append(label)
        return labels

    def _actual(self, source: PurePosixPath, path: str) -> str:
        """Return a path as its files are called."""
        located = _locate(source, path) if path else None
        if not located or located in self._pages:
            return path
        folder = self._folder if path.startswith("/") else self._folder / source.parent
        return "/" * path.startswith("/") + actual_path(folder, path.lstrip("/"))

    def _write(
        self, source: PurePosixPath, url: PageUrl, parts: SplitResult, root: str, assets: set[PurePosixPath]
    ) -> tuple[str | None, str | None]:
        if not (path := parts.path):
            return None, self._fragment(source, parts.fragment)[1]
        located = _locate(source, path)
        target = self._source_at(located) if located else None
        if self._repository and not (target or url.kind == "image" or url.by_name or located in self._static):
            is_draft = located and located.suffix.lower() in SUFFIXES
            if not is_draft and (repository_url := self._repository.url_of(source, path)):
                return repository_url + (f"#{parts.fragment}" if parts.fragment else ""), None
        if located is None:
            return None, "points outside the site's folder"
        if target is None and url.by_name:
            target = self._names.named(path)
        if target is not None:
            fragment, problem = self._fragment(target, parts.fragment)
            return _url(root, self._pages[target], parts, fragment), problem
        for candidate in (located, PurePosixPath(path)) if url.by_name else (located,):
            problem = None if candidate in self._static else find_problem(self._root, self._folder, candidate)
            # A draft is no file to copy.
            if problem is None and candidate.suffix.lower() not in SUFFIXES:
                assets.add(candidate)
                return _url(root, candidate, parts, f"#{parts.fragment}" if parts.fragment else ""), None
        # A link from the server's root may be to another site.
        is_elsewhere = path.startswith("/") and url.kind == "link"
        return None, None if is_elsewhere else problem or "points to a missing file"

    def _fragment(self, source: PurePosixPath, fragment: str) -> tuple[str, str | None]:
        """Return the fragment on the page, and what is wrong with it."""
        if not fragment:
            return "", None
        name, anchors = unquote(fragment), self._scans[source].anchors
        anchor = anchors.get(name) or anchors.get(name.lower())
        return (f"#{quote(anchor)}", None) if anchor else (f"#{fragment}", "points to a missing heading")

    def _source_at(self, path: PurePosixPath) -> PurePosixPath | None:
        return path if path in self._pages else self._indexes.get(path)


def _local(url: str) -> SplitResult | None:
    try:
        parts = urlsplit(url)
    except ValueError:  # such as a broken IPv6 host
        return None
    return None if parts.scheme or parts.netloc else parts


def _locate(source: PurePosixPath, path: str) -> PurePosixPath | None:
    """Return a path relative to the site's folder; one with a slash in front begins there."""
    joined = path.lstrip("/") if path.startswith("/") else str(source.parent / path)
    located = PurePosixPath(os.path.normpath(joined))
    return None if ".." in located.parts[:1] or "\0" in joined else located


def _url(root: str, path: PurePosixPath, parts: SplitResult, fragment: str) -> str:
    query = f"?{parts.query}" if parts.query else ""
    return f"{root}{quote(os.fsencode(str(path)))}{query}{fragment}"
