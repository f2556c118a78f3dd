"""Teams: emoji are images."""

from mdpublish_core.readers.html.parse import Element
from mdpublish_core.readers.html.sources.cleaning import refill


def clean(root: Element) -> None:
    for image in list(root.iter("img")):
        if image.get("itemtype", "").endswith("/Emoji"):
            refill(image, "span", image.get("alt", ""))
