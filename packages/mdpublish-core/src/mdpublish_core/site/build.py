"""Builds a site: every page that has changed, and what is made of all pages."""

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path, PurePosixPath
from time import monotonic
from urllib.parse import quote, urlsplit

from mdpublish_core.arguments import require_path, require_type
from mdpublish_core.errors import InvalidArgument, InvalidSite
from mdpublish_core.notices import Notice
from mdpublish_core.plugins import installed_plugins
from mdpublish_core.resources.source_files import SUFFIXES, is_inside
from mdpublish_core.site.feed import FeedEntry, atom_feed
from mdpublish_core.site.icon import site_icon
from mdpublish_core.site.links import BROKEN, LinkResolver, ResolvedLinks
from mdpublish_core.site.manifest import Output, WrittenFile
from mdpublish_core.site.navigation import Navigation, NavPage, humanize
from mdpublish_core.site.pool import run_all
from mdpublish_core.site.render import PageJob, Site, read_source, render_source, require_style, scan_source
from mdpublish_core.site.scan import ScannedPage, is_draft
from mdpublish_core.site.search import IndexedPage, search_index, site_script
from mdpublish_core.site.settings import FILES, SiteSettings, read_site_settings
from mdpublish_core.site.sitemap import sitemap
from mdpublish_core.site.sources import (
    FEED,
    HOME,
    ICON,
    ICONS,
    NOT_FOUND,
    SCRIPT,
    SEARCH_INDEX,
    SITEMAP,
    find_sources,
    require_free,
)
from mdpublish_core.writers.page.frame import PageFrame
from mdpublish_core.writers.page.options import Alternate, PageLink, PageOptions

_SAVE_SECONDS = 5.0
"""How much work a killed build loses."""

_PUNCTUATION = re.compile(r"([!-/:-@\[-`{-~])")


@dataclass(slots=True, kw_only=True)
class SiteReport:
    """What a build did. Paths are relative to the folder, or to the output for files."""

    pages: int = 0
    """Pages of the site."""

    written: int = 0
    """Pages that were rendered and written."""

    drafts: int = 0
    """Sources left out as drafts."""

    deleted: list[str] = field(default_factory=list)
    """Files of earlier builds that were deleted."""

    modified: list[str] = field(default_factory=list)
    """Files of earlier builds that were changed since, and therefore left."""

    notices: dict[str, tuple[Notice, ...]] = field(default_factory=dict)
    """Notices of each source, those of unchanged pages included."""

    problems: dict[str, str] = field(default_factory=dict)
    """What is wrong with each source that has no page."""

    @property
    def broken_links(self) -> int:
        """The number of links and images that lead nowhere."""
        return sum(notice.code in BROKEN for notices in self.notices.values() for notice in notices)


def build_site(
    folder: str | Path,
    out: str | Path,
    settings: SiteSettings | None = None,
    *,
    force: bool = False,
    workers: int | None = None,
) -> SiteReport:
    """Build a site of a folder's Markdown files in `out`; without `settings`, those of its configuration file count.

    Pages are written only if they have changed, and pages of deleted sources are deleted. With `force`, all are written, also over
    files that are not the site's. One page that fails stops no other. `workers` is the number of processes; by default one for
    each processor, or none for a few pages. Only one build at a time may write to `out`.

    Raises `InvalidSite`, `OSError`, and the errors of `render_page`.
    """
    _require_arguments(folder, out, settings, workers)
    folder, out = Path(folder), Path(out)
    if not folder.is_dir():
        raise InvalidSite(f"{folder} is not a folder")
    if out.exists() and (not out.is_dir() or folder.resolve().is_relative_to(out.resolve())):
        raise InvalidSite(f"the site cannot be written to {out}: it is a file, or contains {folder}")
    return _Build(Site(folder, out, settings or read_site_settings(folder)), force=force, workers=workers).run()


def _require_arguments(folder: object, out: object, settings: object, workers: object) -> None:
    require_path("folder", folder)
    require_path("out", out)
    if settings is not None:
        require_type("settings", settings, SiteSettings)
    if workers is not None and (not isinstance(workers, int) or isinstance(workers, bool) or workers < 1):
        raise InvalidArgument("workers", f"must be an int of at least 1, or None (got {workers!r})")


