"""The counted run goes on after failures and interruptions, and counts no less than what was taken."""

import gc
import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.fuzz.bounded import FACTORS, WORK
from tests.fuzz.counted import ResidentMemory, run


@pytest.fixture(autouse=True)
def _collector() -> Iterator[None]:
    yield
    gc.unfreeze()


def test_run_prints_the_seed_of_each_failure_tries_it_again_and_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    seeds: list[int] = []

    def work(seed: int) -> tuple[int, Callable[[], object]]:
        seeds.append(seed)
        return 1, lambda: 1 // (seed % 2)

    monkeypatch.setattr("tests.fuzz.bounded.WORK", {**WORK, "division": work})
    monkeypatch.setattr("tests.fuzz.bounded.FACTORS", {**FACTORS, "division": 1_000_000_000})
    state = tmp_path / "state.json"

    assert run(state, ["division"], 2) == 1
    assert run(state, ["division"], 5) == 3

    assert seeds == [0, 1, 0, 2, 3, 4]
    assert list(json.loads(state.read_text())["division"]["failures"]) == ["0", "2", "4"]
    assert "division 4: " in capsys.readouterr().out


def test_no_less_is_counted_than_what_was_taken() -> None:
    memory, size = ResidentMemory(), 30_000_000

    assert memory.peak_bytes(lambda: b"x" * size) >= size
