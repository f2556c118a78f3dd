"""Law: results do not depend on the machine's load.

Burners keep every CPU busy meanwhile, and each worker process is stopped several times for longer than a figure.
"""

import asyncio
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from threading import Event

import httpx
import psutil
import pytest

from tests.remarks import remark
from tests.running import BIN, running_service

pytestmark = pytest.mark.stress

RUNS = 6
DOCUMENTS = 25
FIGURES = 60

ACCOUNTS = 20
REQUESTS = 200
"""At a time."""

ENOUGH = 10
"""Conversions that must succeed. As long as fewer do, the clients retry, as a 503 tells them."""
MAX_ROUNDS = 10

MERMAID = "```mermaid\ngraph LR\n  a{n}[Start {n}] --> b{n}[Load] --> c{n}[End]\n```\n"
DOT = "```dot\ndigraph {{ a{n} -> b -> c; a{n} -> c }}\n```\n"
CHART = '```chart\n{{"type": "bar", "data": {{"labels": ["A", "B"], "datasets": [{{"data": [{n}, 5]}}]}}}}\n```\n'


STOPS = 3
STOPPED_SECONDS = 2.5
PAUSE_SECONDS = 0.3


def starve(ended: Event) -> None:
    """Stop each worker process below this one, as a busy machine does: wall-clock time passes, CPU time does not."""
    stops: Counter[int] = Counter()
    while not ended.wait(PAUSE_SECONDS):
        chosen = []
        for process in psutil.Process().children(recursive=True):
            with suppress(psutil.Error):
                if stops[process.pid] < STOPS and "mdpublish_core.workers" in process.cmdline():
                    process.suspend()
                    chosen.append(process)
        ended.wait(STOPPED_SECONDS if chosen else 0)
        for process in chosen:
            stops[process.pid] += 1
            with suppress(psutil.Error):
                process.resume()
    assert stops


@pytest.fixture
def starvation() -> Iterator[None]:
    ended = Event()
    with ThreadPoolExecutor(1) as executor:
        starving = executor.submit(starve, ended)
        yield
        ended.set()
        starving.result()


@pytest.fixture
def burners() -> Iterator[None]:
    """Eight busy processes for each CPU."""
    command = [sys.executable, "-c", "while True: pass"]
    processes = [subprocess.Popen(command) for _ in range(8 * (os.cpu_count() or 1))]
    yield
    for process in processes:
        process.kill()
        process.wait()


def write_documents(folder: Path) -> None:
    folder.mkdir()
    kinds = (MERMAID, DOT, CHART)
    for number in range(DOCUMENTS):
        figures = [kinds[n % 3].format(n=n) for n in range(number, FIGURES, DOCUMENTS)]
        (folder / f"{number}.md").write_text("\n".join([f"# Document {number}", "Text with $x^2$.", *figures]))


def outputs(folder: Path) -> dict[str, str]:
    """Return the digest of every output, without the build cache."""
    return {
        path.name: sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.iterdir())
        if not path.name.startswith(".")
    }


def batch(source: Path, target: Path) -> subprocess.CompletedProcess[str]:
    command = [str(BIN / "mdpublish"), "batch", str(source), str(target), "--to", "email"]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.usefixtures("burners", "starvation")
def test_load_changes_no_output_of_batches(tmp_path: Path) -> None:
    write_documents(tmp_path / "source")
    targets = [tmp_path / f"run{number}" for number in range(RUNS)]
    with ThreadPoolExecutor(RUNS) as executor:
        runs = list(executor.map(lambda target: batch(tmp_path / "source", target), targets))

    assert [run.returncode for run in runs] == [0] * RUNS, runs[0].stderr
    assert not [run.stderr for run in runs if "[" in run.stderr], "a run gave notices"
    assert [outputs(target) for target in targets] == [outputs(targets[0])] * RUNS
    assert len(outputs(targets[0])) >= DOCUMENTS


@pytest.mark.usefixtures("burners", "starvation")
def test_load_changes_no_response_of_the_service(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    def run(*arguments: str) -> str:
        environment = {name: value for name, value in os.environ.items() if not name.startswith("MDPUBLISH_")}
        command = [str(BIN / "mdpublish-server"), *arguments]
        return subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
        ).stdout.strip()

    run("migrate")
    keys = []
    for number in range(ACCOUNTS):
        run("account", "add", f"a{number}@example.org")
        keys.append(run("key", "add", f"a{number}@example.org"))
    markdown = "\n".join(["# Load", MERMAID.format(n=1), DOT.format(n=1), CHART.format(n=1)])

    async def convert_all(url: str) -> list[httpx.Response]:
        limits = httpx.Limits(max_connections=REQUESTS)
        body = {"markdown": markdown, "destination": "email"}
        responses: list[httpx.Response] = []
        async with httpx.AsyncClient(base_url=url, timeout=600, limits=limits) as client:
            for _ in range(MAX_ROUNDS):
                responses += await asyncio.gather(
                    *(
                        client.post("/v1/convert", json=body, headers={"Authorization": f"Bearer {keys[n % ACCOUNTS]}"})
                        for n in range(REQUESTS)
                    )
                )
                if Counter(response.status_code for response in responses)[200] >= ENOUGH:
                    break
        return responses

    settings = {"MDPUBLISH_WORKERS": "2", "MDPUBLISH_DEMO_WORKERS": "1"}
    with running_service(tmp_path, settings=settings) as (url,):
        responses = asyncio.run(convert_all(url))

    statuses = Counter(response.status_code for response in responses)
    remark(request.config, f"load: {len(responses)} conversions: {dict(statuses)}")
    assert statuses.keys() <= {200, 503}
    assert statuses[200] >= ENOUGH
    assert all(response.headers["retry-after"] for response in responses if response.status_code == 503)
    assert (
        len({json.dumps(response.json(), sort_keys=True) for response in responses if response.status_code == 200}) == 1
    )
    assert next(each for each in responses if each.status_code == 200).json()["notices"] == []
