"""Regenerate the fonts."""

from mdpublish_core.figures.graphviz.font_metrics import FOLDER, build_fonts

for name, content in build_fonts().items():
    (FOLDER / name).write_bytes(content)
