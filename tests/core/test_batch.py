import inspect
import multiprocessing
import os
import pickle
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import FrozenInstanceError, fields
from itertools import count, islice
from operator import attrgetter
from typing import Any

import pytest

from mdpublish_core import (
    Conversion,
    Converter,
    KnownImage,
    Limits,
    MdpublishError,
    PageOptions,
    batch,
    convert,
    get_template,
)
from mdpublish_core.batch import Job, convert_many
from mdpublish_core.errors import InvalidArgument, LimitExceeded
from mdpublish_core.nodes import Paragraph, RawText
from mdpublish_core.resources.url_rewriters import Url

# Python 3.12+ warns about `fork` in multi-threaded processes; other tests start threads. No worker needs their locks.
pytestmark = pytest.mark.filterwarnings(r"ignore:.*use of fork\(\) may lead to deadlocks:DeprecationWarning")

FAILING = attrgetter("nothing_of_this_name")
"""A `rewrite_url` that can be pickled and raises AttributeError for every URL."""


def dying(url: Url) -> str:
    """A `rewrite_url` that kills its process."""
    del url
    os._exit(1)


def started(name: str) -> Executor:
    return ThreadPoolExecutor(2) if name == "threads" else ProcessPoolExecutor(2, multiprocessing.get_context(name))


@pytest.fixture(scope="module", params=["alone", "threads", *multiprocessing.get_all_start_methods()])
def executor(request: pytest.FixtureRequest) -> Iterator[Executor | None]:
    if request.param == "alone":
        yield None
    else:
        with started(request.param) as pool:
            yield pool


@pytest.fixture(scope="module")
def processes() -> Iterator[Executor]:
    with started("spawn") as pool:
        yield pool


class Demanded(Future[Any]):
    """A future that runs its function when the result is requested."""

    def __init__(self, run: Callable[[], Any], landed: Callable[[], None]) -> None:
        super().__init__()
        self.run = run
        self.landed = landed

    def result(self, timeout: float | None = None) -> Any:
        self.landed()
        return super().result(timeout) if self.cancelled() else self.run()


class OnDemand(Executor):
    """Runs a task when its result is requested. Records the submitted chunks and the maximum number in flight."""

    def __init__(self) -> None:
        self.sent: list[tuple[Job, ...]] = []
        self.futures: list[Demanded] = []
        self.under_way = self.max_under_way = 0

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.sent.append(args[0])
        self.futures.append(Demanded(lambda: fn(*args, **kwargs), self.landed))
        self.under_way += 1
        self.max_under_way = max(self.max_under_way, self.under_way)
        return self.futures[-1]

    def landed(self) -> None:
        self.under_way -= 1


