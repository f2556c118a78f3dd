import asyncio
import gzip
import json
from base64 import b64encode
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import suppress
from hashlib import sha256
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import msgpack

from mdpublish_core import (
    Alternate,
    PageLink,
    PageOptions,
    SocialImage,
    convert,
    page_script_hash,
    parse,
    render_page,
)
from mdpublish_core.destinations import DESTINATIONS
from mdpublish_core.templates import ThemeMode
from mdpublish_core.workers import JobFailed, JobTooLarge, Worker, WorkerDied, WorkerFailure
from mdpublish_server.conversion import Converter, ConvertJob, RenderJob, Share
from mdpublish_server.conversion.pool import Pool
from mdpublish_server.conversion.turns import ALL_WAITING, CALLER_IN_FLIGHT, CALLER_WAITING, Task, Turns
from mdpublish_server.errors import ConversionError, RenderError, ServiceError, ServiceUnavailable
from mdpublish_server.models import ConvertRequest
from mdpublish_server.pages import RENDER_VERSION, stored_version

pytestmark = pytest.mark.anyio

BADGE = PageLink("Published with mdpublish", "https://example.org")
JOBS = "tests.server.conversion_jobs"
PLAIN_JOBS = "tests.core.worker_jobs"
LONG = 30.0

# A red dot.
PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="
PICTURE = f"![dot](data:image/png;base64,{PIXEL})"


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="module")
async def converter(anyio_backend: str) -> AsyncIterator[Converter]:  # noqa: ARG001  (all tests share its event loop)
    converter = Converter(workers=1, demo_workers=1, jobs_module=JOBS, seconds=1.5, memory_bytes=1 << 29)
    await converter.start()
    yield converter
    converter.close()


@pytest.fixture
def make_pool() -> Iterator[Callable[..., Pool]]:
    """Makes pools of workers that do as they are told, and closes them."""
    pools: list[Pool] = []

    def make(workers: int, *, module: str = PLAIN_JOBS) -> Pool:
        pools.append(Pool(module, workers=workers, memory_bytes=400_000_000))
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


async def converted(converter: Converter, markdown: str, **fields: Any) -> dict[str, Any]:
    answer = await converter.convert(request(markdown, **fields), caller="a")
    assert not answer.gzipped
    return json.loads(answer.body)  # type: ignore[no-any-return]


async def rendered(converter: Converter, markdown: str, **fields: Any) -> str:
    result = await converter.render(page(markdown, **fields), share=Share.DEMO, caller=None)
    return gzip.decompress(result.body).decode()


@pytest.mark.parametrize("destination", DESTINATIONS)
async def test_answer_is_what_the_library_gives(converter: Converter, destination: str) -> None:
    markdown = "# Grüezi\n\n[link](javascript:alert)\n\n```python\nx = 1\n```\n"
    answer = await converted(converter, markdown, destination=destination, theme_mode="dark")

    expected = convert(markdown, destination=destination, theme_mode="dark")
    assert answer == {
        "html": expected.html,
        "plain_text": expected.plain_text,
        "destination": destination,
        "template_id": "swiss",
        "theme_mode": "dark",
        "media": [],
        "notices": [
            {"code": notice.code, "message": notice.message, "line": notice.line} for notice in expected.notices
        ],
    }


@pytest.mark.parametrize("destination", ["google-docs", "word", "onenote", "email", "generic"])
async def test_pictures_travel_as_asked(converter: Converter, destination: str) -> None:
    usual, beside, inside = [
        await converted(converter, PICTURE, destination=destination, images=images) for images in (None, "cid", "data")
    ]
    (medium,) = beside["media"]
    assert (medium["media_type"], medium["data"]) == ("image/png", PIXEL)
    assert f"cid:{medium['content_id']}" in beside["html"]
    assert PIXEL not in beside["html"]
    assert inside["media"] == []
    assert PIXEL in inside["html"]
    assert usual == (beside if destination == "email" else inside)


@pytest.mark.parametrize("destination", ["slack", "plain-text"])
async def test_text_has_no_pictures(converter: Converter, destination: str) -> None:
    answers = [
        await converted(converter, PICTURE, destination=destination, images=images) for images in (None, "cid", "data")
    ]
    assert [answer["media"] for answer in answers] == [[], [], []]
    assert answers[0] == answers[1] == answers[2]


async def test_answer_is_gzipped_where_it_is_asked_for_and_worth_it(converter: Converter) -> None:
    short = await converter.convert(request("x", destination="html", accepts_gzip=True), caller="a")
    zipped = await converter.convert(request("word " * 500, accepts_gzip=True), caller="a")
    plain = await converter.convert(request("word " * 500), caller="a")
    assert (short.gzipped, zipped.gzipped, plain.gzipped) == (False, True, False)
    assert len(zipped.body) < len(plain.body)
    assert gzip.decompress(zipped.body) == plain.body


