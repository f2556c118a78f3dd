from functools import partial
from unicodedata import category, normalize
from xml.etree.ElementTree import Element

import pytest
from hypothesis import given

from mdpublish_core.figures.math.unicode_math import render_unicode
from mdpublish_core.testing.steps import count_steps
from tests.core.math_trees import DEEP_FORMULAS, parse_tree, shown_characters, trees

# TeX, and what a mathematician would type.
READS = {
    r"x^2+y^2=z^2": "x² + y² = z²",
    r"a_n x^{-1} 10^{-3}": "aₙx⁻¹ 10⁻³",
    r"x^{n+1} x_{i,j} x^{y^2} e^{i\pi}": "xⁿ⁺¹x_(i,j) x^(y²) e^(iπ)",
    r"\frac12 + \frac{a+b}{c} = \frac{1}{2a}": "1/2 + (a + b)/c = 1/(2a)",
    r"\frac{1}{2}x + 2\frac{a}{b}": "(1/2)x + 2(a/b)",
    r"\frac{dy}{dx} + \frac{\partial f}{\partial x}": "dy/dx + ∂f/∂x",
    r"\frac{\frac{a}{b}}{c}": "(a/b)/c",
    r"\left(\frac{a}{b}\right)^2": "(a/b)²",
    r"\sqrt{x} + \sqrt{x+1} + \sqrt[3]{x} + \sqrt[n]{x}": "√x + √(x + 1) + ∛x + ⁿ√x",
    r"\sum_{i=1}^n a_i": "∑_(i=1)^n aᵢ",
    r"\int_0^1 f(x)\,dx": "∫₀¹ f(x) dx",
    r"\int_0^\infty e^{-x^2}": "∫_0^∞ e^(−x²)",
    r"\lim_{x\to 0} \frac{\sin x}{x} = 1": "lim_(x→0) (sin x)/x = 1",
    r"\hat{x} + \vec{v} + \bar x": "x̂ + v⃗ + x̄",
    r"\overline{AB} + \widehat{x+y}": "overline(AB) + hat(x + y)",
    r"\boxed{x+1} \cancel{x}": "▭(x + 1)x̶",
    r"-x + f(x) - (-3)": "−x + f(x) − (−3)",
    r"-x = -y - z": "−x = −y − z",
    r"\sin x + \log_2 n + \sin^2\theta": "sin x + log₂ n + sin² θ",
    r"f'(x) + f''(x)": "f′(x) + f″(x)",
    r"\mathbb{R} \mathcal{L} \mathbf{x}": "ℝℒ𝐱",
    r"\begin{pmatrix}a&b\\c&d\end{pmatrix}": "(a  b;  c  d)",
    r"\begin{bmatrix}a+b&b\\c&d\end{bmatrix}": "[a + b  b;  c  d]",
    r"\det\begin{vmatrix}1&2\\3&4\end{vmatrix}": "det |1  2;  3  4|",
    r"\begin{cases}x & x\ge 0\\ -x & \text{otherwise}\end{cases}": "{x,  x ≥ 0;  −x,  otherwise}",
    r"\begin{aligned}a&=b+c\\&=d\end{aligned}": "a = b + c\n= d",
    r"\begin{aligned}a&=b\\c&=d\end{aligned}\tag{2}": "a = b\nc = d  (2)",
    r"x\tag{3.14}": "x  (3.14)",
    r"|{-x}| + P(A|B) + \|v\|": "|−x| + P(A | B) + ‖v‖",
    r"\binom{n}{k} = \frac{n!}{k!(n-k)!}": "(n choose k) = n!/(k!(n − k)!)",
    r"\overbrace{a+b}^{n} + \underbrace{x+y}_{m}": "overbrace(a + b,  n) + underbrace(x + y,  m)",
    r"\overbrace{1+2}^{3}": "overbrace(1 + 2,  3)",
    r"|\psi\rangle = \alpha|0\rangle + \beta|1\rangle": "|ψ⟩ = α|0⟩ + β|1⟩",
    r"|\psi\rangle\langle\psi|": "|ψ⟩⟨ψ|",
    r"|\langle\phi|\psi\rangle|^2": "|⟨ϕ|ψ⟩|²",
    r"\langle x | A | y \rangle": "⟨x|A|y⟩",
    r"\langle a, b | a^2 = 1\rangle": "⟨a, b | a² = 1⟩",
    r"A \xrightarrow{f} B": "A →ᶠ B",
    r"\forall x \in \mathbb{R}: \exists y > x": "∀x ∈ ℝ : ∃y > x",
    r"90^\circ": "90°",
    r"\left\{x \mid x>0\right\}": "{x ∣ x > 0}",
    r"a \equiv b \pmod{n}": "a ≡ b  (mod n)",
    r"\text{if } x>0 \text{ then } y": "if x > 0 then y",
    r"x = \frac{-b\pm\sqrt{b^2-4ac}}{2a}": "x = (−b ± √(b² − 4ac))/(2a)",
    r"{}_a^b X": "ₐᵇX",
    r"\left.\frac{dy}{dx}\right|_{x=0}": "dy/dx|ₓ₌₀",
    r"\max_{x\in A} f(x) + \max(a,b)": "max_(x∈A) f(x) + max(a, b)",
    r"\sum_{\substack{i<n\\j<m}} a": "∑_(i<n;  j<m) a",
    r"a\phantom{bcd}": "a",
    r"\text{speed} = 5\,\mathrm{km/h}": "speed = 5 km/h",
    r"{x^y}^z + {x_i}_j + T^a{}_b": "(xʸ)ᶻ + (xᵢ)ⱼ + Tᵃ _b",
    r"f^{(q)} + f^q + e^{x_n}": "f^((q)) + f^q + e^(xₙ)",
    r"G\frac{m}{r^2} + \frac{1}{n(n+1)} + \frac{P(A)}{P(B)}": "G (m/r²) + 1/(n(n + 1)) + P(A)/P(B)",
    r"\sqrt{x}^2 + \sqrt{x^2} + \sqrt{x}y + a\sqrt[n]{x} + a^n\sqrt{x}": "(√x)² + √(x²) + √x y + a ⁿ√x + aⁿ √x",
    r"\overset{n}{X} + \hat{\vec{v}_0}": "overset(n,  X) + hat(v⃗₀)",
    r"\cancel{a+b+c+d+e+f}": "cancel(a + b + c + d + e + f)",
    r"\left(\begin{array}{c|c}1&\\\hline &2\end{array}\right)": "(1;  ---;  _  |  2)",
    r"\begin{Bmatrix}a&b\end{Bmatrix} + {n \brace k}": "{rows(a  b)} + {rows(n;  k)}",
    r"\left.\begin{matrix}a\\b\end{matrix}\right\} c": "rows(a;  b)}c",
    r"\begin{align*}a&=b & c&=d\end{align*}": "a = b,  c = d",
    r"\begin{aligned}a&=b\\&\quad-c\end{aligned}": "a = b\n− c",
    r"x=1\quad\text{if } y": "x = 1  if y",
}


