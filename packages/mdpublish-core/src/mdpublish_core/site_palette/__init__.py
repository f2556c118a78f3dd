"""Colors of mdpublish's own pages (gallery, preview, service), as `var(--ink)` and so on."""

from functools import cache
from importlib.resources import files


@cache
def site_palette() -> str:
    """Return the custom properties of the site's colors, as CSS."""
    return (files("mdpublish_core.site_palette") / "palette.css").read_text("utf-8")
