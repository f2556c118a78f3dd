"""The card: background, emblem or edge decoration, title, and site name."""

from mdpublish_core.css.cascade import SIDES, Border
from mdpublish_core.figures.line_breaking import truncate
from mdpublish_core.social_images.canvas import Canvas
from mdpublish_core.social_images.styles import CardStyle, HeadingStyle
from mdpublish_core.social_images.title_layout import PrintableText, TitleFace, TitleLayout, face_for, lay_out_title

WIDTH, HEIGHT = 1200, 630
"""Pixels: https://developers.facebook.com/docs/sharing/webmasters/images"""

_MARGIN = 84
_FOOT = 506
_BASELINE = 574
_NAME_SIZE = 30
_BULLET = 13

_COVER = 84
_EMBLEM = 150
_EDGE = 24
_FRAME = 30
_WINDOW_DOT = 11

# Baseline below the middle of a line, in font sizes.
_ASCENT = 0.36
_ITALIC_ANGLE = 9


def card_svg(title: PrintableText, site_name: PrintableText, style: CardStyle) -> str:
    canvas = Canvas(WIDTH, HEIGHT)
    canvas.rect((0, 0, WIDTH, HEIGHT), style.colors.background)
    top = _draw_edge(canvas, style, is_rtl=title.is_rtl)
    room, height = WIDTH - 2 * _MARGIN, _FOOT - top - 36
    layout = lay_out_title(title, style.heading, style.faces, room=room, height=height)
    if layout.lines:
        _draw_heading(canvas, layout, style, top + (height - layout.height) / 2, is_rtl=title.is_rtl)
    _draw_foot(canvas, site_name, style, is_rtl=title.is_rtl)
    return canvas.finish()


def _draw_edge(canvas: Canvas, style: CardStyle, *, is_rtl: bool) -> float:
    """Return the top of the title's area."""
    colors = style.colors
    if style.emblem:
        for color, path in style.emblem:
            canvas.path(path, color)
        return _EMBLEM + 20
    if style.variants.callout == "tint":
        canvas.rect((0, 0, WIDTH, _COVER), style.tint)
        return _COVER + 20
    if style.variants.callout == "outline" and not all(style.heading.borders):
        inner = (_FRAME, _FRAME, WIDTH - 2 * _FRAME, HEIGHT - 2 * _FRAME)
        canvas.frame(inner, colors.rule, 3, is_dashed=style.variants.rule == "dots")
    elif style.variants.callout == "bar":
        accents = {border.color for border in style.heading.borders if border}
        if colors.accent not in accents:
            canvas.rect((WIDTH - _EDGE if is_rtl else 0, 0, _EDGE, HEIGHT), colors.accent)
        if style.variants.code == "frame":
            for number, color in enumerate((colors.caution, colors.warning, colors.tip)):
                canvas.circle(_MARGIN + _WINDOW_DOT + number * 36, 70, _WINDOW_DOT, color)
            return 100
    return 64


def _draw_heading(canvas: Canvas, layout: TitleLayout, style: CardStyle, top: float, *, is_rtl: bool) -> None:
    heading = style.heading
    left, right = _MARGIN, WIDTH - _MARGIN
    if heading.ground:
        canvas.rect((left, top, right - left, layout.height), heading.ground)
    growth = heading.growth(layout.face.size)
    for border, side in zip(heading.borders, SIDES, strict=True):
        if border:
            _draw_border(canvas, border, side, (left, top, right, top + layout.height), growth)
    anchor, x = "start", left + layout.padding[3] + layout.mark_width
    if heading.is_centred:
        anchor, x = "middle", WIDTH / 2
    elif is_rtl:
        anchor, x = "end", right - layout.padding[1] - layout.mark_width
    for number, line in enumerate(layout.lines):
        middle = top + layout.padding[0] + (number + 0.5) * layout.leading
        baseline = middle + layout.face.size * _ASCENT
        if number == 0 and heading.mark:
            _draw_mark(canvas, layout, heading, (x, baseline), anchor=anchor)
        canvas.draw_text(
            layout.face.runs(line),
            x,
            baseline,
            face=layout.face,
            color=heading.color,
            anchor=anchor,
            is_rtl=is_rtl,
            slant=_ITALIC_ANGLE if heading.is_italic and not is_rtl else 0,
        )


