"""Law: spoiled documents raise nothing but documented errors, in the library, on pages and in the service; nor does
spoiled HTML, nor a spoiled Word file, in bounded memory, and what renders of them is safe.

`nox -s fuzz` takes an hour, with `-- --short` five minutes, with `-- --seconds=N` or `-- --conversions=N` as long as
that. It prints the seed, with which `-- --fuzz-seed=SEED` repeats it, and a program for each failure.
"""

import secrets
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cases.case_files import all_cases
from tests.fuzz.imports import HtmlImports, WordImports, html_sources, word_files, word_sources
from tests.fuzz.library import Conversions, Pages
from tests.fuzz.service import in_process_service
from tests.fuzz.session import Budget, Report, Target, fuzz, fuzz_in_bounded_memory
from tests.remarks import remark

pytestmark = [pytest.mark.fuzz, pytest.mark.short]

Run = Callable[..., Report]

LONG_SECONDS = 3_600
SHORT_SECONDS = 300

FIXED_SEED = "1"
"""Of sessions with a fixed number of conversions, which are the same everywhere."""


@pytest.fixture(scope="module")
def sources(many_readmes: dict[str, str]) -> list[str]:
    return [*many_readmes.values(), *(case.markdown for case in all_cases())]


@pytest.fixture(scope="module")
def seed(request: pytest.FixtureRequest) -> str:
    fixed = FIXED_SEED if request.config.option.conversions else secrets.token_hex(4)
    return str(request.config.option.fuzz_seed or fixed)


def check(
    config: pytest.Config, target: Target, sources: list[str], seed: str, *, share: float, run: Run = fuzz
) -> None:
    """Run a share of the session."""
    number = config.option.conversions
    seconds = config.option.seconds or (SHORT_SECONDS if config.option.short else LONG_SECONDS)
    budget = Budget(conversions=round(share * number)) if number else Budget(seconds=share * seconds)
    print(f"\n{target.name}: seed {seed}")  # noqa: T201  (at once: a crash of the process would leave no report)

    report = run(target, sources, seed=seed, budget=budget)

    remark(config, f"{target.name}: {report}")
    failures = [f"{kind}\n{snippet}" for kind, snippet in report.failures.items()]
    assert not failures, f"seed {seed}\n\n" + "\n\n".join(failures)


def test_conversions_raise_only_documented_errors(pytestconfig: pytest.Config, sources: list[str], seed: str) -> None:
    check(pytestconfig, Conversions(), sources, seed, share=0.45)


def test_pages_raise_only_documented_errors(pytestconfig: pytest.Config, sources: list[str], seed: str) -> None:
    check(pytestconfig, Pages(), sources, seed, share=0.15)


def test_service_sends_only_documented_errors(
    pytestconfig: pytest.Config, sources: list[str], seed: str, tmp_path: Path
) -> None:
    with in_process_service(tmp_path) as service:
        check(pytestconfig, service, sources, seed, share=0.14)


def test_spoiled_html_is_read_safely(pytestconfig: pytest.Config, seed: str) -> None:
    check(pytestconfig, HtmlImports(), html_sources(), seed, share=0.25, run=fuzz_in_bounded_memory)


def test_spoiled_word_files_are_read_safely(pytestconfig: pytest.Config, seed: str) -> None:
    files = word_files()
    check(pytestconfig, WordImports(files), word_sources(files), seed, share=0.01, run=fuzz_in_bounded_memory)
