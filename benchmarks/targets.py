"""What the library, the command and the service aim at: mostly ratios to something else in the same run.

Those of the library are for the longest READMEs measured, those of the service for 32 connections.
"""

from collections.abc import Mapping

TARGETS: Mapping[str, float] = {
    "`html` / markdown-it-py": 0.25,
    "`html` / mistune": 0.36,
    "`html` / marked, warm in Node": 1.6,
    "`email` / (comrak + css-inline)": 5,
    "`email` / (mistletoe + premailer)": 0.10,
    "bytes of `email` / (mistletoe + premailer), average of kinds": 0.65,
    "bytes of `email` / (mistletoe + premailer), tables": 0.75,
    "bytes of `email`, a table of 100 by 5 cells": 48_000,
    "all eight destinations / (parse + `generic`)": 3.5,
    "`mdpublish --help` / `python -m mistune`": 1.3,
    "`mdpublish convert --to html` / `python -m mistune`": 1.3,
    "`mdpublish convert --to page` / `python -m mistune`": 1.3,
    "`mdpublish convert --to email` / `python -m mistune`": 1.3,
    "`convert` of 100 KB over HTTP, added to the library's time, ms": 1.2,
    "create a document, PostgreSQL: p99, ms": 30,
}
"""At most."""

MINIMUMS: Mapping[str, float] = {
    "published page, SQLite / bare route": 0.85,
    "published page, not modified (304), SQLite / bare route": 0.95,
    "create a document, SQLite / bare route": 0.25,
    "published page, PostgreSQL / bare route": 0.5,
    "create a document, PostgreSQL / bare route": 0.08,
}
"""At least: requests a second."""


def print_targets(measured: Mapping[str, float]) -> None:
    """Raise `KeyError` if a figure was not measured."""
    print("\n| figure | now | target | |\n|---|--:|--:|---|")
    for name, target in TARGETS.items():
        print_target(name, measured[name], target, is_reached=measured[name] <= target)
    for name, target in MINIMUMS.items():
        print_target(name, measured[name], target, is_reached=measured[name] >= target)


def print_target(name: str, now: float, target: float, *, is_reached: bool) -> None:
    print(f"| {name} | {now:.2f} | {target:.2f} | {'reached' if is_reached else ''} |")
