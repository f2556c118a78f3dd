"""What the tests of the documentation share: the word on what became of its code blocks."""

from collections import Counter, defaultdict
from dataclasses import dataclass, field

import pytest

from tests.docs.examples import Block
from tests.remarks import remark


@dataclass(slots=True)
class Tally:
    """What was done with the code blocks of the pages that were followed."""

    done: Counter[str] = field(default_factory=Counter)
    left: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    """The places of the blocks that were not run, by the reason."""

    def leave(self, block: Block) -> None:
        """Note a block that is not run."""
        self.left[block.reason or f"left to `nox -s {block.session}`"].append(block.place)


_TALLY = pytest.StashKey[Tally]()


@pytest.fixture
def tally(request: pytest.FixtureRequest) -> Tally:
    """What all tests of the run add to."""
    return request.config.stash.setdefault(_TALLY, Tally())


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Say how many blocks of the documentation ran, and which did not."""
    tally = session.config.stash.get(_TALLY, None)
    if tally is None:
        return
    counts = ", ".join(f"{number} {done}" for done, number in sorted(tally.done.items()))
    left = sum(map(len, tally.left.values()))
    remark(session.config, f"code blocks of the documentation: {counts}, {left} not run")
    for reason, places in sorted(tally.left.items()):
        remark(session.config, f"  not run ({', '.join(places)}): {reason}")
