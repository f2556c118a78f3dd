import pytest

from tests.corpora import commonmark, generated, gfm
from tests.corpora import readmes as readmes_of_packages
from tests.corpora.examples import Example
from tests.corpora.readmes import many_readmes as many_readmes_of_packages
from tests.corpora.readmes import readmes_of_trades as readmes_of_trades_of_packages


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("corpora")
    default = generated.DEFAULT_NUMBER
    group.addoption("--generated", type=int, default=default, metavar="N", help=f"documents of each kind ({default})")
    group.addoption("--seed", default="1", metavar="WORD", help="what they are generated from (1)")
    group.addoption(
        "--all-vectors", action="store_true", help="every text that means harm, in every place it can be put"
    )


@pytest.fixture(scope="session")
def commonmark_examples() -> tuple[Example, ...]:
    return commonmark.commonmark_examples()


@pytest.fixture(scope="session")
def commonmark_spec() -> str:
    return commonmark.commonmark_spec()


@pytest.fixture(scope="session")
def gfm_spec_examples() -> tuple[Example, ...]:
    return gfm.gfm_spec_examples()


@pytest.fixture(scope="session")
def gfm_extension_examples() -> tuple[Example, ...]:
    return gfm.gfm_extension_examples()


@pytest.fixture(scope="session")
def gfm_regression_examples() -> tuple[Example, ...]:
    return gfm.gfm_regression_examples()


@pytest.fixture(scope="session")
def readmes() -> dict[str, str]:
    return readmes_of_packages()


@pytest.fixture(scope="session")
def many_readmes() -> dict[str, str]:
    return many_readmes_of_packages()


@pytest.fixture(scope="session")
def readmes_of_trades() -> dict[str, str]:
    return readmes_of_trades_of_packages()


@pytest.fixture(scope="session")
def block_documents(request: pytest.FixtureRequest) -> list[str]:
    return generated.block_documents(request.config.getoption("generated"), request.config.getoption("seed"))


@pytest.fixture(scope="session")
def inline_documents(request: pytest.FixtureRequest) -> list[str]:
    return generated.inline_documents(request.config.getoption("generated"), request.config.getoption("seed"))
