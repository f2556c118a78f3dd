"""Claude: code blocks below their language."""

from mdpublish_core.readers.html.parse import Element
from mdpublish_core.readers.html.sources.cleaning import tidy_code


def clean(root: Element) -> None:
    tidy_code(root)
