"""Sends files to a service: images first, then new pages, then what links to them."""

import os
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import count
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias
from urllib.parse import urlsplit

import click

from mdpublish_core.cli.console import write
from mdpublish_core.cli.images import local_path
from mdpublish_core.cli.inputs import ParseOptions, WalkedFile, read_content, read_markdown
from mdpublish_core.cli.publish.links import replace_urls, urls_of
from mdpublish_core.cli.publish.page_ids import page_id, with_extensions, with_id, without_id
from mdpublish_core.cli.publish.pages_file import Page, PagesFile, UploadedImage
from mdpublish_core.client.errors import BadRequest, Conflict, NotFound
from mdpublish_core.resources.file_names import actual_path, link_notice
from mdpublish_core.resources.repository import Repository
from mdpublish_core.resources.source_files import SourceNames
from mdpublish_core.writers.document_defaults import defaults_of, title_of

if TYPE_CHECKING:
    from mdpublish_core import Document
    from mdpublish_core.client import Client
    from mdpublish_core.client.models import Document as Stored
    from mdpublish_core.client.models import Notice as Shown
    from mdpublish_core.notices import Notice
    from mdpublish_core.resources.url_rewriters import Url

MAX_IMAGE_BYTES = 10_000_000
"""The limit of an image store, unless its operator allows less."""

Progress: TypeAlias = Callable[[int, int, str], None]
"""Called with the number of a step, that of all, and its file."""

_PRECONDITION_FAILED = 412


class Outcome(NamedTuple):
    """What happened to a file, or what would."""

    file: str
    action: str
    url: str = ""
    problem: str = ""
    notices: "tuple[Notice, ...]" = ()
    """Links and images that lead nowhere on the service, and what it cannot show as written."""


class SourceFile(NamedTuple):
    """A file and the files that its URLs name, relative to the folder: links may lead outside it, images may not."""

    path: str
    markdown: str
    """The Markdown without the id of its page."""
    document: "Document"
    links: "Mapping[Url, str]"
    images: Mapping[str, str]
    missing: "tuple[Url, ...]"
    page_id: str | None
    lines: int

    def fields(self, content: str) -> dict[str, Any]:
        """Return what is sent: the title, and what the front matter says of the page."""
        defaults = defaults_of(self.document)
        fields = {
            "content": content,
            "title": title_of(self.document) or Path(self.path).stem,
            "template_id": defaults.template_id,
            "theme_mode": defaults.theme_mode,
            "page_width": defaults.options.get("page_width"),
        }
        return {name: value for name, value in fields.items() if value is not None}


