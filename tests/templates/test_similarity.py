"""No two templates look alike without colors and letters."""

from concurrent.futures import ProcessPoolExecutor
from functools import lru_cache
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from mdpublish_core import list_templates
from mdpublish_core.templates import THEME_MODES, ThemeMode
from tests.templates.similarity import MAX_SIMILARITY, blurred, screenshot, similarity

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from playwright.sync_api import Page

pytestmark = pytest.mark.templates

NEAREST = 12


@pytest.mark.parametrize("mode", THEME_MODES)
def test_no_two_pages_look_alike(window: "Page", mode: ThemeMode, tmp_path: Path) -> None:
    files = {}
    for template in list_templates():
        files[template.id] = tmp_path / f"{template.id}.png"
        files[template.id].write_bytes(screenshot(window, template, mode))
    pairs = list(combinations(files, 2))

    with ProcessPoolExecutor() as processes:
        similarities = processes.map(
            _similarity, *zip(*((files[one], files[other]) for one, other in pairs), strict=True), chunksize=32
        )
        alike = dict(zip(pairs, similarities, strict=True))

    nearest = sorted(alike, key=alike.__getitem__, reverse=True)
    print(f"\n{mode}: {len(pairs)} pairs; most alike:")  # noqa: T201  (the list)
    for pair in nearest[:NEAREST]:
        print(f"  {alike[pair]:.3f}  {' and '.join(pair)}")  # noqa: T201
    assert [pair for pair in nearest if alike[pair] >= MAX_SIMILARITY] == []


def _similarity(one: Path, other: Path) -> float:
    return similarity(_read(one), _read(other))


@lru_cache(maxsize=64)
def _read(file: Path) -> "NDArray[np.float32]":
    return blurred(file.read_bytes())
