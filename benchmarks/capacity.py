"""What a service needs: bytes in its database, memory, connections, and processor time of each request."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

import psutil

from benchmarks.measuring import different_texts
from benchmarks.rows import connect, database_bytes, page_path
from benchmarks.server import Server

KILOBYTES = (2, 20)

DOCUMENTS = 300
"""Published, to see what each takes in the database."""

CONNECTIONS = 16

PAGES = 40_000
"""Seen in turn: more than fit in memory."""

VIEW = "view a page in the database"


@dataclass(frozen=True, slots=True, kw_only=True)
class Capacity:
    """Bytes of a published document by kilobytes of text, milliseconds of requests by kind of process, megabytes of processes."""

    document_bytes: Mapping[int, float]
    times: Mapping[str, Mapping[str, float]]
    memory: Mapping[str, float]


def print_capacity(name: str, server: Server, database_url: str, *, pages: int, seconds: float) -> Capacity:
    print(f"\n| {name}, bytes in the database | text | page, gzipped | all |\n|---|--:|--:|--:|")
    count = DOCUMENTS if seconds >= 1 else 10
    document_bytes = {size: _print_bytes(server, database_url, size, count) for size in KILOBYTES}
    print(f"\n| {name}, processor time, ms | service | workers | PostgreSQL |\n|---|--:|--:|--:|")
    times = {
        what: _print_time(server, database_url, what, request, seconds)
        for what, request in _requests(server, pages).items()
    }
    return Capacity(document_bytes=document_bytes, times=times, memory=_print_memory(name, server, database_url))


def converting(kilobytes: int) -> str:
    return f"convert {kilobytes} KB"


def _print_bytes(server: Server, database_url: str, kilobytes: int, count: int) -> float:
    contents = list(different_texts(kilobytes, count))
    before = database_bytes(database_url)
    for content in contents:
        server.send("POST", "/v1/documents/publish", {"content": content, "title": "Document"})
    grown = (database_bytes(database_url) - before) / count
    with closing(connect(database_url)) as database:
        newest = f"SELECT id FROM documents WHERE created_at > 1000000000 ORDER BY created_at DESC LIMIT {count}"
        question = f"SELECT avg(length(body)) FROM pages WHERE document_id IN ({newest})"
        ((page,),) = database.execute(question).fetchall()
    text_bytes = sum(len(content.encode()) for content in contents) / count
    print(f"| a published document of {kilobytes} KB | {text_bytes:,.0f} | {page:,.0f} | {grown:,.0f} |", flush=True)
    return grown


def _requests(server: Server, pages: int) -> Mapping[str, bytes]:
    def views(count: int) -> bytes:
        paths = (page_path(at * 7_919 % pages) for at in range(count))
        return b"\n%%\n".join(server.request("GET", path, Accept_Encoding="gzip") for path in paths)

    def posts(path: str, **body: str) -> bytes:
        return server.requests("POST", path, body)

    contents = {size: next(different_texts(size, 1)) for size in KILOBYTES}
    return {
        "view a page in memory": views(1),
        VIEW: views(min(PAGES, pages)),
        "get usage": server.requests("GET", "/v1/usage"),
        "list 20 documents": server.requests("GET", "/v1/documents"),
        "create a document": posts("/v1/documents", title="D", content="Some *text*."),
        **{converting(size): posts("/v1/convert", markdown=content) for size, content in contents.items()},
        "publish 2 KB": posts("/v1/documents/publish", title="D", content=contents[2]),
    }


def _print_time(server: Server, database_url: str, what: str, request: bytes, seconds: float) -> Mapping[str, float]:
    before = _processor_seconds(server, database_url)
    load = server.load(request, connections=CONNECTIONS, seconds=seconds, is_cycled=True)
    after = _processor_seconds(server, database_url)
    times = {part: (after[part] - before[part]) * 1_000 / load["requests"] for part in before}
    failures = ", ".join(sorted(load["statuses"].keys() - {"200", "201"}))
    cells = " | ".join(f"{each:.2f}" for each in times.values())
    print(f"| {what}{f' ({failures} among them)' if failures else ''} | {cells} |", flush=True)
    return times


def _processor_seconds(server: Server, database_url: str) -> Mapping[str, float]:
    process = psutil.Process(server.process_id)
    return {
        "service": _seconds([process]),
        "workers": _seconds(process.children(recursive=True)),
        "PostgreSQL": _seconds(_backends(database_url)),
    }


def _seconds(processes: Iterable[psutil.Process]) -> float:
    seconds = 0.0
    for process in processes:
        with suppress(psutil.NoSuchProcess):
            used = process.cpu_times()
            seconds += used.user + used.system
    return seconds


def _backends(database_url: str) -> list[psutil.Process]:
    """Return PostgreSQL's processes with connections of the service."""
    if database_url.startswith("sqlite"):
        return []
    with closing(connect(database_url)) as database:
        question = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
        return list(_existing(pid for (pid,) in database.execute(question).fetchall()))


def _existing(process_ids: Iterable[int]) -> Iterator[psutil.Process]:
    for process_id in process_ids:
        with suppress(psutil.NoSuchProcess):
            yield psutil.Process(process_id)


def _print_memory(name: str, server: Server, database_url: str) -> Mapping[str, float]:
    process = psutil.Process(server.process_id)
    kinds = {
        "serving process": [process],
        "worker": process.children(recursive=True),
        "database connection": _backends(database_url),
    }
    print(f"\n| {name}, memory after these requests | processes | MB each |\n|---|--:|--:|")
    memory = {}
    for what, processes in kinds.items():
        if processes:
            memory[what] = sum(_megabytes(each) for each in processes) / len(processes)
            print(f"| {what} | {len(processes)} | {memory[what]:.0f} |", flush=True)
    return memory


def _megabytes(process: psutil.Process) -> float:
    """Return the memory of a process, with its share of what others have, too (PSS)."""
    rollup = Path(f"/proc/{process.pid}/smaps_rollup").read_text()
    return int(rollup.partition("\nPss:")[2].split()[0]) / 1_000