async def test_page_is_what_the_library_gives(converter: Converter) -> None:
    markdown = "# Grüezi\n\nTwo words"
    result = await converter.render(page(markdown), share=Share.ACCOUNTS, caller="a")

    html = render_page(
        parse(markdown), PageOptions(title="Grüezi", description="Two words", badge=BADGE, robots="noindex")
    )
    assert (result.title, result.word_count, result.rejected) == ("Grüezi", 3, None)
    assert gzip.decompress(result.body).decode() == html
    assert result.etag == sha256(html.encode()).hexdigest()[:32]
    assert stored_version(loads_fonts=False) == 2 * RENDER_VERSION == 12
    assert result.style_hash == hash_of(html, "style")


async def test_page_is_as_asked(converter: Converter) -> None:
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
    asked = page(markdown, theme_mode="dark", title="T", robots=None, badge=None, social_image=image, **shown)
    result = await converter.render(asked, share=Share.DEMO, caller=None)

    options = PageOptions(title="T", social_image=SocialImage("https://example.org/t.png", alt="T"), **shown)
    html = gzip.decompress(result.body).decode()
    assert html == render_page(parse(markdown), options, theme_mode="dark")
    assert result.style_hash == hash_of(html, "style")
    assert page_script_hash() == hash_of(html, "script")


def hash_of(html: str, element: str) -> str:
    """Return the hash of an element's text as a Content-Security-Policy has it."""
    text = html.partition(f"<{element}>")[2].partition(f"</{element}>")[0]
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


async def test_description_is_the_texts_own_where_none_is_given(converter: Converter) -> None:
    name = '<meta name="description" content='
    assert f'{name}"A &lt;first&gt; paragraph"' in await rendered(converter, "# x\n\nA `<first>` paragraph")
    assert f'{name}"Given"' in await rendered(converter, "text", description="Given")
    assert name not in await rendered(converter, "# x")


async def test_same_page_is_kept_as_the_same_bytes(converter: Converter) -> None:
    pages = [await converter.render(page("# x"), share=share, caller="a") for share in Share]
    assert pages[0] == pages[1]


async def test_title_is_the_first_heading_where_none_is_given(converter: Converter) -> None:
    titles = [
        (await converter.render(page(markdown, title=title), share=Share.DEMO, caller=None)).title
        for markdown, title in (("# Heading", ""), ("# Heading", "Given"), ("text", ""))
    ]
    assert titles == ["Heading", "Given", "Untitled"]


async def test_preview_is_the_page(converter: Converter) -> None:
    preview = await converter.preview(page("# x"))
    kept = await converter.render(page("# x"), share=Share.DEMO, caller=None)
    assert preview.html.encode() == gzip.decompress(kept.body)
    assert (preview.title, preview.style_hash) == (kept.title, kept.style_hash)


async def test_scanner_is_asked_only_where_it_should_be(converter: Converter) -> None:
    harmful = (
        "# PayPal\n\nYour account is limited. [Verify your password](http://paypal.com.account-verify.example.tk/login)"
    )
    scanned = await converter.render(page(harmful, scanned=True), share=Share.DEMO, caller=None)
    unscanned = await converter.render(page(harmful), share=Share.DEMO, caller=None)
    harmless = await converter.render(page("# A poem", scanned=True), share=Share.DEMO, caller=None)
    assert scanned.rejected
    assert unscanned.rejected is harmless.rejected is None


async def test_words_are_those_that_a_reader_sees(converter: Converter) -> None:
    assert await converter.count_words("# Two *words*\n\n[link](https://example.org)", caller="a") == 3


async def test_words_of_a_text_too_heavy_to_parse_are_counted_by_white_space(converter: Converter) -> None:
    for harm in ("hang", "abort", "raise"):
        assert await converter.count_words(f"{harm}: b # c", caller="a") == 4


FAILURES = [
    ("hang:", "took longer than the 1.5 s allowed"),
    ("spin:", "took longer than the 1.5 s allowed"),
    ("bomb:", "took more than the 0.5 GiB of memory allowed"),
    ("crash:", "broke off, which is a mistake of the service"),
    ("recurse:", "broke off, which is a mistake of the service"),
    ("raise:a secret", "broke off, which is a mistake of the service"),
    ("forge:", "broke off, which is a mistake of the service"),
    ("echo:not an answer", "broke off, which is a mistake of the service"),
]


