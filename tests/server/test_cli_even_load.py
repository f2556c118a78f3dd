"""A process that replaces another takes its place among those that count connections."""

from multiprocessing import get_context
from typing import Any

import uvicorn

from mdpublish_server.cli.even_load import _EvenProcess

PLACES = 10


def started(config: uvicorn.Config) -> tuple[int, _EvenProcess]:
    process = _EvenProcess(config, [])
    process.process.is_alive = lambda: True  # type: ignore[method-assign]
    return config.place, process  # type: ignore[attr-defined]


def test_place_of_a_process_that_ended_is_free() -> None:
    config: Any = uvicorn.Config("no:app", workers=2)
    config.shares = get_context("spawn").RawArray("q", 2 * PLACES)
    places: dict[int, _EvenProcess] = {}
    for _ in range(3 * PLACES):
        place, process = started(config)
        assert place not in places
        places[place] = process
        if len(places) == 2:
            ended = places.pop(min(places))
            ended.process.is_alive = lambda: False  # type: ignore[method-assign]
    assert all(0 <= place < 2 * PLACES for place in places)
