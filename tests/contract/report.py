"""A pytest plugin: prints whether each claim of the contract holds, with the last request of its check."""

from collections import Counter
from dataclasses import dataclass

import pytest

PROOF = "contract_request"
"""The property of a test's report that holds the request."""

_RESULTS: pytest.StashKey[dict[str, "_Result"]] = pytest.StashKey()


@dataclass(frozen=True, slots=True)
class _Result:
    outcome: str
    proof: str


def pytest_configure(config: pytest.Config) -> None:
    config.stash[_RESULTS] = {}
    config.pluginmanager.register(_Collector(config.stash[_RESULTS]))


class _Collector:
    def __init__(self, results: dict[str, _Result]) -> None:
        self._results = results

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        proofs = [str(value) for name, value in report.user_properties if name == PROOF]
        if "::test_claim[" not in report.nodeid or (report.when != "call" and report.passed):
            return
        claim_id = report.nodeid.partition("[")[2].removesuffix("]")
        proof = proofs[0] if proofs else f"{report.when} failed"
        # A check that held differs after all if its service could not be closed.
        self._results[claim_id] = _Result("holds" if report.passed else "differs", proof)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    results = config.stash[_RESULTS]
    if not results:
        return
    # Late: this plugin is loaded in every session, the service need not be.
    from tests.contract.claims import claims

    is_whole = all(claim.reason or claim.id in results for claim in claims())
    lines = {}
    for claim in claims():
        if claim.id in results:
            lines[claim.id] = results[claim.id]
        elif claim.reason and is_whole:
            lines[claim.id] = _Result("untestable", claim.reason)
    # A check without a claim differs too.
    lines |= results
    width = max(map(len, lines))
    terminalreporter.section("contract")
    for claim_id, result in lines.items():
        terminalreporter.write_line(f"{claim_id:{width}}  {result.outcome:10}  {result.proof}")
    counts = Counter(result.outcome for result in lines.values())
    line = ", ".join(f"{counts[each]} {each}" for each in ("holds", "differs", "untestable"))
    terminalreporter.write_line(f"{len(lines)} claims: {line}")
