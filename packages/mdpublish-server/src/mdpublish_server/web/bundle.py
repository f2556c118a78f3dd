"""One script of modules that a page loads together: fewer requests, and fewer bytes once compressed."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from posixpath import dirname, join, normpath, relpath
from types import MappingProxyType

_IMPORT = re.compile(r'^import \{ ([^}]+) \} from "([^"]+)";\n', re.MULTILINE)
_LAZY_IMPORT = re.compile(r'\bimport\("([^"]+)"\)')
_EXPORT = re.compile(r"^export ", re.MULTILINE)
_DECLARED = re.compile(r"^(?:export )?(?:async )?(?:const|let|class|function) (\w+)", re.MULTILINE)


def bundle(entry: str, sources: Mapping[str, str]) -> dict[str, str]:
    """Return the modules as they are served: `entry` includes those that it alone imports, itself or through others.

    `sources` has each module's text by its path, such as `editing/editor.js`. Modules of a bundle share one scope:
    raise `ValueError` if two of them declare the same name.
    """
    graph = _graph(sources)
    reached = _with_imports([entry], graph)
    alone = set(_with_imports((graph.keys() - reached) | (_lazy(sources) - {entry}), graph))
    inside = [path for path in reached if path not in alone]
    internal = {path: _EXPORT.sub("", sources[path]) for path in inside if path != entry}
    rest = {path: source for path, source in sources.items() if path not in inside}
    return rest | {entry: _joined(entry, inside, {**sources, **internal})}


def share(name: str, sources: Mapping[str, str], *, apart: Collection[str]) -> dict[str, str]:
    """Return the modules with `name` for all that others import, but those of first use, and those in `apart`.

    Raise `ValueError` as `bundle` does.
    """
    graph = _graph(sources)
    imported = {module for modules in graph.values() for module in modules} - _lazy(sources) - set(apart)
    return gather(name, [path for path in _with_imports(sorted(imported), graph) if path in imported], sources)


def gather(name: str, inside: Collection[str], sources: Mapping[str, str]) -> dict[str, str]:
    """Return the modules with `name` for some of them, each after what it imports. Raise `ValueError` as `bundle` does."""
    places = dict.fromkeys(inside, name)
    served = {path: _joined(path, [path], sources, places) for path in sources if path not in places}
    return served | {name: _joined(name, inside, sources)}


def _joined(
    entry: str, inside: Collection[str], sources: Mapping[str, str], places: Mapping[str, str] = MappingProxyType({})
) -> str:
    """Return modules as one; those in `places` are imported from there."""
    shared = dict[str, dict[str, None]]()
    for module, names in (each for path in inside for each in _imports(path, sources[path]) if each[0] not in inside):
        shared.setdefault(places.get(module, module), {}).update(dict.fromkeys(names))
    declared = Counter(name for path in inside for name in _DECLARED.findall(sources[path]))
    declared.update(name for names in shared.values() for name in names)
    if twice := [name for name, count in declared.items() if count > 1]:
        raise ValueError(f"modules of {entry} declare a name twice ({', '.join(twice)}); rename one")
    imports = [
        f'import {{ {", ".join(names)} }} from "{_relative(entry, module)}";\n' for module, names in shared.items()
    ]
    parts = (_moved(path, _IMPORT.sub("", sources[path]), entry, places) for path in inside)
    return "".join([*imports, *parts])


def _moved(path: str, source: str, entry: str, places: Mapping[str, str]) -> str:
    """Return a module's text in `entry`, with the paths of what it imports on first use."""

    def written(match: re.Match[str]) -> str:
        module = _resolved(path, match[1])
        return f'import("{_relative(entry, places.get(module, module))}")'

    return _LAZY_IMPORT.sub(written, source)


def _graph(sources: Mapping[str, str]) -> dict[str, list[str]]:
    return {path: [module for module, _ in _imports(path, source)] for path, source in sources.items()}


def _lazy(sources: Mapping[str, str]) -> set[str]:
    """Return the modules that are imported on first use."""
    return {_resolved(path, each) for path, source in sources.items() for each in _LAZY_IMPORT.findall(source)}


@cache
def _imports(path: str, source: str) -> Sequence[tuple[str, Sequence[str]]]:
    """Return the modules that a module imports, with the names; each is asked for several times."""
    return [(_resolved(path, module), names.split(", ")) for names, module in _IMPORT.findall(source)]


def _resolved(path: str, module: str) -> str:
    return normpath(join(dirname(path), module))


def _relative(path: str, module: str) -> str:
    reference = relpath(module, dirname(path) or ".")
    return reference if reference.startswith(".") else f"./{reference}"


def _with_imports(paths: Iterable[str], graph: Mapping[str, Iterable[str]]) -> list[str]:
    """Return modules and all that they import, each after what it imports itself."""
    visited = dict[str, None]()

    def add(path: str, importing: tuple[str, ...] = ()) -> None:
        for each in graph[path]:
            if each not in visited and each not in importing:
                add(each, (*importing, path))
        visited[path] = None

    for path in paths:
        add(path)
    return list(visited)
