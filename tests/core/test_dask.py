"""A Dask cluster with worker processes as the executor of `convert_many`."""

import multiprocessing
from collections.abc import Iterator
from concurrent.futures import Executor
from itertools import count, islice
from operator import attrgetter

import pytest
from distributed import Client, LocalCluster

from mdpublish_core import Conversion, Converter, Limits
from mdpublish_core.batch import Job, convert_many
from mdpublish_core.errors import LimitExceeded

LONG = "\n\n".join(["Some *words* and `code`."] * 4_000)
"""Takes a worker some tens of milliseconds."""


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    before = multiprocessing.active_children()
    with (
        LocalCluster(  # type: ignore[no-untyped-call]
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0"
        ) as cluster,
        Client(cluster) as client,  # type: ignore[no-untyped-call]
    ):
        yield client
    assert multiprocessing.active_children() == before


@pytest.fixture
def executor(client: Client) -> Executor:
    cluster_executor: Executor = client.get_executor()  # type: ignore[no-untyped-call]
    return cluster_executor


def numbered() -> Iterator[Job]:
    return (Job(str(number), Converter(to="plain-text")) for number in count())


def pending(client: Client) -> int:
    """Number of tasks the client still waits for."""
    return sum(future.status == "pending" for future in list(client.futures.values()))


def test_results_are_those_of_convert(executor: Executor) -> None:
    jobs = [Job("# One\n\n[a](javascript:b)", Converter(to=name)) for name in ("generic", "email", "word", "generic")]

    assert list(convert_many(jobs, executor=executor)) == [job.converter.convert(job.markdown) for job in jobs]


def test_results_and_errors_come_in_the_order_of_the_jobs(executor: Executor) -> None:
    jobs = list(islice(numbered(), 100))
    jobs[60] = Job("abc", Converter(limits=Limits(max_input_bytes=2)))
    jobs[80] = Job("[a](b)", Converter(rewrite_url=attrgetter("nothing_of_this_name")))
    outcomes = convert_many(jobs, executor=executor)
    arrived = list(islice(outcomes, 80))

    failed = arrived.pop(60)
    assert [isinstance(each, Conversion) and each.text for each in arrived] == [f"{n}\n" for n in range(80) if n != 60]
    assert isinstance(failed, LimitExceeded)
    assert (failed.limit, failed.allowed, failed.actual) == ("max_input_bytes", 2, 3)
    with pytest.raises(AttributeError, match="nothing_of_this_name"):
        next(outcomes)


def test_function_of_a_job_is_sent_along(executor: Executor) -> None:
    job = Job("[a](b)", Converter(to="slack", rewrite_url=lambda url: f"https://example.org/{url.url}"))

    (conversion,) = convert_many([job], executor=executor)

    assert isinstance(conversion, Conversion)
    assert conversion.text == "<https://example.org/b|a>\n"


@pytest.mark.nightly
def test_closing_cancels_what_has_not_begun_and_leaves_the_cluster_running(client: Client, executor: Executor) -> None:
    outcomes = convert_many((Job(f"{number}\n\n{LONG}") for number in range(200)), executor=executor)
    next(outcomes)
    before = pending(client)

    outcomes.close()

    assert before > 2
    assert pending(client) == 0
    assert isinstance(next(convert_many([Job("a")], executor=executor)), Conversion)


@pytest.mark.nightly
def test_closing_leaves_equal_jobs_of_another_batch_alone(executor: Executor) -> None:
    jobs = [Job(f"{number}\n\n{LONG}") for number in range(20)]
    closed, other = (convert_many(jobs, executor=executor) for _ in range(2))
    next(closed)
    next(other)

    closed.close()

    assert len(list(other)) == 19
