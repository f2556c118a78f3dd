"""The site palette: the colours of mdpublish's own pages, which are the gallery, the preview and the service's site.

Each has a stylesheet of its own, which names them as `var(--ink)` and so on, and stands behind this one. What people write
has the colours of templates.
"""

from functools import cache
from importlib.resources import files


@cache
def site_palette() -> str:
    """Return the stylesheet that defines them, in light and in dark."""
    return (files("mdpublish_core.site_palette") / "palette.css").read_text("utf-8")
