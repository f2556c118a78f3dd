"""How long a thousand texts take in two processes and in two threads, beside one after another."""

from collections import deque
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from itertools import count as numbers
from itertools import islice

from benchmarks.measuring import Converter, beginning, measure
from mdpublish_core import Job, convert_many
from tests.corpora import readmes

DOCUMENTS = 1_000

# Where a single round shows that all runs, and how long it takes tells nothing.
FEW_DOCUMENTS = 50

WORKERS = 2

# A round takes a second or more, so that the clock's noise is nothing beside it.
BATCH_ROUNDS = 5


def print_batches(rounds: int) -> None:
    """Print a table of batches: seconds one after another, and what workers take as multiples of that."""
    count = DOCUMENTS if rounds > 1 else FEW_DOCUMENTS
    print(f"\n| {count:,} documents | sequential, s | {WORKERS} processes, ratio | {WORKERS} threads, ratio |")
    print("|---|--:|--:|--:|")
    # Processes first: a process that forks has no threads yet.
    with ProcessPoolExecutor(WORKERS) as processes, ThreadPoolExecutor(WORKERS) as threads:
        for kilobytes in (1, 5):
            print_batch(kilobytes, {"alone": None, "processes": processes, "threads": threads}, count, rounds)


def print_batch(kilobytes: int, executors: dict[str, Executor | None], count: int, rounds: int) -> None:
    """Print the row of one size; the workers run already when they are measured."""
    jobs = [Job(document) for document in islice(pieces(kilobytes * 1_000), count)]
    converters = {name: batch_converter(jobs, executor) for name, executor in executors.items()}
    taken = measure("", converters, min(rounds, BATCH_ROUNDS))
    alone = taken["alone"]
    average = sum(len(job.markdown.encode()) for job in jobs) / len(jobs) / 1_000
    cells = [f"{taken[name] / alone:.2f}" for name in ("processes", "threads")]
    print("|", " | ".join([f"pieces of READMEs, {average:.1f} KB", f"{alone / 1_000:.2f}", *cells]), "|", flush=True)


def batch_converter(jobs: list[Job], executor: Executor | None) -> Converter:
    """Return a function that converts all jobs, whatever text it is given."""
    return lambda _: deque(convert_many(jobs, executor=executor), maxlen=0)


def pieces(size: int) -> Iterator[str]:
    """Yield pieces of READMEs of about `size` bytes, from ever other places in them."""
    split_readmes = [readme.split("\n\n") for readme in readmes().values()]
    for round_number in numbers():
        for paragraphs in split_readmes:
            yield beginning("\n\n".join(paragraphs[7 * round_number % len(paragraphs) :]), size)
