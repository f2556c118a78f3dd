"""Finds the functions that read fences."""

from collections.abc import Callable, Collection

from mdpublish_core.options.extensions import Extension
from mdpublish_core.plugins import plugin_names

MAX_NESTED_FENCES = 10
"""Functions that parse Markdown with fences of functions in it, and so on."""


def claims_of(
    languages: Collection[str] | None, extensions: frozenset[Extension], nesting: int = 0
) -> Callable[[str], bool] | None:
    """Return what says whether a function reads the fences of a language.

    `languages` are those of the caller's functions. Installed ones need the extension `figure`, and replace none.
    """
    if nesting >= MAX_NESTED_FENCES:
        return None
    if languages is None:
        return _claims_installed if "figure" in extensions else None
    if not languages:
        return None
    names = frozenset(map(str.lower, languages))
    return lambda language: language.lower() in names


def _claims_installed(language: str) -> bool:
    name = language.lower()
    if name not in plugin_names("fence"):
        return False
    from mdpublish_core.resources.figure_kinds import find_kind

    return find_kind(name) is None
