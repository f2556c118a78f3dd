"""Builds a site: every page that has changed, and what is made of all pages."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path, PurePosixPath
from time import monotonic
from typing import TypeAlias

from mdpublish_core.arguments import require_path, require_type
from mdpublish_core.errors import InvalidArgument, InvalidSite
from mdpublish_core.notices import Notice, shorten
from mdpublish_core.plugins import installed_plugins
from mdpublish_core.site.links import BROKEN
from mdpublish_core.site.manifest import Output, WrittenFile
from mdpublish_core.site.navigation import NavItem
from mdpublish_core.site.plan import SitePlan, plan_site
from mdpublish_core.site.pool import run_all
from mdpublish_core.site.render import PageJob, Site, render_source, require_style
from mdpublish_core.site.settings import SiteSettings, read_site_settings
from mdpublish_core.site.sources import FEED, SiteSources, find_sources, read_sources

Progress: TypeAlias = Callable[[int, int, PurePosixPath], object]

_SAVE_SECONDS = 5.0
"""How much work a killed build loses."""


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
    """What is wrong with each source that has no page, and each file that was not copied."""

    left_out: list[str] = field(default_factory=list)
    """A line on each linked folder outside the repository; no linked folder is searched."""

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
    progress: Progress | None = None,
) -> SiteReport:
    """Build a site of a folder's Markdown files in `out`; without `settings`, those of its configuration file count.

    Pages are written only if they have changed, and pages of deleted sources are deleted. With `force`, all are
    written, also over files that are not the site's. One page that fails stops no other. `workers` is the number of
    processes; by default one for each processor, or none for a few pages. Only one build at a time may write to `out`.
    `progress` is called with a step, the number of steps and a path, for each page that is written.

    Raises `InvalidSite`, `OSError`, and the errors of `render`.
    """
    _require_arguments(folder, out, settings, workers)
    folder, out = Path(folder), Path(out)
    settings = settings or read_site_settings(folder)
    site = Site(folder, out, settings)
    if not site.folder.is_dir():
        raise InvalidSite(f"{site.folder} is not a folder")
    if not site.folder.resolve().is_relative_to(site.boundary):
        raise InvalidSite(f"docs must be in the folder, or its repository (got {settings.docs!r})")
    if out.exists() and (not out.is_dir() or folder.resolve().is_relative_to(out.resolve())):
        raise InvalidSite(f"the site cannot be written to {out}: it is a file, or contains {folder}")
    return _build(site, progress, force=force, workers=workers)


def _require_arguments(folder: object, out: object, settings: object, workers: object) -> None:
    require_path("folder", folder)
    require_path("out", out)
    if settings is not None:
        require_type("settings", settings, SiteSettings)
        assert isinstance(settings, SiteSettings)
        for item in settings.nav or ():
            require_type("each of nav of SiteSettings", item, NavItem)
    if workers is not None and (not isinstance(workers, int) or isinstance(workers, bool) or workers < 1):
        raise InvalidArgument("workers", f"must be an int of at least 1, or None (got {workers!r})")


def _build(site: Site, progress: Progress | None, *, force: bool, workers: int | None) -> SiteReport:
    from mdpublish_core import __version__

    require_style(site.settings)
    fingerprint = sha256(f"{__version__} {site.settings!r} {installed_plugins()!r}".encode()).hexdigest()
    output = Output(site.out, fingerprint)
    left_out: list[str] = []
    candidates = find_sources(site, left_out.append)
    sources = read_sources(site, candidates, output.manifest.scans, workers)
    plan = plan_site(site, sources)
    output.remember({str(each): (sources.digests[each], scan) for each, scan in sources.scans.items()})
    jobs, assets, generated = tuple(plan.jobs()), plan.assets(), plan.generated()
    # A page that fails keeps its last version.
    files = (
        {job.page for job in jobs}
        | assets.keys()
        | generated.keys()
        | {candidates[source] for source in sources.problems}
    )
    files |= {FEED} if plan.has_feed else set()
    output.clear_staging()
    output.claim(sorted(files), force=force)
    try:
        written, problems = _render(site, jobs, output, progress, force=force, workers=workers)
        for asset, file in sorted(assets.items()):
            try:
                output.copy(site.boundary, file, asset)
            except OSError as error:
                problems[asset] = error.strerror or str(error)
        for path, content in generated.items():
            output.write(path, content)
        if plan.has_feed:
            output.write(FEED, plan.feed())
        deleted, modified = output.delete_others(files)
    finally:
        if output.is_changed:
            output.save()
    return SiteReport(
        pages=len(sources.pages),
        written=written,
        drafts=sources.drafts,
        deleted=deleted,
        modified=modified,
        notices=dict(_notices(plan, sources, output)),
        problems={str(source): problem for source, problem in {**sources.problems, **problems}.items()},
        left_out=left_out,
    )


def _render(
    site: Site, jobs: Sequence[PageJob], output: Output, progress: Progress | None, *, force: bool, workers: int | None
) -> tuple[int, dict[PurePosixPath, str]]:
    """Render the pages that have changed; return how many of sources were written, and what is wrong with others."""
    fingerprint = output.manifest.fingerprint
    keys = {job.page: sha256(f"{fingerprint} {job!r}".encode("utf-8", "surrogatepass")).hexdigest() for job in jobs}
    stale = [job for job in jobs if force or not output.is_current(job.page, keys[job.page])]
    output.begin(job.page for job in stale)
    saved = monotonic()
    written, problems = 0, dict[PurePosixPath, str]()
    rendered = run_all(render_source, site, [(job, keys[job.page]) for job in stale], workers)
    for step, (number, result) in enumerate(rendered, 1):
        job = stale[number]
        if progress:
            progress(step, len(stale), job.page)
        if isinstance(result, str):
            problems[job.source] = result
            continue
        if any(notice.code == "machine-busy" for notice in result.notices):
            result = replace(result, key="")  # noqa: PLW2901  (to be rendered again)
        output.record(job.page, result)
        written += job.markdown is None
        if monotonic() - saved > _SAVE_SECONDS:
            output.save()
            saved = monotonic()
    return written, problems


def _notices(plan: SitePlan, sources: SiteSources, output: Output) -> Iterator[tuple[str, tuple[Notice, ...]]]:
    for source, page in sources.pages.items():
        written = output.manifest.files.get(str(page), WrittenFile())
        notices = (*sources.scans[source].notices, *plan.links[page].notices, *written.notices)
        if other_title := plan.other_titles.get(source):
            shared = shorten(sources.scans[source].title or "")
            message = f"other pages of the folder are called {shared!r}, too; this one is {shorten(other_title)!r}"
            notices = (Notice("shared-title", message), *notices)
        if notices:
            yield str(source), notices
