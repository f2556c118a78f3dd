"""Clipboard programs."""

import subprocess
from collections.abc import Sequence
from tempfile import TemporaryFile

import click

TIMEOUT_SECONDS = 10

_MAX_STDERR_BYTES = 500


def run_for_output(command: Sequence[str], *, seconds: float = TIMEOUT_SECONDS) -> bytes | None:
    """Return what a program prints, None if it fails: a clipboard without contents of a type is no error."""
    try:
        completed = subprocess.run(command, capture_output=True, timeout=seconds, check=False)  # noqa: S603  (as below)
    except subprocess.TimeoutExpired:
        raise click.ClickException(
            f"cannot read the clipboard: {command[0]} timed out after {seconds} seconds"
        ) from None
    except OSError as error:
        raise click.ClickException(f"cannot read the clipboard: cannot run {command[0]}: {error.strerror}") from None
    return None if completed.returncode else completed.stdout


def run_with_input(command: Sequence[str], content: bytes, *, seconds: float = TIMEOUT_SECONDS) -> None:
    """Run a program with `content` on stdin.

    On X11 and Wayland it forks a process that serves paste requests and inherits its file descriptors: with a pipe
    for output we would wait until the clipboard changes. A new session survives the terminal.
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
            timeout_message = f"cannot copy: {program} timed out after {seconds} seconds"
            raise click.ClickException(timeout_message) from None
        except OSError as error:
            raise click.ClickException(f"cannot copy: cannot run {program}: {error.strerror}") from None
        if completed.returncode:
            stderr.seek(0)
            message = stderr.read(_MAX_STDERR_BYTES).decode(errors="replace").strip()
            raise click.ClickException(f"cannot copy: {program}: {message or f'exit status {completed.returncode}'}")
