"""The service as an operator runs it: in a process of its own, on a free port, with a database of its own."""

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from subprocess import PIPE, Popen
from threading import Thread

BIN = Path(sys.executable).parent
"""Where the environment's commands are."""


@contextmanager
def running_service(folder: Path, *options: str, settings: Mapping[str, str] | None = None) -> Iterator[list[str]]:
    """Run `mdpublish-server serve` with settings of the environment's form.

    Yields the addresses that it prints: the service's, with `--sample` also that page's.
    """
    command = [str(BIN / "mdpublish-server"), "serve", "--port", "0", *options]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MDPUBLISH_")}
    environment.update(settings or {})
    with Popen(command, cwd=folder, env=environment, stdout=PIPE, text=True) as process:
        assert process.stdout
        try:
            lines = [process.stdout.readline() for _ in range(2 if "--sample" in options else 1)]
            # The access log follows, for which a pipe that nobody reads would be full some time.
            Thread(target=process.stdout.read, daemon=True).start()
            yield [line.split()[-1] for line in lines]
        finally:
            process.terminate()
        assert process.wait(timeout=10) == 0
