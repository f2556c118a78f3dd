"""Sites of Docusaurus: what its programs say in plain data; nothing is run. Menus of folders are ours.

Source: its documentation, "docusaurus.config.js" and "Sidebar items".
"""

import re
from collections.abc import Iterator, Mapping
from os.path import relpath
from pathlib import Path, PurePosixPath
from typing import Any

from mdpublish_core.figures.charts.reading.parser import Parser
from mdpublish_core.figures.charts.reading.programs import Program
from mdpublish_core.figures.charts.reading.scanner import Branch, Tree
from mdpublish_core.figures.errors import FigureError
from mdpublish_core.readers.markdown import read_front_matter
from mdpublish_core.resources.source_files import find_documents
from mdpublish_core.site.navigation import NavItem, humanize
from mdpublish_core.site.projects import PROGRAMS
from mdpublish_core.site.projects.project import Project

_SIDEBARS = [name for name in PROGRAMS["docusaurus"] if name.startswith("sidebars.")]

_NUMBERED = re.compile(r"\d+\s*[-_.]+\s*(?=[^-_.\s\d])")
_PAREN = re.compile(r"\(\s*+(?=\{)")


def read(file: Path) -> Project:
    project = Project(program="docusaurus", file=file)
    config = {} if file.name in _SIDEBARS else _exported(project, file)
    options = next(_documents_options(config), {})
    places = [options.get("path"), *(each for each in ("docs", "../docs") if (file.parent / each).is_dir()), "docs"]
    project.docs = next(each for each in places if isinstance(each, str))
    project.take_settings(config)
    url, edit_url = config.get("url"), options.get("editUrl")
    if isinstance(url, str):
        base = (str(each).strip("/") for each in (config.get("baseUrl", ""), options.get("routeBasePath", "docs")))
        url = "/".join(filter(None, (url.rstrip("/"), *base)))
    if isinstance(edit_url, str):
        edit_url = f"{edit_url.rstrip('/')}/{PurePosixPath(project.docs)}/{{path}}"
    project.take(url=url, edit_url=edit_url)
    project.settings |= {"exclude": ("_*",), "extensions": ("admonitions", "attributes", "fence-titles")}
    if (file.parent / "static").is_dir():
        project.settings["static"] = (f"{relpath(file.parent / 'static', project.folder)}/**/*",)
    named = options.get("sidebarPath")
    names = [file.name] if file.name in _SIDEBARS else [*([named] if isinstance(named, str) else []), *_SIDEBARS]
    if sidebars := next((path for name in names if (path := file.parent / name).is_file()), None):
        _take_menu(project, _exported(project, sidebars))
    return project


class _Parser(Parser):
    """Reads objects in parentheses, too, as types in comments require."""

    def _other(self, character: str, *, is_statement: bool) -> Tree:
        if not (opened := _PAREN.match(self.source, self.position)):
            return super()._other(character, is_statement=is_statement)
        self.position = opened.end()
        value = self.value(is_statement=is_statement)
        self.take(")")
        return value


def _exported(project: Project, file: Path) -> Mapping[str, Any]:
    """Return the object that a program exports, or that a file of JSON is; empty if the program works it out."""
    parser = _Parser(project.text_of(file))
    try:
        if file.name.endswith(".json"):
            tree = parser.value()
        else:
            program = Program(parser)
            while parser.skip_space():
                program.statement()
            tree = program.exported
    except FigureError as error:
        raise ValueError(f"cannot be read: {error.problem}") from None
    if not isinstance(value := _plain(tree), dict):
        project.name_programs([f"what {file.name} exports"])
        return {}
    return value


def _plain(tree: Tree) -> Any:
    """Return dictionaries, lists and strings; code stays."""
    if isinstance(tree, Branch):
        return {key: _plain(value) for key, value in tree.values.items()}
    return [_plain(each) for each in tree] if isinstance(tree, list) else tree


def _documents_options(config: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield the options of the documents in presets: `["classic", {docs: {…}}]`."""
    presets = config.get("presets")
    for preset in presets if isinstance(presets, list) else ():
        for part in preset if isinstance(preset, list) else ():
            if isinstance(part, dict) and isinstance(docs := part.get("docs"), dict):
                yield docs


def _take_menu(project: Project, sidebars: Mapping[str, Any]) -> None:
    """Take the menu of a sidebar, or of several, each as a section."""
    ids = dict(_ids(project))
    menus = [(humanize(name), tuple(_entries(project, ids, value))) for name, value in sidebars.items()]
    if len(menus) == 1:
        project.settings["nav"] = menus[0][1]
    elif menus:
        project.settings["nav"] = tuple(NavItem(label, None, items) for label, items in menus if items)


def _ids(project: Project) -> Iterator[tuple[str, str]]:
    """Yield ids of documents with their paths: folders and names, both also without a number in front, or `id`."""
    for source in find_documents(project.folder, str, None, lambda path, **_: path.name.startswith("_")):
        name = str(read_front_matter(project.text_of(project.folder / source))[0].get("id", source.stem))
        folders = source.parent.parts
        yield "/".join((*folders, name)), str(source)
        yield "/".join(_NUMBERED.sub("", part, count=1) for part in (*folders, name)), str(source)


def _entries(project: Project, ids: Mapping[str, str], value: Any) -> Iterator[NavItem]:
    """Yield the entries of a list, of one entry, or of an object, whose keys are the labels of categories."""
    match value:
        case list():
            for each in value:
                yield from _entries(project, ids, each)
        case str() | {"type": "doc" | "ref", "id": str()}:
            name, label = (value, None) if isinstance(value, str) else (value["id"], value.get("label"))
            yield from project.items(label, ids.get(name, name))
        case {"type": "link", "href": str(target)}:
            yield from project.items(value.get("label"), target)
        case {"type": "autogenerated", "dirName": str(folder)}:
            yield NavItem("", f"{folder.strip('/')}/", is_optional=True)
        case {"type": "category"}:
            below, link = tuple(_entries(project, ids, value.get("items", []))), value.get("link")
            page_id = link.get("id") if isinstance(link, dict) else None
            yield from project.items(value.get("label"), ids.get(page_id, page_id) if page_id else None, below)
        case dict() if not isinstance(value.get("type"), str):
            for label, items in value.items():
                yield NavItem(label, None, tuple(_entries(project, ids, items)))
        case _:
            project.name_programs(["an entry of the sidebars"])
