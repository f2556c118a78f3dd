"""Reference of the document's nodes, from their constructors."""

import inspect
from typing import get_args

from docs.reference.making.markdown import table
from docs.reference.making.objects import arguments_of, linked
from mdpublish_core import nodes
from mdpublish_core.writers.renderer import BLOCK_METHODS, INLINE_METHODS


def blocks() -> str:
    return _table(get_args(nodes.Block))


def inlines() -> str:
    return _table([kind for kind in get_args(nodes.Inline) if kind is not nodes.HtmlElement])


def methods() -> str:
    names = [*BLOCK_METHODS.items(), *INLINE_METHODS.items()]
    return table(("node", "method"), ((f"`{kind.__name__}`", f"`{name}`") for kind, name in names))


def _table(kinds: "list[type[nodes.Token]] | tuple[type[nodes.Token], ...]") -> str:
    rows = []
    for kind in kinds:
        words = " ".join(inspect.cleandoc(kind.__doc__ or "").split())
        assert words, f"{kind.__name__} has no docstring"
        rows.append((f"`{kind.__name__}{arguments_of(kind)}`", linked(words)))
    return table(("node", "description"), rows)