@pytest.mark.parametrize(("markdown", "words"), FAILURES)
async def test_failure_is_told_by_its_bound_and_logged_without_the_text(
    converter: Converter, caplog: pytest.LogCaptureFixture, markdown: str, words: str
) -> None:
    calls: list[tuple[type[ServiceError], str, Callable[[], Any]]] = [
        (ConversionError, "conversion_error", lambda: converter.convert(request(markdown), caller="a")),
        (RenderError, "render_error", lambda: converter.render(page(markdown), share=Share.DEMO, caller=None)),
    ]
    for kind, code, call in calls:
        with pytest.raises(kind) as caught:
            await call()
        assert (caught.value.status, caught.value.code) == (500, code)
        assert words in caught.value.message
        assert "secret" not in caught.value.message
    assert len(caplog.records) == 2
    assert "secret" not in caplog.text
    assert (await converted(converter, "next"))["plain_text"] == "next\n"


async def test_job_has_five_seconds_and_a_gibibyte_by_default() -> None:
    converter = Converter(workers=1, demo_workers=1, jobs_module=JOBS)
    try:
        with pytest.raises(ConversionError, match=r"took longer than the 5 s allowed"):
            await converter.convert(request("hang:"), caller="a")
        with pytest.raises(ConversionError, match=r"took more than the 1 GiB of memory allowed"):
            await converter.convert(request("bomb:"), caller="a")
    finally:
        converter.close()


