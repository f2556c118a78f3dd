"""Patterns that Python 3.11.0 to 3.11.4, Debian 12's among them, would match wrongly."""

import re
import subprocess
import sys

import pytest

from .possessive_patterns import wrong_repetitions

WRONG = {
    r"(?:ab?c)*+": ("abca", 3),
    r"\w++(?:[-.]\w++)*+": ("A--", 1),
    r"(?:[^`$]++|\$(?!\{))*+": ("a${", 1),
    r"/\*[^*]*+(?:\*(?!/)[^*]*+)*+\*/": ("/* a */", 7),
    r"(?:,\d{3})?+": (",1aaa", 0),
    r"(?:\[(?:a|\]){0,2}+\]|b){1,3}+": ("b[a", 1),
}
"""Texts that these would match to the wrong place, and the right one."""

RIGHT = (
    r"(?:[^\"\\]|\\.)*+",
    r"(?:[^*]++|\*[^/])*+",
    r"(?:(?![*/])[^,])++",
    r"(?:a+)*+",
    r"(?:\.\w*+)*+",
    r"[ab]{2,3}+",
)
"""Fail where they began, without help."""


@pytest.mark.parametrize("pattern", WRONG)
def test_repetition_that_may_stay_where_it_failed_is_found(pattern: str) -> None:
    assert wrong_repetitions(pattern) == 1


@pytest.mark.parametrize("pattern", RIGHT)
def test_repetition_that_fails_where_it_began_is_left(pattern: str) -> None:
    assert wrong_repetitions(pattern) == 0


@pytest.mark.parametrize("pattern", WRONG)
def test_empty_alternative_puts_the_position_back(pattern: str) -> None:
    mended = re.sub(r"\)(?=(?:[*+?]|\{1,3\})\+)", r"|(?!))", pattern)

    match = re.match(mended, WRONG[pattern][0])

    assert wrong_repetitions(mended) == 0
    assert (match and match.end()) == WRONG[pattern][1]


@pytest.mark.corpora
def test_no_pattern_of_ours_is_wrong() -> None:
    completed = subprocess.run(
        [sys.executable, "-m", "tests.core.possessive_patterns"], check=True, capture_output=True, text=True
    )

    count, *wrong = completed.stdout.splitlines()

    assert (int(count.split()[0]) > 4_000, wrong) == (True, [])
