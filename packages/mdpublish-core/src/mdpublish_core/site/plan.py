"""Plans the files of a build from all sources, before the first is written."""

import os
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import takewhile
from pathlib import Path, PurePosixPath
from urllib.parse import quote, urlsplit

from mdpublish_core.errors import InvalidSite, UnknownTemplate
from mdpublish_core.resources.file_names import name_key
from mdpublish_core.resources.repository import Repository
from mdpublish_core.resources.source_files import SUFFIXES, find_problem
from mdpublish_core.site.feed import FeedEntry, atom_feed
from mdpublish_core.site.icon import site_icon
from mdpublish_core.site.links import LinkResolver, ResolvedLinks
from mdpublish_core.site.navigation import Navigation, NavPage, humanize
from mdpublish_core.site.render import PageJob, Site
from mdpublish_core.site.scan import ScannedPage
from mdpublish_core.site.search import IndexedPage, mode_script, search_index, site_script
from mdpublish_core.site.settings import FILES, SiteSettings
from mdpublish_core.site.sitemap import sitemap
from mdpublish_core.site.sources import (
    FEED,
    FONTS,
    HOME,
    ICON,
    ICONS,
    MODE_SCRIPT,
    NOT_FOUND,
    SCRIPT,
    SEARCH_INDEX,
    SITEMAP,
    SiteSources,
    require_free,
)
from mdpublish_core.templates.catalog import get_template
from mdpublish_core.templates.hosted_fonts import FONT_FOLDER, formula_font, license_file
from mdpublish_core.templates.theme import Template
from mdpublish_core.templates.web_fonts import font_files
from mdpublish_core.writers.document_defaults import DEFAULT_TEMPLATE
from mdpublish_core.writers.options.page import Alternate, PageLink
from mdpublish_core.writers.page.feed_content import feed_content
from mdpublish_core.writers.page.frame import FramedPageOptions, PageFrame
from mdpublish_core.writers.words import Words, words_in

_PUNCTUATION = re.compile(r"([!-/:-@\[-`{-~])")