async def test_crash_of_the_core_is_logged_by_its_error(converter: Converter, caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(ConversionError) as caught:
        await converter.convert(request("x", template_id="gone"), caller="a")
    assert "gone" not in caught.value.message
    assert "UnknownTemplate" in caplog.text
    assert "get_template" in caplog.text


async def test_bound_of_the_output_is_told() -> None:
    # Each letter is a run of its own, with all its style.
    wanted = request("*a*`b`" * 30_000, destination="google-docs")
    converter = Converter(workers=1, demo_workers=1, seconds=LONG)
    try:
        with pytest.raises(ConversionError, match=r"comes to [0-9,]+ bytes of output; at most [0-9,]+ are allowed"):
            await converter.convert(wanted, caller="a")
    finally:
        converter.close()


async def test_flood_of_demos_takes_no_account_s_workers(converter: Converter) -> None:
    flood = [asyncio.create_task(converter.render(page("sleep:0.3"), share=Share.DEMO, caller=None)) for _ in range(6)]
    await asyncio.sleep(0.05)
    async with asyncio.timeout(LONG):
        await converted(converter, "x")
    assert not all(task.done() for task in flood)
    await asyncio.gather(*flood, return_exceptions=True)


async def test_jobs_that_come_before_the_start_are_done() -> None:
    converter = Converter(workers=1, demo_workers=1)
    try:
        assert (await converted(converter, "early"))["plain_text"] == "early\n"
    finally:
        converter.close()


async def test_worker_that_cannot_start_is_told_at_the_start(capfd: pytest.CaptureFixture[str]) -> None:
    converter = Converter(workers=1, demo_workers=1, jobs_module="no.such.module")
    with pytest.raises(WorkerDied):
        await converter.start()
    with pytest.raises(ServiceUnavailable):
        await converter.convert(request("x"), caller="a")
    assert "No module named 'no'" in capfd.readouterr().err


async def test_closing_ends_what_is_under_way_and_refuses_the_rest(make_pool: Callable[..., Pool]) -> None:
    pool = make_pool(1)
    await pool.start()
    tasks = [asyncio.create_task(pool.run("hang", b"", seconds=LONG, caller="a")) for _ in range(4)]
    await asyncio.sleep(0.1)
    for _ in range(2):
        pool.close()
    outcomes = await asyncio.gather(*tasks, return_exceptions=True)
    assert [type(outcome) for outcome in outcomes] == [ServiceUnavailable] * 4
    with pytest.raises(ServiceUnavailable) as caught:
        await pool.run("echo", b"", seconds=LONG, caller="a")
    assert caught.value.headers == {"Retry-After": "2"}


def test_warm_up_loads_all_that_a_job_needs() -> None:
    worker = Worker(JOBS)
    try:
        worker.run("warm_up", b"", seconds=LONG)
        before = worker.run("modules", b"", seconds=LONG)
        _do_all_kinds_of_jobs(worker)
        after = worker.run("modules", b"", seconds=LONG)
    finally:
        worker.close()
    assert sorted(set(after.split()) - set(before.split())) == []
    # What only the server's own process needs.
    assert not {b"sqlalchemy", b"starlette", b"asyncio"} & set(after.split())


def _do_all_kinds_of_jobs(worker: Worker) -> None:
    text = f"# Grüezi 語\n\n- [x] a\n\n> b\n\n| c |\n|---|\n| *d* |\n\n```python\nx = 'y'\n```\n\n<b>e</b> {PICTURE}\n"
    for destination in DESTINATIONS:
        for images in (None, "cid", "data"):
            asked = request(text, destination=destination, images=images, accepts_gzip=True, theme_mode="dark")
            worker.run("convert", msgpack.encode(asked), seconds=LONG)
    shown: dict[str, Any] = {"reading_time": True, "toc": True, "copy_code": True, "page_width": "full"}
    job_of_page = page(text, scanned=True, **shown)
    for job in ("render", "preview"):
        worker.run(job, msgpack.encode(job_of_page), seconds=LONG)
    worker.run("count_words", text.encode(), seconds=LONG)


# The pool.

HARM = ("abort", "exit", "crash", "bomb", "recurse", "raise", "forge", "leave", "hang")


async def test_killers_among_a_thousand_innocents_fail_only_themselves(make_pool: Callable[..., Pool]) -> None:
    pool = make_pool(2)
    await pool.start()
    room = asyncio.Semaphore(24)

    async def innocent(number: int) -> bool:
        payload = f"{number}-".encode() * (1 + 997 * (number % 7))
        async with room:
            return await pool.run("echo", payload, seconds=LONG, caller=f"innocent {number % 12}") == payload

    async def killer(number: int) -> WorkerFailure | bytes:
        job = HARM[number % len(HARM)]
        async with room:
            try:
                return await pool.run(job, b"1", seconds=0.3 if job == "hang" else LONG, caller=f"killer {number % 3}")
            except WorkerFailure as failure:
                return failure

    calls: list[asyncio.Task[Any]] = []
    for number in range(1_000):
        calls.append(asyncio.create_task(innocent(number)))
        if number % 25 == 0:
            calls.append(asyncio.create_task(killer(number // 25)))
    outcomes = await asyncio.gather(*calls)

    assert sum(outcome is True for outcome in outcomes) == 1_000
    failures = [outcome for outcome in outcomes if outcome is not True]
    assert len(failures) == 40
    assert all(isinstance(failure, WorkerFailure) for failure in failures)
    assert {type(failure) for failure in failures} >= {WorkerDied, JobFailed, JobTooLarge}


async def test_caller_with_many_jobs_delays_another_by_a_few(make_pool: Callable[..., Pool]) -> None:
    pool = make_pool(2)
    await pool.start()
    done: list[str] = []

    async def call(caller: str) -> None:
        with suppress(ServiceUnavailable):
            await pool.run("sleep", b"0.02", seconds=LONG, caller=caller)
            done.append(caller)

    greedy = [asyncio.create_task(call("greedy")) for _ in range(100)]
    await asyncio.sleep(0)
    await call("modest")
    assert done.count("greedy") <= 5
    await asyncio.gather(*greedy)
    assert done.count("greedy") == CALLER_IN_FLIGHT + CALLER_WAITING


async def test_caller_past_its_bound_is_told_when_to_come_again(make_pool: Callable[..., Pool]) -> None:
    pool = make_pool(3)
    await pool.start()
    jobs = [
        asyncio.create_task(pool.run("sleep", b"0.01", seconds=LONG, caller="a"))
        for _ in range(CALLER_IN_FLIGHT + CALLER_WAITING)
    ]
    await asyncio.sleep(0)
    with pytest.raises(ServiceUnavailable, match=f"{CALLER_WAITING} of your calls wait for a worker already") as caught:
        await pool.run("echo", b"", seconds=LONG, caller="a")
    assert (caught.value.status, caught.value.headers) == (503, {"Retry-After": "2"})
    assert await pool.run("echo", b"b", seconds=LONG, caller="b") == b"b"
    await asyncio.gather(*jobs)


async def test_all_callers_together_are_bounded(make_pool: Callable[..., Pool]) -> None:
    pool = make_pool(1)
    await pool.start()
    jobs = [asyncio.create_task(pool.run("sleep", b"0.005", seconds=LONG, caller=None)) for _ in range(1 + ALL_WAITING)]
    await asyncio.sleep(0)
    with pytest.raises(
        ServiceUnavailable, match=f"{ALL_WAITING} calls wait for a worker already; at most {ALL_WAITING} may"
    ):
        await pool.run("echo", b"", seconds=LONG, caller="a")
    await asyncio.gather(*jobs)
    assert await pool.run("echo", b"a", seconds=LONG, caller="a") == b"a"


async def test_waiter_that_is_cancelled_leaves_the_queue(make_pool: Callable[..., Pool]) -> None:
    pool = make_pool(1)
    await pool.start()
    first = asyncio.create_task(pool.run("sleep", b"1.5", seconds=LONG, caller="a"))
    waiting = [asyncio.create_task(pool.run("sleep", b"5", seconds=LONG, caller="a")) for _ in range(CALLER_WAITING)]
    await asyncio.sleep(0.05)
    for task in waiting:
        task.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)
    async with asyncio.timeout(4):
        assert await pool.run("echo", b"next", seconds=LONG, caller="a") == b"next"
    assert await first == b"1.5"


async def test_caller_that_is_cancelled_during_its_job_leaves_a_worker_that_works(
    make_pool: Callable[..., Pool],
) -> None:
    pool = make_pool(1)
    await pool.start()
    for _ in range(5):
        task = asyncio.create_task(pool.run("sleep", b"0.05", seconds=LONG, caller="a"))
        await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert await pool.run("echo", b"mine", seconds=LONG, caller="a") == b"mine"


async def test_event_loop_goes_on_while_jobs_are_done(make_pool: Callable[..., Pool]) -> None:
    pool = make_pool(2)
    await pool.start()
    jobs = asyncio.gather(*(pool.run("burn", b"0.2", seconds=LONG, caller=None) for _ in range(6)))
    turns = 0
    while not jobs.done():
        await asyncio.sleep(0.002)
        turns += 1
    # Inline, there would be six.
    assert turns > 30


def test_callers_take_turns() -> None:
    turns = Turns()
    order = []
    for caller, number in (("a", 5), ("b", 2), ("c", 1)):
        for _ in range(number):
            turns.put(task_of(caller))
    turns.add_worker()
    for _ in range(8):
        task = turns.take()
        assert task
        order.append(task.caller)
        turns.finish(task)
    assert order == ["a", "b", "c", "a", "b", "a", "a", "a"]


def test_caller_has_two_jobs_in_workers_at_most() -> None:
    turns = Turns()
    for _ in range(4):
        turns.add_worker()
    for caller in "aaab":
        turns.put(task_of(caller))
    tasks = [turns.take() for _ in range(3)]
    assert [task.caller for task in tasks if task] == ["a", "a", "b"]
    assert tasks[0]
    turns.finish(tasks[0])
    last = turns.take()
    assert last
    assert last.caller == "a"


def test_lost_worker_gets_no_job_before_it_is_back() -> None:
    turns = Turns()
    turns.add_worker()
    turns.put(task_of("a"))
    first = turns.take()
    assert first
    turns.put(task_of("b"))
    turns.finish(first, worker_lost=True)
    assert turns._dealt.empty()
    turns.add_worker()
    second = turns.take()
    assert second
    assert second.caller == "b"


ACTIONS = st.lists(
    st.tuples(st.sampled_from(["put", "put", "put", "finish", "lose", "add", "remove"]), st.integers(0, 4))
)


@given(ACTIONS)
def test_every_job_is_dealt_once_in_its_caller_s_order_or_refused(actions: list[tuple[str, int]]) -> None:
    """Whatever happens in whatever order: no job is lost or dealt twice, no bound is passed, no worker idles."""
    turns = Turns()
    waiting: dict[str, list[Task]] = {}
    running: list[Task] = []
    free = 0
    for action, number in actions:
        caller = "abcde"[number]
        if action == "put":
            task = task_of(caller)
            try:
                turns.put(task)
                waiting.setdefault(caller, []).append(task)
            except ServiceUnavailable:
                assert len(waiting[caller]) >= CALLER_WAITING or sum(map(len, waiting.values())) >= ALL_WAITING
        elif action == "add":
            turns.add_worker()
            free += 1
        elif action == "remove" and waiting.get(caller):
            turns.remove(waiting[caller].pop(number % len(waiting[caller])))
        elif action in {"finish", "lose"} and running:
            turns.finish(running.pop(number % len(running)), worker_lost=action == "lose")
            free += action == "finish"
        while not turns._dealt.empty():
            dealt = turns.take()
            assert dealt
            assert waiting[str(dealt.caller)].pop(0) is dealt
            running.append(dealt)
            free -= 1
        in_flight = [task.caller for task in running]
        assert free >= 0
        assert all(in_flight.count(each) <= CALLER_IN_FLIGHT for each in in_flight)
        assert not free or all(in_flight.count(each) == CALLER_IN_FLIGHT for each in waiting if waiting[each])


def task_of(caller: str) -> Task:
    return Task(job="echo", payload=b"", seconds=1.0, caller=caller)
