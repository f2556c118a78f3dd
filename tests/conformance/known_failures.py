"""Expected failures from TOML files, each with a reason. One that passes fails its test."""

import tomllib
from collections.abc import Iterable
from itertools import chain
from pathlib import Path

import pytest


class KnownFailures:
    """Groups of a `reason` and examples by key."""

    def __init__(self, name: str) -> None:
        self._groups = tomllib.loads((Path(__file__).parent / name).read_text("utf-8")).get("group", [])

    def listed(self, key: str = "examples") -> list[int | str]:
        return list(chain.from_iterable(group.get(key, []) for group in self._groups))

    def marked(self, examples: Iterable[int | str], key: str = "examples") -> list[object]:
        reasons = {example: group["reason"] for group in self._groups for example in group.get(key, [])}
        return [pytest.param(example, marks=_marks(reasons.get(example))) for example in examples]


def _marks(reason: str | None) -> list[pytest.MarkDecorator]:
    return [] if reason is None else [pytest.mark.xfail(reason=reason, raises=AssertionError, strict=True)]
