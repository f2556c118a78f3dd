"""The tables of docs/explanation/comparison.md that benchmarks make."""

from pathlib import Path

PAGE = Path(__file__).parents[1] / "docs/explanation/comparison.md"


def table_of_page(name: str) -> str:
    """Return the lines of a table: `features` or `imports`."""
    return PAGE.read_text("utf-8").partition(f"<!-- made: {name} -->\n")[2].partition("<!-- end -->")[0].strip() + "\n"
