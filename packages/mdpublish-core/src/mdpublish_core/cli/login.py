"""The `login` command."""

import click

from mdpublish_core.cli.command import Command
from mdpublish_core.cli.console import library_errors
from mdpublish_core.cli.options import table_options
from mdpublish_core.cli.service_keys import keep_key, keep_secret, service_and_key


@click.command(cls=Command)
@table_options("service")
@table_options("login")
def login(*, service_url: str | None, api_key: str | None, smtp_url: str | None) -> None:
    """Keep the API key of an account, in the system's keyring or in a file.

    You make keys in your account on the service's site. The key is tried before it is kept.
    """
    if smtp_url:
        _keep_password(smtp_url)
        return
    service_url, _ = service_and_key(service_url)
    key = (api_key or click.prompt("API key", hide_input=True, err=True)).strip()
    with library_errors():
        from mdpublish_core.client import Client

        with Client(service_url, api_key=key) as client:
            usage = client.get_usage()
    place = keep_key(service_url, key)
    click.echo(f"{service_url}: plan {usage.tier}, {usage.remaining:,} requests left this month; key kept in {place}")


def _keep_password(url: str) -> None:
    from dataclasses import replace
    from smtplib import SMTPException

    from mdpublish_core.mail.server import open_smtp, parse_smtp_url

    try:
        server = parse_smtp_url(url)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    if server.user is None or server.password:
        raise click.UsageError(f"the URL needs a user, and no password, which is asked for: smtp://user@{server.host}")
    password = click.prompt("Password", hide_input=True, err=True)
    try:
        open_smtp(replace(server, password=password), name="localhost", timeout=60).quit()
    except (SMTPException, OSError) as error:
        raise click.ClickException(f"cannot sign in at {server.host}:{server.port}: {error}") from None
    click.echo(f"{server.user} at {server.host}: password kept in {keep_secret(url, password)}")
