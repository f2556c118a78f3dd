"""For tests of destinations and templates: Hypothesis strategies for Markdown and for trees, and the laws of every output.

Needs the extra `testing`. The project's own `tests/properties` are the first user of what stands here.
"""

from mdpublish_core.testing.laws import (
    check_deterministic,
    check_text_kept,
    check_total,
    check_well_formed,
    check_words_kept,
)
from mdpublish_core.testing.strategies import Sample, hostile_text, samples
from mdpublish_core.testing.trees import Shape, documents, plain_documents, shape

__all__ = [
    "Sample",
    "Shape",
    "check_deterministic",
    "check_text_kept",
    "check_total",
    "check_well_formed",
    "check_words_kept",
    "documents",
    "hostile_text",
    "plain_documents",
    "samples",
    "shape",
]
