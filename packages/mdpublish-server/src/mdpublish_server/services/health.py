"""Health checks for operators. Failures say what to do."""

import asyncio
import os
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from pathlib import Path

from mdpublish_core.hosting.workers import Protection, WorkerFailure, find_engines, find_fonts
from mdpublish_server import storage
from mdpublish_server.conversion.converter import Converter
from mdpublish_server.errors import ServiceError
from mdpublish_server.services.demos import demo_limit
from mdpublish_server.services.image_audit import audit_images, named
from mdpublish_server.settings import LOOPBACK, Settings
from mdpublish_server.storage.accounts import MISCOUNTED
from mdpublish_server.storage.demo_usage import MISCOUNTED as MISCOUNTED_DEMOS
from mdpublish_server.storage.integrity import find_problems
from mdpublish_server.storage.object_store import open_store, redacted_store
from mdpublish_server.storage.private_files import shared_files

_PROBE = "doctor.txt"


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckResult:
    """A check's outcome."""

    message: str
    is_ok: bool


def run_checks(settings: Settings, *, is_deep: bool = False) -> Iterator[CheckResult]:
    is_ok = True
    for result in check_storage_and_settings(settings, is_deep=is_deep):
        is_ok = is_ok and result.is_ok
        yield result
    # A corrupt database is not opened, and a new one has no images.
    yield from asyncio.run(check_image_store(settings, is_deep=is_deep and is_ok and not _is_new(settings)))
    yield _port(settings)
    yield from _workers(settings)
    yield from _figures()


def check_storage_and_settings(settings: Settings, *, is_deep: bool = False) -> Iterator[CheckResult]:
    """Run the checks that start no process."""
    if creation := _creation(settings):
        yield creation
    elif problems := list(_problems(settings, is_deep=is_deep)):
        # The other checks may write: SQLite would delete a damaged log.
        yield from problems
    elif _is_new(settings):
        yield _ok("the database has no schema yet; mdpublish-server serve creates it")
    else:
        yield _revision(settings, is_deep=is_deep)
        yield from _counters(settings)
    if (database_path := storage.sqlite_path(settings.database_url)) is not None and not creation:
        yield _files(database_path)
    yield _encryption(settings)
    yield _redis(settings)


def _is_new(settings: Settings) -> bool:
    try:
        return _creation(settings) is not None or storage.revisions(settings.database_url)[0] is None
    except storage.MigrationFailure:
        return False


def _creation(settings: Settings) -> CheckResult | None:
    """Say whether SQLite's file can be created; None if it exists, or files are left of one that was lost."""
    path = storage.sqlite_path(settings.database_url)
    if path is None or any(map(os.path.lexists, (path, f"{path}-wal", f"{path}-reserve"))):
        return None
    shown, folder = f"database {storage.redacted_url(settings.database_url)}", Path(path).absolute().parent
    if os.access(folder, os.W_OK | os.X_OK):
        return _ok(f"{shown} does not exist yet; mdpublish-server serve creates it")
    return _failed(
        f"{shown} cannot be created: {folder} is no folder that can be written; create it or change its mode"
    )


def _problems(settings: Settings, *, is_deep: bool) -> Iterator[CheckResult]:
    try:
        problems = find_problems(settings.database_url, is_deep=is_deep)
    except storage.MigrationFailure as failure:
        yield _failed(str(failure))
        return
    shown = storage.redacted_url(settings.database_url)
    for problem in problems:
        yield _failed(f"database {shown}: {problem}; restore a backup, which keeps this file")


def _revision(settings: Settings, *, is_deep: bool) -> CheckResult:
    shown = storage.redacted_url(settings.database_url)
    try:
        current, newest = storage.revisions(settings.database_url)
    except storage.MigrationFailure as failure:
        return _failed(str(failure))
    if current != newest:
        reason = storage.unknown_revision(current) or f"the newest is {newest}; run mdpublish-server migrate"
        return _failed(f"database {shown} is at revision {current}, {reason}")
    return _ok(
        f"database {shown} is at the newest revision, {newest}, and passed the {'deep' if is_deep else 'quick'} check"
    )


def _counters(settings: Settings) -> Iterator[CheckResult]:
    try:
        with (
            closing(storage.open_database(settings.database_url)) as database,
            database.read_transaction() as transaction,
        ):
            wrong = [row[0] for row in transaction.rows(MISCOUNTED)]
            counted, held = transaction.rows(MISCOUNTED_DEMOS)[0]
    except Exception as error:  # noqa: BLE001  (a finding)
        yield _failed(f"cannot read the usage counters: {error}")
        return
    if wrong:
        yield _failed(
            f"usage counters differ from the rows of {', '.join(wrong)}; restore a backup or report this as a bug"
        )
    elif counted != held:
        yield _failed(f"demo pages hold {held:,} bytes, but {counted:,} are counted; report this as a bug")
    else:
        yield _ok("usage counters match the documents, pages, keys and images of every account")
    limit = demo_limit(settings.database_url, settings.demo_megabytes)
    origin = "by default" if settings.demo_megabytes is None else "by MDPUBLISH_DEMO_MEGABYTES"
    yield _ok(f"demo pages hold {held / 1_000_000:,.1f} of {limit // 1_000_000:,} MB ({origin})")


