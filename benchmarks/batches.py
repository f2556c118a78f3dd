"""Batch conversion with processes and threads."""

from collections import deque
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from itertools import count as numbers
from itertools import islice

from benchmarks.measuring import Converter, beginning, measure
from mdpublish_core.batch import Job, convert_many
from tests.corpora import readmes

DOCUMENTS = 1_000

# For smoke tests.
FEW_DOCUMENTS = 50

WORKERS = 2

BATCH_ROUNDS = 5


def print_batches(rounds: int) -> None:
    """Print seconds for sequential conversion, and the others as multiples."""
    count = DOCUMENTS if rounds > 1 else FEW_DOCUMENTS
    print(f"\n| {count:,} documents | sequential, s | {WORKERS} processes, ratio | {WORKERS} threads, ratio |")
    print("|---|--:|--:|--:|")
    # Fork before starting threads.
    with ProcessPoolExecutor(WORKERS) as processes, ThreadPoolExecutor(WORKERS) as threads:
        for kilobytes in (1, 5):
            print_batch(kilobytes, {"alone": None, "processes": processes, "threads": threads}, count, rounds)


def print_batch(kilobytes: int, executors: dict[str, Executor | None], count: int, rounds: int) -> None:
    jobs = [Job(document) for document in islice(pieces(kilobytes * 1_000), count)]
    converters = {name: batch_converter(jobs, executor) for name, executor in executors.items()}
    taken = measure("", converters, min(rounds, BATCH_ROUNDS))
    alone = taken["alone"]
    average = sum(len(job.markdown.encode()) for job in jobs) / len(jobs) / 1_000
    cells = [f"{taken[name] / alone:.2f}" for name in ("processes", "threads")]
    print("|", " | ".join([f"pieces of READMEs, {average:.1f} KB", f"{alone / 1_000:.2f}", *cells]), "|", flush=True)


def batch_converter(jobs: list[Job], executor: Executor | None) -> Converter:
    return lambda _: deque(convert_many(jobs, executor=executor), maxlen=0)


def pieces(size: int) -> Iterator[str]:
    split_readmes = [readme.split("\n\n") for readme in readmes().values()]
    for round_number in numbers():
        for paragraphs in split_readmes:
            yield beginning("\n\n".join(paragraphs[7 * round_number % len(paragraphs) :]), size)
