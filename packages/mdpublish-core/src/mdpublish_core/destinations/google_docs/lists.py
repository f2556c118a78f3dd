"""Lists as Docs writes them: flat, an item a paragraph, and a list in a list beside the items.

So what stands behind the first paragraph of an item ends all lists, and the next item begins them anew, with its own
number.
"""

from dataclasses import dataclass

from mdpublish_core.destinations.google_docs.styles import ComputedStyle, to_points
from mdpublish_core.html import HtmlWriter

LEVEL_INDENT = 36.0
"""What Docs indents each level of a list by, in points."""

# The style of every list that Docs writes; boxes to be ticked stand further left.
_LIST_STYLE = "margin-top:0;margin-bottom:0;padding-inline-start:48px"
_CHECKLIST_STYLE = "margin-top:0;margin-bottom:0;padding-inline-start:28px"

# Docs' own bullets by level, where the template's mark is none that Docs knows.
_BULLETS = ("disc", "circle", "square")

_BOXES = {False: "☐ ", True: "☑ "}


@dataclass(slots=True)
class ListLevel:
    """A list in which items stand: the number of its next item, and which number Docs would give that.

    `number` is None for a list of bullets; `step` is -1 where numbers count down; `author_marker` is what the author chose,
    or empty, and `template_marker` that of the template.
    """

    number: int | None
    step: int
    is_checklist: bool
    author_marker: str
    template_marker: str
    docs_number: int = 0


@dataclass(frozen=True, slots=True)
class PendingItem:
    """An item that waits for its first paragraph: its look, and whether it is checked; None where it is no task."""

    item_style: ComputedStyle
    checked: bool | None


@dataclass(frozen=True, slots=True)
class ItemPrefix:
    """What an item's text begins with: a box, checked or not, or characters for what Docs has no mark for."""

    checkbox: bool | None = None
    content: str = ""


class ListStack:
    """The lists around what is written in one place, `left` points from its edge; `pending` is the item that begins."""

    __slots__ = ("_left", "_levels", "_open_count", "_writer", "pending")

    def __init__(self, writer: HtmlWriter, left: float) -> None:
        self._writer = writer
        self._left = left
        self._levels: list[ListLevel] = []
        self._open_count = 0
        self.pending: PendingItem | None = None

    @property
    def depth(self) -> int:
        """How many lists there are."""
        return len(self._levels)

    @property
    def are_open(self) -> bool:
        """Whether any list is being written."""
        return bool(self._open_count)

    def start(self, level: ListLevel) -> None:
        """Begin a list; it is written as soon as there is an item."""
        self._levels.append(level)

    def end(self) -> None:
        """End the innermost list."""
        if self._open_count == len(self._levels):
            self._writer.end()
            self._open_count -= 1
        self._levels.pop()

    def close(self) -> None:
        """End what is written of the lists; the next item begins them anew."""
        for _ in range(self._open_count):
            self._writer.end()
        self._open_count = 0

    def add_item(self, item: PendingItem, number: int | None) -> None:
        """Let an item begin, in a numbered list with this number, if there is one."""
        level = self._levels[-1]
        if number is not None and level.number is not None:
            level.number = number
        self.pending = item

    def begin_item(self, item: PendingItem, direction: str) -> ItemPrefix:
        """Write the start of the lists that must be open and of an item; return what its text must begin with."""
        self.pending = None
        self._open_levels()
        level = self._levels[-1]
        marker, prefix = self._marker_and_prefix(item, level)
        task_attributes: tuple[tuple[str, str], ...] = ()
        if prefix.checkbox is not None:
            task_attributes = (("role", "checkbox"), ("aria-checked", str(prefix.checkbox).lower()))
        indent = f";margin-left:{to_points(self._left)}" if self._left else ""
        style = f"list-style-type:{marker};{item.item_style.character_style}{indent}"
        self._writer.start(
            "li", (("dir", direction), *task_attributes, ("style", style), ("aria-level", len(self._levels)))
        )
        level.docs_number += 1
        if level.number is not None:
            level.number += level.step
        return prefix

    def _marker_and_prefix(self, item: PendingItem, level: ListLevel) -> tuple[str, ItemPrefix]:
        """Return an item's mark, and what its text begins with: Docs has either a number or a box."""
        checkbox = item.checked
        if level.number is None:
            if checkbox is not None:
                return "none", ItemPrefix(checkbox=checkbox)
            return level.author_marker or item.item_style.marker or _BULLETS[
                (len(self._levels) - 1) % len(_BULLETS)
            ], ItemPrefix()
        content = "" if checkbox is None else _BOXES[checkbox]
        if level.number < 0:
            # Docs counts from zero on.
            return "none", ItemPrefix(content=f"{level.number}. {content}")
        # A task has no mark in a template.
        marker = level.author_marker or (level.template_marker if content else item.item_style.marker) or "decimal"
        return marker, ItemPrefix(content=content)

    def _open_levels(self) -> None:
        """Begin the lists that are not being written, and the innermost anew where its number would be another."""
        level = self._levels[-1]
        if self._open_count == len(self._levels) and level.number is not None and level.docs_number != level.number:
            self._writer.end()
            self._open_count -= 1
        for opening in self._levels[self._open_count :]:
            self._open_level(opening)
        self._open_count = len(self._levels)

    def _open_level(self, level: ListLevel) -> None:
        number = level.number
        start = number if number is not None and number != 1 and number >= 0 else None
        style = _CHECKLIST_STYLE if level.is_checklist else _LIST_STYLE
        self._writer.start("ul" if number is None else "ol", (("style", style), ("start", start)))
        level.docs_number = number or 0
