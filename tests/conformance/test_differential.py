"""Our reading of READMEs and of generated documents beside those of commonmark.js, comrak and cmark-gfm.

`--generated N` says how many documents of each kind there are, `--seed WORD` which; conftest.py prints the tables.
"""

from collections.abc import Callable, Iterator, Sequence

import pytest

from tests.conformance.differential import RULES, Bench, Report, Rule, examined
from tests.conformance.judges import Dialect, all_judges
from tests.conformance.known import KnownFailures

pytestmark = pytest.mark.conformance

MOST_OF_BLOCKS = 0.005
"""Share of documents of blocks that may be read otherwise for no known reason: chance puts many rules' edges together."""
MOST_OF_INLINES = 0.000_5
"""Of documents of inlines, of whose rules the specification is exacter."""

README_DIFFERENCES = KnownFailures("readme_differences.toml")


@pytest.fixture(scope="module")
def bench() -> Iterator[Bench]:
    with all_judges() as judges:
        yield Bench(judges)


@pytest.mark.parametrize("dialect", Dialect, ids=lambda dialect: dialect.value)
def test_blocks_are_read_as_others_read_them(
    dialect: Dialect, block_documents: list[str], bench: Bench, record_property: Callable[[str, object], None]
) -> None:
    report = examined("generated blocks", numbered(block_documents, dialect), dialect, bench)

    record_property("table", table(report))
    assert report.unexplained_share <= MOST_OF_BLOCKS, table(report)


@pytest.mark.parametrize("dialect", Dialect, ids=lambda dialect: dialect.value)
def test_inlines_are_read_as_others_read_them(
    dialect: Dialect, inline_documents: list[str], bench: Bench, record_property: Callable[[str, object], None]
) -> None:
    report = examined("generated inlines", numbered(inline_documents, dialect), dialect, bench)

    record_property("table", table(report))
    assert report.unexplained_share <= MOST_OF_INLINES, table(report)


@pytest.mark.parametrize("dialect", Dialect, ids=lambda dialect: dialect.value)
def test_readmes_are_read_as_others_read_them(
    dialect: Dialect, many_readmes: dict[str, str], bench: Bench, record_property: Callable[[str, object], None]
) -> None:
    named = {f"{name} ({dialect.value})": text for name, text in many_readmes.items()}

    report = examined("READMEs", named, dialect, bench)

    record_property("table", table(report))
    different = {found.name for found in report.unexplained}
    assert different == named.keys() & set(README_DIFFERENCES.listed("readmes")), table(report)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_rule_still_explains_its_example(rule: Rule, bench: Bench) -> None:
    case = bench.case(rule.example, rule.dialect)

    assert not case.agreeing & rule.judges, "the fault is mended: take the rule away"
    assert rule.explains(case, bench)


def numbered(documents: Sequence[str], dialect: Dialect) -> dict[str, str]:
    """Return the documents for a dialect with their numbers; every second one knows GitHub's extensions."""
    start = list(Dialect).index(dialect)
    return {f"{dialect.value} {number}": documents[number] for number in range(start, len(documents), len(Dialect))}


def table(report: Report) -> str:
    return "\n".join([*report.lines(), *report.examples()])
