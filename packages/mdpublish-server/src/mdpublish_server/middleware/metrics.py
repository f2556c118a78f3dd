"""Prometheus metrics with bounded label values, and the server that exposes them on 127.0.0.1."""

from collections.abc import Callable
from time import perf_counter
from typing import TYPE_CHECKING

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, start_http_server
from starlette.types import ASGIApp, Message, Receive, Scope, Send

if TYPE_CHECKING:
    from threading import Thread
    from wsgiref.simple_server import WSGIServer

UNMATCHED = "unmatched"

_METHODS = frozenset({"DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"})

# Seconds: a cached page takes 1 to 2 ms, a conversion up to 5 s.
_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class Metrics:
    """Counters and histograms of one application. Thread-safe."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        self._requests = Counter(
            "mdpublish_requests",
            "Requests completed.",
            ("route", "method", "status"),
            registry=self.registry,
        )
        self._request_seconds = Histogram(
            "mdpublish_request_seconds",
            "Seconds from a request's headers to the end of its response.",
            ("route",),
            buckets=_BUCKETS,
            registry=self.registry,
        )
        self._conversions = Counter(
            "mdpublish_conversions",
            "Conversions and renderings completed.",
            ("kind", "outcome"),
            registry=self.registry,
        )
        self._conversion_seconds = Histogram(
            "mdpublish_conversion_seconds",
            "Seconds of a conversion or rendering, including the wait for a worker.",
            ("kind",),
            buckets=_BUCKETS,
            registry=self.registry,
        )
        self._conversion_cpu_seconds = Histogram(
            "mdpublish_conversion_cpu_seconds",
            "CPU seconds of a conversion or rendering, figures included.",
            ("kind",),
            buckets=_BUCKETS,
            registry=self.registry,
        )
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

    def add_gauge(self, name: str, meaning: str, *, read: Callable[[], float]) -> None:
        """Expose `read()`, called in a thread; raise `ValueError` if the name is taken."""
        Gauge(name, meaning, registry=self.registry).set_function(read)


class RequestMetrics:
    """Counter of requests, also those in progress."""

    def __init__(self, app: ASGIApp, *, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics
        self._under_way = 0
        metrics.add_gauge("mdpublish_requests_under_way", "Requests in progress.", read=lambda: self._under_way)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
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


class MetricsServer:
    """Server of `http://127.0.0.1:port/metrics` in a thread; one port per process."""

    def __init__(self, metrics: Metrics, *, port: int) -> None:
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
