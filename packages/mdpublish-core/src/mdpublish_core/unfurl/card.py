"""The card: a ground, an edge, the title as the template sets h1, and the site's name at the foot."""

from mdpublish_core.figures.line_breaking import truncate
from mdpublish_core.unfurl.canvas import Canvas
from mdpublish_core.unfurl.looks import Border, HeadingLook, Looks
from mdpublish_core.unfurl.setting import Face, Setting, set_title
from mdpublish_core.unfurl.texts import Shown

WIDTH, HEIGHT = 1200, 630
"""Pixels: https://developers.facebook.com/docs/sharing/webmasters/images"""

# Distances in px: the margin, where the foot begins, the baseline of the site's name, and its size.
_MARGIN = 84
_FOOT = 506
_BASELINE = 574
_NAME_SIZE = 30
_BULLET = 13

_COVER = 84
_EDGE = 24
_FRAME = 30
_WINDOW_DOT = 11

# Where a first line's baseline is, and where the middle of a text without lines would be, in leadings and sizes.
_ASCENT = 0.36
_ITALIC_ANGLE = 9


def drawing(title: Shown, site_name: Shown, looks: Looks) -> str:
    """Return the card as SVG."""
    canvas = Canvas(WIDTH, HEIGHT)
    canvas.rect((0, 0, WIDTH, HEIGHT), looks.colors.background)
    top = _draw_edge(canvas, looks, is_rtl=title.is_rtl)
    room, height = WIDTH - 2 * _MARGIN, _FOOT - top - 36
    setting = set_title(title, looks.heading, room=room, height=height)
    if setting.lines:
        _draw_heading(canvas, setting, looks, top + (height - setting.height) / 2, is_rtl=title.is_rtl)
    _draw_foot(canvas, site_name, looks, is_rtl=title.is_rtl)
    return canvas.finish()


def _draw_edge(canvas: Canvas, looks: Looks, *, is_rtl: bool) -> float:
    """Draw what the form of callouts makes of the card's edges, and return where its middle begins."""
    colors = looks.colors
    if looks.callout == "tint":
        canvas.rect((0, 0, WIDTH, _COVER), looks.tint)
        return _COVER + 20
    if looks.callout == "outline" and not all(looks.heading.borders):
        inner = (_FRAME, _FRAME, WIDTH - 2 * _FRAME, HEIGHT - 2 * _FRAME)
        canvas.frame(inner, colors.rule, 3, is_dashed=looks.rule == "dots")
    elif looks.callout == "bar":
        accents = {border.color for border in looks.heading.borders if border}
        if colors.accent not in accents:
            canvas.rect((WIDTH - _EDGE if is_rtl else 0, 0, _EDGE, HEIGHT), colors.accent)
        if looks.code == "frame":
            for number, color in enumerate((colors.caution, colors.warning, colors.tip)):
                canvas.circle(_MARGIN + _WINDOW_DOT + number * 36, 70, _WINDOW_DOT, color)
            return 100
    return 64


def _draw_heading(canvas: Canvas, setting: Setting, looks: Looks, top: float, *, is_rtl: bool) -> None:
    look = looks.heading
    left, right = _MARGIN, WIDTH - _MARGIN
    if look.ground:
        canvas.rect((left, top, right - left, setting.height), look.ground)
    growth = look.growth(setting.face.size)
    for border, side in zip(look.borders, ("top", "right", "bottom", "left"), strict=True):
        if border:
            _draw_border(canvas, border, side, (left, top, right, top + setting.height), growth)
    anchor, x = "start", left + setting.padding[3] + setting.mark_width
    if look.is_centred:
        anchor, x = "middle", WIDTH / 2
    elif is_rtl:
        anchor, x = "end", right - setting.padding[1] - setting.mark_width
    for number, line in enumerate(setting.lines):
        middle = top + setting.padding[0] + (number + 0.5) * setting.leading
        baseline = middle + setting.face.size * _ASCENT
        if number == 0 and look.mark:
            _draw_mark(canvas, setting, look, (x, baseline), anchor=anchor)
        canvas.text(
            setting.face.runs(line),
            x,
            baseline,
            face=setting.face,
            color=look.color,
            anchor=anchor,
            is_rtl=is_rtl,
            slant=_ITALIC_ANGLE if look.is_italic and not is_rtl else 0,
        )


def _draw_mark(canvas: Canvas, setting: Setting, look: HeadingLook, place: tuple[float, float], *, anchor: str) -> None:
    """Draw what stands before the text of headings, lighter, in the room that the lines leave."""
    face, (x, baseline) = setting.face, place
    light = Face(size=face.size, tracking=0, outline=0, caps="")
    at = x - setting.mark_width
    if anchor == "middle":
        at = x - face.width(setting.lines[0]) / 2 - setting.mark_width
    elif anchor == "end":
        at = x + setting.mark_width - light.width(look.mark)
    canvas.text(light.runs(look.mark), at, baseline, face=light, color=look.mark_color)


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
    canvas.line(ends[side], border.color, max(width, 2.0), border.line)


def _draw_foot(canvas: Canvas, site_name: Shown, looks: Looks, *, is_rtl: bool) -> None:
    """Draw a rule in the template's form, and the site's name with a bullet of its lists."""
    colors = looks.colors
    color = colors.muted
    is_centred = looks.heading.is_centred
    if looks.callout == "inverse":
        canvas.rect((0, _FOOT + 6, WIDTH, HEIGHT - _FOOT - 6), looks.heading.color)
        color = colors.background
    elif looks.rule == "line" and not looks.heading.borders[2]:
        canvas.line((_MARGIN, _FOOT, WIDTH - _MARGIN, _FOOT), colors.rule, 2)
    elif looks.rule == "dots":
        middle = WIDTH / 2 if is_centred else WIDTH - _MARGIN - 36 if is_rtl else _MARGIN + 36
        for step in (-1, 0, 1):
            canvas.circle(middle + step * 24, _FOOT, 5, colors.muted)
    elif looks.ornament:
        ornament = Face(size=44, tracking=6, outline=0, caps="")
        anchor, x = ("middle", WIDTH / 2) if is_centred else ("end", WIDTH - _MARGIN) if is_rtl else ("start", _MARGIN)
        canvas.text(
            ornament.runs(looks.ornament), x, _FOOT + 14, face=ornament, color=looks.ornament_color, anchor=anchor
        )
    if site_name.text:
        _draw_name(canvas, site_name, looks, color, is_rtl=is_rtl)


def _draw_name(canvas: Canvas, site_name: Shown, looks: Looks, color: str, *, is_rtl: bool) -> None:
    face = Face(size=_NAME_SIZE, tracking=0, outline=0, caps="")
    text = truncate(site_name.text, max_width=WIDTH - 2 * _MARGIN - 3 * _BULLET, measure=face.width)
    gap = 2.6 * _BULLET
    width = face.width(text) + gap
    left = float(_MARGIN)
    if looks.heading.is_centred:
        left = (WIDTH - width) / 2
    elif is_rtl:
        left = WIDTH - _MARGIN - width
    bullet = color if looks.callout == "inverse" else looks.colors.accent
    canvas.bullet(looks.list, left + _BULLET / 2, _BASELINE - _NAME_SIZE * _ASCENT, _BULLET, bullet)
    canvas.text(face.runs(text), left + gap, _BASELINE, face=face, color=color, is_rtl=site_name.is_rtl)
