"""`GET /static/thumbnails/…`: how each template looks in each mode, in pictures that `nox -s thumbnails` makes."""

from functools import cache
from importlib.resources import files

from mdpublish_core.hosting.outputs import ThemeMode
from mdpublish_server.web.immutable_files import ImmutableFiles

PATH = "/static/thumbnails/"

WIDTH, HEIGHT = 320, 240
"""As shown, in px; the files have twice as many pixels."""

_FOLDER = files("mdpublish_server.web") / "static" / "thumbnails"


def thumbnail_url(template_id: str, theme_mode: ThemeMode) -> str:
    return f"{PATH}{_names_by_subject()[f'{template_id}-{theme_mode}']}"


@cache
def _names_by_subject() -> dict[str, str]:
    return {name.partition(".")[0]: name for name in _names()}


def _names() -> frozenset[str]:
    return frozenset(entry.name for entry in _FOLDER.iterdir() if entry.name.endswith(".avif"))


THUMBNAILS = ImmutableFiles(_FOLDER, _names, media_type="image/avif")
