"""The blind task draws pairs fairly, and scores judgments."""

import json
from collections import Counter
from dataclasses import asdict
from itertools import combinations
from pathlib import Path
from random import Random

import pytest

from mdpublish_core import list_templates
from mdpublish_core.templates import THEME_MODES
from tests.templates.matching import NEAREST, Pair, draw_pairs, read_judgments, score

IDS = sorted(template.id for template in list_templates())

DISTANCES = {mode: {pair: number / 2000 for number, pair in enumerate(combinations(IDS, 2))} for mode in THEME_MODES}
"""The first pairs are the nearest."""


def test_half_of_the_pairs_are_of_one_template() -> None:
    pairs = draw_pairs(DISTANCES, 200, Random(1))

    assert [pair.number for pair in pairs] == list(range(1, 201))
    assert sum(pair.is_same for pair in pairs) == 100
    assert {pair.crop for pair in pairs} == {"another part", "another document"}
    assert pairs == draw_pairs(DISTANCES, 200, Random(1))
    assert pairs != draw_pairs(DISTANCES, 200, Random(2))


def test_most_different_templates_are_near() -> None:
    pairs = [pair for pair in draw_pairs(DISTANCES, 200, Random(1)) if not pair.is_same]

    assert sum(pair.distance < NEAREST / 2000 for pair in pairs) >= 75
    assert max(pair.distance for pair in pairs) > 0.5


def test_every_page_is_shown_once_before_any_is_shown_twice() -> None:
    pages = Counter((pair.first, pair.mode) for pair in draw_pairs(DISTANCES, 400, Random(1)) if pair.is_same)

    assert len(pages) == 126
    assert set(pages.values()) <= {1, 2}


def test_score_names_wrong_pairs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pairs = [
        Pair(1, "swiss", "swiss", "light", "another part", 0.0),
        Pair(2, "swiss", "github", "dark", "another document", 0.2),
        Pair(3, "ink", "mono", "light", "another part", 0.5),
    ]
    (tmp_path / "key.json").write_text(json.dumps([asdict(pair) for pair in pairs]), "utf-8")
    (tmp_path / "judgments").write_text("1 same\n2: same\n", "utf-8")

    score(tmp_path / "key.json", tmp_path / "judgments")

    assert capsys.readouterr().out.splitlines() == [
        "1 pairs have no judgment and count as wrong: 3",
        "all: 1 of 3 right (33.3%)",
        "same: 1 of 1 right (100.0%)",
        "different: 0 of 2 right (0.0%)",
        "another part: 1 of 2 right (50.0%)",
        "another document: 0 of 1 right (0.0%)",
        "   2  swiss and github, dark, another document (0.200)",
        "   3  ink and mono, light, another part (0.500)",
    ]


def test_judgments_are_same_or_different() -> None:
    assert read_judgments("1 same\n\n2 different\n") == {1: True, 2: False}
    with pytest.raises(ValueError, match="got 'maybe'"):
        read_judgments("1 maybe")
