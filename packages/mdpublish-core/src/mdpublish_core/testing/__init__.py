"""For tests of destinations and templates: Hypothesis strategies for Markdown, trees and themes, and the laws of output.

Needs the extra `testing`. The project's own `tests/properties` are the first user of what stands here.
"""

from mdpublish_core.testing.laws import (
    Converter,
    check_deterministic,
    check_limits_kept,
    check_linear,
    check_text_kept,
    check_thread_safe,
    check_total,
    check_vocabulary,
    check_well_formed,
    check_words_kept,
    shown_text,
)
from mdpublish_core.testing.strategies import Sample, hostile_text, samples
from mdpublish_core.testing.themes import theme_texts, themes
from mdpublish_core.testing.trees import Shape, documents, plain_documents, shape
from mdpublish_core.testing.vocabularies import VOCABULARIES, Vocabulary

__all__ = [
    "VOCABULARIES",
    "Converter",
    "Sample",
    "Shape",
    "Vocabulary",
    "check_deterministic",
    "check_limits_kept",
    "check_linear",
    "check_text_kept",
    "check_thread_safe",
    "check_total",
    "check_vocabulary",
    "check_well_formed",
    "check_words_kept",
    "documents",
    "hostile_text",
    "plain_documents",
    "samples",
    "shape",
    "shown_text",
    "theme_texts",
    "themes",
]
