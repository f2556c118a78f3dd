"""Books of mdBook, whose menu is a list of links. Source: its documentation, "SUMMARY.md" and "Configuration"."""

import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from mdpublish_core import nodes
from mdpublish_core.readers import parse
from mdpublish_core.site.navigation import NavItem
from mdpublish_core.site.projects.project import Project
from mdpublish_core.strings.lazy_patterns import compile_lazily

_WILDCARDS = compile_lazily(r"[\\*?\[]")


def read(file: Path) -> Project:
    """Read `book.toml`, or a `SUMMARY.md` on its own."""
    project = Project(program="mdbook", file=file)
    values = tomllib.loads(project.text_of(file)) if file.suffix == ".toml" else {}
    book, html = _table(values, "book"), _table(_table(values, "output"), "html")
    project.docs = str(book.get("src", "src")) if values else ""
    project.take_settings(values)
    project.take(author=", ".join(map(str, book.get("authors", ()))) or None)
    edit_url = html.get("edit-url-template")
    if isinstance(edit_url, str):
        edit_url = edit_url.replace("{path}", f"{project.docs}/{{path}}")
    project.take(edit_url=edit_url)
    nav = tuple(_parts(project, parse(project.text_of(project.folder / "SUMMARY.md"))))
    # A document that is no chapter has no page.
    chapters = ("!/" + _WILDCARDS.sub(r"\\\g<0>", target) for target in _targets(nav))
    project.settings |= {"nav": nav, "static": ("**/*",), "exclude": ("*.md", *chapters)}
    project.name_programs(f"the preprocessor {name}" for name in _table(values, "preprocessor"))
    return project


def _table(values: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    table = values.get(key, {})
    return table if isinstance(table, dict) else {}


def _parts(project: Project, document: nodes.Document) -> Iterator[NavItem]:
    """Yield the chapters before the first title of a part, and each part with its chapters."""
    title, chapters = "", list[NavItem]()
    for position, block in enumerate(document.children):
        if isinstance(block, nodes.Heading | nodes.SetextHeading):
            yield from [NavItem(title, None, tuple(chapters))] if title else chapters
            # The first heading is the summary's own.
            title, chapters = nodes.text_content(block) if position else "", []
        else:
            chapters += _chapters(project, block)
    yield from [NavItem(title, None, tuple(chapters))] if title else chapters


def _chapters(project: Project, block: nodes.Token) -> Iterator[NavItem]:
    """Yield the links of a paragraph, or of a list, with those of its inner lists below them."""
    children: Any = getattr(block, "children", ())
    for child in children if isinstance(block, nodes.List | nodes.Paragraph) else ():
        below = [
            each
            for inner in getattr(child, "children", ())
            if isinstance(inner, nodes.List)
            for each in _chapters(project, inner)
        ]
        if link := next((token for token in nodes.walk(child) if isinstance(token, nodes.Link)), None):
            label, target = nodes.text_content(link), unquote(link.target)
            # A chapter without a file is a draft.
            yield from project.items(label, target, tuple(below)) if target else [NavItem(label, None, tuple(below))]


def _targets(items: tuple[NavItem, ...]) -> Iterator[str]:
    for item in items:
        yield from filter(None, [item.target])
        yield from _targets(item.items)
