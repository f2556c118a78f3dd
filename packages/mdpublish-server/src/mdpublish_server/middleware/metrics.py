"""Prometheus metrics with bounded label values, and the server that exposes them on 127.0.0.1.

Several processes count in files of a shared folder, mapped into memory; their supervisor sums them.
"""

import os
from collections.abc import Callable, Collection, Iterator
from functools import partial
from pathlib import Path
from threading import Event, Thread
from time import perf_counter
from typing import TYPE_CHECKING

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, start_http_server
from prometheus_client.metrics_core import Metric
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead
from starlette.types import ASGIApp, Message, Receive, Scope, Send

if TYPE_CHECKING:
    from wsgiref.simple_server import WSGIServer

SHARED_FOLDER = "PROMETHEUS_MULTIPROC_DIR"
"""The environment variable by which prometheus_client shares what it counts, read when it is imported."""

GAUGE_SECONDS = 1.0
"""Age of a shared gauge."""

UNMATCHED = "unmatched"

_METHODS = frozenset({"DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"})

# Seconds: a cached page takes 1 to 2 ms, a conversion up to 5 s.
_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class Metrics:
    """Counters and histograms of one application. Thread-safe."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._gauges: list[tuple[Gauge, Callable[[], float]]] = []
        self._is_shared = SHARED_FOLDER in os.environ
        if not self._is_shared:
            ProcessCollector(registry=self.registry)
        counter = partial(Counter, registry=self.registry)
        histogram = partial(Histogram, buckets=_BUCKETS, registry=self.registry)
        self._requests = counter("mdpublish_requests", "Requests completed.", ("route", "method", "status"))
        self._request_seconds = histogram(
            "mdpublish_request_seconds", "Seconds from a request's headers to the end of its response.", ("route",)
        )
        self._conversions = counter(
            "mdpublish_conversions", "Conversions and renderings completed.", ("kind", "outcome")
        )
        self._conversion_seconds = histogram(
            "mdpublish_conversion_seconds",
            "Seconds of a conversion or rendering, including the wait for a worker.",
            ("kind",),
        )
        self._conversion_cpu_seconds = histogram(
            "mdpublish_conversion_cpu_seconds", "CPU seconds of a conversion or rendering, figures included.", ("kind",)
        )
        self._images = counter(
            "mdpublish_images",
            "Uploads of images that were stored or refused, and those and files that the store failed.",
            ("outcome",),
        )
        self._image_bytes = counter("mdpublish_image_bytes", "Bytes of images stored.")
        # Looking up a child by its labels takes longer than counting.
        self._counters: dict[tuple[str, str, int], Counter] = {}
        self._histograms: dict[str, Histogram] = {}

    def count_request(self, route: str, *, method: str, status: int, seconds: float) -> None:
        if method not in _METHODS:
            method = "other"
        key = (route, method, status // 100)
        counter = self._counters.get(key)
        if counter is None:
            counter = self._counters[key] = self._requests.labels(route, method, f"{status // 100}xx")
        counter.inc()
        histogram = self._histograms.get(route)
        if histogram is None:
            histogram = self._histograms[route] = self._request_seconds.labels(route)
        histogram.observe(seconds)

    def count_conversion(self, kind: str, outcome: str, seconds: float, cpu_seconds: float) -> None:
        """Count a conversion; `kind` and `outcome` must be constants, never input."""
        self._conversions.labels(kind, outcome).inc()
        self._conversion_seconds.labels(kind).observe(seconds)
        self._conversion_cpu_seconds.labels(kind).observe(cpu_seconds)

    def count_image(self, outcome: str, size: int) -> None:
        """Count an image and its bytes; `outcome` must be a constant, never input."""
        self._images.labels(outcome).inc()
        self._image_bytes.inc(size)

    def add_gauge(self, name: str, meaning: str, *, read: Callable[[], float]) -> None:
        """Expose `read()`, called in a thread; raise `ValueError` if the name is taken."""
        gauge = Gauge(name, meaning, registry=self.registry, multiprocess_mode="livesum")
        if self._is_shared:
            self._gauges.append((gauge, read))
        else:
            gauge.set_function(read)

    def share_gauges(self) -> None:
        for gauge, read in self._gauges:
            gauge.set(read())


class RequestMetrics:
    """Counter of requests, also those in progress."""

    def __init__(self, app: ASGIApp, *, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics
        self._under_way = 0
        metrics.add_gauge("mdpublish_requests_under_way", "Requests in progress.", read=lambda: self._under_way)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        began = perf_counter()
        status = 500  # uvicorn's response if the application sends none

        async def send_watched(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        self._under_way += 1
        try:
            await self._app(scope, receive, send_watched)
        finally:
            self._under_way -= 1
            route: str = getattr(scope.get("route"), "path", UNMATCHED)
            seconds = perf_counter() - began
            self._metrics.count_request(route, method=scope["method"], status=status, seconds=seconds)


class SharedGauges:
    """Shares the gauges of one of several processes."""

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics
        self._stopped = Event()
        self._thread = Thread(target=self._share, name="mdpublish-gauges", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stopped.set()
        self._thread.join()

    def _share(self) -> None:
        while not self._stopped.wait(GAUGE_SECONDS):
            self._metrics.share_gauges()


class SharedCollector(MultiProcessCollector):
    """Sums of all processes: counters also of those that have ended, gauges of those `running`, by process id."""

    def __init__(self, folder: Path, *, running: Callable[[], Collection[int | None]]) -> None:
        self._folder = folder
        self._running = running
        self.registry = CollectorRegistry()
        super().__init__(self.registry, str(folder))  # type: ignore[no-untyped-call]

    def collect(self) -> Iterator[Metric]:
        running = self._running()
        for file in self._folder.glob("gauge_live*.db"):
            process_id = int(file.stem.rpartition("_")[2])
            if process_id not in running:
                mark_process_dead(process_id, str(self._folder))  # type: ignore[no-untyped-call]
        yield from super().collect()  # type: ignore[no-untyped-call]
        yield from _process_metrics(running)


def _process_metrics(process_ids: Collection[int | None]) -> Iterator[Metric]:
    """Yield what `ProcessCollector` says of each process, with a label for its id."""
    families: dict[str, Metric] = {}
    for process_id in process_ids:
        for family in ProcessCollector(pid=partial(str, process_id), registry=None).collect():
            labeled = [each._replace(labels={**each.labels, "pid": str(process_id)}) for each in family.samples]
            families.setdefault(family.name, Metric(family.name, family.documentation, family.type)).samples += labeled
    yield from families.values()


class MetricsServer:
    """Server of `http://127.0.0.1:port/metrics` in a thread."""

    def __init__(self, metrics: Metrics | SharedCollector, *, port: int) -> None:
        self._metrics = metrics
        self._requested_port = port
        self._running: tuple[WSGIServer, Thread] | None = None

    @property
    def port(self) -> int:
        return self._running[0].server_port if self._running else self._requested_port

    def start(self) -> None:
        """Listen; raise `OSError` if the port is taken."""
        assert self._running is None
        self._running = start_http_server(self._requested_port, addr="127.0.0.1", registry=self._metrics.registry)

    def stop(self) -> None:
        """Stop listening, which blocks for up to 0.5 s."""
        if self._running is None:
            return
        server, thread = self._running
        self._running = None
        server.shutdown()
        server.server_close()
        thread.join()
