"""Settings of a site: the table `[site]` of its `mdpublish.toml`, or `[tool.mdpublish.site]` of `pyproject.toml`."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from mdpublish_core.arguments import require_path
from mdpublish_core.errors import InvalidSite, choose_from
from mdpublish_core.options.extensions import Dialect, RawHtml
from mdpublish_core.options.styles import PageThemeMode, PageWidth, SiteLayout
from mdpublish_core.resources.urls import web_url
from mdpublish_core.site.navigation import NavItem, read_nav
from mdpublish_core.writers.options.declared import Option, declared_in, default_lang_option, option

if TYPE_CHECKING:
    from mdpublish_core.templates import Template

_MAX_BYTES = 1_000_000
"""Size of a configuration file."""

FILES: Mapping[str, tuple[str, ...]] = {"mdpublish.toml": ("site",), "pyproject.toml": ("tool", "mdpublish", "site")}
"""Configuration files and the path of their table; the first file with the table counts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteSettings:
    """Settings of a site. Where one is None, the front matter of each page may set it."""

    title: str | None = option("Name of the site.", otherwise="the title of its first page")
    """The site's name. If None, the title of its first page."""

    url: str | None = option("URL of the site, for canonical URLs, the sitemap and the feed.", metavar="URL")
    """The absolute URL of the site, for canonical URLs, the sitemap and the feed; without it, there are none."""

    description: str | None = None
    """The subtitle of the feed."""

    author: str | None = None
    """The author of the feed. If None, the site's title."""

    edit_url: str | None = option("Where pages are edited; {path} stands for the file.", metavar="URL")
    """Where a page is edited: `{path}` stands for its file, else this is what precedes it."""

    repository: str | None = option("Repository to which links to files that are no pages lead.", metavar="URL")
    """The URL of the source's repository. Links to files that are no pages lead there."""

    versions: tuple[str, ...] = ()
    """Folders beside the output that have other versions of the site, and its own, the newest first."""

    nav: tuple[NavItem, ...] | None = None
    """The menu. If None, that of the folders."""

    template: "str | Template | None" = None
    """The template, or its id."""

    theme_mode: PageThemeMode = "auto"
    """`light`, `dark`, or `auto`, which follows the reader's system."""

    css: str | None = None
    """Your own stylesheet, applied after the template's."""

    page_width: PageWidth | None = option("Page width.")
    """The width of the text: `standard`, `wide` or `full`."""

    layout: SiteLayout = option("Documentation, or as the theme lays out any page.", value="docs")
    """`docs`: calm pages in the template's colors and faces, with contents; `theme`: the template's own pages."""

    lang: str | None = default_lang_option("Language of the pages, a BCP 47 tag.", metavar="TAG")
    """The language of the pages, as a BCP 47 tag."""

    toc: bool = option("Show a table of contents on each page.", value=True)
    """Whether pages have a table of contents."""

    reading_time: bool = option("Show the reading time of pages.", value=False)
    """Whether pages show their reading time."""

    copy_code: bool = option("Add copy buttons to code.", value=True)
    """Whether code has copy buttons."""

    fonts: Literal["files", "none"] = option("Fonts of the template: copied to the site, or none.", value="files")
    """`files`: pages show the template's fonts, which are copied to `assets/fonts`; `none`: those of readers' systems."""

    drafts: bool = option("Build pages with `draft: true`, too.", value=False)
    """Whether to build pages whose front matter has `draft: true`."""

    docs: str = ""
    """The folder of the documents, relative to the site's; `nav` and the patterns are relative to it."""

    exclude: tuple[str, ...] = ()
    """Patterns of documents to leave out, as in `.gitignore`."""

    static: tuple[str, ...] = ()
    """Patterns of files to copy besides those that pages refer to, such as `CNAME` or `downloads/**/*`.

    From outside the folder, such as `../static/**/*`, files are copied without the part that has no `*`.
    """

    raw_html: RawHtml = "sanitize"
    """Handling of raw HTML, as in `parse`."""

    dialect: Dialect | None = None
    """The program for which the pages are written; its extensions take the place of the default ones."""

    extensions: tuple[str, ...] = ()
    """Names of Markdown extensions to add or, with `no-` in front, to remove."""

    transforms: tuple[str, ...] = ()
    """Names of installed transforms to apply."""

    def __post_init__(self) -> None:
        if self.lang and (problem := declared_in(SiteSettings)["lang"].problem(self.lang)):
            raise InvalidSite(f"lang {problem}")
        if self.url is not None:
            object.__setattr__(self, "url", f"{_absolute(self.url, 'url')}/")
        if self.repository is not None:
            object.__setattr__(self, "repository", _absolute(self.repository, "repository"))


