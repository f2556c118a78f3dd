r"""Law: `\(…\)` and `\[…\]` mean `$…$` and `$$…$$` in each destination but `html`, which keeps the source."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdpublish_core import convert, parse
from mdpublish_core.testing import shape

# The first token is a command, so that each formula is TeX.
FORMULAS = st.lists(
    st.sampled_from(
        [
            *["x", "12", "_1", "^{2}", r"\frac{a}{b}", r"\text{all}", r"\{", r"\}", r"\,", r"\\", r"\nosuch"],
            " ",
            *"*_<>&()[]{}~!-+=.,:'\"",
        ]
    ),
    max_size=8,
).map(lambda tokens: rf"\alpha {''.join(tokens)}x")

CONTEXTS = (
    "{}",
    "See {} and {}.",
    "# On {}\n\n> - {}\n> - *{}*",
    "| {} |\n|-|\n| {} |",
    "a[^1]\n\n[^1]: {}",
    "[{}](u)<b>{}</b>",
)


@given(FORMULAS, st.sampled_from(CONTEXTS))
def test_formula_in_a_line_is_the_same_between_parentheses_and_dollars(formula: str, context: str) -> None:
    parentheses, dollars = (context.replace("{}", mark.format(formula)) for mark in (r"\({}\)", "${}$"))

    assert shape(parse(parentheses)) == shape(parse(dollars))


@given(FORMULAS, st.sampled_from(("{}", "a\n\n{}\n\nb", "- {}\n- b", "> {}")))
def test_display_math_is_the_same_between_brackets_and_dollars(formula: str, context: str) -> None:
    brackets, dollars = (context.replace("{}", mark.format(formula)) for mark in (r"\[{}\]", "$${}$$"))

    assert shape(parse(brackets)) == shape(parse(dollars))


@pytest.mark.parametrize("destination", ["generic", "plain-text", "slack", "word"])
@given(formula=FORMULAS)
def test_output_is_the_same(destination: str, formula: str) -> None:
    brackets, dollars = (
        convert(f"See {opening}{formula}{closing}.", to=destination)
        for opening, closing in ((r"\(", r"\)"), ("$", "$"))
    )

    assert (brackets.text, brackets.plain_text) == (dollars.text, dollars.plain_text)
    assert [notice.line for notice in brackets.notices] == [notice.line for notice in dollars.notices]
