"""What the rules of equations do with what they match."""

import re
from collections.abc import Callable

from mdpublish_core.figures.math.chemistry import fragments, notation
from mdpublish_core.figures.math.chemistry.equation_reader import EquationReader
from mdpublish_core.figures.math.chemistry.patterns import PATTERNS
from mdpublish_core.figures.math.chemistry.rules import Action
from mdpublish_core.figures.math.chemistry.source import ChemistrySource, Match

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
