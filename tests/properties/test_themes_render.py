"""Law: with any theme, all destinations are total, keep the words, and use only their vocabulary."""

from functools import cache, partial
from itertools import product

from hypothesis import given, settings

from mdpublish_core import Template, convert
from mdpublish_core.templates import THEME_MODES
from mdpublish_core.testing import (
    VOCABULARIES,
    Sample,
    check_text_preserved,
    check_vocabulary,
    check_well_formed,
    samples,
    themes,
)
from mdpublish_core.writers.outputs import DESTINATIONS


@settings(max_examples=max(10, settings().max_examples // 6))
@given(template=themes(), sample=samples())
def test_any_theme_serves(template: Template, sample: Sample) -> None:
    for destination, theme_mode in product(DESTINATIONS, THEME_MODES):
        converter = cache(partial(convert, to=destination, template=template, theme_mode=theme_mode))

        check_text_preserved(sample, converter)
        check_well_formed(sample.markdown, converter)
        if destination in VOCABULARIES:
            check_vocabulary(sample.markdown, converter, VOCABULARIES[destination])
