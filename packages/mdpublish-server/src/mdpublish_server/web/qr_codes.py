"""QR codes of URLs."""

import segno

# Modules around the code that stay white, as ISO/IEC 18004 has it.
_QUIET_ZONE = 4


def qr_code(url: str, title: str = "QR code of the link") -> str:
    """Return an SVG element without styles: black on white in any color scheme, and allowed by the site's policy."""
    code = segno.make(url, micro=False, error="m")
    return code.svg_inline(
        title=title,
        omitsize=True,
        border=_QUIET_ZONE,
        dark="#000",
        light="#fff",
        svgclass=None,
        lineclass=None,
    )
