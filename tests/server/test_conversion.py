import asyncio
import gzip
import json
import threading
from base64 import b64encode
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import suppress
from dataclasses import asdict, replace
from hashlib import sha256
from io import BytesIO
from typing import Any

import docx
import pytest
from msgspec import msgpack
from starlette.requests import ClientDisconnect
from starlette.types import Message

from mdpublish_core import (
    ALL_EXTENSIONS,
    Alternate,
    PageLink,
    PageOptions,
    SocialImage,
    convert,
    parse,
    render,
)
from mdpublish_core.hosting.pages import page_script_hash
from mdpublish_core.templates import ThemeMode
from mdpublish_core.workers import ForkServer, JobFailed, JobStalled, JobTooLarge, Worker, WorkerDied, WorkerFailure
from mdpublish_core.writers.outputs import DESTINATIONS
from mdpublish_server.conversion import cpu_time, disconnects
from mdpublish_server.conversion.converter import Converter, Share
from mdpublish_server.conversion.fair_queue import (
    MAX_IN_FLIGHT_PER_CLIENT,
    MAX_WAITING,
    MAX_WAITING_PER_CLIENT,
    RESTART_SECONDS,
)
from mdpublish_server.conversion.pool import Pool
from mdpublish_server.conversion.protocol import ConvertJob, RenderJob, SocialImageJob
from mdpublish_server.errors import ConversionError, RenderError, ServiceError, ServiceUnavailable
from mdpublish_server.models import ConvertRequest
from mdpublish_server.services.pages import RENDER_VERSION, stored_version
from tests.sampling import sampled

pytestmark = pytest.mark.anyio

BADGE = PageLink("Published with mdpublish", "https://example.org")
JOBS = "tests.server.conversion_jobs"
LONG = 60.0

# A red dot.
PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="
IMAGE_JOB = f"![dot](data:image/png;base64,{PIXEL})"


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="module")
async def converter(anyio_backend: str) -> AsyncIterator[Converter]:  # noqa: ARG001  (all tests share its event loop)
    converter = Converter(workers=1, demo_workers=1, jobs_module=JOBS, seconds=1.0, backstop=LONG, memory_bytes=1 << 29)
    await converter.start()
    yield converter
    converter.close()


@pytest.fixture
def hasty(converter: Converter, monkeypatch: pytest.MonkeyPatch) -> Converter:
    """The converter, with less CPU time to spend on a job that never ends."""
    monkeypatch.setattr(converter, "_seconds", 0.2)
    return converter


@pytest.fixture(scope="module")
def fork_server() -> Iterator[ForkServer]:
    fork_server = ForkServer("tests.core.worker_jobs", warm_up=("warm_up", b""), memory_bytes=400_000_000)
    yield fork_server
    fork_server.close()


@pytest.fixture
def make_pool(fork_server: ForkServer) -> Iterator[Callable[..., Pool]]:
    """Creates worker pools and closes them."""
    pools: list[Pool] = []

    def make(workers: int, *, kind: type[Pool] = Pool) -> Pool:
        pools.append(kind(fork_server, workers=workers))
        return pools[-1]

    yield make
    for pool in pools:
        pool.close()


def request(markdown: str, *, accepts_gzip: bool = False, **fields: Any) -> ConvertJob:
    given = {name: value for name, value in fields.items() if value is not None}
    return ConvertJob(request=ConvertRequest(markdown=markdown, **given), accepts_gzip=accepts_gzip)


def page(markdown: str, *, theme_mode: ThemeMode = "light", scanned: bool = False, **fields: Any) -> RenderJob:
    options = PageOptions(**{"title": "", "badge": BADGE, "robots": "noindex", **fields})
    return RenderJob(markdown=markdown, template_id="swiss", theme_mode=theme_mode, options=options, scanned=scanned)


def place(markdown: str, output: str = "page", **fields: Any) -> RenderJob:
    return replace(page(markdown, **fields), output=output)