async def check_image_store(settings: Settings, *, is_deep: bool) -> list[CheckResult]:
    """Write, read and delete a file of the image store; a deep check compares its files with the database."""
    store = open_store(settings.image_store)
    shown = redacted_store(settings.image_store)
    try:
        await store.put(_PROBE, b"")
        is_intact = await store.get(_PROBE) == b""
        await store.delete(_PROBE)
        audit = await audit_images(settings.database_url, store) if is_deep else None
    except ServiceError as error:
        return [_failed(f"the image store {shown} cannot be used: {error.__cause__}; check MDPUBLISH_IMAGE_STORE")]
    if not is_intact:
        return [_failed(f"the image store {shown} does not return what it was given; check MDPUBLISH_IMAGE_STORE")]
    problems = []
    if audit and audit.lost:
        problems.append(
            f"lacks the files of {len(audit.lost):,} images, or has them damaged: {named(audit.lost)}; restore them "
            "from a backup"
        )
    if audit and audit.unowned:
        problems.append(
            f"has {len(audit.unowned):,} files of no image: {named(audit.unowned)}; delete them, unless the store "
            "belongs to another database"
        )
    if problems:
        return [_failed(f"the image store {shown} {problem}") for problem in problems]
    return [_ok(f"the image store {shown} can be written and read" + ", and has the file of each image" * is_deep)]


def _files(database_path: str) -> CheckResult:
    if shared := shared_files(Path(database_path)):
        modes = ", ".join(f"{file} has mode {mode:04o}" for file, mode in shared)
        names = " ".join(str(file) for file, _ in shared)
        return _failed(f"other users can open the database ({modes}); run chmod 600 {names}")
    return _ok("only the service's user can open the database")


def _encryption(settings: Settings) -> CheckResult:
    if settings.is_encrypted and not settings.trusted_proxies:
        return _failed(
            f"{settings.public_url} needs a proxy that terminates TLS; set MDPUBLISH_TRUSTED_PROXIES to its address"
        )
    if not settings.is_encrypted and settings.host not in LOOPBACK:
        return _failed(
            f"{settings.host} is served without HTTPS, so that only this host can connect; use a proxy that terminates "
            "TLS, and set MDPUBLISH_PUBLIC_URL to its https:// URL"
        )
    return _ok(f"the site is served at {settings.public_url}")


def _redis(settings: Settings) -> CheckResult:
    if settings.redis_url is None:
        return _ok("rate limits are kept in memory (one process, no Redis)")
    from redis import Redis
    from redis.exceptions import RedisError

    try:
        with closing(Redis.from_url(settings.redis_url, socket_timeout=2, socket_connect_timeout=2)) as client:
            client.ping()
    except (RedisError, ValueError) as error:
        return _failed(f"cannot connect to Redis at MDPUBLISH_REDIS_URL: {error}")
    return _ok("Redis is reachable")


def _workers(settings: Settings) -> Iterator[CheckResult]:
    database_path = storage.sqlite_path(settings.database_url)

    async def start() -> tuple[tuple[Protection, ...], bool]:
        converter = Converter(workers=1, demo_workers=1, plugins=settings.plugins)
        try:
            await converter.start()
            return converter.protections, bool(database_path and await converter.can_read(database_path))
        finally:
            converter.close()

    try:
        protections, is_exposed = asyncio.run(start())
    except (WorkerFailure, ServiceError, OSError) as error:
        yield _failed(f"workers fail to start: {error}")
        return
    yield _ok(f"workers start ({settings.workers} for accounts, {settings.demo_workers} for demos)")
    for each in protections:
        # None is no failure: it depends on the kernel.
        yield _ok(f"workers, {each.name}: {each.mechanism or f'not confined, since {each.problem}'}")
    # Otherwise, the line above says why.
    if is_exposed and any(each.name == "files" and each.mechanism for each in protections):
        yield _failed(
            f"workers can read {database_path}, which is among the files of Python; move it to another folder"
        )


def _port(settings: Settings) -> CheckResult:
    """Say what listens where the service does: nothing, the service, or another program."""
    where = f"{settings.host} port {settings.port}"
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(settings.host, settings.host)  # noqa: S104  (only asked)
    try:
        with closing(HTTPConnection(host, settings.port, timeout=5)) as connection:
            connection.request("GET", "/healthz")
            is_live = connection.getresponse().read(100) == b'{"status":"ok"}'
    except ConnectionRefusedError:
        return _ok(f"{where} is free")
    except (OSError, HTTPException):
        is_live = False
    problem = f"{where} is used by another program, or is none of this computer; set MDPUBLISH_HOST and MDPUBLISH_PORT"
    return _ok(f"the service runs at {where}") if is_live else _failed(problem)


def _figures() -> Iterator[CheckResult]:
    """Report engines and fonts. None is no failure: some platforms have no wheels, and readers may need no more fonts."""
    for status in find_engines():
        yield _ok(f"figures, {status.kind}: {status.engine or f'shown as source, since {status.problem}'}")
    fonts = find_fonts()
    yield _ok(f"PDFs, fonts: {fonts.engine or fonts.problem}")


def _ok(message: str) -> CheckResult:
    return CheckResult(message=message, is_ok=True)


def _failed(message: str) -> CheckResult:
    return CheckResult(message=message, is_ok=False)
