"""Test support, with the extra `testing`: Hypothesis strategies and properties of destinations and templates."""

from mdpublish_core.testing.laws import (
    ConvertFunction,
    check_deterministic,
    check_limits_respected,
    check_linear,
    check_text_preserved,
    check_thread_safe,
    check_total,
    check_vocabulary,
    check_well_formed,
    check_words_preserved,
    visible_text,
)
from mdpublish_core.testing.strategies import Sample, hostile_text, samples, theme_files, themes
from mdpublish_core.testing.trees import Shape, documents, plain_documents, shape
from mdpublish_core.testing.vocabularies import VOCABULARIES, Vocabulary

__all__ = [
    "VOCABULARIES",
    "ConvertFunction",
    "Sample",
    "Shape",
    "Vocabulary",
    "check_deterministic",
    "check_limits_respected",
    "check_linear",
    "check_text_preserved",
    "check_thread_safe",
    "check_total",
    "check_vocabulary",
    "check_well_formed",
    "check_words_preserved",
    "documents",
    "hostile_text",
    "plain_documents",
    "samples",
    "shape",
    "theme_files",
    "themes",
    "visible_text",
]
