"""Teams: emoji are images."""

from mdpublish_core.readers.html.parse import Element
from mdpublish_core.readers.html.sources.cleaning import replace_by_text


def clean(root: Element) -> None:
    for image in list(root.iter("img")):
        if image.get("itemtype", "").endswith("/Emoji"):
            replace_by_text(image, image.get("alt", ""))
