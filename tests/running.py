import os
import pty
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from subprocess import PIPE, Popen
from threading import Thread
from time import monotonic, sleep

BIN = Path(sys.executable).parent


@contextmanager
def running_service(folder: Path, *options: str, settings: Mapping[str, str] | None = None) -> Iterator[list[str]]:
    """Run `mdpublish-server serve`, with `settings` as environment variables.

    Yields the service's URL, and with `--sample` the page's.
    """
    command = [str(BIN / "mdpublish-server"), "serve", "--port", "0", *options]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MDPUBLISH_")}
    environment.update(settings or {})
    with Popen(command, cwd=folder, env=environment, stdout=PIPE, text=True) as process:
        assert process.stdout
        try:
            lines = [process.stdout.readline() for _ in range(2 if "--sample" in options else 1)]
            # An unread access log would fill its pipe.
            Thread(target=process.stdout.read, daemon=True).start()
            yield [line.split()[-1] for line in lines]
        finally:
            process.terminate()
        assert process.wait(timeout=60) == 0


def wait_until(holds: Callable[[], bool]) -> None:
    """Return once something holds; fail after a minute."""
    ended = monotonic() + 60.0
    while not holds():
        assert monotonic() < ended
        sleep(0.01)


def importing(*folders: Path) -> dict[str, str]:
    """Return the environment of a program that imports from these folders, then as this process was told to."""
    paths = [*map(str, folders), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}


def on_a_terminal(*arguments: str, **environment: str) -> bytes:
    """Run `mdpublish` in a pseudo-terminal of 100 columns and return its output."""
    inside, outside = pty.openpty()
    given = {"PATH": os.environ["PATH"], "TERM": "xterm-256color", "COLUMNS": "100", **environment}
    command = [str(BIN / "mdpublish"), *arguments]
    with Popen(command, stdin=outside, stdout=outside, stderr=outside, env=given):
        os.close(outside)
        printed = b""
        try:
            while part := os.read(inside, 10_000):
                printed += part
        except OSError:  # Linux: the other end is closed
            pass
    os.close(inside)
    return printed