class AtOnce(Executor):
    """Runs every task on submit."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_result(fn(*args, **kwargs))
        return future


class Reader:
    """An iterable of jobs that counts how many were read."""

    def __init__(self, jobs: Iterator[Job]) -> None:
        self.jobs = jobs
        self.read = 0

    def __iter__(self) -> Iterator[Job]:
        for job in self.jobs:
            self.read += 1
            yield job


def numbered() -> Iterator[Job]:
    """Yield numbered jobs without end, of varying length up to some kilobytes."""
    for number in count():
        words = " ".join(["word"] * (number % 7) ** 4)
        yield Job(f"{number}\n\n{words}", Converter(to="plain-text"))


def first_lines(outcomes: Iterable[Conversion | MdpublishError]) -> list[int]:
    return [int(outcome.text.partition("\n")[0]) for outcome in outcomes if isinstance(outcome, Conversion)]


# Jobs


def test_converter_has_every_keyword_of_convert() -> None:
    parameters = list(inspect.signature(convert).parameters.values())[1:]
    given = [field for field in fields(Converter) if field.init]

    assert [(field.name, field.type) for field in given] == [
        (parameter.name, parameter.annotation) for parameter in parameters
    ], "Converter's fields are convert's arguments, in their order and of their types"
    for field, parameter in zip(given, parameters, strict=True):
        assert field.default is parameter.default, f"{field.name} has another default in Converter than in convert"


def test_job_takes_nothing_but_a_converter() -> None:
    with pytest.raises(InvalidArgument, match=r"^converter of Job must be a Converter \(got str\)$"):
        Job("text", "email")  # type: ignore[arg-type]


def test_job_is_a_value() -> None:
    job = Job("text", Converter(template=get_template("ink"), css="p { color: red }", limits=Limits(max_depth=9)))
    copy = pickle.loads(pickle.dumps(job))

    assert copy == job
    assert hash(copy) == hash(job)
    assert copy != Job("text")
    assert not hasattr(job, "__dict__")
    with pytest.raises(FrozenInstanceError):
        job.markdown = "other"  # type: ignore[misc]


def test_every_field_of_a_converter_counts() -> None:
    converter = Converter(
        to="page",
        options=PageOptions(title="h"),
        template=get_template("ink"),
        theme_mode="dark",
        css="p { color: red }",
        raw_html="escape",
        extensions=frozenset({"table"}),
        rewrite_url=lambda url: f"https://example.org/{url.url}",
        fences={"f": lambda fence: Paragraph([RawText(fence.content)])},
        transform=lambda document: document,
        repair=True,
        media_url="cid:",
        images={"https://example.org/d.png": KnownImage(width=3, height=2)},
        plain_text=False,
        limits=Limits(max_depth=9),
    )
    markdown = "# A <b>b</b> [c](d)\n\n~~e~~\n\n```f\ng\n```"
    arguments = {field.name: getattr(converter, field.name) for field in fields(Converter) if field.init}
    changed = [field.name for field in fields(Converter) if field.init and arguments[field.name] == field.default]

    assert changed == [], f"the test leaves {changed} at the default"
    assert list(convert_many([Job(markdown, converter)])) == [convert(markdown, **arguments)]
    assert converter.render(converter.parse(markdown)) == convert(markdown, **arguments)


def test_converter_is_shared_by_threads() -> None:
    converter = Converter(to="email", template="ink")
    sources = [f"# {number}\n\n```mermaid\ngraph LR\n  A --> B{number}\n```" for number in range(12)]

    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(converter.convert, sources)) == list(map(converter.convert, sources))


# Order and errors


def test_results_come_in_the_order_of_the_jobs(executor: Executor | None) -> None:
    assert first_lines(convert_many(islice(numbered(), 400), executor=executor)) == list(range(400))


def test_results_are_those_of_convert(executor: Executor | None) -> None:
    sources = ["# One", "a *b*\n\n| c |\n|---|\n| d |", "```python\nx = 1\n```", "- [x] e"]
    jobs = [Job(source, Converter(to=name)) for source in sources for name in ("generic", "email", "slack")]

    outcomes = list(convert_many(jobs, executor=executor))

    assert outcomes == [job.converter.convert(job.markdown) for job in jobs]


def test_failed_job_yields_its_error_in_its_place(executor: Executor | None) -> None:
    jobs = list(islice(numbered(), 300))
    jobs[1] = Job("abcd", Converter(limits=Limits(max_input_bytes=1)))
    jobs[250] = Job("abc", Converter(limits=Limits(max_input_bytes=2)))

    outcomes = list(convert_many(jobs, executor=executor))

    assert [number for number, outcome in enumerate(outcomes) if not isinstance(outcome, Conversion)] == [1, 250]
    assert isinstance(outcomes[1], LimitExceeded)
    assert outcomes[1].actual == 4
    assert isinstance(outcomes[250], LimitExceeded)
    assert outcomes[250].actual == 3


def test_error_keeps_nothing_of_the_conversion_alive(executor: Executor | None) -> None:
    (error,) = convert_many([Job("ab", Converter(limits=Limits(max_input_bytes=1)))], executor=executor)

    assert isinstance(error, LimitExceeded)
    assert (error.__traceback__, error.__context__, error.__cause__) == (None, None, None)


def test_no_jobs_have_no_results(executor: Executor | None) -> None:
    assert list(convert_many([], executor=executor)) == []


def test_what_the_jobs_raise_comes_after_the_results_before_it(executor: Executor | None) -> None:
    def jobs() -> Iterator[Job]:
        yield from islice(numbered(), 203)
        raise LookupError("no more")

    outcomes = convert_many(jobs(), executor=executor)

    assert first_lines(islice(outcomes, 203)) == list(range(203))
    with pytest.raises(LookupError, match="no more"):
        next(outcomes)


def test_what_is_no_job_is_named(executor: Executor | None) -> None:
    outcomes = convert_many([Job("0"), "# Text"], executor=executor)  # type: ignore[list-item]

    assert isinstance(next(outcomes), Conversion)
    with pytest.raises(TypeError, match=r"jobs must be Job instances \(got str\); use Job\(markdown"):
        next(outcomes)


def test_other_errors_are_raised_after_the_results_before_them(executor: Executor | None) -> None:
    jobs = list(islice(numbered(), 400))
    jobs[300] = Job("[a](b)", Converter(rewrite_url=FAILING))
    outcomes = convert_many(jobs, executor=executor)

    assert first_lines(islice(outcomes, 300)) == list(range(300))
    with pytest.raises(AttributeError, match="nothing_of_this_name"):
        next(outcomes)


def test_job_that_cannot_be_sent_fails_alone(processes: Executor) -> None:
    jobs = list(islice(numbered(), 400))
    jobs[300] = Job("a", Converter(fences={"x": lambda _: Paragraph([])}))

    outcomes = list(convert_many(jobs, executor=processes))

    assert first_lines(iter([*outcomes[:300], *outcomes[301:]])) == [*range(300), *range(301, 400)]
    assert str(outcomes[300]) == (
        "fences of Converter cannot be sent to another process; define its functions and classes at the top level of a module"
    )


def test_broken_executor_is_raised_after_the_results_before_it() -> None:
    jobs = list(islice(numbered(), 50))
    jobs[20] = Job("[a](b)", Converter(rewrite_url=dying))
    arrived: list[Conversion | MdpublishError] = []

    with started("spawn") as pool, pytest.raises(BrokenProcessPool):
        arrived.extend(convert_many(jobs, executor=pool))

    assert len(arrived) <= 20


def test_executor_that_takes_no_more_is_raised_after_the_results_before_it() -> None:
    pool = ThreadPoolExecutor(1)
    reader = Reader(numbered())
    outcomes = convert_many(reader, executor=pool)
    arrived = [next(outcomes)]

    pool.shutdown()
    with pytest.raises(RuntimeError, match="after shutdown"):
        arrived.extend(outcomes)

    assert first_lines(iter(arrived)) == list(range(len(arrived)))


def test_executor_that_cancels_is_raised() -> None:
    demanding = OnDemand()
    outcomes = convert_many(numbered(), executor=demanding)
    next(outcomes)
    demanding.futures[1].cancel()

    with pytest.raises(CancelledError):
        next(outcomes)


# Laziness and limits


@pytest.mark.parametrize("ready", [None, AtOnce(), OnDemand()], ids=["alone", "at once", "on demand"])
def test_nothing_is_read_before_the_first_result_is_requested(ready: Executor | None) -> None:
    reader = Reader(numbered())

    convert_many(reader, executor=ready)

    assert reader.read == 0


@pytest.mark.parametrize("ready", [None, AtOnce()], ids=["alone", "at once"])
def test_result_is_handed_out_as_soon_as_it_is_there(ready: Executor | None) -> None:
    reader = Reader(numbered())
    outcomes = convert_many(reader, executor=ready)

    for number in range(1, 30):
        next(outcomes)
        assert reader.read == number


def test_jobs_may_be_endless(executor: Executor | None) -> None:
    outcomes = convert_many(numbered(), executor=executor)

    assert first_lines(islice(outcomes, 500)) == list(range(500))
    outcomes.close()


def test_so_many_chunks_are_in_flight_and_no_more() -> None:
    demanding = OnDemand()

    next(convert_many(numbered(), executor=demanding))

    assert demanding.max_under_way == batch.MAX_CHUNKS_IN_FLIGHT


def test_so_many_characters_are_in_flight_and_no_more() -> None:
    demanding = OnDemand()
    source = "a" * 3_000_000

    next(convert_many((Job(source, Converter(to="html")) for _ in count()), executor=demanding))

    assert demanding.max_under_way == -(-batch.MAX_CHARACTERS_IN_FLIGHT // len(source))


def test_text_past_the_characters_in_flight_is_still_converted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch, "MAX_CHARACTERS_IN_FLIGHT", 1)

    assert first_lines(convert_many(islice(numbered(), 100), executor=AtOnce())) == list(range(100))


def test_closing_cancels_what_has_not_begun_and_leaves_the_executor_running() -> None:
    demanding = OnDemand()
    outcomes = convert_many(numbered(), executor=demanding)
    next(outcomes)

    outcomes.close()

    assert not demanding.futures[0].cancelled()
    assert all(future.cancelled() for future in demanding.futures[1:])


def test_executor_serves_on_after_a_batch_was_closed(executor: Executor | None) -> None:
    outcomes = convert_many(numbered(), executor=executor)
    next(outcomes)
    outcomes.close()

    assert first_lines(convert_many(islice(numbered(), 20), executor=executor)) == list(range(20))


def test_two_batches_share_an_executor(executor: Executor | None) -> None:
    one, other = (convert_many(islice(numbered(), 200), executor=executor) for _ in range(2))
    pairs = list(zip(one, other, strict=True))

    assert [pair[0] for pair in pairs] == [pair[1] for pair in pairs]


# Chunks


def test_short_batch_goes_job_by_job() -> None:
    demanding = OnDemand()

    list(convert_many((Job("a") for _ in range(batch.CHUNK_GROWTH)), executor=demanding))

    assert [len(chunk) for chunk in demanding.sent] == [1] * batch.CHUNK_GROWTH


def test_small_jobs_of_a_long_batch_go_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch, "MAX_CHUNK_SECONDS", 60)
    demanding = OnDemand()

    next(convert_many((Job("a") for _ in range(2_000)), executor=demanding))
    sizes = [len(chunk) for chunk in demanding.sent]

    assert sizes[:-1] == sorted(sizes[:-1])
    assert max(sizes) == batch.MAX_CHUNK_JOBS
    assert sum(sizes) == 2_000


def test_chunk_ends_with_the_text_that_fills_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch, "CHUNK_GROWTH", 1)
    monkeypatch.setattr(batch, "MAX_CHUNK_SECONDS", 60)
    small, large, styled = Job("a"), Job("a" * batch.MAX_CHUNK_CHARACTERS), Job("a", Converter(css="p { color: red }"))
    demanding = OnDemand()

    next(convert_many([*[small] * 20, large, small, large, styled, small, small], executor=demanding))

    assert [job for chunk in demanding.sent for job in chunk][20:24] == [large, small, large, styled]
    assert all(set(chunk[:-1]) <= {small} for chunk in demanding.sent)


def test_jobs_that_are_slow_to_come_do_not_wait_for_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch, "CHUNK_GROWTH", 1)
    demanding = OnDemand()

    def jobs() -> Iterator[Job]:
        for _ in range(20):
            time.sleep(2 * batch.MAX_CHUNK_SECONDS)
            yield Job("a")

    list(convert_many(jobs(), executor=demanding))

    assert [len(chunk) for chunk in demanding.sent] == [1] * 20
