"""`GET /fonts/…`: the fonts of published pages and of the interface, if enabled.

Sandboxed pages have an opaque origin, so CORS allows any.
"""

from importlib.resources import files

from mdpublish_core.hosting.templates import hosted_files
from mdpublish_server.web.immutable_files import ImmutableFiles

PATH = "/fonts/"


FONTS = ImmutableFiles(
    files("mdpublish_server.web") / "static" / "fonts",
    hosted_files,
    media_type="font/woff2",
    headers={"Access-Control-Allow-Origin": "*"},
)
