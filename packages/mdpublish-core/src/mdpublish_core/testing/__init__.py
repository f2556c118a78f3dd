"""For tests of destinations and templates: Hypothesis strategies for Markdown, and the laws that every output keeps.

Needs the extra `testing`. The project's own `tests/properties` are the first user of what stands here.
"""

from mdpublish_core.testing.laws import (
    check_deterministic,
    check_text_kept,
    check_total,
    check_well_formed,
)
from mdpublish_core.testing.strategies import Sample, hostile_text, samples

__all__ = [
    "Sample",
    "check_deterministic",
    "check_text_kept",
    "check_total",
    "check_well_formed",
    "hostile_text",
    "samples",
]
