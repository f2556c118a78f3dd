"""The reader of equations: collects the parts of an entity, and writes its TeX."""

from mdpublish_core.figures.math.chemistry import fragments, notation
from mdpublish_core.figures.math.chemistry.patterns import PATTERNS
from mdpublish_core.figures.math.chemistry.source import ChemistrySource

MAX_BASES = 4
"""Scripts that follow each other without an entity belong to the one before, up to so many."""


class EquationReader:
    """Collects the parts of an entity, and writes it when it ends."""

    __slots__ = ("_bases", "begins_with_bond", "has_space", "has_table_marks", "level", "parts", "placement", "written")

    def __init__(self) -> None:
        self.written: list[str] = []
        self.parts: dict[str, str] = {}
        self.placement = ""  # of charges: `above` subscripts, `oxidation` before them, or after them
        self.has_space = False
        self.begins_with_bond = False
        self.level = 0  # of parentheses
        self.has_table_marks = False
        self._bases = 0  # entities and scripts at the end of `written` that may get further scripts

    def write(self, tex: str) -> None:
        if tex:
            self.written.append(tex)
            self._bases = 0

    def add(self, part: str, value: str) -> None:
        self.parts[part] = self.parts.get(part, "") + value

    def finish(self, *, something_follows: bool = False, keeps_amount: bool = False) -> None:
        """Write the entity or arrow that was read.

        If `something_follows`, a space before it counts; with `keeps_amount`, an amount is that of what follows.
        """
        parts = self.parts
        if parts.get("arrow"):
            self._write_arrow()
        elif something_follows or keeps_amount or any(parts.values()):
            if self.has_space:
                self.write(notation.ENTITY_SPACE)
            self._settle(keeps_amount=keeps_amount)
            self._write_entity()
        self.parts, self.placement, self.has_space = {}, "", False

    def _settle(self, *, keeps_amount: bool) -> None:
        """Decide what a number or script without an entity is, and where a charge is placed."""
        parts = self.parts
        has_entity = any(parts.get(each) for each in ("entity", "lowered", "raised"))
        has_scripts_before = bool(parts.get("raised before") or parts.get("lowered before"))
        if not has_entity and not has_scripts_before and not keeps_amount:
            self.parts = {"entity": parts.get("amount", "")}
        elif not has_entity and has_scripts_before:
            self.parts = {
                "entity": parts.get("amount", ""),
                "raised": parts.get("raised before", ""),
                "lowered": parts.get("lowered before", ""),
            }
        elif self.placement == "above" and parts.get("entity"):
            if PATTERNS["raised oxidation state"].find(ChemistrySource(parts.get("raised", "")), 0):
                self.placement = "oxidation"
            elif not parts.get("lowered"):
                self.placement = ""

    def _write_entity(self) -> None:
        get = self.parts.get
        if get("amount"):
            self.write(_grouped_sign(fragments.amount(get("amount", ""))) + notation.THIN_SPACE)
        names = fragments.entity(get("entity", ""))
        if names:
            names[0] = _grouped_sign(names[0])
        before = [fragments.raised(get("raised before", "")), fragments.lowered(get("lowered before", ""))]
        write_raised = fragments.oxidation_state if self.placement == "oxidation" else fragments.raised
        lowered, raised = fragments.lowered(get("lowered", "")), write_raised(get("raised", ""))
        names = names or [""]
        if any(before):
            names[0] = f"\\chem@before{{{before[0]}}}{{{before[1]}}}{{{names[0]}}}"
        for each in names[:-1]:
            self.write(each)
        base, bases = names[-1], 0
        if lowered or raised:
            if not base and 0 < self._bases < MAX_BASES:
                base, bases = self.written.pop(), self._bases
            base = _with_scripts(base, lowered, raised, self.placement)
        if base:
            self.write(base)
            self._bases = bases + 1

    def _write_arrow(self) -> None:
        name = notation.ARROWS[self.parts["arrow"]]
        above, below = (_label(self.parts.get(each, ""), self.parts.get(f"mode {each}", "")) for each in _LABELS)
        self.write(f"\\chem@arrow{{{name}}}{{{above}}}{{{below}}}")

    def tex(self) -> str:
        return "".join(self.written)


_LABELS = ("above", "below")


def _label(content: str, mode: str) -> str:
    if mode == "M":
        return notation.variable(content) if content else ""
    if mode == "T":
        return notation.words(content)
    return notation.equation(content) if content else ""


def _grouped_sign(tex: str) -> str:
    return f"{{{tex}}}" if tex[:1] in {"+", "-"} else tex


def _with_scripts(base: str, lowered: str, raised: str, placement: str) -> str:
    if placement == "above" and lowered and raised:
        return f"\\chem@both{{{base}}}{{{lowered}}}{{{raised}}}"
    commands = [("\\chem@lower", lowered), ("\\chem@raise", raised)]
    for command, script in reversed(commands) if placement == "oxidation" else commands:
        if script:
            base = f"{command}{{{base}}}{{{script}}}"
    return base
