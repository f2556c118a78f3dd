"""Law: what a text form shows can be read in one way only, the author's.

Readers that know no TeX and no Markdown read the text of formulas and prose back to the author's tree. Of it, a text
form leaves out what looks alike on a page, such as upright and italic letters in formulas, and emphasis in plain text.
"""

import re
from collections import defaultdict
from collections.abc import Iterator

import pytest
from hypothesis import given

from mdpublish_core import convert, parse
from mdpublish_core.figures.math import parse_formula
from mdpublish_core.strings.small_characters import SUBSCRIPTS, SUPERSCRIPTS
from tests.text_forms.collection import FORMULAS, SNIPPETS, generated_formulas
from tests.text_forms.formula_reader import read_formula
from tests.text_forms.formula_structure import Part
from tests.text_forms.formula_trees import formula_tree
from tests.text_forms.prose_reader import read_plain_text
from tests.text_forms.prose_trees import document_tree


def _line_of(tex: str) -> tuple[str, Part]:
    formula = parse_formula(tex, display=False)
    return formula.unicode_line(), formula_tree(formula.root)


def test_formulas_read_as_their_authors_wrote_them() -> None:
    misread = [tex for tex in FORMULAS for line, tree in [_line_of(tex)] if read_formula(line) != tree]

    assert len(FORMULAS) >= 500
    assert misread == []


def test_displayed_formulas_read_like_those_in_a_line() -> None:
    displayed = {tex: parse_formula(tex, display=True) for tex in FORMULAS}
    # A row after a semicolon begins below the one before.
    lines = {tex: re.sub(r";\n +", ";  ", formula.unicode_text()) for tex, formula in displayed.items()}

    assert [
        tex
        for tex, line in lines.items()
        if "\n" not in line and read_formula(line) != formula_tree(displayed[tex].root)
    ] == []
    assert [line for line in lines.values() if list(lines.values()).count(line) > 1] == []


MATRICES = [
    r"\begin{pmatrix}a & b+c\\ -d & \frac12\end{pmatrix}\begin{pmatrix}x\\y\end{pmatrix} = \begin{pmatrix}1\\200\end{pmatrix} + t",
    r"\det\begin{pmatrix}1 & 20\\300 & 4\end{pmatrix} = \det\begin{pmatrix}1 & 300\\20 & 4\end{pmatrix}",
    r"\begin{bmatrix}1&2\\3&4\\5&6\end{bmatrix}\begin{pmatrix}x\\ \alpha_1 \\ y^2\end{pmatrix}",
    r"A\begin{bmatrix}&2\\3&\end{bmatrix} - \begin{pmatrix}x&1\\y&\end{pmatrix}",
]


