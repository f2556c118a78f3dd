"""Lines printed at the end of a test run, once, also from xdist workers."""

from collections.abc import Callable

import pytest

REMARKS: pytest.StashKey[list[str]] = pytest.StashKey()

Report = Callable[[str], None]


def remark(config: pytest.Config, line: str) -> None:
    config.stash.setdefault(REMARKS, []).append(line)
