"""What adflux, a converter by others, understands of Atlassian's document format: it makes elements of pandoc of it."""

import json
import warnings
from collections import Counter
from collections.abc import Iterator
from importlib import import_module
from typing import Any

Json = Any

_KINDS = {
    "Header": "heading",
    "BlockQuote": "quote",
    "CodeBlock": "code-block",
    "Table": "table",
    "HorizontalRule": "rule",
    "adf-panel": "callout",
    "adf-expand": "fold",
    "adf-nestedExpand": "fold",
    "adf-taskItem": "task",
    "adf-media": "image",
}
"""Names of constructs, as reports of what arrives have them; `COUNTED` are the keys of their numbers."""

COUNTED = frozenset((name, "") for name in _KINDS.values())

_WITHIN_WORDS = frozenset({"Str", "Strong", "Emph", "Strikeout", "Underline", "Span", "Link", "Code"})


def read_adf(document: str) -> Json:
    """Return its blocks. Raises an error for one that its schema refuses."""
    with warnings.catch_warnings():
        # Of escapes in panflute's sources, when Python compiles them.
        warnings.filterwarnings("ignore", "invalid escape sequence")
        adflux = import_module("adflux")
    return json.loads(adflux.inspect_ast(document, src="adf"))["blocks"]


def walk(tree: Json) -> Iterator[Json]:
    """Yield each element, in order."""
    if isinstance(tree, list):
        for each in tree:
            yield from walk(each)
    elif isinstance(tree, dict):
        yield tree
        yield from walk(tree.get("c"))


def text_of(tree: Json) -> str:
    """Return the words that readers see, with a space between blocks."""
    if isinstance(tree, list):
        return "".join(map(text_of, tree))
    if not isinstance(tree, dict):
        return ""
    kind: str = tree["t"]
    content: Any = tree.get("c")
    if kind == "Str":
        return str(content)
    inner = content[1] if kind in {"Code", "CodeBlock"} else text_of(content)
    edge = "" if kind in _WITHIN_WORDS else " "
    attributes = _attributes(tree)
    return edge.join(["", attributes.get("title", ""), attributes.get("alt", ""), inner, ""])


def constructs_of(tree: Json) -> Counter[tuple[str, str]]:
    """Return how many of each are there, and what is particular to them."""
    constructs: Counter[tuple[str, str]] = Counter()
    for each in walk(tree):
        kind: str = each["t"]
        content: Any = each.get("c")
        classes, attributes = classes_of(each), _attributes(each)
        name = next((_KINDS[key] for key in (kind, *classes) if key in _KINDS), None)
        if name:
            constructs[name, ""] += 1
        match kind:
            case "Header":
                constructs["heading", str(content[0])] += 1
            case "CodeBlock":
                constructs["code", content[1]] += 1
            case "Link":
                constructs["link", content[2][0]] += 1
            case "Div" if "adf-taskItem" in classes:
                constructs["task", attributes["state"]] += 1
            case "Div" if "adf-media" in classes:
                constructs["image", attributes["url"]] += 1
        if any(sign in each for sign in ("adf-mention", "adf-inlineCard") for each in classes):
            constructs["mention", ""] += 1
    return constructs


def classes_of(element: Json) -> list[str]:
    return element["c"][0][1] if element["t"] in {"Div", "Span"} else []


def _attributes(element: Json) -> dict[str, str]:
    return dict(element["c"][0][2]) if element["t"] in {"Div", "Span"} else {}
