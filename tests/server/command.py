"""`mdpublish-server`, run in the test process."""

import os
import tempfile
from collections.abc import Callable

from click.testing import CliRunner, Result

from mdpublish_server.cli import main

Run = Callable[..., Result]


def runner(variables: dict[str, str]) -> Run:
    """Return a function that runs the command: `run("account", "list")`. `given` is its standard input.

    By default, images of PostgreSQL's services are in no folder of the repository.
    """
    variables = {**images_of(variables.get("MDPUBLISH_DATABASE_URL", "")), **variables}

    def run(*arguments: str, given: str = "", **others: str) -> Result:
        result = CliRunner().invoke(
            main, arguments, input=given, env={**variables, **others}, prog_name="mdpublish-server"
        )
        # Errors are messages, never tracebacks.
        assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
        return result

    return run


def images_of(database_url: str) -> dict[str, str]:
    """Return the setting of a temporary image store for PostgreSQL, which has no folder beside it."""
    if not database_url.startswith("postgresql:"):
        return {}
    return {"MDPUBLISH_IMAGE_STORE": f"{tempfile.gettempdir()}/mdpublish-tests-{os.getpid()}.images"}


def refusal(result: Result) -> str:
    """Return the error message."""
    assert result.exit_code in (1, 2), (result.exit_code, result.output)
    assert result.stdout == ""
    *usage, line = result.stderr.splitlines()
    # click prints its usage before the message for a wrong argument.
    assert not usage or usage[0].startswith("Usage: "), result.stderr
    assert line.startswith("Error: "), result.stderr
    return line.removeprefix("Error: ")
