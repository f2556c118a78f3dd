"""Colors that Mermaid's theme variables do not control."""

import re
from functools import lru_cache

from lxml import etree

from mdpublish_core.css.colors import MIN_TEXT_CONTRAST, blend, contrast
from mdpublish_core.css.colors.parsing import parse_css_color
from mdpublish_core.figures.mermaid import elements as svg
from mdpublish_core.figures.mermaid.palettes import palette, tint
from mdpublish_core.figures.mermaid.sources import MermaidSource
from mdpublish_core.figures.mermaid.themes import numbered_rules, rules
from mdpublish_core.figures.patterns import SOLID, TILES
from mdpublish_core.figures.request import FigureTheme

_FILL = re.compile(r"(?:^|;)\s*fill\s*:\s*([^;!]+)")

# The ground of merman's icons, and of their placeholder.
_ICON_GROUND = "fill:#087ebf"


def apply_colors(root: svg.Element, style: svg.Element, source: MermaidSource, theme: FigureTheme) -> None:
    """Set the colors of the theme; those of the author stay, and are repaired in the sanitized SVG."""
    if source.theming == "template":
        style.text = (style.text or "") + rules("template.css", theme) + numbered_rules(theme)
        _recolor(root, theme)
        if source.kind == "pie" and theme.patterns:
            _draw_patterns(root, theme)
        elif source.kind == "sequenceDiagram" and not _tint_rectangles(root, theme):
            style.text += rules("outlined.css", theme)
    else:
        _set_line_color(root, palette(theme).line)
    if source.kind == "zenuml":
        style.text = (style.text or "") + rules("zenuml.css", theme)
    if source.theming != "named" and source.kind in {"sankey", "sankey-beta"}:
        color_flows(root, theme)
    elif source.theming == "named" and source.is_dark != theme.is_dark:
        # On a dark page, a white one would glare.
        _add_background(root, "#333333" if source.is_dark else "#dcdcdc")


def _add_background(root: svg.Element, color: str) -> None:
    """Add a background to a named Mermaid theme that is unreadable on the page."""
    box = root.get("viewBox", "").split()
    if len(box) == 4:
        background = etree.Element(svg.RECT_TAG, dict(zip(("x", "y", "width", "height"), box, strict=True)), rx="6")
        background.set("style", f"fill:{color};stroke:none")
        # Some diagrams begin with their shapes, and the styles follow.
        root.insert(0, background)


def _set_line_color(root: svg.Element, color: str) -> None:
    """Replace the page's text color, which images do not know."""
    for element in root.iter("{*}*"):
        for name in ("fill", "stroke"):
            if element.get(name, "").lower() == "currentcolor":
                element.set(name, color)


def _draw_patterns(root: svg.Element, theme: FigureTheme) -> None:
    """Fill slices and their boxes in the legend with the template's patterns, and outline the labels on them."""
    numbers = {color: number for number, color in enumerate(palette(theme).strong[: len(theme.series)])}
    used: dict[int, str] = {}
    for element in root.iter(svg.PATH_TAG, svg.RECT_TAG):
        styled = _FILL.search(element.get("style", ""))
        color = _visible_color(element.get("fill") or (styled[1] if styled else ""), theme)
        if (number := numbers.get(color or "")) is None:
            continue
        series = theme.series[number]
        paint = series
        if theme.patterns[number] != SOLID:
            used[number] = f"pattern{number}"
            paint = f"url(#{used[number]})"
        element.set("fill", paint)
        if element.tag == svg.RECT_TAG:
            element.set("style", f"fill:{paint};stroke:{series}")
    for number, name in used.items():
        root.insert(0, _pattern(name, theme.patterns[number], theme.series[number], theme.background))
    outlined = f"fill:{theme.text_color};stroke:{theme.background};stroke-width:5px;stroke-linejoin:round"
    for part, text_element in svg.slices_of(root):
        if part.get("fill", "").startswith("url("):
            text_element.set("style", f"{text_element.get('style', '')};{outlined};paint-order:stroke")


def _pattern(name: str, pattern: str, color: str, background: str) -> svg.Element:
    tile = TILES[pattern]
    side = f"{tile.size:g}"
    box = {"width": side, "height": side}
    element = etree.Element(f"{svg.SVG_PREFIX}pattern", {"id": name, "patternUnits": "userSpaceOnUse", **box})
    etree.SubElement(element, svg.RECT_TAG, {**box, "fill": background})
    stroke = {"stroke": color, "stroke-width": f"{tile.width:g}", "stroke-linecap": "round"}
    etree.SubElement(element, svg.PATH_TAG, {"d": tile.path, "fill": "none", **stroke})
    return element


