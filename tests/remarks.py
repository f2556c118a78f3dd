"""Lines printed at the end of a test run, once, also from xdist workers."""

import pytest

REMARKS: pytest.StashKey[list[str]] = pytest.StashKey()


def remark(config: pytest.Config, line: str) -> None:
    config.stash.setdefault(REMARKS, []).append(line)
