"""The sample that fills the workbench at first, and the excerpt that is shown below it before and after."""

from functools import cache
from importlib.resources import files

from mdpublish_core import parse

_FOLDER = files("mdpublish_server.web") / "static"

SAMPLE = (_FOLDER / "sample.md").read_text("utf-8")

EXCERPT = (_FOLDER / "excerpt.md").read_text("utf-8")
"""Short enough for a frame that does not scroll."""


@cache
def sample_words() -> int:
    """Return how many words the sample has, as every preview and every document counts them."""
    return parse(SAMPLE).word_count
