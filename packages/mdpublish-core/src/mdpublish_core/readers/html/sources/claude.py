"""Claude: chips of citations are links like others."""

from mdpublish_core.readers.html.parse import Element
from mdpublish_core.readers.html.sources.cleaning import set_apart, tidy_response, with_class


def clean(root: Element) -> None:
    for chip in with_class(root, "group/tag"):
        set_apart(chip)
    tidy_response(root)
