"""`GET /fonts/…`: the fonts of published pages, if enabled.

Sandboxed pages have an opaque origin, so CORS allows any.
"""

from importlib.resources import files

from mdpublish_core.templates.hosted_fonts import hosted_families
from mdpublish_server.web.immutable_files import ImmutableFiles

PATH = "/fonts/"


def _names() -> frozenset[str]:
    return frozenset(name for family in hosted_families().values() for style in family.styles for name in style.files)


FONTS = ImmutableFiles(
    files("mdpublish_server.web") / "static" / "fonts",
    _names,
    media_type="font/woff2",
    headers={"Access-Control-Allow-Origin": "*"},
)
