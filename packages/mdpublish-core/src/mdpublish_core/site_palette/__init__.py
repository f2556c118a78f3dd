"""Colors of mdpublish's own pages: the gallery, the preview and the service's site.

Their stylesheets use `var(--ink)` and so on. Documents use the colors of templates.
"""

from functools import cache
from importlib.resources import files


@cache
def site_palette() -> str:
    """Return the stylesheet with the light and dark palette."""
    return (files("mdpublish_core.site_palette") / "palette.css").read_text("utf-8")
