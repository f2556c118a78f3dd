"""`mdpublish-server serve`."""

import os
import signal
import socket
import sys
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import click

from mdpublish_server.cli.setup import load_settings, warn_of_unknown_settings
from mdpublish_server.settings import Settings
from mdpublish_server.storage import migrate

if TYPE_CHECKING:
    from starlette.types import ASGIApp
    from uvicorn import Config

    from mdpublish_server.state import AppState

_GRACE_SECONDS = 8  # for pending requests at shutdown

_UNSENT_BYTES = 131_072  # that the kernel holds for a client; connections inherit it

_OTHER_FILES = 500  # of databases, worker processes and logs

_START_SECONDS = 60  # for one of several processes


@click.command()
@click.option("--host", metavar="HOST", help="Host name or IP address to listen on.  [default: MDPUBLISH_HOST]")
@click.option("--port", metavar="PORT", help="Port to listen on; 0 picks a free one.  [default: MDPUBLISH_PORT]")
@click.option("--sample", is_flag=True, help="Publish a sample page and print its URL.")
def serve(host: str | None, port: str | None, sample: bool) -> None:
    """Migrate the database and run the service until Ctrl-C or SIGTERM."""
    # Here: other commands need none of the core.
    from mdpublish_core.hosting.workers import hide_memory

    hide_memory()
    # uvicorn raises the signals again after its shutdown; exit with status 0.
    for stop_signal in (signal.SIGINT, signal.SIGTERM):
        signal.signal(stop_signal, lambda *_: sys.exit(0))
    overrides = {"MDPUBLISH_HOST": host, "MDPUBLISH_PORT": port}
    settings = load_settings(overrides)
    warn_of_unknown_settings()
    with _listening_socket(settings) as listener:
        # Port 0 has become a real one, which URLs contain.
        overrides["MDPUBLISH_PORT"] = str(listener.getsockname()[1])
        settings = load_settings(overrides)
        if settings.metrics_port is not None:
            _require_free(settings.metrics_port)
        migrate(settings.database_url)
        _allow_open_files(settings.max_connections + _OTHER_FILES)
        if settings.processes > 1:
            _run_many(settings, listener, overrides, sample=sample)
        else:
            _run(settings, listener, sample=sample)


def _listening_socket(settings: Settings) -> socket.socket:
    """Bind first, so that a port in use is reported at once."""
    endpoint = f"{settings.host} port {settings.port}"
    try:
        family, kind, protocol, _, socket_address = socket.getaddrinfo(
            settings.host, settings.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listener = socket.socket(family, kind, protocol)
        try:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if hasattr(socket, "TCP_NOTSENT_LOWAT"):
                # Else the kernel takes megabytes of a response, and a client's progress shows late.
                listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT, _UNSENT_BYTES)
            listener.bind(socket_address)
            listener.listen(2048)
        except OSError:
            listener.close()
            raise
    except OSError as error:
        raise click.ClickException(f"cannot listen on {endpoint}: {error.strerror}") from None
    except UnicodeError:
        raise click.ClickException(f"cannot listen on {endpoint}: invalid host name") from None
    return listener


def _allow_open_files(count: int) -> None:
    """Raise the soft limit of open files, often 1,024, as far as the hard limit allows."""
    if sys.platform == "win32":
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    allowed = count if hard == resource.RLIM_INFINITY else min(count, hard)
    if soft != resource.RLIM_INFINITY and soft < allowed:
        resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))


def _require_free(metrics_port: int) -> None:
    try:
        socket.create_server(("127.0.0.1", metrics_port)).close()
    except OSError as error:
        raise click.ClickException(
            f"cannot listen on 127.0.0.1 port {metrics_port} (MDPUBLISH_METRICS_PORT): {os.strerror(error.errno or 0)}"
        ) from None


def _run(settings: Settings, listener: socket.socket, *, sample: bool) -> None:
    """Serve in this process."""
    import uvicorn

    from mdpublish_server.app import make_app
    from mdpublish_server.state import AppState

    state = AppState(settings)

    class Server(uvicorn.Server):
        """Prints the URL once the service accepts requests."""

        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            click.echo(f"{settings.service_name} is at {settings.public_url}/")
            if sample:
                click.echo(f"sample page: {await _publish_sample(state)}")

    Server(_config(make_app(state), settings)).run(sockets=[listener])


