"""Chemistry compared with mhchemParser, on whose TeX MathJax relies, and KaTeX on an older one.

Compares what the formulas show: characters and their style, scripts, fractions, labels and spaces, in order.
"""

from collections.abc import Callable
from functools import cache

import pytest

from mdpublish_core.figures.errors import FigureError
from tests.conformance.chemical_grammar import generated_notations
from tests.conformance.mhchem_parser import (
    Notation,
    documented_notations,
    reference_tex,
    shown_by_reference,
    shown_by_us,
)
from tests.core.chemistry_examples import examples

pytestmark = pytest.mark.conformance

DOCUMENTED = 115
GENERATED = 6_000
MIN_SAME = 0.995
"""Of generated chemistry. Without a rule for a `_` or `^`, mhchem copies it, and it belongs to something else."""

Report = Callable[[str], None]


@pytest.fixture
def report(record_property: Callable[[str, object], None]) -> Report:
    return lambda line: record_property("table", line)


@cache
def compared(notations: tuple[Notation, ...]) -> tuple[tuple[Notation, str, str, str], ...]:
    """Return notations that the reference accepts, what it and we show, and its TeX."""
    results = []
    for notation, tex in zip(notations, reference_tex(notations), strict=True):
        if tex is None:
            continue
        try:
            theirs = shown_by_reference(tex)
        except FigureError:
            continue
        try:
            ours = shown_by_us(notation)
        except FigureError as error:
            ours = f"error: {error.problem}"
        results.append((notation, theirs, ours, tex))
    return tuple(results)


@pytest.mark.short
def test_documented_examples_show_what_mhchem_shows(report: Report) -> None:
    results = compared(tuple(documented_notations()))
    other = [result for result in results if result[1] != result[2]]
    report(f"mhchem's documented examples: {len(results) - len(other)} of {len(results)} the same")

    assert len(results) == DOCUMENTED
    assert not other


@pytest.mark.short
def test_recorded_examples_are_those_of_mhchem() -> None:
    recorded = {(example.command, example.notation): example.shown for example in examples()}

    assert recorded == {notation: theirs for notation, theirs, *_ in compared(tuple(documented_notations()))}


def test_generated_chemistry_shows_what_mhchem_shows(report: Report) -> None:
    results = compared(tuple(generated_notations(GENERATED)))
    other = [result for result in results if result[1] != result[2]]
    report(f"generated chemistry: {len(results) - len(other):,} of {len(results):,} the same; the others:")
    for notation, theirs, ours, _ in other:
        report(f"  {notation[0]} {notation[1]!r}: mhchem {theirs}, ours {ours}")

    assert len(results) > GENERATED * 0.8
    assert len(other) <= len(results) * (1 - MIN_SAME)
