"""One script of modules that a page loads together: fewer requests, and fewer bytes once compressed."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from posixpath import dirname, join, normpath, relpath

_IMPORT = re.compile(r'^import \{ ([^}]+) \} from "([^"]+)";\n', re.MULTILINE)
_LAZY_IMPORT = re.compile(r'\bimport\("([^"]+)"\)')
_DECLARED = re.compile(r"^(?:export )?(?:async )?(?:const|let|class|function) (\w+)", re.MULTILINE)


def bundle(entry: str, sources: Mapping[str, str]) -> dict[str, str]:
    """Return the modules as they are served: `entry` includes those that it alone imports, itself or through others.

    `sources` has each module's text by its path, such as `editing/editor.js`. Modules of a bundle share one scope:
    raise `ValueError` if two of them declare the same name.
    """
    graph = {path: dict(_imports(path, source)) for path, source in sources.items()}
    reached = _with_imports([entry], graph)
    lazy = {_resolved(path, each) for path, source in sources.items() for each in _LAZY_IMPORT.findall(source)}
    alone = set(_with_imports((graph.keys() - reached) | (lazy - {entry}), graph))
    inside = [path for path in reached if path not in alone]
    shared = dict[str, dict[str, None]]()
    for module, names in (imported for path in inside for imported in graph[path].items() if imported[0] in alone):
        shared.setdefault(module, {}).update(dict.fromkeys(names))
    declared = Counter(name for path in inside for name in _DECLARED.findall(sources[path]))
    declared.update(name for names in shared.values() for name in names)
    if twice := [name for name, count in declared.items() if count > 1]:
        raise ValueError(f"modules of {entry} declare a name twice ({', '.join(twice)}); rename one")
    imports = [
        f'import {{ {", ".join(names)} }} from "{_relative(entry, module)}";\n' for module, names in shared.items()
    ]
    parts = [_IMPORT.sub("", sources[path]) for path in inside]
    return {path: source for path, source in sources.items() if path not in inside} | {entry: "".join(imports + parts)}


def _imports(path: str, source: str) -> Iterator[tuple[str, list[str]]]:
    for names, module in _IMPORT.findall(source):
        yield _resolved(path, module), names.split(", ")


def _resolved(path: str, module: str) -> str:
    return normpath(join(dirname(path), module))


def _relative(path: str, module: str) -> str:
    reference = relpath(module, dirname(path) or ".")
    return reference if reference.startswith(".") else f"./{reference}"


def _with_imports(paths: Iterable[str], graph: Mapping[str, Iterable[str]]) -> list[str]:
    """Return modules and all that they import, each after what it imports itself."""
    ordered = dict[str, None]()

    def add(path: str, importing: tuple[str, ...] = ()) -> None:
        for each in graph[path]:
            if each not in ordered and each not in importing:
                add(each, (*importing, path))
        ordered[path] = None

    for path in paths:
        add(path)
    return list(ordered)
