"""Processes that share a socket: who takes a connection, and whose slot a new one takes."""

import asyncio
import os
import socket
from multiprocessing import get_context
from typing import Any

import pytest
import uvicorn

from mdpublish_server.cli.even_load import EvenServer, _EvenProcess

SLOTS = 10


def started(config: uvicorn.Config) -> tuple[int, _EvenProcess]:
    process = _EvenProcess(config, [])
    process.process.is_alive = lambda: True  # type: ignore[method-assign]
    return config.slot, process  # type: ignore[attr-defined]


def test_slot_of_a_process_that_ended_is_free() -> None:
    config: Any = uvicorn.Config("no:app", workers=2)
    config.shares = get_context("spawn").RawArray("q", 2 * SLOTS)
    slots: dict[int, _EvenProcess] = {}
    for _ in range(3 * SLOTS):
        slot, process = started(config)
        assert slot not in slots
        slots[slot] = process
        if len(slots) == 2:
            ended = slots.pop(min(slots))
            ended.process.is_alive = lambda: False  # type: ignore[method-assign]
    assert all(0 <= slot < 2 * SLOTS for slot in slots)


@pytest.mark.anyio
@pytest.mark.parametrize(("count", "others", "is_taken"), [(0, [0], True), (2, [2, 3], True), (2, [1, 3], False)])
async def test_connection_is_taken_by_a_process_with_no_more_than_another(
    count: int, others: list[int], is_taken: bool
) -> None:
    config: Any = uvicorn.Config("no:app")
    config.slot, config.shares = 0, [os.getpid(), 0]
    for each in others:
        config.shares += [os.getpid(), each]
    server = EvenServer(config)
    server._loop, server._arriving = asyncio.get_running_loop(), set()
    server._protocol = asyncio.Protocol  # type: ignore[method-assign]
    server.server_state.connections = {object() for _ in range(count)}  # type: ignore[misc]
    with socket.create_server(("127.0.0.1", 0)) as server._listener:
        server._listener.settimeout(0)
        with socket.create_connection(server._listener.getsockname()):
            server._decide()
            # Nor does it come back, when the others had their time.
            server.should_exit = True
            assert len(server._arriving) == is_taken
            assert config.shares[1::2] == [count + is_taken, *others]
            await asyncio.gather(*server._arriving)