def _run_many(settings: Settings, listener: socket.socket, overrides: dict[str, str | None], *, sample: bool) -> None:
    """Serve in several processes sharing the socket; uvicorn restarts those that die."""
    import asyncio

    from mdpublish_server.state import AppState

    if sys.platform == "win32":
        from uvicorn.supervisors import Multiprocess
    else:
        from mdpublish_server.cli.even_load import EvenProcesses as Multiprocess

    # The processes read their settings from the inherited environment.
    os.environ.update({name: value for name, value in overrides.items() if value is not None})

    async def publish() -> str:
        state = AppState(settings)
        try:
            return await _publish_sample(state)
        finally:
            await state.stop()

    class Processes(Multiprocess):
        """Prints the URL once every process accepts requests."""

        def init_processes(self) -> None:
            super().init_processes()
            if all(process.wait_until_ready(_START_SECONDS) for process in self.processes):
                click.echo(f"{settings.service_name} is at {settings.public_url}/")
                if sample:
                    click.echo(f"sample page: {asyncio.run(publish())}")

    config = _config("mdpublish_server.cli.serving:application", settings, factory=True, workers=settings.processes)
    processes = Processes(config, sockets=[listener])
    with _shared_metrics(settings, lambda: {each.pid for each in processes.processes if each.process.is_alive()}):
        processes.run()


@contextmanager
def _shared_metrics(settings: Settings, running: Callable[[], Collection[int | None]]) -> Iterator[None]:
    """Serve the sums of what the processes count, which inherit the environment."""
    from mdpublish_server.middleware.metrics import SHARED_FOLDER, MetricsServer, SharedCollector

    if settings.metrics_port is None:
        yield
        return
    with TemporaryDirectory(prefix="mdpublish-metrics-") as folder:
        os.environ[SHARED_FOLDER] = folder
        server = MetricsServer(SharedCollector(Path(folder), running=running), port=settings.metrics_port)
        server.start()
        try:
            yield
        finally:
            server.stop()


def application() -> "ASGIApp":
    """Return the application of one process, which exits with its parent."""
    from multiprocessing import parent_process
    from threading import Thread

    from mdpublish_core.hosting.workers import hide_memory
    from mdpublish_server.app import create_app

    hide_memory()
    parent = parent_process()
    assert parent is not None, "the processes are started by one of their own"

    def stop_with_parent() -> None:
        parent.join()
        signal.raise_signal(signal.SIGTERM)

    Thread(target=stop_with_parent, name="mdpublish-follow", daemon=True).start()
    return create_app(load_settings())


def _config(app: Any, settings: Settings, **options: Any) -> "Config":
    import uvicorn

    from mdpublish_server.middleware import Connections, NetworkLimit, TrustedProxies, log_config
    from mdpublish_server.middleware.protocol import BoundedHttpProtocol

    # Each of several processes counts its own.
    networks = NetworkLimit(settings.network_connections, TrustedProxies(settings.trusted_proxies))
    connections = Connections(settings.max_connections, networks)
    protocol = partial(BoundedHttpProtocol, connections=connections, free_rate=settings.free.rate_limit)
    return uvicorn.Config(
        app,
        http=protocol,  # type: ignore[arg-type]  # a factory does too
        lifespan="on",
        log_config=log_config(),
        access_log=False,  # replaced by `middleware.access_log`
        proxy_headers=False,  # replaced by `middleware.trusted_proxies`
        server_header=False,
        timeout_graceful_shutdown=_GRACE_SECONDS,
        ws="none",
        **options,
    )


async def _publish_sample(state: "AppState") -> str:
    from importlib.resources import files

    from mdpublish_server.errors import ServiceUnavailable
    from mdpublish_server.models import DemoCreate

    content = (files("mdpublish_server") / "sample.md").read_text("utf-8")
    try:
        demo = await state.demos.publish(DemoCreate(content=content, title=""), client_id="sample")
    except ServiceUnavailable as error:
        return f"none. {error.message}"
    return demo.url