async def converted(converter: Converter, markdown: str, **fields: Any) -> dict[str, Any]:
    response = await converter.convert(request(markdown, **fields), client_id="a")
    assert not response.gzipped
    return json.loads(response.body)  # type: ignore[no-any-return]


async def rendered(converter: Converter, markdown: str, **fields: Any) -> str:
    result = await converter.render(page(markdown, **fields), share=Share.DEMO, client_id="a")
    return gzip.decompress(result.body).decode()


@pytest.mark.parametrize("destination", DESTINATIONS)
async def test_response_is_what_the_library_gives(converter: Converter, destination: str) -> None:
    markdown = "# Grüezi\n\n[link](javascript:alert)\n\n```python\nx = 1\n```\n"
    response = await converted(converter, markdown, destination=destination, theme_mode="dark")

    expected = convert(markdown, to=destination, theme_mode="dark")
    assert response == {
        "html": expected.text,
        "plain_text": expected.plain_text,
        "destination": destination,
        "template_id": "swiss",
        "theme_mode": "dark",
        "media": [],
        "notices": [asdict(notice) for notice in expected.notices],
        "delivery": [{**asdict(each), "lines": [*each.lines]} for each in expected.delivery],
        "repairs": [],
    }


@pytest.mark.parametrize("destination", ["google-docs", "word", "onenote", "email", "generic"])
async def test_images_travel_as_requested(converter: Converter, destination: str) -> None:
    usual, background, inside = [
        await converted(converter, IMAGE_JOB, destination=destination, images=images)
        for images in (None, "cid", "data")
    ]
    (medium,) = background["media"]
    assert (medium["media_type"], medium["data"]) == ("image/png", PIXEL)
    assert f"cid:{medium['content_id']}" in background["html"]
    assert PIXEL not in background["html"]
    assert inside["media"] == []
    assert PIXEL in inside["html"]
    assert usual == (background if destination == "email" else inside)


@pytest.mark.parametrize("destination", ["slack", "plain-text"])
async def test_content_has_no_images(converter: Converter, destination: str) -> None:
    responses = [
        await converted(converter, IMAGE_JOB, destination=destination, images=images)
        for images in (None, "cid", "data")
    ]
    assert [response["media"] for response in responses] == [[], [], []]
    assert responses[0] == responses[1] == responses[2]


async def test_response_is_gzipped_where_it_is_requested_and_worth_it(converter: Converter) -> None:
    short = await converter.convert(request("x", destination="html", accepts_gzip=True), client_id="a")
    zipped = await converter.convert(request("word " * 500, accepts_gzip=True), client_id="a")
    plain = await converter.convert(request("word " * 500), client_id="a")
    assert (short.gzipped, zipped.gzipped, plain.gzipped) == (False, True, False)
    assert len(zipped.body) < len(plain.body)
    assert gzip.decompress(zipped.body) == plain.body


async def test_page_is_what_the_library_gives(converter: Converter) -> None:
    markdown = "# Grüezi\n\nTwo words"
    result = await converter.render(page(markdown), share=Share.ACCOUNTS, client_id="a")

    html = render(
        parse(markdown),
        to="page",
        options=PageOptions(title="Grüezi", description="Two words", badge=BADGE, robots="noindex"),
    ).html
    assert (result.title, result.word_count, result.rejected) == ("Grüezi", 3, None)
    assert gzip.decompress(result.body).decode() == html
    assert result.etag == sha256(html.encode()).hexdigest()[:32]
    assert stored_version(loads_fonts=False) == 2 * RENDER_VERSION == 26
    assert result.style_hash == hash_of(html, "style")


