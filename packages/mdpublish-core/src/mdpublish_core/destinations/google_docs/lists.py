"""Lists as Docs writes them: flat, an item a paragraph, and a list in a list beside the items.

So what stands behind the first paragraph of an item ends all lists, and the next item begins them anew, with its own
number.
"""

from dataclasses import dataclass

from mdpublish_core.destinations.google_docs.looks import Look, points
from mdpublish_core.html import HtmlWriter

LEVEL = 36.0
"""What Docs indents each level of a list by, in points."""

# The style of every list that Docs writes; boxes to be ticked stand further left.
_LIST = "margin-top:0;margin-bottom:0;padding-inline-start:48px"
_CHECKLIST = "margin-top:0;margin-bottom:0;padding-inline-start:28px"

# Docs' own bullets by level, where the template's mark is none that Docs knows.
_BULLETS = ("disc", "circle", "square")

_BOXES = {False: "☐ ", True: "☑ "}


@dataclass(slots=True)
class Level:
    """A list in which items stand: the number of its next item, and which number Docs would give that.

    `number` is None for a list of bullets; `step` is -1 where numbers count down; `own_mark` is what the author chose,
    or empty, and `mark` that of the template.
    """

    number: int | None
    step: int
    is_checklist: bool
    own_mark: str
    mark: str
    shown: int = 0


@dataclass(frozen=True, slots=True)
class Item:
    """An item that waits for its first paragraph: its look, and whether it is checked; None where it is no task."""

    look: Look
    checked: bool | None


@dataclass(frozen=True, slots=True)
class Lead:
    """What an item's text begins with: a box, checked or not, or characters for what Docs has no mark for."""

    box: bool | None = None
    text: str = ""


class Lists:
    """The lists around what is written in one place, `left` points from its edge; `waiting` is the item that begins."""

    __slots__ = ("_left", "_levels", "_opened", "_writer", "waiting")

    def __init__(self, writer: HtmlWriter, left: float) -> None:
        self._writer = writer
        self._left = left
        self._levels: list[Level] = []
        self._opened = 0
        self.waiting: Item | None = None

    @property
    def depth(self) -> int:
        """How many lists there are."""
        return len(self._levels)

    @property
    def are_open(self) -> bool:
        """Whether any list is being written."""
        return bool(self._opened)

    def start(self, level: Level) -> None:
        """Begin a list; it is written as soon as there is an item."""
        self._levels.append(level)

    def end(self) -> None:
        """End the innermost list."""
        if self._opened == len(self._levels):
            self._writer.end()
            self._opened -= 1
        self._levels.pop()

    def close(self) -> None:
        """End what is written of the lists; the next item begins them anew."""
        for _ in range(self._opened):
            self._writer.end()
        self._opened = 0

    def wait(self, item: Item, number: int | None) -> None:
        """Let an item begin, in a numbered list with this number, if there is one."""
        level = self._levels[-1]
        if number is not None and level.number is not None:
            level.number = number
        self.waiting = item

    def begin_item(self, item: Item, direction: str) -> Lead:
        """Write the start of the lists that must be open and of an item; return what its text must begin with."""
        self.waiting = None
        self._open()
        level = self._levels[-1]
        mark, lead = self._mark_of(item, level)
        task: tuple[tuple[str, str], ...] = ()
        if lead.box is not None:
            task = (("role", "checkbox"), ("aria-checked", str(lead.box).lower()))
        indent = f";margin-left:{points(self._left)}" if self._left else ""
        style = f"list-style-type:{mark};{item.look.glyph}{indent}"
        self._writer.start("li", (("dir", direction), *task, ("style", style), ("aria-level", len(self._levels))))
        level.shown += 1
        if level.number is not None:
            level.number += level.step
        return lead

    def _mark_of(self, item: Item, level: Level) -> tuple[str, Lead]:
        """Return an item's mark, and what its text begins with: Docs has either a number or a box."""
        box = item.checked
        if level.number is None:
            if box is not None:
                return "none", Lead(box=box)
            return level.own_mark or item.look.mark or _BULLETS[(len(self._levels) - 1) % len(_BULLETS)], Lead()
        text = "" if box is None else _BOXES[box]
        if level.number < 0:
            # Docs counts from zero on.
            return "none", Lead(text=f"{level.number}. {text}")
        # A task has no mark in a template.
        mark = level.own_mark or (level.mark if text else item.look.mark) or "decimal"
        return mark, Lead(text=text)

    def _open(self) -> None:
        """Begin the lists that are not being written, and the innermost anew where its number would be another."""
        level = self._levels[-1]
        if self._opened == len(self._levels) and level.number is not None and level.shown != level.number:
            self._writer.end()
            self._opened -= 1
        for opening in self._levels[self._opened :]:
            self._open_level(opening)
        self._opened = len(self._levels)

    def _open_level(self, level: Level) -> None:
        number = level.number
        start = number if number is not None and number != 1 and number >= 0 else None
        style = _CHECKLIST if level.is_checklist else _LIST
        self._writer.start("ul" if number is None else "ol", (("style", style), ("start", start)))
        level.shown = number or 0
