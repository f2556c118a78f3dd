"""Accounts for what is in thousands of edited documents.

    python -m tests.properties.import_proof [--examples 3000] [--first 0] [--seed 1]

Each case that loses something is printed, with as few blocks of Markdown as still show it; status 1 if there is one.
`--first` goes on where a run was interrupted.
"""

import argparse
import sys

from tests.edit_accounts import edited, losses
from tests.edited_documents import Case, case_of

PART = 100


def main() -> int:
    parser = argparse.ArgumentParser(description="Account for what is in edited documents.")
    parser.add_argument("--examples", type=int, default=3_000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", default="1")
    given = parser.parse_args()
    failures = 0
    for number in range(given.first, given.examples):
        seed = f"{given.seed} {number}"
        if lost := losses_of(case := case_of(seed)):
            failures += 1
            print(f"{seed}, {case.output}, {case.changes}:", *lost, _shortest(case), sep="\n")
        if (number + 1) % PART == 0:
            print(f"{number + 1:,} of {given.examples:,} examples, {failures} lose something", flush=True)
    return int(failures > 0)


def losses_of(case: Case) -> list[str]:
    return list(losses(case, edited(case)))


def _shortest(case: Case) -> str:
    blocks = case.markdown.split("\n\n")
    for each in [*blocks]:
        rest = [block for block in blocks if block is not each]
        if rest and losses_of(case._replace(markdown="\n\n".join(rest))):
            blocks = rest
    return "\n\n".join(blocks)


if __name__ == "__main__":
    sys.exit(main())