async def test_page_is_as_requested(converter: Converter) -> None:
    markdown = "## Part\n\nword\n\n" * 500 + "```\ncode\n```"
    shown: dict[str, Any] = {
        "description": "About",
        "canonical_url": "https://example.org/t",
        "page_width": "wide",
        "site_name": "Site",
        "alternates": (Alternate("https://example.org/t.md", "text/markdown", "Source"),),
        "links": (PageLink("Source", "/t.md"), PageLink("Report", "/report", rel="nofollow")),
        "reading_time": True,
        "toc": True,
        "copy_code": True,
    }
    image = SocialImage("https://example.org/t.png", alt="")
    requested = page(markdown, theme_mode="dark", title="T", robots=None, badge=None, social_image=image, **shown)
    result = await converter.render(requested, share=Share.DEMO, client_id="a")

    options = PageOptions(title="T", social_image=SocialImage("https://example.org/t.png", alt="T"), **shown)
    html = gzip.decompress(result.body).decode()
    assert html == render(parse(markdown), to="page", options=options, theme_mode="dark").html
    assert result.style_hash == hash_of(html, "style")
    assert page_script_hash() == hash_of(html, "script")


def hash_of(html: str, element: str) -> str:
    """Return an element's hash in the form of Content-Security-Policy."""
    source = html.partition(f"<{element}>")[2].partition(f"</{element}>")[0]
    return f"sha256-{b64encode(sha256(source.encode()).digest()).decode()}"


async def test_description_is_taken_from_the_content_where_none_is_given(converter: Converter) -> None:
    name = '<meta name="description" content='
    assert f'{name}"A &lt;first&gt; paragraph"' in await rendered(converter, "# x\n\nA `<first>` paragraph")
    assert f'{name}"Given"' in await rendered(converter, "text", description="Given")
    assert name not in await rendered(converter, "# x")


async def test_same_page_is_stored_as_the_same_bytes(converter: Converter) -> None:
    pages = [await converter.render(page("# x"), share=share, client_id="a") for share in Share]
    assert pages[0] == pages[1]


async def test_title_is_the_first_heading_where_none_is_given(converter: Converter) -> None:
    titles = [
        (await converter.render(page(markdown, title=title), share=Share.DEMO, client_id="a")).title
        for markdown, title in (("# Heading", ""), ("# Heading", "Given"), ("text", ""))
    ]
    assert titles == ["Heading", "Given", "Untitled"]


async def test_page_to_show_is_the_stored_one(converter: Converter) -> None:
    placed = await converter.place(place("# x"), share=Share.DEMO, client_id="a")
    stored = await converter.render(page("# x"), share=Share.DEMO, client_id="a")
    assert placed.html is not None
    assert placed.html.encode() == gzip.decompress(stored.body)
    assert placed.title == stored.title


async def test_word_file_of_an_untitled_document_is_titled_by_its_heading(converter: Converter) -> None:
    placed = await converter.place(place("# x", "docx", title="Untitled"), share=Share.DEMO, client_id="a")

    assert placed.file is not None
    assert docx.Document(BytesIO(placed.file)).core_properties.title == "x"


async def test_scanner_runs_only_where_it_should_be(converter: Converter) -> None:
    harmful = (
        "# PayPal\n\nYour account is limited. [Verify your password](http://paypal.com.account-verify.example.tk/login)"
    )
    scanned = await converter.render(page(harmful, scanned=True), share=Share.DEMO, client_id="a")
    unscanned = await converter.render(page(harmful), share=Share.DEMO, client_id="a")
    harmless = await converter.render(page("# A poem", scanned=True), share=Share.DEMO, client_id="a")
    assert scanned.rejected
    assert unscanned.rejected is harmless.rejected is None


async def test_words_are_those_that_a_reader_sees(converter: Converter) -> None:
    words = await converter.read_words("# Two *words*\n\n[link](https://example.org)", client_id="a")
    assert (words.count, words.indexed) == (3, "two words link https example org")


async def test_words_of_a_content_too_heavy_to_parse_are_counted_by_white_space(hasty: Converter) -> None:
    for harm in ("spin", "abort", "raise"):
        words = await hasty.read_words(f"{harm}: b # c", client_id="a")
        assert (words.count, words.indexed) == (4, f"{harm} b c")


