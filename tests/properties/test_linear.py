"""Law: ten times the input takes at most about ten times as long. `nox -s security` measures more inputs."""

from collections.abc import Callable
from functools import partial

import pytest

from mdpublish_core import convert
from mdpublish_core.destinations import DESTINATIONS
from mdpublish_core.testing import check_linear

SOURCES: dict[str, Callable[[int], str]] = {
    "paragraphs": lambda size: "*a* `b` [c](d) \n\n" * (size // 17),
    "items": lambda size: "- a\n" * (size // 4),
    "quotes": lambda size: "> a\n\n" * (size // 5),
    "rows": lambda size: "|a|b|\n|-|-|\n" + "|c|d|\n" * (size // 6),
    "code": lambda size: f"```py\n{'x = 1  # a' * (size // 10)}\n```\n",
    "notes": lambda size: "".join(f"a[^{number}]\n\n[^{number}]: b\n\n" for number in range(size // 20)),
    "elements": lambda size: "<kbd>a</kbd> <sub>b</sub>" * (size // 25),
    "one line": lambda size: "a" * size,
}


@pytest.mark.parametrize("destination", DESTINATIONS)
@pytest.mark.parametrize("name", SOURCES)
def test_time_grows_linearly_with_the_input(name: str, destination: str) -> None:
    check_linear(SOURCES[name], partial(convert, destination=destination))
