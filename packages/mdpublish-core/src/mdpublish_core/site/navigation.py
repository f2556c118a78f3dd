"""The menu, the order of the pages, and the way from the first page to each."""

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from urllib.parse import quote

from mdpublish_core.errors import InvalidSite
from mdpublish_core.resources.characters import replace_surrogates
from mdpublish_core.resources.urls import is_safe_url
from mdpublish_core.writers.options.page import PageLink
from mdpublish_core.writers.page.frame import MenuEntry

MAX_MENU_ENTRIES = 200
"""Entries of a folder's menu around the current page: with all, 10,000 pages would have 100,000,000 links."""

_MAX_NAV_DEPTH = 32

_NUMBERS = re.compile(r"(\d{1,18})")
_NUMBER_PREFIX = re.compile(r"\d+[-_. ]+(?=\D)")
_HAS_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*:")


@dataclass(frozen=True, slots=True)
class NavItem:
    """An entry of the menu: a page, a folder (ending in `/`), a URL, or a heading with entries below it."""

    label: str | None
    """What the menu shows. If None, the page's title."""

    target: str | None = None
    """A source file or a folder, relative to the site's, or an absolute URL."""

    items: tuple["NavItem", ...] = ()
    """The entries below it."""

    is_optional: bool = False
    """Whether it is left out, and not an error, if the site does not have the page."""


@dataclass(slots=True)
class MenuNode:
    """A page, a folder or a URL in the menu."""

    label: str
    page: PurePosixPath | None = None
    url: str | None = None
    children: list["MenuNode"] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class NavPage:
    """What the menu says of a page."""

    label: str
    rank: float | None = None


def read_nav(value: object) -> tuple[NavItem, ...]:
    """Return the menu in a list of TOML, as `["index.md", {Guides = ["guides/"]}]`. Raises `ValueError`."""
    return _read_items(value, 1)


def _read_items(value: object, depth: int) -> tuple[NavItem, ...]:
    if not isinstance(value, list):
        raise ValueError("must be a list of file names and tables")  # noqa: TRY004  (the caller names the key)
    if depth > _MAX_NAV_DEPTH:
        raise ValueError(f"must be at most {_MAX_NAV_DEPTH} levels deep")
    return tuple(_read_item(each, depth) for each in value)


def _read_item(value: object, depth: int) -> NavItem:
    if isinstance(value, str):
        return NavItem(None, value)
    if not isinstance(value, dict) or len(value) != 1:
        raise ValueError(f"must have file names, or tables with one entry such as {{Guides = […]}} (got {value!r:.80})")
    ((label, target),) = value.items()
    if isinstance(target, str):
        return NavItem(label, target)
    return NavItem(label, None, _read_items(target, depth + 1))


