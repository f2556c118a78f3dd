"""Sankey diagrams in the template's colors: merman draws them in Tableau's, and labels below links."""

from mdpublish_core.figures.mermaid import elements as svg
from mdpublish_core.figures.mermaid.palettes import palette
from mdpublish_core.figures.request import FigureTheme

# https://d3js.org/d3-scale-chromatic/categorical#schemeTableau10
_TABLEAU = (
    *("#4e79a7", "#f28e2c", "#e15759", "#76b7b2", "#59a14f"),
    *("#edc949", "#af7aa1", "#ff9da7", "#9c755f", "#bab0ab"),
)


def color_flows(root: svg.Element, theme: FigureTheme) -> None:
    """Color nodes and links; an author's color of links stays. Nodes and outlined labels are above all links."""
    replacements = dict(zip(_TABLEAU, palette(theme).strong, strict=False))
    for element in root.iter(svg.RECT_TAG, f"{svg.SVG_PREFIX}stop", f"{svg.SVG_PREFIX}path"):
        for name in ("fill", "stroke", "stop-color"):
            if other := replacements.get(element.get(name, "").lower()):
                element.set(name, other)
    groups = {group.get("class"): group for group in root.iterchildren(svg.GROUP_TAG)}
    for group in (groups[name] for name in ("nodes", "node-labels") if name in groups):
        root.append(group)
        for text_element in group.iter(svg.TEXT_TAG):
            outline = svg.outline_in(theme.background)
            text_element.set("style", f"{text_element.get('style', '')};fill:{theme.text_color};{outline}")
