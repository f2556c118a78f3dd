"""Steps of Python code: how they are counted."""

import sys

import pytest

from mdpublish_core.testing import check_linear
from mdpublish_core.testing.steps import TooManySteps, count_steps


def pairs(size: int) -> int:
    return sum(one < other for one in range(size) for other in range(size))


def test_work_has_the_same_steps_each_time() -> None:
    assert count_steps(lambda: pairs(50)) == count_steps(lambda: pairs(50)) > 2_500


def test_quadratic_work_has_a_hundred_times_the_steps_for_ten_times_the_input() -> None:
    assert count_steps(lambda: pairs(200)) > 80 * count_steps(lambda: pairs(20))
    with pytest.raises(AssertionError, match="times the steps for ten times the input"):
        check_linear(lambda size: "a" * (size // 10), lambda markdown: pairs(len(markdown)))


def test_endless_work_ends_at_the_limit() -> None:
    def never_ends() -> None:
        while True:
            pass

    tracing = sys.gettrace()
    with pytest.raises(TooManySteps, match="more than 1,000 steps"):
        count_steps(never_ends, limit=1_000)

    assert sys.gettrace() is tracing
