"""Hostile image files are refused, or come back harmless; workers keep to their memory, and others are served.

`-s` prints what `docs/explanation/security.md` reports: times are measured and not judged.
"""

import re
import statistics
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Thread

import httpx
import psutil
import pytest

from mdpublish_core.images import IMAGE_TYPES
from mdpublish_core.workers import MEMORY_BYTES
from mdpublish_server.conversion.converter import Converter
from mdpublish_server.conversion.protocol import RewriteJob
from mdpublish_server.errors import ValidationError
from tests.image_files import opened
from tests.security.hostile_images import PAYLOAD, generated_files, published_files
from tests.stress.event_loop_lag import measured_lag
from tests.stress.processes import family
from tests.stress.service import KillableService

pytestmark = pytest.mark.security

PATIENCE = 300

MARKS = [mark for mark in re.split(rb"(?=<\?|PK|%PDF|<script)", PAYLOAD) if mark]


def require_harmless(content: bytes, suffix: str) -> None:
    """Raise `AssertionError` for an image that holds more than what it shows."""
    assert not [mark for mark in MARKS if mark in content]
    if suffix == "svg":
        for part in (b"<script", b"<!DOCTYPE", b"<!ENTITY", b"javascript:", b'href="http', b" on"):
            assert part not in content, part
        return
    image = opened(content)
    assert not image.getexif()
    assert {"icc_profile", "comment", "exif", "xmp"}.isdisjoint(image.info)


@pytest.mark.anyio
@pytest.mark.short
async def test_generated_files_are_refused_or_harmless_in_a_worker() -> None:
    converter = Converter(workers=1, demo_workers=1)
    outcomes: Counter[str] = Counter()
    try:
        await converter.start()
        for name, content in generated_files(spoiled=2, megabytes=20):
            try:
                written = await converter.rewrite_image(
                    RewriteJob(content=content, max_pixels=4_000_000), client_id="a"
                )
            except ValidationError as error:
                outcomes["refused" if error.message.startswith("The file ") else f"{name}: {error}"] += 1
            else:
                require_harmless(written.content, written.suffix)
                outcomes["harmless"] += 1
    finally:
        converter.close()
    assert outcomes.keys() == {"refused", "harmless"}
    assert min(outcomes.values()) > 10, outcomes


@contextmanager
def measured_memory(pid: int) -> Iterator[dict[str, int]]:
    """Note the most that any process of a service has had, in bytes: `VmPeak` of addresses, `VmHWM` of memory."""
    peaks: dict[str, int] = {"VmPeak": 0, "VmHWM": 0}
    ended = Event()

    def watch() -> None:
        while not ended.wait(0.02):
            for process in family(pid)[1:]:
                with suppress(OSError, psutil.Error):
                    if "mdpublish_core.workers" not in process.cmdline():
                        continue
                    status = Path(f"/proc/{process.pid}/status").read_text()
                    for name, peak in peaks.items():
                        if match := re.search(rf"{name}:\s+(\d+) kB", status):
                            peaks[name] = max(peak, int(match[1]) * 1_024)

    thread = Thread(target=watch)
    thread.start()
    try:
        yield peaks
    finally:
        ended.set()
        thread.join()


@contextmanager
def others(url: str, key: str) -> Iterator[list[float]]:
    """Convert a text of another account, again and again; yields the seconds of each."""
    seconds: list[float] = []
    ended = Event()

    def convert() -> None:
        with httpx.Client(base_url=url, headers={"Authorization": f"Bearer {key}"}, timeout=PATIENCE) as client:
            while not ended.wait(0.05):
                began = time.perf_counter()
                response = client.post("/v1/convert", json={"markdown": "# Hello\n\nA text."})
                if response.status_code != 503:  # the machine is too busy
                    response.raise_for_status()
                    seconds.append(time.perf_counter() - began)

    thread = Thread(target=convert)
    thread.start()
    try:
        yield seconds
    finally:
        ended.set()
        thread.join()


def test_published_and_generated_files_are_refused_or_harmless_in_the_service(tmp_path: Path) -> None:
    """Every crash is one worker's, which is replaced."""
    service = KillableService(tmp_path, f"sqlite:///{tmp_path}/test.db", settings={"MDPUBLISH_WORKERS": "3"})
    key, other = service.key_of("anna@example.org"), service.key_of("ben@example.org")
    published, generated = dict(published_files()), dict(generated_files(spoiled=25, megabytes=400))
    outcomes: Counter[str] = Counter()
    with (
        service.running(),
        httpx.Client(base_url=service.url, headers={"Authorization": f"Bearer {key}"}, timeout=PATIENCE) as client,
        others(service.url, other) as seconds,
        measured_lag(service.url) as lag,
        measured_memory(service.pid) as peaks,
    ):
        for name, content in (published | generated).items():
            response = client.post("/v1/images", content=content)
            while response.status_code == 503:  # the machine is too busy
                time.sleep(1)
                response = client.post("/v1/images", content=content)
            message = response.json().get("error", {}).get("message", "")
            if response.status_code == 201:
                image = response.json()
                assert image["media_type"] in IMAGE_TYPES.values()
                require_harmless(client.get(httpx.URL(image["url"]).raw_path.decode()).content, image["url"][-3:])
                outcomes["stored"] += 1
            else:
                assert (response.status_code, response.json()["error"]["code"]) == (400, "validation_error"), name
                outcomes[re.sub(r"[\d,.]+", "N", message)[:60]] += 1
    assert len(published) > 700
    assert 0 < peaks["VmHWM"] <= peaks["VmPeak"] <= MEMORY_BYTES, peaks
    median, p95 = statistics.median(seconds) * 1_000, statistics.quantiles(seconds, n=20)[-1] * 1_000
    print(  # noqa: T201  (a report)
        f"{len(published)} published files, {len(generated)} generated: {outcomes}\nworkers' peaks: {peaks}\n/healthz: "
        f"{lag}\nanother account's conversions: p50 {median:.0f}, p95 {p95:.0f} ms"
    )
