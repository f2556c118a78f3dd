"""Lists in Google Docs: flat, one paragraph per item, nested lists beside the items.

Further blocks of an item end all lists; the next item opens them again with its own number.
"""

from dataclasses import dataclass

from mdpublish_core.html import HtmlWriter
from mdpublish_core.writers.google_docs.checkbox_images import BOX_SIZE, CHECKED, UNCHECKED
from mdpublish_core.writers.google_docs.styles import GoogleDocsStyle, to_points
from mdpublish_core.writers.styled.lists import StyledList

LEVEL_INDENT = 36.0
"""Indentation per level in points."""

# As Docs writes them.
_LIST_STYLE = "margin-top:0;margin-bottom:0;padding-inline-start:48px"
_CHECKLIST_STYLE = "margin-top:0;margin-bottom:0;padding-inline-start:28px"

# Docs' bullets by level.
_BULLETS = ("disc", "circle", "square")

_BOXES = {False: "☐ ", True: "☑ "}


@dataclass(slots=True)
class ListLevel:
    """A list: `number` of its next item (None for bullets), and the `docs_number` that Docs would give it."""

    styled_list: StyledList
    number: int | None
    template_marker: str
    docs_number: int = 0


@dataclass(frozen=True, slots=True)
class PendingItem:
    """An item without its first paragraph yet."""

    item_style: GoogleDocsStyle
    checked: bool | None


@dataclass(frozen=True, slots=True)
class ItemPrefix:
    """The checkbox before the item's paragraph, and characters in it for an unsupported marker."""

    checkbox: bool | None = None
    content: str = ""


class ListStack:
    """The current lists, `left` points from the edge."""

    __slots__ = ("_left", "_levels", "_open_count", "_writer", "pending")

    def __init__(self, writer: HtmlWriter, left: float) -> None:
        self._writer = writer
        self._left = left
        self._levels: list[ListLevel] = []
        self._open_count = 0
        self.pending: PendingItem | None = None

    @property
    def depth(self) -> int:
        return len(self._levels)

    @property
    def are_open(self) -> bool:
        return bool(self._open_count)

    def start(self, level: ListLevel) -> None:
        """Add a level; it is opened with its first item."""
        self._levels.append(level)

    def end(self) -> None:
        if self._open_count == len(self._levels):
            self._writer.end()
            self._open_count -= 1
        self._levels.pop()

    def close(self) -> None:
        """Close all levels; the next item opens them again."""
        for _ in range(self._open_count):
            self._writer.end()
        self._open_count = 0

    def add_item(self, item: PendingItem, number: int | None) -> None:
        level = self._levels[-1]
        if number is not None and level.number is not None:
            level.number = number
        self.pending = item

    def begin_item(self, item: PendingItem, direction: str) -> ItemPrefix:
        """Return the start of the item's text."""
        self.pending = None
        level = self._levels[-1]
        if self._open_count != len(self._levels) or level.number is not None:
            self._open_levels()
        marker, prefix = self._marker_and_prefix(item, level)
        task_attributes: tuple[tuple[str, str], ...] = ()
        if prefix.checkbox is not None:
            task_attributes = (("role", "checkbox"), ("aria-checked", str(prefix.checkbox).lower()))
        indent = f";margin-left:{to_points(self._left)}" if self._left else ""
        style = f"list-style-type:{marker};{item.item_style.character_style}{indent}"
        self._writer.start_styled(
            "li", (("dir", direction), *task_attributes, ("style", style), ("aria-level", len(self._levels)))
        )
        if prefix.checkbox is not None:
            self._write_checkbox(checked=prefix.checkbox)
        level.docs_number += 1
        if level.number is not None:
            level.number += -1 if level.styled_list.counts_down else 1
        return prefix

    def _write_checkbox(self, *, checked: bool) -> None:
        """Write the box beside the paragraph, as Docs does: readers of its clipboard drop it only there."""
        attributes = (
            ("src", CHECKED if checked else UNCHECKED),
            ("width", BOX_SIZE),
            ("height", BOX_SIZE),
            ("alt", "checked" if checked else "unchecked"),
            ("aria-roledescription", "checkbox"),
            ("style", "margin-right:3px"),
        )
        self._writer.empty("img", attributes)

    def _marker_and_prefix(self, item: PendingItem, level: ListLevel) -> tuple[str, ItemPrefix]:
        checkbox, author_marker = item.checked, level.styled_list.marker
        if level.number is None:
            if checkbox is not None:
                return "none", ItemPrefix(checkbox=checkbox)
            return author_marker or item.item_style.marker or _BULLETS[
                (len(self._levels) - 1) % len(_BULLETS)
            ], ItemPrefix()
        content = "" if checkbox is None else _BOXES[checkbox]
        if level.number < 0 or level.styled_list.has_labels:
            # Docs counts from zero, and has no `a)`.
            return "none", ItemPrefix(content=f"{level.styled_list.label(level.number)} {content}")
        marker = author_marker or (level.template_marker if content else item.item_style.marker) or "decimal"
        return marker, ItemPrefix(content=content)

    def _open_levels(self) -> None:
        """Restart the innermost list if its number isn't consecutive."""
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
        style = _CHECKLIST_STYLE if level.styled_list.is_checklist else _LIST_STYLE
        self._writer.start_styled("ul" if number is None else "ol", (("style", style), ("start", start)))
        level.docs_number = number or 0