class Navigation:
    """The menu of a site. `pages` has the built pages by source, `labels` what the menu calls them."""

    def __init__(
        self,
        pages: Mapping[PurePosixPath, PurePosixPath],
        labels: Mapping[PurePosixPath, NavPage],
        nav: Sequence[NavItem] | None,
    ) -> None:
        self._pages = pages
        self._labels = labels
        self._quoted: dict[PurePosixPath, str] = {}
        folders = self._folder_nodes()
        top = folders[PurePosixPath()]
        if nav is not None:
            self.roots = list(self._nodes(nav, folders))
        else:
            self.roots = [MenuNode(top.label, top.page), *top.children] if top.page else top.children
        self._paths: dict[PurePosixPath, tuple[MenuNode, ...]] = {}
        self.sequence: list[PurePosixPath] = []
        for path in _paths(self.roots):
            if (page := path[-1].page) and page not in self._paths:
                self._paths[page] = path
                self.sequence.append(page)
        self._positions = {page: position for position, page in enumerate(self.sequence)}
        self._titles = {pages[source]: label.label for source, label in labels.items() if source in pages}

    def label(self, page: PurePosixPath) -> str | None:
        """Return what the menu calls a page, or None if it is not there."""
        return self._paths[page][-1].label if page in self._paths else None

    def url(self, target: PurePosixPath, root: str) -> str:
        """Return the URL of a page; `root` is that of the site."""
        if target not in self._quoted:
            self._quoted[target] = quote(os.fsencode(str(target)))
        return root + self._quoted[target]

    def menu(self, page: PurePosixPath, root: str) -> tuple[MenuEntry, ...]:
        """Return the first level, and the levels on the way to a page, with what is next to it and below it."""
        return self._entries(self.roots, page, self._paths.get(page, ()), root)

    def breadcrumbs(self, page: PurePosixPath, root: str) -> tuple[PageLink, ...]:
        home = self.sequence[0] if self.sequence else page
        above = [node for node in self._paths.get(page, ())[:-1] if node.page != home]
        links = [PageLink(node.label, url) for node in above if (url := self._node_url(node, root))]
        return () if page == home else (PageLink(self._titles.get(home, "Home"), self.url(home, root)), *links)

    def neighbors(self, page: PurePosixPath, root: str) -> tuple[PageLink | None, PageLink | None]:
        """Return the previous and the next page."""
        if (position := self._positions.get(page)) is None:
            return None, None
        before = self.sequence[position - 1] if position else None
        after = self.sequence[position + 1] if position + 1 < len(self.sequence) else None
        return self._link(before, root), self._link(after, root)

    def _link(self, page: PurePosixPath | None, root: str) -> PageLink | None:
        return PageLink(self._paths[page][-1].label, self.url(page, root)) if page else None

    def _entries(
        self, nodes: Sequence[MenuNode], page: PurePosixPath, path: tuple[MenuNode, ...], root: str
    ) -> tuple[MenuEntry, ...]:
        opened = path[0] if path else None
        entries = []
        for node in _around(nodes, opened):
            below: tuple[MenuEntry, ...] = ()
            if node is opened and node.children:
                below = self._entries(node.children, page, path[1:], root)
            entries.append(
                MenuEntry(node.label, self._node_url(node, root), node.page == page, below, bool(node.children))
            )
        return tuple(entries)

    def _node_url(self, node: MenuNode, root: str) -> str | None:
        if node.url:
            return node.url
        page = next(_pages_below(node), None)
        return self.url(page, root) if page else None

    def _folder_nodes(self) -> dict[PurePosixPath, MenuNode]:
        """Return the nodes of all folders; the first page of a folder is its node's."""
        nodes = {PurePosixPath(): MenuNode("")}
        keys: dict[int, tuple[object, ...]] = {}
        for source, page in self._pages.items():
            folder = _folder_node(nodes, source.parent, keys)
            label = self._labels[source]
            if page.name == "index.html":
                folder.page, folder.label = page, label.label
                keys[id(folder)] = sort_key(label.rank, 1, source.parent.name)
            else:
                node = MenuNode(label.label, page)
                keys[id(node)] = sort_key(label.rank, 0, source.name)
                folder.children.append(node)
        for node in nodes.values():
            node.children.sort(key=lambda each: keys[id(each)])
        return nodes

    def _nodes(self, items: Sequence[NavItem], folders: Mapping[PurePosixPath, MenuNode]) -> Iterator[MenuNode]:
        """Yield the nodes of entries in the settings."""
        for item in items:
            target, below = item.target, list(self._nodes(item.items, folders))
            source = PurePosixPath(target or "")
            if target is None:
                yield MenuNode(item.label or "", children=below)
            elif _HAS_SCHEME.match(target):
                if not is_safe_url(target):
                    raise InvalidSite(f"nav: the scheme of the URL {target!r} is not allowed")
                yield MenuNode(item.label or target, url=target)
            elif target.endswith("/") and source in folders:
                folder = folders[source]
                yield MenuNode(item.label or folder.label, folder.page, None, folder.children)
            elif source in self._pages:
                yield MenuNode(item.label or self._labels[source].label, self._pages[source], None, below)
            elif not item.is_optional:
                problem = "are no pages in" if target.endswith("/") else "is no page"
                raise InvalidSite(f"nav: there {problem} {target}")
            elif below:
                yield MenuNode(item.label or "", children=below)


def humanize(name: str) -> str:
    """Return the title of a folder or file without one: `01-getting_started` is `Getting started`."""
    words = re.sub(r"[-_]+", " ", _NUMBER_PREFIX.sub("", replace_surrogates(name), count=1)).strip()
    return words[:1].upper() + words[1:] if words else replace_surrogates(name)


def _folder_node(
    nodes: dict[PurePosixPath, MenuNode], folder: PurePosixPath, keys: dict[int, tuple[object, ...]]
) -> MenuNode:
    if folder not in nodes:
        node = nodes[folder] = MenuNode(humanize(folder.name))
        keys[id(node)] = sort_key(None, 1, folder.name)
        _folder_node(nodes, folder.parent, keys).children.append(node)
    return nodes[folder]


def sort_key(rank: float | None, kind: int, name: str) -> tuple[object, ...]:
    """Sort by `nav_order`, then pages before folders, then names, with numbers in them by their value."""
    parts = _NUMBERS.split(name.lower())
    natural = tuple((int(part), "") if index % 2 else (0, part) for index, part in enumerate(parts))
    return (float("inf") if rank is None else rank, kind, natural, name)


def _around(nodes: Sequence[MenuNode], opened: MenuNode | None) -> Sequence[MenuNode]:
    if len(nodes) <= MAX_MENU_ENTRIES:
        return nodes
    position = next((index for index, node in enumerate(nodes) if node is opened), 0)
    first = max(0, min(position - MAX_MENU_ENTRIES // 2, len(nodes) - MAX_MENU_ENTRIES))
    return nodes[first : first + MAX_MENU_ENTRIES]


def _paths(nodes: Sequence[MenuNode], above: tuple[MenuNode, ...] = ()) -> Iterator[tuple[MenuNode, ...]]:
    for node in nodes:
        path = (*above, node)
        yield path
        yield from _paths(node.children, path)


def _pages_below(node: MenuNode) -> Iterator[PurePosixPath]:
    if node.page:
        yield node.page
    for child in node.children:
        yield from _pages_below(child)
