"""One page of a site, rendered and written, in this process or a worker."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath

from mdpublish_core.errors import MdpublishError
from mdpublish_core.nodes import Document, Heading, RawText, replace, text_content
from mdpublish_core.readers.markdown.included_files import IncludedFiles
from mdpublish_core.resources.folder_files import read_within, repository_root
from mdpublish_core.resources.ignore_files import IgnoredFiles
from mdpublish_core.resources.url_rewriters import Url
from mdpublish_core.site.manifest import WrittenFile, write_file
from mdpublish_core.site.scan import ScannedPage, parse_page, scan_page
from mdpublish_core.site.settings import SiteSettings
from mdpublish_core.strings.encodings import decode_source
from mdpublish_core.writers.options.page import PageOptions
from mdpublish_core.writers.page.frame import FramedPageOptions
from mdpublish_core.writers.rendering import render
from mdpublish_core.writers.results import Conversion


@dataclass(frozen=True, slots=True, kw_only=True)
class PageJob:
    """A page to render. Equal jobs write equal files."""

    source: PurePosixPath
    page: PurePosixPath
    digest: str
    """Digest of the Markdown, which is `markdown` or the content of the source."""

    markdown: str | None
    urls: Mapping[tuple[str, bool], str]
    options: FramedPageOptions


@dataclass(frozen=True)
class Site:
    """What all pages of a site share."""

    root: Path
    out: Path
    settings: SiteSettings

    @property
    def folder(self) -> Path:
        """The folder of the documents."""
        return self.root / self.settings.docs

    @cached_property
    def boundary(self) -> Path:
        return repository_root(self.root.resolve())

    @cached_property
    def excluded(self) -> IgnoredFiles:
        return IgnoredFiles(self.settings.exclude, self.folder, respects_gitignore=False)


def require_style(settings: SiteSettings) -> None:
    """Raise the errors that every page would raise."""
    options = PageOptions(page_width=settings.page_width)
    _converted(parse_page("", settings), settings, options)


def read_source(site: Site, source: PurePosixPath) -> str:
    """Return a source's text. Raises `InvalidEncoding` and `OSError`."""
    return decode_source(read_within(site.boundary, site.folder / source))


def included_files(site: Site, source: PurePosixPath) -> IncludedFiles:
    return IncludedFiles((site.folder / source).resolve().parent, lambda: site.boundary)


def scan_source(site: Site, source: PurePosixPath) -> ScannedPage | str:
    """Return the scanned page, or the problem."""
    try:
        return scan_page(read_source(site, source), site.settings, included_files(site, source))
    except (OSError, ValueError, MdpublishError) as error:
        return _problem(error)


def render_source(site: Site, job: PageJob, key: str) -> WrittenFile | str:
    """Render and write a page; return what was written, or the problem."""
    try:
        markdown = read_source(site, job.source) if job.markdown is None else job.markdown
        page = _render(site, job, markdown)
        return write_file(site.out, job.page, page.to_bytes(), key, page.notices)
    except (OSError, ValueError, MdpublishError) as error:
        return _problem(error)


def _render(site: Site, job: PageJob, markdown: str) -> Conversion:
    def rewrite(url: Url) -> str:
        return job.urls.get((url.url, url.by_name), url.url)

    document = parse_page(markdown, site.settings, included_files(site, job.source), rewrite)
    title = job.options.title
    if title and not any(each.level == 1 or text_content(each) == title for each in document.headings):
        # As Material for MkDocs, Docusaurus and Hugo's themes do.
        document = replace(document, children=[Heading(1, [RawText(title)]), *document.children])
    return _converted(document, site.settings, job.options)


def _converted(document: Document, settings: SiteSettings, options: PageOptions) -> Conversion:
    return render(
        document,
        to="page",
        options=options,
        template=settings.template,
        theme_mode=settings.theme_mode,
        css=settings.css,
        plain_text=False,
    )


def _problem(error: Exception) -> str:
    if isinstance(error, OSError):
        return error.strerror or str(error)
    return str(error)
