"""Pseudo-classes and pseudo-elements of a user's stylesheet. Others are refused: they could leave the document."""

from mdpublish_core.data_files import read_words

LEGACY_PSEUDO_ELEMENTS, PSEUDO_ELEMENTS, STATES, OTHER_PSEUDO_CLASSES = (
    frozenset(read_words(__file__, "selector_names.tsv")[kind]) for kind in ("legacy", "elements", "states", "others")
)
