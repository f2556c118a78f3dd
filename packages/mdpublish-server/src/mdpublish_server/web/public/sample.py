"""The sample that fills the workbench at first, and the excerpt that is shown below it before and after."""

from importlib.resources import files

_FOLDER = files("mdpublish_server.web") / "static"

SAMPLE = (_FOLDER / "sample.md").read_text("utf-8")

EXCERPT = (_FOLDER / "excerpt.md").read_text("utf-8")
"""Short enough for a frame that does not scroll."""
