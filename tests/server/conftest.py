"""Fixtures of the server's tests: the application, clients, accounts and a clock.

Tests that depend on `database` run on SQLite, and on PostgreSQL in `nox -s nightly`. Tests of it always run on both.
"""

import asyncio
import shutil
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path

import httpx
import pytest
from starlette.routing import compile_path
from starlette.types import ASGIApp

from mdpublish_server.app import make_app
from mdpublish_server.auth import passwords
from mdpublish_server.conversion.converter import Converter
from mdpublish_server.services.accounts import add_key, create_account, sign_in
from mdpublish_server.settings import Settings, read_settings
from mdpublish_server.state import AppState
from mdpublish_server.storage import Account, Database, migrate, migrations, open_database, sqlite
from mdpublish_server.storage.accounts import set_operator
from mdpublish_server.storage.database import known_revisions
from tests.server.browsers import Connect, Member, make_member
from tests.server.members import CHEAP_HASHER, CountingHasher
from tests.server.smtp_server import Mailbox, running

NOW = datetime(2026, 3, 1, 12, 0, 0, 123456, tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Owner:
    """An account with an API key."""

    account: Account
    key: str

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.key}"}


MakeOwner = Callable[..., Owner]
SignedIn = Callable[[Account], httpx.AsyncClient]
Travel = Callable[[timedelta], None]
"""What these fixtures return."""

PRAGMAS = sqlite._PRAGMAS
"""The service's settings of SQLite."""

HASHERS = {name: getattr(passwords, name) for name in ("_HASHER", "_DUMMY_HASH")}
"""What the service hashes passwords with."""

ON_BOTH_DATABASES = frozenset(
    {
        "test_demo_storage.py",
        "test_nodes.py",
        "test_races.py",
        "test_services_cleanup.py",
        "test_services_document_search.py",
    }
)
"""Modules that, like `test_storage*`, always run on both. Elsewhere the database makes no difference."""

SHORT = frozenset(f"test_api_{name}.py" for name in ("documents", "limits", "permalinks", "publishing"))


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests on PostgreSQL as nightly, except those of the database itself."""
    for item in items:
        parameters = item.callspec.params if isinstance(item, pytest.Function) and hasattr(item, "callspec") else {}
        name = item.path.name
        if (
            parameters.get("database_url") != "postgresql"
            or name in ON_BOTH_DATABASES
            or name.startswith("test_storage")
        ):
            continue
        item.add_marker(pytest.mark.nightly)
        if name in SHORT:
            item.add_marker(pytest.mark.short)


@pytest.fixture(scope="session", autouse=True)
def _patience() -> Iterator[None]:
    """Let jobs wait long for a worker: on a busy machine, its start may take longer than a client waits."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("mdpublish_server.conversion.pool.MAX_WAIT_SECONDS", 120.0)
        yield


@pytest.fixture(scope="session", autouse=True)
def _no_freezing() -> Iterator[None]:
    """Let memory be freed: a service freezes objects once, but here each application would freeze the former's."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("gc.freeze", lambda: None)
        yield


@pytest.fixture(scope="session", autouse=True)
def no_syncing() -> Iterator[None]:
    """Let commits return before they are on the disk, as in `postgresql_server`: no test here cuts the power."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sqlite, "_PRAGMAS", tuple(each.replace("= FULL", "= OFF") for each in PRAGMAS))
        yield


@pytest.fixture(scope="session", autouse=True)
def _cheap_hashes() -> Iterator[None]:
    """Hash passwords at next to no cost; `test_auth_passwords` does it as the service does."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(passwords, "_HASHER", CHEAP_HASHER)
        patch.setattr(passwords, "_DUMMY_HASH", CHEAP_HASHER.hash(""))
        yield


@pytest.fixture(scope="session", autouse=True)
def _routes_read_once() -> Iterator[None]:
    """Read the path of each route once: that is most of what an application's start takes, and each test has one."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("starlette.routing.compile_path", cache(compile_path))
        yield


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
def migrated_sqlite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A migrated, empty database to copy."""
    path = tmp_path_factory.mktemp("sqlite") / "migrated.db"
    migrate(f"sqlite:///{path}")
    return path


NEXT_MIGRATION = """
import sqlalchemy as sa
from alembic import op

revision = {next!r}
down_revision = {newest!r}

def upgrade():
    op.add_column("accounts", sa.Column("motto", sa.String(20), nullable=False, server_default="none"))
    op.create_table("mottos", sa.Column("motto", sa.String(20), primary_key=True))
    op.execute("INSERT INTO mottos VALUES ('none')")
