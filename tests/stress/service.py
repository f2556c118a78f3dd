import os
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import httpx

from mdpublish_server.app import create_app
from mdpublish_server.conversion.converter import Converter
from mdpublish_server.services.health import check_storage_and_settings
from mdpublish_server.settings import read_settings
from mdpublish_server.storage import migrate, open_database
from tests.running import BIN
from tests.server.raw_server import serving
from tests.stress.processes import PATIENCE, family, survivors

COMMAND = str(BIN / "mdpublish-server")

# No rate limits; one worker of each kind.
_UNBOUNDED = {
    "MDPUBLISH_PRO_RATE_LIMIT": "100000",
    "MDPUBLISH_PRO_MONTHLY_QUOTA": "1000000000",
    "MDPUBLISH_WORKERS": "2",
    "MDPUBLISH_DEMO_WORKERS": "1",
}


class KillableService:
    """`folder` holds the logs."""

    def __init__(
        self,
        folder: Path,
        database_url: str,
        *,
        settings: Mapping[str, str] | None = None,
        command: Sequence[str] = (COMMAND,),
        port: int = 0,
    ) -> None:
        self.folder = folder
        self._command = command
        self._port = port
        self.environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("MDPUBLISH_")},
            **_UNBOUNDED,
            "MDPUBLISH_DATABASE_URL": database_url,
            **(settings or {}),
        }
        self._process: subprocess.Popen[bytes] | None = None
        self.url = ""

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def start(self) -> None:
        log = self.folder / "service.log"
        with log.open("wb") as out, (self.folder / "service.err").open("ab") as err:
            command = self.command("serve", "--port", str(self._port))
            self._process = subprocess.Popen(command, env=self.environment, cwd=self.folder, stdout=out, stderr=err)
        end = time.monotonic() + PATIENCE
        while not (line := log.read_bytes().partition(b"\n"))[1]:
            assert self._process.poll() is None, self.errors()
            assert time.monotonic() < end, f"the service did not start within {PATIENCE} s"
            time.sleep(0.02)
        # That in the log may be a proxy's.
        self.url = f"http://127.0.0.1:{self._port}" if self._port else line[0].split()[-1].decode().rstrip("/")

    def kill(self) -> None:
        assert self._process is not None
        everyone = family(self._process.pid)
        assert len(everyone) > 1, "the service has no workers"
        self._process.kill()
        self._process.wait()
        self._process = None
        assert not survivors(everyone), "workers outlive the service"

    def stop(self) -> None:
        if self._process is not None:
            self._process.terminate()
            assert self._process.wait(PATIENCE) == 0
            self._process = None

    @contextmanager
    def running(self) -> Iterator[None]:
        try:
            self.start()
            yield
        finally:
            self.stop()

    def wait_until_ready(self) -> None:
        end = time.monotonic() + PATIENCE
        while httpx.get(f"{self.url}/readyz", timeout=PATIENCE).status_code != 200:
            assert time.monotonic() < end, f"the service is not ready within {PATIENCE} s"
            time.sleep(0.05)

    def command(self, *arguments: str) -> list[str]:
        return [*self._command, *arguments]

    def run(self, *arguments: str) -> str:
        done = subprocess.run(
            self.command(*arguments),
            env=self.environment,
            cwd=self.folder,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def key_of(self, email: str) -> str:
        """Create an account on the Pro plan; return a key."""
        self.run("account", "add", email, "--plan", "pro")
        return self.run("key", "add", email).strip()

    def errors(self) -> str:
        return (self.folder / "service.err").read_text()


class ServiceInProcess:
    """Without workers: it starts in a tenth of the time, for clients that only read."""

    def __init__(self, database_url: str) -> None:
        self._settings = read_settings({**_UNBOUNDED, "MDPUBLISH_DATABASE_URL": database_url})
        self.url = ""

    @contextmanager
    def running(self) -> Iterator[None]:
        migrate(self._settings.database_url)
        with closing(open_database(self._settings.database_url)) as database:
            app = create_app(self._settings, database=database, converter=Converter(workers=1, demo_workers=1))
            with serving(app) as (host, port):
                self.url = f"http://{host}:{port}"
                yield

    def run(self, *arguments: str) -> str:
        """Run the checks of `doctor` that start no process."""
        assert arguments[0] == "doctor"
        results = check_storage_and_settings(self._settings, is_deep="--deep" in arguments)
        return "\n".join(f"{'ok' if result.is_ok else 'ERROR'} {result.message}" for result in results)
