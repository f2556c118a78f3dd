"""The Markdown files of a folder, and the page of each."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import PurePosixPath

from mdpublish_core.errors import InvalidSite
from mdpublish_core.readers.markdown.includes import names_in
from mdpublish_core.resources.file_names import name_key
from mdpublish_core.resources.source_files import find_documents, page_of
from mdpublish_core.site.pool import run_all
from mdpublish_core.site.render import Site, included_files, read_source, scan_source
from mdpublish_core.site.scan import ScannedPage, is_draft

MAX_DEPTH = 32
"""Folders within folders: a page shows one level of the menu for each."""

NOT_FOUND = PurePosixPath("404.html")
SITEMAP = PurePosixPath("sitemap.xml")
FEED = PurePosixPath("feed.xml")
ICON = PurePosixPath("assets/icon.svg")
SCRIPT = PurePosixPath("assets/site.js")
MODE_SCRIPT = PurePosixPath("assets/mode.js")
SEARCH_INDEX = PurePosixPath("assets/search-index.js")
FONTS = PurePosixPath("assets/fonts")

HOME = PurePosixPath("index.html")

ICONS = tuple(map(PurePosixPath, ("favicon.svg", "favicon.png", "favicon.ico")))
"""An author's icon, at the top of the folder; the first counts."""

_GENERATED = frozenset({SITEMAP, FEED, ICON, SCRIPT, MODE_SCRIPT, SEARCH_INDEX})


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteSources:
    """The sources of a site, in the order of their names: those with a page, and what is wrong with others."""

    pages: Mapping[PurePosixPath, PurePosixPath]
    digests: Mapping[PurePosixPath, str]
    scans: Mapping[PurePosixPath, ScannedPage]
    drafts: int
    problems: Mapping[PurePosixPath, str]


def read_sources(
    site: Site,
    candidates: Mapping[PurePosixPath, PurePosixPath],
    known: Mapping[str, tuple[str, ScannedPage]],
    workers: int | None,
) -> SiteSources:
    """Read and scan sources; `known` has the digest and scan of each at the last build."""
    digests: dict[PurePosixPath, str] = {}
    problems: dict[PurePosixPath, str] = {}
    drafts = 0
    for source in candidates:
        try:
            markdown = read_source(site, source)
        except (OSError, ValueError) as error:
            problems[source] = getattr(error, "strerror", None) or str(error)
            continue
        if not site.settings.drafts and is_draft(markdown):
            drafts += 1
        else:
            include = included_files(site, source)
            parts = (markdown, include.appended(), *(include(name) or "" for name in names_in(markdown)))
            digests[source] = sha256("\0".join(parts).encode()).hexdigest()
    scans = {each: known[str(each)][1] for each in digests if known.get(str(each), ("",))[0] == digests[each]}
    missing = [source for source in digests if source not in scans]
    for number, result in run_all(scan_source, site, [(source,) for source in missing], workers):
        if isinstance(result, str):
            problems[missing[number]] = result
        else:
            scans[missing[number]] = result
    # Workers are done in any order.
    scans = {source: scans[source] for source in digests if source in scans}
    pages = {source: candidates[source] for source in scans}
    return SiteSources(pages=pages, digests=digests, scans=scans, drafts=drafts, problems=problems)


def find_sources(site: Site, report: Callable[[str], object]) -> Mapping[PurePosixPath, PurePosixPath]:
    """Return the page of each source; hidden files, those that the settings exclude and the output are left out.

    Raises `InvalidSite` if two sources have one page, and for a folder without sources.
    """
    try:
        sources = find_documents(site.folder, report, site.out, site.excluded.leaves_out)
    except ValueError as error:
        raise InvalidSite(f"exclude: {error}") from None
    if not sources:
        raise InvalidSite(f"no Markdown files (.md, .markdown, .mdx) found in {site.folder}")
    if deep := next((each for each in sources if len(each.parts) > MAX_DEPTH + 1), None):
        raise InvalidSite(f"folders must be at most {MAX_DEPTH} deep (got {'/'.join(deep.parts[:3])}/…)")
    names = set(sources)
    pages: dict[PurePosixPath, PurePosixPath] = {}
    # Some file systems ignore case, and some normalize.
    by_page: dict[str, PurePosixPath] = {}
    for source in sources:
        page = page_of(source, names)
        other = by_page.setdefault(name_key(str(page)), source)
        if other != source:
            raise InvalidSite(f"{other} and {source} are both {page}; rename one of them")
        pages[source] = page
    return pages


def require_free(path: PurePosixPath) -> None:
    """Raise `InvalidSite` if a file that is copied has the name of a generated one."""
    if path in _GENERATED or path == NOT_FOUND:
        raise InvalidSite(f"{path} is the name of a generated file; rename yours")
