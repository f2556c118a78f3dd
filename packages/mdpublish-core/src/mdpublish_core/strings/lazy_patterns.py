"""Regular expressions that are compiled when they are first used.

Python compiles expressions again in each process. Most documents need few of ours, and compiling them all takes longer
than converting a short document. What nearly every document needs is compiled on import, by `re.compile`.
"""

import re
from typing import Any, AnyStr, cast

_METHODS = ("match", "search", "fullmatch", "finditer", "findall", "split", "sub", "subn")
_ATTRIBUTES = ("flags", "groups", "groupindex")


def compile_lazily(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    return cast("re.Pattern[AnyStr]", _LazyPattern(pattern, flags))


class _LazyPattern:
    """Has the methods of a compiled pattern, which from the first use on are those of the pattern itself."""

    __slots__ = ("_flags", "pattern", *_METHODS, *_ATTRIBUTES)

    def __init__(self, pattern: str | bytes, flags: int) -> None:
        self.pattern = pattern
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        """Compile the pattern: the attribute is not set yet."""
        if name not in self.__slots__:
            raise AttributeError(name)
        compiled = re.compile(self.pattern, self._flags)
        for attribute in (*_METHODS, *_ATTRIBUTES):
            setattr(self, attribute, getattr(compiled, attribute))
        return getattr(compiled, name)

    def __repr__(self) -> str:
        return f"compile_lazily({self.pattern!r})"
