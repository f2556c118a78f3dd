"""Law: every word, box, link and image of an edited document is read, and merged into its source, or a notice names it.

`python -m tests.properties.import_proof` tries 3,000 cases.
"""

import pytest

from tests.edited_documents import KINDS, OUTPUTS, case_of
from tests.properties.import_proof import losses_of

SEEDS = [f"1 {number}" for number in range(100)]
FEW = 20
MENDED = ["1 134", "1 248", "1 1023", "1 1744", "1 1749", "1 1808", "1 2205"]
"""Callouts in quotes, and around an image: they were lost."""


def unexplained(seeds: list[str]) -> dict[str, list[str]]:
    """Return what is lost by seed."""
    return {seed: lost for seed in seeds if (lost := losses_of(case_of(seed)))}


def test_edits_are_in_what_is_read_and_merged_or_named() -> None:
    assert unexplained([*SEEDS[:FEW], *MENDED]) == {}


@pytest.mark.corpora
def test_edits_of_more_documents_are() -> None:
    assert unexplained(SEEDS[FEW:]) == {}


def test_cases_make_all_edits_in_all_outputs() -> None:
    cases = [case_of(seed) for seed in SEEDS]

    assert {case.output for case in cases} == {*OUTPUTS}
    assert {edit.kind for case in cases for edit in case.changes} == {*KINDS}
