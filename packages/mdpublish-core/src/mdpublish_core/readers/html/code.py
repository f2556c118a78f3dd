"""Code blocks: their text, and their language, wherever a highlighter leaves it."""

from collections.abc import Iterator
from itertools import islice

from lxml import etree

from mdpublish_core.nodes import open_nodes as nodes
from mdpublish_core.readers.html.parse import Element
from mdpublish_core.readers.html_elements import LANGUAGE_NAME
from mdpublish_core.readers.markdown.fence_kinds import block_of_fence
from mdpublish_core.resources.code_marks import language_in
from mdpublish_core.strings.lazy_patterns import compile_lazily

_LINE_END = compile_lazily(r"[ \t]*\n[ \t]*")
_LANGUAGE_ATTRIBUTES = ("data-language", "data-lang", "data-code-language", "lang")
_LANGUAGE_CLASS = compile_lazily(
    r"(?:^|\s)(?:(?:language|lang|highlight-source|highlight-text|highlight)-|brush:\s*|sourceCode\s+)(\S{1,40})(?=\s|$)"
)
_NO_LANGUAGES = frozenset({"default", "none", "plain", "plaintext", "text", "source"})

_LEFT_OUT_TAGS = frozenset({"button", "script", "style", "svg", "select"})
_LINE_NUMBER_CLASSES = frozenset(
    {"linenos", "lineno", "linenodiv", "line-number", "line-numbers-rows", "hljs-ln-numbers", "react-code-line-number"}
)
_LINE_TAGS = frozenset({"div", "p", "li", "tr"})

_MAX_SIBLINGS = 3
"""Elements in one that names the language, as a button and a header beside the code."""

_MAX_WRAPPERS = 3
"""Elements around `pre` that may name the language: Sphinx, GitHub and Jekyll use one or two."""


def code_block(element: Element) -> list[nodes.Token]:
    """Return the block that an element's text is: code, a figure or a formula; none if it is empty."""
    lines = "".join(_strings(element)).removeprefix("\n").rstrip().split("\n")
    # Editors write a no-break space on an empty line.
    content = "\n".join("" if line == "\xa0" else line.rstrip("\r") for line in lines).replace("\xa0", " ")
    fence = nodes.CodeFence(f"{content}\n", language=language_of(element))
    return [block_of_fence(fence)] if content.strip() else []


def language_of(element: Element) -> str:
    """Return the language of a `pre` by itself, its `code`, or the elements around it."""
    inner = next(element.iterdescendants("code"), None)
    candidates = [element] if inner is None else [element, inner]
    parent = element.getparent()
    for _ in range(_MAX_WRAPPERS):
        if parent is None or next(islice(parent, _MAX_SIBLINGS, None), None) is not None:
            break
        candidates.append(parent)
        parent = parent.getparent()
    for candidate in (element, *element.iter("a", "p")):
        named = (candidate.get(name, "") for name in ("name", "id", "data-id", "style"))
        if language := next(filter(None, map(language_in, named)), ""):
            return language
    for candidate in candidates:
        for name in _LANGUAGE_ATTRIBUTES:
            value = candidate.get(name, "").strip()
            if LANGUAGE_NAME.fullmatch(value) and (name != "lang" or candidate.tag in {"pre", "code"}):
                return _known(value)
        if match := _LANGUAGE_CLASS.search(candidate.get("class", "")):
            return _known(match[1])
    return ""


def _known(language: str) -> str:
    return "" if language.lower() in _NO_LANGUAGES else language


def _strings(root: Element) -> Iterator[str]:
    """Yield the text as it is shown: `br` and an element per line end a line, and outside `pre` nothing else does."""
    keeps_lines = root.tag == "pre"
    at_start = True
    walker = etree.iterwalk(root, events=("start", "end"))
    for event, element in walker:
        is_line = element.tag in _LINE_TAGS and element is not root
        if event == "start" and _is_interface(element):
            walker.skip_subtree()
            continue
        string = (element.text if event == "start" else None if element is root else element.tail) or ""
        if not keeps_lines:
            string = _LINE_END.sub(" " if string.strip(" \t\n") else "", string)
            string = string.lstrip(" ") if element.tag == "br" else string
        breaks = (element.tag == "br" and event == "end") or (is_line and not at_start)
        string = f"\n{string}" if breaks else string
        if string:
            at_start = string[-1] == "\n"
            yield string


def _is_interface(element: Element) -> bool:
    """Return whether an element is a button or a line number beside the code."""
    return element.tag in _LEFT_OUT_TAGS or not _LINE_NUMBER_CLASSES.isdisjoint(element.get("class", "").split())
