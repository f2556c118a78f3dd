"""Sites of MkDocs. Source: its user guide, "Configuration", and Material for MkDocs, "Setting up navigation"."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from posixpath import join
from urllib.parse import urlsplit

from mdpublish_core.front_matter import FrontMatterValue
from mdpublish_core.readers.markdown.mkdocs_settings import read_mkdocs
from mdpublish_core.site.navigation import NavItem
from mdpublish_core.site.projects.project import Project

_INDEX = re.compile(r"(?:^|/)(?:index|README)\.md$")

_EDIT_URIS = {
    "github.com": "edit/master/docs/",
    "gitlab.com": "edit/master/docs/",
    "bitbucket.org": "src/default/docs/",
}


def read(file: Path) -> Project:
    project, values = Project(program="mkdocs", file=file), read_mkdocs(file)
    project.docs = docs if isinstance(docs := values.get("docs_dir", "docs"), str) else "docs"
    project.take_settings(values)
    project.take(edit_url=_edit_url(values))
    # MkDocs copies what is no document, too.
    excluded = (values.get(key) for key in ("exclude_docs", "draft_docs"))
    lines = [line for each in excluded if isinstance(each, str) for line in each.splitlines()]
    project.settings |= {"static": ("**/*",), "exclude": ("/templates/", *filter(None, map(str.strip, lines)))}
    has_indexes = isinstance(theme := values.get("theme"), Mapping) and "navigation.indexes" in theme.get(
        "features", ()
    )
    if nav := tuple(_items(project, values.get("nav"), has_indexes=has_indexes)):
        project.settings["nav"] = nav
    plugins = [name for each in values.get("plugins", ()) for name in (each if isinstance(each, Mapping) else [each])]
    project.name_programs(f"the plugin {name}" for name in plugins if name not in {"search", "material/search"})
    project.name_programs(key for key in ("hooks", "INHERIT") if key in values)
    return project


def _items(project: Project, value: FrontMatterValue | None, *, has_indexes: bool) -> Iterator[NavItem]:
    for each in value if isinstance(value, tuple) else ():
        for label, target in each.items() if isinstance(each, Mapping) else [(None, each)]:
            if isinstance(target, str):
                yield from project.items(label, target)
            elif below := tuple(_items(project, target, has_indexes=has_indexes)):
                # Material shows a section's first page as the section's own.
                has_page = has_indexes and below[0].label is None and _INDEX.search(below[0].target or "")
                yield replace(below[0], label=label, items=below[1:]) if has_page else NavItem(label, None, below)


def _edit_url(values: Mapping[str, FrontMatterValue]) -> FrontMatterValue | None:
    template, uri, repository = (values.get(key) for key in ("edit_uri_template", "edit_uri", "repo_url"))
    if not isinstance(repository, str) or not isinstance(template or uri or "", str):
        return template or uri
    host = urlsplit(repository).netloc.lower()
    path = str(template or (_EDIT_URIS.get(host, "") if uri is None else uri))
    return join(repository.rstrip("/") + "/" * (path[:1] not in {"?", "#"}), path) if path else None
