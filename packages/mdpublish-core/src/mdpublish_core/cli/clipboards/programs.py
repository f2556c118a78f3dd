"""Clipboard programs."""

import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from tempfile import TemporaryFile

import click

TIMEOUT_SECONDS = 10

_MAX_STDERR_BYTES = 500


def run_for_output(command: Sequence[str], *, seconds: float = TIMEOUT_SECONDS) -> bytes | None:
    """Return what a program prints, None if it fails: a clipboard without contents of a type is no error."""
    with _reported("cannot read the clipboard", command[0], seconds):
        completed = subprocess.run(command, capture_output=True, timeout=seconds, check=False)  # noqa: S603  (as below)
    return None if completed.returncode else completed.stdout


def run_with_input(command: Sequence[str], content: bytes, *, seconds: float = TIMEOUT_SECONDS) -> None:
    """Run a program with `content` on stdin.

    On X11 and Wayland it forks a process that serves paste requests and inherits its file descriptors: with a pipe
    for output we would wait until the clipboard changes. A new session survives the terminal.
    """
    program = command[0]
    with TemporaryFile() as stderr:
        with _reported("cannot copy", program, seconds):
            completed = subprocess.run(  # noqa: S603  (a fixed command, and no shell)
                command,
                input=content,
                stdout=subprocess.DEVNULL,
                stderr=stderr,
                timeout=seconds,
                check=False,
                start_new_session=True,
            )
        if completed.returncode:
            stderr.seek(0)
            message = stderr.read(_MAX_STDERR_BYTES).decode(errors="replace").strip()
            raise click.ClickException(f"cannot copy: {program}: {message or f'exit status {completed.returncode}'}")


@contextmanager
def _reported(problem: str, program: str, seconds: float) -> Iterator[None]:
    """Report in a line why a program did not run to its end."""
    try:
        yield
    except subprocess.TimeoutExpired:
        raise click.ClickException(f"{problem}: {program} timed out after {seconds} seconds") from None
    except OSError as error:
        raise click.ClickException(f"{problem}: cannot run {program}: {error.strerror}") from None