"""


@pytest.fixture
def next_revision(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> str:
    """Makes this a version with one more migration, and returns its revision; the database has the one before."""
    newest = known_revisions()[0]
    added = f"{int(newest) + 1:04}"
    folder = tmp_path_factory.mktemp("next") / "migrations"
    shutil.copytree(Path(migrations.__file__).parent, folder)
    migration = NEXT_MIGRATION.format(next=added, newest=newest)
    (folder / "versions" / f"{added}_mottos.py").write_text(migration, "utf-8")
    monkeypatch.setattr("mdpublish_server.storage.database._MIGRATIONS", folder)
    return added


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest) -> str:
    """The URL of a migrated, empty database."""
    if request.param == "postgresql":
        url: str = request.getfixturevalue("empty_postgresql")
        return url
    source: Path = request.getfixturevalue("migrated_sqlite")
    folder: Path = request.getfixturevalue("tmp_path")
    return f"sqlite:///{shutil.copy(source, folder / 'test.db')}"


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    database = open_database(database_url)
    yield database
    database.close()


@pytest.fixture
def environment() -> dict[str, str]:
    """Environment variables of a test; modules override this fixture."""
    return {}


@pytest.fixture
def settings(database_url: str, environment: dict[str, str], tmp_path: Path) -> Settings:
    # Tests exceed the default rate limits; tests of the limits override these.
    rates = {"MDPUBLISH_FREE_RATE_LIMIT": "1000", "MDPUBLISH_PRO_RATE_LIMIT": "1000"}
    stored = {"MDPUBLISH_DATABASE_URL": database_url, "MDPUBLISH_IMAGE_STORE": str(tmp_path / "images")}
    return read_settings({**stored, **rates, **environment})


@pytest.fixture
def times() -> list[datetime]:
    """The application clock shows the last entry."""
    return [NOW]


@pytest.fixture
def travel(times: list[datetime]) -> Travel:
    """Advances the application clock."""
    return lambda span: times.append(times[-1] + span)


@pytest.fixture(scope="session")
def converter() -> Iterator[Converter]:
    """Workers shared by all tests, so that they start once, before a test waits for them."""
    converter = Converter(workers=2, demo_workers=1)
    asyncio.run(converter.start())
    yield converter
    converter.close()


@pytest.fixture
def jobs(converter: Converter) -> Iterator[list[str]]:
    """Names of completed worker jobs."""
    jobs: list[str] = []
    converter.observe(lambda job, *_facts: jobs.append(job))
    yield jobs
    converter.observe(lambda *_facts: None)


@pytest.fixture
def state(settings: Settings, database: Database, converter: Converter, times: list[datetime]) -> AppState:
    return AppState(settings, database=database, converter=converter, clock=lambda: times[-1])


@pytest.fixture
def app(state: AppState) -> ASGIApp:
    return make_app(state)


@pytest.fixture
def client_from(app: ASGIApp) -> Connect:
    """Creates a client with this IP address. Crashes become responses, and each request arrives in an iteration of the
    event loop of its own, as with a real server."""

    async def arrive(_request: httpx.Request) -> None:
        await asyncio.sleep(0)

    def connect(url: str) -> httpx.AsyncClient:
        transport = httpx.ASGITransport(app, raise_app_exceptions=False, client=(url, 50000))
        hooks = {"request": [arrive]}
        return httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000", event_hooks=hooks)

    return connect


@pytest.fixture
async def client(client_from: Connect, state: AppState) -> AsyncIterator[httpx.AsyncClient]:
    """A client without a key. The mailer runs if the settings have a mail server."""
    if state.mailer:
        state.mailer.start()
    async with client_from("127.0.0.1") as client:
        yield client
    if state.mailer:
        await state.mailer.stop()


@pytest.fixture
async def other(client_from: Connect) -> AsyncIterator[httpx.AsyncClient]:
    """Another browser, or a client whose key the test sets."""
    async with client_from("127.0.0.1") as client:
        yield client


@pytest.fixture
def mailbox() -> Iterator[Mailbox]:
    """A mail server, which the settings must name."""
    with running() as mailbox:
        yield mailbox


@pytest.fixture
def hashes(monkeypatch: pytest.MonkeyPatch) -> Callable[[], int]:
    """Returns the number of passwords hashed since its last use."""
    counting = CountingHasher()
    monkeypatch.setattr(passwords, "_HASHER", counting)
    return counting.since


@pytest.fixture
def signed_in(client_from: Connect, database: Database, times: list[datetime]) -> SignedIn:
    """Creates a browser signed in to an account."""

    def connect(account: Account) -> httpx.AsyncClient:
        client = client_from("127.0.0.1")
        with database.write_transaction() as transaction:
            client.cookies.set("session", sign_in(transaction, account, now=times[-1]))
        return client

    return connect


@pytest.fixture
def anna(database: Database, client_from: Connect, times: list[datetime]) -> Member:
    """A member on the Free plan, without a username."""
    return make_member(database, client_from, "anna", now=times[-1])


@pytest.fixture
def berta(database: Database, client_from: Connect, times: list[datetime]) -> Member:
    """A member on the Pro plan with the username `berta`."""
    return make_member(database, client_from, "berta", now=times[-1], plan="pro", username="berta")


@pytest.fixture
async def operator(make_owner: MakeOwner, database: Database, signed_in: SignedIn) -> AsyncIterator[httpx.AsyncClient]:
    """A browser signed in as an operator."""
    account = make_owner("olga").account
    with database.write_transaction() as transaction:
        set_operator(transaction, account.id, operator=True)
    async with signed_in(account) as client:
        yield client


@pytest.fixture
def make_owner(database: Database, times: list[datetime]) -> MakeOwner:
    """Creates an account with a key: `make_owner("anna", plan="pro", username="anna")`."""

    def make(name: str = "anna", *, plan: str = "free", username: str | None = None) -> Owner:
        with database.write_transaction() as transaction:
            account = create_account(
                transaction,
                email=f"{name}@example.org",
                password_hash=None,
                username=username,
                plan=plan,
                now=times[-1],
            )
            key = add_key(transaction, account, name="tests", now=times[-1])
        return Owner(account=account, key=key.raw)

    return make


@pytest.fixture
async def free(client_from: Connect, make_owner: MakeOwner) -> AsyncIterator[httpx.AsyncClient]:
    """A client on the Free plan, without a username."""
    async with client_from("127.0.0.1") as client:
        client.headers.update(make_owner("free").headers)
        yield client


@pytest.fixture
async def pro(client_from: Connect, make_owner: MakeOwner) -> AsyncIterator[httpx.AsyncClient]:
    """A client on the Pro plan with the username `pro-user`."""
    async with client_from("127.0.0.1") as client:
        client.headers.update(make_owner("pro", plan="pro", username="pro-user").headers)
        yield client
