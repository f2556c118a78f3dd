"""The `login` command."""

import click

from mdpublish_core.cli.command import Command
from mdpublish_core.cli.console import library_errors
from mdpublish_core.cli.service_keys import keep_key, service_and_key, service_option


@click.command(
    cls=Command, examples=[("login --service https://mdpublish.example.org", "Keep an API key for a service.")]
)
@service_option
@click.option("--key", "api_key", metavar="KEY", help="API key.  [default: asked for, or read from standard input]")
def login(*, service_url: str | None, api_key: str | None) -> None:
    """Keep the API key of an account, in the system's keyring or in a file.

    You make keys in your account on the service's site. The key is tried before it is kept.
    """
    service_url, _ = service_and_key(service_url)
    key = (api_key or click.prompt("API key", hide_input=True, err=True)).strip()
    with library_errors():
        from mdpublish_core.client import Client

        with Client(service_url, api_key=key) as client:
            usage = client.get_usage()
    place = keep_key(service_url, key)
    click.echo(f"{service_url}: plan {usage.tier}, {usage.remaining:,} requests left this month; key kept in {place}")
