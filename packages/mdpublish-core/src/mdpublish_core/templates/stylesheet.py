"""The rules that templates are made of: reading them from the files beside this one, and writing them under a scope.

`stylesheets/base.css` holds for every template; `<element>-<variant>.css` holds for those whose theme names the variant;
`page.css` frames a page of its own. A `$name` stands for a value of the theme. The grammar is small on purpose: rules of
a selector list and declarations, and media rules around them, one level deep; `&` stands for the scope itself.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from string import Template as Placeholders

_FOLDER = files("mdpublish_core.templates") / "stylesheets"

_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)

# A media rule with its rules inside, a media rule's end, or one rule; the files are ours, so what else may stand
# between them is only white space, which `_rules` asserts.
_PIECE = re.compile(
    r"\s*(?:(?P<media>@media[^{}]+)\{|(?P<end>\})|(?P<selectors>[^{}@]+)\{(?P<declarations>[^{}]*)\})\s*"
)

_SPACE = re.compile(r"\s+")
_AROUND_MARK = re.compile(r"\s*([:;,{}>])\s*")


@cache
def variants_of(element: str) -> tuple[str, ...]:
    """Return the variants that there are of an element, which are the files named after it."""
    prefix = f"{element}-"
    names = (entry.name for entry in _FOLDER.iterdir())
    return tuple(sorted(name.removeprefix(prefix).removesuffix(".css") for name in names if name.startswith(prefix)))


def compiled(names: tuple[str, ...], values: Mapping[str, str], scope: str) -> str:
    """Return the rules of the files called `names`, with the theme's `values`, each selector under the class `scope`."""
    source = "\n".join(_source(name) for name in names)
    return "\n".join(_rules(Placeholders(source).substitute(values), scope))


@cache
def _source(name: str) -> str:
    return _COMMENT.sub("", (_FOLDER / f"{name}.css").read_text("utf-8"))


def _rules(source: str, scope: str) -> Iterator[str]:
    position = 0
    while position < len(source):
        piece = _PIECE.match(source, position)
        assert piece, f"not a rule: {source[position : position + 60]!r}"
        position = piece.end()
        if piece["media"]:
            yield _SPACE.sub(" ", piece["media"].strip()) + "{"
        elif piece["end"]:
            yield "}"
        else:
            selectors = ",".join(_scoped(selector.strip(), scope) for selector in piece["selectors"].split(","))
            declarations = _AROUND_MARK.sub(r"\1", _SPACE.sub(" ", piece["declarations"].strip())).rstrip(";")
            yield f"{selectors}{{{declarations}}}"


def _scoped(selector: str, scope: str) -> str:
    if "&" in selector:
        return selector.replace("&", f".{scope}")
    return f".{scope} {selector}"
