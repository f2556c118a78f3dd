"""A document's budget of steps: what it stops, what it lets pass, and that it counts no time."""

from contextlib import suppress

import pytest

from mdpublish_core import Conversion, Limits, convert, parse
from mdpublish_core.budget import EXPANSION_STEPS, FIGURE_STEPS, Budget, BudgetExhausted
from mdpublish_core.destinations import DESTINATIONS
from mdpublish_core.figures.math import FormulaParser

SIZE = 20_000
CODE = "document-too-complex"

DEFINITIONS = r"$\def\a{x+y}\def\b{\a\a\a\a\a\a\a\a\a\a}\def\c{\b\b\b\b\b\b\b\b\b\b}$"


def macro_bomb(size: int) -> str:
    uses = [f"$\\c\\c\\c x_{{{number}}}$\n\n" for number in range(size // 20)]
    return "\n\n".join([DEFINITIONS, *uses])


def notices(conversion: Conversion) -> list[str]:
    return [notice.code for notice in conversion.notices]


def test_budget_refuses_steps_past_its_limit() -> None:
    budget = Budget(10)

    assert budget.try_spend(10)
    assert not budget.try_spend(1)
    assert budget.left == 0
    with pytest.raises(BudgetExhausted):
        budget.spend(1)


def test_limit_grows_with_the_document() -> None:
    assert Limits(max_steps=100).budget(1_000).limit == 20_100


def test_expansion_of_macros_is_bounded_by_the_document_rather_than_by_the_formula() -> None:
    budget = Budget(50_000)
    parser = FormulaParser(budget)
    parser.parse(DEFINITIONS.strip("$"), display=False)

    parsed = 0
    with suppress(BudgetExhausted):
        for number in range(10_000):
            parser.parse(f"\\b_{{{number}}}", display=False)
            parsed += 1

    assert 0 < parsed <= 50_000 // (40 * EXPANSION_STEPS)


def test_equal_formulas_are_parsed_once() -> None:
    parser = FormulaParser(Budget(10_000))

    assert parser.parse("x^2", display=False) is parser.parse("x^2", display=False)
    assert parser.parse("x^2", display=False) is not parser.parse("x^2", display=True)


def test_equal_formulas_differ_after_a_definition() -> None:
    parser = FormulaParser(Budget(10_000))
    before = parser.parse(r"\max", display=False)
    parser.parse(r"\def\max{x}", display=False)

    assert parser.parse(r"\max", display=False).unicode_text() != before.unicode_text()


def test_equal_formulas_pay_for_their_tokens_each_time_but_for_one_image() -> None:
    budget = Budget(10_000)
    parser = FormulaParser(budget)
    parser.parse("x", display=False)
    first = budget.spent
    parser.parse("x", display=False)

    assert budget.spent - first == first - FIGURE_STEPS


@pytest.mark.parametrize("destination", ["word", "generic", "slack", "plain-text"])
def test_formulas_past_the_budget_are_shown_as_their_source_with_one_notice(destination: str) -> None:
    limits = Limits(max_steps=1_000)
    conversion = convert(macro_bomb(3_000), destination=destination, limits=limits)

    assert notices(conversion).count(CODE) == 1
    assert r"\c\c\c x_{149}" in conversion.html
    assert r"\c\c\c x_{149}" in conversion.plain_text


def test_figures_past_the_budget_are_shown_as_their_source() -> None:
    markdown = f"{macro_bomb(3_000)}\n\n```dot\ndigraph {{ late -> later }}\n```\n"
    conversion = convert(markdown, limits=Limits(max_steps=1_000))

    assert "late -&gt; later" in conversion.html
    assert notices(conversion) == [CODE]


def test_the_same_formulas_are_shown_in_every_destination() -> None:
    document = parse(macro_bomb(3_000), limits=Limits(max_steps=1_000))
    lines = {
        destination: {notice.line for notice in convert_parsed(document, destination).notices if notice.code == CODE}
        for destination, each in DESTINATIONS.items()
        if each.math_form != "source"
    }

    assert len(set(map(frozenset, lines.values()))) == 1


def convert_parsed(document: object, destination: str) -> Conversion:
    from mdpublish_core import render

    return render(document, destination=destination)  # type: ignore[arg-type]
