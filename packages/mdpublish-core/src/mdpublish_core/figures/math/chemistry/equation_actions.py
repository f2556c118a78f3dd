"""What the rules of equations do with what they match."""

import re

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


def finish(reader: EquationReader, _: Match) -> None:
    reader.finish()


def finish_before_more(reader: EquationReader, _: Match) -> None:
    reader.finish(something_follows=True)


def finish_before_entity(reader: EquationReader, _: Match) -> None:
    reader.finish(keeps_amount=True)


def has_space(reader: EquationReader, _: Match) -> None:
    reader.has_space = True


def has_no_space(reader: EquationReader, _: Match) -> None:
    reader.has_space = False


def begins_with_bond(reader: EquationReader, _: Match) -> None:
    reader.begins_with_bond = True


def begins_with_no_bond(reader: EquationReader, _: Match) -> None:
    reader.begins_with_bond = False


def parenthesis(change: int, reader: EquationReader, _: Match) -> None:
    reader.level += change


def raise_above(reader: EquationReader, matched: Match) -> None:
    reader.parts["raised"] = matched.value
    reader.placement = "above"


def copy(reader: EquationReader, matched: Match) -> None:
    reader.write(matched.value)


def operator(reader: EquationReader, matched: Match) -> None:
    reader.write(notation.operator(matched.value))


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


def oxidation_state(reader: EquationReader, matched: Match) -> None:
    reader.write(f"{{{fragments.oxidation_state(matched.value)}}}")


def state_of_aggregation(reader: EquationReader, matched: Match) -> None:
    reader.write("\\mskip2mu " + "".join(fragments.entity(matched.value)))


def comma(reader: EquationReader, matched: Match) -> None:
    sign = matched.value.rstrip()
    is_wide = sign != matched.value and not reader.level
    reader.write(f"{{{sign}}}\\mkern{6 if is_wide else 3}mu ")


def table_mark(reader: EquationReader, matched: Match) -> None:
    reader.has_table_marks = True
    reader.write(f"{matched.value} ")


def command_of_two(command: str, reader: EquationReader, matched: Match) -> None:
    between = "_" if command == "\\underbrace" else ""
    reader.write(f"{command}{{{notation.equation(matched.value)}}}{between}{{{notation.equation(matched.others[0])}}}")


def colored(reader: EquationReader, matched: Match) -> None:
    reader.write(f"\\textcolor{{{matched.value}}}{{{notation.equation(matched.others[0])}}}")


def color(reader: EquationReader, matched: Match) -> None:
    reader.write(f"\\color{{{matched.value}}}")


def equation(reader: EquationReader, matched: Match) -> None:
    reader.write(notation.equation(matched.value))


def unit(reader: EquationReader, matched: Match) -> None:
    reader.write(notation.unit(matched.value))
