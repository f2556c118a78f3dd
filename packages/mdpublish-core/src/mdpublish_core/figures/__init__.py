"""Figures: what is drawn, and how it becomes a picture.

`fonts` measures text with a font that a package ships, `lines` breaks it into lines, and `rasters` makes PNG of SVG. The
engines come with the extra `mdpublish-core[figures]`; without it, what needs them raises `MissingExtra`.
"""
