"""How long conversions take, beside what peers take for the same text in the same run.

    python benchmarks/run.py [--short]

Prints Markdown tables: parsing and HTML, the destinations, batches, the command, then the service. Every round runs every converter once on a text,
one after the other and each round beginning with another, so that whatever else the machine does meets all of them alike;
a figure is the median of its rounds. Ratios are what to compare between machines. The texts are READMEs and the CommonMark
specification, downloaded once by `tests/corpora`; `nox -s bench` installs the peers.
"""

import argparse
import platform
import shlex
import sys
from datetime import UTC, datetime
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.batches import print_batches
from benchmarks.commands import print_commands
from benchmarks.measuring import cpu_model
from benchmarks.parsing import print_parsing
from benchmarks.service import print_service

ROUNDS = 25
SHORT_ROUNDS = 1


def main() -> None:
    """Measure, and print the tables with what is needed to judge them."""
    parser = argparse.ArgumentParser(description="Compare conversion times with peers, in one run.")
    parser.add_argument(
        "--short", action="store_true", help=f"one round instead of {ROUNDS}, which shows that all of it runs"
    )
    rounds = SHORT_ROUNDS if parser.parse_args().short else ROUNDS
    print(f"`{shlex.join(['python', *sys.argv])}`, {datetime.now(UTC):%Y-%m-%d}, medians of {rounds} rounds  ")
    print(f"Python {platform.python_version()}, {cpu_model()}\n")
    print_parsing(rounds)
    # Late: what premailer brings along is more for the collector of garbage to look through, in everybody's time.
    from benchmarks.destinations import print_destinations

    print_destinations(rounds)
    print_batches(rounds)
    print_commands(rounds)
    print_service(short=rounds < ROUNDS)


if __name__ == "__main__":
    main()
