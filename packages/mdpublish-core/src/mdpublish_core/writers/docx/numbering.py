"""Numbering of lists: `numbering.xml`."""

from typing import NamedTuple

from mdpublish_core.resources.open_xml import Element
from mdpublish_core.resources.word_lists import LIST_TYPES
from mdpublish_core.strings.list_numbers import LIST_STYLE_TYPES
from mdpublish_core.writers.docx.reference import Reference
from mdpublish_core.writers.docx.xml import add, insert_after, story_root

MAX_LEVEL = 8
"""Word has nine levels."""

MAX_START = 32_767
"""Word's largest number."""

_BULLETS = {"disc": "•", "circle": "◦", "square": "▪"}

_FORMATS = {LIST_STYLE_TYPES[kind]: form for form, kind in LIST_TYPES.items()}


class ListFormat(NamedTuple):
    """A level of a list: a bullet if `bullet`, else numbers; lengths in twips."""

    level: int
    bullet: str
    number_format: str
    left: int
    hanging: int
    color: str = ""
    font: str = ""
    around: tuple[str, str] = ("", ".")
    """What is before and after a number."""


class Numbering:
    """Collects the lists of a document. Each numbered list has an instance of its own, which restarts the numbers."""

    def __init__(self, reference: Reference | None = None) -> None:
        self._reference = reference
        self._first_format = 1 + (reference.list_numbers("abstractNum") if reference else 0)
        self._first_list = 1 + (reference.list_numbers("num") if reference else 0)
        self._formats: dict[ListFormat, int] = {}
        self._bullet_lists: dict[ListFormat, int] = {}
        self._instances: list[tuple[int, int, int | None]] = []

    def add(self, form: ListFormat, start: int | None = None) -> int:
        """Return the id of a list that begins with the number `start`; lists with equal bullets are one."""
        if start is None and form in self._bullet_lists:
            return self._bullet_lists[form]
        abstract = self._formats.setdefault(form, self._first_format + len(self._formats))
        number = self._first_list + len(self._instances)
        self._instances.append((abstract, form.level, start))
        if start is None:
            self._bullet_lists[form] = number
        return number

    @property
    def is_used(self) -> bool:
        return bool(self._instances)

    def part(self) -> Element:
        """Return `numbering.xml`, after the definitions of a reference document."""
        ours, instances = story_root("w:numbering"), story_root("w:numbering")
        for form, number in self._formats.items():
            abstract = add(ours, "w:abstractNum", abstractNumId=number)
            add(abstract, "w:multiLevelType", val="hybridMultilevel")
            for level in range(MAX_LEVEL + 1):
                _write_level(abstract, level, form)
        for number, (abstract_number, level, start) in enumerate(self._instances, start=self._first_list):
            instance = add(instances, "w:num", numId=number)
            add(instance, "w:abstractNumId", val=abstract_number)
            if start is not None:
                override = add(instance, "w:lvlOverride", ilvl=level)
                add(override, "w:startOverride", val=start)
        copied = self._reference.parts.get("numbering") if self._reference else None
        if copied is None:
            ours.extend(list(instances))
            return ours
        # All definitions come before all lists.
        insert_after(copied.element, ("w:numPicBullet", "w:abstractNum"), list(ours))
        insert_after(copied.element, ("w:numPicBullet", "w:abstractNum", "w:num"), list(instances))
        return copied.element


def bullet_of(list_style_type: str, mark: str) -> str:
    """Return the character of a bullet; `mark` is the template's own, if it has one."""
    return mark or _BULLETS.get(list_style_type, _BULLETS["disc"])


def number_format_of(list_style_type: str) -> str:
    return _FORMATS.get(list_style_type, "decimal")


def _write_level(abstract: Element, level: int, form: ListFormat) -> None:
    """Write a level; those around the list's own are for text that is moved there in Word."""
    step = max(form.hanging, 360)
    left = max(form.left + (level - form.level) * step, form.hanging)
    element = add(abstract, "w:lvl", ilvl=level)
    add(element, "w:start", val=1)
    add(element, "w:numFmt", val="bullet" if form.bullet else form.number_format)
    add(element, "w:lvlText", val=form.bullet or f"%{level + 1}".join(form.around))
    add(element, "w:lvlJc", val="left")
    add(add(element, "w:pPr"), "w:ind", left=left, hanging=form.hanging)
    if form.bullet or form.color:
        run = add(element, "w:rPr")
        if form.bullet and form.font:
            add(run, "w:rFonts", ascii=form.font, hAnsi=form.font, cs=form.font, hint="default")
        if form.color:
            add(run, "w:color", val=form.color)
