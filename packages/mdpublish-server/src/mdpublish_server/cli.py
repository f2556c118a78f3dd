"""The `mdpublish-server` command: starts the service, and prepares its database.

An operator's mistake (a wrong setting, a port in use, a database that cannot be opened) ends in one line on standard
error and exit status 1, never in a traceback. Modules that take long to load are loaded by the commands that need them.
"""

import signal
import socket
import sys
from typing import TYPE_CHECKING, Any

import click

from mdpublish_server import __version__
from mdpublish_server.settings import InvalidSetting, Settings, read_settings

if TYPE_CHECKING:
    from starlette.applications import Starlette

# Seconds that requests under way get when the service is told to stop.
_GRACE_SECONDS = 5


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="mdpublish-server")
def main() -> None:
    """Convert Markdown over HTTP and publish it to web pages.

    Settings are read from the environment: the variables MDPUBLISH_….
    """


@main.command()
@click.option("--host", metavar="HOST", help="Name or address to listen on.  [default: MDPUBLISH_HOST]")
@click.option("--port", metavar="PORT", help="Port to listen on; 0 is any free one.  [default: MDPUBLISH_PORT]")
@click.option("--sample", is_flag=True, help="Publish a sample page first, and print its address.")
def serve(host: str | None, port: str | None, sample: bool) -> None:
    """Prepare the database and run the service until it is told to stop (Ctrl-C)."""
    # From here on, being told to stop is no failure; uvicorn raises the signal again when it has stopped.
    for told_to_stop in (signal.SIGINT, signal.SIGTERM):
        signal.signal(told_to_stop, lambda *_: sys.exit(0))
    overrides = {"MDPUBLISH_HOST": host, "MDPUBLISH_PORT": port}
    settings = _settings(overrides)
    with _listening_socket(settings) as listener:
        # The port that the addresses name is the one that was taken.
        settings = _settings({**overrides, "MDPUBLISH_PORT": str(listener.getsockname()[1])})
        _migrate(settings)
        _run(settings, listener, sample=sample)


@main.command()
def migrate() -> None:
    """Prepare the database, or bring it up to date; `serve` does so by itself."""
    settings = _settings({})
    _migrate(settings)
    click.echo(f"{settings.database_url} is up to date")


def _settings(overrides: dict[str, str | None]) -> Settings:
    import os

    given = {name: value for name, value in overrides.items() if value is not None}
    try:
        return read_settings({**os.environ, **given})
    except InvalidSetting as error:
        raise click.ClickException(str(error)) from None


def _listening_socket(settings: Settings) -> socket.socket:
    """Return a socket that listens; who finds its address taken learns so before anything else is done."""
    place = f"{settings.host} port {settings.port}"
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            settings.host, settings.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listener = socket.socket(family, kind, protocol)
        try:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(address)
            listener.listen()
        except OSError:
            listener.close()
            raise
    except OSError as error:
        raise click.ClickException(f"cannot listen on {place}: {error.strerror}") from None
    except UnicodeError:
        raise click.ClickException(f"cannot listen on {place}: this is not a host name") from None
    return listener


def _migrate(settings: Settings) -> None:
    from mdpublish_server.storage import MigrationFailure
    from mdpublish_server.storage import migrate as migrate_database

    try:
        migrate_database(settings.database_url)
    except MigrationFailure as failure:
        raise click.ClickException(str(failure)) from None


def _run(settings: Settings, listener: socket.socket, *, sample: bool) -> None:
    """Serve until told to stop. The server's class stands in here, since uvicorn is loaded no earlier."""
    import uvicorn

    from mdpublish_server.app import create_app

    app = create_app(settings)

    class Server(uvicorn.Server):
        """Says where the service is, once it really is there."""

        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            click.echo(f"{settings.service_name} is at {settings.public_url}/")
            if sample:
                click.echo(f"sample page: {await _publish_sample(app)}")

    config = uvicorn.Config(
        app,
        lifespan="on",
        log_config=_log_config(),
        proxy_headers=False,  # nothing that a client says of itself is believed
        server_header=False,
        timeout_graceful_shutdown=_GRACE_SECONDS,
        ws="none",
    )
    Server(config).run(sockets=[listener])


async def _publish_sample(app: "Starlette") -> str:
    """Publish the package's sample text and return the page's address."""
    from importlib.resources import files

    from mdpublish_server.publishing import Draft, Publisher

    publisher: Publisher = app.state.publisher
    content = (files("mdpublish_server") / "sample.md").read_text("utf-8")
    publication = await publisher.publish_demo(
        Draft(content=content, title=None, template_id="swiss", theme_mode="light")
    )
    return publication.url


def _log_config() -> dict[str, Any]:
    """Return uvicorn's logging with every access and every warning, without its words about starting and stopping."""
    from copy import deepcopy

    from uvicorn.config import LOGGING_CONFIG

    config: dict[str, Any] = deepcopy(LOGGING_CONFIG)
    config["loggers"]["uvicorn"]["level"] = "WARNING"
    config["loggers"]["uvicorn.error"]["level"] = "WARNING"
    config["loggers"]["mdpublish_server"] = {"handlers": ["default"], "level": "INFO", "propagate": False}
    return config
