"""Every case in `tests/cases/`, in every destination it lists."""

import pytest

from mdpublish_core.writers.outputs import DESTINATIONS
from tests.cases.case_files import Case, all_cases, shown_html

CASES = all_cases()

ENGINES = {
    "figures: A chart": ("resvg_py",),
    "figures: A diagram": ("merman", "resvg_py"),
    "figures: A graph": ("pygraphviz", "resvg_py"),
    "math: As GitHub writes it": ("resvg_py",),
    "math: As assistants write it": ("resvg_py",),
    "math: Chemistry": ("resvg_py",),
    "math: In a line and on its own": ("resvg_py",),
}


@pytest.mark.parametrize(
    ("case", "destination"),
    [
        pytest.param(
            case,
            destination,
            id=f"{case.name}-{destination}",
            marks=pytest.mark.needs(*ENGINES.get(case.name, ())),
        )
        for case in CASES
        for destination in case.outputs
    ],
)
def test_case_gives_the_output_that_it_shows(case: Case, destination: str) -> None:
    assert shown_html(case.convert(destination)) == case.outputs[destination]


def test_every_case_shows_every_destination() -> None:
    assert [case.name for case in CASES if list(case.outputs) != list(DESTINATIONS)] == []
