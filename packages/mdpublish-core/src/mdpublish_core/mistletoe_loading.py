"""mistletoe, imported in a third of the time.

It asks of each of Unicode's 1,114,112 characters whether it is punctuation, whenever it is imported: that is most of what the
import takes, and half of what the command takes for a short text. All punctuation has numbers below 131,072, so it is asked of
no others; the set that it makes is the same, to the character.
"""

import importlib
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import ModuleType

ASKED = 0x20000
"""The characters of Unicode's first two planes; the others are ideographs, tags and private ones."""

_MODULE = "mistletoe.core_tokens"


class _Loader(SourceFileLoader):
    """What loads the module, in which a range ends where punctuation does."""

    def exec_module(self, module: ModuleType) -> None:
        vars(module)["range"] = lambda stop: range(min(stop, ASKED))
        try:
            super().exec_module(module)
        finally:
            del vars(module)["range"]


class _Finder(MetaPathFinder):
    """What finds that one module, for anybody who imports it meanwhile."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        spec = PathFinder.find_spec(fullname, path, target) if fullname == _MODULE else None
        # Where it is not a file, it is loaded as it is.
        if spec is not None and isinstance(spec.loader, SourceFileLoader):
            spec.loader = _Loader(fullname, spec.loader.path)
        return spec


def load_mistletoe() -> None:
    """Import mistletoe, so that those who import it find it there."""
    finder = _Finder()
    sys.meta_path.insert(0, finder)
    try:
        importlib.import_module("mistletoe")
    finally:
        sys.meta_path.remove(finder)
