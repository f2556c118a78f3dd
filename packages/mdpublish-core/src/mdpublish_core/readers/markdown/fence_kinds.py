"""The kind of a fence, by its language and content: a figure, a formula or code."""

from mdpublish_core.figure_kinds import MATH_KIND, FigureKind, find_kind
from mdpublish_core.lazy_patterns import compile_lazily

_OF_DOCUMENTS = compile_lazily(
    r"(?m)(?<!\\)(?:\\\\)*\\(?:begin\{(?P<environment>[^{}\n]*)\}|(?:documentclass|usepackage|RequirePackage|input|include|maketitle|title|author"
    r"|part|chapter|(?:sub)*section|paragraph|tableofcontents|item|caption|includegraphics|emph|footnote|cite[a-z]*|bibliography"
    r"|newenvironment)(?![A-Za-z]))"
)
"""Commands of a document: no engine of formulas has them."""


def kind_of_fence(language: str, content: str) -> FigureKind | None:
    """Return None for code, such as LaTeX of a document; in fences named `math` and `katex`, all is a formula."""
    kind = find_kind(language)
    return None if kind is MATH_KIND and language.lower() == "latex" and _is_of_document(content) else kind


def _is_of_document(content: str) -> bool:
    # Late: few fences are LaTeX.
    from mdpublish_core.readers.markdown.display_math import ENVIRONMENTS

    return any(match["environment"] not in ENVIRONMENTS for match in _OF_DOCUMENTS.finditer(content))
