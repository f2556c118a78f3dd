"""Law: the text form and the description of a figure say what its source says.

`python -m tests.text_forms.figure_samples 500` is the long form.
"""

import pytest

from tests.text_forms.figure_samples import samples, untrue

pytestmark = pytest.mark.needs("merman", "pygraphviz", "resvg_py")


def test_texts_of_all_kinds_of_figures_are_true() -> None:
    assert [difference for sample in samples(105, seed=7) if (difference := untrue(sample))] == []
