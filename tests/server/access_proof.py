"""Runs the state machine of access for thousands of examples, in parts with a seed each; resumes where it ended.

    python -m tests.server.access_proof [--examples 5000] [--steps 20] [--seed 1] [--state FILE]

A failure prints its seed and its steps, and ends the run with status 1: `--seed SEED --examples 50` repeats it.
"""

import argparse
import asyncio
import json
import sys
import traceback
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic

import pytest

from mdpublish_server.auth import passwords
from mdpublish_server.conversion.converter import Converter
from mdpublish_server.storage import migrate, sqlite
from tests.server.access_machine import run
from tests.server.access_visitors import Service
from tests.server.members import CHEAP_HASHER

PART = 50
"""Examples of one seed, which share a database."""


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Compare what visitors see with the table of the security model.")
    parser.add_argument("--examples", type=int, default=5_000)
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--state", type=Path, help="keeps what was done; by default nothing is stored")
    given = parser.parse_args(arguments)
    run_of = {"seed": given.seed, "steps": given.steps}
    with pytest.MonkeyPatch.context() as patch, TemporaryDirectory() as folder:
        # As in the tests: hashing, and syncing to the disk, are not what is proved.
        patch.setattr(passwords, "_HASHER", CHEAP_HASHER)
        patch.setattr(sqlite, "_PRAGMAS", tuple(each.replace("= FULL", "= OFF") for each in sqlite._PRAGMAS))
        patch.setattr("mdpublish_server.conversion.pool.MAX_WAIT_SECONDS", 600.0)
        migrated = Path(folder) / "migrated.db"
        migrate(f"sqlite:///{migrated}")
        converter = Converter(workers=1, demo_workers=1)
        asyncio.run(converter.start())
        try:
            for done in range(_done(given.state, run_of), given.examples, PART):
                number, began = min(PART, given.examples - done), monotonic()
                if not _holds(converter, migrated, seed=given.seed + done // PART, examples=number, steps=given.steps):
                    return 1
                print(f"{done + number:,} of {given.examples:,} examples hold, {monotonic() - began:.0f} s", flush=True)
                if given.state:
                    _write(given.state, {**run_of, "done": done + number})
        finally:
            converter.close()
    return 0


def _holds(converter: Converter, migrated: Path, *, seed: int, examples: int, steps: int) -> bool:
    with TemporaryDirectory() as folder:
        service = Service(converter, migrated, Path(folder))
        try:
            run(service, examples=examples, steps=steps, seed=seed)
        except Exception:  # noqa: BLE001  (whatever the machine finds)
            traceback.print_exc(file=sys.stdout)
            print(f"seed {seed} fails", flush=True)
            return False
        finally:
            service.close()
    return True


def _done(state: Path | None, run_of: dict[str, int]) -> int:
    """Return the examples that the same run has done before."""
    if state is None or not state.exists():
        return 0
    stored = json.loads(state.read_text())
    done: int = stored.pop("done")
    if stored != run_of:
        sys.exit(f"{state} is of another run: {stored}")
    return done


def _write(state: Path, values: dict[str, int]) -> None:
    new = state.with_suffix(".new")
    new.write_text(json.dumps(values))
    new.replace(state)


if __name__ == "__main__":
    sys.exit(main())
