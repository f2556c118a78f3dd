"""Runs a system's own program that keeps the clipboard, and puts its complaint into words of ours."""

import subprocess
from collections.abc import Sequence
from tempfile import TemporaryFile

import click

TIMEOUT_SECONDS = 10
"""For a program to take what it is given: far less in practice, but it may wait for a desktop that does not answer."""

_MAX_STDERR_BYTES = 500
"""Of what a program complains, this much is passed on."""


def run_with_input(command: Sequence[str], content: bytes, *, seconds: float = TIMEOUT_SECONDS) -> None:
    """Run a program with `content` on its standard input; raises `ClickException` where it fails.

    In X11 and in Wayland, such a program leaves a process behind that answers whoever pastes, and that keeps what it
    inherited open: its output must be no pipe of ours, or we would wait for it until something else is copied. In a
    session of its own, it outlives the terminal.
    """
    program = command[0]
    with TemporaryFile() as stderr:
        try:
            completed = subprocess.run(  # noqa: S603  (a fixed command, and no shell)
                command,
                input=content,
                stdout=subprocess.DEVNULL,
                stderr=stderr,
                timeout=seconds,
                check=False,
                start_new_session=True,
            )
        except subprocess.TimeoutExpired:
            timeout_message = f"nothing was copied: {program} did not answer within {seconds} seconds"
            raise click.ClickException(timeout_message) from None
        except OSError as error:
            raise click.ClickException(f"nothing was copied: cannot run {program}: {error.strerror}") from None
        if completed.returncode:
            stderr.seek(0)
            message = stderr.read(_MAX_STDERR_BYTES).decode(errors="replace").strip()
            raise click.ClickException(f"nothing was copied: {program}: {message or f'status {completed.returncode}'}")
