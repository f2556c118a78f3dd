"""Batch conversion on a Dask cluster of this machine: what it adds to each document, and how many workers it can feed.

    python benchmarks/clusters.py [--short]

Client and scheduler are one process, as in a script that starts its own cluster. Its processor time bounds what any
number of workers can do. From how many documents a second machine like this one pays is calculated: conversions take
half the time of two processes, but no less than client and scheduler need, and the cluster has to start.
"""

import sys
from collections import deque
from concurrent.futures import Executor, ProcessPoolExecutor
from pathlib import Path
from statistics import median
from time import perf_counter, process_time

sys.path.insert(0, str(Path(__file__).parents[1]))

from distributed import Client, LocalCluster

from benchmarks.measuring import different_texts
from mdpublish_core.batch import Job, convert_many

WORKERS = 2

KILOBYTES = (2, 20, 100)

CHARACTERS = 4_000_000
"""In a batch, whatever the size of its documents."""


def print_clusters(*, short: bool) -> None:
    rounds, characters = (1, 200_000) if short else (3, CHARACTERS)
    batches = [batch(kilobytes, characters) for kilobytes in KILOBYTES]
    # Fork before starting threads.
    with ProcessPoolExecutor(WORKERS) as processes:
        seconds(batches[0][:50], processes)
        began = perf_counter()
        with (
            LocalCluster(n_workers=WORKERS, threads_per_worker=1, processes=True, dashboard_address=":0") as cluster,  # type: ignore[no-untyped-call]
            Client(cluster) as client,  # type: ignore[no-untyped-call]
        ):
            executor = client.get_executor()
            seconds(batches[0][:50], executor)
            started = perf_counter() - began
            print(f"\n- a cluster of {WORKERS} workers starts in {started:.1f} s, with its first conversions\n")
            print(
                f"| ms a document | sequential | {WORKERS} processes | Dask, {WORKERS} workers | of that, client and "
                "scheduler | workers that these can feed | documents from which a second machine pays |"
            )
            print("|---|--:|--:|--:|--:|--:|--:|")
            for jobs in batches:
                _print_batch(jobs, processes, executor, started, rounds)


def batch(kilobytes: int, characters: int) -> list[Job]:
    """Return jobs that all differ, since Dask converts equal ones once."""
    contents = different_texts(kilobytes, max(characters // kilobytes // 1_000, 10))
    return [Job(f"{number}\n\n{content}") for number, content in enumerate(contents)]


def seconds(jobs: list[Job], executor: Executor | None) -> tuple[float, float]:
    """Return the duration of a batch, and the processor time of this process."""
    began, used = perf_counter(), process_time()
    deque(convert_many(jobs, executor=executor), maxlen=0)
    return perf_counter() - began, process_time() - used


def _print_batch(jobs: list[Job], processes: Executor, dask: Executor, started: float, rounds: int) -> None:
    taken = [[seconds(jobs, executor) for executor in (None, processes, dask)] for _ in range(rounds)]
    alone, pooled, clustered = (median(each[which][0] for each in taken) * 1_000 / len(jobs) for which in range(3))
    converting, feeding = (median(each[which][1] for each in taken) * 1_000 / len(jobs) for which in (0, 2))
    saved = pooled - max(pooled / 2, feeding)
    pays = f"{started * 1_000 / saved:,.0f}" if saved > 0 else "never"
    size = sum(len(job.markdown.encode()) for job in jobs) / len(jobs) / 1_000
    print(
        f"| {size:.1f} KB | {alone:.2f} | {pooled:.2f} | {clustered:.2f} | {feeding:.2f} | {converting / feeding:.1f} | {pays} |",
        flush=True,
    )


if __name__ == "__main__":
    print_clusters(short="--short" in sys.argv)
