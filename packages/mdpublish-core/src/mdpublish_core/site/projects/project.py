"""What the configuration of another program says of a site, as settings of ours."""

import os
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from mdpublish_core.data_files import read_names
from mdpublish_core.notices import Notice, shorten
from mdpublish_core.resources.file_names import actual_path
from mdpublish_core.resources.folder_files import read_within, repository_root
from mdpublish_core.resources.urls import has_scheme, web_url
from mdpublish_core.site.navigation import NavItem
from mdpublish_core.strings.encodings import decode_source

_MAX_BYTES = 1_000_000
"""Of a file that says what is in a site."""

_NAMES = read_names(__file__, "programs.tsv")

_MAX_LISTED = 50
"""Names in a notice."""

_URLS = frozenset({"url", "repository", "edit_url"})


@dataclass(kw_only=True)
class Project:
    """A folder that is the site of another program. `docs` is the folder of its documents, as its `file` names it."""

    program: str
    file: Path
    docs: str = ""
    settings: dict[str, Any] = field(default_factory=dict)
    """Fields of `SiteSettings`."""
    notices: list[Notice] = field(default_factory=list)
    """What is not read, and pages that are missing."""

    @property
    def folder(self) -> Path:
        """The folder of the documents."""
        return Path(os.path.normpath(self.file.parent / self.docs))

    @property
    def root(self) -> Path:
        """The folder of all its files."""
        return Path(os.path.commonpath([self.file.parent.resolve(), self.folder.resolve()]))

    def require_confined(self) -> None:
        """Raise `ValueError` if the configuration leads out of its own folder and its repository."""
        here, docs = self.file.parent.resolve(), self.folder.resolve()
        is_beside = self.docs == "../docs" and docs == here.parent / "docs"
        if not (docs.is_dir() and (is_beside or docs.is_relative_to(repository_root(here)))):
            raise ValueError(f"its documents must be a folder below its own, or in its repository (got {self.docs!r})")

    def text_of(self, file: Path) -> str:
        self.require_confined()
        return decode_source(read_within(repository_root(self.root), file, _MAX_BYTES))

    def take(self, **values: object) -> None:
        """Take texts and URLs; what should be one, and is not, only the program can tell."""
        for name, value in values.items():
            if isinstance(value, str) and (name not in _URLS or web_url(value)):
                self.settings[name] = value.strip()
            elif value is not None:
                self.name_programs([name])

    def take_settings(self, values: Mapping[str, Any]) -> None:
        """Take what has a counterpart, and name what has none."""
        known = _NAMES[self.program]
        for key, value in _flattened(values, known):
            if known.get(key, "-") != "-":
                self.take(**{known[key]: value})
        unused = (key for key, _ in _flattened(values, known) if key not in known)
        self._name(unused, f"settings of {_NAMES['name'][self.program]} that have no counterpart:")

    def items(self, label: str | None, target: str | None, below: tuple[NavItem, ...] = ()) -> Iterator[NavItem]:
        """Yield the entry of a page or URL, or of what is below it; a page that is missing is named."""
        if target and not has_scheme(target):
            target = actual_path(self.folder, os.path.normpath(target))
            if target.startswith(("/", "../")) or not (self.folder / target).is_file():
                self.notices.append(Notice("broken-link", f"the menu's page {shorten(target)!r} is missing"))
                target = None
        if target or below:
            yield NavItem(label, target, below, is_optional=True)

    def name_programs(self, names: Iterable[str]) -> None:
        self._name(names, f"only {_NAMES['name'][self.program]} itself can work out")

    def _name(self, names: Iterable[str], meaning: str) -> None:
        if listed := ", ".join(islice(dict.fromkeys(names), _MAX_LISTED)):
            self.notices.append(Notice("unread-syntax", f"{meaning} {listed}"))


def _flattened(values: Mapping[str, Any], known: Container[str], above: str = "") -> Iterator[tuple[str, Any]]:
    """Yield settings by their names; those of a table by its own, too, if one of them is known."""
    for key, value in values.items():
        inner = [*_flattened(value, known, f"{above}{key}.")] if isinstance(value, Mapping) else []
        yield from inner if any(name in known for name, _ in inner) else [(above + key, value)]
