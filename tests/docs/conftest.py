"""Reports what became of the documentation's code blocks."""

from collections import Counter, defaultdict
from dataclasses import dataclass, field

import pytest

from tests.docs.examples import Block
from tests.remarks import remark


@dataclass(slots=True)
class Tally:
    done: Counter[str] = field(default_factory=Counter)
    left: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))

    def leave(self, block: Block) -> None:
        self.left[block.reason or f"left to `nox -s {block.session}`"].append(block.place)


_TALLY = pytest.StashKey[Tally]()


@pytest.fixture
def tally(request: pytest.FixtureRequest) -> Tally:
    return request.config.stash.setdefault(_TALLY, Tally())


def pytest_sessionfinish(session: pytest.Session) -> None:
    tally = session.config.stash.get(_TALLY, None)
    if tally is None:
        return
    counts = ", ".join(f"{number} {done}" for done, number in sorted(tally.done.items()))
    left = sum(map(len, tally.left.values()))
    remark(session.config, f"code blocks of the documentation: {counts}, {left} not run")
    for reason, places in sorted(tally.left.items()):
        remark(session.config, f"  not run ({', '.join(places)}): {reason}")
