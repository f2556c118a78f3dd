"""Writes the fonts that Graphviz measures with: `python -m mdpublish_core.figures.graphviz.measures`."""

from mdpublish_core.figures.graphviz.measures import FOLDER, fonts

for name, content in fonts().items():
    (FOLDER / name).write_bytes(content)
