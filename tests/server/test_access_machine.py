"""The state machine of access, for random sequences of what owners, readers, apps and strangers do."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from mdpublish_server.conversion.converter import Converter
from tests.server.access_machine import run
from tests.server.access_proof import main
from tests.server.access_visitors import Service


@pytest.fixture
def service(converter: Converter, migrated_sqlite: Path, tmp_path: Path) -> Iterator[Service]:
    service = Service(converter, migrated_sqlite, tmp_path)
    yield service
    service.close()


@pytest.mark.corpora
def test_visitors_see_what_is_for_them_after_every_step(service: Service) -> None:
    run(service, examples=20, steps=8)


@pytest.mark.nightly
def test_visitors_see_what_is_for_them_after_many_steps(service: Service) -> None:
    run(service, examples=200, steps=20)


@pytest.mark.nightly
def test_long_proof_goes_on_where_it_was_interrupted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    state = ("--steps=2", "--state", str(tmp_path / "state"))
    assert main(["--examples=1", *state]) == 0
    capsys.readouterr()

    assert main(["--examples=2", *state]) == 0

    assert capsys.readouterr().out.startswith("2 of 2 examples hold")
