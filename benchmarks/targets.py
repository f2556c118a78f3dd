"""What the library and the command aim at: ratios to something else in the same run, for the longest READMEs measured."""

from collections.abc import Mapping

TARGETS: Mapping[str, float] = {
    "`html` / markdown-it-py": 0.25,
    "`html` / mistune": 0.36,
    "`html` / marked, warm in Node": 1.6,
    "`email` / (comrak + css-inline)": 5,
    "`email` / (mistletoe + premailer)": 0.10,
    "all eight destinations / (parse + `generic`)": 3.5,
    "`mdpublish --help` / `python -m mistune`": 1.3,
    "`mdpublish convert --to html` / `python -m mistune`": 1.3,
    "`mdpublish convert --page` / `python -m mistune`": 1.3,
    "`mdpublish convert --to email` / `python -m mistune`": 1.3,
}


def print_targets(measured: Mapping[str, float]) -> None:
    """Raise `KeyError` if a figure was not measured."""
    print("\n| ratio | now | target | |\n|---|--:|--:|---|")
    for name, target in TARGETS.items():
        reached = "reached" if measured[name] <= target else ""
        print(f"| {name} | {measured[name]:.2f} | {target:.2f} | {reached} |")