@dataclass(frozen=True, slots=True, kw_only=True)
class SitePlan:
    """What the pages of a site say of each other, and the files that follow from it.

    `listed` has the page of each source but that of `NOT_FOUND`, `links` those of each page of a source, `link_labels`
    the texts of links to each source, by the id that they lead to.
    """

    site: Site
    sources: SiteSources
    listed: Mapping[PurePosixPath, PurePosixPath]
    labels: Mapping[PurePosixPath, NavPage]
    navigation: Navigation
    title: str
    icon: PurePosixPath
    has_feed: bool
    links: Mapping[PurePosixPath, ResolvedLinks]
    static: Mapping[PurePosixPath, Path]
    link_labels: Mapping[PurePosixPath, Mapping[str, Sequence[str]]]
    other_titles: Mapping[PurePosixPath, str]
    """Titles of pages in place of those that other pages of their folders have, too."""

    @property
    def words(self) -> Words:
        return words_in(self.site.settings.lang)

    def jobs(self) -> Iterator[PageJob]:
        """Yield the pages of sources, and those that a site has without one."""
        for source, page in self.sources.pages.items():
            yield self._job(page, self._page_title(source), source=source)
        if HOME not in self.links:
            yield self._job(HOME, self.title, markdown=self._home_markdown())
        if NOT_FOUND not in self.links:
            home = _base_path(self.site.settings)
            title, words = self.words["not_found"], self.words
            markdown = f"# {title}\n\n{words['no_page']} [{words['home']}]({home})\n"
            yield self._job(NOT_FOUND, title, markdown=markdown)

    def assets(self) -> Mapping[PurePosixPath, Path]:
        """Return the files to copy, by their places. Raises `InvalidSite` if another file has the name of one."""
        linked = {*(asset for each in self.links.values() for asset in each.assets), *({self.icon} - {ICON})}
        assets = {asset: self.site.folder / asset for asset in linked} | dict(self.static)
        taken = {name_key(str(page)) for page in self.links}
        for asset in assets:
            require_free(asset)
            if name_key(str(asset)) in taken:
                raise InvalidSite(f"{asset} has the name of a page; rename one of them")
        return assets

    def generated(self) -> Mapping[PurePosixPath, bytes]:
        """Return the content of each of the other files."""
        files = {ICON: site_icon(self.title)} if self.icon == ICON else {}
        files |= {SCRIPT: site_script(), MODE_SCRIPT: mode_script(), SEARCH_INDEX: search_index(self._indexed_pages())}
        if self.site.settings.fonts == "files":
            files |= {FONTS / name: (FONT_FOLDER / name).read_bytes() for name in self._font_files()}
        if self.site.settings.url:
            dates = self.sources.scans
            files[SITEMAP] = sitemap(
                (self._public_url(page), dates[source].date) for source, page in self.listed.items()
            )
        return files

    def _font_files(self) -> set[str]:
        """Return the names of the files that pages load, and of their licenses."""
        chosen, scans = self.site.settings.template, self.sources.scans.values()
        font = formula_font()
        files = {license_file(font.name), *dict(font.parts)} if any(scan.has_formulas for scan in scans) else set[str]()
        for each in [chosen] if chosen else {DEFAULT_TEMPLATE, *filter(None, (scan.template for scan in scans))}:
            with suppress(UnknownTemplate):  # of which the page tells
                template = each if isinstance(each, Template) else get_template(each)
                files.update(font_files(template), map(license_file, filter(None, template.fonts.hosted)))
        return files

    def _page_title(self, source: PurePosixPath) -> str:
        scan, label = self.sources.scans[source], self.labels[source].label
        if not scan.has_title:
            return self.navigation.label(self.sources.pages[source]) or label
        return self.other_titles.get(source) or scan.title or label

    def _job(
        self, page: PurePosixPath, title: str, *, source: PurePosixPath | None = None, markdown: str | None = None
    ) -> PageJob:
        """Return the job of a source, or of generated Markdown."""
        return PageJob(
            source=source or page.with_suffix(".md"),
            page=page,
            digest=self.sources.digests[source] if source else "",
            markdown=markdown,
            urls=self.links[page].urls if source else {},
            options=self._page_options(page, title, source),
        )

    def _page_options(self, page: PurePosixPath, title: str, source: PurePosixPath | None) -> FramedPageOptions:
        settings, root = self.site.settings, _root(self.site.settings, page)
        is_listed = page != NOT_FOUND
        edit = self._edit_url(source) if settings.edit_url and source else None
        feed = Alternate(root + str(FEED), "application/atom+xml", self.title)
        return FramedPageOptions(
            frame=self._frame(page, root),
            title=title,
            description=self.sources.scans[source].description if source else None,
            page_width=settings.page_width,
            lang=settings.lang,
            canonical_url=self._public_url(page) if settings.url and is_listed else None,
            robots=None if is_listed else "noindex",
            breadcrumbs=self.navigation.breadcrumbs(page, root) if source and is_listed else (),
            alternates=(feed,) if self.has_feed else (),
            links=(PageLink(self.words["edit"], edit),) if edit else (),
            site_name=self.title if settings.url else None,
            reading_time=settings.reading_time,
            toc=settings.toc,
            copy_code=settings.copy_code,
            font_url=f"{root or './'}{FONTS}/" if settings.fonts == "files" else None,
        )

    def _frame(self, page: PurePosixPath, root: str) -> PageFrame:
        navigation = self.navigation
        before, after = navigation.neighbors(page, root)
        return PageFrame(
            site_title=self.title,
            home_url=root + str(HOME),
            menu=navigation.menu(page, root),
            icon_url=root + str(self.icon),
            script_url=root + str(SCRIPT),
            index_url=root + str(SEARCH_INDEX),
            root_url=root or "./",
            layout=self.site.settings.layout,
            repository=_repository_link(self.site.settings.repository),
            version=self.site.out.resolve().name if self.site.settings.versions else None,
            versions=tuple(self._versions(page, root)),
            mode_script_url=root + str(MODE_SCRIPT) if self.site.settings.theme_mode == "auto" else None,
            previous=before,
            next=after,
        )

    def _versions(self, page: PurePosixPath, root: str) -> Iterator[PageLink]:
        for version in self.site.settings.versions:
            other = self.site.out.resolve().parent / version
            # Its own pages, too, are there only after the first build.
            has_page = page != NOT_FOUND and (other.name == self.site.out.name or (other / page).is_file())
            same = page if has_page else HOME
            yield PageLink(version, f"{root}../{quote(version)}/{quote(os.fsencode(str(same)))}")

    def _public_url(self, page: PurePosixPath) -> str:
        path = quote(os.fsencode(str(page)))
        return f"{self.site.settings.url}{path.removesuffix(HOME.name) if page.name == HOME.name else path}"

    def _edit_url(self, source: PurePosixPath) -> str:
        path, pattern = quote(os.fsencode(str(source))), self.site.settings.edit_url or ""
        return pattern.replace("{path}", path) if "{path}" in pattern else f"{pattern.rstrip('/')}/{path}"

    def _home_markdown(self) -> str:
        """Return a list of the menu's first level, for a folder without a first page."""
        entries = self.navigation.menu(HOME, "")
        lines = [f"- [{_escaped(entry.label)}](<{entry.url}>)" for entry in entries if entry.url]
        return "\n".join((f"# {_escaped(self.title)}", "", *lines, ""))

    def _indexed_pages(self) -> Iterator[IndexedPage]:
        for source, page in self.listed.items():
            url, sections = quote(os.fsencode(str(page))), self.sources.scans[source].sections
            yield IndexedPage(url, self._page_title(source), sections, self.link_labels.get(source, {}))

    def feed(self) -> bytes:
        """Return the feed, once its pages are written."""
        settings, url = self.site.settings, self.site.settings.url or ""
        entries = [
            FeedEntry(
                self._public_url(page), self.labels[source].label, date, scan.description, partial(self._content, page)
            )
            for source, page in self.sources.pages.items()
            if (date := (scan := self.sources.scans[source]).date)
        ]
        return atom_feed(
            entries,
            title=self.title,
            author=settings.author or self.title,
            site_url=url,
            feed_url=url + str(FEED),
            subtitle=settings.description,
        )

    def _content(self, page: PurePosixPath) -> str | None:
        try:
            return feed_content((self.site.out / page).read_bytes(), self._public_url(page))
        except OSError:  # it was not written, as the report says
            return None


