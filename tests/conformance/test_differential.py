"""READMEs and generated documents compared with other implementations.

`--generated N` sets the number of documents of each kind, `--seed WORD` the seed.
"""

from collections.abc import Callable, Iterator, Sequence

import pytest

from tests.conformance.differential import RULES, Comparison, Report, Rule, compare
from tests.conformance.known_failures import KnownFailures
from tests.conformance.reference_parsers import Dialect, reference_parsers

pytestmark = pytest.mark.conformance

MAX_BLOCK_SHARE = 0.005
"""Unexplained differences: random blocks combine many edge cases."""
MAX_INLINE_SHARE = 0.000_5
"""Inlines are specified more exactly."""

README_DIFFERENCES = KnownFailures("readme_differences.toml")


@pytest.fixture(scope="module")
def bench() -> Iterator[Comparison]:
    with reference_parsers() as judges:
        yield Comparison(judges)


@pytest.mark.parametrize("dialect", Dialect, ids=lambda dialect: dialect.value)
def test_blocks_are_read_as_others_read_them(
    dialect: Dialect, block_documents: list[str], bench: Comparison, record_property: Callable[[str, object], None]
) -> None:
    report = compare("generated blocks", numbered(block_documents, dialect), dialect, bench)

    record_property("table", table(report))
    assert report.unexplained_share <= MAX_BLOCK_SHARE, table(report)


@pytest.mark.parametrize("dialect", Dialect, ids=lambda dialect: dialect.value)
def test_inlines_are_read_as_others_read_them(
    dialect: Dialect, inline_documents: list[str], bench: Comparison, record_property: Callable[[str, object], None]
) -> None:
    report = compare("generated inlines", numbered(inline_documents, dialect), dialect, bench)

    record_property("table", table(report))
    assert report.unexplained_share <= MAX_INLINE_SHARE, table(report)


@pytest.mark.parametrize("dialect", Dialect, ids=lambda dialect: dialect.value)
def test_readmes_are_read_as_others_read_them(
    dialect: Dialect, many_readmes: dict[str, str], bench: Comparison, record_property: Callable[[str, object], None]
) -> None:
    named = {f"{name} ({dialect.value})": markdown for name, markdown in many_readmes.items()}

    report = compare("READMEs", named, dialect, bench)

    record_property("table", table(report))
    different = {readmes.name for readmes in report.unexplained}
    assert different == named.keys() & set(README_DIFFERENCES.listed("readmes")), table(report)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_rule_still_explains_its_example(rule: Rule, bench: Comparison) -> None:
    case = bench.case(rule.example, rule.dialect)

    assert not case.agreeing & rule.judges, "the fault is mended: take the rule away"
    assert rule.explains(case, bench)


def numbered(documents: Sequence[str], dialect: Dialect) -> dict[str, str]:
    start = list(Dialect).index(dialect)
    return {f"{dialect.value} {number}": documents[number] for number in range(start, len(documents), len(Dialect))}


def table(report: Report) -> str:
    return "\n".join([*report.lines(), *report.examples()])
