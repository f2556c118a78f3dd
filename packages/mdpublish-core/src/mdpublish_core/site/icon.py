"""The icon of a site that brings none: the first letter of its title."""

from xml.etree import ElementTree as ET

from mdpublish_core.resources.characters import NOT_IN_XML

_NAMESPACE = "http://www.w3.org/2000/svg"


def site_icon(title: str) -> bytes:
    """Return an SVG image."""
    initial = NOT_IN_XML.sub("", title.strip())[:1].upper()
    svg = ET.Element("svg", {"xmlns": _NAMESPACE, "viewBox": "0 0 32 32"})
    ET.SubElement(svg, "rect", {"width": "32", "height": "32", "rx": "6", "fill": "#24292f"})
    attributes = {"x": "16", "y": "23", "font-size": "20", "text-anchor": "middle", "fill": "#ffffff"}
    ET.SubElement(svg, "text", {**attributes, "font-family": "sans-serif", "font-weight": "bold"}).text = initial
    content: bytes = ET.tostring(svg, encoding="utf-8")
    return content
