"""A title set for a card: as large as its length allows, in lines that are even."""

from dataclasses import dataclass

from mdpublish_core.figures.fonts import text_width
from mdpublish_core.figures.line_breaking import BrokenLines, break_lines
from mdpublish_core.unfurl.looks import HeadingLook
from mdpublish_core.unfurl.texts import Shown

MOST_LINES = 4

# Sizes of letters in px, each with the lines up to which it is taken: what is short is set large.
_SIZES = ((112, 2), (96, 2), (84, 3), (72, 3), (62, MOST_LINES), (54, MOST_LINES), (46, MOST_LINES))

# The font's letters are wide and high: closer than this its lines touch, further apart they fall asunder.
_LEADING = (1.16, 1.32)

# Small capitals are so much smaller than capitals.
_SMALL = 0.8

# The font has one weight: a heavier one is its letters with an outline, in em, for each step of a hundred above 400.
_OUTLINE = 0.011


@dataclass(frozen=True, slots=True, kw_only=True)
class Face:
    """The font in a size and a manner; lengths are in px."""

    size: float
    tracking: float
    outline: float
    caps: str

    def width(self, text: str) -> float:
        """Return how wide a text is at most."""
        runs = self.runs(text)
        letters = sum(text_width(run, size) for run, size in runs)
        return letters + sum(len(run) for run, _ in runs) * self.tracking

    def runs(self, text: str) -> tuple[tuple[str, float], ...]:
        """Return a text as it is drawn, in pieces of one size each."""
        if self.caps == "upper":
            return ((text.upper(), self.size),)
        if self.caps == "lower":
            return ((text.lower(), self.size),)
        if self.caps != "small":
            return ((text, self.size),)
        runs: list[tuple[str, float]] = []
        for letter in text:
            raised = letter.upper()
            size = self.size if raised == letter else self.size * _SMALL
            if runs and runs[-1][1] == size:
                runs[-1] = (runs[-1][0] + raised, size)
            else:
                runs.append((raised, size))
        return tuple(runs)


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """A title in lines, how they are drawn, and the distances around them; lengths are in px."""

    lines: tuple[str, ...]
    face: Face
    leading: float
    mark_width: float
    padding: tuple[float, ...]
    """Top, right, bottom, left, borders included."""

    @property
    def height(self) -> float:
        """The height of the lines, with padding and borders."""
        return len(self.lines) * self.leading + self.padding[0] + self.padding[2]


def set_title(title: Shown, look: HeadingLook, *, room: float, height: float) -> Setting:
    """Return a title set in so many px of width and height; an empty one has no lines."""
    whole: Setting | None = None
    for size, most in _SIZES:
        setting, lines = _set_in(title, look, size, most, room)
        if lines.is_complete and setting.height <= height:
            if lines.keeps_words:
                return setting
            whole = whole or setting
    # A word that has no room even in the smallest size is broken where all of the title is largest.
    return whole or setting


def face_of(title: Shown, look: HeadingLook, size: float) -> Face:
    """Return how a heading's letters are drawn in a size."""
    outline = max(0.0, (look.weight - 400) / 100 * _OUTLINE * size) if look.is_bold else 0.0
    tracking = 0.0 if title.is_joined else look.tracking * size + outline / 2
    return Face(size=size, tracking=tracking, outline=outline, caps=look.caps)


def _set_in(title: Shown, look: HeadingLook, size: float, most: int, room: float) -> tuple[Setting, BrokenLines]:
    face = face_of(title, look, size)
    growth = look.growth(size)
    borders = (border.width if border else 0.0 for border in look.borders)
    padding = tuple((space + border) * growth for space, border in zip(look.padding, borders, strict=True))
    mark_width = face.width(f"{look.mark} ") if look.mark else 0.0
    left = room - padding[1] - padding[3] - mark_width
    lines = (
        break_lines(title.text, max_width=left, max_lines=most, measure=face.width) if title.text else BrokenLines(())
    )
    leading = size * min(max(look.leading, _LEADING[0]), _LEADING[1])
    setting = Setting(lines=lines.lines, face=face, leading=leading, mark_width=mark_width, padding=padding)
    return setting, lines
