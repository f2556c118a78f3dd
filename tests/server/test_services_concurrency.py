"""Work shared by concurrent requests."""

import asyncio

import pytest

from mdpublish_server.services.concurrency import SingleFlight

pytestmark = pytest.mark.anyio


class Computation:
    """Counts its runs, which wait for `result`."""

    def __init__(self) -> None:
        self.runs = 0
        self.started = asyncio.Event()
        self.result: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    async def __call__(self) -> str:
        self.runs += 1
        self.started.set()
        return await self.result


async def start_requests(flights: SingleFlight[str, str], computation: Computation) -> list[asyncio.Task[str]]:
    requests = [asyncio.create_task(flights.run("a", computation)) for _ in range(30)]
    await computation.started.wait()
    return requests


async def test_concurrent_requests_share_a_computation() -> None:
    flights: SingleFlight[str, str] = SingleFlight()
    computation = Computation()
    requests = await start_requests(flights, computation)
    computation.result.set_result("b")

    assert await asyncio.gather(*requests) == ["b"] * 30
    assert computation.runs == 1


async def test_later_request_computes_again() -> None:
    flights: SingleFlight[str, str] = SingleFlight()
    computation = Computation()
    computation.result.set_result("b")

    assert [await flights.run("a", computation) for _ in range(3)] == ["b"] * 3
    assert computation.runs == 3


async def test_cancelled_request_does_not_cancel_the_others() -> None:
    flights: SingleFlight[str, str] = SingleFlight()
    computation = Computation()
    first, *others = await start_requests(flights, computation)
    first.cancel()
    await asyncio.wait([first])
    computation.result.set_result("b")

    assert first.cancelled()
    assert await asyncio.gather(*others) == ["b"] * 29


async def test_computation_that_nobody_waits_for_goes_on() -> None:
    flights: SingleFlight[str, str] = SingleFlight()
    computation = Computation()
    requests = await start_requests(flights, computation)
    for request in requests:
        request.cancel()
    await asyncio.wait(requests)
    joined = asyncio.create_task(flights.run("a", computation))
    await asyncio.sleep(0)
    computation.result.set_result("b")

    assert await joined == "b"
    assert computation.runs == 1


async def test_error_is_shared_and_not_kept() -> None:
    flights: SingleFlight[str, str] = SingleFlight()
    computation = Computation()
    requests = await start_requests(flights, computation)
    computation.result.set_exception(ValueError("b"))

    outcomes = await asyncio.gather(*requests, return_exceptions=True)

    assert {repr(outcome) for outcome in outcomes} == {"ValueError('b')"}
    assert computation.runs == 1
    with pytest.raises(ValueError, match="b"):
        await flights.run("a", computation)
    assert computation.runs == 2
