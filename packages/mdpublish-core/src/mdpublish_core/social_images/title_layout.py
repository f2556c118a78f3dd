"""Title layout: the characters that fonts have, and the largest font size that fits, in balanced lines."""

from collections.abc import Iterable
from dataclasses import dataclass
from unicodedata import bidirectional, category, normalize

from mdpublish_core.figures.fonts import FONT_FAMILY, FaceStyle, covers, face_width, missing_characters, text_width
from mdpublish_core.figures.line_breaking import BrokenLines, break_lines, split_graphemes
from mdpublish_core.figures.rasterizer import missing_glyphs
from mdpublish_core.social_images.styles import HeadingStyle

# resvg draws no flags.
_FLAG_HALVES = frozenset(map(chr, range(0x1F1E6, 0x1F200)))

# Scripts use up to three; more would overlap other text.
_MAX_COMBINING_MARKS = 4

# Joiners, non-joiners, and tags of regional flags.
_JOINERS = frozenset({"\u200c", "\u200d", *map(chr, range(0xE0020, 0xE0080))})

_NONCHARACTERS = frozenset({"\ufffe", "\uffff"})

# Joined letters must not be spaced.
_JOINED = "AL"


@dataclass(frozen=True, slots=True)
class PrintableText:
    """Text that can be rendered."""

    content: str
    is_rtl: bool
    """By the first strongly directional letter."""

    is_joined: bool


def printable_text(content: str) -> PrintableText:
    """Return printable text with single spaces; empty without a letter or digit. Raises `MissingExtra`."""
    allowed = "".join(" " if each.isspace() else each for each in normalize("NFC", content) if _is_allowed(each))
    missing, foreign = missing_glyphs(allowed), missing_characters(allowed)
    pieces = [_printable_cluster(cluster, missing, foreign) for cluster in split_graphemes(allowed)]
    clean = " ".join("".join(pieces).split())
    if missing and not any(category(each)[0] in "LN" for each in clean):
        clean = ""
    kinds = [bidirectional(each) for each in clean]
    first = next((kind for kind in kinds if kind in {"L", "R", "AL"}), "L")
    return PrintableText(clean, is_rtl=first != "L", is_joined=_JOINED in kinds)


def _printable_cluster(cluster: str, missing: frozenset[str], foreign: frozenset[str]) -> str:
    first = cluster[0]
    if first in missing or first in _FLAG_HALVES:
        return ""
    if first in foreign and category(first) == "So":
        # resvg uses an emoji font only if each character is one glyph.
        return first
    base = "".join(each for each in cluster if category(each)[0] != "M")
    marks = "".join(each for each in cluster if category(each)[0] == "M" and each not in missing)
    return base + marks[:_MAX_COMBINING_MARKS] if len(base) == 1 else cluster


def _is_allowed(character: str) -> bool:
    kind = category(character)
    if character.isspace():
        return True
    if kind == "Cf":
        return character in _JOINERS
    return kind not in {"Cc", "Cs", "Co"} and character not in _NONCHARACTERS


MAX_LINES = 4

# In px, with the maximum number of lines.
_SIZES = ((112, 2), (96, 2), (84, 3), (72, 3), (62, MAX_LINES), (54, MAX_LINES), (46, MAX_LINES))

# Tighter lines touch, looser ones fall apart.
_LEADING = (1.16, 1.32)

_SMALL = 0.8

# Faces set some pairs wider than their letters, such as WW in Inter.
_KERNING = 1.02

# In em per 100 of weight above 400, for scripts whose font has only one weight.
_OUTLINE = 0.011


@dataclass(frozen=True, slots=True, kw_only=True)
class TitleFace:
    """Font size and variations; lengths in px."""

    size: float
    tracking: float
    outline: float
    caps: str
    style: FaceStyle | None = None
    """None: DejaVu Sans."""

    @property
    def family(self) -> str:
        return FONT_FAMILY if self.style is None else self.style.family

    @property
    def weight(self) -> int:
        return 400 if self.style is None else self.style.weight

    def width(self, content: str) -> float:
        runs = self.runs(content)
        if self.style is None:
            total = sum(text_width(run, size) for run, size in runs)
        else:
            total = _KERNING * sum(face_width(run, size, self.style) for run, size in runs)
        return total + sum(len(run) for run, _ in runs) * self.tracking

    def runs(self, content: str) -> tuple[tuple[str, float], ...]:
        if self.caps == "upper":
            return ((content.upper(), self.size),)
        if self.caps == "lower":
            return ((content.lower(), self.size),)
        if self.caps != "small":
            return ((content, self.size),)
        runs: list[tuple[str, float]] = []
        for character in content:
            raised = character.upper()
            size = self.size if raised == character else self.size * _SMALL
            if runs and runs[-1][1] == size:
                runs[-1] = (runs[-1][0] + raised, size)
            else:
                runs.append((raised, size))
        return tuple(runs)


@dataclass(frozen=True, slots=True, kw_only=True)
class TitleLayout:
    """Lines and metrics of a title, in px."""

    lines: tuple[str, ...]
    face: TitleFace
    leading: float
    mark_width: float
    padding: tuple[float, ...]
    """Top, right, bottom, left, including borders."""

    @property
    def height(self) -> float:
        return len(self.lines) * self.leading + self.padding[0] + self.padding[2]


def lay_out_title(
    title: PrintableText, style: HeadingStyle, faces: Iterable[FaceStyle], *, room: float, height: float
) -> TitleLayout:
    """Fit a title into an area in px, in the first face with its letters; an empty title has no lines."""
    whole: TitleLayout | None = None
    face_style = face_for(title, faces)
    for size, max_lines in _SIZES:
        face = face_of(title, style, face_style, size)
        layout, lines = _layout_at_size(title, style, face, max_lines, room)
        if lines.is_complete and layout.height <= height:
            if lines.keeps_words:
                return layout
            whole = whole or layout
    # Break a word too long for the smallest size at the largest size that fits.
    return whole or layout


def face_for(title: PrintableText, faces: Iterable[FaceStyle]) -> FaceStyle | None:
    # Also in capitals, as some templates set titles.
    content = title.content + title.content.upper() + title.content.lower()
    return next((style for style in faces if covers(style, content)), None)


def face_of(title: PrintableText, style: HeadingStyle, face_style: FaceStyle | None, size: float) -> TitleFace:
    is_outlined = face_style is None and style.is_bold
    outline = max(0.0, (style.weight - 400) / 100 * _OUTLINE * size) if is_outlined else 0.0
    tracking = 0.0 if title.is_joined else style.tracking * size + outline / 2
    return TitleFace(size=size, tracking=tracking, outline=outline, caps=style.caps, style=face_style)


def _layout_at_size(
    title: PrintableText, style: HeadingStyle, face: TitleFace, max_lines: int, room: float
) -> tuple[TitleLayout, BrokenLines]:
    size = face.size
    growth = style.growth(size)
    borders = (border.width if border else 0.0 for border in style.borders)
    padding = tuple((space + border) * growth for space, border in zip(style.padding, borders, strict=True))
    mark_width = face.width(f"{style.mark} ") if style.mark else 0.0
    available = room - padding[1] - padding[3] - mark_width
    lines = (
        break_lines(title.content, max_width=available, max_lines=max_lines, measure=face.width)
        if title.content
        else BrokenLines(())
    )
    leading = size * min(max(style.leading, _LEADING[0]), _LEADING[1])
    layout = TitleLayout(lines=lines.lines, face=face, leading=leading, mark_width=mark_width, padding=padding)
    return layout, lines
