"""Treemaps: tiles with visible borders, and labels that are large enough to read."""

from mdpublish_core.figures.line_breaking import break_lines, truncate
from mdpublish_core.figures.mermaid import elements as svg
from mdpublish_core.figures.mermaid.palettes import palette
from mdpublish_core.figures.mermaid.text_metrics import measure_in
from mdpublish_core.figures.mermaid.themes import FONT_SIZE, SMALL_SIZE
from mdpublish_core.figures.request import FigureTheme

_SIZES = 20.0, FONT_SIZE, SMALL_SIZE, 10.0, 9.0  # px, of labels, tried in this order
_LINE_HEIGHT = 1.2  # em
_PADDING = 3.0  # px
_MAX_LINES = 3
_MIN_CUT = 4  # characters, with the ellipsis
_VALUE = 0.85  # of its label's size
_MIN_VALUE_SIZE = 9.0  # px


def fit_tiles(root: svg.Element, _: float, theme: FigureTheme) -> None:
    """Write labels of tiles as large as they fit; a tile without room has its label as a title."""
    colors = palette(theme)
    borders = dict(zip(colors.soft, colors.strong, strict=True)) | {"transparent": colors.line}
    for group in list(root.iter(svg.GROUP_TAG)):
        kind = (group.get("class") or "").split()
        if "treemapLeafGroup" in kind:
            _fit_tile(group, theme)
            for tile in group.iterfind(svg.RECT_TAG):
                # The border of a template's tile is as faint as its fill; what an author chose stays.
                tile.attrib.update(
                    {"stroke": borders.get(tile.get("stroke", ""), tile.get("stroke", "")), "stroke-width": "1"}
                )
        elif "treemapSection" in kind:
            _fit_heading(group, theme)


def _fit_heading(group: svg.Element, theme: FigureTheme) -> None:
    """Leave out the value of a section that has no room for it beside its name."""
    labels = [each for each in group.iterfind(svg.TEXT_TAG) if "display:none" not in each.get("style", "")]
    box = group.find(svg.RECT_TAG)
    if box is None:
        # A section of less than a pixel.
        for each in labels:
            group.remove(each)
        return
    for tile in group.iterfind(svg.RECT_TAG):
        tile.attrib.pop("stroke-opacity", "")
    width = sum(svg.width_of(each, SMALL_SIZE, theme, is_bold=True) for each in labels)
    if labels and width + 4 * _PADDING > svg.number_of(box, "width"):
        group.remove(labels[-1])


def _fit_tile(group: svg.Element, theme: FigureTheme) -> None:
    box, labels = group.find(svg.RECT_TAG), list(group.iterfind(svg.TEXT_TAG))
    if box is None or not labels:
        return
    width, height = svg.number_of(box, "width") - 2 * _PADDING, svg.number_of(box, "height") - 2 * _PADDING
    words, value = svg.words_of(labels[0]), " ".join(svg.words_of(each) for each in labels[1:])
    for size in _SIZES:
        measure = measure_in(theme, size)
        broken = break_lines(words, max_width=width, max_lines=_MAX_LINES, measure=measure)
        value_size = max(_MIN_VALUE_SIZE, size * _VALUE)
        needed = len(broken.lines) * size * _LINE_HEIGHT + (value_size * _LINE_HEIGHT if value else 0.0)
        is_wide = bool(value) and measure_in(theme, value_size)(value) > width
        if broken.is_complete and broken.keeps_words and needed <= height and not is_wide:
            _write(labels, broken.lines, size, value_size, (height - needed) / 2 + _PADDING)
            return
    line = truncate(words, max_width=width, measure=measure)
    if len(line) >= _MIN_CUT and size * _LINE_HEIGHT <= height:
        _write(labels[:1], (line,), size, size, (svg.number_of(box, "height") - size * _LINE_HEIGHT) / 2)
        labels = labels[1:]
    for each in labels:
        group.remove(each)
    svg.add_title(box, f"{words}: {value}" if value else words)


def _write(labels: list[svg.Element], lines: tuple[str, ...], size: float, value_size: float, top: float) -> None:
    """Replace the labels' sizes and places; the middle of the tile is their x."""
    label, line_height = labels[0], size * _LINE_HEIGHT
    fill = next((part for part in label.get("style", "").split(";") if part.startswith("fill:")), "")
    for element, font_size in zip(labels, (size, value_size), strict=False):
        element.set("style", f"{fill};font-size:{font_size:g}px;text-anchor:middle;dominant-baseline:central")
        for name in ("clip-path", "y"):
            element.attrib.pop(name, "")
    label.text = None
    svg.write_lines(label, lines, svg.number_of(label, "x"), top + line_height / 2, line_height)
    for value in labels[1:]:
        svg.set_numbers(value, y=top + len(lines) * line_height + value_size * _LINE_HEIGHT / 2)
