"""The formulas and the prose of this folder's files, and generated formulas."""

from pathlib import Path

from hypothesis import strategies as st


def _lines_of(name: str) -> list[str]:
    """Return the lines of a file but its headings, which stand after empty lines."""
    paragraphs = Path(__file__).with_name(name).read_text("utf-8").split("\n\n")
    return [line for paragraph in paragraphs[1:] for line in paragraph.strip("\n").split("\n")[1:]]


FORMULAS = _lines_of("formulas.txt")
SNIPPETS = [line.replace("⏎", "\n") for line in _lines_of("snippets.txt")]

_LEAVES = st.sampled_from(
    ["x", "y", "n", "q", "b", "2", "13", r"\alpha ", r"\mathbf{v}", r"\mathbb{R}", r"\infty ", "f(x)", "(a+b)", "ab", "|x|"]
)  # fmt: skip
_CONSTRUCTS = (
    *(r"\frac{?}{?}", "{?}^{?}", "{?}_{?}", "q_{?}^{?}", r"\sqrt{?}", r"\sqrt[{?}]{?}", r"\hat{xy}?", r"\sum_{?}^{?}?"),
    *(r"\left(?\right)", "?+?", "?-?", "?=?", r"?\cdot ?", "?,?", "? ?", r"\sin ?", r"\lim_{n\to ?}?"),
    *(r"\begin{pmatrix}?&?\\?&?\end{pmatrix}", r"\begin{cases}?&?\\?&?\end{cases}", r"\overset{?}{X}", r"A\xrightarrow{?}B"),
    *(r"\operatorname{Var}?", r"\bar{x}?", r"\overline{ab}?", r"\boxed{?}", r"x\text{ if }?"),
)  # fmt: skip


def _filled(inside: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    def fill(construct: str, parts: list[str]) -> str:
        pieces = construct.split("?")
        return "".join(piece + part for piece, part in zip(pieces, [*parts[: len(pieces) - 1], ""], strict=True))

    return st.builds(fill, st.sampled_from(_CONSTRUCTS), st.lists(inside, min_size=4, max_size=4))


generated_formulas = st.recursive(_LEAVES, _filled, max_leaves=8)