FAILURES = [
    ("spin:", "exceeded the limit of 0.2 s of CPU time"),
    ("bomb:", "exceeded the memory limit of 0.5 GiB"),
    ("crash:", "failed: internal server error"),
    ("recurse:", "failed: internal server error"),
    ("raise:a secret", "failed: internal server error"),
    ("forge:", "failed: internal server error"),
    ("echo:not an answer", "failed: internal server error"),
]


@pytest.mark.parametrize(("markdown", "words"), sampled(FAILURES, 4))
async def test_failure_is_reported_by_its_bound_and_logged_without_the_content(
    converter: Converter,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    markdown: str,
    words: str,
) -> None:
    if markdown == "spin:":
        monkeypatch.setattr(converter, "_seconds", 0.2)
    requests: list[tuple[type[ServiceError], str, Callable[[], Any]]] = [
        (ConversionError, "conversion_error", lambda: converter.convert(request(markdown), client_id="a")),
        (RenderError, "render_error", lambda: converter.render(page(markdown), share=Share.DEMO, client_id="a")),
    ]
    for kind, code, send in requests:
        with pytest.raises(kind) as caught:
            await send()
        assert (caught.value.status, caught.value.code) == (500, code)
        assert words in caught.value.message
        assert "secret" not in caught.value.message
    # Beside what a busy machine makes the pool say.
    assert sum(" failed: " in each for each in caplog.messages) == 2
    assert "secret" not in caplog.text
    assert (await converted(converter, "next"))["plain_text"] == "next\n"


