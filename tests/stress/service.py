import os
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path

import httpx

from tests.running import BIN
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

    def __init__(self, folder: Path, database_url: str, *, settings: Mapping[str, str] | None = None) -> None:
        self._folder = folder
        self._environment = {
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
        log = self._folder / "service.log"
        with log.open("wb") as out, (self._folder / "service.err").open("ab") as err:
            command = [COMMAND, "serve", "--port", "0"]
            self._process = subprocess.Popen(command, env=self._environment, cwd=self._folder, stdout=out, stderr=err)
        end = time.monotonic() + PATIENCE
        while not (line := log.read_bytes().partition(b"\n"))[1]:
            assert self._process.poll() is None, self.errors()
            assert time.monotonic() < end, f"the service did not start within {PATIENCE} s"
            time.sleep(0.02)
        self.url = line[0].split()[-1].decode().rstrip("/")

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

    def wait_until_ready(self) -> None:
        end = time.monotonic() + PATIENCE
        while httpx.get(f"{self.url}/readyz", timeout=PATIENCE).status_code != 200:
            assert time.monotonic() < end, f"the service is not ready within {PATIENCE} s"
            time.sleep(0.05)

    def run(self, *arguments: str) -> str:
        done = subprocess.run(
            [COMMAND, *arguments],
            env=self._environment,
            cwd=self._folder,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def errors(self) -> str:
        return (self._folder / "service.err").read_text()
