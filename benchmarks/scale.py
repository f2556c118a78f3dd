"""Service performance with many documents and pages, on both databases.

    python benchmarks/run.py [--short] scale

In a database with a million pages, accounts of several sizes send the same requests as a small account in an almost
empty database. Then come the costs of storage, processes and requests (`capacity`), and what others notice of load
(`neighbors`).
"""

import socket
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter

from benchmarks.capacity import print_capacity
from benchmarks.neighbors import print_neighbors
from benchmarks.plan import print_plan
from benchmarks.rows import cursor, document_id, fill, new_database, page_path, require_stored_page
from benchmarks.server import Server, exchange, serving

SEARCHES = {
    "a word of all": "common",
    "a word of one": "rare",
    "no word of any": "absent",
    "the beginning of a word of all": "comm",
}

FEW_DOCUMENTS = 100
FEW_PAGES = 1_000
"""In the almost empty database."""

DISTINCT = 200
"""Different pages, or texts, in a round; three rounds see no page of the almost empty database twice."""

_SITEMAP_PAGES = 20_000

# Of one length, since it is in bodies, too.
_AT = "@AT@AT"


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """An account in a database, by the number of its key."""

    server: Server
    account: int
    documents: int
    pages: int


def print_scale(folder: Path, postgresql_url: str, *, sizes: Sequence[int], pages: int, rounds: int) -> None:
    for name, base in {"SQLite": f"sqlite:///{folder}", "PostgreSQL": postgresql_url}.items():
        with ExitStack() as stack:
            small, large = new_database(base, "few"), new_database(base, "many")
            fill_few = partial(fill, small, documents=[FEW_DOCUMENTS], pages=FEW_PAGES)
            few = stack.enter_context(serving(small, fill=fill_few))
            began = perf_counter()
            fill_many = partial(fill, large, documents=sizes, pages=pages, prints_bytes=True)
            many = stack.enter_context(serving(large, fill=fill_many))
            print(f"\n{name}: {pages:,} pages; filled and started in {perf_counter() - began:.0f} s", flush=True)
            places = {"almost empty": Place(server=few, account=0, documents=FEW_DOCUMENTS, pages=FEW_PAGES)}
            for account, documents in enumerate(sizes):
                server = replace(many, keys=many.keys[account : account + 1])
                places[f"{documents:,}"] = Place(server=server, account=account, documents=documents, pages=pages)
            _print_times(name, places, rounds)
            require_stored_page(large, 50)
            _print_sitemap(many, pages)
            print_neighbors(places[f"{sizes[-1]:,}"].server, many, rounds=rounds, pages=min(pages, 150))
            capacity = print_capacity(name, many, large, pages=pages, seconds=0.3 if rounds == 1 else 1.0)
    # PostgreSQL's, which is last.
    print_plan(capacity)


def _print_times(name: str, places: Mapping[str, Place], rounds: int) -> None:
    """Print a table; all places are measured in turn, so that other load affects all alike."""
    print(f"\n| {name}, p50, ms; documents in the account | {' | '.join(places)} | ratio of the largest |")
    print("|---|" + "--:|" * (len(places) + 1))
    for what in _requests(next(iter(places.values()))):
        taken: dict[str, list[float]] = {label: [] for label in places}
        for number in range(rounds):
            for label, place in places.items():
                taken[label].append(_p50(place, what, number, seconds=0.2 if rounds == 1 else 0.5))
        times = [median(each) for each in taken.values()]
        cells = " | ".join(f"{time:.2f}" for time in times)
        print(f"| {what} | {cells} | {times[-1] / times[0]:.2f} |", flush=True)


def _requests(place: Place) -> Mapping[str, tuple[str, str, object]]:
    account, documents = place.account, place.documents
    middle = f"/v1/documents/{document_id(account, documents // 2)}"
    page = "/v1/documents?limit=20&cursor="
    return {
        "list 20 documents": ("GET", "/v1/documents", None),
        "list 20 documents from the middle": ("GET", f"{page}{cursor(account, documents // 2)}", None),
        "list the last 20 documents": ("GET", f"{page}{cursor(account, 20)}", None),
        "get a document": ("GET", middle, None),
        **{f"search for {what}": ("GET", f"/documents?q={query}", None) for what, query in SEARCHES.items()},
        "view a page": ("GET", page_path(50), None),
        "view a different page each time": ("GET", page_path(_AT), None),
        "create a document": ("POST", "/v1/documents", {"title": "New", "content": "Some *text*."}),
        "update a document": ("PATCH", middle, {"content": f"Some *common* text, {_AT}."}),
    }


def _p50(place: Place, what: str, number: int, *, seconds: float) -> float:
    method, path, body = _requests(place)[what]
    server = place.server
    request = server.request(method, path, body, Accept_Encoding="gzip", Cookie=f"session={server.key}")
    if _AT.encode() not in request:
        return server.load(request, connections=1, seconds=seconds)["p50"]  # type: ignore[no-any-return]
    taken = []
    with socket.create_connection(("127.0.0.1", server.port)) as connection:
        # From the account's part of the pages, since other accounts have seen theirs.
        for at in range(DISTINCT * (number + 3 * place.account), DISTINCT * (number + 3 * place.account + 1)):
            value = f"{at * 7_919 % place.pages}" if method == "GET" else f"{at:06}"
            began = perf_counter()
            exchange(connection, request.replace(_AT.encode(), value.encode()))
            taken.append(perf_counter() - began)
    return median(taken) * 1_000


def _print_sitemap(server: Server, pages: int) -> None:
    files = {"index": "/sitemap.xml", "a part in the middle": f"/sitemap-{pages // _SITEMAP_PAGES // 2 or 1}.xml"}
    print(f"\n| sitemap of {pages:,} pages | first, ms | from memory, p50, ms |\n|---|--:|--:|")
    for what, path in files.items():
        request = server.request("GET", path, Accept_Encoding="gzip")
        with socket.create_connection(("127.0.0.1", server.port)) as connection:
            began = perf_counter()
            exchange(connection, request)
            first = (perf_counter() - began) * 1_000
        repeated = server.load(request, connections=1, seconds=0.3)["p50"]
        print(f"| {what} | {first:.0f} | {repeated:.2f} |", flush=True)
