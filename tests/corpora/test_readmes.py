from pathlib import Path

import pytest

from tests.corpora.readmes import LIST, READMES, TRADES, label, listed, written


@pytest.mark.parametrize("path", [LIST, TRADES], ids=lambda path: path.stem)
def test_list_is_written_as_it_is_read(path: Path) -> None:
    assert written(listed(path)) == path.read_text("utf-8")


def test_readmes_are_named_once() -> None:
    files = [*READMES, *listed()]

    assert len(files) == len({label(file) for file in files}) == len({file.sha256 for file in files}) == 193


def test_readmes_of_trades_are_others() -> None:
    files = [*READMES, *listed(), *listed(TRADES)]

    assert len(files) == len({label(file) for file in files}) == len({file.sha256 for file in files}) == 558
