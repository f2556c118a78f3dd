"""What a service needs: bytes in its database, memory, connections, and processor time of each request."""

from collections.abc import Iterator, Mapping
from contextlib import closing, suppress
from itertools import islice
from pathlib import Path

import psutil

from benchmarks.batches import pieces
from benchmarks.rows import connect, database_bytes, page_path
from benchmarks.server import Server

DOCUMENTS = 100
"""Published, to see what each takes in the database."""

CONNECTIONS = 16

PAGES = 20_000
"""Seen in turn; fewer are in memory at a time."""


def print_capacity(name: str, server: Server, database_url: str, *, pages: int, seconds: float) -> None:
    print(f"\n| {name}, bytes in the database | text | page, gzipped | all |\n|---|--:|--:|--:|")
    for kilobytes in (2, 20):
        _print_bytes(server, database_url, kilobytes, DOCUMENTS if seconds >= 1 else 10)
    print(f"\n| {name}, processor time, ms | service | workers | PostgreSQL |\n|---|--:|--:|--:|")
    for what, request in _requests(server, pages).items():
        before = _processor_times(server, database_url)
        load = server.load(request, connections=CONNECTIONS, seconds=seconds, is_cycled=True)
        after = _processor_times(server, database_url)
        cells = [f"{(after[part] - before[part]) * 1_000 / load['requests']:.2f}" for part in before]
        failures = ", ".join(sorted(load["statuses"].keys() - {"200", "201"}))
        print(f"| {what}{f' ({failures} among them)' if failures else ''} | {' | '.join(cells)} |", flush=True)
    _print_memory(name, server, database_url)


def _print_bytes(server: Server, database_url: str, kilobytes: int, count: int) -> None:
    contents = list(islice(pieces(kilobytes * 1_000), count))
    before = database_bytes(database_url)
    for content in contents:
        server.send("POST", "/v1/documents/publish", {"content": content, "title": "Document"})
    grown = database_bytes(database_url) - before
    with closing(connect(database_url)) as database:
        body = "SELECT avg(length(body)) FROM (SELECT body FROM pages JOIN documents ON documents.id = document_id "
        newest = f"WHERE created_at > 1000000000 ORDER BY created_at DESC LIMIT {count}) AS newest"
        ((page,),) = database.execute(body + newest).fetchall()
    text_bytes = sum(len(content.encode()) for content in contents) / count
    print(f"| a published document | {text_bytes:,.0f} | {page:,.0f} | {grown / count:,.0f} |", flush=True)


def _requests(server: Server, pages: int) -> Mapping[str, bytes]:
    def views(count: int) -> bytes:
        paths = (page_path(at * 7_919 % pages) for at in range(count))
        return b"\n%%\n".join(server.request("GET", path, Accept_Encoding="gzip") for path in paths)

    contents = [next(iter(pieces(size))) for size in (2_000, 20_000)]
    return {
        "view a page in memory": views(1),
        "view a page in the database": views(min(PAGES, pages)),
        "get usage": server.requests("GET", "/v1/usage"),
        "list 20 documents": server.requests("GET", "/v1/documents"),
        "create a document": server.requests("POST", "/v1/documents", {"title": "D", "content": "Some *text*."}),
        **{
            f"convert {len(content) / 1_000:.0f} KB": server.requests("POST", "/v1/convert", {"markdown": content})
            for content in contents
        },
        "publish the shorter": server.requests("POST", "/v1/documents/publish", {"title": "D", "content": contents[0]}),
    }


def _processor_times(server: Server, database_url: str) -> Mapping[str, float]:
    """Return seconds of the service's process, of its workers, and of the database's processes."""
    process = psutil.Process(server.process_id)
    return {
        "service": _seconds([process]),
        "workers": _seconds(process.children(recursive=True)),
        "PostgreSQL": _seconds(_backends(database_url)),
    }


def _seconds(processes: list[psutil.Process]) -> float:
    times = 0.0
    for process in processes:
        with suppress(psutil.NoSuchProcess):
            used = process.cpu_times()
            times += used.user + used.system
    return times


def _backends(database_url: str) -> list[psutil.Process]:
    """Return PostgreSQL's processes with connections of the service."""
    if database_url.startswith("sqlite"):
        return []
    with closing(connect(database_url)) as database:
        question = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
        return list(_existing(pid for (pid,) in database.execute(question).fetchall()))


def _existing(process_ids: Iterator[int]) -> Iterator[psutil.Process]:
    for process_id in process_ids:
        with suppress(psutil.NoSuchProcess):
            yield psutil.Process(process_id)


def _print_memory(name: str, server: Server, database_url: str) -> None:
    process = psutil.Process(server.process_id)
    workers, backends = process.children(recursive=True), _backends(database_url)
    print(f"\n| {name}, memory after these requests | processes | MB each |\n|---|--:|--:|")
    for what, processes in {"serving process": [process], "worker": workers, "database connection": backends}.items():
        if processes:
            average = sum(_megabytes(each) for each in processes) / len(processes)
            print(f"| {what} | {len(processes)} | {average:.0f} |", flush=True)


def _megabytes(process: psutil.Process) -> float:
    """Return the memory of a process, with its share of what others have, too (PSS)."""
    rollup = Path(f"/proc/{process.pid}/smaps_rollup").read_text()
    return int(rollup.partition("\nPss:")[2].split()[0]) / 1_000