def _as_one_line(shown: str) -> str:
    """Read matrices beside each other, each from its first row down; words beside them are in the middle line."""
    lines = shown.split("\n")
    line, end = "", 0
    middle = lines[(len(lines) - 1) // 2]
    for table in re.finditer(r"([⎛⎡])[^⎞⎤]*([⎞⎤])", lines[0]):
        rows = [re.sub("  +", "  ", each[table.start() + 1 : table.end() - 1].strip()) for each in lines]
        opening, closing = (dict(zip("⎛⎡⎞⎤", "([)]", strict=True))[sign] for sign in table.groups())
        line += f"{middle[end : table.start()]}{opening}{';  '.join(rows)}{closing}"
        end = table.end()
    return line + middle[end:]


@pytest.mark.parametrize("tex", MATRICES)
def test_matrices_stand_side_by_side_with_their_columns_aligned(tex: str) -> None:
    formula = parse_formula(tex, display=True)
    shown = formula.unicode_text()

    assert (
        len({tuple(match.start() for match in re.finditer("[⎛⎜⎝⎡⎢⎣⎞⎟⎠⎤⎥⎦]", line)) for line in shown.split("\n")}) == 1
    )
    assert _as_one_line(shown) == formula.unicode_line()
    assert read_formula(_as_one_line(shown)) == formula_tree(formula.root)


def test_different_formulas_have_different_texts() -> None:
    trees: dict[str, set[Part]] = defaultdict(set)
    for tex in FORMULAS:
        line, tree = _line_of(tex)
        trees[line].add(tree)

    assert [line for line, each in trees.items() if len(each) > 1] == []
    assert len(trees) == len(FORMULAS)


@given(generated_formulas)
def test_any_formula_reads_as_it_was_written(tex: str) -> None:
    line, tree = _line_of(tex)

    assert read_formula(line) == tree, line


# As sympy reads them.
EXPRESSIONS = [
    *("x**2 + y**2", "(a + b)**2", "x**(n + 1)", "x**n + 1", "2**(2**n)", "(2**n)**2", "sqrt(x + 1)", "sqrt(x) + 1"),
    *("x/(2*y)", "x*y/2", "(a + b)/(x - y)", "a + b/x - y", "Rational(1, 2)*a", "a/(b/x + 1)", "a/(b*(x + y))"),
    *("1/sqrt(2)", "sqrt(2)*x/2", "sqrt(a/b)", "sqrt(a)/b", "sqrt(a**2 + b**2)", "x*(y + 1)", "x*(y + 1)**2"),
    *("(-x)**3", "-(x**2)", "x**-2", "x**(-n)", "(x + 1)**(1/y)", "(x/y)**n", "x**(a/b)", "x**a/b", "((x + 1)/y)**2"),
    *("x**2*y**3", "(x + 1)*(y - 1)", "a*(b - x)/n", "pi*x**2", "2*pi*x", "x**(y**2)", "(x**y)**2", "x**(2*y)"),
    *("x**2*y", "x/y/a", "x/(y/a)", "(1 - x)/(1 + x)", "1/(1 - 1/x)"),
]

_SYMPY_SIGNS = {"−": "-", "⋅": "*", "√": "sqrt", "π": "pi"}


def _as_sympy_writes(line: str) -> str:
    raised = {small: plain.replace("−", "-") for plain, small in SUPERSCRIPTS.items()}
    written = re.sub(f"[{''.join(raised)}]+", lambda match: f"^({' '.join(raised[each] for each in match[0])})", line)
    written = re.sub(r"√(\w)", r"√(\1)", written)
    # One letter is a variable, and multiplies what is in brackets.
    written = re.sub(r"(?<=[a-z])(?=[a-z])", " ", written)
    for sign, name in _SYMPY_SIGNS.items():
        written = written.replace(sign, f" {name} " if name.isalpha() else name)
    return written


def test_sympy_reads_the_expressions_whose_tex_it_wrote() -> None:
    import sympy  # here, since it takes a second
    from sympy.parsing.sympy_parser import convert_xor, implicit_multiplication, parse_expr, standard_transformations

    steps = (*standard_transformations, convert_xor, implicit_multiplication)
    names = {name: sympy.Symbol(name) for name in "xyabn"}

    def misread(written: str) -> bool:
        expression = sympy.sympify(written, names)
        line = parse_formula(sympy.latex(expression), display=False).unicode_line()
        read = parse_expr(_as_sympy_writes(line), names, transformations=steps)
        return bool(sympy.simplify(read - expression) != 0)

    assert not [each for each in EXPRESSIONS if misread(each)]


def test_plain_text_of_prose_reads_as_its_author_wrote_it() -> None:
    def misread() -> Iterator[tuple[str, str]]:
        for markdown in SNIPPETS:
            plain_text = convert(markdown, to="plain-text").text
            if read_plain_text(plain_text) != document_tree(parse(markdown), is_slack=False):
                yield markdown, plain_text

    assert len(SNIPPETS) >= 200
    assert list(misread()) == []


@pytest.mark.parametrize("destination", ["plain-text", "slack"])
def test_different_documents_have_different_texts(destination: str) -> None:
    trees: dict[str, set[Part]] = defaultdict(set)
    for markdown in SNIPPETS:
        tree = document_tree(parse(markdown), is_slack=destination == "slack")
        trees[convert(markdown, to=destination).text].add(tree)

    assert [written for written, each in trees.items() if len(each) > 1] == []


def test_every_destination_carries_the_same_plain_text() -> None:
    for markdown in SNIPPETS:
        assert convert(markdown, to="slack").plain_text == convert(markdown, to="plain-text").text


def test_small_characters_stand_for_one_character_each() -> None:
    for twins in (SUPERSCRIPTS, SUBSCRIPTS):
        alike = defaultdict(set)
        for plain, small in twins.items():
            alike[small].add({"−": "-", "∘": "°", "'": "′"}.get(plain, plain))
        assert [each for each in alike.values() if len(each) > 1] == []
