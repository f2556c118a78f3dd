"""Health checks for operators. Failures say what to do."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass

from sqlalchemy import case, func, select

from mdpublish_core.workers import WorkerFailure
from mdpublish_server.conversion import Converter
from mdpublish_server.errors import ServiceError
from mdpublish_server.settings import Settings
from mdpublish_server.storage import MigrationFailure, open_database, redacted_url, revisions
from mdpublish_server.storage.tables import ACCOUNTS, DOCUMENTS, KEYS
from mdpublish_server.storage.transactions import Statement

_documents = (
    select(
        DOCUMENTS.c.account_id.label("account_id"),
        func.count().label("documents"),
        func.sum(case((DOCUMENTS.c.published_at.is_not(None), 1), else_=0)).label("pages"),
    )
    .group_by(DOCUMENTS.c.account_id)
    .subquery()
)
_keys = (
    select(KEYS.c.account_id.label("account_id"), func.count().label("active_keys"))
    .where(KEYS.c.revoked_at.is_(None))
    .group_by(KEYS.c.account_id)
    .subquery()
)

# Accounts whose counters differ from their rows.
MISCOUNTED = Statement(
    select(ACCOUNTS.c.email)
    .select_from(
        ACCOUNTS.outerjoin(_documents, _documents.c.account_id == ACCOUNTS.c.id).outerjoin(
            _keys, _keys.c.account_id == ACCOUNTS.c.id
        )
    )
    .where(
        (ACCOUNTS.c.documents != func.coalesce(_documents.c.documents, 0))
        | (ACCOUNTS.c.pages != func.coalesce(_documents.c.pages, 0))
        | (ACCOUNTS.c.active_keys != func.coalesce(_keys.c.active_keys, 0))
    )
    .order_by(ACCOUNTS.c.email)
)


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckResult:
    """A check's outcome."""

    message: str
    is_ok: bool


def run_checks(settings: Settings) -> Iterator[CheckResult]:
    checks: tuple[Callable[[Settings], CheckResult], ...] = (_database, _counters, _encryption, _redis, _workers)
    for check in checks:
        yield check(settings)


def _database(settings: Settings) -> CheckResult:
    shown = redacted_url(settings.database_url)
    try:
        current, newest = revisions(settings.database_url)
    except MigrationFailure as failure:
        return _failed(str(failure))
    if current != newest:
        return _failed(
            f"the database {shown} is at revision {current}, the newest is {newest}: mdpublish-server migrate"
        )
    return _ok(f"the database {shown} is at the newest revision, {newest}")


def _counters(settings: Settings) -> CheckResult:
    try:
        with closing(open_database(settings.database_url)) as database, database.read_transaction() as transaction:
            wrong = [row[0] for row in transaction.rows(MISCOUNTED)]
    except Exception as error:  # noqa: BLE001  (a finding)
        return _failed(f"the counters cannot be read: {error}")
    if wrong:
        return _failed(f"counters and rows differ of {', '.join(wrong)}; restore a backup, or report this")
    return _ok("every account's counters are what its documents, pages and keys come to")


def _encryption(settings: Settings) -> CheckResult:
    if settings.is_encrypted and not settings.trusted_proxies:
        return _failed(
            f"{settings.public_url} is HTTPS, which a proxy must give the service; name it in MDPUBLISH_TRUSTED_PROXIES"
        )
    if not settings.is_encrypted and settings.host not in ("127.0.0.1", "::1", "localhost"):
        return _failed(
            f"the service listens on {settings.host} without HTTPS, and refuses everybody but this computer; put a proxy "
            "in front of it, and set MDPUBLISH_PUBLIC_URL"
        )
    return _ok(f"the site is {settings.public_url}")


def _redis(settings: Settings) -> CheckResult:
    if settings.redis_url is None:
        return _ok("requests are counted in memory, by one process")
    from redis import Redis
    from redis.exceptions import RedisError

    try:
        with closing(Redis.from_url(settings.redis_url, socket_timeout=2, socket_connect_timeout=2)) as client:
            client.ping()
    except (RedisError, ValueError) as error:
        return _failed(f"Redis at MDPUBLISH_REDIS_URL does not answer: {error}")
    return _ok("Redis answers")


def _workers(settings: Settings) -> CheckResult:
    async def start() -> None:
        converter = Converter(workers=1, demo_workers=1)
        try:
            await converter.start()
        finally:
            converter.close()

    try:
        asyncio.run(start())
    except (WorkerFailure, ServiceError, OSError) as error:
        return _failed(f"workers do not start: {error}")
    return _ok(f"workers start; {settings.workers} convert for accounts, {settings.demo_workers} for demos")


def _ok(message: str) -> CheckResult:
    return CheckResult(message=message, is_ok=True)


def _failed(message: str) -> CheckResult:
    return CheckResult(message=message, is_ok=False)
