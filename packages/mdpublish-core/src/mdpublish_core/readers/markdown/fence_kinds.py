"""The kind of a fence, by its language and content: a figure, a formula or code."""

from mdpublish_core import nodes
from mdpublish_core.resources.figure_kinds import MATH_KIND, FigureKind, find_kind
from mdpublish_core.strings.lazy_patterns import compile_lazily

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


def block_of_fence(
    fence: nodes.CodeFence, *, has_math: bool = True, has_figures: bool = True, column: int = 1
) -> nodes.Token:
    """Return the block that a fence is: itself, a formula, or a figure, which begins in a column."""
    content, options, line = fence.content, fence.options, fence.line_number
    kind = kind_of_fence(fence.language, content)
    if kind is MATH_KIND:
        return nodes.MathBlock(content, options=options, line=line) if has_math else fence
    if kind is None or not has_figures:
        return fence
    return nodes.Figure(kind.name, content, language=fence.language, options=options, line=line, column=column)


def _is_of_document(content: str) -> bool:
    # Late: few fences are LaTeX.
    from mdpublish_core.readers.markdown.display_math import ENVIRONMENTS

    return any(match["environment"] not in ENVIRONMENTS for match in _OF_DOCUMENTS.finditer(content))
