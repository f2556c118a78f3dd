"""Reads equations: collects the parts of an entity and writes its TeX, and applies the rules' actions to matches."""

import re
from collections.abc import Callable

from mdpublish_core.figures.math.chemistry import fragments, notation
from mdpublish_core.figures.math.chemistry.patterns import PATTERNS, ChemistrySource, Match
from mdpublish_core.figures.math.chemistry.rules import Action

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


_MASS_NUMBER = re.compile(r"[1-9][0-9]*")


class UnknownBond(ValueError):  # noqa: N818  (named after the fault)
    r"""The argument of `\bond` names no kind of bond."""


def add(part: str) -> Action[EquationReader]:
    return lambda reader, matched: reader.add(part, matched.value)


def replace(part: str) -> Action[EquationReader]:
    def act(reader: EquationReader, matched: Match) -> None:
        reader.parts[part] = matched.value

    return act


def write(tex: str) -> Action[EquationReader]:
    return lambda reader, _: reader.write(tex)


def write_as(notate: Callable[..., str]) -> Action[EquationReader]:
    """Write the value of the match, and its further parts, in a notation."""
    return lambda reader, matched: reader.write(notate(matched.value, *matched.others))


def change(field: str, *, to: bool) -> Action[EquationReader]:
    return lambda reader, _: setattr(reader, field, to)


def finish(reader: EquationReader, _: Match) -> None:
    reader.finish()


def finish_before_more(reader: EquationReader, _: Match) -> None:
    reader.finish(something_follows=True)


def finish_before_entity(reader: EquationReader, _: Match) -> None:
    reader.finish(keeps_amount=True)


def parenthesis(change: int, reader: EquationReader, _: Match) -> None:
    reader.level += change


def raise_above(reader: EquationReader, matched: Match) -> None:
    reader.parts["raised"] = matched.value
    reader.placement = "above"


def bond(reader: EquationReader, matched: Match) -> None:
    if matched.value not in notation.BONDS:
        raise UnknownBond(matched.value)
    reader.write(notation.bond(matched.value))


def charge_or_bond(reader: EquationReader, matched: Match) -> None:
    if reader.begins_with_bond:
        reader.finish()
        bond(reader, matched)
    else:
        reader.parts["raised"] = matched.value


def entity_after_raised(reader: EquationReader, matched: Match) -> None:
    """Take a number that was raised for the mass number of what follows: `H^3HO`."""
    raised = reader.parts.get("raised", "")
    if _MASS_NUMBER.fullmatch(raised):
        del reader.parts["raised"]
        reader.finish()
        reader.write(notation.NARROW_SPACE)
        reader.parts["raised before"] = raised
    else:
        reader.finish()
    reader.add("entity", matched.value)


def dash(reader: EquationReader, matched: Match, *, after_charge: bool = False) -> None:
    """Read a dash after an entity: a hyphen, a charge or a bond."""
    parts = reader.parts
    name, charge = parts.get("entity", ""), parts.get("raised", "")
    kind = next((each for each in _PREFIXES if PATTERNS[each].find(ChemistrySource(name), 0)), None)
    if kind is not None:
        if kind == "only a latin letter" and not any(value for part, value in parts.items() if part != "entity"):
            parts["entity"] = f"${name}$"
        reader.finish()
        reader.write(notation.HYPHEN)
    elif after_charge and charge.isascii() and charge.isdigit():
        reader.add("raised", matched.value)
        reader.finish()
    else:
        reader.finish()
        bond(reader, matched)


_PREFIXES = ("only an orbital", "only a greek letter", "only a latin letter", "only a latin variable")


def amount_is_entity(reader: EquationReader, _: Match) -> None:
    reader.parts["entity"] = reader.parts.pop("amount", "")


def oxidation_state(state: str) -> str:
    return f"{{{fragments.oxidation_state(state)}}}"


def state_of_aggregation(state: str) -> str:
    return "\\mskip2mu " + "".join(fragments.entity(state))


def comma(reader: EquationReader, matched: Match) -> None:
    sign = matched.value.rstrip()
    is_wide = sign != matched.value and not reader.level
    reader.write(f"{{{sign}}}\\mkern{6 if is_wide else 3}mu ")


def table_mark(reader: EquationReader, matched: Match) -> None:
    reader.has_table_marks = True
    reader.write(f"{matched.value} ")


def command_of_two(command: str, between: str = "") -> Action[EquationReader]:
    return write_as(
        lambda first, second: f"{command}{{{notation.equation(first)}}}{between}{{{notation.equation(second)}}}"
    )


def colored(color: str, content: str) -> str:
    return notation.colored(color, notation.equation(content))
