"""A batch on a Dask cluster goes on when a worker process is killed: each document yields one result, in its place."""

import os
import signal
from collections import Counter
from collections.abc import Iterator
from functools import partial
from itertools import cycle, islice
from pathlib import Path
from time import perf_counter

import pytest
from distributed import Client, LocalCluster

from mdpublish_core import Converter
from mdpublish_core.batch import Job, convert_many
from tests.corpora import readmes
from tests.stress.noted_conversions import PREFIX, conversions, note, unchanged

DOCUMENTS = 10_000
CHARACTERS = 2_000

KILL_AFTER = 1_000
"""Results; the cluster works ahead, so it has begun more."""


@pytest.fixture
def client() -> Iterator[Client]:
    with (
        LocalCluster(  # type: ignore[no-untyped-call]
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0"
        ) as cluster,
        Client(cluster) as client,  # type: ignore[no-untyped-call]
    ):
        yield client


@pytest.mark.stress
def test_killed_worker_neither_loses_nor_doubles_a_document(client: Client, tmp_path: Path) -> None:
    documents = [f"[{number}]({PREFIX}{number})\n\n{piece}" for number, piece in enumerate(islice(pieces(), DOCUMENTS))]
    workers: dict[str, int] = client.run(os.getpid)
    killed = next(iter(workers.values()))
    executor = client.get_executor()  # type: ignore[no-untyped-call]

    began = perf_counter()
    outcomes = convert_many(
        (Job(document, Converter(rewrite_url=partial(note, tmp_path))) for document in documents), executor=executor
    )
    results = list(islice(outcomes, KILL_AFTER))
    os.kill(killed, signal.SIGKILL)
    results += outcomes
    ended = perf_counter()

    assert results == list(convert_many(Job(document, Converter(rewrite_url=unchanged)) for document in documents))
    sequential = perf_counter() - ended
    noted = conversions(tmp_path)
    times = sum(noted.values(), Counter[int]())
    repeated = {number for number, count in times.items() if count > 1}
    assert set(times) == set(range(DOCUMENTS))
    # Only what the killed process had not delivered is converted again, once.
    assert repeated
    assert repeated <= set(noted[killed])
    assert all(times[number] == 2 for number in repeated)
    others = sorted(each.total() for process, each in noted.items() if process != killed)
    report = (
        f"{DOCUMENTS:,} documents of {sum(map(len, documents)) / DOCUMENTS / 1_000:.1f} KB in {ended - began:.1f} s, "
        f"sequentially {sequential:.1f} s; the killed worker had converted {noted[killed].total():,}, "
        f"of which {len(repeated):,} were converted again; the others converted {others}"
    )
    print(report)  # noqa: T201  (for `pytest -s`)


def pieces() -> Iterator[str]:
    for readme in cycle(readmes().values()):
        for start in range(0, len(readme), CHARACTERS):
            yield readme[start : start + CHARACTERS]