class _Build:
    def __init__(self, site: Site, *, force: bool, workers: int | None) -> None:
        from mdpublish_core import __version__

        self._site = site
        self._settings = site.settings
        self._force = force
        self._workers = workers
        self._report = SiteReport()
        self._fingerprint = sha256(f"{__version__} {site.settings!r} {installed_plugins()!r}".encode()).hexdigest()
        self._output = Output(site.out, self._fingerprint)
        self._pages: dict[PurePosixPath, PurePosixPath] = {}
        self._digests: dict[PurePosixPath, str] = {}
        self._scans: dict[PurePosixPath, ScannedPage] = {}

    def run(self) -> SiteReport:
        require_style(self._settings)
        sources = find_sources(self._site.folder, self._site.out)
        self._read(sources)
        self._scan()
        self._plan()
        jobs, links = self._jobs()
        assets = self._assets(links)
        expected = {job.page for job in jobs} | assets | self._generated()
        # A page that fails keeps its last version.
        expected |= {sources[PurePosixPath(name)] for name in self._report.problems}
        output = self._output
        output.clear_staging()
        output.claim(sorted(expected), force=self._force)
        try:
            self._render(jobs, links)
            for asset in sorted(assets):
                output.copy(self._site.folder / asset, asset)
            self._write_generated()
            self._report.deleted, self._report.modified = output.delete_others(expected)
        finally:
            if output.is_changed:
                output.save()
        self._report.pages = len(self._pages)
        return self._report

    def _read(self, sources: Mapping[PurePosixPath, PurePosixPath]) -> None:
        """Find the pages, and the digest of each."""
        for source, page in sources.items():
            try:
                markdown = read_source(self._site.folder / source)
            except (OSError, ValueError) as error:
                self._report.problems[str(source)] = getattr(error, "strerror", None) or str(error)
                continue
            if not self._settings.drafts and is_draft(markdown):
                self._report.drafts += 1
                continue
            self._pages[source] = page
            self._digests[source] = sha256(markdown.encode()).hexdigest()

    def _scan(self) -> None:
        known = self._output.manifest.scans
        for source in self._pages:
            digest, scan = known.get(str(source), ("", None))
            if scan and digest == self._digests[source]:
                self._scans[source] = scan
        missing = [source for source in self._pages if source not in self._scans]
        for number, result in run_all(scan_source, [(self._site, source) for source in missing], self._workers):
            source = missing[number]
            if isinstance(result, str):
                self._report.problems[str(source)] = result
                del self._pages[source]
            else:
                self._scans[source] = result
        self._output.is_changed |= bool(missing) or len(known) != len(self._pages)
        self._output.manifest.scans = {str(each): (self._digests[each], self._scans[each]) for each in self._pages}

    def _plan(self) -> None:
        """Work out the menu, and the titles of site and pages."""
        self._labels = {source: self._label(source) for source in self._pages}
        listed = {source: page for source, page in self._pages.items() if page != NOT_FOUND}
        self._navigation = Navigation(listed, self._labels, self._settings.nav)
        self._by_page = {page: source for source, page in self._pages.items()}
        home = self._by_page.get(HOME)
        self._title = self._settings.title or (self._labels[home].label if home else humanize(self._folder_name()))
        self._icon = next((icon for icon in ICONS if is_inside(self._site.folder, icon)), ICON)
        self._has_feed = bool(self._settings.url) and any(scan.date for scan in self._scans.values())

    def _folder_name(self) -> str:
        return self._site.folder.resolve().name or "Site"

    def _label(self, source: PurePosixPath) -> NavPage:
        scan, name = self._scans[source], source.parent.name if self._pages[source].name == HOME.name else source.stem
        return NavPage(scan.nav_title or scan.title or humanize(name or self._folder_name()), scan.rank)

    def _jobs(self) -> tuple[list[PageJob], dict[PurePosixPath, ResolvedLinks]]:
        resolver = self._resolver = LinkResolver(self._site.folder, self._pages, self._scans)
        jobs, links = [], {}
        for source, page in self._pages.items():
            links[page] = resolver.resolve(source, self._root(page))
            title = self._scans[source].title or self._labels[source].label
            jobs.append(self._job(page, title, source=source, urls=links[page].urls))
        if HOME not in self._by_page:
            jobs.append(self._job(HOME, self._title, markdown=self._home_markdown()))
        if NOT_FOUND not in self._by_page:
            markdown = f"# Page not found\n\nNo page has this address. [Go to the first page]({self._base_path()}).\n"
            jobs.append(self._job(NOT_FOUND, "Page not found", markdown=markdown))
        return jobs, links

    def _job(
        self,
        page: PurePosixPath,
        title: str,
        *,
        source: PurePosixPath | None = None,
        markdown: str | None = None,
        urls: Mapping[tuple[str, bool], str] | None = None,
    ) -> PageJob:
        """Return the job of a source, or of generated Markdown."""
        return PageJob(
            source=source or page.with_suffix(".md"),
            page=page,
            digest=self._digests[source] if source else "",
            markdown=markdown,
            urls=urls or {},
            options=self._page_options(page, title, source),
            frame=self._frame(page, self._root(page)),
        )

    def _page_options(self, page: PurePosixPath, title: str, source: PurePosixPath | None) -> PageOptions:
        settings, root = self._settings, self._root(page)
        is_listed = page != NOT_FOUND
        edit = self._edit_url(source) if settings.edit_url and source else None
        feed = Alternate(root + str(FEED), "application/atom+xml", self._title)
        return PageOptions(
            title=title,
            description=self._scans[source].description if source else None,
            page_width=settings.page_width,
            lang=settings.lang,
            canonical_url=self._public_url(page) if settings.url and is_listed else None,
            robots=None if is_listed else "noindex",
            breadcrumbs=self._navigation.breadcrumbs(page, root) if source and is_listed else (),
            alternates=(feed,) if self._has_feed else (),
            links=(PageLink("Edit this page", edit),) if edit else (),
            site_name=self._title if settings.url else None,
            reading_time=settings.reading_time,
            toc=settings.toc,
            copy_code=settings.copy_code,
        )

    def _frame(self, page: PurePosixPath, root: str) -> PageFrame:
        navigation = self._navigation
        before, after = navigation.neighbors(page, root)
        return PageFrame(
            site_title=self._title,
            home_url=root + str(HOME),
            menu=navigation.menu(page, root),
            icon_url=root + str(self._icon),
            script_url=root + str(SCRIPT),
            index_url=root + str(SEARCH_INDEX),
            root_url=root or "./",
            previous=before,
            next=after,
        )

    def _root(self, page: PurePosixPath) -> str:
        """Return the URL of the site relative to a page; the 404 page is shown at any path."""
        return self._base_path() if page == NOT_FOUND else "../" * (len(page.parts) - 1)

    def _base_path(self) -> str:
        return urlsplit(self._settings.url).path if self._settings.url else "/"

    def _public_url(self, page: PurePosixPath) -> str:
        path = quote(os.fsencode(str(page)))
        return f"{self._settings.url}{path.removesuffix(HOME.name) if page.name == HOME.name else path}"

    def _edit_url(self, source: PurePosixPath) -> str:
        path, pattern = quote(os.fsencode(str(source))), self._settings.edit_url or ""
        return pattern.replace("{path}", path) if "{path}" in pattern else f"{pattern.rstrip('/')}/{path}"

    def _home_markdown(self) -> str:
        """Return a list of the menu's first level, for a folder without a first page."""
        entries = self._navigation.menu(HOME, "")
        lines = [f"- [{_escaped(entry.label)}](<{entry.url}>)" for entry in entries if entry.url]
        return "\n".join((f"# {_escaped(self._title)}", "", *lines, ""))

    def _assets(self, links: Mapping[PurePosixPath, ResolvedLinks]) -> set[PurePosixPath]:
        assets = {asset for each in links.values() for asset in each.assets} | set(self._static_files())
        if self._icon != ICON:
            assets.add(self._icon)
        for asset in assets:
            require_free(asset)
        taken = {str(page).casefold() for page in self._pages.values()}
        for asset in assets:
            if str(asset).casefold() in taken:
                raise InvalidSite(f"{asset} has the name of a page; rename one of them")
        return assets

    def _static_files(self) -> Iterator[PurePosixPath]:
        folder, out = self._site.folder, self._site.out.resolve()
        for pattern in self._settings.static:
            try:
                matches = sorted(folder.glob(pattern))
            except (ValueError, NotImplementedError, IndexError):
                raise InvalidSite(f"static: {pattern!r} must be a pattern relative to the folder") from None
            paths = (PurePosixPath(Path(os.path.relpath(file, folder)).as_posix()) for file in matches)
            for path in paths:
                is_reserved = path.name in FILES or path.suffix.lower() in SUFFIXES
                is_output = (folder / path).resolve().is_relative_to(out)
                if path.parts[:1] != ("..",) and not is_reserved and not is_output and is_inside(folder, path):
                    yield path

    def _generated(self) -> set[PurePosixPath]:
        files = {SCRIPT, SEARCH_INDEX}
        if self._icon == ICON:
            files.add(ICON)
        if self._settings.url:
            files.add(SITEMAP)
        if self._has_feed:
            files.add(FEED)
        return files

    def _write_generated(self) -> None:
        output = self._output
        if self._icon == ICON:
            output.write(ICON, site_icon(self._title))
        output.write(SCRIPT, site_script())
        output.write(SEARCH_INDEX, search_index(self._indexed_pages()))
        if self._settings.url:
            output.write(SITEMAP, sitemap(self._sitemap_urls()))
        if self._has_feed:
            output.write(FEED, self._feed())

    def _indexed_pages(self) -> Iterable[IndexedPage]:
        labels = self._resolver.labels()
        for source, page in sorted(self._pages.items()):
            if page != NOT_FOUND:
                scan = self._scans[source]
                url = quote(os.fsencode(str(page)))
                yield IndexedPage(url, scan.title or self._labels[source].label, scan.sections, labels.get(source, {}))

    def _sitemap_urls(self) -> Iterator[tuple[str, str | None]]:
        for source, page in sorted(self._pages.items()):
            if page != NOT_FOUND:
                yield self._public_url(page), self._scans[source].date

    def _feed(self) -> bytes:
        entries = [
            FeedEntry(self._public_url(self._pages[source]), self._labels[source].label, scan.date, scan.description)
            for source, scan in self._scans.items()
            if scan.date and source in self._pages
        ]
        settings, url = self._settings, self._settings.url or ""
        author = settings.author or self._title
        return atom_feed(
            entries,
            title=self._title,
            author=author,
            site_url=url,
            feed_url=url + str(FEED),
            subtitle=settings.description,
        )

    def _render(self, jobs: list[PageJob], links: Mapping[PurePosixPath, ResolvedLinks]) -> None:
        output = self._output
        keys = {
            job.page: sha256(f"{self._fingerprint} {job!r}".encode("utf-8", "surrogatepass")).hexdigest()
            for job in jobs
        }
        stale = [job for job in jobs if self._force or not output.is_current(job.page, keys[job.page])]
        output.begin(job.page for job in stale)
        saved = monotonic()
        arguments = [(self._site, job, keys[job.page]) for job in stale]
        for number, result in run_all(render_source, arguments, self._workers):
            job = stale[number]
            if isinstance(result, str):
                self._report.problems[str(job.source)] = result
                continue
            if any(notice.code == "machine-busy" for notice in result.notices):
                result = replace(result, key="")  # noqa: PLW2901  (to be rendered again)
            output.record(job.page, result)
            self._report.written += job.markdown is None
            if monotonic() - saved > _SAVE_SECONDS:
                output.save()
                saved = monotonic()
        for job in jobs:
            self._collect_notices(job, links.get(job.page))

    def _collect_notices(self, job: PageJob, links: ResolvedLinks | None) -> None:
        if links is None:
            return
        written = self._output.manifest.files.get(str(job.page), WrittenFile())
        notices = (*self._scans[job.source].notices, *links.notices, *written.notices)
        if notices:
            self._report.notices[str(job.source)] = notices


def _escaped(label: str) -> str:
    return _PUNCTUATION.sub(r"\\\1", label)