def _tint_rectangles(root: svg.Element, theme: FigureTheme) -> bool:
    """Lighten the author's backgrounds behind messages; returns whether there are any."""
    has_some = False
    for background in root.iter(svg.RECT_TAG):
        if background.get("class") != "rect":
            continue
        has_some = True
        color = _visible_color(background.get("fill", ""), theme)
        if color and contrast(color, theme.text_color) < MIN_TEXT_CONTRAST:
            background.set("fill", tint(color, theme))
        background.set("stroke", palette(theme).frame)
    return has_some


def _recolor(root: svg.Element, theme: FigureTheme) -> None:
    """Replace merman's hard-coded black and grays."""
    replacements, preserved = _grey_replacements(theme), _fills(theme)
    for element in root.iter("{*}*"):
        for name in ("fill", "stroke"):
            value = element.get(name)
            # A theme's fill may equal one of merman's colors.
            if value is None or (name == "fill" and value in preserved):
                continue
            if other := replacements.get(value.lower()):
                element.set(name, other)
                if other == "none":
                    element.attrib.pop("style", "")
        style = element.get("style")
        if style and _ICON_GROUND in style:
            _color_icon(element, theme)


def _color_icon(background: svg.Element, theme: FigureTheme) -> None:
    colors = palette(theme)
    background.set("style", f"fill:{colors.box};stroke:{colors.line};stroke-width:1px")
    for part in (part for sibling in background.itersiblings() for part in sibling.iter("{*}*")):
        if part.tag == svg.TEXT_TAG:
            part.set("style", f"{part.get('style', '')};fill:{colors.quiet}")
        elif style := part.get("style"):
            part.set("style", style.replace("#fff", colors.line))


@lru_cache(maxsize=32)
def _fills(theme: FigureTheme) -> frozenset[str]:
    colors = palette(theme)
    return frozenset(
        (
            *(theme.background, theme.text_color, colors.box, colors.stripe, colors.line, colors.frame, colors.note),
            *colors.strong,
        )
    )


@lru_cache(maxsize=32)
def _grey_replacements(theme: FigureTheme) -> dict[str, str]:
    colors = palette(theme)
    return {
        **dict.fromkeys(("black", "#000", "#000000", "#333", "#333333", "#0b0b0b"), theme.text_color),
        **dict.fromkeys(
            ("#444", "#444444", "#666", "#666666", "#777", "#999", "#999999", "grey", "gray", "currentcolor"),
            colors.line,
        ),
        **dict.fromkeys(("lightgrey", "lightgray", "#ccc", "#cccccc", "#ddd", "#eee", "#eaeaea"), colors.frame),
        # The last is the background of icons' labels.
        "#fff": theme.background,
        "white": theme.background,
        "rgba(232, 232, 232, 0.5)": "none",
    }


def _visible_color(color: str, theme: FigureTheme) -> str | None:
    """Return the visible color as `#rrggbb`; None if transparent or invalid."""
    value = parse_css_color(color.strip()) or ""
    if not value.startswith("#") or value[7:] == "00":
        return None
    return blend(value[:7], theme.background, int(value[7:] or "ff", 16) / 255)


_RULE = re.compile(r"([^{}@]+)\{([^{}]*)\}")
_CLASS = re.compile(r"\.(-?[_a-zA-Z][\w-]*)")


def remove_unused_rules(css: str, root: svg.Element) -> str:
    """Leave out what no element needs; merman writes all rules of a diagram type."""
    classes: set[str] = set()
    for element in root.iter("{*}*"):
        classes.update((element.get("class") or "").split())
    rules: list[str] = []
    for selectors, body in _RULE.findall(css):
        matching = [
            each
            for each in selectors.strip().split(",")
            if ":hover" not in each and '[data-look="neo"]' not in each and classes.issuperset(_CLASS.findall(each))
        ]
        if matching and body:
            rules.append(f"{','.join(matching)}{{{body}}}")
    return "".join(rules)


# https://d3js.org/d3-scale-chromatic/categorical#schemeTableau10
_TABLEAU = (
    *("#4e79a7", "#f28e2c", "#e15759", "#76b7b2", "#59a14f"),
    *("#edc949", "#af7aa1", "#ff9da7", "#9c755f", "#bab0ab"),
)


def color_flows(root: svg.Element, theme: FigureTheme) -> None:
    """Color nodes and links, which merman draws in Tableau's colors, unless the author did; draw links first."""
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
