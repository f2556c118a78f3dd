"""The service holds its contract: each claim of docs/reference/contract.md is checked by requests to it."""

import shutil
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from functools import cache
from pathlib import Path

import pytest

from mdpublish_server.conversion.converter import JOBS_MODULE, Converter
from mdpublish_server.storage import migrate
from tests.contract import checks  # noqa: F401  (registers the checks)
from tests.contract.claims import CHECKS, DECLARED, claims, given_responses, responses_to_give
from tests.contract.report import PROOF
from tests.contract.service import Exchange, Service
from tests.server.conftest import no_syncing  # noqa: F401  (a fixture)

pytestmark = pytest.mark.contract

IDS = {claim.id for claim in claims()}
READING = ("GET", "HEAD", "OPTIONS")
TESTABLE = [claim.id for claim in claims() if claim.reason is None]


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A migrated, empty database to copy."""
    path = tmp_path_factory.mktemp("contract") / "migrated.db"
    migrate(f"sqlite:///{path}")
    return path


@pytest.fixture(scope="session")
def converters() -> Iterator[Callable[[bool], Converter]]:
    """Returns workers, or fragile ones; each start once."""

    @cache
    def converter(is_fragile: bool) -> Converter:
        jobs_module = "tests.server.conversion_jobs" if is_fragile else JOBS_MODULE
        return Converter(workers=2, demo_workers=1, jobs_module=jobs_module)

    yield converter
    for is_fragile in (False, True):
        converter(is_fragile).close()


@pytest.fixture
def database_url(request: pytest.FixtureRequest) -> str:
    """The URL of a migrated database without rows."""
    if request.config.getoption("postgresql"):
        return str(request.getfixturevalue("empty_postgresql"))
    folder: Path = request.getfixturevalue("tmp_path")
    return f"sqlite:///{shutil.copy(request.getfixturevalue('migrated'), folder / 'contract.db')}"


@pytest.fixture
async def service(database_url: str, converters: Callable[[bool], Converter]) -> AsyncIterator[Service]:
    service = Service(database_url, converters)
    yield service
    await service.close()


# A check without a claim fails too.
@pytest.mark.anyio
@pytest.mark.parametrize("claim_id", [*TESTABLE, *sorted(CHECKS.keys() - set(TESTABLE))])
async def test_claim(service: Service, claim_id: str, record_property: Callable[[str, object], None]) -> None:
    assert claim_id in TESTABLE, "the contract has no such claim that can be tested"
    assert claim_id in CHECKS, "no check is registered for this claim"
    promised = responses_to_give(claim_id, IDS)
    shown = service.exchanges
    try:
        await CHECKS[claim_id](service)
        given = set(given_responses(service.exchanges))
        assert not given - DECLARED, "openapi.json does not declare these responses"
        assert not promised - given, "these responses were not given"
        shown = [each for each in shown if promised & {*given_responses([each])}] or shown
    finally:
        record_property(PROOF, proof(shown))


def proof(exchanges: Sequence[Exchange]) -> str:
    """Return the last request and its response; before one that only reads, also what was last changed."""
    if not exchanges:
        return "no request"
    *earlier, last = exchanges
    changes = [each for each in earlier if each.method not in READING] if last.method in READING else []
    return ", then ".join(map(str, (*changes[-1:], last)))
