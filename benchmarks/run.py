"""Benchmarks against other tools.

    python benchmarks/run.py [--short] [scale | pdfs | keys]

Prints Markdown tables of medians. Each round runs every converter once, starting with a different one, so that
other load affects all alike. Compare figures, not times, between machines. Documents are READMEs and the CommonMark
specification, downloaded by `tests/corpora`.
"""

import argparse
import platform
import shlex
import sys
from datetime import UTC, datetime
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.batches import print_batches
from benchmarks.clusters import print_clusters
from benchmarks.commands import print_commands
from benchmarks.measuring import cpu_model
from benchmarks.parsing import print_parsing
from benchmarks.service import print_service, print_sizes
from benchmarks.targets import print_targets

ROUNDS = 25
SCALE_ROUNDS = 3
SHORT_ROUNDS = 1


def main() -> None:
    parser = argparse.ArgumentParser(description="Compare conversion times with peers, in one run.")
    parser.add_argument(
        "--short", action="store_true", help=f"one round instead of {ROUNDS}, which shows that all of it runs"
    )
    parser.add_argument(
        "only",
        nargs="?",
        choices=["scale", "pdfs", "keys"],
        help="only large databases, the needs of a service, and a Dask cluster; or only PDFs; or only previews after keys; both need Chromium",
    )
    given = parser.parse_args()
    rounds = SHORT_ROUNDS if given.short else SCALE_ROUNDS if given.only == "scale" else ROUNDS
    print(f"`{shlex.join(['python', *sys.argv])}`, {datetime.now(UTC):%Y-%m-%d}, medians of {rounds} rounds  ")
    print(f"Python {platform.python_version()}, {cpu_model()}\n")
    if given.only == "pdfs":
        from benchmarks.pdfs import print_pdfs

        print_pdfs()
        return
    if given.only == "keys":
        from benchmarks.keystrokes import print_keystrokes

        print_keystrokes(rounds)
        return
    if given.only == "scale":
        print_sizes(short=given.short)
        print_clusters(short=given.short)
        return
    figures = print_parsing(rounds)
    # Late: premailer's objects slow down garbage collection.
    from benchmarks.destinations import print_destinations

    figures |= print_destinations(rounds)
    from benchmarks.weights import print_weights

    figures |= print_weights()
    print_batches(rounds)
    print_clusters(short=given.short)
    figures |= print_commands(rounds)
    figures |= print_service(short=rounds < ROUNDS)
    print_targets(figures)


if __name__ == "__main__":
    main()
