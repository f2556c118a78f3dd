"""What people saw arrive in other programs: the table of the page that `mdpublish arrivals` writes."""

from pathlib import Path

from mdpublish_core.cli.arrivals import read_places
from mdpublish_core.markdown import Markdown, table

RESULTS = Path(__file__).parent.parent / "arrivals.tsv"


def read_results(file: Path = RESULTS) -> dict[str, list[str]]:
    """Return program with version, date, missing specimens and remark by place. Raises `AssertionError` for another file."""
    head, *rows = [line.split("\t") for line in file.read_text("utf-8").splitlines()]
    assert head == ["place", "version", "date", "missing", "remark"], f"{file} is not what the page saved"
    known = {place.name for place in read_places()}
    for row in rows:
        assert len(row) == len(head), f"{file} has a row of {len(row)} cells"
        assert row[0] in known, f"{file} has a place that is not known: {row[0]}"
    return {name: values for name, *values in rows}


def merge(file: Path) -> None:
    """Take over a person's results; for a place that was seen before, the later date counts."""
    results = read_results()
    for name, values in read_results(file).items():
        if name not in results or results[name][1] <= values[1]:
            results[name] = values
    rows = [["place", "version", "date", "missing", "remark"], *([name, *values] for name, values in results.items())]
    RESULTS.write_text("".join("\t".join(row) + "\n" for row in rows), "utf-8")


def arrivals() -> str:
    results = read_results()
    rows = []
    for place in read_places():
        version, date, missing, remark = results.get(place.name, (Markdown("*not yet seen*"), "", "", ""))
        arrived = f"all but {missing}" if missing else "all" if date else ""
        rows.append((place.program, version, date, arrived, remark))
    # What people write may be anything.
    return table(rows, columns=("place", "program and version", "date", "arrived", "remark"))


def count() -> str:
    """Say in how many places people saw the specimens, as the README does."""
    return f"{len(read_results())} of {len(read_places())} places"
