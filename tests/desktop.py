"""An X server without a screen, for `mdpublish copy`.

Needs `Xvfb` and `xclip` (Debian packages).
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

SECONDS = 60

Environment = Mapping[str, str]


@contextmanager
def desktop() -> Iterator[Environment]:
    """Raises `FileNotFoundError` without the programs, `AssertionError` if the server does not start."""
    for program, package in (("Xvfb", "xvfb"), ("xclip", "xclip")):
        if shutil.which(program) is None:
            raise FileNotFoundError(f"no {program} on PATH; install it (Debian: {package})")
    reading, writing = os.pipe()
    # Xvfb chooses a display and writes its number when ready.
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
    """Return standard error."""
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
    """Return the clipboard in format `kind`."""
    command = ["xclip", "-selection", "clipboard", "-out", "-target", kind]
    run = subprocess.run(command, env=environment, capture_output=True, check=False, timeout=SECONDS)
    return None if run.returncode else run.stdout


def _wait_for_owner(environment: Environment) -> None:
    """xclip forks before the server knows of it; the previous owner exits when it loses the clipboard."""
    end = monotonic() + SECONDS
    while _owners(environment) > 1 or clipboard(environment, "TARGETS") is None:
        assert monotonic() < end, f"nothing took the clipboard within {SECONDS} seconds"
        sleep(0.01)


def _owners(environment: Environment) -> int:
    count = 0
    for process in psutil.process_iter(["name"]):
        with suppress(psutil.Error):
            count += process.info["name"] == "xclip" and process.environ().get("DISPLAY") == environment["DISPLAY"]
    return count
