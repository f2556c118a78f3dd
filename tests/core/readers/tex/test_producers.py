"""MathML of other programs as TeX: read again, it shows what the author wrote."""

from collections.abc import Iterable
from pathlib import Path

import pytest
from latex2mathml import commands
from latex2mathml.converter import convert as latex2mathml
from lxml import etree, html

from mdpublish_core.figures.math import parse_formula
from mdpublish_core.readers.tex.mathml import tex_of_mathml
from tests.corpora import npm
from tests.corpora.npm import PackagedFile
from tests.text_forms.collection import FORMULAS
from tests.text_forms.formula_trees import formula_tree
from tests.visual import katex

pytestmark = pytest.mark.corpora

TEMML = PackagedFile(
    package="temml",
    version="0.13.5",
    path="dist/temml.cjs",
    sha256="51b2f0314be4fa2aebed0811c0ae8bc334dff28e8e3d18951f4520bfd9985d4f",
)

# What the program itself misreads, or has no MathML for.
TEMML_LOSSES = {
    *(r"\overset{n}{X}", r"\overset{a}{\underset{b}{X}}", r"\begin{alignedat}{2}x&+{}&2y&=3\end{alignedat}"),
    r"\begin{align}f(x)&=x^2 & g(x)&=x^3\\ f'(x)&=2x & g'(x)&=3x^2\end{align}",
    *(r"\left[\begin{array}{cc|c}1 & 2 & 3\\ 4 & 5 & 6\end{array}\right]", r"\begin{array}{c|c}x & y\\ \hline 1 & 2\end{array}"),
}  # fmt: skip
LATEX2MATHML_LOSSES = {
    r"\begin{pmatrix}a & b\\ c & d\end{pmatrix}^{-1} = \frac{1}{ad-bc}\begin{pmatrix}d & -b\\ -c & a\end{pmatrix}",
    r"\begin{align}f(x)&=x^2 & g(x)&=x^3\\ f'(x)&=2x & g'(x)&=3x^2\end{align}",
    *(r"\begin{rcases}a\\ b\end{rcases} c", r"x=1\tag{3}", r"\operatorname*{arg\,min}_{x\in X} f(x)"),
    *(r"\hat{\theta}_{\text{MLE}} = \arg\max_\theta \log L(\theta)", r"\overrightharpoon{AB}"),
    # It knows no `aligned`.
    *(tex for tex in FORMULAS if r"\begin{aligned" in tex or r"\begin{alignedat}" in tex),
    *(r"\sideset{_a^b}{_c^d}\sum", r"\lambda_1 \ge \lambda_2 \ge \dots \ge \lambda_n"),
}


def math_of(markup: str) -> etree._Element:
    """Return the formula as HTML's parser reads it, without its annotation."""
    document = html.fragment_fromstring(markup, create_parent="div")
    etree.strip_elements(document, "annotation", with_tail=False)
    (formula,) = document.iter("math")
    assert isinstance(formula, etree._Element)
    return formula


def misread(pairs: Iterable[tuple[str, str | None]], *, display: bool) -> set[str]:
    """Return the formulas that look different after the way through MathML; None is a formula the program refuses."""
    return {
        tex
        for tex, markup in pairs
        if markup is not None
        and formula_tree(parse_formula(tex_of_mathml(math_of(markup)), display=display).root)
        != formula_tree(parse_formula(tex, display=display).root)
    }


WITHOUT_CHEMISTRY = [tex for tex in FORMULAS if not tex.startswith(r"\ce")]


@pytest.mark.parametrize(("library", "losses"), [(None, set()), (TEMML, TEMML_LOSSES)], ids=["KaTeX", "temml"])
def test_formulas_come_back_from_web_libraries(library: PackagedFile | None, losses: set[str]) -> None:
    source = None if library is None else npm.fetch(library)
    results = katex.render([(tex, True) for tex in WITHOUT_CHEMISTRY], library=source)
    pairs = list(zip(WITHOUT_CHEMISTRY, (result.html for result in results), strict=True))

    assert sum(markup is not None for _, markup in pairs) >= 580
    assert misread(pairs, display=True) == losses


def test_formulas_come_back_from_mathjax() -> None:
    pairs = [
        tuple(lines.split("\n"))
        for lines in Path(__file__).with_name("mathjax.txt").read_text("utf-8").split("\n\n")[1:]
    ]

    assert len(pairs) >= 60
    assert misread(((tex, markup) for tex, markup, *_ in pairs), display=True) == set()


def test_formulas_come_back_from_latex2mathml(monkeypatch: pytest.MonkeyPatch) -> None:
    # As if ziamath, which other tests import, had not added a function.
    monkeypatch.setattr(commands, "FUNCTIONS", tuple(name for name in commands.FUNCTIONS if name != r"\arg"))

    assert misread(((tex, latex2mathml(tex)) for tex in WITHOUT_CHEMISTRY), display=False) == LATEX2MATHML_LOSSES
