"""Settings of a site: the table `[site]` of `mdpublish.toml`, or `[tool.mdpublish.site]` of `pyproject.toml`, in its folder."""

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mdpublish_core.arguments import require_path
from mdpublish_core.errors import InvalidSite
from mdpublish_core.resources.urls import web_url
from mdpublish_core.site.navigation import NavItem, read_nav

if TYPE_CHECKING:
    from mdpublish_core.options.extensions import RawHtml
    from mdpublish_core.templates import PageThemeMode, PageWidth, SiteLayout, Template

_MAX_BYTES = 1_000_000
"""Of a configuration file."""

FILES: Mapping[str, tuple[str, ...]] = {"mdpublish.toml": ("site",), "pyproject.toml": ("tool", "mdpublish", "site")}
"""Configuration files and the path of their table; the first file with the table counts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteSettings:
    """Settings of a site. Where one is None, the front matter of each page may set it."""

    title: str | None = None
    """The site's name. If None, the title of its first page."""

    url: str | None = None
    """The absolute URL of the site, for canonical URLs, the sitemap and the feed; without it, there are none."""

    description: str | None = None
    """The subtitle of the feed."""

    author: str | None = None
    """The author of the feed. If None, the site's title."""

    edit_url: str | None = None
    """Where a page is edited: `{path}` stands for its file, else this is what precedes it."""

    repository: str | None = None
    """The URL of the source's repository. Links to files that are no pages lead there."""

    versions: tuple[str, ...] = ()
    """Folders beside the output that have other versions of the site, and its own, the newest first."""

    nav: tuple[NavItem, ...] | None = None
    """The menu. If None, that of the folders."""

    template: "str | Template | None" = None
    """The template, or its id."""

    theme_mode: "PageThemeMode" = "auto"
    """`light`, `dark`, or `auto`, which follows the reader's system."""

    css: str | None = None
    """Your own stylesheet, applied after the template's."""

    page_width: "PageWidth | None" = None
    """The width of the text: `standard`, `wide` or `full`."""

    layout: "SiteLayout" = "docs"
    """`docs`: calm pages with their contents beside the text, in the template's colors and faces. `theme`: pages as the template
    lays them out."""

    lang: str | None = None
    """The language of the pages, as a BCP 47 tag."""

    toc: bool = True
    """Whether pages have a table of contents."""

    reading_time: bool = False
    """Whether pages show their reading time."""

    copy_code: bool = True
    """Whether code has copy buttons."""

    drafts: bool = False
    """Whether to build pages whose front matter has `draft: true`."""

    static: tuple[str, ...] = ()
    """Patterns of files to copy besides those that pages refer to, such as `CNAME` or `downloads/**/*`."""

    raw_html: "RawHtml" = "sanitize"
    """Handling of raw HTML, as in `parse`."""

    extensions: tuple[str, ...] = ()
    """Names of Markdown extensions to add or, with `no-` in front, to remove."""

    transforms: tuple[str, ...] = ()
    """Names of installed transforms to apply."""

    def __post_init__(self) -> None:
        if self.url is not None:
            object.__setattr__(self, "url", f"{_absolute(self.url, 'url')}/")
        if self.repository is not None:
            object.__setattr__(self, "repository", _absolute(self.repository, "repository"))


_NAMES = frozenset(field.name for field in fields(SiteSettings))


def read_site_settings(folder: str | Path) -> SiteSettings:
    """Return the settings in a folder's configuration file, or the defaults. Raises `InvalidSite`."""
    require_path("folder", folder)
    folder = Path(folder)
    for name, keys in FILES.items():
        if (table := _table(folder / name, keys)) is not None:
            return settings_of(table, folder, name)
    return SiteSettings()


def settings_of(table: Mapping[str, object], folder: Path, source: str) -> SiteSettings:
    """Return the settings in a table of TOML; paths in it are relative to `folder`, `source` names it in errors."""
    values: dict[str, Any] = {}
    for key, value in table.items():
        name = key.replace("-", "_")
        if name not in _NAMES:
            raise InvalidSite(f"{source}: unknown setting {key!r}; choose from: {', '.join(sorted(_NAMES))}")
        try:
            values[name] = _READERS.get(name, _string)(value)
        except ValueError as error:
            raise InvalidSite(f"{source}: {key} {error}") from None
    for name, read in (("css", _read_text), ("template", _read_template)):
        if name in values:
            values[name] = read(folder, values[name])
    try:
        return replace(SiteSettings(), **values)
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


def _string(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError(f"must be a string (got {type(value).__name__})")  # noqa: TRY004  (the caller names the key)
    return value


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise ValueError(f"must be true or false (got {value!r})")  # noqa: TRY004
    return value


def _names(value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise ValueError("must be a list of strings")
    return tuple(value)


def _one_of(*choices: str) -> Callable[[object], str]:
    def read(value: object) -> str:
        if value not in choices:
            raise ValueError(f"must be one of {', '.join(choices)} (got {value!r})")
        return str(value)

    return read


_READERS: Mapping[str, Callable[[object], object]] = {
    "nav": read_nav,
    "theme_mode": _one_of("light", "dark", "auto"),
    "page_width": _one_of("standard", "wide", "full"),
    "layout": _one_of("docs", "theme"),
    "raw_html": _one_of("sanitize", "escape", "keep"),
    **dict.fromkeys(("toc", "reading_time", "copy_code", "drafts"), _flag),
    **dict.fromkeys(("static", "extensions", "transforms", "versions"), _names),
}


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
