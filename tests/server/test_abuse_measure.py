"""The measurement of the abuse filter on texts from elsewhere."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.server.abuse_measure import main

LURE = "Your account has been suspended. Verify your password at https://pp-login.example/login within 24 hours."
ORDINARY = "The garden is open on Sunday. See https://garden.example/ for the way."


def _file(path: Path, samples: Sequence[str]) -> str:
    lines = (json.dumps({"lang": "en", "kind": "login", "text": markdown}) for markdown in samples)
    path.write_text("\n".join(lines), "utf-8")
    return str(path)


def test_measurement_prints_rates_and_errors_only_on_request(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    paths = [_file(tmp_path / "lures", [LURE, ORDINARY]), _file(tmp_path / "ordinary", [ORDINARY, ORDINARY])]

    main(paths)
    rates = capsys.readouterr().out
    main(["--list", *paths])
    listed = capsys.readouterr().out

    assert "all lures refused: 1 of 2 (50.0%), ordinary texts refused: 0 of 2 (0.0%)" in rates
    assert "garden" not in rates
    assert "missed en login: The garden is open on Sunday." in listed