def read_site_settings(folder: str | Path) -> SiteSettings:
    """Return the settings in a folder's configuration file, or the defaults. Raises `InvalidSite`."""
    require_path("folder", folder)
    folder = Path(folder)
    for name, keys in FILES.items():
        if (table := _table(folder / name, keys)) is not None:
            return settings_of(table, folder, name)
    return SiteSettings()


def settings_of(
    table: Mapping[str, object], folder: Path, source: str, base: SiteSettings | None = None
) -> SiteSettings:
    """Return the settings in a table of TOML; paths in it are relative to `folder`, `source` names it in errors.

    What it does not have is that of `base`.
    """
    values: dict[str, Any] = {}
    known = declared_in(SiteSettings)
    for key, value in table.items():
        name = key.replace("-", "_")
        if (declared := known.get(name)) is None:
            raise InvalidSite(f"{source}: unknown setting {key!r}{choose_from(sorted(known), name)}")
        try:
            values[name] = read_nav(value) if name == "nav" else _read(declared, value)
        except ValueError as error:
            raise InvalidSite(f"{source}: {key} {error}") from None
    for name, read in (("css", _read_text), ("template", _read_template)):
        if name in values:
            values[name] = read(folder, values[name])
    try:
        return replace(base or SiteSettings(), **values)
    except InvalidSite as error:
        raise InvalidSite(f"{source}: {error.problem}") from None


def _table(file: Path, keys: tuple[str, ...]) -> Mapping[str, object] | None:
    try:
        if file.stat().st_size > _MAX_BYTES:
            raise InvalidSite(f"{file.name} must be at most {_MAX_BYTES:,} bytes (got {file.stat().st_size:,})")
        content: Any = tomllib.loads(file.read_text("utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except UnicodeDecodeError as error:
        raise InvalidSite(f"{file.name} is not valid UTF-8 (byte {error.start + 1}); save it as UTF-8") from None
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise InvalidSite(f"{file.name} is not valid TOML: {error}") from None
    for key in keys:
        content = content.get(key) if isinstance(content, dict) else None
    if content is not None and not isinstance(content, dict):
        raise InvalidSite(f"{file.name}: {'.'.join(keys)} must be a table")
    return content


def _read(declared: Option, value: object) -> object:
    """Return the value of a setting; raise `ValueError`, with a message that continues its name."""
    if declared.is_switch:
        if not isinstance(value, bool):
            raise ValueError(f"must be true or false (got {value!r})")
    elif declared.is_list:
        if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
            raise ValueError("must be a list of strings")
        return tuple(value)
    elif problem := declared.problem(value):
        raise ValueError(problem)
    elif not isinstance(value, str):
        raise ValueError(f"must be a string (got {type(value).__name__})")
    return value


def _absolute(url: str, name: str) -> str:
    """Return the URL without a slash at its end."""
    if (checked := web_url(url)) is None:
        raise InvalidSite(f"{name} must be an absolute URL, such as https://example.org/docs/ (got {url!r})")
    return checked


def _read_text(folder: Path, name: str) -> str:
    try:
        return (folder / name).read_text("utf-8")
    except (OSError, ValueError) as error:
        problem = error.strerror if isinstance(error, OSError) else "it is not valid UTF-8"
        raise InvalidSite(f"cannot read {name}: {problem}") from None


def _read_template(folder: Path, name: str) -> "str | Template":
    from mdpublish_core.templates import load_template

    if not name.endswith(".toml"):
        return name
    try:
        return load_template(folder / name)
    except OSError as error:
        raise InvalidSite(f"cannot read {name}: {error.strerror}") from None
