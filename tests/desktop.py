"""A desktop of the tests' own: an X server without a screen, and `mdpublish copy` on it.

Needs the programs `Xvfb` and `xclip`; on Debian, `xvfb` and `xclip` have them. No other program knows the display, so that
nobody's clipboard plays a part.
"""

import os
import select
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from time import monotonic, sleep

import psutil

from tests.running import BIN

SECONDS = 20
"""For the server to start, and for a copy: well under one in practice."""

Environment = Mapping[str, str]
"""What a program must have in its environment to be on the desktop."""


@contextmanager
def desktop() -> Iterator[Environment]:
    """Run an X server; yield the environment for programs on it.

    Raises `FileNotFoundError` where Xvfb or xclip is not installed, `AssertionError` where the server does not start.
    """
    for program, package in (("Xvfb", "xvfb"), ("xclip", "xclip")):
        if shutil.which(program) is None:
            raise FileNotFoundError(f"no {program} on PATH; install it (Debian: {package})")
    reading, writing = os.pipe()
    # The server looks for a free number itself, and writes it once it takes connections.
    command = ["Xvfb", "-displayfd", str(writing), "-nolisten", "tcp", "-screen", "0", "1280x1024x24", "-noreset"]
    server = subprocess.Popen(command, pass_fds=[writing], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    os.close(writing)
    try:
        with os.fdopen(reading) as number:
            ready, _, _ = select.select([number], [], [], SECONDS)
            assert ready, f"Xvfb did not start within {SECONDS} seconds"
            display = number.readline().strip()
        assert display, f"Xvfb ended with status {server.wait(SECONDS)}"
        others = {name: value for name, value in os.environ.items() if name != "WAYLAND_DISPLAY"}
        yield others | {"DISPLAY": f":{display}"}
    finally:
        server.terminate()
        server.wait(SECONDS)


def copy(environment: Environment, *arguments: str, markdown: str = "") -> str:
    """Run `mdpublish copy` with `markdown` on its standard input; return what it prints on standard error."""
    run = subprocess.run(
        [BIN / "mdpublish", "copy", *arguments],
        input=markdown.encode(),
        env=environment,
        capture_output=True,
        check=False,
        timeout=SECONDS,
    )
    assert run.returncode == 0, run.stderr.decode()
    _wait_for_owner(environment)
    return run.stderr.decode()


def clipboard(environment: Environment, kind: str) -> bytes | None:
    """Return what the clipboard gives to whoever asks for `kind`; None where it has nothing, or nothing of that kind."""
    command = ["xclip", "-selection", "clipboard", "-out", "-target", kind]
    run = subprocess.run(command, env=environment, capture_output=True, check=False, timeout=SECONDS)
    return None if run.returncode else run.stdout


def _wait_for_owner(environment: Environment) -> None:
    """Wait until what was copied is what the server gives.

    xclip asks for the clipboard and goes into the background before the server has heard of it; the one that had it before
    ends when it has lost it.
    """
    end = monotonic() + SECONDS
    while _owners(environment) > 1 or clipboard(environment, "TARGETS") is None:
        assert monotonic() < end, f"nothing took the clipboard within {SECONDS} seconds"
        sleep(0.01)


def _owners(environment: Environment) -> int:
    """Return how many processes hold the clipboard of a display, or are about to."""
    count = 0
    for process in psutil.process_iter(["name"]):
        with suppress(psutil.Error):
            count += process.info["name"] == "xclip" and process.environ().get("DISPLAY") == environment["DISPLAY"]
    return count