@pytest.mark.parametrize("tex", READS)
def test_formula_reads_as_mathematicians_type(tex: str) -> None:
    assert render_unicode(parse_tree(tex)) == normalize("NFC", READS[tex])


def test_what_shows_nothing_is_empty() -> None:
    assert not render_unicode(parse_tree(r"\phantom{x}"))
    assert not render_unicode(Element("math"))


def test_text_has_no_control_characters() -> None:
    assert render_unicode(parse_tree("\\text{a\u202eb\u2066c\td}")) == "abc d"


def test_marks_on_marks_take_linear_time() -> None:
    trees = [parse_tree(rf"{mark * depth}ab{'}' * depth}") for mark in (r"\hat{", r"\overset{a}{") for depth in (4, 40)]
    few_hats, many_hats, few_labels, many_labels = (count_steps(partial(render_unicode, tree)) for tree in trees)

    assert many_hats < 15 * few_hats
    assert many_labels < 15 * few_labels


@pytest.mark.parametrize("tex", DEEP_FORMULAS)
def test_what_is_too_deep_keeps_its_characters(tex: str) -> None:
    assert "x" in normalize("NFKC", render_unicode(parse_tree(tex)))


@given(trees)
def test_all_alphanumeric_characters_arrive(root: Element) -> None:
    rendered = set(normalize("NFKC", render_unicode(root)))

    assert shown_characters(root) <= rendered


@given(trees)
def test_text_is_clean_and_always_the_same(root: Element) -> None:
    output = render_unicode(root)

    assert render_unicode(root) == output
    assert not {category(each) for each in output.replace("\n", "")} & {"Cc", "Cs"}
