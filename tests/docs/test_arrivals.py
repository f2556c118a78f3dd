"""The table of what people saw arrive, and the README's count of it."""

from pathlib import Path

import pytest

from docs.reference.making import arrivals
from tests.docs.pages import ROOT

HEAD = "place\tversion\tdate\tmissing\tremark\n"


def test_the_readme_counts_what_people_saw() -> None:
    assert f"**Seen by people** in {arrivals.count()}" in (ROOT / "README.md").read_text("utf-8")


def test_results_are_merged_and_the_later_date_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arrivals, "RESULTS", tmp_path / "all.tsv")
    monkeypatch.setattr(arrivals.read_results, "__defaults__", (tmp_path / "all.tsv",))
    (tmp_path / "all.tsv").write_text(f"{HEAD}word\tWord 16.8\t2026-12-01\t\t\nslack\tSlack 5\t2026-12-02\t\t\n")
    (tmp_path / "mine.tsv").write_text(
        f"{HEAD}word\tWord 16.9\t2026-12-03\t6. Code\ta|b\nslack\tSlack 4\t2026-11-01\t\t\n"
    )

    arrivals.merge(tmp_path / "mine.tsv")

    rows = [[cell.strip() for cell in row.split(" | ")] for row in arrivals.arrivals().splitlines()]
    assert ["| Word", "Word 16.9", "2026-12-03", "all but 6. Code", r"a\|b   |"] in rows
    assert ["| Slack", "Slack 5", "2026-12-02", "all", "|"] in [[*row[:4], row[4].strip()] for row in rows]
    assert sum("*not yet seen*" in row for row in rows) == len(rows) - 4
    (tmp_path / "mine.tsv").write_text(f"{HEAD}nowhere\tx\ty\t\t\n")
    with pytest.raises(AssertionError, match="a place that is not known: nowhere"):
        arrivals.merge(tmp_path / "mine.tsv")