@dataclass(slots=True)
class Publisher:
    """Publishes files of a folder; `on_conflict` is `keep`, `mine` or `theirs`."""

    client: "Client"
    file: PagesFile
    parsing: ParseOptions
    on_conflict: str
    is_draft: bool
    is_dry: bool
    writes_ids: bool = False
    repository: Repository | None = None
    """The repository to which links to files that are no pages lead."""

    progress: Progress = lambda _step, _steps, _file: None
    shown: "dict[str, Iterable[Shown]]" = field(default_factory=dict, init=False)
    stored: dict[str, "Stored"] = field(default_factory=dict, init=False)
    names: SourceNames = field(default_factory=lambda: SourceNames(()), init=False)

    def publish(self, paths: "list[str]") -> Iterator[Outcome]:
        """Yield what happened to each image and file."""
        known = frozenset((*paths, *self.file.pages))
        self.names = SourceNames(map(PurePosixPath, known))
        sources = []
        for path in paths:
            try:
                sources.append(self._read(path))
            except click.ClickException as error:
                yield Outcome(path, "failed", problem=error.message)
        for source in sources:
            self._find_page(source)
        images = dict.fromkeys(image for source in sources for image in source.images.values())
        new = [source for source in sources if source.path not in self.file.pages]
        steps, step = len(images) + len(new) + len(sources), count(1)
        for image in images:
            self.progress(next(step), steps, image)
            yield from self._upload(image)
        added = {}
        refused = {}
        for source in new:
            self.progress(next(step), steps, source.path)
            try:
                added[source.path] = self._create(source)
            except BadRequest as error:
                refused[source.path] = Outcome(source.path, "failed", problem=str(error))
        for source in sources:
            self.progress(next(step), steps, source.path)
            try:
                outcome = refused.get(source.path) or self._update(source, added.get(source.path))
            except BadRequest as error:
                outcome = Outcome(source.path, "failed", problem=str(error))
            yield outcome._replace(notices=tuple(self._notices(source, [*self._dead_links(source, known)])))

    def prune(self, paths: "list[str]") -> Iterator[Outcome]:
        """Delete the pages of files that are gone."""
        for path in paths:
            page = self.file.pages[path]
            is_renamed = any(other.id == page.id for name, other in self.file.pages.items() if name != path)
            if not self.is_dry:
                with suppress(NotFound):
                    if not is_renamed:
                        self.client.delete_document(page.id)
                del self.file.pages[path]
                self.file.save()
            if not is_renamed:
                yield Outcome(path, "deleted", page.url)

    def _read(self, path: str) -> SourceFile:
        root = self.file.root
        markdown = read_markdown(self._file(path))
        document, urls = urls_of(markdown, self.parsing)
        links: dict[Url, str] = {}
        images: dict[str, str] = {}
        missing = []
        for url in urls:
            target = self._locate(path, url)
            if target and url.kind == "link":
                located = PurePosixPath(Path(os.path.relpath(target, root)).as_posix())
                is_page = located in self.names.of_name(located)
                links[url] = str(located) if is_page else Path(os.path.relpath(target.resolve(), root)).as_posix()
            elif target and target.is_relative_to(root):
                images[url.url] = target.relative_to(root).as_posix()
            elif local_path(url.url):
                missing.append(url)
        written_id = page_id(document)
        sent = without_id(markdown) if written_id else markdown
        return SourceFile(path, sent, document, links, images, tuple(missing), written_id, markdown.count("\n"))

    def _file(self, path: str) -> WalkedFile:
        return WalkedFile.of(self.file.root / path, self.file.boundary_of(path))

    def _locate(self, path: str, url: "Url") -> Path | None:
        """Return the file that a URL names, if there is one; a link stays."""
        if not (named := local_path(url.url)):
            return None
        root = self.file.root
        if url.by_name and (source := self.names.named(named)):
            return root / source
        folder = (root / path).parent
        target = Path(os.path.normpath(folder / actual_path(folder, named)))
        # os.path returns False for invalid names; pathlib raises.
        return target if os.path.isfile(target) else None  # noqa: PTH113

    def _find_page(self, source: SourceFile) -> None:
        """Take the page that the front matter names, if it is there and another is noted, or none."""
        noted = self.file.pages.get(source.path)
        if source.page_id is None or (noted and noted.id == source.page_id):
            return
        with suppress(NotFound):
            stored = self.stored[source.path] = self.client.get_document(source.page_id)
            page = Page(stored.id, "", stored.etag, "")
            if stored.is_published and not self.is_dry:
                # Only this says where a page is.
                published = self.client.publish_document(stored.id, if_match=stored.etag)
                page = page._replace(url=published.published_url, etag=published.etag)
            self.file.pages[source.path] = page

    def _write(self, path: str, markdown: str, new_id: str | None) -> None:
        if new_id:
            markdown = with_id(markdown, new_id)
        write(self._file(path), markdown.encode())

    def _upload(self, image: str) -> Iterator[Outcome]:
        try:
            content = read_content(self._file(image))
        except OSError as error:
            yield Outcome(image, "failed", problem=f"cannot read it: {error.strerror}")
            return
        digest = sha256(content).hexdigest()
        if (known := self.file.images.get(image)) and known.digest == digest:
            return
        if len(content) > MAX_IMAGE_BYTES:
            problem = f"images must be at most {MAX_IMAGE_BYTES:,} bytes (got {len(content):,})"
            yield Outcome(image, "failed", problem=problem)
            return
        if self.is_dry:
            yield Outcome(image, "uploaded")
            return
        try:
            url = self.client.upload_image(content).url
        except BadRequest as error:
            yield Outcome(image, "failed", problem=str(error))
            return
        self.file.images[image] = UploadedImage(url, digest)
        self.file.save()
        yield Outcome(image, "uploaded", url)

    def _create(self, source: SourceFile, *, is_retried: bool = True) -> str:
        """Make a new page; its links to others that are new come with an update.

        If `is_retried`, a run that was killed before it noted the page makes no second one.
        """
        if not self.is_dry:
            fields = source.fields(self._published(source))
            key = _digest({"folder": self.file.root, "file": source.path, **fields}) if is_retried else None
            if self.is_draft:
                created = self.client.create_document(**fields, idempotency_key=key)
                page, notices = Page(created.id, "", created.etag, _digest(fields)), created.notices
            else:
                published = self.client.create_and_publish_document(**fields, idempotency_key=key)
                page = Page(published.id, published.published_url, published.etag, _digest(fields))
                notices = published.notices
            self.shown[source.path] = notices
            self.file.pages[source.path] = page
            self.file.save()
            if self.writes_ids or source.page_id:
                self._write(source.path, source.markdown, page.id)
        return "created" if self.is_draft else "published"

    def _update(self, source: SourceFile, action: str | None) -> Outcome:
        if (page := self.file.pages.get(source.path)) is None:
            return Outcome(source.path, action or "published")
        fields = source.fields(self._published(source))
        digest = _digest(fields)
        if self._is_unchanged(source.path, page, fields):
            return Outcome(source.path, action or "unchanged", page.url)
        if self.is_dry:
            return Outcome(source.path, action or "updated", page.url)
        try:
            etag = "" if self.on_conflict == "mine" else page.etag
            if page.digest != digest:
                updated = self.client.update_document(page.id, **fields, if_match=etag)
                page, self.shown[source.path] = page._replace(etag=updated.etag), updated.notices
            if not (page.url or self.is_draft):
                published = self.client.publish_document(page.id)
                self.shown[source.path] = published.notices
                page = page._replace(url=published.published_url, etag=published.etag)
        except Conflict as error:
            if error.status != _PRECONDITION_FAILED:
                raise
            return self._resolve(source, page)
        except NotFound:
            del self.file.pages[source.path]
            return Outcome(source.path, self._create(source, is_retried=False), self.file.pages[source.path].url)
        self.file.pages[source.path] = page._replace(digest=digest)
        self.file.save()
        return Outcome(source.path, action or "updated", page.url)

    def _is_unchanged(self, path: str, page: Page, fields: Mapping[str, Any]) -> bool:
        """Whether the service has a page of these fields: the one that was noted, or that of an id."""
        stored = self.stored.get(path)
        is_same = page.digest == _digest(fields)
        if stored and all(getattr(stored, name) == value for name, value in fields.items()):
            is_same = True
            self.file.pages[path] = page._replace(digest=_digest(fields))
            if not self.is_dry:
                self.file.save()
        return is_same and bool(page.url or self.is_draft or (stored and stored.is_published))

    def _resolve(self, source: SourceFile, page: Page) -> Outcome:
        """Take the text of the web, or leave both texts as they are."""
        stored = self.client.get_document(page.id)
        if self.on_conflict == "keep":
            problem = (
                "was changed on the web since it was published; --mine replaces that text, --theirs replaces the file"
            )
            return Outcome(source.path, "conflict", page.url, problem)
        self._write(source.path, self._local(source, stored), source.page_id)
        taken = self._read(source.path)
        self.file.pages[source.path] = page._replace(
            etag=stored.etag, digest=_digest(taken.fields(self._published(taken)))
        )
        self.file.save()
        return Outcome(source.path, "taken from the web", page.url)

    def _published(self, source: SourceFile) -> str:
        """Return Markdown with the URLs of the service."""
        return with_extensions(replace_urls(source.markdown, dict(self._urls(source)), self.parsing), self.parsing)

    def _dead_links(self, source: SourceFile, known: Container[str]) -> "Iterator[Notice]":
        """Yield notices of what leads nowhere once the files of `known` paths have pages."""
        for url in source.missing:
            where = "points outside the folder or" if url.kind == "image" else "points"
            yield link_notice(url, f"{where} to a missing file")
        for url, path in source.links.items():
            if path not in known and not self._repository_url(path):
                yield link_notice(url, "points to a file that is no page; --repository links to such files")

    def _notices(self, source: SourceFile, dead_links: "Sequence[Notice]") -> "Iterator[Notice]":
        """Yield notices, the service's at the lines of the file, in which URLs and thus columns are others."""
        from mdpublish_core.notices import Notice

        yield from dead_links
        said = {(each.code, each.line) for each in dead_links}
        shift = source.lines - self._published(source).count("\n")
        for each in self.shown.get(source.path, ()):
            line = each.line and max(1, each.line + shift)
            if (each.code, line) not in said:
                yield Notice(each.code, each.message, line)

    def _urls(self, source: SourceFile) -> Iterator[tuple[str, str]]:
        for url, path in source.links.items():
            fragment = f"#{parts.fragment}" if (parts := urlsplit(url.url)).fragment else ""
            if page := self.file.pages.get(path):
                if page.url:
                    yield url.url, f"{page.url}{fragment}"
            elif repository_url := self._repository_url(path):
                yield url.url, f"{repository_url}{fragment}"
        for image_url, path in source.images.items():
            if image := self.file.images.get(path):
                yield image_url, image.url

    def _repository_url(self, path: str) -> str | None:
        return self.repository.url_of(PurePosixPath(), path) if self.repository else None

    def _local(self, source: SourceFile, stored: "Stored") -> str:
        """Return the Markdown of a page with links to files."""
        urls = {new: old for old, new in self._urls(source)}
        return replace_urls(stored.content, urls, self.parsing)


def _digest(fields: Mapping[str, Any]) -> str:
    return sha256("\0".join(f"{name}={value}" for name, value in sorted(fields.items())).encode()).hexdigest()