def _draw_mark(
    canvas: Canvas, layout: TitleLayout, heading: HeadingStyle, point: tuple[float, float], *, anchor: str
) -> None:
    face, (x, baseline) = layout.face, point
    light = TitleFace(size=face.size, tracking=0, outline=0, caps="", style=face.style)
    at = x - layout.mark_width
    if anchor == "middle":
        at = x - face.width(layout.lines[0]) / 2 - layout.mark_width
    elif anchor == "end":
        at = x + layout.mark_width - light.width(heading.mark)
    canvas.draw_text(light.runs(heading.mark), at, baseline, face=light, color=heading.mark_color)


def _draw_border(
    canvas: Canvas, border: Border, side: str, box: tuple[float, float, float, float], growth: float
) -> None:
    left, top, right, bottom = box
    width = border.width * growth
    half = width / 2
    ends = {
        "top": (left, top + half, right, top + half),
        "right": (right - half, top, right - half, bottom),
        "bottom": (left, bottom - half, right, bottom - half),
        "left": (left + half, top, left + half, bottom),
    }
    canvas.line(ends[side], border.color, max(width, 2.0), border.style)


def _draw_foot(canvas: Canvas, site_name: PrintableText, style: CardStyle, *, is_rtl: bool) -> None:
    colors = style.colors
    color = colors.muted
    is_centred = style.heading.is_centred
    if style.variants.callout == "inverse":
        canvas.rect((0, _FOOT + 6, WIDTH, HEIGHT - _FOOT - 6), style.heading.color)
        color = colors.background
    elif style.variants.rule == "line" and not style.heading.borders[2]:
        canvas.line((_MARGIN, _FOOT, WIDTH - _MARGIN, _FOOT), colors.rule, 2)
    elif style.variants.rule == "dots":
        middle = WIDTH / 2 if is_centred else WIDTH - _MARGIN - 36 if is_rtl else _MARGIN + 36
        for step in (-1, 0, 1):
            canvas.circle(middle + step * 24, _FOOT, 5, colors.muted)
    elif style.ornament:
        ornament = TitleFace(size=44, tracking=6, outline=0, caps="")
        anchor, x = ("middle", WIDTH / 2) if is_centred else ("end", WIDTH - _MARGIN) if is_rtl else ("start", _MARGIN)
        canvas.draw_text(
            ornament.runs(style.ornament), x, _FOOT + 14, face=ornament, color=style.ornament_color, anchor=anchor
        )
    if site_name.content:
        _draw_name(canvas, site_name, style, color, is_rtl=is_rtl)


def _draw_name(canvas: Canvas, site_name: PrintableText, style: CardStyle, color: str, *, is_rtl: bool) -> None:
    face = TitleFace(size=_NAME_SIZE, tracking=0, outline=0, caps="", style=face_for(site_name, [style.name_face]))
    label = truncate(site_name.content, max_width=WIDTH - 2 * _MARGIN - 3 * _BULLET, measure=face.width)
    gap = 2.6 * _BULLET
    width = face.width(label) + gap
    left = float(_MARGIN)
    if style.heading.is_centred:
        left = (WIDTH - width) / 2
    elif is_rtl:
        left = WIDTH - _MARGIN - width
    bullet = color if style.variants.callout == "inverse" else style.colors.accent
    canvas.bullet(style.variants.list, left + _BULLET / 2, _BASELINE - _NAME_SIZE * _ASCENT, _BULLET, bullet)
    canvas.draw_text(face.runs(label), left + gap, _BASELINE, face=face, color=color, is_rtl=site_name.is_rtl)
