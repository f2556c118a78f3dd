"""A release makes every stored page stale: its viewers cost one rendering, and its files are their owner's alone."""

import os
import re
import socket
import sqlite3
import stat
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from urllib.request import urlopen

import httpx
import pytest

from tests.running import running_service

pytestmark = pytest.mark.stress

VIEWERS = 30

MARKDOWN = "# Long\n\n" + "A *paragraph* of [some](http://a/b) words.\n\n" * 1_500


@pytest.fixture
def metrics_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


@pytest.fixture
def _open_umask() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


def renderings(metrics_port: int) -> int:
    with urlopen(f"http://127.0.0.1:{metrics_port}/metrics") as response:
        match = re.search(
            r'mdpublish_conversions_total\{kind="render",outcome="done"\} (\d+)', response.read().decode()
        )
    return int(match[1]) if match else 0


@pytest.mark.usefixtures("_open_umask")
def test_thirty_viewers_of_a_stale_page_cost_one_rendering(tmp_path: Path, metrics_port: int) -> None:
    with running_service(tmp_path, settings={"MDPUBLISH_METRICS_PORT": str(metrics_port)}) as (service,):
        page = httpx.post(f"{service}v1/demo/publish", json={"content": MARKDOWN}, timeout=60).json()["url"]
        with closing(sqlite3.connect(tmp_path / "mdpublish.db")) as database, database:
            database.execute("UPDATE pages SET render_version = 0")
        before = renderings(metrics_port)

        with ThreadPoolExecutor(VIEWERS) as viewers:
            views = list(viewers.map(lambda _number: httpx.get(page, timeout=60), range(VIEWERS)))

        assert {view.status_code for view in views} == {200}
        assert renderings(metrics_port) - before == 1
        modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in tmp_path.iterdir()}
        names = ("mdpublish.db", "mdpublish.db-wal", "mdpublish.db-shm", "mdpublish.db-reserve")
    assert modes == dict.fromkeys(names, 0o600)
