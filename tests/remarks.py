"""What a run of the tests says at its end, beside its result, whether it ran in one process or in several."""

import pytest

REMARKS: pytest.StashKey[list[str]] = pytest.StashKey()
"""In a configuration's stash: lines to be printed at the end."""


def remark(config: pytest.Config, line: str) -> None:
    """Have a line printed at the end; one that several processes say is printed once."""
    config.stash.setdefault(REMARKS, []).append(line)
