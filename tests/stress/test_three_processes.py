"""Three processes behind haproxy, on one PostgreSQL and one Redis: each part is killed, stopped, or hangs."""

import asyncio
import socket
import subprocess
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import httpx
import psycopg
import pytest

from mdpublish_server.storage import migrate
from tests.remarks import remark
from tests.server.members import PERSON
from tests.server.redis_server import RedisServer, private_redis_server
from tests.stress.clients import Load
from tests.stress.postgresql_process import PostgresqlProcess
from tests.stress.processes import PATIENCE, family
from tests.stress.service import KillableService

pytestmark = pytest.mark.stress

__all__ = ["private_redis_server"]

ROUNDS = 3
"""For each fault."""

HANG_SECONDS = 4.0
"""Longer than a read may take."""

GUESSES = 5

_CONFIGURATION = """\
defaults
    mode http
    timeout connect 2s
    timeout client 60s
    timeout server 60s
    option forwardfor
listen service
    http-request set-header X-Forwarded-Proto https
    bind 127.0.0.1:{port}
    balance roundrobin
    option httpchk GET /readyz
    option redispatch
    default-server check inter 200ms fall 1 rise 1
{servers}
"""


@dataclass(slots=True, kw_only=True)
class Cluster:
    """A proxy and its servers."""

    url: str
    services: list[KillableService]

    def run(self, *arguments: str) -> str:
        return self.services[0].run(*arguments)

    async def wait_until_ready(self) -> None:
        await asyncio.gather(*(asyncio.to_thread(each.wait_until_ready) for each in self.services))
        async with httpx.AsyncClient(transport=httpx.AsyncHTTPTransport(retries=5), timeout=PATIENCE) as client:
            while (await client.get(f"{self.url}/readyz")).status_code != 200:  # noqa: ASYNC110  (of other processes)
                await asyncio.sleep(0.1)


@dataclass(slots=True, kw_only=True)
class Author:
    """Changes a page, and reads each change that is acknowledged from every process."""

    cluster: Cluster
    key: str
    changes: int = 0
    unsure: set[str] = field(default_factory=set)
    """Without a response."""
    reads: int = 0
    stale: list[str] = field(default_factory=list)
    _document: str = ""
    _path: str = ""

    def publish(self) -> None:
        response = httpx.post(
            f"{self.cluster.url}/v1/documents/publish",
            json={"title": "Page", "content": "version0."},
            headers=self._headers,
            timeout=PATIENCE,
        )
        assert response.status_code == 201, response.text
        self._document, self._path = response.json()["id"], httpx.URL(response.json()["published_url"]).path

    async def work(self, stop: asyncio.Event) -> None:
        async with httpx.AsyncClient(base_url=self.cluster.url, headers=self._headers, timeout=PATIENCE) as http:
            while not stop.is_set():
                self.changes += 1
                content = f"version{self.changes}."
                response = await http.patch(f"/v1/documents/{self._document}", json={"content": content})
                if response.status_code == 200:
                    await self._read({content} | self.unsure)
                else:
                    self.unsure.add(content)
                    await asyncio.sleep(0.05)

    @property
    def _headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.key}"}

    async def _read(self, allowed: set[str]) -> None:
        for service in self.cluster.services:
            try:
                async with httpx.AsyncClient(timeout=0.5, headers={"X-Forwarded-Proto": "https"}) as client:
                    page = await client.get(f"{service.url}{self._path}")
            except httpx.TransportError:
                continue
            if page.status_code == 200:
                self.reads += 1
                if not any(content in page.text for content in allowed):
                    self.stale.append(f"{service.url}{self._path}: none of {allowed}")


@contextmanager
def cluster(folder: Path, database_url: str, redis_url: str) -> Iterator[Cluster]:
    ports = free_ports(4)
    url = f"http://127.0.0.1:{ports[0]}"
    settings = {
        "MDPUBLISH_REDIS_URL": redis_url,
        "MDPUBLISH_PUBLIC_URL": url.replace("http:", "https:"),
        "MDPUBLISH_TRUSTED_PROXIES": "127.0.0.1",
        # A page that cannot be checked is not served.
        "MDPUBLISH_STALE_IF_ERROR": "0",
    }
    migrate(database_url)
    services = []
    for number, port in enumerate(ports[1:]):
        (logs := folder / f"{number}").mkdir()
        services.append(KillableService(logs, database_url, settings=settings, port=port))
    servers = "\n".join(f"    server s{port} 127.0.0.1:{port}" for port in ports[1:])
    (folder / "haproxy.cfg").write_text(_CONFIGURATION.format(port=ports[0], servers=servers))
    with ExitStack() as stack, (folder / "haproxy.log").open("wb") as log:
        for service in services:
            stack.callback(service.stop)
            service.start()
        command = ["haproxy", "-f", str(folder / "haproxy.cfg")]
        proxy = stack.enter_context(subprocess.Popen(command, stdout=log, stderr=log))
        stack.callback(proxy.kill)
        whole = Cluster(url=url, services=services)
        asyncio.run(whole.wait_until_ready())
        yield whole


