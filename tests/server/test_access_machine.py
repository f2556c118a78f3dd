"""The state machine of access, for random sequences of what owners, readers, apps and strangers do."""

from functools import partial
from itertools import count
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from mdpublish_server.conversion import Converter
from tests.server.access_machine import Access


def run(converter: Converter, migrated: Path, folder: Path, *, examples: int, steps: int) -> None:
    numbers = count()

    def context() -> tuple[Converter, Path, Path]:
        (example := folder / str(next(numbers))).mkdir()
        return converter, migrated, example

    chosen = settings(
        max_examples=examples,
        stateful_step_count=steps,
        deadline=None,
        # A failing sequence is short enough to read.
        phases=(Phase.explicit, Phase.reuse, Phase.generate),
        suppress_health_check=list(HealthCheck),
    )
    run_state_machine_as_test(partial(Access, context), settings=chosen)  # type: ignore[arg-type]


def test_visitors_see_what_is_for_them_after_every_step(
    converter: Converter, migrated_sqlite: Path, tmp_path: Path
) -> None:
    run(converter, migrated_sqlite, tmp_path, examples=20, steps=8)


@pytest.mark.nightly
def test_visitors_see_what_is_for_them_after_many_steps(
    converter: Converter, migrated_sqlite: Path, tmp_path: Path
) -> None:
    run(converter, migrated_sqlite, tmp_path, examples=200, steps=20)