def plan_site(site: Site, sources: SiteSources) -> SitePlan:
    """Work out what to write. Raises `InvalidSite` for a menu that has what the site has not."""
    folder_name = site.folder.resolve().name or "Site"
    other_titles = _other_titles(sources)
    labels = {
        source: _label(source, page, sources.scans[source], other_titles.get(source), folder_name)
        for source, page in sources.pages.items()
    }
    listed = {source: page for source, page in sources.pages.items() if page != NOT_FOUND}
    home = next((labels[source].label for source, page in listed.items() if page == HOME), humanize(folder_name))
    url, static = site.settings.repository, dict(_static_files(site))
    resolver = LinkResolver(
        site.folder,
        sources.pages,
        sources.scans,
        repository=Repository(site.folder, url) if url else None,
        static=static,
    )
    return SitePlan(
        site=site,
        sources=sources,
        listed=listed,
        labels=labels,
        navigation=Navigation(listed, labels, site.settings.nav),
        title=site.settings.title or home,
        icon=next((icon for icon in ICONS if find_problem(site.boundary, site.folder, icon) is None), ICON),
        has_feed=bool(site.settings.url) and any(scan.date for scan in sources.scans.values()),
        static=static,
        links={page: resolver.resolve(source, _root(site.settings, page)) for source, page in sources.pages.items()},
        link_labels=resolver.labels(),
        other_titles=other_titles,
    )


def _other_titles(sources: SiteSources) -> Mapping[PurePosixPath, str]:
    """Return the next heading, else the file's name, of pages that share their title, but for a folder's first page."""
    sharing: dict[tuple[PurePosixPath, str | None], list[PurePosixPath]] = {}
    for source in sources.pages:
        sharing.setdefault((source.parent, sources.scans[source].title), []).append(source)
    titles: dict[PurePosixPath, str] = {}
    for (_, title), sharers in sharing.items():
        several = [each for each in sharers if sources.pages[each].name != HOME.name]
        if title is None or len(sharers) < 2 or not several:
            continue
        headings = {
            each: next(
                (section.heading for section in sources.scans[each].sections if section.heading not in {"", title}), ""
            )
            for each in several
        }
        counts = Counter(headings.values())
        titles |= {
            each: heading if heading and counts[heading] == 1 else humanize(each.stem)
            for each, heading in headings.items()
        }
    return titles


def _label(
    source: PurePosixPath, page: PurePosixPath, scan: ScannedPage, other_title: str | None, folder_name: str
) -> NavPage:
    name = source.parent.name if page.name == HOME.name else source.stem
    return NavPage(scan.nav_title or other_title or scan.title or humanize(name or folder_name), scan.rank)


def _root(settings: SiteSettings, page: PurePosixPath) -> str:
    """Return the URL of the site relative to a page; the 404 page is shown at any path."""
    return _base_path(settings) if page == NOT_FOUND else "../" * (len(page.parts) - 1)


def _repository_link(url: str | None) -> PageLink | None:
    return PageLink(urlsplit(url).path.strip("/") or url, url) if url else None


def _base_path(settings: SiteSettings) -> str:
    return urlsplit(settings.url).path if settings.url else "/"


def _static_files(site: Site) -> Iterator[tuple[PurePosixPath, Path]]:
    out = site.out.resolve()
    for written in site.settings.static:
        folder, pattern = site.folder, written
        if pattern.startswith("../"):
            parts = list(takewhile(lambda part: "*" not in part, PurePosixPath(pattern).parts[:-1]))
            folder, pattern = (
                Path(os.path.normpath(folder.joinpath(*parts))),
                pattern.removeprefix("/".join(parts) + "/"),
            )
        try:
            matches = sorted(folder.glob(pattern))
        except (ValueError, NotImplementedError, IndexError):
            raise InvalidSite(f"static: {pattern!r} must be a pattern relative to the folder") from None
        paths = (PurePosixPath(Path(os.path.relpath(file, folder)).as_posix()) for file in matches)
        for path in paths:
            is_reserved = path.name in FILES or path.suffix.lower() in SUFFIXES
            is_output = (folder / path).resolve().is_relative_to(out)
            is_hidden = any(part.startswith(".") for part in path.parts)  # also one above the folder
            is_left_out = is_hidden or is_reserved or is_output or site.excluded.leaves_out(folder / path)
            if not (is_left_out or (folder / path).is_dir()):
                yield path, folder / path


def _escaped(label: str) -> str:
    return _PUNCTUATION.sub(r"\\\1", label)
