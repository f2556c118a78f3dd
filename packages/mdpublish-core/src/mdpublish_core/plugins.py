"""Plug-ins of installed packages, found by entry points and loaded when a document or a caller first names one.

`allow_plugins` restricts a process to those of some packages, as the service does. Modules that use a plug-in check it.
"""

import os
import sys
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from importlib import import_module
from typing import Literal, NamedTuple

from mdpublish_core.errors import PluginError
from mdpublish_core.strings.lazy_patterns import compile_lazily

__all__ = ["Plugin", "allow_plugins", "installed_plugins"]

PluginKind = Literal["fence", "output", "template", "transform"]

GROUPS: Mapping[PluginKind, str] = {
    "fence": "mdpublish.fences",
    "output": "mdpublish.outputs",
    "template": "mdpublish.templates",
    "transform": "mdpublish.transforms",
}
"""Groups of entry points by the kind of plug-in, in the order of the documentation."""

_ENTRY_POINTS = "entry_points.txt"

# https://packaging.python.org/en/latest/specifications/name-normalization/
_SEPARATORS = compile_lazily(r"[-_.]+")


class Plugin(NamedTuple):
    """A plug-in of an installed package."""

    kind: PluginKind
    """`fence`, `output`, `template` or `transform`."""

    name: str
    """Name of the entry point: the language of a fence, the id of a template, otherwise a name of its own."""

    package: str
    """Name of the package that it comes with."""

    version: str
    """Version of the package."""

    target: str
    """Where its object is, as `module:attribute`."""

    @property
    def label(self) -> str:
        """How messages name it."""
        return f"the {self.kind} {self.name!r} of {self.package} {self.version}"

    def load(self) -> object:
        """Import its object. Raises `PluginError`."""
        module, _, attribute = self.target.partition(":")
        try:
            loaded: object = import_module(module.strip())
            for name in filter(None, attribute.strip().split(".")):
                loaded = getattr(loaded, name)
        except MemoryError:
            raise
        except Exception as error:
            raise PluginError(self.label, f"cannot be loaded: {describe(error)}") from error
        return loaded


_allowed: frozenset[str] | None = None


def allow_plugins(packages: Collection[str] | None) -> None:
    """Use only the plug-ins of these packages in this process; None, the default, stands for all that are installed.

    Call it when the program starts: it holds for all threads, and not for processes that this one starts.
    """
    global _allowed  # noqa: PLW0603  (what a process may import is a property of the process, as sys.path is)
    _allowed = None if packages is None else frozenset(map(normalize_package, packages))


def installed_plugins() -> tuple[Plugin, ...]:
    """Return the plug-ins that this process may use, by kind, then by name. Nothing is imported."""
    return tuple(plugin for plugins in _installed().values() for plugin in plugins if _is_allowed(plugin))


def plugin_names(kind: PluginKind) -> tuple[str, ...]:
    """Return the names of the plug-ins of a kind that this process may use; fast where there are none."""
    installed = _installed()
    return tuple(dict.fromkeys(each.name for each in installed_plugins() if each.kind == kind)) if installed else ()


def find_plugin(kind: PluginKind, name: str) -> Plugin | None:
    """Return a plug-in by its name. Raises `PluginError` if two packages have one of this name."""
    plugins = [plugin for plugin in _installed().get((kind, name), ()) if _is_allowed(plugin)]
    if len(plugins) > 1:
        packages = " and ".join(sorted(plugin.package for plugin in plugins))
        raise PluginError(f"the {kind} {name!r}", f"comes with {packages}; uninstall all but one of them")
    return plugins[0] if plugins else None


@cache
def load_plugin(plugin: Plugin) -> object:
    """Return the object of a plug-in, which is imported once. Raises `PluginError`."""
    return plugin.load()


def describe(error: BaseException) -> str:
    """Return an exception as one line for a message."""
    lines = str(error).split("\n")
    return f"{type(error).__name__}: {lines[0].strip()}" if lines[0].strip() else type(error).__name__


def normalize_package(name: str) -> str:
    """Return a package's name as all spellings of it have it."""
    return _SEPARATORS.sub("-", name.strip()).lower()


def _is_allowed(plugin: Plugin) -> bool:
    return _allowed is None or normalize_package(plugin.package) in _allowed


@cache
def _installed() -> Mapping[tuple[PluginKind, str], tuple[Plugin, ...]]:
    if not _may_have_plugins():
        return {}
    by_name: dict[tuple[PluginKind, str], dict[Plugin, None]] = {}
    for plugin in sorted(_entry_points(), key=lambda each: (tuple(GROUPS).index(each.kind), each.name)):
        # A package may be found twice, in its folder and as installed.
        by_name.setdefault((plugin.kind, plugin.name), {})[plugin] = None
    return {key: tuple(plugins) for key, plugins in by_name.items()}


def _may_have_plugins() -> bool:
    """Look into the files first: importing `importlib.metadata` takes ten times as long, and most have none."""
    for entry in sys.path:
        folder = entry or os.curdir
        try:
            names = os.listdir(folder)  # noqa: PTH208  (speed)
        except NotADirectoryError:
            return True  # a zip archive: only importlib reads it
        except OSError:
            continue
        for name in names:
            if name.endswith((".dist-info", ".egg-info")):
                try:
                    with open(os.path.join(folder, name, _ENTRY_POINTS), "rb") as file:  # noqa: PTH118, PTH123  (speed)
                        if b"[mdpublish." in file.read():
                            return True
                except OSError:
                    continue
    return False


def _entry_points() -> Iterator[Plugin]:
    from importlib.metadata import entry_points

    for kind, group in GROUPS.items():
        for entry_point in entry_points(group=group):
            if (distribution := entry_point.dist) is not None:
                name = entry_point.name.lower() if kind == "fence" else entry_point.name
                yield Plugin(kind, name, distribution.name, distribution.version, entry_point.value)