def free_ports(count: int) -> list[int]:
    with ExitStack() as stack:
        listeners = [stack.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in range(count)]
        return [listener.getsockname()[1] for listener in listeners]


def test_nothing_is_lost_doubled_or_stale(
    tmp_path: Path,
    killable_postgresql: PostgresqlProcess,
    private_redis_server: RedisServer,
    pytestconfig: pytest.Config,
) -> None:
    with cluster(tmp_path, killable_postgresql.url, private_redis_server.url) as whole:
        load = Load(service=whole, random=Random(1))
        load.open_accounts()
        whole.run("account", "add", "author@example.org", "--plan", "pro")
        author = Author(cluster=whole, key=whole.run("key", "add", "author@example.org").strip())
        author.publish()
        faults = faults_of(whole, killable_postgresql, private_redis_server)
        for number in range(ROUNDS * len(faults)):
            asyncio.run(survive(whole, load, author, list(faults.values())[number % len(faults)]))
            load.verify()
        assert author.stale == []
        assert author.reads > ROUNDS * len(faults)
        require_no_double(killable_postgresql.url)
    acknowledged = sum(client.acknowledged for client in load.clients)
    remark(
        pytestconfig,
        f"three processes, {ROUNDS} times each ({', '.join(faults)}): {acknowledged} acknowledged writes, 0 lost, 0 "
        f"doubled; 0 of {author.reads} reads stale; {dict(load.statuses())}",
    )


async def survive(whole: Cluster, load: Load, author: Author, fault: Callable[[], Awaitable[None]]) -> None:
    stop = asyncio.Event()
    writing = asyncio.create_task(author.work(stop))

    async def fail_and_recover() -> None:
        await fault()
        await whole.wait_until_ready()
        await asyncio.sleep(0.5)

    try:
        await load.work_until(fail_and_recover)
    finally:
        stop.set()
    await writing


def faults_of(
    whole: Cluster, postgresql: PostgresqlProcess, redis: RedisServer
) -> dict[str, Callable[[], Awaitable[None]]]:
    random = Random(2)

    async def restart(end: Callable[[KillableService], None]) -> None:
        service = random.choice(whole.services)
        await asyncio.to_thread(end, service)
        await asyncio.sleep(0.5)
        await asyncio.to_thread(service.start)

    async def hang_process() -> None:
        processes = family(random.choice(whole.services).pid)
        for process in processes:
            process.suspend()
        await asyncio.sleep(HANG_SECONDS)
        for process in processes:
            process.resume()

    async def kill_postgresql() -> None:
        await asyncio.to_thread(postgresql.kill)
        await asyncio.sleep(0.5)
        await asyncio.to_thread(postgresql.start)

    async def hang_postgresql() -> None:
        with postgresql.hanging():
            await asyncio.sleep(HANG_SECONDS)

    async def stop_redis() -> None:
        await asyncio.to_thread(redis.stop)
        await asyncio.sleep(1)
        await asyncio.to_thread(redis.start)

    async def hang_redis() -> None:
        with redis.hanging():
            await asyncio.sleep(HANG_SECONDS)

    return {
        "kill a process": lambda: restart(KillableService.kill),
        "stop a process": lambda: restart(KillableService.stop),
        "hang a process": hang_process,
        "kill PostgreSQL": kill_postgresql,
        "hang PostgreSQL": hang_postgresql,
        "stop Redis": stop_redis,
        "hang Redis": hang_redis,
    }


def require_no_double(database_url: str) -> None:
    """Each document was created by one request, whose text no other has."""
    with closing(psycopg.connect(database_url)) as connection:
        doubled = connection.execute(
            "SELECT content FROM documents WHERE title = 'Crash' GROUP BY content HAVING count(*) > 1"
        ).fetchall()
    assert doubled == []


def test_five_failures_throttle_whatever_process_gets_them(
    tmp_path: Path, killable_postgresql: PostgresqlProcess, private_redis_server: RedisServer
) -> None:
    with (
        cluster(tmp_path, killable_postgresql.url, private_redis_server.url) as whole,
        httpx.Client(base_url=whole.url, timeout=PATIENCE) as browser,
    ):
        assert browser.post("/signup", data=PERSON).status_code == 303
        wrong = {**PERSON, "password": "wrong password"}
        statuses = [browser.post("/signin", data=wrong).status_code for _ in range(GUESSES - 2)]
        whole.services[0].kill()
        whole.services[0].start()
        asyncio.run(whole.wait_until_ready())
        statuses += [browser.post("/signin", data=wrong).status_code for _ in range(2)]
        assert statuses == [401] * GUESSES
        assert [browser.post("/signin", data=PERSON).status_code for _ in range(6)] == [429] * 6
