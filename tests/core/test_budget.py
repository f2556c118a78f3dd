"""A document's budget of steps: what it stops, what it lets pass, and that it counts no time."""

from contextlib import suppress

import pytest

from mdpublish_core import Conversion, Limits, convert, parse
from mdpublish_core.figures.math import FormulaParser
from mdpublish_core.options.budget import CELL_STEPS, EXPANSION_STEPS, FIGURE_STEPS, Budget, BudgetExhausted
from mdpublish_core.options.limits import budget_of
from mdpublish_core.writers.outputs import DESTINATIONS, OUTPUTS
from mdpublish_core.writers.rendering import RenderRequest

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
    assert budget.left == -1
    with pytest.raises(BudgetExhausted):
        budget.spend(1)


def test_limit_grows_with_the_document() -> None:
    assert budget_of(Limits(max_steps=100), 1_000).limit == 20_100


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
    conversion = convert(macro_bomb(3_000), to=destination, limits=limits)

    assert notices(conversion).count(CODE) == 1
    assert r"\c\c\c x_{149}" in conversion.text
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

    return render(document, to=destination)  # type: ignore[arg-type]


DENSE = {
    "nested bullets": f"{'- ' * 40}a\n",
    "table of one column": "a\n",
    "quotes": "> > > > > > > > > > a\n\n",
    "elements": "<b>",
}
BEFORE = {"table of one column": "|a|\n|-|\n"}


@pytest.mark.parametrize("destination", DESTINATIONS)
def test_blocks_past_the_budget_are_shown_as_their_source_with_one_notice(destination: str) -> None:
    markdown = f"{DENSE['nested bullets'] * 100}\n# *last* words\n"
    conversion = convert(markdown, to=destination)

    assert notices(conversion).count(CODE) == 1
    assert "# *last* words" in conversion.plain_text


def test_text_past_the_budget_is_shown_unparsed_with_one_notice() -> None:
    markdown = "*a*" * 3_000 + "\n\n*last*\n"
    conversion = convert(markdown, limits=Limits(max_steps=-170_000))

    assert notices(conversion) == [CODE]
    assert conversion.plain_text.endswith("*last*\n")


def test_document_has_one_notice_although_blocks_and_formulas_are_cut() -> None:
    formulas = "".join(f"$x_{{{number}}}$ " for number in range(3_000))
    conversion = convert(f"{formulas}\n\n{DENSE['nested bullets'] * 100}", limits=Limits(max_steps=-500_000))

    assert notices(conversion) == [CODE]


def test_words_of_an_honest_document_before_the_cut_keep_their_format() -> None:
    markdown = f"# *First* words\n\n{DENSE['nested bullets'] * 100}"

    assert "<em>First</em>" in convert(markdown, to="html").html


def steps_of(markdown: str) -> int:
    limits = Limits(max_steps=100_000_000)
    document = parse(markdown, limits=limits)
    assert document.origin.steps_left is not None
    return budget_of(limits, document.origin.source_bytes).limit - document.origin.steps_left


@pytest.mark.parametrize("construct", DENSE)
def test_steps_of_a_construct_grow_with_its_number(construct: str) -> None:
    before, unit = BEFORE.get(construct, ""), DENSE[construct]

    assert 9 <= steps_of(before + unit * 1_000) / steps_of(before + unit * 100) <= 11


def test_cells_that_pad_a_row_are_paid_for() -> None:
    header = f"|{'a|' * 100}\n|{'-|' * 100}\n"

    assert steps_of(f"{header}|b|\n") - steps_of(header) >= 100 * CELL_STEPS


def test_deep_items_cost_more_than_others() -> None:
    assert steps_of("- " * 40 + "a") > 20 * steps_of("- " * 4 + "a")


HONEST = {
    "table of digits": "|a|b|c|\n|-|-|-|\n" + "| 1 | 2 | 3 |\n" * 2_000,
    "list of short items": "- one\n- two\n  - three\n" * 1_000,
    "nested lists": "".join(f"{'  ' * (number % 8)}- item {number}\n" for number in range(1_000)),
    "prose": "A *sentence* with `code`, a [link](https://example.org) and **strong** words.\n\n" * 200,
    "tasks": "- [x] done\n- [ ] to do\n" * 1_000,
    "elements": "<p align=center><b>a</b> <kbd>b</kbd></p>\n\n" * 500,
}

STEPS_PER_BYTE = 20
"""What each byte adds to a budget: the share of `max_steps` is small in a megabyte."""


@pytest.mark.parametrize("kind", HONEST)
def test_honest_text_of_any_length_takes_two_thirds_of_its_budget(kind: str) -> None:
    assert steps_of(HONEST[kind]) <= 2 / 3 * STEPS_PER_BYTE * len(HONEST[kind])


@pytest.mark.corpora
def test_readmes_take_a_tenth_of_their_budget(readmes: dict[str, str]) -> None:
    for name, markdown in readmes.items():
        assert steps_of(markdown) <= 0.1 * STEPS_PER_BYTE * len(markdown.encode()), name


def test_thousands_of_distinct_formulas_are_all_parsed() -> None:
    formulas = [f"The value $x_{{{number}}} + \\frac{{a}}{{{number}}}$ is real." for number in range(2_500)]
    conversion = convert("\n\n".join(formulas))

    assert conversion.html.count("<mfrac>") == 2_500
    assert conversion.notices == ()


def test_output_grows_with_the_document() -> None:
    request = RenderRequest(OUTPUTS["html"], limits=Limits(max_output_bytes=100))

    assert request.allowed_bytes(parse("x" * 1_000)) == 20_100
