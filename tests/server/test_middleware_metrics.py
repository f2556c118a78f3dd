import re
import socket
from collections.abc import AsyncIterator, Iterator

import anyio
import httpx
import pytest
from anyio import to_thread
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from mdpublish_server.middleware.metrics import Metrics, MetricsServer, RequestMetrics

pytestmark = pytest.mark.anyio


async def _hello(request: Request) -> Response:
    return PlainTextResponse("hello", int(request.query_params.get("status", "200")))


async def _crash(_request: Request) -> Response:
    raise RuntimeError


@pytest.fixture
def metrics() -> Metrics:
    return Metrics()


@pytest.fixture
async def waiting() -> AsyncIterator[anyio.Event]:
    event = anyio.Event()
    yield event
    event.set()


@pytest.fixture
def client(metrics: Metrics, waiting: anyio.Event) -> httpx.AsyncClient:
    async def wait(_request: Request) -> Response:
        await waiting.wait()
        return PlainTextResponse("done")

    routes = [
        Route("/v1/documents/{id}", _hello, methods=["GET", "PATCH"]),
        Route("/crash", _crash),
        Route("/wait", wait),
    ]
    app = RequestMetrics(Starlette(routes=routes), metrics=metrics)
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    return httpx.AsyncClient(transport=transport, base_url="http://service.test")


def value(metrics: Metrics, name: str, **labels: str) -> float | None:
    return metrics.registry.get_sample_value(name, labels)


def requests(metrics: Metrics, route: str, method: str, status: str) -> float | None:
    return value(metrics, "mdpublish_requests_total", route=route, method=method, status=status)


async def test_requests_are_counted_by_route_method_and_status(client: httpx.AsyncClient, metrics: Metrics) -> None:
    for document in ("a", "b", "c"):
        await client.get(f"/v1/documents/{document}")
    await client.patch("/v1/documents/a?status=404")
    await client.get("/crash")

    assert requests(metrics, "/v1/documents/{id}", "GET", "2xx") == 3
    assert requests(metrics, "/v1/documents/{id}", "PATCH", "4xx") == 1
    assert requests(metrics, "/crash", "GET", "5xx") == 1
    assert value(metrics, "mdpublish_request_seconds_count", route="/v1/documents/{id}") == 4
    total = value(metrics, "mdpublish_request_seconds_sum", route="/v1/documents/{id}")
    assert total is not None
    assert 0 < total < 60


async def test_clients_cannot_make_up_labels(client: httpx.AsyncClient, metrics: Metrics) -> None:
    for n in range(50):
        await client.request(f"X{n}", f"/nosuch/{n}")
        await client.request(f"X{n}", f"/v1/documents/{n}")

    assert requests(metrics, "unmatched", "other", "4xx") == 50
    assert requests(metrics, "/v1/documents/{id}", "other", "4xx") == 50
    (family,) = [each for each in metrics.registry.collect() if each.name == "mdpublish_requests"]
    assert len([sample for sample in family.samples if sample.name == "mdpublish_requests_total"]) == 2


async def test_requests_under_way_are_reported(
    client: httpx.AsyncClient, metrics: Metrics, waiting: anyio.Event
) -> None:
    async with anyio.create_task_group() as tasks:
        for _ in range(3):
            tasks.start_soon(client.get, "/wait")
        await anyio.wait_all_tasks_blocked()
        assert value(metrics, "mdpublish_requests_under_way") == 3
        waiting.set()
    assert value(metrics, "mdpublish_requests_under_way") == 0


async def test_crash_is_no_request_under_way(client: httpx.AsyncClient, metrics: Metrics) -> None:
    await client.get("/crash")
    assert value(metrics, "mdpublish_requests_under_way") == 0


async def test_applications_do_not_share_their_counts() -> None:
    one, other = Metrics(), Metrics()
    one.count_conversion("convert", "done", 0.2, 0.1)
    assert value(one, "mdpublish_conversions_total", kind="convert", outcome="done") == 1
    assert value(one, "mdpublish_conversion_seconds_sum", kind="convert") == 0.2
    assert value(other, "mdpublish_conversions_total", kind="convert", outcome="done") is None


async def test_gauge_reports_what_is_so_now(metrics: Metrics) -> None:
    queue: list[int] = []
    metrics.add_gauge("mdpublish_queue_length", "Conversions that wait.", read=lambda: len(queue))
    assert value(metrics, "mdpublish_queue_length") == 0
    queue.extend([1, 2])
    assert value(metrics, "mdpublish_queue_length") == 2
    with pytest.raises(ValueError, match="mdpublish_queue_length"):
        metrics.add_gauge("mdpublish_queue_length", "Once more.", read=lambda: 0)


@pytest.fixture
def server(metrics: Metrics) -> Iterator[MetricsServer]:
    server = MetricsServer(metrics, port=0)
    server.start()
    yield server
    server.stop()


async def test_metrics_are_served(metrics: Metrics, server: MetricsServer) -> None:
    metrics.count_request("/v1/usage", method="GET", status=200, seconds=0.003)
    async with httpx.AsyncClient() as client:
        response = await client.get(f"http://127.0.0.1:{server.port}/metrics")
    assert response.status_code == 200
    assert 'mdpublish_requests_total{method="GET",route="/v1/usage",status="2xx"} 1.0\n' in response.text
    assert 'mdpublish_request_seconds_bucket{le="0.005",route="/v1/usage"} 1.0\n' in response.text
    assert re.search(r"^process_resident_memory_bytes \d", response.text, re.MULTILINE)


async def test_metrics_are_served_on_this_computer_only(server: MetricsServer) -> None:
    assert server._running
    assert server._running[0].server_address[0] == "127.0.0.1"
    # The server does not listen on other loopback addresses.
    with pytest.raises(ConnectionRefusedError), socket.create_connection(("127.0.0.2", server.port), timeout=5):
        pass


async def test_port_is_free_when_the_server_has_stopped(metrics: Metrics, server: MetricsServer) -> None:
    port = server.port
    async with httpx.AsyncClient() as client:
        await client.get(f"http://127.0.0.1:{port}/metrics")
    await to_thread.run_sync(server.stop)
    server.stop()

    second = MetricsServer(metrics, port=port)
    second.start()
    second.stop()


async def test_port_in_use_is_reported(metrics: Metrics, server: MetricsServer) -> None:
    second = MetricsServer(metrics, port=server.port)
    with pytest.raises(OSError, match="in use"):
        second.start()
    second.stop()