async def test_machine_that_is_too_busy_is_a_503_and_no_fault_of_the_document(
    converter: Converter, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A job that waits gets no CPU time, as on a machine that is too busy."""
    monkeypatch.setattr(converter, "_backstop", 0.2)
    share: dict[str, Any] = {"share": Share.DEMO, "client_id": "a"}
    sends: list[Callable[[], Any]] = [
        lambda: converter.convert(request("hang:"), client_id="a"),
        lambda: converter.render(page("hang:"), **share),
        lambda: converter.place(place("hang:"), **share),
        lambda: converter.read_words("hang:", client_id="a"),
        lambda: converter.render_social_image(
            SocialImageJob(title="hang:", template_id="swiss", theme_mode="light", site_name=""), **share
        ),
    ]
    for send in sends:
        with pytest.raises(ServiceUnavailable) as caught:
            await send()
        assert caught.value.headers == {"Retry-After": "2"}
        assert "busy" in caught.value.message
        assert "simplify" not in caught.value.message


async def test_figure_that_stalls_is_a_503(make_pool: Callable[..., Pool]) -> None:
    pool = make_pool(1)
    await pool.start()
    with pytest.raises(JobStalled):
        await pool.run("stall", b"", seconds=LONG, client_id="a")
    assert await pool.run("echo", b"next", seconds=LONG, client_id="a") == b"next"


async def test_cpu_time_is_observed(hasty: Converter) -> None:
    seen: list[tuple[str, str, float]] = []
    hasty.observe(lambda job, outcome, _seconds, cpu_seconds: seen.append((job, outcome, cpu_seconds)))
    of_request = cpu_time.start_counting()
    await converted(hasty, "next")
    with pytest.raises(ConversionError):
        await hasty.convert(request("spin:"), client_id="a")
    (first, second) = seen
    assert first[:2] == ("convert", "done")
    assert 0 < first[2] < 0.2
    assert second == ("convert", "failed", 0.2)
    assert of_request == [first[2], 0.2]


@pytest.mark.nightly
async def test_job_has_five_seconds_and_a_gibibyte_by_default() -> None:
    converter = Converter(workers=1, demo_workers=1, jobs_module=JOBS)
    try:
        with pytest.raises(ConversionError, match=r"exceeded the limit of 5 s of CPU time"):
            await converter.convert(request("spin:"), client_id="a")
        with pytest.raises(ConversionError, match=r"exceeded the memory limit of 1 GiB"):
            await converter.convert(request("bomb:"), client_id="a")
    finally:
        converter.close()


async def test_crash_of_the_core_is_logged_by_its_error(converter: Converter, caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(ConversionError) as caught:
        await converter.convert(request("x", template_id="gone"), client_id="a")
    assert "gone" not in caught.value.message
    assert "UnknownTemplate" in caplog.text
    assert "get_template" in caplog.text


async def test_bound_of_the_output_is_reported(converter: Converter, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(converter, "_seconds", LONG)
    # Each character becomes a run with its complete inline style.
    with pytest.raises(ConversionError, match=r"Output must be at most [0-9,]+ bytes \(got [0-9,]+\)"):
        await converter.convert(request("*a*`b`" * 30_000, destination="google-docs"), client_id="a")


async def test_flood_of_demos_takes_no_account_s_workers() -> None:
    """Nor do jobs have to wait for a start."""
    converter = Converter(workers=1, demo_workers=1, jobs_module=JOBS)
    flood = [asyncio.create_task(converter.render(page("hang:"), share=Share.DEMO, client_id="a")) for _ in range(6)]
    await asyncio.sleep(0.05)
    assert (await converted(converter, "early"))["plain_text"] == "early\n"
    assert not any(task.done() for task in flood)
    converter.close()
    await asyncio.gather(*flood, return_exceptions=True)


async def test_worker_that_cannot_start_is_reported_at_the_start(capfd: pytest.CaptureFixture[str]) -> None:
    converter = Converter(workers=1, demo_workers=1, jobs_module="no.such.module")
    with pytest.raises(WorkerDied):
        await converter.start()
    with pytest.raises(ServiceUnavailable):
        await converter.convert(request("x"), client_id="a")
    assert "No module named 'no'" in capfd.readouterr().err


class HeldPool(Pool):
    """A pool in which only the first worker starts before `release`."""

    release = threading.Event()

    def _warm_up(self, worker: Worker) -> Exception | None:
        if worker is not self._workers[0]:
            self.release.wait(LONG)
        return super()._warm_up(worker)


async def test_jobs_are_done_while_other_workers_start(make_pool: Callable[..., Pool]) -> None:
    pool = make_pool(3, kind=HeldPool)
    try:
        await pool.start(enough=1)
        assert await pool.run("echo", b"early", seconds=LONG, client_id="a") == b"early"
        assert [worker.starts for worker in pool._workers] == [1, 0, 0]
        HeldPool.release.set()
        await pool.start()
        assert [worker.starts for worker in pool._workers] == [1, 1, 1]
    finally:
        HeldPool.release.set()


async def test_closing_ends_what_is_under_way_and_refuses_the_rest(make_pool: Callable[..., Pool]) -> None:
    pool = make_pool(1)
    await pool.start()
    tasks = [asyncio.create_task(pool.run("hang", b"", seconds=LONG, client_id="a")) for _ in range(4)]
    await asyncio.sleep(0.1)
    for _ in range(2):
        pool.close()
    outcomes = await asyncio.gather(*tasks, return_exceptions=True)
    assert [type(outcome) for outcome in outcomes] == [ServiceUnavailable] * 4
    with pytest.raises(ServiceUnavailable) as caught:
        await pool.run("echo", b"", seconds=LONG, client_id="a")
    assert caught.value.headers == {"Retry-After": "2"}


def test_warm_up_loads_all_that_a_job_needs(converter: Converter) -> None:
    worker = Worker.of(converter._fork_server)
    try:
        before = worker.run("modules", b"", seconds=LONG)
        _do_all_kinds_of_jobs(worker)
        after = worker.run("modules", b"", seconds=LONG)
    finally:
        worker.close()
    assert sorted(set(after.split()) - set(before.split())) == []
    # Modules that only the server process needs.
    assert not {b"sqlalchemy", b"starlette", b"asyncio"} & set(after.split())


def _do_all_kinds_of_jobs(worker: Worker) -> None:
    source = (
        f"# Grüezi 語\n\n- [x] a\n\n> b\n\n| c |\n|---|\n| *d* |\n\n```python\nx = 'y'\n```\n\n<b>e</b> {IMAGE_JOB}\n"
    )
    for destination in DESTINATIONS:
        for images in (None, "cid", "data"):
            requested = request(source, destination=destination, images=images, accepts_gzip=True, theme_mode="dark")
            worker.run("convert", msgpack.encode(requested), seconds=LONG)
    names = tuple(sorted(ALL_EXTENSIONS))
    worker.run("convert", msgpack.encode(request(f"{source} :tada:", extensions=names)), seconds=LONG)
    shown: dict[str, Any] = {"reading_time": True, "toc": True, "copy_code": True, "page_width": "full"}
    job_of_page = page(source, scanned=True, **shown)
    worker.run("render", msgpack.encode(job_of_page), seconds=LONG)
    worker.run("place", msgpack.encode(place(source)), seconds=LONG)
    worker.run("read_words", source.encode(), seconds=LONG)


# Worker pool

HARM = ("abort", "exit", "crash", "bomb", "recurse", "raise", "forge", "leave", "hang")


@pytest.mark.nightly
@pytest.mark.short
async def test_killers_among_a_thousand_innocents_fail_only_themselves(make_pool: Callable[..., Pool]) -> None:
    pool = make_pool(2)
    await pool.start()
    room = asyncio.Semaphore(24)

    async def innocent(number: int) -> bool:
        payload = f"{number}-".encode() * (1 + 997 * (number % 7))
        async with room:
            return await pool.run("echo", payload, seconds=LONG, client_id=f"innocent {number % 12}") == payload

    async def killer(number: int) -> WorkerFailure | bytes:
        job = HARM[number % len(HARM)]
        async with room:
            try:
                return await pool.run(
                    job, b"1", seconds=LONG, backstop=0.3 if job == "hang" else LONG, client_id=f"killer {number % 3}"
                )
            except WorkerFailure as failure:
                return failure

    requests: list[asyncio.Task[Any]] = []
    for number in range(1_000):
        requests.append(asyncio.create_task(innocent(number)))
        if number % 25 == 0:
            requests.append(asyncio.create_task(killer(number // 25)))
    outcomes = await asyncio.gather(*requests)

    assert sum(outcome is True for outcome in outcomes) == 1_000
    failures = [outcome for outcome in outcomes if outcome is not True]
    assert len(failures) == 40
    assert all(isinstance(failure, WorkerFailure) for failure in failures)
    assert {type(failure) for failure in failures} >= {WorkerDied, JobFailed, JobTooLarge}


async def test_client_with_many_jobs_delays_another_by_a_few(make_pool: Callable[..., Pool]) -> None:
    pool = make_pool(2)
    await pool.start()
    done: list[str] = []

    async def send(client_id: str) -> None:
        with suppress(ServiceUnavailable):
            await pool.run("sleep", b"0.02", seconds=LONG, client_id=client_id)
            done.append(client_id)

    greedy = [asyncio.create_task(send("greedy")) for _ in range(100)]
    await asyncio.sleep(0)
    await send("modest")
    assert done.count("greedy") <= 5
    await asyncio.gather(*greedy)
    assert done.count("greedy") == 1 + MAX_WAITING_PER_CLIENT


async def test_client_past_its_bound_learns_when_to_retry(make_pool: Callable[..., Pool]) -> None:
    pool = make_pool(3)
    await pool.start()
    jobs = [
        asyncio.create_task(pool.run("sleep", b"0.01", seconds=LONG, client_id="a"))
        for _ in range(MAX_IN_FLIGHT_PER_CLIENT + MAX_WAITING_PER_CLIENT)
    ]
    await asyncio.sleep(0)
    with pytest.raises(
        ServiceUnavailable, match=rf"Too many of your requests are waiting \(limit {MAX_WAITING_PER_CLIENT}\)"
    ) as caught:
        await pool.run("echo", b"", seconds=LONG, client_id="a")
    assert (caught.value.status, caught.value.headers) == (503, {"Retry-After": "2"})
    assert await pool.run("echo", b"b", seconds=LONG, client_id="b") == b"b"
    await asyncio.gather(*jobs)


async def test_all_clients_together_are_bounded(make_pool: Callable[..., Pool]) -> None:
    pool = make_pool(1)
    await pool.start()
    # The first is still running when the last is in the queue.
    jobs = [
        asyncio.create_task(pool.run("sleep", seconds, seconds=LONG, client_id=f"client {number}"))
        for number, seconds in enumerate((b"1", *[b"0.001"] * MAX_WAITING))
    ]
    await asyncio.sleep(0)
    with pytest.raises(ServiceUnavailable, match=rf"Too many requests are waiting \(limit {MAX_WAITING}\)"):
        await pool.run("echo", b"", seconds=LONG, client_id="a")
    await asyncio.gather(*jobs)
    assert await pool.run("echo", b"a", seconds=LONG, client_id="a") == b"a"


async def test_waiter_that_is_cancelled_leaves_the_queue(make_pool: Callable[..., Pool]) -> None:
    pool = make_pool(1)
    await pool.start()
    first = asyncio.create_task(pool.run("sleep", b"1.5", seconds=LONG, client_id="a"))
    waiting = [
        asyncio.create_task(pool.run("hang", b"", seconds=LONG, client_id="a")) for _ in range(MAX_WAITING_PER_CLIENT)
    ]
    await asyncio.sleep(0.05)
    for task in waiting:
        task.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)
    assert pool.waiting == 0
    assert await pool.run("echo", b"next", seconds=LONG, client_id="a") == b"next"
    assert await first == b"1.5"


async def test_client_that_is_cancelled_during_its_job_leaves_a_worker_that_works(
    make_pool: Callable[..., Pool],
) -> None:
    pool = make_pool(1)
    await pool.start()
    for _ in range(5):
        task = asyncio.create_task(pool.run("sleep", b"0.05", seconds=LONG, client_id="a"))
        await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert await pool.run("echo", b"mine", seconds=LONG, client_id="a") == b"mine"


class Client:
    """The client of a request whose body was read: `receive` tells that it left."""

    def __init__(self) -> None:
        self.has_left = asyncio.Event()

    async def receive(self) -> Message:
        await self.has_left.wait()
        return {"type": "http.disconnect"}


async def of_client(client: Client, job: Awaitable[bytes]) -> bytes:
    with disconnects.watched(client.receive):
        return await job


async def test_queued_job_of_a_client_that_left_is_not_run(make_pool: Callable[..., Pool]) -> None:
    pool = make_pool(1)
    await pool.start()
    first = asyncio.create_task(pool.run("sleep", b"0.2", seconds=LONG, client_id="a"))
    await asyncio.sleep(0)
    client = Client()
    waiting = [
        asyncio.create_task(of_client(client, pool.run("hang", b"", seconds=LONG, client_id="b"))) for _ in range(3)
    ]
    await asyncio.sleep(0)
    assert pool.waiting == 3
    client.has_left.set()
    outcomes = await asyncio.gather(*waiting, return_exceptions=True)
    assert [type(outcome) for outcome in outcomes] == [ClientDisconnect] * 3
    assert pool.waiting == 0
    assert await first == b"0.2"


@pytest.mark.parametrize("limit", ["ABANDONED_CPU_SECONDS", "ABANDONED_SECONDS"])
async def test_running_job_of_a_client_that_left_is_interrupted_and_charged(
    make_pool: Callable[..., Pool], monkeypatch: pytest.MonkeyPatch, limit: str
) -> None:
    monkeypatch.setattr(f"mdpublish_server.conversion.pool.{limit}", 0.01)
    pool = make_pool(1)
    pool._queue._usage._clock = lambda: 0.0
    await pool.start()
    client, spent = Client(), [0.0]
    run = pool.run("spin", b"", seconds=LONG, client_id="a", spend=spent.append)
    (worker,) = pool._workers
    before = worker.clock
    job = asyncio.create_task(of_client(client, run))
    while worker.clock < before + 0.05:  # noqa: ASYNC110  (no event signals it)
        await asyncio.sleep(0.01)
    client.has_left.set()
    with pytest.raises(ClientDisconnect):
        await job
    assert 0 < sum(spent) < LONG
    assert pool._queue._usage.of("a") == pytest.approx(sum(spent) + RESTART_SECONDS)
    assert await pool.run("echo", b"next", seconds=LONG, client_id="b") == b"next"


async def test_short_job_of_a_client_that_left_does_not_cost_its_worker(
    make_pool: Callable[..., Pool], monkeypatch: pytest.MonkeyPatch
) -> None:
    for limit in ("ABANDONED_CPU_SECONDS", "ABANDONED_SECONDS"):
        monkeypatch.setattr(f"mdpublish_server.conversion.pool.{limit}", LONG)
    pool = make_pool(1)
    await pool.start()
    pid = await pool.run("pid", b"", seconds=LONG, client_id="a")
    client, spent = Client(), [0.0]
    run = pool.run("burn", b"0.05", seconds=LONG, client_id="a", spend=spent.append)
    job = asyncio.create_task(of_client(client, run))
    await asyncio.sleep(0.01)
    client.has_left.set()
    with pytest.raises(ClientDisconnect):
        await job
    assert sum(spent) >= 0.05
    assert await pool.run("pid", b"", seconds=LONG, client_id="a") == pid


async def test_job_of_a_task_that_a_request_started_goes_on(make_pool: Callable[..., Pool]) -> None:
    """Other requests may wait for it."""
    pool = make_pool(1)
    await pool.start()
    client = Client()
    with disconnects.watched(client.receive):
        shared = asyncio.create_task(pool.run("sleep", b"0.05", seconds=LONG, client_id="a"))
    client.has_left.set()
    assert await shared == b"0.05"


async def test_job_of_a_client_that_stays_is_done_though_more_of_the_body_arrives(
    make_pool: Callable[..., Pool],
) -> None:
    pool = make_pool(1)
    await pool.start()
    messages: list[Message] = [{"type": "http.request"}, {"type": "http.request", "body": b"x", "more_body": True}]

    async def receive() -> Message:
        return messages.pop() if messages else await Client().receive()

    with disconnects.watched(receive):
        assert await pool.run("sleep", b"0.05", seconds=LONG, client_id="a") == b"0.05"
    assert not messages


async def test_job_that_waits_too_long_in_the_queue_is_refused(
    make_pool: Callable[..., Pool], monkeypatch: pytest.MonkeyPatch
) -> None:
    pool = make_pool(1)
    await pool.start()
    running = asyncio.create_task(pool.run("sleep", b"0.2", seconds=LONG, client_id="a"))
    await asyncio.sleep(0)
    monkeypatch.setattr("mdpublish_server.conversion.pool.MAX_WAIT_SECONDS", 0.01)
    with pytest.raises(ServiceUnavailable, match=r"No worker was free within 0\.01 s; retry in 2 s") as caught:
        await pool.run("echo", b"", seconds=LONG, client_id="b")
    assert caught.value.headers == {"Retry-After": "2"}
    assert pool.waiting == 0
    assert await running == b"0.2"


async def test_job_that_runs_is_not_refused_for_its_wait(
    make_pool: Callable[..., Pool], monkeypatch: pytest.MonkeyPatch
) -> None:
    pool = make_pool(1)
    await pool.start()
    monkeypatch.setattr("mdpublish_server.conversion.pool.MAX_WAIT_SECONDS", 0.01)
    assert await pool.run("sleep", b"0.1", seconds=LONG, client_id="a") == b"0.1"


async def test_event_loop_goes_on_while_jobs_are_done(make_pool: Callable[..., Pool]) -> None:
    pool = make_pool(2)
    await pool.start()
    jobs = asyncio.gather(
        *(pool.run("burn", b"0.1", seconds=LONG, client_id=f"client {number}") for number in range(6))
    )
    queue = 0
    while not jobs.done():
        await asyncio.sleep(0.002)
        queue += 1
    # Six if jobs blocked the event loop.
    assert queue > 12
