"""Copilot: each answer begins with words for screen readers."""

from mdpublish_core.readers.html.parse import Element
from mdpublish_core.readers.html.sources.cleaning import remove, text_of, tidy_response

_ANNOUNCEMENT = "Copilot said"


def clean(root: Element) -> None:
    for element in list(root.iter("h5", "h6", "span", "div")):
        if text_of(element).rstrip(":") == _ANNOUNCEMENT:
            remove(element)
    tidy_response(root)
