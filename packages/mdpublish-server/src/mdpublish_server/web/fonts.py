"""`GET /fonts/…`: the fonts of published pages and of the interface, if enabled.

Sandboxed pages have an opaque origin, so CORS allows any.
"""

from mdpublish_core.hosting.templates import FONT_FOLDER, hosted_files
from mdpublish_server.web.immutable_files import ImmutableFiles

PATH = "/fonts/"

FONTS = ImmutableFiles(FONT_FOLDER, hosted_files, media_type="font/woff2", headers={"Access-Control-Allow-Origin": "*"})
