"""Code blocks: their text, and their language, wherever a highlighter leaves it."""

from collections.abc import Iterator

from mdpublish_core import nodes
from mdpublish_core.figure_kinds import MATH_KIND, find_kind
from mdpublish_core.lazy_patterns import compile_lazily
from mdpublish_core.readers.html.parse import Element

_LANGUAGE_ATTRIBUTES = ("data-language", "data-lang", "data-code-language", "lang")
_LANGUAGE_CLASS = compile_lazily(
    r"(?:^|\s)(?:(?:language|lang|highlight-source|highlight-text|highlight)-|brush:\s*|sourceCode\s+)(\S{1,40})(?=\s|$)"
)
_NAME = compile_lazily(r"[A-Za-z0-9_+#.\-]{1,40}")
_NO_LANGUAGES = frozenset({"default", "none", "plain", "plaintext", "text", "source"})

_LEFT_OUT_TAGS = frozenset({"button", "script", "style", "svg", "select"})
_LINE_NUMBER_CLASSES = frozenset(
    {"linenos", "lineno", "linenodiv", "line-number", "line-numbers-rows", "hljs-ln-numbers", "react-code-line-number"}
)
_LINE_TAGS = frozenset({"div", "p", "li", "tr"})

_MAX_WRAPPERS = 3
"""Elements around `pre` that may name the language: Sphinx, GitHub and Jekyll use one or two."""


def code_block(element: Element, language: str = "") -> list[nodes.Token]:
    """Return the block that an element's text is: code, a figure or a formula; none if it is empty."""
    lines = "".join(_texts(element)).replace("\xa0", " ").removeprefix("\n").rstrip().split("\n")
    content = "\n".join(line.rstrip("\r") for line in lines)
    if not content.strip():
        return []
    content += "\n"
    language = language or language_of(element)
    kind = find_kind(language)
    if kind is MATH_KIND:
        return [nodes.MathBlock(content)]
    if kind:
        return [nodes.Figure(kind.name, content, language=language)]
    return [nodes.CodeFence(content, language=language)]


def language_of(element: Element) -> str:
    """Return the language of a `pre` by itself, its `code`, or the elements around it."""
    inner = next(element.iterdescendants("code"), None)
    candidates = [element] if inner is None else [element, inner]
    parent = element.getparent()
    for _ in range(_MAX_WRAPPERS):
        if parent is None or len(parent) > 3:
            break
        candidates.append(parent)
        parent = parent.getparent()
    for candidate in candidates:
        for name in _LANGUAGE_ATTRIBUTES:
            value = candidate.get(name, "").strip()
            if _NAME.fullmatch(value) and (name != "lang" or candidate.tag in {"pre", "code"}):
                return _known(value)
        if match := _LANGUAGE_CLASS.search(candidate.get("class", "")):
            return _known(match[1])
    return ""


def _known(language: str) -> str:
    return "" if language.lower() in _NO_LANGUAGES else language


def _texts(root: Element) -> Iterator[str]:
    """Yield the text as it is shown: an element per line ends its line."""
    from lxml import etree

    last = "\n"
    walker = etree.iterwalk(root, events=("start", "end"))
    for event, element in walker:
        tag = str(element.tag)
        if event == "start":
            text = element.text or ""
            if tag in _LEFT_OUT_TAGS or _LINE_NUMBER_CLASSES.intersection(element.get("class", "").split()):
                walker.skip_subtree()
                continue
            if tag in _LINE_TAGS and element is not root and last != "\n":
                text = "\n" + text
        else:
            text = "\n" if tag == "br" or (tag in _LINE_TAGS and element is not root and last != "\n") else ""
            text += element.tail or "" if element is not root else ""
        if text:
            last = text[-1]
            yield text
